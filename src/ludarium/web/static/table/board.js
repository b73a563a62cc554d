// The drawing in the page: its elements by pick, marks upon them, and moving between them by keyboard.

import { make, wayTo } from "../svg.js";
import { takeOverChildren } from "../taking_over.js";

const ADDED = ".mark, .ring, .moving"; // to a drawing
const SAME = 0.1; // pixels: an element in the middle of another one is as far away

/** Makes an element of a drawing one to press. It is called by its label, not by what is written on it; if others stand on it, it is no button, which can hold none. */
function describe(element) {
  element.setAttribute("role", element.querySelector("[data-pick]") ? "group" : "button");
  if (!element.hasAttribute("tabindex")) element.setAttribute("tabindex", "-1");
  for (const text of element.querySelectorAll("text")) text.setAttribute("aria-hidden", "true");
}

export class Board {
  /**
   * `holder` receives the drawing; `onPick(pick, byKeyboard)` is called for every element that is pressed. On an element that the user did not go to, Enter is
   * for `onEnter()`, which says whether it did anything; otherwise it presses the element, too.
   */
  constructor(holder, onPick, onEnter) {
    this.holder = holder;
    this.page = holder.closest("main");
    /** @type {(svg: any, box: DOMRect) => void} with each new drawing and its box */
    this.onShow = () => {};
    this.elements = new Map();
    this.current = null; // the element that the Tab key reaches
    /** @type {any} where the user has put a piece down */
    this.carried = null;
    this.isWalked = false; // whether the user took the focus to it, by Tab or an arrow
    this.onPick = onPick;
    this.onEnter = onEnter;
    document.addEventListener("keydown", ({ key }) => {
      if (key === "Tab") this.isWalked = true;
    });
    holder.addEventListener("mousedown", (event) => event.preventDefault()); // the mouse leaves the keyboard's focus alone
    holder.addEventListener("click", (event) => {
      const element = event.target.closest("[data-pick]");
      if (!element) return;
      this.isWalked = false; // whoever goes on with the mouse presses nothing by keyboard
      if (!this.hasFocus) this.#reach(element.dataset.pick);
      onPick(element.dataset.pick, false);
    });
    holder.addEventListener("keydown", (event) => this.#key(event));
    holder.addEventListener("focusin", ({ target }) => this.#ring(target.closest("[data-pick]")?.dataset.pick));
  }

  static parse(drawing) {
    const template = document.createElement("template");
    template.innerHTML = drawing; // quicker than as XML
    return /** @type {any} */ (template.content.firstElementChild);
  }

  /** Shows a drawing. What is as it was in the last one stays, so that a browser has only to lay out what differs. */
  show(drawing) {
    const svg = Board.parse(drawing);
    const later = document.createElement("div");
    later.append(svg, ...this.#beside(svg));
    const picks = [...later.querySelectorAll("[data-pick]")];
    for (const element of picks) describe(element);
    const isGone = !picks.some(({ dataset }) => dataset.pick === this.current);
    const place = isGone && this.elements.has(this.current) ? centre(this.elements.get(this.current)) : null;
    if (isGone) this.current = picks[0]?.dataset.pick;
    later.querySelector(`[data-pick="${CSS.escape(this.current)}"]`)?.setAttribute("tabindex", "0");
    const { hasFocus } = this;
    for (const animation of this.holder.getAnimations({ subtree: true })) animation.cancel();
    for (const added of this.holder.querySelectorAll(ADDED)) added.remove();
    takeOverChildren(this.holder, later);
    this.elements = new Map([...this.holder.querySelectorAll("[data-pick]")].map((element) => [element.dataset.pick, element]));
    const shown = this.holder.querySelector("svg");
    const { width, height } = shown.viewBox.baseVal;
    this.page.style.setProperty("--ratio", width / height); // by which the page is laid out
    this.onShow(shown, shown.viewBox.baseVal);
    const there = place && document.elementFromPoint(place.x, place.y)?.closest("[data-pick]"); // instead of what is gone
    if (there && this.holder.contains(there)) this.#reach(/** @type {any} */ (there).dataset.pick);
    if (hasFocus) this.focus();
  }

  /** Takes from a drawing what is to stand beside the board: in a tray what can be picked, in a legend the rest. */
  #beside(svg) {
    const [tray, legend] = ["tray", "legend"].map((className) => Object.assign(document.createElement("div"), { className }));
    let high = 0;
    for (const part of svg.querySelectorAll(":scope > [data-beside]")) {
      const own = make("svg", { class: svg.getAttribute("class"), viewBox: part.dataset.beside });
      part.removeAttribute("transform");
      own.append(part);
      const picked = part.querySelector("[data-pick]");
      (picked ? tray : legend).append(own);
      if (picked) high += own.viewBox.baseVal.height / own.viewBox.baseVal.width;
    }
    this.page.style.setProperty("--tray", high); // its height, of its width
    if (svg.dataset.board) svg.setAttribute("viewBox", svg.dataset.board);
    return [tray, legend];
  }

  /** Replaces what single elements show by what they show in another drawing. */
  showPart(drawing, picks) {
    const later = Board.parse(drawing);
    for (const pick of picks) {
      const element = this.elements.get(pick);
      const other = later.querySelector(`[data-pick="${CSS.escape(pick)}"]`);
      if (element && other) element.replaceChildren(...[...other.childNodes].map((node) => document.importNode(node, true)));
      if (element) describe(element);
    }
  }

  has(pick) {
    return this.elements.has(pick);
  }

  get hasFocus() {
    return this.holder.contains(document.activeElement);
  }

  /** Moves the focus; `isWalked` says whether the user did. */
  focus(pick = this.current, isWalked = this.isWalked) {
    this.isWalked = isWalked;
    this.#reach(pick);
    this.elements.get(pick)?.focus();
    this.#ring(pick);
  }

  /** Removes all marks. */
  clear() {
    for (const mark of this.holder.querySelectorAll(".mark")) mark.remove();
    for (const element of this.elements.values()) {
      element.removeAttribute("aria-pressed");
      element.removeAttribute("aria-current");
      element.removeAttribute("aria-description");
      element.classList.remove("startable");
    }
  }

  /** `isFree` says that nothing has been picked yet. */
  markStart(pick, isFree) {
    this.elements.get(pick)?.classList.add("startable");
    if (isFree) this.elements.get(pick)?.setAttribute("aria-description", "can be chosen");
  }

  markPicked(pick) {
    const element = this.elements.get(pick);
    element?.setAttribute(element.role === "button" ? "aria-pressed" : "aria-current", "true");
    this.#frame(pick, "mark mark-picked");
  }

  /** Marks where an action can begin, for whoever looked elsewhere. */
  markBeginning(pick) {
    this.#frame(pick, "mark mark-around");
  }

  /** What an element asks once it has been picked, where it is not where to go. */
  asks(pick) {
    return this.elements.get(pick)?.dataset.ask;
  }

  /** Marks what may be picked next: a place, or what answers the question of the last pick, which no dot may cover. */
  markTarget(pick, isAnswer = false) {
    const box = this.#box(pick);
    if (!box) return;
    const taken = this.elements.get(pick).querySelector("[data-piece]");
    this.elements.get(pick).setAttribute("aria-description", "can be chosen");
    if (isAnswer) {
      this.#frame(pick, "mark mark-answer");
      return;
    }
    this.elements.get(pick).append(circle(box, taken ? 0.44 : 0.17, taken ? "mark mark-target mark-around" : "mark mark-target"));
  }

  /** Marks what an effect reaches, with the number of its wave where one is given. */
  markEffect(pick, wave) {
    const frame = this.#frame(pick, wave ? "mark mark-effect" : "mark mark-trace");
    if (!frame || !wave) return;
    frame.dataset.wave = wave;
    const [element, box] = [this.elements.get(pick), this.#box(pick)];
    element.setAttribute("aria-description", `reached in wave ${wave}`);
    const size = Math.min(box.width, box.height);
    const layer = layerOn(element.ownerSVGElement, wayTo(element), "mark"); // not on the element, whose name the number is no part of
    layer.setAttribute("aria-hidden", "true");
    const x = box.x + box.width - size * 0.18;
    const number = make("text", { class: "mark mark-wave", x, y: box.y + size * 0.27, "font-size": size * 0.26 });
    number.textContent = wave;
    layer.append(make("circle", { class: "mark mark-badge", cx: x, cy: box.y + size * 0.18, r: size * 0.17 }), number);
  }

  /** Marks what an action goes through that has been chosen ahead of its turn. */
  markAhead(pick) {
    this.#frame(pick, "mark mark-ahead");
  }

  /** Marks what something that is being chosen will reach. */
  markReach(pick) {
    this.#frame(pick, "mark mark-reach");
  }

  /** An empty group in front of everything, in the drawing's own units; with `mark` among its classes it goes with the other marks. */
  overlay(name) {
    return this.holder.querySelector("svg").appendChild(make("g", { class: name, "aria-hidden": "true" }));
  }

  /** The middle and the size of an element, in the drawing's own units. */
  spot(pick) {
    const element = this.elements.get(pick);
    const box = this.#box(pick);
    const way = wayTo(element);
    const { x, y } = new DOMPoint(box.x + box.width / 2, box.y + box.height / 2).matrixTransform(way);
    return { x, y, size: Math.min(box.width, box.height) * Math.hypot(way.a, way.b) };
  }

  /** The element itself, then those on it and those that it is on: what a press of it may mean. */
  meanings(pick) {
    const element = this.elements.get(pick);
    const inside = [...element.querySelectorAll("[data-pick]")].map((child) => child.dataset.pick);
    const around = element.parentNode.closest("[data-pick]")?.dataset.pick;
    return around ? [pick, ...inside, around] : [pick, ...inside];
  }

  /** Circles over elements, in front of everything. All is measured before anything is drawn, so that the page is laid out once. */
  blasts(picks) {
    const places = picks.flatMap((pick) => {
      const [element, box] = [this.elements.get(pick), this.#box(pick)];
      return box ? [{ root: element.ownerSVGElement, way: wayTo(element), box }] : [];
    });
    return places.map(({ root, way, box }) => layerOn(root, way, "mark").appendChild(circle(box, 0.75, "blast")));
  }

  /** A copy of the piece on an element, in front of everything, with the way to it from another element; `drop` puts it down. */
  lift(pick, from) {
    const element = this.elements.get(pick);
    const piece = element.querySelector("[data-piece]");
    const [start, end] = [this.#box(from), this.#box(pick)];
    if (!piece || !start) return null;
    const layer = layerOn(element.ownerSVGElement, wayTo(element), "moving");
    const way = element.getScreenCTM().inverse().multiply(this.elements.get(from).getScreenCTM());
    const { x, y } = new DOMPoint(start.x + start.width / 2, start.y + start.height / 2).matrixTransform(way);
    const copy = layer.appendChild(piece.cloneNode(true));
    piece.style.visibility = "hidden";
    const drop = () => {
      layer.remove();
      piece.style.visibility = "";
    };
    return { piece: copy, dx: x - end.x - end.width / 2, dy: y - end.y - end.height / 2, drop };
  }

  /** Nothing scrolls while `isDragged()`. It is heard where there is a box: for touches on the holder, which has none, browsers do not always wait. */
  holdStill(isDragged) {
    this.page.addEventListener("touchmove", (event) => isDragged() && event.cancelable && event.preventDefault(), { passive: false });
  }

  /** Where an element is, seen from the top left corner of the page's middle part. */
  place(pick) {
    const inner = this.elements.get(pick).getBoundingClientRect();
    const outer = this.page.getBoundingClientRect();
    return { left: inner.left - outer.left, top: inner.top - outer.top, width: inner.width, height: inner.height };
  }

  #reach(pick) {
    this.elements.get(this.current)?.setAttribute("tabindex", "-1");
    this.current = pick;
    this.elements.get(pick)?.setAttribute("tabindex", "0");
  }

  /** Shows where the keyboard is. */
  #ring(pick) {
    this.holder.querySelector(".ring")?.remove();
    const ring = this.#frame(pick, "ring");
    ring?.parentNode.append(ring);
  }

  #box(pick) {
    return this.elements.get(pick)?.querySelector(":scope > :not(.mark, .ring)")?.getBBox();
  }

  /** A mark in the shape of an element: of its child with `data-shape`, or of a rectangle around it. */
  #frame(pick, name) {
    const box = this.#box(pick);
    if (!box) return null;
    const element = this.elements.get(pick);
    const shape = element.querySelector(":scope > [data-shape]");
    const wide = Math.min(box.width, box.height) * 0.05;
    const edge = name.endsWith("trace") ? 0 : wide;
    const frame = shape
      ? make(shape.tagName, { class: name, d: shape.getAttribute("d"), "stroke-width": wide })
      : make("rect", { class: name, x: box.x + edge / 2, y: box.y + edge / 2, width: box.width - edge, height: box.height - edge, "stroke-width": edge });
    (shape ?? element.firstElementChild).after(frame); // below the pieces
    return frame;
  }

  #key(event) {
    const pick = event.target.closest?.("[data-pick]")?.dataset.pick;
    if (!pick || event.altKey || event.ctrlKey || event.metaKey) return;
    const direction = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (direction) {
      const neighbour = this.#neighbour(pick, direction);
      if (neighbour) this.focus(neighbour, true);
    } else if (event.key === "Enter" || event.key === " ") {
      const isOthers = event.key === "Enter" && !this.isWalked;
      if (!event.repeat && !(isOthers && this.onEnter())) this.onPick(pick, true);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** The nearest element in a direction; what lies straight ahead counts as nearer than what lies aside. */
  #neighbour(pick, [dx, dy]) {
    const from = centre(this.elements.get(pick));
    let best = null;
    let least = Infinity;
    for (const [other, element] of this.elements) {
      const to = centre(element);
      const ahead = (to.x - from.x) * dx + (to.y - from.y) * dy;
      const aside = Math.abs((to.x - from.x) * dy) + Math.abs((to.y - from.y) * dx);
      if (ahead > 1 && aside <= ahead && ahead + 3 * aside < least - SAME) {
        best = other;
        least = ahead + 3 * aside;
      }
    }
    return best;
  }
}

/** A group with an element's coordinates in front of everything. */
function layerOn(root, { a, b, c, d, e, f }, name) {
  return root.appendChild(make("g", { transform: `matrix(${a} ${b} ${c} ${d} ${e} ${f})`, class: name }));
}

/** A circle in the middle of a box; `share` is its radius, of the box's shorter side. */
function circle({ x, y, width, height }, share, name) {
  return make("circle", { class: name, cx: x + width / 2, cy: y + height / 2, r: Math.min(width, height) * share });
}

function centre(element) {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}
