// The seconds that are left of a turn.

import { inWords } from "../clocks.js";

export class Countdown {
  constructor(element) {
    this.element = element;
    this.end = null;
    this.seconds = 0;
    setInterval(() => this.#show(), 100);
  }

  /** `clock` is {seconds, left} or null while nothing is counted. */
  set(clock) {
    this.end = clock && performance.now() + 1000 * clock.left;
    this.seconds = clock?.seconds ?? 0;
    this.#show();
  }

  /** Seconds until the end; null while nothing is counted. */
  get left() {
    return this.end === null ? null : Math.max(0, (this.end - performance.now()) / 1000);
  }

  #show() {
    this.element.hidden = this.end === null;
    if (this.end === null) return;
    const { left } = this;
    const text = inWords(left);
    if (this.element.textContent !== text) this.element.textContent = text;
    this.element.style.setProperty("--left", left / this.seconds);
    this.element.classList.toggle("short", left <= Math.min(10, this.seconds / 3));
  }
}
