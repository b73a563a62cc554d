// Making a game, and remembering in this browser the seats that it gave out.

import { ask } from "./asking.js";
import { recall, remember } from "./storage.js";

export async function makeGame(request) {
  const made = await ask("/api/games", request);
  remember(`seats-${made.id}`, made.seats);
  return made;
}

/** Remembers a link in place of the one that was given out for the same seat. */
export function handedOut(game, seat) {
  remember(`seats-${game}`, [...seatsOf(game).filter(({ player }) => player !== seat.player), seat]);
}

export function seatsOf(game) {
  return recall(`seats-${game}`, []);
}
