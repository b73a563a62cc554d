// What is told of a game that is over.

import assert from "node:assert/strict";
import { test } from "node:test";

import { turned, turnInWords, worthInWords } from "../../src/ludarium/web/static/table/summary.js";

test("what a position is worth in words", () => {
  const words = [1, 0.7, 0.69, 0.2, 0, -0.2, -0.21, -0.7, -0.71].map(worthInWords);
  assert.deepEqual(words, ["was winning", "was winning", "stood better", "stood better", "stood level", "stood level", "stood worse", "stood worse", "was losing"]);
});

test("where a game turned", () => {
  const told = turnInWords({ ply: 18, before: -0.1, after: 0.8 }, "c7-c5", "White");
  assert.equal(told, "Turning point: 18. c7-c5. White stood level before, and was winning after it");
});

test("what changes nothing that can be said is no turning point", () => {
  assert.equal(turned({ ply: 5, before: 0.25, after: 0.65 }), null);
  assert.equal(turned(null), null);
  const point = { ply: 5, before: 0.1, after: 0.4 };
  assert.equal(turned(point), point);
});
