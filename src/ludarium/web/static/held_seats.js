// What opens seats: kept by game in this browser and, for this window, in its history, but never in the address. "Seats" in docs/protocol.md tells why.

import { ownName } from "./names.js";
import { recall, remember } from "./storage.js";

/** The seats of a game that this browser has: a list of {token, link, seat}. `link` is the token of the invitation that led here; `seat` comes with the server's welcome. */
export const heldSeats = (game) => recall(`held-${game}`, []);

export function holdSeat(game, held) {
  remember(`held-${game}`, [...heldSeats(game).filter(({ token }) => token !== held.token), held]);
}

/** Forgets a seat that cannot be opened (any more). */
export function releaseSeat(game, { token }) {
  remember(`held-${game}`, heldSeats(game).filter((held) => held.token !== token));
}

/** The seat that this window plays, or null if it watches. What the address says of it is taken out. Tokens that stay as they are (`isKept`) are not replaced. */
export function enterSeat(game, isKept) {
  const held = seatAsked(game, location.hash.slice(1), isKept);
  if (held) holdSeat(game, held);
  history.replaceState({ held, used: held ? null : usedLink() }, "", location.pathname + location.search);
  return held;
}

function seatAsked(game, asked, isKept) {
  if (!asked) return history.state?.held ?? null;
  const [, how, what] = /^(?:(seat|own)=)?(.*)$/.exec(asked);
  if (how === "seat") return heldSeats(game).find(({ seat }) => String(seat) === what) ?? null;
  const known = heldSeats(game).find(({ token, link }) => token === what || link === what);
  return known ?? (how || isKept ? { token: what } : { token: newToken(), link: what });
}

/** What a client says of a seat when it joins, and of who plays it. */
export function keysOf(held) {
  if (!held) return { token: null };
  return { ...(held.link ? { token: held.link, new_token: held.token } : { token: held.token }), ...ownName() };
}

/** The part of an address that opens a seat of a game in this browser; it is only a secret where nothing can be remembered. */
export function addressOf(game, held) {
  holdSeat(game, held);
  return heldSeats(game).some(({ token }) => token === held.token) ? `#seat=${held.seat}` : `#own=${held.token}`;
}

/** Lets this window play another seat of its game, or watch (null), perhaps because the link by which it came is `used` up. */
export function changeSeat(held, used = null) {
  history.replaceState({ held, used }, "");
  location.reload();
}

/** The token of a link that opens no seat any more and by which this window came, or null. */
export function usedLink() {
  return history.state?.used ?? null;
}

function newToken() {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_");
}
