// The list of moves and the walk through the game. In a game whose lines tell of several steps (`data-lines`), those without a line of their own are not listed.

export class Timeline {
  /** `onLook(ply)` asks for a position. */
  constructor(list, buttons, onLook) {
    this.list = list;
    this.buttons = buttons;
    this.onLook = onLook;
    this.moves = [];
    this.at = 0; // the position shown, or asked for
    this.onShow = () => {}; // called after what is shown, or the number of moves, has changed
    list.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button) this.go(Number(button.value));
    });
    buttons.first.addEventListener("click", () => this.go(0));
    buttons.previous.addEventListener("click", () => this.go(this.at - 1));
    buttons.next.addEventListener("click", () => this.go(this.at + 1));
    buttons.last.addEventListener("click", () => this.go(this.moves.length));
  }

  get isLatest() {
    return this.at === this.moves.length;
  }

  go(ply) {
    const target = Math.max(0, Math.min(this.moves.length, ply));
    if (target === this.at) return;
    this.show(target);
    this.onLook(target);
  }

  setMoves(moves) {
    this.moves = [...moves];
    this.list.replaceChildren(this.#item(0, "Start"), ...moves.map((move, index) => this.#item(index + 1, move)));
  }

  /** The game now has `length` steps, the last of which is `move`. */
  update(length, move) {
    if (length === this.moves.length && (length === 0 || this.moves.at(-1) === move)) return;
    if (length > this.moves.length) {
      while (this.moves.length < length) {
        this.moves.push(this.moves.length === length - 1 ? move : ""); // of a quick game not every position comes
        this.list.append(this.#item(this.moves.length, this.moves.at(-1)));
      }
    } else {
      this.moves.length = Math.min(length, this.moves.length);
      while (this.list.children.length > length + 1) this.list.lastElementChild.remove();
    }
    this.onShow();
  }

  /** What was hidden may be known now: the texts of the moves from a ply on. */
  open({ from, moves }) {
    moves.forEach((move, index) => {
      const ply = from + index;
      if (ply > this.moves.length || this.moves[ply - 1] === move) return;
      this.moves[ply - 1] = move;
      this.list.children[ply].replaceWith(this.#item(ply, move));
    });
  }

  /** The plies of the steps that have a line. */
  get listed() {
    return this.moves.flatMap((move, index) => (this.#isTold(move) ? [] : [index + 1]));
  }

  /** Keeps the line of a step back until it is shown: it tells how that ends. */
  keep(ply, isKept = true) {
    this.list.children[ply].hidden = isKept || this.#isTold(this.moves[ply - 1]);
  }

  show(ply) {
    this.at = ply;
    if (ply && this.list.children[ply]) this.keep(ply, false);
    for (const marked of this.list.querySelectorAll("[aria-current]")) marked.removeAttribute("aria-current");
    const button = this.#lineOf(ply)?.firstElementChild;
    button?.setAttribute("aria-current", "step");
    if (button && !this.list.closest("[hidden]")) {
      const above = Math.max(0, this.list.clientHeight - button.offsetHeight) / 2;
      this.list.scrollTop = button.offsetTop - this.list.offsetTop - above;
    }
    this.buttons.first.disabled = this.buttons.previous.disabled = ply === 0;
    this.buttons.next.disabled = this.buttons.last.disabled = ply >= this.moves.length;
    this.onShow();
  }

  /** The line that tells of a step: its own, or that of a later one; where there is none yet, the last line. */
  #lineOf(ply) {
    const lines = [...this.list.children];
    const isListed = (line) => !line.hidden;
    return lines.slice(ply).find(isListed) ?? lines.slice(0, ply).findLast(isListed);
  }

  /** Whether a later line tells of a step. */
  #isTold(move) {
    return move === "" && "lines" in this.list.dataset;
  }

  #item(ply, move) {
    const entry = document.createElement("li");
    entry.hidden = this.#isTold(move);
    const button = entry.appendChild(document.createElement("button"));
    button.type = "button";
    button.value = ply;
    if (ply) {
      const number = button.appendChild(document.createElement("span"));
      number.textContent = `${ply}.`;
    }
    button.append(move);
    button.title = move;
    return entry;
  }
}
