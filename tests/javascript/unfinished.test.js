// The games in which this browser has a seat.

import assert from "node:assert/strict";
import { test } from "node:test";

import { forgetGame, rememberGame, unfinishedGames } from "../../src/ludarium/web/static/unfinished.js";

const kept = new Map();
globalThis.window = /** @type {any} */ ({ localStorage: { getItem: (name) => kept.get(name) ?? null, setItem: (name, text) => kept.set(name, text) } });

test("games with people are kept however many were begun alone since", () => {
  for (const id of ["a", "b", "c", "d", "e"]) rememberGame({ id, isWithPeople: true });
  for (const id of ["1", "2", "3", "4", "5"]) rememberGame({ id, isWithPeople: false });
  rememberGame({ id: "a", isWithPeople: true });
  forgetGame("c");
  assert.equal(unfinishedGames().map(({ id }) => id).join(""), "a5432edb");
});
