// Keys that are typed while orders are on their way. They are shown, and pressed once the next orders can be given.

const MOST_KEYS = 32;
const CHOOSES = /^[a-eg-z0-9]$/; // F flips the board at once
const GOES_ON = ["Enter", "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]; // with what was typed; by themselves they are for now

export class TypeAhead {
  #isWaiting;
  #onChange;
  #keys = [];
  #isPressing = false;

  /** `isWaiting()` says whether orders will be taken later but not now; `onChange()` is called when there are other keys. */
  constructor(isWaiting, onChange) {
    this.#isWaiting = isWaiting;
    this.#onChange = onChange;
    document.addEventListener("keydown", (event) => this.#hear(event), { capture: true });
  }

  /** The keys in words, to be put after others; "" without any. */
  text(isOver) {
    if (!this.#keys.length) return "";
    const keys = this.#keys.map((key) => key.replace("Arrow", "")).join(" ");
    return isOver ? `. Not used: ${keys}` : `. For the next turn: ${keys}${this.#keys.length === MOST_KEYS ? " (no more keys)" : ""}`;
  }

  /** Presses the keys as long as orders are taken: what follows those that send orders is for the turn after. */
  press() {
    if (!this.#keys.length) return;
    this.#isPressing = true;
    while (this.#keys.length && !this.#isWaiting()) {
      const key = this.#keys.shift();
      (document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    }
    this.#isPressing = false;
    this.#onChange();
  }

  #hear(event) {
    const { key, target } = event;
    if (this.#isPressing || event.repeat || event.altKey || event.ctrlKey || event.metaKey || document.querySelector("dialog[open]")) return;
    if (target.closest("input, textarea, select") || !this.#isWaiting()) return;
    const isBegun = this.#keys.length > 0;
    if (key === "Escape" && isBegun) this.#keys = [];
    else if (isBegun ? !CHOOSES.test(key) && !GOES_ON.includes(key) : !CHOOSES.test(key) || key === "s") return;
    else if (this.#keys.length < MOST_KEYS) this.#keys.push(key);
    event.preventDefault();
    event.stopPropagation();
    this.#onChange();
  }
}
