// A page that is not there yet: looks now and then, and shows it once it is.

const MOST = 60; // seconds between two attempts, at most
const first = Number(document.querySelector("main").dataset.wait);

async function look(/** @type {number} */ seconds) {
  const answer = await fetch(location.href, { cache: "no-store", signal: AbortSignal.timeout(1000 * MOST) }).catch(() => null);
  if (answer?.ok) location.reload();
  else wait(answer ? first : Math.min(MOST, 2 * seconds)); // without an answer the server has stopped, or the line is down
}

function wait(/** @type {number} */ seconds) {
  setTimeout(look, 1000 * seconds * (0.9 + 0.2 * Math.random()), seconds); // a class does not ask all at once
}

wait(first);
