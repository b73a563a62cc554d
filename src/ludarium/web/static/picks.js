// Narrows the legal actions pick by pick. Knows nothing of any game: an action is {text, picks, effects}.

export class Selection {
  constructor(actions) {
    this.actions = actions;
    this.path = [];
  }

  get candidates() {
    return this.actions.filter(({ picks }) => this.path.every((pick, index) => picks[index] === pick));
  }

  /** What may be picked next, each once, in the actions' order. */
  get next() {
    const picks = this.candidates.map(({ picks }) => picks[this.path.length]);
    return [...new Set(picks.filter((pick) => pick !== undefined))];
  }

  /** The action that the path names in full. */
  get complete() {
    return this.path.length ? this.candidates.find(({ picks }) => picks.length === this.path.length) : undefined;
  }

  /** What may be picked first. */
  get first() {
    return new Set(this.actions.map(({ picks }) => picks[0]));
  }

  /** The action that taking one of the next picks would complete. */
  actionAfter(pick) {
    return this.candidates.find(({ picks }) => picks[this.path.length] === pick && picks.length === this.path.length + 1);
  }

  push(pick) {
    this.path.push(pick);
  }

  clear() {
    this.path = [];
  }
}
