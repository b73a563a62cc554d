// Asking for earlier positions, one at a time: of those that the user wants while an answer is on its way, only the last is asked for,
// and what the page wants besides waits for it.

export class Looks {
  /** `ask(ply)` says whether the question went out. */
  constructor(ask) {
    this.ask = ask;
    this.asked = null; // the ply of the question that is on its way
    this.wanted = null;
    this.besides = new Set(); // plies
  }

  get isWaiting() {
    return this.asked !== null;
  }

  want(ply) {
    if (this.isWaiting) this.wanted = ply;
    else if (this.ask(ply)) this.asked = ply;
  }

  /** Asks for a position that is not to be shown now. */
  wantBesides(ply) {
    if (ply === this.asked) return;
    if (this.isWaiting) this.besides.add(ply);
    else this.want(ply);
  }

  /** An answer came. */
  answered() {
    const [further] = this.besides;
    const ply = this.wanted ?? further ?? null;
    this.asked = this.wanted = null;
    this.besides.delete(ply);
    if (ply !== null) this.want(ply);
  }

  /** No answer will come any more. */
  reset() {
    this.asked = this.wanted = null;
    this.besides.clear();
  }
}
