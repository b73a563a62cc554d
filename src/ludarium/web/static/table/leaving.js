// Ways from a game to others: its rematch, the lobby with its position; and what this browser remembers to find back.

import { at } from "../addresses.js";
import { addressOf } from "../held_seats.js";
import { resultOf, who } from "../people.js";
import { isAtTheBoard } from "./focus.js";
import { remember } from "../storage.js";
import { forgetGame, rememberFinished, rememberGame } from "../unfinished.js";

/** Remembers for the lobby that this browser plays, or played, this game. */
export function rememberTable(table) {
  if (table.isPlaying && !table.isServed) rememberGame(ownSeat(table));
  else forgetGame(table.id);
  const { outcome } = table.latest;
  if (outcome && table.you !== null && !table.isServed) rememberFinished({ ...ownSeat(table), result: resultOf(outcome, table.players) });
}

/** This game as the lobby lists it. */
function ownSeat({ id, you, players, welcome }) {
  const others = players.filter((_, seat) => seat !== you);
  const seats = others.length ? `${players[you].name} against ${others.map(who).join(", ")}` : "alone";
  return { id, title: welcome.game.title, seats, isWithPeople: others.some(({ kind }) => kind === "human"), link: `${location.pathname}#seat=${you}` };
}

/** Leads into the rematch, and whoever was at the board by keys to its board: its tokens are the same, and everybody is one seat further. */
export function goToRematch({ you, players, held }, game) {
  const seat = you === null ? "" : addressOf(game, { ...held, seat: (you + 1) % players.length });
  remember("by-keys", isAtTheBoard() && Boolean(document.activeElement?.matches(":focus-visible")), "sessionStorage");
  location.href = at(`/game/${encodeURIComponent(game)}${seat}`);
}

/** The lobby with a game, its options and a position filled in: in the part of the address that no server is asked for, or it had no room for a large map. */
export function lobbyWith({ id, options }, position) {
  const given = Object.entries(options).filter(([, value]) => value !== null);
  return `${at("/")}#${new URLSearchParams([["game", id], ["position", position.text], ...given.map(([name, value]) => [`option-${name}`, value])])}`;
}
