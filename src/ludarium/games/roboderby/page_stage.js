// The drawing while a turn is carried out: where robots and lamps are in it, and marks upon it. It knows nothing of the rules.

import { make } from "/static/svg.js";

const SIDE = 20; // of a square, in the drawing's own units
const AHEAD = [[0, -1], [1, 0], [0, 1], [-1, 0]]; // by heading

/** The middle of a square in a drawing of the board. */
export function middleOf(svg, square) {
  const [, x, y] = /^M(-?\d+) (-?\d+)/.exec(svg.querySelector(`[data-square="${square}"]`).getAttribute("d"));
  return { x: Number(x) + SIDE / 2, y: Number(y) + SIDE / 2 };
}

/** So far from a place in a direction. */
export function beside({ x, y }, direction, distance = SIDE) {
  const [across, down] = AHEAD[direction];
  return { x: x + across * distance, y: y + down * distance };
}

/** Where a robot's group is in the drawing. */
export function placeOf(group) {
  const [, x, y] = /translate\((-?[\d.]+) (-?[\d.]+)\)/.exec(group.getAttribute("transform"));
  return { x: Number(x), y: Number(y) };
}

export class Stage {
  /** `svg` is the drawing on the page, `later` that of the position to come, from which robots are taken that are not on the board yet. */
  constructor(svg, later) {
    this.svg = svg;
    this.all = svg.parentNode; // with the mats beside the board
    this.robots = new Map([...svg.querySelectorAll("[data-robot]")].map((group) => [Number(group.dataset.robot), new Robot(group)]));
    this.later = later;
    this.layer = svg.appendChild(make("g", { class: "rp-layer", "aria-hidden": "true" }));
    for (const past of this.all.querySelectorAll(".rd-aim, [data-pick=roll], [data-pick=run], [data-pick=shutdown]")) past.remove();
    for (const open of this.all.querySelectorAll(".rd-open")) open.classList.remove("rd-open");
  }

  /** A robot that is on the board; one that is not comes from the later drawing. */
  robot(number) {
    if (!this.robots.has(number)) {
      const found = this.later.querySelector(`[data-robot="${number}"]`);
      if (!found) return null;
      const group = this.svg.insertBefore(document.importNode(found, true), this.layer);
      this.robots.set(number, new Robot(group));
    }
    return this.robots.get(number);
  }

  /** Takes a robot from the board, which comes anew from the later drawing. */
  renew(number) {
    if (!this.later.querySelector(`[data-robot="${number}"]`)) return;
    this.robots.get(number)?.group.remove();
    this.robots.delete(number);
  }

  middle(square) {
    return middleOf(this.svg, square);
  }

  register(player, number) {
    return this.all.querySelector(`[data-mat="${player}"] [data-register="${number}"]`);
  }

  /** Puts a register's content into it: a drawing, and what it is called. */
  fill(player, number, { drawing, label }) {
    const register = this.register(player, number);
    if (!drawing || !register) return;
    register.setAttribute("aria-label", `register r${number}: ${label}`);
    const parsed = new DOMParser().parseFromString(`<svg xmlns="http://www.w3.org/2000/svg">${drawing}</svg>`, "image/svg+xml").documentElement;
    register.replaceChildren(...parsed.childNodes);
  }

  /** Takes from a player's hand the dice that lie face down, and those that are in registers now. */
  emptyHand(player, placed) {
    for (const die of this.all.querySelectorAll(`[data-mat="${player}"] [data-die]`)) {
      if (!die.querySelector(".rd-back") && !placed.includes(Number(die.dataset.die))) continue;
      die.setAttribute("aria-label", `die ${die.dataset.die}: in a register`);
      die.replaceChildren(make("rect", { class: "rd-hand", x: 2, y: 2, width: 16, height: 16, rx: 3 }));
    }
  }

  /** Frames the register of that number on all mats, or on one; the frames of before go. */
  frame(name, number, player = null) {
    for (const frame of this.all.querySelectorAll(`.${name}`)) frame.remove();
    for (const mat of this.all.querySelectorAll("[data-mat]")) {
      if (player !== null && Number(mat.dataset.mat) !== player) continue;
      const register = mat.querySelector(`[data-register="${number}"]`);
      register?.append(make("rect", { class: name, x: -0.6, y: -0.6, width: 21.2, height: 21.2, rx: 4.4 }));
    }
  }

  strike(player, number, sign) {
    const register = this.register(player, number);
    if (!register) return;
    const label = make("g", { class: "rp-struck" });
    label.append(make("rect", { x: -1.4, y: -1.4, width: 10.5, height: 9, rx: 2 }), text(3.9, 5.8, 7.6, sign));
    register.append(label);
  }

  health(player, health) {
    for (const holder of this.all.querySelectorAll(`[data-robot="${player}"], [data-mat="${player}"]`)) {
      [...holder.querySelectorAll(".rd-on, .rd-low, .rd-off")].forEach((lamp, index) => {
        lamp.setAttribute("class", index >= health ? "rd-off" : health > 2 ? "rd-on" : "rd-low");
      });
    }
  }

  ring({ x, y }, name) {
    return this.layer.appendChild(make("circle", { class: name, cx: x, cy: y, r: 9.6 }));
  }

  line(from, to, name) {
    return this.layer.appendChild(make("path", { class: name, d: `M${from.x} ${from.y}L${to.x} ${to.y}` }));
  }

  /** Words above a place, inside the drawing. */
  bubble({ x, y }, words, name = "") {
    const width = words.length * 4.3 + 7;
    const left = Math.min(Math.max(x - width / 2, this.svg.viewBox.baseVal.x + 1), this.svg.viewBox.baseVal.x + this.svg.viewBox.baseVal.width - width - 1);
    const top = y - 21 < this.svg.viewBox.baseVal.y ? y + 11 : y - 21;
    const group = this.layer.appendChild(make("g", { class: `rp-bubble ${name}` }));
    group.append(make("rect", { x: left, y: top, width, height: 10, rx: 3 }), text(left + width / 2, top + 7.3, 6.8, words));
    return group;
  }
}

/** A robot in the drawing. */
class Robot {
  constructor(group) {
    this.group = group;
    this.at = placeOf(group);
    this.body = group.querySelector("[data-heading]");
    this.angle = Number(/rotate\((-?[\d.]+)/.exec(this.body.getAttribute("transform"))[1]);
  }

  place({ x, y }) {
    this.at = { x, y };
    this.#transform(1);
  }

  /** Between two places. */
  between(from, to, part) {
    this.place({ x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part });
  }

  turn(angle) {
    this.angle = angle;
    this.body.setAttribute("transform", `rotate(${angle})`);
  }

  /** From 1, as it is, to 0, gone. */
  fade(part) {
    this.group.style.opacity = part;
    this.#transform(0.4 + 0.6 * part);
  }

  #transform(scale) {
    this.group.setAttribute("transform", `translate(${this.at.x} ${this.at.y})${scale === 1 ? "" : ` scale(${scale})`}`);
  }
}

function text(x, y, size, content) {
  return Object.assign(make("text", { x, y, "font-size": size }), { textContent: content });
}
