// The talk at the table, which whoever does not like it can turn off.

import { called } from "../names.js";
import { recall, remember } from "../storage.js";

const READ = "chat-read";

export class Chat {
  #panel;
  #tab;
  #list;
  #names = [];
  #you = null;
  #last = null; // of the lines, as this window remembers it once it has been read

  /** `send(text)` says something, and tells whether it went out. */
  constructor(panel, tab, send) {
    this.#panel = panel;
    this.#tab = tab;
    this.#list = panel.querySelector("[role=log]");
    const [form, shown] = [panel.querySelector("form"), panel.querySelector("[type=checkbox]")];
    shown.checked = recall("chat", true);
    shown.addEventListener("change", () => {
      remember("chat", shown.checked);
      this.#turn(shown.checked);
    });
    this.#turn(shown.checked);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const field = form.elements.said;
      if (field.value.trim() && send(field.value)) field.value = "";
    });
    tab.addEventListener("click", () => this.#look());
  }

  /** Whether what is said has to be told elsewhere, since it is not seen here. */
  get isOutOfSight() {
    return this.isOn && this.#panel.hidden;
  }

  /** Whether the user wants to see it. */
  get isOn() {
    return !this.#list.hidden;
  }

  /** At the beginning, and after a lost connection: who plays, and what was said comes anew. */
  begin({ players, you }) {
    this.meet(players);
    this.#you = you;
    this.#list.replaceChildren();
    this.#tab.hidden = players.filter(({ kind }) => kind === "human").length < 2;
    this.#panel.querySelector("form").hidden = you === null;
  }

  /** Who plays is known better now. */
  meet(players) {
    this.#names = players.map(called);
  }

  /** A line as it is read aloud. */
  spoken({ by, text }) {
    return `${this.#names[by]}: ${text}`;
  }

  /** `lines` are {by, text}; `anew` they take the place of all others. */
  add(lines, anew = false) {
    if (anew) this.#list.replaceChildren();
    const isAtEnd = this.#list.scrollTop + this.#list.clientHeight >= this.#list.scrollHeight - 4;
    for (const { by, text } of lines) {
      const entry = document.createElement("p");
      entry.append(Object.assign(document.createElement("strong"), { textContent: this.#names[by] }), ` ${text}`);
      this.#list.append(entry);
    }
    if (isAtEnd) this.#list.scrollTop = this.#list.scrollHeight;
    const { by, text } = lines.at(-1) ?? { by: this.#you };
    this.#last = [by, text];
    if (!this.isOutOfSight) this.#look();
    else this.#mark(by !== this.#you && String(recall(READ, [], "sessionStorage")) !== String(this.#last));
  }

  #turn(on) {
    this.#list.hidden = this.#panel.querySelector("fieldset").disabled = !on;
    this.#mark(false);
  }

  #look() {
    if (this.isOn) remember(READ, this.#last, "sessionStorage");
    this.#mark(false);
  }

  #mark(isUnread) {
    this.#tab.ariaLabel = isUnread ? "Chat, something new" : null;
    this.#tab.classList.toggle("unread", isUnread);
  }
}
