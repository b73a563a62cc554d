// The buttons for standing orders, under the board.

import { button } from "/static/button.js";

export class Controls {
  #row = document.createElement("div");
  #buttons;
  #clear;
  #auto;
  #wishes = document.createElement("p");

  /** `sendsItself` is how that begins; `toggled()` is called when it has changed. */
  constructor(panel, { paint, hold, again, none, toggled }, sendsItself) {
    this.#row.className = "hb-controls";
    this.#buttons = [
      button({ label: "Paint on", key: "p", onClick: paint }),
      button({ label: "Hold", key: "h", onClick: hold }),
      button({ label: "As last turn", key: "l", onClick: again }),
    ];
    this.#clear = button({ label: "No standing orders", onClick: none });
    this.#auto = button({
      label: "Go by itself",
      onClick: () => {
        this.#auto.setAttribute("aria-pressed", String(!this.sendsItself));
        toggled();
      },
    });
    this.#auto.setAttribute("aria-pressed", String(sendsItself));
    this.#auto.title = "sends the orders as soon as every living character has one";
    this.#row.append(...this.#buttons, this.#auto, this.#clear, this.#wishes);
    this.#row.addEventListener("mousedown", (event) => event.preventDefault()); // Enter goes on sending the orders
    this.#row.hidden = true;
    panel.append(this.#row);
  }

  /** Whether orders are sent by themselves as soon as every living character has one. */
  get sendsItself() {
    return this.#auto.getAttribute("aria-pressed") === "true";
  }

  /** `isOpen` says whether there is a turn to give orders for, `chosen` is the character to which the buttons apply, null for all without orders. */
  show({ isPlaying, isOpen, chosen, canRepeat, wishes }) {
    this.#row.hidden = !isPlaying; // what has just been there does not go away under a finger between two turns
    this.#buttons.forEach((one, at) => (one.disabled = !isOpen || (at === 2 && !canRepeat)));
    this.#clear.hidden = wishes.size === 0;
    const whom = chosen ? `${chosen}` : "all without orders";
    for (const one of this.#buttons.slice(0, 2)) one.title = `for ${whom}, on later turns too`;
    const told = [...wishes].map(([character, wish]) => `${character} ${Array.isArray(wish) ? `path of ${wish.length}` : wish === "paint" ? "paints on" : "holds"}`);
    const text = told.join(" · ");
    if (this.#wishes.textContent !== text) this.#wishes.textContent = text;
  }
}
