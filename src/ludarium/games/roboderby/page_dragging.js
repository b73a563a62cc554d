// Dice are dragged by mouse, pen or finger: from the hand to a register, from one register to another, or back.

import { make, wayTo } from "/static/svg.js";

import { faceOf } from "./page_program.js";

const SLACK = 6; // pixels before a press becomes a drag

export class Dragging {
  /** `dieAt(pick)` is the number of the die that can be dragged from there, or null; `onDrop(die, register)` with null for elsewhere. */
  constructor(board, { dieAt, onDrop }) {
    this.board = board;
    this.dieAt = dieAt;
    this.onDrop = onDrop;
    this.drag = null;
    this.hasDragged = false; // which is not a press
    board.holder.addEventListener("pointerdown", (event) => this.#down(event));
    board.holdStill(() => this.drag);
    board.holder.addEventListener("click", (event) => this.#click(event), { capture: true });
    addEventListener("pointermove", (event) => this.#move(event));
    addEventListener("pointerup", (event) => this.#up(event));
    addEventListener("pointercancel", () => this.#end());
  }

  #down(event) {
    this.hasDragged = false;
    const pick = event.target.closest("[data-pick]")?.dataset.pick;
    const die = event.isPrimary && event.button === 0 && pick ? this.dieAt(pick) : null;
    if (die !== null) this.drag = { die, pick, id: event.pointerId, x: event.clientX, y: event.clientY, ghost: null };
  }

  #move(event) {
    const { drag } = this;
    if (drag?.id !== event.pointerId) return;
    const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.ghost && Math.hypot(dx, dy) < SLACK) return;
    if (!this.#isHeld()) {
      this.#end(); // the turn has begun, or time is up
      return;
    }
    if (!drag.ghost?.isConnected) this.#lift(); // anew where the board was drawn anew, because somebody else is ready
    const { a, d } = drag.ghost.ownerSVGElement.getScreenCTM();
    drag.ghost.setAttribute("transform", `translate(${dx / a} ${dy / d}) ${drag.place}`);
    this.#aim(this.#registerAt(event));
  }

  /** Whether the die that is dragged can still be put down. */
  #isHeld() {
    return this.dieAt(this.drag.pick) === this.drag.die && this.board.has(`d${this.drag.die}`);
  }

  #lift() {
    const { drag } = this;
    this.hasDragged = true;
    const [from, shown] = [this.board.elements.get(`d${drag.die}`), this.board.elements.get(drag.pick)];
    const { a, b, c, d, e, f } = wayTo(shown);
    drag.place = `matrix(${a} ${b} ${c} ${d} ${e} ${f})`;
    drag.ghost = shown.ownerSVGElement.appendChild(make("g", { class: "moving rp-ghost", transform: drag.place }));
    drag.ghost.append(...faceOf(from));
    this.board.holder.classList.add("rp-dragging");
  }

  /** The nearest register, if it is near. */
  #registerAt({ clientX, clientY }) {
    let [best, least] = [null, Infinity];
    for (const [pick, element] of this.board.elements) {
      if (!/^r\d$/.test(pick)) continue;
      const { left, top, width, height } = element.getBoundingClientRect();
      const distance = Math.hypot(clientX - left - width / 2, clientY - top - height / 2);
      if (distance < Math.min(least, width)) [best, least] = [Number(pick.slice(1)), distance];
    }
    return best;
  }

  #aim(register) {
    for (const [pick, element] of this.board.elements) element.classList.toggle("rp-aimed-at", pick === `r${register}`);
  }

  #up(event) {
    const { drag } = this;
    if (drag?.id !== event.pointerId) return;
    const register = drag.ghost && this.#isHeld() ? this.#registerAt(event) : undefined;
    this.#end();
    if (register !== undefined) this.onDrop(drag.die, register);
  }

  #end() {
    this.drag?.ghost?.remove();
    this.drag = null;
    this.#aim(null);
    this.board.holder.classList.remove("rp-dragging");
  }

  #click(event) {
    if (this.hasDragged) event.stopPropagation();
    this.hasDragged = false;
  }
}
