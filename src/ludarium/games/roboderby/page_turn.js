// A turn as it is carried out: register by register, robot by robot, in the order of the events that the server tells.

import { beside, Stage } from "./page_stage.js";
import { lasts, steps } from "./page_timing.js";

/**
 * Shows what happened on the drawing of the position before; `tell(count, words)` is told how many events have begun, and what happens now.
 */
export class Turn {
  constructor(svg, later, motion, tell) {
    this.stage = new Stage(svg, later);
    this.motion = motion;
    this.tell = tell;
    this.register = Number(svg.parentNode.querySelector(".rd-now")?.closest("[data-register]").dataset.register ?? 0); // that is executed
  }

  async play(events) {
    let told = 0;
    for (const step of steps(events)) {
      told += step.length;
      this.tell(told, wordsOf(step));
      await this.#show(step);
    }
  }

  /** What happens at the same time: a robot with all that it pushes, all that belts carry, all lasers, all damage of them. */
  async #show(step) {
    const marks = step.flatMap((event) => this.#marks(event)).filter(Boolean);
    const movements = step.map((event) => this.#movement(event)).filter(Boolean);
    await this.motion.run(lasts(step), (part) => movements.forEach((move) => move(ease(part))));
    marks.forEach((mark) => mark.remove());
  }

  #at(number) {
    return this.stage.robot(number)?.at ?? null;
  }

  /** What is seen of an event besides movement, while it lasts; changes that stay are made at once. */
  #marks(event) {
    const { stage } = this;
    const at = event.robot === undefined ? null : this.#at(event.robot);
    const bubble = (words, name) => at && stage.bubble(at, words, name);
    switch (event.kind) {
      case "program":
        stage.emptyHand(event.robot, event.registers.map(({ die }) => die));
        event.registers.forEach((content, index) => stage.fill(event.robot, index + 1, content));
        return [];
      case "register":
        this.register = event.register;
        stage.frame("rp-register", event.register);
        stage.frame("rp-order", 0);
        return [];
      case "order":
        stage.frame("rp-order", this.register, event.robot);
        if (event.inverted) stage.strike(event.robot, this.register, "!");
        return [at && stage.ring(at, "rp-turn")];
      case "roll-off":
        return [bubble(`rolls ${event.priority}`)];
      case "push":
        return [at && stage.ring(at, "rp-hit")];
      case "bump":
        return [at && stage.line(...wall(stage.middle(event.wall), event.direction), "rp-wall")];
      case "fall":
        return event.by === undefined ? [] : [at && stage.ring(at, "rp-hit")];
      case "hack":
        return this.#hack(event, at);
      case "waste":
        return [bubble("hits nobody")];
      case "skip":
        stage.strike(event.robot, this.register, "//");
        return [bubble("//", "rp-hacked")];
      case "idle":
        return [bubble("…")];
      case "fire":
        return this.#beam(event, at && beside(at, event.direction, 8));
      case "carry":
        stage.frame("rp-order", 0); // it is nobody's command
        return [];
      case "beam":
        return this.#beam(event, beside(stage.middle(event.squares[0]), event.direction, -8));
      case "damage":
        stage.health(event.robot, event.health);
        return [at && stage.ring(at, "rp-hit"), bubble(`−${event.hits}`, "rp-bad")];
      case "scrap":
        stage.health(event.robot, 0);
        return [bubble("scrap", "rp-bad")];
      case "lock":
      case "unlock":
        stage.fill(event.robot, event.register, event);
        return [bubble(`r${event.register} ${event.kind === "lock" ? "locked" : "free"}`)];
      case "heal":
        stage.health(event.robot, event.health);
        return [bubble(`health ${event.health}`, "rp-good")];
      case "respawn":
        stage.health(event.robot, 6);
        return [];
      case "shutdown":
        return [bubble("shuts down")];
      case "finish":
        return [bubble(event.rank === 1 ? "finish!" : `finish, ${event.rank}.`, "rp-good")];
      case "salvo":
      case "end-of-turn":
        stage.frame("rp-register", 0);
        stage.frame("rp-order", 0);
        return [];
      default:
        return [];
    }
  }

  #hack(event, at) {
    const { stage } = this;
    const sign = event.command === "CMT" ? "//" : "!";
    const target = this.#at(event.target);
    stage.strike(event.target, this.register, sign);
    return [at && target && stage.line(at, target, "rp-wire"), target && stage.bubble(target, sign, "rp-hacked"), target && stage.ring(target, "rp-aimed")];
  }

  /** A laser's line from where it leaves the robot, or the emitter, and a ring around whom it hits. */
  #beam({ squares, direction, target }, from) {
    const { stage } = this;
    if (!from) return [];
    const end = squares.length ? stage.middle(squares.at(-1)) : beside(from, direction, -8);
    const tip = beside(end, direction, target === undefined ? 9.5 : -4);
    const line = stage.line(from, tip, "rd-beam rp-beam");
    return [line, target === undefined ? null : stage.ring(stage.middle(squares.at(-1)), "rp-hit")];
  }

  /** What moves a robot, given the part of the time that has passed; null for events in which nobody moves. */
  #movement(event) {
    const { stage } = this;
    if (event.kind === "respawn") stage.renew(event.robot);
    const robot = event.robot === undefined ? null : stage.robot(event.robot);
    if (!robot) return null;
    const from = robot.at;
    switch (event.kind) {
      case "move":
      case "push":
      case "carry": {
        const to = stage.middle(event.to);
        return (part) => robot.between(from, to, part);
      }
      case "fall": {
        const to = event.to === null ? beside(from, event.direction) : stage.middle(event.to);
        return (part) => {
          robot.between(from, to, Math.min(1, 2 * part));
          robot.fade(Math.min(1, 2 - 2 * part));
        };
      }
      case "bump": {
        const to = beside(from, event.direction, 3.5);
        return (part) => robot.between(from, to, part < 1 ? Math.sin(Math.PI * part) : 0);
      }
      case "turn": {
        const by = ((event.heading - event.from + 5) & 3) - 1; // quarters: −1, 0, 1 or 2
        const start = robot.angle;
        return (part) => robot.turn(start + 90 * by * part);
      }
      case "finish":
        return (part) => robot.fade(1 - part);
      case "scrap":
        return (part) => (robot.group.style.opacity = 1 - 0.5 * part);
      case "respawn": {
        robot.place(stage.middle(event.to));
        robot.turn(90 * event.heading);
        return (part) => robot.fade(part);
      }
      default:
        return null;
    }
  }
}

/** What is said of a step: who pushes whom, rather than that it moves. */
function wordsOf(step) {
  if (step[0].kind === "program") return "All programs are open";
  const telling = step.filter(({ kind }) => step.length === 1 || kind !== "move");
  return telling.map(({ text }) => text).join(" · ");
}

/** The two ends of a square's side. */
function wall({ x, y }, direction) {
  const out = 9;
  return [
    [{ x: x - out, y: y - 10 }, { x: x + out, y: y - 10 }],
    [{ x: x + 10, y: y - out }, { x: x + 10, y: y + out }],
    [{ x: x - out, y: y + 10 }, { x: x + out, y: y + 10 }],
    [{ x: x - 10, y: y - out }, { x: x - 10, y: y + out }],
  ][direction];
}

function ease(part) {
  return part < 0.5 ? 2 * part * part : 1 - 2 * (1 - part) * (1 - part);
}
