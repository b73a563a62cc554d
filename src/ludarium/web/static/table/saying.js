// What screen readers say of the game. The line under the board changes with every press and while pieces move; here everything is said once, when it has been shown.

export class Saying {
  #region;
  #news = [];
  #standing = "";
  #isTold = false; // whether the turn that is shown was told while it was carried out

  constructor(region) {
    this.#region = region;
  }

  /** Tells of a turn while it is carried out. */
  tell(text) {
    this.#isTold = true;
    this.say(text);
  }

  /** A position has been shown; `text` says what led to it, which is news unless it was told on the way. */
  arrive(text) {
    if (text && !this.#isTold) this.hear(text);
    if (text) this.#standing = ""; // is told again: whose turn it is after somebody's
    this.#isTold = false;
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
