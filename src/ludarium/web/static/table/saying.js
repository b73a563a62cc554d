// What screen readers say of the game. The line under the board changes with every press and while pieces move; here everything is said once, when it has been shown.

export class Saying {
  #region;
  #news = [];
  #standing = "";

  constructor(region) {
    this.#region = region;
  }

  /** A position has been shown; `text` says what led to it. */
  arrive(text) {
    this.hear(text);
    if (text) this.#standing = ""; // is told again: whose turn it is after somebody's
  }

  /** Something happened. It is said with how things stand next. */
  hear(text) {
    if (text) this.#news.push(text);
  }

  /** Says what happened since the last time, and how things stand where that is new; "" where there is nothing to say of that. */
  say(standing) {
    const isNew = standing !== "" && standing !== this.#standing;
    const words = [...this.#news, ...(isNew ? [standing] : [])];
    this.#news = [];
    if (isNew) this.#standing = standing;
    if (words.length) this.#region.textContent = words.join(". ");
  }
}
