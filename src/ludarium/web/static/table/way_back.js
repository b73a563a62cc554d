// Ways back to a seat: the code of one's own, the form that takes one, and what can be done with a link that opens no seat any more.

import { ask } from "../asking.js";
import { button } from "../button.js";
import { addressOf } from "../held_seats.js";
import { recall, remember } from "../storage.js";

const find = (selector) => document.querySelector(selector);

export class WayBack {
  #table;
  #send;
  #tabs;

  /** `used` is the token of a link by which somebody came and which opens no seat any more. */
  constructor(table, used, send, tabs) {
    this.#table = table;
    this.#send = send;
    this.#tabs = tabs;
    find("#return form").addEventListener("submit", (event) => this.#enter(event));
    if (used) this.#explain(used);
  }

  /** @type {HTMLButtonElement | null} asks for the seat that the used link once opened */
  #wish = null;

  /** The server has welcomed this window. */
  begin({ return_code: code, players, you }) {
    const isWithPeople = players.some(({ kind }, seat) => kind === "human" && seat !== you);
    const hasSeats = players.some(({ kind, connected }) => kind === "human" && connected !== null);
    find("#return").hidden = !code && (you !== null || !hasSeats || this.#table.isServed);
    find("#return form").hidden = Boolean(code);
    find("#return-own").hidden = !code;
    find("#return-own output").textContent = code ?? "";
    if (this.#wish) this.#wish.hidden = !players.some(({ host }) => host);
    const told = `code-told-${this.#table.id}`;
    const line = find("#way-back");
    line.hidden = !code || !isWithPeople || recall(told, false);
    if (line.hidden) return;
    const done = button({
      label: "Got it",
      onClick: () => {
        line.hidden = true;
        remember(told, true);
      },
    });
    line.replaceChildren("Code for your seat: ", Object.assign(document.createElement("strong"), { textContent: code }), done);
  }

  #explain(used) {
    const banner = find("#used");
    const wish = button({
      label: "Ask for the seat",
      kind: "primary",
      onClick: () => {
        wish.disabled = this.#send({ type: "ask", token: used });
      },
    });
    this.#wish = wish;
    const code = button({
      label: "I have a code",
      onClick: () => {
        this.#tabs.show("share");
        find("#return input").focus();
      },
    });
    banner.replaceChildren("This link was used already or is not complete, so you are watching. ", wish, code);
    banner.hidden = false;
  }

  /** The server has taken the request for a seat. */
  asked(name) {
    this.#wish.textContent = `Asked for ${name}; the host decides`;
  }

  /** The server or the host has refused what this window asked for last. */
  refused() {
    if (!this.#wish?.disabled) return;
    this.#wish.disabled = false;
    this.#wish.textContent = "Ask again";
  }

  async #enter(event) {
    event.preventDefault();
    const [field, problem] = [find("#return input"), find("#return .problem")];
    problem.textContent = "";
    try {
      const { game, player, token } = await ask("/api/codes", { code: field.value, table: this.#table.id });
      location.hash = addressOf(game, { token, seat: player }).slice(1); // which opens it
    } catch ({ message }) {
      problem.textContent = message;
      field.focus();
    }
  }
}
