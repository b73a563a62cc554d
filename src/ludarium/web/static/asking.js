// Questions to the server, beside the connection to a game.

import { at } from "./addresses.js";

const PATIENCE = 20000; // milliseconds after which a question is given up: on a line that is silent there is no answer and no end

/** The JSON of the server's answer at a path such as "/api/games"; with a `wish` it is posted, as JSON if it is no text; `more` are headers. Throws why there is none, in words for people. */
export async function ask(address, wish, more = {}) {
  const isText = typeof wish === "string" || wish instanceof Blob;
  const post = { method: "POST", headers: { "Content-Type": isText ? "text/plain" : "application/json", ...more }, body: isText ? wish : JSON.stringify(wish) };
  const answer = await fetch(at(address), wish === undefined ? { headers: more, signal: AbortSignal.timeout(PATIENCE) } : post).catch(() => null);
  if (!answer) throw new Error("the server cannot be reached; try again when you are connected");
  const told = await answer.json().catch(() => null);
  if (answer.ok && told) return told;
  const wait = answer.headers.get("Retry-After");
  throw new Error(told?.message ?? `the server answered with status ${answer.status}; try again ${wait ? `in ${wait} s` : "later"}`);
}
