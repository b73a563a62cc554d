// What happened, in words: the events of the positions that have come, up to the one on the page.

const MOST_LINES = 600;

export class Log {
  constructor(box, list) {
    this.box = box;
    this.list = list;
    list.tabIndex = 0; // its lines scroll, also by keys
    box.addEventListener("toggle", () => this.show(this.at, this.count)); // where it is folded
    this.known = new Set(); // plies
    this.at = 0; // the position up to which is shown what happened
    this.count = Infinity; // of the events that led to it
    this.headingsOf = (_events) => null; // a game's own: for each event, what stands above it, or null
  }

  /** Takes the events of a position. Those of positions that were taken back go. */
  add({ ply, length, events }) {
    for (const line of [...this.list.children]) if (Number(line.dataset.ply) > length) this.#forget(Number(line.dataset.ply));
    if (this.known.has(ply) || !events.length) return;
    this.known.add(ply);
    const after = [...this.list.children].find((line) => Number(line.dataset.ply) > ply) ?? null;
    const headings = this.headingsOf(events) ?? [];
    events.forEach(({ text, kind }, index) => {
      if (headings[index]) this.list.insertBefore(lineOf(ply, headings[index]), after).dataset.heading = "";
      const line = this.list.insertBefore(lineOf(ply, text), after);
      if (typeof kind === "string") line.dataset.kind = kind;
    });
    if (this.list.children.length > MOST_LINES) this.#forget(Number(this.list.firstElementChild.dataset.ply));
    if (ply < this.at) this.show(this.at, this.count);
  }

  /** Shows what happened up to a position; of what led to it, only the first `count` events. A heading is shown with the event below it. */
  show(at, count = Infinity) {
    [this.at, this.count] = [at, count];
    let [shown, last] = [0, null];
    for (const line of this.list.children) {
      const ply = Number(line.dataset.ply);
      const isHeading = line.dataset.heading !== undefined;
      if (ply === at && !isHeading) shown += 1;
      line.hidden = ply > at || (ply === at && shown + Number(isHeading) > count);
      if (!line.hidden) last = line;
    }
    this.box.hidden = this.list.children.length === 0;
    if (last && !this.list.closest("[hidden], details:not([open])")) this.list.scrollTop = last.offsetTop - this.list.offsetTop - this.list.clientHeight + last.offsetHeight + 6;
  }

  #forget(ply) {
    this.known.delete(ply);
    for (const line of this.list.querySelectorAll(`[data-ply="${ply}"]`)) line.remove();
  }
}

function lineOf(ply, text) {
  const line = Object.assign(document.createElement("li"), { textContent: text, hidden: true });
  line.dataset.ply = ply;
  return line;
}
