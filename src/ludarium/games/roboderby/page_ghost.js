// The ghost: where the program so far would lead the robot, were it alone on the board.

import { make } from "/static/svg.js";

import { beside, middleOf, placeOf } from "./page_stage.js";

const MOVES = ["move", "carry", "fall"];
const RIM = 14; // beyond the middle of a square lies what one falls from the board into

export class Ghost {
  /** `foresee(actions)` is a promise of the events to which a plan leads; `onKnown()` is called when there are other ones. */
  constructor(board, panel, foresee, onKnown) {
    this.board = board;
    this.foresee = foresee;
    this.onKnown = onKnown;
    this.plan = null; // what the events are of, as a text
    this.events = [];
    this.words = panel.appendChild(Object.assign(document.createElement("p"), { className: "rp-spoken" }));
    this.words.setAttribute("role", "status");
  }

  /** Draws where a program leads: the dice in a player's registers, and those that are put down (`3`, `1n`); null where there is no program. */
  show({ text }, player, put) {
    const { turn, phase, registers } = JSON.parse(text);
    const plan = put && phase === "program" && (put.length || registers[player].some((content) => content && !content.startsWith("["))) ? JSON.stringify([turn, registers[player], put]) : null;
    if (plan !== this.plan) this.#ask(plan, put);
    if (plan && this.events.length) this.#draw(player);
  }

  #ask(plan, put) {
    this.plan = plan;
    this.events = [];
    if (!plan) this.words.textContent = "";
    else this.foresee(put).then((events) => events && plan === this.plan && this.#know(events));
  }

  #know(events) {
    this.events = events;
    const text = events.at(-1)?.text ?? "";
    if (this.words.textContent !== text) this.words.textContent = text; // or it is read aloud again when the program is locked in
    this.onKnown();
  }

  #draw(player) {
    const svg = this.board.holder.querySelector("svg");
    const robot = svg.querySelector(`[data-robot="${player}"]`);
    if (!robot) return;
    const moves = this.events.filter(({ kind }) => MOVES.includes(kind));
    const start = placeOf(robot);
    const way = [moves.length ? beside(start, moves[0].direction, RIM / 2) : start, ...moves.map(({ from, to, direction }) => (to === null ? beside(middleOf(svg, from), direction, RIM) : middleOf(svg, to)))];
    const { text, heading } = this.events.at(-1);
    const layer = this.board.overlay("mark rp-foreseen");
    layer.removeAttribute("aria-hidden");
    layer.setAttribute("role", "img");
    layer.setAttribute("aria-label", text);
    const d = `M${way.map(({ x, y }) => `${x} ${y}`).join("L")}`;
    layer.append(make("path", { class: "rp-way-rim", d }), make("path", { class: "rp-way", d }));
    const { x, y } = way.at(-1);
    if (moves.at(-1)?.kind === "fall") layer.append(make("path", { class: "rp-lost", d: `M${x - 4} ${y - 4}l8 8m0-8l-8 8` }));
    else layer.append(bodyOf(robot, way.at(-1), heading));
  }
}

function bodyOf(robot, { x, y }, heading) {
  const group = make("g", { class: "rp-spirit", transform: `translate(${x} ${y}) rotate(${90 * heading})` });
  for (const part of robot.querySelector("[data-heading]").children) if (part.matches(".rd-nose, .rd-body")) group.append(part.cloneNode(true));
  return group;
}
