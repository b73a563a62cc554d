// Why an answer takes long: after the first start on a computer, rules and players may still be compiled.

import { ask } from "../asking.js";

const PATIENCE = 400; // milliseconds after which people want to know

/** The answer that is awaited. While it is long in coming, places marked with `data-wait` say why. */
export async function sayingWhy(game, answer) {
  let waits = true;
  const places = document.querySelectorAll(`[data-wait="${game}"]`);
  const timer = setTimeout(async () => {
    const told = await ask(`/api/lobby/${game}/waits`).catch(() => null);
    if (!waits || !told) return;
    const why = told.waits ? "Compiling for this computer, the first time only. This may take half a minute …" : "The server has much to do. One moment …";
    for (const place of places) place.textContent = why;
  }, PATIENCE);
  try {
    return await answer;
  } finally {
    waits = false;
    clearTimeout(timer);
    for (const place of places) place.textContent = "";
  }
}
