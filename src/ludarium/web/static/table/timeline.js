// The list of moves and the walk through the game.

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
    this.list.replaceChildren(item(0, "Start"), ...moves.map((move, index) => item(index + 1, move)));
  }

  /** The game now has `length` steps, the last of which is `move`. */
  update(length, move) {
    if (length === this.moves.length && (length === 0 || this.moves.at(-1) === move)) return;
    if (length > this.moves.length) {
      while (this.moves.length < length) {
        this.moves.push(this.moves.length === length - 1 ? move : ""); // of a quick game not every position comes
        this.list.append(item(this.moves.length, this.moves.at(-1)));
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
      this.list.children[ply].replaceWith(item(ply, move));
    });
  }

  show(ply) {
    this.at = ply;
    for (const marked of this.list.querySelectorAll("[aria-current]")) marked.removeAttribute("aria-current");
    const button = this.list.children[ply]?.firstElementChild;
    if (button) {
      button.setAttribute("aria-current", "step");
      const middle = button.offsetTop - this.list.offsetTop - this.list.clientHeight / 2 + button.offsetHeight / 2;
      this.list.scrollTop = middle;
    }
    this.buttons.first.disabled = this.buttons.previous.disabled = ply === 0;
    this.buttons.next.disabled = this.buttons.last.disabled = ply >= this.moves.length;
    this.onShow();
  }
}

function item(ply, move) {
  const entry = document.createElement("li");
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
