// A small row of buttons by an element of the drawing, for a pick that the drawing does not show: a number. Many numbers are a field to type in.

import { numbered } from "../picks.js";

const MOST_BUTTONS = 24;

export class Chooser {
  constructor(holder, board, onChoose) {
    this.holder = holder;
    this.board = board;
    this.onChoose = onChoose;
    this.options = [];
    this.typed = "";
    holder.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#choose(holder.querySelector("input").value);
    });
  }

  get isOpen() {
    return !this.holder.hidden;
  }

  /** `options` are [pick, label] pairs of picks that are numbers, perhaps after a word; the last one is the proposal. */
  open(pick, options, focus) {
    this.typed = "";
    this.options = options.map(([value]) => value);
    const many = options.length > MOST_BUTTONS;
    this.holder.replaceChildren(...(many ? [this.#field()] : options.map(([value, label]) => this.#button(value, label))));
    this.holder.classList.toggle("many", many);
    this.holder.style.setProperty("--columns", Math.min(options.length, 6));
    const word = numbered(this.options[0])[0];
    this.holder.setAttribute("aria-label", word || "How many");
    this.holder.dataset.word = word;
    this.holder.hidden = false;
    const { left, top, width, height } = this.board.place(pick);
    const room = this.board.page.clientWidth - this.holder.offsetWidth;
    const above = top - this.holder.offsetHeight - 6;
    this.holder.style.left = `${Math.max(0, Math.min(room, left + width / 2 - this.holder.offsetWidth / 2))}px`;
    this.holder.style.top = `${above >= 0 ? above : top + height + 6}px`;
    if (many) this.holder.querySelector("input").select();
    else if (focus) this.holder.lastElementChild.focus();
  }

  #button(value, label) {
    const button = document.createElement("button");
    button.type = "button";
    button.value = String(value);
    button.textContent = String(numbered(value)[1]);
    button.setAttribute("aria-label", label);
    button.classList.toggle("proposal", value === this.options.at(-1));
    button.addEventListener("click", () => this.onChoose(value));
    return button;
  }

  #field() {
    const form = document.createElement("form");
    const [least, most] = [this.options[0], this.options.at(-1)].map((option) => numbered(option)[1]);
    const field = Object.assign(document.createElement("input"), { type: "number", min: least, max: most, value: least, required: true });
    field.setAttribute("aria-label", `${numbered(this.options[0])[0]}, ${least} to ${most}`);
    const button = Object.assign(document.createElement("button"), { textContent: "OK", className: "proposal" });
    form.append(field, button);
    return form;
  }

  #choose(number) {
    const found = this.options.find((option) => numbered(option)[1] === Number(number));
    if (found) this.onChoose(found);
  }

  close() {
    this.holder.hidden = true;
    this.holder.replaceChildren();
  }

  chooseProposal() {
    const field = this.holder.querySelector("input");
    if (field) this.#choose(field.value);
    else this.onChoose(this.options.at(-1));
  }

  /** A digit chooses at once where only one option begins with what has been typed; otherwise it moves the focus, and Enter chooses. */
  type(digit) {
    const matching = (typed) => this.options.filter((option) => String(numbered(option)[1]).startsWith(typed));
    this.typed = matching(this.typed + digit).length ? this.typed + digit : digit;
    const found = matching(this.typed);
    if (found.length === 1) this.onChoose(found[0]);
    else if (found.length) this.holder.querySelector(`[value="${found[0]}"]`)?.focus();
  }

  move(step) {
    const buttons = [...this.holder.querySelectorAll("button")];
    const at = buttons.indexOf(document.activeElement);
    buttons[(at + step + buttons.length) % buttons.length].focus();
  }
}
