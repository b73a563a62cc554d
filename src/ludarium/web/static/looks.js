// Asking for earlier positions, one at a time: of those wanted while an answer is on its way, only the last is asked for.

export class Looks {
  /** `ask(ply)` says whether the question went out. */
  constructor(ask) {
    this.ask = ask;
    this.isWaiting = false;
    this.wanted = null;
  }

  want(ply) {
    if (this.isWaiting) this.wanted = ply;
    else this.isWaiting = this.ask(ply);
  }

  /** An answer came. */
  answered() {
    this.isWaiting = false;
    const ply = this.wanted;
    this.wanted = null;
    if (ply !== null) this.want(ply);
  }

  /** No answer will come any more. */
  reset() {
    this.isWaiting = false;
    this.wanted = null;
  }
}
