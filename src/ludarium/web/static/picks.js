// Narrows the legal actions pick by pick. Knows nothing of any game: an action is {text, picks, effects}, an order {slot, picks, effects}.
// A step of an order's picks may stand for many: ["delay", 2, 4] for "delay 2", "delay 3" and "delay 4".

export class Selection {
  constructor(actions) {
    this.actions = actions;
    this.clear();
  }

  get candidates() {
    return this.actions.filter(({ picks }) => this.path.every((pick, index) => index < picks.length && names(picks[index]).includes(pick)));
  }

  /** What may be picked next, each once, in the actions' order. */
  get next() {
    const at = this.path.length;
    return [...new Set(this.candidates.flatMap(({ picks }) => (at < picks.length ? names(picks[at]) : [])))];
  }

  /** The action that the path names in full, with the picks that led to it. */
  get complete() {
    const found = this.path.length && this.candidates.find(({ picks }) => picks.length === this.path.length);
    return found ? { ...found, picks: [...this.path] } : undefined;
  }

  /** What may be picked first. */
  get first() {
    return new Set(this.actions.map(({ picks }) => picks[0]));
  }

  /** Whether a first pick begins actions that go on to something for which `isPlace` holds, and none that it completes. */
  leadsOn(pick, isPlace) {
    const begun = this.actions.filter(({ picks }) => picks[0] === pick);
    return begun.every(({ picks }) => picks.length > 1) && begun.some(({ picks }) => names(picks[1]).some(isPlace));
  }

  /** The action that taking one of the next picks would complete. */
  actionAfter(pick) {
    const at = this.path.length;
    return this.candidates.find(({ picks }) => picks.length === at + 1 && names(picks[at]).includes(pick));
  }

  push(pick) {
    this.path.push(pick);
    this.missed = null;
  }

  clear() {
    this.path = [];
    this.missed = null; // what was pressed last, where no action begins there
  }
}

/** Whether a slip that plays an action, one of those that are legal, would be costly: it does things far away, others do not, and it takes more than one press. */
export function isCostly({ effects, picks }, actions) {
  return effects.length > 0 && picks.length > 1 && actions.some((other) => !other.effects.length);
}

/** The orders of a position as actions, each with its slot. Where doing nothing is an order, a piece that can do nothing else is left alone. */
export function ordersAsActions(orders, idle) {
  return orders.flatMap((paths, slot) => (idle && paths.length === 1 ? [] : paths.map((picks) => ({ slot, picks, effects: [] }))));
}

/** A pick that is a number, with or without a word before it, as [word, number]: "delay 3", "3". Null for others. */
export function numbered(pick) {
  const [, word, number] = /^(?:(.+) )?(\d+)$/.exec(pick) ?? [];
  return number === undefined ? null : [word ?? "", Number(number)];
}

function names(step) {
  if (typeof step === "string") return [step];
  const [word, least, most] = step;
  return Array.from({ length: most - least + 1 }, (_, index) => `${word} ${least + index}`);
}
