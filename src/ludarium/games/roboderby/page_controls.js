// Buttons for how a turn is shown: pause, skip, speed, once more. What was chosen is remembered in this browser.

import { button } from "/static/button.js";
import { recall, remember } from "/static/storage.js";

const SPEEDS = [["0.25", "very slow"], ["0.5", "slow"], ["1", "normal"], ["2", "fast"], ["4", "very fast"]];

export class Controls {
  constructor(panel, motion, { onAgain, onSkip, onChange }) {
    this.motion = motion;
    this.onSkip = onSkip;
    this.onChange = onChange;
    this.again = button({ label: "Show the turn again", key: "a", onClick: onAgain });
    this.speed = Object.assign(document.createElement("select"), { ariaLabel: "Speed of a turn" });
    this.speed.append(...SPEEDS.map(([value, label]) => new Option(label, value)));
    this.speed.value = recall("roboderby-speed", "1");
    this.speed.addEventListener("change", () => {
      this.#setSpeed();
      release(this.speed);
    });
    this.runs = Object.assign(document.createElement("input"), { type: "checkbox", checked: recall("roboderby-runs", true) });
    this.runs.addEventListener("change", () => {
      remember("roboderby-runs", this.runs.checked);
      release(this.runs);
      onChange();
    });
    const label = document.createElement("label");
    label.append(this.runs, "Run without asking while undamaged");
    this.asks = label;
    const row = Object.assign(document.createElement("div"), { className: "rp-controls" });
    row.append(this.again, this.speed, label);
    panel.append(row);
    this.#setSpeed();
    this.show({ isMoving: false, turn: null, plays: true });
  }

  /** Whether a turn is being shown, the number of the one that can be shown again (null without one), and whether the user plays. */
  show({ isMoving, turn = null, plays = false }) {
    this.isMoving = isMoving;
    this.again.disabled = isMoving || turn === null;
    if (!isMoving) this.again.firstChild.textContent = turn === null ? "Show the turn again" : `Show turn ${turn} again`;
    this.asks.hidden = !plays;
  }

  /** Buttons while a turn is being shown. */
  get choices() {
    return [
      { label: this.motion.isPaused ? "Go on" : "Pause", key: "p", onClick: () => this.toggle() },
      { label: "Skip", key: "x", onClick: () => this.finish() },
    ];
  }

  toggle() {
    if (!this.isMoving) return false;
    this.motion.isPaused = !this.motion.isPaused;
    this.onChange();
    return true;
  }

  finish() {
    if (!this.isMoving) return false;
    this.onSkip();
    this.motion.skip();
    return true;
  }

  #setSpeed() {
    this.motion.speed = Number(this.speed.value) || 1;
    remember("roboderby-speed", this.speed.value);
  }
}

/** After a press of the mouse, keys are for the dice again. */
function release(field) {
  if (!field.matches(":focus-visible")) field.blur();
}
