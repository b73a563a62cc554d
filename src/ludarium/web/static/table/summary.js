// What there is to tell of a game that is over: where it turned, the game's own lines, and ways on.

import { figuresOf } from "./status.js";

export class Summary {
  #panel;
  #turn;
  #ply = 0;

  /** `goTo(ply)` shows a position. */
  constructor(panel, goTo) {
    this.#panel = panel;
    this.#turn = panel.querySelector("button");
    this.#turn.addEventListener("click", () => goTo(this.#ply));
  }

  /** `latest` is the latest position, `moves` the texts of all steps. */
  show({ outcome, summary, figures, length }, names, moves) {
    this.#panel.hidden = !outcome;
    if (!outcome) return;
    const turn = turned(summary?.turning_point);
    const told = turn ? [turnInWords(turn, moves[turn.ply - 1], names[outcome.winner])] : [];
    const lines = [...told, ...(summary?.lines ?? []), ...figuresOf(figures), `Moves: ${length}`];
    this.#panel.querySelector("ul").replaceChildren(...lines.map((text) => Object.assign(document.createElement("li"), { textContent: text })));
    this.#turn.hidden = !turn;
    this.#ply = turn?.ply ?? 0;
  }
}

/** A turning point, unless it turned nothing that words tell apart: whoever stood better before stood better after it, too. */
export function turned(point) {
  return point && worthInWords(point.before) !== worthInWords(point.after) ? point : null;
}

export function turnInWords({ ply, before, after }, move, winner) {
  return `Turning point: ${ply}. ${move}. ${winner} ${worthInWords(before)} before, and ${worthInWords(after)} after it`;
}

/** What a position is worth to a player, from −1 to 1. */
export function worthInWords(worth) {
  const words = { 0.7: "was winning", 0.2: "stood better", "-0.2": "stood level", "-0.7": "stood worse" };
  const found = [0.7, 0.2, -0.2, -0.7].find((least) => worth >= least);
  return found === undefined ? "was losing" : words[found];
}
