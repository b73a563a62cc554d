// Why an answer takes long: after the first start on a computer, rules and players may still be compiled.

const PATIENCE = 400; // milliseconds after which people want to know

/** The answer that is awaited. While it is long in coming, places marked with `data-wait` say why, if compiling this game is the reason. */
export async function sayingWhy(game, answer) {
  let waits = true;
  const places = document.querySelectorAll(`[data-wait="${game}"]`);
  const timer = setTimeout(async () => {
    const asked = await fetch(`/api/lobby/${game}/waits`).catch(() => null);
    const told = await asked?.json().catch(() => null);
    if (!waits || !told?.waits) return;
    for (const place of places) place.textContent = "Compiling for this computer, the first time only. This may take half a minute …";
  }, PATIENCE);
  try {
    return await answer;
  } finally {
    waits = false;
    clearTimeout(timer);
    for (const place of places) place.textContent = "";
  }
}
