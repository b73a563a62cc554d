// Making a game, and remembering in this browser the seats that it gave out.

import { recall, remember } from "./storage.js";

export async function makeGame(request) {
  const answer = await fetch("/api/games", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(request),
  });
  const made = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(made.message ?? `the server answered with status ${answer.status}`);
  remember(`seats-${made.id}`, made.seats);
  return made;
}

export function seatsOf(game) {
  return recall(`seats-${game}`, []);
}
