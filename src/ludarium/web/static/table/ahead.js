// An action that is chosen while another player thinks. When the turn comes it is played at once if it is legal then, else dropped.

export class Ahead {
  #board;
  #act;
  #ask;
  #asked = null; // the position for which it was asked what could be done
  #actions = [];
  /** @type {string[] | null} what was pressed since then, until the answer comes */
  #pressed = null;
  /** @type {any} the action that is to be played next */
  chosen = null;

  /** @type {any} one that was not legal when its turn came */
  dropped = null;

  /** `ask()` asks the server what could be done now; `act(action, ply)` plays. */
  constructor(board, { ask, act }) {
    this.#board = board;
    this.#ask = ask;
    this.#act = act;
  }

  /** Somebody points at the board of a position in which they may have to wait. */
  wonder(position, { game, you }) {
    if (!mayChooseAhead(position, game, you) || this.#asked === position.ply) return;
    this.#asked = position.ply;
    this.#pressed = [];
    this.#ask();
  }

  /** Notes what is pressed in a position of which it is not known what can be done. Says whether that is so. */
  notes(name, { ply }) {
    const waits = this.#pressed !== null && ply === this.#asked;
    if (waits) this.#pressed.push(name);
    return waits;
  }

  /** Takes what the server says, as long as it stands: the position that it is for gets these actions. Says what was pressed meanwhile; null where it stands no more. */
  answer({ ply, actions }, position, { game, you }) {
    if (ply !== position?.ply || !mayChooseAhead(position, game, you)) return null;
    this.#actions = position.actions = actions;
    const pressed = this.#pressed ?? [];
    this.#pressed = null;
    return pressed;
  }

  /** A latest position has come. */
  see(position, { game, you }) {
    if (mayChooseAhead(position, game, you) && position.occasion !== "takeback") {
      if (position.ply === this.#asked) position.actions = this.#actions; // something beside the board has changed
      else [this.#asked, this.#actions, this.#pressed, this.dropped] = [null, [], null, null];
      return;
    }
    const { chosen } = this;
    [this.chosen, this.#asked, this.#actions, this.#pressed] = [null, null, [], null];
    if (!chosen || position.occasion === "takeback" || position.outcome) return;
    const legal = position.actions.find(({ text }) => text === chosen.text);
    if (!legal) this.dropped = chosen;
    else if (this.#act(legal, position.ply)) position.actions = [];
  }

  choose(action) {
    this.chosen = action;
  }

  /** Says whether there was something to forget. */
  forget() {
    const had = this.chosen !== null;
    this.chosen = null;
    return had;
  }

  mark() {
    for (const pick of this.chosen?.picks ?? []) this.#board.markAhead(pick);
  }
}

/** Whether a player waits for one other to choose, in a game that hides nothing. */
export function mayChooseAhead({ latest, outcome, to_move: movers }, game, you) {
  return latest && !outcome && you !== null && !game.orders && !game.hidden && movers.length === 1 && movers[0] !== you;
}
