// Tabs: one of several panels is shown, the others are a press or an arrow away.

const LEAST = 120; // pixels of a panel that are seen once it is chosen

export class Tabs {
  /** `list` holds the buttons, each of which says with `aria-controls` what it shows; `onShow()` is called after each change. */
  constructor(list, onShow) {
    this.onShow = onShow;
    this.buttons = [...list.children];
    for (const button of this.buttons) button.addEventListener("click", () => this.#choose(button));
    list.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!step) return;
      event.preventDefault();
      event.stopPropagation(); // arrows walk through the game elsewhere
      const offered = this.buttons.filter(({ hidden }) => !hidden);
      const next = offered.at((offered.indexOf(event.target) + step) % offered.length);
      this.show(next.getAttribute("aria-controls"));
      next.focus();
    });
    this.show(this.buttons[0].getAttribute("aria-controls"));
  }

  /** Shows what a button is for, and on small windows, where it would be out of sight, half a window of it. */
  #choose(button) {
    const id = button.getAttribute("aria-controls");
    this.show(id);
    const { bottom } = button.closest(".side").getBoundingClientRect();
    if (document.getElementById(id).getBoundingClientRect().top + LEAST > (bottom || innerHeight)) button.scrollIntoView({ block: "center" });
  }

  /** Shows the panel with that id. */
  show(id) {
    for (const button of this.buttons) {
      const isShown = button.getAttribute("aria-controls") === id;
      button.setAttribute("aria-selected", isShown);
      button.tabIndex = isShown ? 0 : -1;
      document.getElementById(button.getAttribute("aria-controls")).hidden = !isShown;
    }
    this.onShow();
  }
}
