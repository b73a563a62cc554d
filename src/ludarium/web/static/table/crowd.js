// Why a bot takes long: others think too, and take turns.

import { ask } from "../asking.js";

const PATIENCE = 3000; // milliseconds of thinking after which people want to know

export class Crowd {
  #element;
  #turn = null; // the number of the position in which somebody waits for bots
  #timer = 0;

  constructor(element) {
    this.#element = element;
  }

  /** To be told of every latest position; `you` is a player's number or null. */
  see({ length, thinking, to_move: movers }, you) {
    const turn = thinking.length && !movers.includes(you) ? length : null;
    if (turn === this.#turn) return;
    this.#turn = turn;
    clearTimeout(this.#timer);
    this.#element.textContent = "";
    if (turn !== null) this.#timer = setTimeout(() => this.#explain(turn), PATIENCE);
  }

  async #explain(turn) {
    const told = await ask("/api/thinking").catch(() => null);
    if (!told || turn !== this.#turn || told.thoughts <= told.at_once) return;
    this.#element.textContent = `${told.thoughts} programs think on this server at the moment, ${told.at_once} at a time, so this takes longer.`;
  }
}
