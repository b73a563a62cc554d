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
    if (!text) return;
    this.hear(text);
    this.#standing = ""; // is told again: whose turn it is after somebody's
  }

  /** Something happened. It is said with how things stand next. */
  hear(text) {
    this.#news.push(text);
  }

  /** Says what happened since the last time, and how things stand where that is new. */
  say(standing) {
    const words = [...this.#news, ...(standing === this.#standing ? [] : [standing])];
    this.#news = [];
    this.#standing = standing;
    if (words.length) this.#region.textContent = words.join(". ");
  }
}
