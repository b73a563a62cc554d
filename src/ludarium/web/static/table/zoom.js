// A board whose places are too small to be pressed is enlarged by a button, and then dragged about or followed by the keyboard.

const LEAST = 24; // pixels
const ENLARGED = 36; // of the smallest place
const SLACK = 6; // before a press becomes a drag

export class Zoom {
  constructor(holder, button) {
    this.button = button;
    this.isOn = false;
    this.scale = 1;
    this.places = 0;
    /** @type {any} the drawing that is on the board */
    this.svg = null;
    /** @type {any} its box */
    this.whole = null;
    /** @type {any} the middle of what is shown, in the drawing's units; null for its own middle */
    this.middle = null;
    /** @type {any} */
    this.drag = null;
    button.addEventListener("click", () => {
      this.isOn = !this.isOn;
      this.fit();
      const own = this.isOn && this.svg.querySelector(".startable");
      if (own) this.#centre(own); // what the user may play with
    });
    new ResizeObserver(() => this.fit()).observe(holder.closest("main"));
    holder.addEventListener("pointerdown", ({ target, clientX: x, clientY: y }) => {
      this.drag = this.scale > 1 && this.svg.contains(target) ? { x, y, hasMoved: false } : null;
    });
    addEventListener("pointermove", (event) => this.#move(event));
    for (const kind of ["pointerup", "pointercancel"]) addEventListener(kind, () => this.drag && (this.drag.isOver = true));
    holder.addEventListener("click", (event) => this.drag?.hasMoved && event.stopPropagation(), { capture: true }); // a drag is no press
    holder.addEventListener("focusin", ({ target }) => this.#follow(target));
  }

  /** Begins with a new drawing, `whole` of which is its box. */
  show(svg, { x, y, width, height }) {
    const isAlike = this.svg === svg && this.whole.width === width && this.whole.height === height && this.places === svg.querySelectorAll("[data-pick]").length;
    this.svg = svg;
    this.whole = { x, y, width, height };
    if (isAlike) this.#look(); // its places are as large as they were
    else this.fit();
  }

  /** Shows as much of the board as its places, the window and the user allow. */
  fit() {
    if (!this.svg?.isConnected) return;
    this.scale = 1;
    this.#look();
    const places = this.svg.querySelectorAll("[data-pick]");
    this.places = places.length;
    const least = Math.min(...[...places].map(sideOf));
    this.button.hidden = least >= LEAST;
    this.isOn &&= least < LEAST;
    if (this.isOn) this.scale = ENLARGED / least;
    this.#look();
    this.button.setAttribute("aria-pressed", this.isOn);
  }

  #look() {
    const { x, y, width, height } = this.whole;
    const [wide, high] = [width / this.scale, height / this.scale];
    const at = this.middle ?? { x: x + width / 2, y: y + height / 2 };
    const left = Math.min(Math.max(at.x - wide / 2, x), x + width - wide);
    const top = Math.min(Math.max(at.y - high / 2, y), y + height - high);
    if (this.scale > 1) this.middle = { x: left + wide / 2, y: top + high / 2 };
    this.svg.setAttribute("viewBox", `${left} ${top} ${wide} ${high}`);
    this.svg.classList.toggle("enlarged", this.scale > 1);
  }

  #move({ clientX, clientY }) {
    const { drag } = this;
    if (!drag || drag.isOver || (!drag.hasMoved && Math.hypot(clientX - drag.x, clientY - drag.y) < SLACK)) return;
    const unit = this.whole.width / this.scale / this.svg.clientWidth;
    this.middle = { x: this.middle.x - (clientX - drag.x) * unit, y: this.middle.y - (clientY - drag.y) * unit };
    Object.assign(drag, { x: clientX, y: clientY, hasMoved: true });
    this.#look();
  }

  #follow(target) {
    if (this.scale > 1 && this.svg.contains(target) && target.matches(":focus-visible")) this.#centre(target);
  }

  #centre(element) {
    const [own, all] = [element.getBoundingClientRect(), this.svg.getBoundingClientRect()];
    const unit = this.whole.width / this.scale / all.width;
    this.middle.x += (own.x + own.width / 2 - all.x - all.width / 2) * unit;
    this.middle.y += (own.y + own.height / 2 - all.y - all.height / 2) * unit;
    this.#look();
  }
}

function sideOf(element) {
  const { width, height } = element.firstElementChild.getBoundingClientRect();
  return Math.min(width, height);
}
