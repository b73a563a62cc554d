// The drawing in the page: its elements by pick, marks upon them, and moving between them by keyboard.

import { make, wayTo } from "../svg.js";
import { takeOverChildren } from "../taking_over.js";

const ADDED = ".mark, .ring, .moving"; // to a drawing
const SAME = 0.1; // pixels: an element in the middle of another one is as far away
const PLACES = "[data-cell], [data-pick]"; // where the keyboard's focus can be, but for picks with cells in them
const REACH = 1.3; // times as far as the nearest cell, an adjacent one may be

/** Makes elements of a drawing ones to press. They are called by their label, not by what is written on them; if others stand on one, it is no button, which can hold none. */
function describe(elements) {
  for (const element of elements) {
    if (element.closest("[data-pick]")) element.setAttribute("role", element.querySelector(PLACES) ? "group" : "button");
    if (isPlace(element) && !element.hasAttribute("tabindex")) element.setAttribute("tabindex", "-1");
    for (const text of element.querySelectorAll("text")) text.setAttribute("aria-hidden", "true");
  }
}

function isPlace(element) {
  return "cell" in element.dataset || !element.querySelector("[data-cell]");
}

function nameOf({ dataset }) {
  return dataset.cell ?? dataset.pick;
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
    this.elements = new Map(); // by pick
    this.places = new Map(); // by cell, or by pick where there is none
    this.current = null; // the place that the Tab key reaches
    this.hasBeenReached = false; // whether the user went to one
    this.line = null; // a row of presses of arrows: {across, from, to}
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
      this.hasBeenReached = true;
      if (!this.hasFocus) this.#reach(event.target.closest(PLACES));
      onPick(element.dataset.pick, false);
    });
    holder.addEventListener("keydown", (event) => this.#key(event));
    holder.addEventListener("focusin", ({ target }) => this.#ring(target));
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
    const elements = [...later.querySelectorAll(PLACES)];
    describe(elements);
    const places = new Map(elements.filter(isPlace).map((element) => [nameOf(element), element]));
    const isGone = !places.has(this.current);
    const place = isGone && this.places.has(this.current) ? centre(this.places.get(this.current)) : null;
    if (isGone) this.current = nameOf([...places.values()].find(({ dataset }) => dataset.pick) ?? { dataset: {} });
    places.get(this.current)?.setAttribute("tabindex", "0");
    const { hasFocus } = this;
    for (const animation of this.holder.getAnimations({ subtree: true })) animation.cancel();
    for (const added of this.holder.querySelectorAll(ADDED)) added.remove();
    takeOverChildren(this.holder, later);
    this.elements = new Map([...this.holder.querySelectorAll("[data-pick]")].map((element) => [element.dataset.pick, element]));
    this.places = new Map([...this.holder.querySelectorAll(PLACES)].filter(isPlace).map((element) => [nameOf(element), element]));
    const shown = this.holder.querySelector("svg");
    const { width, height } = shown.viewBox.baseVal;
    this.page.style.setProperty("--ratio", width / height); // by which the page is laid out
    this.onShow(shown, shown.viewBox.baseVal);
    const there = place && document.elementFromPoint(place.x, place.y)?.closest(PLACES); // instead of what is gone
    if (there && this.holder.contains(there)) this.#reach(there);
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
      if (element) describe([element, ...element.querySelectorAll(PLACES)]);
    }
  }

  has(pick) {
    return this.elements.has(pick);
  }

  get hasFocus() {
    return this.holder.contains(document.activeElement);
  }

  /** Moves the focus to an element, or to where it was; `isWalked` says whether the user did. */
  focus(pick = null, isWalked = this.isWalked) {
    const [here, places] = [this.places.get(this.current), this.#placesOf(pick)];
    this.#go(pick === null || places.includes(here) ? here : places[0], isWalked);
  }

  #go(place, isWalked) {
    this.isWalked = isWalked;
    if (!place) return;
    this.hasBeenReached = true;
    this.#reach(place);
    place.focus();
    this.#ring(place);
  }

  /** Moves the focus to the next element that can be pressed, or to the previous one. Says whether there is one. */
  advance(step) {
    const wanted = [...this.elements.values()].filter((element) => element.matches(":has(> .mark-target, > .mark-answer)"));
    const able = wanted.length ? wanted : [...this.elements.values()].filter((element) => element.classList.contains("startable"));
    if (!able.length) return false;
    const here = this.places.get(this.current);
    const at = able.findIndex((element) => (isPlace(element) ? element === here : element.contains(here)));
    if (at >= 0 && !this.hasFocus) step = 0; // the first press enters the board
    const isBefore = (element) => Boolean(here && here.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING);
    const from = at >= 0 ? at : able.filter(isBefore).length - (step > 0 ? 1 : 0);
    this.focus(able[(from + step + able.length) % able.length].dataset.pick, true);
    return true;
  }

  /** The places of an element: itself, or the cells in it. */
  #placesOf(pick) {
    const element = this.elements.get(pick);
    return !element ? [] : isPlace(element) ? [element] : [...element.querySelectorAll("[data-cell]")];
  }

  /** Removes all marks. */
  clear() {
    for (const mark of this.holder.querySelectorAll(".mark")) mark.remove();
    for (const element of new Set([...this.elements.values(), ...this.places.values()])) {
      element.removeAttribute("aria-pressed");
      element.removeAttribute("aria-current");
      element.removeAttribute("aria-description");
      element.classList.remove("startable");
    }
  }

  /** `isFree` says that nothing has been picked yet. */
  markStart(pick, isFree) {
    this.elements.get(pick)?.classList.add("startable");
    if (isFree) this.#describe(pick, "can be chosen");
  }

  #describe(pick, text) {
    for (const place of this.#placesOf(pick)) place.setAttribute("aria-description", text);
  }

  markPicked(pick) {
    for (const place of this.#placesOf(pick)) place.setAttribute(place.role === "button" ? "aria-pressed" : "aria-current", "true");
    this.#frame(pick, "mark mark-picked");
  }

  /** Frames all that an action can begin with. All is measured before anything is drawn, so that the page is laid out once. */
  markBeginnings(picks) {
    const elements = [...picks].map((pick) => this.elements.get(pick)).filter(Boolean);
    const frames = elements.map((element) => frameOf(element, "mark mark-around"));
    elements.forEach((element, at) => insert(element, frames[at]));
  }

  /** Lets the Tab key enter the board at the first of what an action can begin with, unless the user went somewhere. */
  enter(picks) {
    if (this.hasBeenReached || this.hasFocus) return;
    const first = [...this.places.values()].find((place) => picks.has(place.closest("[data-pick]")?.dataset.pick));
    if (first) this.#reach(first);
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
    this.#describe(pick, "can be chosen");
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
    this.#describe(pick, `reached in wave ${wave}`);
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

  /** Lets the Tab key reach a place. */
  #reach(place) {
    this.places.get(this.current)?.setAttribute("tabindex", "-1");
    this.current = nameOf(place);
    place.setAttribute("tabindex", "0");
  }

  /** Shows where the keyboard is, in front of everything. */
  #ring(target) {
    this.holder.querySelector(".ring")?.remove();
    const place = target.closest(PLACES);
    const frame = place && frameOf(place, "");
    if (!frame) return;
    const layer = layerOn(place.ownerSVGElement, wayTo(place), "ring");
    layer.setAttribute("aria-hidden", "true");
    layer.append(frame);
  }

  #box(pick) {
    return boxOf(this.elements.get(pick));
  }

  #frame(pick, name) {
    const element = this.elements.get(pick);
    const frame = frameOf(element, name);
    insert(element, frame);
    return frame;
  }

  #key(event) {
    const place = event.target.closest?.(PLACES);
    if (!place || event.altKey || event.ctrlKey || event.metaKey) return;
    const pick = place.closest("[data-pick]")?.dataset.pick;
    const direction = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (direction) {
      this.#walk(place, direction);
    } else if (pick && (event.key === "Enter" || event.key === " ")) {
      const isOthers = event.key === "Enter" && !this.isWalked;
      if (!event.repeat && !(isOthers && this.onEnter())) this.onPick(pick, true);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** Goes to the adjacent cell in a direction; from a cell at the edge, and from what is no cell, to the nearest thing there. */
  #walk(place, direction) {
    const from = place.closest("[data-cell]") ?? place;
    const across = direction[1] === 0;
    const isSame = this.line?.across === across && this.line.to === nameOf(from);
    const start = (isSame && this.places.get(this.line.from)) || from; // of hexagons, which are not one above the other, the column is kept
    const isCell = "cell" in from.dataset;
    const found = (isCell && this.#adjacent(from, direction, middle(start))) || this.#nearest(from, direction, isCell);
    if (!found) return;
    this.#go(found, true);
    this.line = { across, from: nameOf(start), to: nameOf(found) };
  }

  /** The adjacent cell in the direction that is pressed, at most half a right angle off; of two that are as far off, the nearer to the line on which one walks. */
  #adjacent(from, [dx, dy], start) {
    const here = middle(from);
    const cells = [...this.places.values()].filter((cell) => "cell" in cell.dataset && cell !== from && cell.ownerSVGElement === from.ownerSVGElement);
    const others = cells.map((cell) => {
      const there = middle(cell);
      const [x, y] = [(there.x - here.x) / here.width, (there.y - here.y) / here.height]; // in cells
      const line = Math.abs((there.x - start.x) * dy) + Math.abs((there.y - start.y) * dx);
      return { cell, far: Math.hypot(x, y), ahead: x * dx + y * dy, aside: Math.abs(x * dy) + Math.abs(y * dx), line };
    });
    const reach = REACH * Math.min(...others.map(({ far }) => far));
    const ahead = others.filter(({ far, ahead, aside }) => far <= reach && ahead > aside + 0.1);
    const straight = Math.min(...ahead.map(({ aside }) => aside)) + 0.1;
    return ahead.filter(({ aside }) => aside < straight).toSorted((one, other) => one.line - other.line)[0]?.cell;
  }

  /** The nearest place in a direction that does not stand on another; what lies straight ahead counts as nearer than what lies aside. */
  #nearest(place, [dx, dy], isCell) {
    const from = centre(place);
    let best = null;
    let least = Infinity;
    for (const other of this.places.values()) {
      if (isCell ? other.closest("[data-cell]") : other.parentNode.closest("[data-cell]")) continue;
      const to = centre(other);
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

function shapeOf(element) {
  return element.querySelector(":scope > [data-shape]");
}

/** The box of what is marked of an element: of its first child, or of itself if it has none. */
function boxOf(element) {
  return (element?.querySelector(":scope > :not(.mark)") ?? element)?.getBBox();
}

/** Puts a mark on an element, below the pieces. */
function insert(element, frame) {
  if (frame) (shapeOf(element) ?? element.firstElementChild).after(frame);
}

/** A mark in the shape of an element: of its child with `data-shape`, or of a rectangle around it. */
function frameOf(element, name) {
  const box = boxOf(element);
  if (!box) return null;
  const shape = shapeOf(element);
  const wide = Math.min(box.width, box.height) * 0.05;
  const edge = name.endsWith("trace") ? 0 : wide;
  return shape
    ? make(shape.tagName, { class: name, d: shape.getAttribute("d"), "stroke-width": wide })
    : make("rect", { class: name, x: box.x + edge / 2, y: box.y + edge / 2, width: box.width - edge, height: box.height - edge, "stroke-width": edge });
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
  return { x: left + width / 2, y: top + height / 2, width, height };
}

/** Of a cell, whatever stands on it. */
function middle(cell) {
  return centre(cell.firstElementChild ?? cell);
}
