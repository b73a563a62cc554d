import assert from "node:assert/strict";
import { test } from "node:test";

import { ranksOf } from "../../src/ludarium/web/static/standing.js";

test("players with the same number share a rank, and the next one is as far down as there are players before it", () => {
  assert.deepEqual(ranksOf([7, 12, 7, 3]), [2, 1, 2, 4]);
});
