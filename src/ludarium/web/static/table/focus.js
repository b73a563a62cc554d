// The keyboard's focus: nobody loses it because what had it is gone, and nobody is led away from where they went.

export class Focus {
  #board;
  /** @type {any} what a key led to last, where it was seen to have the focus */
  #last = null;

  constructor(board) {
    this.#board = board;
    document.addEventListener("focusin", () => (this.#last = document.activeElement?.matches(":focus-visible") ? document.activeElement : null));
  }

  /** To be called after things went or were disabled: if one of them had the focus, the board gets it. */
  keep() {
    const focused = document.activeElement;
    const isGone = this.#last && (!this.#last.checkVisibility() || this.#last.disabled);
    if (!isGone || ![document.body, this.#last].includes(focused)) return;
    const next = this.#last.closest("nav")?.querySelector("button:enabled"); // at one end of the walk, the way back
    if (next) next.focus();
    else this.#board.focus();
  }
}

/** Whether the focus is where one plays, or nowhere. */
export function isAtTheBoard() {
  return document.activeElement === document.body || Boolean(document.activeElement?.closest("#play, #turn"));
}
