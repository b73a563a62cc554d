// A program before it is final: dice are put into registers on this page alone, and are sent when they are locked in or the others are rolled again.

import { make } from "/static/svg.js";
import { recall, remember } from "/static/storage.js";

import { commandIn } from "./page_words.js";

const DRAFTED = ", not final"; // behind what a register is called
const DRAFT = "roboderby-draft"; // of the game that this window is at

/** What a player can do with dice in a position: the open registers, whether a roll is possible. Null where no dice are to be placed. */
function handOf(position, { you, game }, { dice, registers }) {
  const texts = position.actions.map(({ text }) => text);
  if (!texts.some((text) => /^\dn?$/.test(text))) return null;
  return {
    dice: dice[you],
    open: registers[you].flatMap((content, index) => (content === "" ? [index + 1] : [])),
    rolls: texts.filter((text) => text.startsWith("roll")),
    canChooseDice: game.options.reroll === "any",
    atOnce: game.independent ? 4 : 1, // where all place step by step in the open, one die is placed at a time
  };
}

/** Whether dice are falling and nobody has anything to choose, for a moment. */
export function isFalling({ to_move, outcome }) {
  return !to_move.length && !outcome;
}

export class Program {
  /** `seat` tells one player of one game from all others: what is put down there outlives a reload of the page. */
  constructor(seat = null) {
    this.seat = seat;
    this.turn = 0;
    this.hand = null;
    this.draft = []; // {die, face, noop} in the order of the open registers
    this.pending = []; // actions that are being sent, one after the other
    this.rolling = null; // the dice that are chosen to be rolled again, while they are
  }

  /**
   * Takes what the latest position offers. What was put down stays as far as its dice lie in the hand as before in the same turn; while somebody else's
   * dice fall, all stays as it is.
   */
  read(position, welcome) {
    const told = JSON.parse(position.text);
    const dice = told.dice?.[welcome.you] ?? [];
    if (this.hand && told.turn === this.turn && isFalling(position) && String(dice) === String(this.hand.dice)) return;
    if (this.turn === 0) this.#recall();
    if (told.turn !== this.turn) this.draft = [];
    this.turn = told.turn;
    this.hand = handOf(position, welcome, told);
    this.draft = this.draft.filter(({ die, face }) => dice[die - 1] === face).slice(0, this.hand?.open.length); // another window may have filled registers
    this.rolling = null;
    this.#keep();
  }

  #recall() {
    const kept = recall(DRAFT, {}, "sessionStorage");
    if (this.seat !== null && kept.seat === this.seat) ({ turn: this.turn, draft: this.draft } = kept);
  }

  #keep() {
    remember(DRAFT, { seat: this.seat, turn: this.turn, draft: this.draft }, "sessionStorage");
  }

  get registersLeft() {
    return this.hand.open.length - this.draft.length;
  }

  get isComplete() {
    return this.registersLeft === 0;
  }

  /** Whether the dice that are left may be rolled again, once what was put down is final. */
  get canRoll() {
    return this.registersLeft > 0 && (this.draft.length > 0 || this.hand.rolls.length > 0);
  }

  get left() {
    return [1, 2, 3, 4, 5].filter((die) => this.hand.dice[die - 1] > 0 && !this.draft.some((placed) => placed.die === die));
  }

  /** Puts a die into a register (the next one if none is said), or takes it to another one. */
  place(die, register = null) {
    const face = this.hand.dice[die - 1];
    const before = this.draft.find((placed) => placed.die === die);
    const others = this.draft.filter((placed) => placed.die !== die);
    if (!face || others.length >= Math.min(this.hand.open.length, this.hand.atOnce)) return;
    const at = register === null ? others.length : this.hand.open.indexOf(register);
    others.splice(Math.min(at, others.length), 0, before ?? { die, face, noop: false });
    this.draft = others;
    this.#keep();
  }

  takeBack(die = this.draft.at(-1)?.die) {
    this.draft = this.draft.filter((placed) => placed.die !== die);
    this.#keep();
  }

  /** Makes the die in a register a NO-OP, or a command again. */
  toggle(register = this.hand.open[this.draft.length - 1]) {
    const placed = this.draft[this.hand.open.indexOf(register)];
    if (placed) placed.noop = !placed.noop;
    this.#keep();
  }

  /** What was put down, as actions. */
  get plan() {
    return this.hand ? this.draft.map(({ die, noop }) => `${die}${noop ? "n" : ""}`) : [];
  }

  /** Makes what was put down final, and rolls some dice again; null for none. */
  send(dice = null) {
    this.pending = this.plan;
    if (dice) this.pending.push(dice.length === this.left.length ? "roll" : `roll ${dice.join(" ")}`);
    this.rolling = null;
  }

  forget() {
    this.pending = [];
    this.rolling = null;
  }
}

/** Draws what was put down, in dashed frames, and takes those dice from the hand. */
export function drawProgram(board, { hand, draft, rolling }) {
  for (const [pick, element] of board.elements) {
    element.classList.remove("rp-placed", "rp-chosen");
    if (/^r\d$/.test(pick) && element.ariaLabel.endsWith(DRAFTED)) element.ariaLabel = `register ${pick}: empty`;
  }
  if (!hand) return;
  draft.forEach(({ die, noop }, index) => {
    const [from, to] = [board.elements.get(`d${die}`), board.elements.get(`r${hand.open[index]}`)];
    if (!from || !to) return;
    from.classList.add("rp-placed");
    from.setAttribute("aria-description", `put into register ${hand.open[index]}`);
    to.ariaLabel = `register ${to.dataset.pick}: ${contentOf(from.ariaLabel, noop)}${DRAFTED}`;
    to.append(content(from, noop));
  });
  const next = board.elements.get(`r${hand.open[draft.length]}`);
  if (next && draft.length) next.append(frame("rp-next"));
  for (const die of rolling ?? []) board.elements.get(`d${die}`)?.classList.add("rp-chosen");
}

/** What a register is called with a die that has this label: as the server calls it. */
function contentOf(label, noop) {
  const [, all, command, priority, meaning] = /: ((\w+), priority (\d+), ([^,]+).*)/.exec(label);
  return noop ? `NO-OP, ${priority}, ${meaning} (${command})` : all;
}

/** What the dice of a program that is being put down are for, to who does not see them: the one put down last, and what is asked next. */
export function programHeard(board, program) {
  const { hand, draft, left, isComplete } = program;
  const meaning = (die) => /priority \d+, (.+)/.exec(board.elements.get(`d${die}`)?.ariaLabel ?? "")?.[1] ?? nameOf(board, die);
  const words = ({ die, noop }) => (noop ? `NO-OP (${meaning(die)})` : meaning(die));
  if (isComplete) return `Your program: ${draft.map((placed, index) => `${hand.open[index]} ${words(placed)}`).join(", ")}. Lock it in?`;
  const put = draft.length ? `${words(draft.at(-1))} in register ${hand.open[draft.length - 1]}. ` : "";
  return `${put}Which die for register ${hand.open[draft.length]}? ${left.map((die) => `${die}: ${meaning(die)}`).join(", ")}`;
}

/** What a die in hand shows, as lines of turns call it. */
export function nameOf(board, die) {
  const code = /: ([^,]+)/.exec(board.elements.get(`d${die}`)?.getAttribute("aria-label") ?? "")?.[1];
  return code ? commandIn(code) : `die ${die}`;
}

function content(from, noop) {
  const group = make("g", { class: "mark rp-draft" });
  group.append(make("rect", { class: "rd-slot", x: 0.2, y: 0.2, width: 19.6, height: 19.6, rx: 3.8 }));
  if (noop) {
    const word = Object.assign(make("text", { class: "rd-noop", x: 10, y: 4.9 }), { textContent: "NO-OP" });
    group.append(make("path", { class: "rd-ribbon", d: "M.2 4q0-3.8 3.8-3.8h12q3.8 0 3.8 3.8v1.8H.2z" }), word, " ");
  }
  const die = make("g", noop ? { class: "rd-faint", transform: "translate(2.9 5) scale(.71)" } : { transform: "translate(1 1) scale(.9)" });
  die.append(...faceOf(from));
  group.append(die);
  if (noop) group.append(make("path", { class: "rd-strike", d: "M3.6 18.2 16.4 6.4" }));
  group.append(frame("rd-new"));
  return group;
}

/** The drawing of a die in hand. */
export function faceOf(element) {
  return [...element.childNodes].filter((child) => !(child instanceof Element && child.matches(".mark"))).map((child) => child.cloneNode(true));
}

function frame(name) {
  return make("rect", { class: `mark ${name}`, x: -0.4, y: -0.4, width: 20.8, height: 20.8, rx: 4.2 });
}
