// A path that is dragged from a character over the cells that it is to enter, one a turn.

export class Paths {
  #board;
  #on;
  #drag = null;
  #hasDragged = false; // which is no press

  /** `begins(pick)` is the character to be dragged from there, or null; `leads(from, to)` whether a path goes on so; `draw(character, path)` while, `end` after it. */
  constructor(board, on) {
    this.#board = board;
    this.#on = on;
    board.holder.addEventListener("pointerdown", (event) => this.#down(event));
    board.holdStill(() => this.#drag);
    board.holder.addEventListener("click", (event) => this.#hasDragged && event.stopPropagation(), { capture: true });
    addEventListener("pointermove", (event) => this.#move(event));
    addEventListener("pointerup", ({ pointerId }) => this.#end(pointerId, this.#drag?.path));
    addEventListener("pointercancel", ({ pointerId }) => this.#end(pointerId, []));
  }

  #down(event) {
    this.#hasDragged = false;
    const pick = event.target.closest("[data-pick]")?.dataset.pick;
    const character = pick && event.isPrimary && event.button === 0 && !event.target.closest(".enlarged") ? this.#on.begins(pick) : null;
    if (character) this.#drag = { character, id: event.pointerId, at: this.#cellOf(character), path: [] };
  }

  #move({ pointerId, clientX, clientY }) {
    const drag = this.#drag;
    if (drag?.id !== pointerId) return;
    const pick = document.elementFromPoint(clientX, clientY)?.closest("[data-pick]")?.getAttribute("data-pick");
    if (!pick || !this.#board.has(pick)) return;
    const cell = this.#cellOf(pick);
    const { path } = drag;
    const last = path.at(-1) ?? drag.at;
    if (cell === last) return;
    if (cell === (path.at(-2) ?? drag.at)) path.pop(); // back the way it came
    else if (this.#on.leads(last, cell)) path.push(cell);
    else return;
    this.#hasDragged = true;
    this.#on.draw(drag.character, path);
  }

  #end(pointerId, path) {
    if (this.#drag?.id !== pointerId) return;
    const { character } = this.#drag;
    this.#drag = null;
    if (this.#hasDragged) this.#on.end(character, path);
  }

  #cellOf(pick) {
    return this.#board.meanings(pick).findLast((name) => name.includes(","));
  }
}
