// What is wrong with the connection or the server, at the top of the window until it is no longer so.

const WHILE = 8000; // milliseconds for which it is said that all is well again

export class Banner {
  #element;
  #said = "";
  #timer = 0;

  constructor(element) {
    this.#element = element;
  }

  /** Says what is wrong, once: whoever hears the page is not told again while it stays so. */
  warn(text, ...choices) {
    clearTimeout(this.#timer);
    if (text === this.#said) return;
    this.#said = text;
    this.#element.classList.remove("good");
    this.#element.hidden = false;
    this.#element.replaceChildren(text, ...choices);
  }

  /** Says for a moment that what was said to be wrong is so no more. */
  reassure(text) {
    if (!this.#said) return;
    this.warn(text);
    this.#element.classList.add("good");
    this.#said = "";
    this.#timer = setTimeout(() => this.hide(), WHILE);
  }

  hide() {
    this.#said = "";
    this.#element.hidden = true;
  }
}
