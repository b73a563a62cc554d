// Pieces are dragged by mouse, pen or finger, besides being pressed: from where an action begins to what may be picked next.

const SLACK = 6; // pixels before a press becomes a drag

export class Dragging {
  #board;
  #choosing;
  #isOthers;
  /** @type {any} */
  #drag = null;
  #hasDragged = false; // which is no press

  /** `isOthers(pick)` says whether a game's own module drags what is there. */
  constructor(board, choosing, isOthers) {
    this.#board = board;
    this.#choosing = choosing;
    this.#isOthers = isOthers;
    board.holder.addEventListener("pointerdown", (event) => this.#down(event));
    board.holdStill(() => this.#drag);
    board.holder.addEventListener("click", (event) => this.#hasDragged && event.stopPropagation(), { capture: true });
    addEventListener("pointermove", (event) => this.#move(event));
    addEventListener("pointerup", (event) => this.#up(event));
    addEventListener("pointercancel", () => this.#end());
  }

  #down(event) {
    this.#hasDragged = false;
    this.#board.carried = null;
    const pick = event.target.closest("[data-pick]")?.dataset.pick;
    const isEnlarged = event.target.closest(".enlarged"); // and is dragged about itself
    if (!pick || !event.isPrimary || event.button !== 0 || isEnlarged || this.#choosing.confirming || this.#isOthers(pick)) return;
    const meanings = this.#board.meanings(pick);
    const begin = meanings.find((name) => this.#choosing.selection.leadsOn(name, (next) => this.#board.has(next)));
    const on = meanings.find((name) => this.#board.elements.get(name).querySelector("[data-piece]"));
    if (begin && on) this.#drag = { begin, on, id: event.pointerId, x: event.clientX, y: event.clientY, lifted: null };
  }

  #move({ pointerId, clientX, clientY }) {
    const drag = this.#drag;
    if (drag?.id !== pointerId) return;
    const [dx, dy] = [clientX - drag.x, clientY - drag.y];
    if (!drag.lifted) {
      if (Math.hypot(dx, dy) < SLACK) return;
      this.#hasDragged = true;
      this.#choosing.follow([drag.begin]);
      drag.lifted = this.#board.lift(drag.on, drag.on);
    }
    const piece = drag.lifted?.piece;
    if (!piece?.isConnected) {
      this.#end(); // another position has come
      return;
    }
    const { a, d } = piece.parentNode.getScreenCTM();
    piece.setAttribute("transform", `translate(${dx / a} ${dy / d})`);
    this.#aim(this.#targetAt(clientX, clientY));
  }

  /** What the piece would be dropped on: null where it cannot go, its own place included. */
  #targetAt(x, y) {
    const pick = pickAt(x, y);
    if (!pick || !this.#board.has(pick)) return null;
    return this.#board.meanings(pick).find((name) => this.#choosing.selection.next.includes(name)) ?? null;
  }

  #aim(pick) {
    for (const element of this.#board.holder.querySelectorAll(".aimed")) element.classList.remove("aimed");
    this.#board.elements.get(pick)?.classList.add("aimed");
  }

  #up({ pointerId, clientX, clientY }) {
    const drag = this.#drag;
    if (drag?.id !== pointerId) return;
    const target = drag.lifted?.piece.isConnected ? this.#targetAt(clientX, clientY) : undefined;
    this.#end();
    if (target) {
      this.#board.carried = target; // it does not slide there once more
      this.#choosing.pick(target, false);
    } else if (target === null) {
      const back = pickAt(clientX, clientY);
      if (!back || !this.#board.meanings(back).includes(drag.begin)) this.#choosing.cancel(); // put down where it stood, it stays picked
    }
  }

  #end() {
    this.#drag?.lifted?.drop();
    this.#drag = null;
    this.#aim(null);
  }
}

function pickAt(x, y) {
  const element = /** @type {any} */ (document.elementFromPoint(x, y));
  return element?.closest("[data-pick]")?.dataset.pick;
}
