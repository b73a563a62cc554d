// How long a turn of RoboDerby is shown.

import assert from "node:assert/strict";
import { test } from "node:test";

import { hasteOf, lasts, steps } from "../../src/ludarium/games/roboderby/page_timing.js";

/** A turn in which so many robots drive three squares with each die. */
function turnOf(robots) {
  const all = [...Array(robots).keys()];
  const drive = (robot) => [{ kind: "order", robot }, ...[1, 2, 3].map(() => ({ kind: "move", robot }))];
  const registers = [1, 2, 3, 4].flatMap((register) => [{ kind: "register", register }, ...all.flatMap(drive)]);
  return [...all.map((robot) => ({ kind: "program", robot })), ...registers, { kind: "salvo" }, ...all.map((robot) => ({ kind: "fire", robot })), { kind: "end-of-turn" }];
}

const secondsOf = (events, clock = null) => steps(events).reduce((sum, step) => sum + lasts(step), 0) / hasteOf(events, clock) / 1000;

test("a turn takes three to four seconds, whoever plays, and at most a third of its clock", () => {
  for (const robots of [1, 2, 3, 4]) assert.ok(secondsOf(turnOf(robots)) >= 3 && secondsOf(turnOf(robots)) <= 4, `${robots}`);
  assert.ok(secondsOf(turnOf(4), 5) <= 5 / 3);
});

test("a short part of a turn is no slower than by itself, and no faster", () => {
  assert.equal(hasteOf([{ kind: "move", robot: 0 }, { kind: "end-of-turn" }], null), 1);
});

test("who pushes moves with all whom it pushes", () => {
  const pushed = [{ kind: "push", robot: 1, by: 0 }, { kind: "push", robot: 2, by: 0 }, { kind: "move", robot: 0 }];
  assert.equal(steps([{ kind: "order", robot: 0 }, ...pushed, { kind: "move", robot: 0 }]).length, 3);
});
