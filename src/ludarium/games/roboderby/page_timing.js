// How a turn is cut into what happens at once, and how long each part is shown.

import { isCarried } from "./page_telling.js";

const WHOLE = 3200; // milliseconds that a turn takes at speed 1 and at most
const SHARE = 0.3; // of a turn's clock that showing the turn before may take
const LASTS = {
  program: 400,
  register: 200,
  order: 300,
  "roll-off": 900,
  move: 300,
  push: 300,
  carry: 400,
  turn: 380,
  bump: 320,
  fall: 650,
  hack: 750,
  waste: 450,
  skip: 450,
  idle: 250,
  salvo: 250,
  fire: 500,
  beam: 500,
  damage: 500,
  scrap: 800,
  lock: 550,
  unlock: 400,
  heal: 450,
  respawn: 650,
  shutdown: 600,
  finish: 900,
  "end-of-turn": 150,
}; // milliseconds, by itself

/** How many times as fast as by itself a turn is shown: so that it takes three to four seconds, and at most a share of a turn's clock (`seconds`, null without one). */
export function hasteOf(events, seconds) {
  const length = steps(events).reduce((sum, step) => sum + lasts(step), 0);
  return Math.max(1, length / WHOLE, seconds ? length / (1000 * SHARE * seconds) : 0);
}

/** Events in groups that happen at once. A push is told before the move of who pushes. */
export function steps(events) {
  const groups = [];
  for (const event of events) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    const pushed = last && event.robot === last.by && ["move", "push", "fall"].includes(event.kind);
    const further = last && last.by !== undefined && last.by === event.by && last.robot !== event.robot && ["push", "fall"].includes(event.kind);
    const together = last && last.kind === event.kind && ["fire", "beam", "damage", "program", "respawn", "shutdown"].includes(event.kind);
    const shining = last?.kind === "beam" && event.kind === "fire";
    const carried = last && isCarried(last) && isCarried(event);
    if (pushed || further || together || shining || carried) group.push(event);
    else groups.push([event]);
  }
  return groups;
}

/** How long a step lasts: as long as the longest of what happens in it. */
export function lasts(step) {
  return Math.max(...step.map(({ kind }) => LASTS[kind] ?? 0));
}
