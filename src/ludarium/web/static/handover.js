// The dialog with a code by which somebody goes on with the same seat on another device.

import { at } from "./addresses.js";

export class Handover {
  #dialog;
  #timer = 0;
  #end = null;

  constructor(dialog, ask) {
    this.#dialog = dialog;
    this.#find("strong").textContent = `${location.host}${at("/continue")}`;
    dialog.querySelector("[data-again]").addEventListener("click", ask);
    dialog.addEventListener("close", () => clearInterval(this.#timer));
  }

  /** `code` is null when the one that was shown has been used. */
  show({ code, seconds, qr }) {
    clearInterval(this.#timer);
    if (code === null) return this.#finish("It was used: your seat is open there, and here too.");
    this.#end = performance.now() + 1000 * seconds;
    this.#find("output").textContent = code;
    this.#find("figure").replaceChildren(...(qr ? [new DOMParser().parseFromString(qr, "text/html").querySelector("svg")] : []));
    this.#find(".secret").hidden = false;
    this.#count();
    this.#timer = setInterval(() => this.#count(), 1000);
    if (!this.#dialog.open) this.#dialog.showModal();
  }

  #count() {
    const left = Math.max(0, Math.ceil((this.#end - performance.now()) / 1000));
    if (left) this.#say(`It is good once, for ${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")} more.`, "off");
    else this.#finish("The code has run out.");
  }

  /** `live` says whether it is read aloud: not every second. */
  #say(text, live) {
    const said = this.#find(".said");
    said.setAttribute("aria-live", live);
    said.textContent = text;
  }

  #finish(why) {
    clearInterval(this.#timer);
    this.#find("output").textContent = "";
    this.#find(".secret").hidden = true;
    this.#say(why, "polite");
  }

  #find(selector) {
    return this.#dialog.querySelector(selector);
  }
}
