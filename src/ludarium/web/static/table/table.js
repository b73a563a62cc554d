// What the page of a game knows: what the server has said of it, and which position is on the page.

export class Table {
  /** @type {any} the message */
  welcome = null;
  /** @type {any} the latest position */
  latest = null;
  /** @type {any} the position on the page */
  shown = null;
  telling = 0; // the position whose events are being shown
  isMoving = false; // whether they are: what they lead to is not told yet
  hasActed = false; // whether the user has played in this window
  refocus = false; // whether the keyboard's focus goes back to the board after the next position

  /** `held` opens this window's seat, null to watch; another program plays a game that `isServed`, and makes its next one. */
  constructor(id, held, isServed) {
    this.id = id;
    this.held = held;
    this.isServed = isServed;
  }

  get you() {
    return this.welcome?.you ?? null;
  }

  get players() {
    return this.welcome?.players ?? [];
  }

  get names() {
    return this.players.map(({ name }) => name);
  }

  /** Whether this window has a seat in a game that goes on. */
  get isPlaying() {
    return this.you !== null && this.players[this.you].connected && !this.latest?.outcome && !this.hasLeft;
  }

  /** Whether this window's player has left a game in which the others play on. */
  get hasLeft() {
    return this.you !== null && !this.latest?.outcome && Boolean(this.latest?.out?.includes(this.you));
  }

  get hasWon() {
    return this.you !== null && this.latest?.outcome?.winner === this.you;
  }

  /** A position as something to choose in: nothing, where the game has gone on. */
  offered(position = this.shown) {
    return position.latest ? position : { ...position, actions: [] };
  }
}
