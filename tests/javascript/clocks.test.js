// What clocks show.

import assert from "node:assert/strict";
import { test } from "node:test";

import { controlInWords, inWords } from "../../src/ludarium/web/static/clocks.js";
import { inPlainWords } from "../../src/ludarium/web/static/people.js";

test("a clock shows tenths when little is left, and days when much is", () => {
  const shown = [0, 9.39, 10, 298, 3723, 255599].map(inWords);
  assert.deepEqual(shown, ["0:00.0", "0:09.3", "0:10", "4:58", "1:02:03", "2 d 22 h"]);
});

test("who has lost on time ran out of it", () => {
  assert.equal(inPlainWords("White forfeited (timeout: no time left)"), "White ran out of time");
  assert.equal(inPlainWords("White forfeited (crash: no idea)"), "White forfeited (crash: no idea)");
});

test("time controls in words", () => {
  const said = ["300+3", "30/action", "259200/action", "90", "5400+0.5"].map(controlInWords);
  assert.deepEqual(said, ["5 min + 3 s", "30 s a turn", "3 d a turn", "90 s", "90 min + 0.5 s"]);
});
