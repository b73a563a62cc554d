// The steps that led to the position on the page and of which there is something to tell. A page that has not seen them asks for them.

const MOST_POSITIONS = 24; // that are kept
const MOST_STEPS = 8; // that are looked for, so that all their positions are kept

export class Happenings {
  /**
   * `looks` asks for positions. `isEnough(steps)` is called with the steps found so far, {before, after} each, the latest first: whether those before them
   * are not needed.
   */
  constructor(looks, isEnough) {
    this.looks = looks;
    this.isEnough = isEnough;
    this.known = new Map(); // positions by ply, those used last at the end
  }

  /** Takes a position that came, and looks for the steps that led to the one on the page. */
  take(position, shown) {
    if (["now", "takeback"].includes(position.occasion)) this.known.clear(); // drawn anew, or not played any more
    const renumbered = position.latest && position.opened ? position.opened.from : Infinity;
    for (const ply of this.known.keys()) if (ply >= renumbered) this.known.delete(ply); // steps may count now that did not
    this.known.set(position.ply, position);
    while (this.known.size > MOST_POSITIONS) this.known.delete(this.known.keys().next().value);
    if (shown) this.#find(shown);
  }

  #find(shown) {
    const steps = [];
    let ply = shown.happened;
    while (ply !== null && steps.length < MOST_STEPS) {
      const [after, before] = [this.#recall(ply), this.#recall(ply - 1)];
      if (!after || !before) break;
      steps.push({ before, after });
      if (this.isEnough(steps)) return;
      ply = before.happened;
    }
    if (!steps.length) this.isEnough(steps);
  }

  #recall(ply) {
    const position = this.known.get(ply);
    if (!position) {
      this.looks.wantBesides(ply);
      return null;
    }
    this.known.delete(ply);
    this.known.set(ply, position);
    return position;
  }
}
