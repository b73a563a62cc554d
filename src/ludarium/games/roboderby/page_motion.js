// Time on the page: it can be slowed down, stopped and skipped, and does not run while the page is hidden.

import { wantsMotion } from "/static/animation.js";

export class Motion {
  constructor() {
    this.speed = 1;
    this.haste = 1; // more where a turn's clock leaves little time
    this.isPaused = false;
    this.isSkipping = false;
    this.running = new Set(); // what draws the next picture of each movement
    document.addEventListener("visibilitychange", () => document.hidden && this.#hurry());
  }

  /** Calls `draw(part)` with parts from 0 to 1 for so many milliseconds; for who wants no motion, with 1 from the beginning. */
  run(milliseconds, draw = (_part) => {}) {
    const isStill = !wantsMotion();
    return new Promise((/** @type {(nothing?: any) => void} */ resolve) => {
      let [done, last] = [0, performance.now()];
      const step = () => {
        const now = performance.now();
        if (!this.isPaused) done += (now - last) * this.speed * this.haste;
        last = now;
        const part = this.isSkipping || document.hidden ? 1 : Math.min(1, done / milliseconds);
        draw(isStill ? 1 : part);
        if (part < 1) {
          requestAnimationFrame(() => this.running.has(step) && step());
        } else {
          this.running.delete(step);
          resolve();
        }
      };
      this.running.add(step);
      step();
    });
  }

  /** Everything ends at once, until `begin` is called. */
  skip() {
    this.isPaused = false;
    this.isSkipping = true;
    this.#hurry();
  }

  begin(haste) {
    this.haste = haste;
    this.isPaused = this.isSkipping = false;
  }

  #hurry() {
    for (const step of [...this.running]) step();
  }
}
