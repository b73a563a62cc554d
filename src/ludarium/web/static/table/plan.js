// The orders of one turn before they are sent: one a slot, shown as a list from which each can be changed or dropped.

export class Plan {
  /** `onChoose(pick)` is called to give an order anew, `onChange()` after one was dropped. */
  constructor(list, onChoose, onChange) {
    this.list = list;
    this.onChoose = onChoose;
    this.onChange = onChange;
    this.ply = null;
    this.forget();
  }

  /** Takes what a position offers and, on another turn than before, the orders that the server has kept. */
  read({ ply, orders, plan, chosen }, { you, game }) {
    if (this.ply === ply && chosen.includes(you)) {
      this.isSent = true;
    } else if (!orders.length) {
      this.forget();
    } else if (this.ply !== ply || this.isSent) {
      this.ply = ply;
      this.pieces = orders.map((paths) => (paths.length > (game.idle ? 1 : 0) ? paths[0][0] : null));
      this.orders = plan ?? orders.map(() => null);
      this.isSent = false;
    }
    this.show();
  }

  forget() {
    this.ply = null;
    this.pieces = []; // by slot: the first pick of its orders, null for a slot without any
    this.orders = []; // by slot: the picks of the order that was given, or null
    this.isSent = false;
    this.list.replaceChildren();
  }

  get isOpen() {
    return this.ply !== null && !this.isSent;
  }

  get size() {
    return this.pieces.filter((piece) => piece !== null).length;
  }

  get given() {
    return this.orders.filter((order) => order !== null);
  }

  set(slot, picks) {
    this.orders[slot] = picks;
    this.show();
  }

  /** What another window of the same player has planned. */
  take(ply, orders) {
    if (ply !== this.ply || this.isSent) return;
    this.orders = orders;
    this.show();
  }

  drop(slot) {
    this.orders[slot] = null;
    this.show();
    this.onChange();
    this.list.querySelector(`[data-slot="${slot}"] button`)?.focus();
  }

  show() {
    const focused = document.querySelector("#orders [data-slot]:focus-within")?.dataset.slot;
    this.list.replaceChildren(...this.pieces.flatMap((piece, slot) => (piece === null ? [] : [this.#entry(piece, slot)])));
    if (focused) this.list.querySelector(`[data-slot="${focused}"] button`)?.focus();
  }

  #entry(piece, slot) {
    const order = this.orders[slot];
    const entry = document.createElement("li");
    entry.dataset.slot = slot;
    entry.classList.toggle("given", order !== null);
    const what = order ? order.slice(1).join(" ") : "–";
    const choose = button(`${piece}: ${order ? `${what}; change` : "no order, give one"}`, () => this.onChoose(piece));
    choose.append(Object.assign(document.createElement("strong"), { textContent: piece }), ` ${what}`);
    choose.disabled = this.isSent;
    entry.append(choose);
    if (order && !this.isSent) {
      const drop = button(`Drop the order of ${piece}`, () => this.drop(slot));
      drop.append("✕");
      drop.className = "drop";
      entry.append(drop);
    }
    return entry;
  }
}

function button(label, onClick) {
  const node = Object.assign(document.createElement("button"), { type: "button", ariaLabel: label });
  node.addEventListener("click", onClick);
  return node;
}
