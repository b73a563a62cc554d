// A small row of buttons by an element of the drawing, for a last pick that the drawing does not show (a number).

export class Chooser {
  constructor(holder, board, onChoose) {
    this.holder = holder;
    this.board = board;
    this.onChoose = onChoose;
    this.typed = "";
  }

  get isOpen() {
    return !this.holder.hidden;
  }

  get options() {
    return [...this.holder.querySelectorAll("button")].map((button) => button.value);
  }

  /** `options` are [value, label] pairs; the last one is the proposal. */
  open(pick, options, focus) {
    this.typed = "";
    this.holder.replaceChildren(
      ...options.map(([value, label]) => {
        const button = document.createElement("button");
        button.type = "button";
        button.value = button.textContent = value;
        button.setAttribute("aria-label", label);
        button.addEventListener("click", () => this.onChoose(value));
        return button;
      }),
    );
    this.holder.style.setProperty("--columns", Math.min(options.length, 6));
    this.holder.lastElementChild.classList.add("proposal");
    this.holder.hidden = false;
    const { left, top, width, height } = this.board.place(pick);
    const room = this.board.holder.clientWidth - this.holder.offsetWidth;
    const above = top - this.holder.offsetHeight - 6;
    this.holder.style.left = `${Math.max(0, Math.min(room, left + width / 2 - this.holder.offsetWidth / 2))}px`;
    this.holder.style.top = `${above >= 0 ? above : top + height + 6}px`;
    if (focus) this.holder.lastElementChild.focus();
  }

  close() {
    this.holder.hidden = true;
    this.holder.replaceChildren();
  }

  chooseProposal() {
    this.onChoose(this.options.at(-1));
  }

  /** A digit chooses at once where only one option begins with what has been typed; otherwise it moves the focus, and Enter chooses. */
  type(digit) {
    const matching = (typed) => this.options.filter((option) => option.startsWith(typed));
    this.typed = matching(this.typed + digit).length ? this.typed + digit : digit;
    const found = matching(this.typed);
    if (found.length === 1) this.onChoose(found[0]);
    else if (found.length) this.holder.querySelector(`[value="${found[0]}"]`).focus();
  }

  move(step) {
    const buttons = [...this.holder.querySelectorAll("button")];
    const at = buttons.indexOf(document.activeElement);
    buttons[(at + step + buttons.length) % buttons.length].focus();
  }
}
