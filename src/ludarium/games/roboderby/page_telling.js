// What is told of turns beside the board: which steps make up the latest one, and what stands above its events.

const SHINING = ["beam", "fire"];

/** Whether a belt does it: all belts run at once, when a register has been executed. */
export function isCarried({ kind, belt }) {
  return kind === "carry" || belt === true;
}

/** The number of the turn of a position. */
export function numberOf({ text }) {
  return JSON.parse(text).turn;
}

/**
 * The latest turn among steps with events ({before, after}, the latest first), in parts: dice that decide who is first and hacks that ask for a target
 * come between them. Null where its beginning is not among the steps.
 */
export function latestTurn(steps) {
  const first = steps.findIndex(({ after }) => after.events.some(({ register, kind }) => kind === "register" && register === 1));
  if (first < 0) return null;
  const parts = steps.slice(0, first + 1).toReversed();
  const last = parts.findIndex(({ after }) => after.events.some(({ kind }) => kind === "end-of-turn"));
  return last < 0 ? parts : parts.slice(0, last + 1); // what was declared since then is no part of it
}

/** What stands above each event of a step: what is nobody's command has a heading of its own. Null where nothing does. */
export function headingsOf(events) {
  let section = null;
  return events.map((event) => {
    const before = section;
    if (isCarried(event)) section = "Belts";
    else if (SHINING.includes(event.kind)) section = before === "salvo" ? before : "Lasers";
    else if (event.kind === "salvo") section = "salvo"; // which says itself what it is
    else if (["register", "order", "end-of-turn"].includes(event.kind)) section = null;
    return section !== before && ["Belts", "Lasers"].includes(section) ? section : null;
  });
}
