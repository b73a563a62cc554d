import assert from "node:assert/strict";
import { test } from "node:test";

import { rankInWords, ranksOf } from "../../src/ludarium/web/static/standing.js";

test("players with the same number share a rank, and the next one is as far down as there are players before it", () => {
  assert.deepEqual(ranksOf([7, 12, 7, 3]), [2, 1, 2, 4]);
});

test("ranks are told in words", () => {
  assert.deepEqual([1, 2, 3, 4, 11].map(rankInWords), ["1st", "2nd", "3rd", "4th", "11th"]);
});
