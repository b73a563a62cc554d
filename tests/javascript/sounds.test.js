// Which sound is heard when.

import assert from "node:assert/strict";
import { test } from "node:test";

import { isRunningOut, soundOf } from "../../src/ludarium/web/static/table/sounds.js";

const position = (more) => ({ ply: 3, occasion: "action", outcome: null, to_move: [0], effects: [], events: [], ...more });
const before = position({ ply: 2, to_move: [1] });

test("a position sounds as what led to it", () => {
  assert.equal(soundOf(before, position({}), 0, false), "move");
  assert.equal(soundOf(before, position({ effects: [["a2"]] }), 0, false), "effect");
  assert.equal(soundOf(before, position({ events: [{ text: "Blue's bomb took 7 cells" }] }), null, false), "effect");
  assert.equal(soundOf(before, position({ occasion: "takeback" }), 1, false), "move");
});

test("nothing is heard on joining, walking about, or of what stands beside the board", () => {
  assert.equal(soundOf(null, position({}), 0, false), null);
  for (const occasion of ["now", "look", "notice", "decline"]) assert.equal(soundOf(before, position({ occasion }), 0, false), null);
});

test("a turn is announced where one might miss it", () => {
  assert.equal(soundOf(before, position({}), 0, true), "turn"); // in another tab
  assert.equal(soundOf(before, position({}), 1, true), "move");
  assert.equal(soundOf(before, position({ to_move: [0, 1] }), 0, false), "turn");
});

test("the end is heard once, and is another one for who has won", () => {
  const end = position({ to_move: [], outcome: { winner: 0 } });
  assert.deepEqual([0, 1, null].map((you) => soundOf(before, end, you, false)), ["won", "end", "end"]);
  assert.equal(soundOf(end, end, 0, false), null);
});

test("one is warned when ten seconds are left, not where a turn has less from the start", () => {
  assert.deepEqual([isRunningOut(10.1, 9.9), isRunningOut(9.9, 9.6), isRunningOut(null, 5), isRunningOut(12, null)], [true, false, false, false]);
});
