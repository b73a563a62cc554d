// Making a game, and remembering in this browser the seats that it gave out.

import { ask } from "./asking.js";
import { recall, remember } from "./storage.js";

export async function makeGame(request) {
  const made = await ask("/api/games", request);
  remember(`seats-${made.id}`, made.seats);
  return made;
}

export function seatsOf(game) {
  return recall(`seats-${game}`, []);
}
