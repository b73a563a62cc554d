// How presses narrow the legal actions.

import assert from "node:assert/strict";
import { test } from "node:test";

import { isCostly, numbered, ordersAsActions, Selection } from "../../src/ludarium/web/static/picks.js";

const MOVES = [
  { text: "a2-a4", picks: ["a2", "a4"], effects: [] },
  { text: "2a2-a4", picks: ["a2", "a4", "2"], effects: [] },
  { text: "a2!", picks: ["a2", "a2"], effects: [["a3"]] },
  { text: "b1-b2", picks: ["b1", "b2"], effects: [] },
];

const picked = (actions, ...picks) => {
  const selection = new Selection(actions);
  for (const pick of picks) selection.push(pick);
  return selection;
};

test("what may be picked next comes once each, in the actions' order", () => {
  assert.deepEqual(picked(MOVES).next, ["a2", "b1"]);
  assert.deepEqual(picked(MOVES, "a2").next, ["a4", "a2"]);
  assert.deepEqual(picked(MOVES, "a2", "a4").next, ["2"]);
  assert.deepEqual(picked(MOVES, "c7").next, []);
});

test("an action is complete although others go on from it", () => {
  assert.equal(picked(MOVES).complete, undefined);
  assert.equal(picked(MOVES, "a2").complete, undefined);
  assert.equal(picked(MOVES, "a2", "a4").complete.text, "a2-a4");
  assert.equal(picked(MOVES, "a2", "a4", "2").complete.text, "2a2-a4");
});

test("a slip is costly where it explodes what could have moved, not where every move reaches far", () => {
  const costly = (actions) => actions.filter((action) => isCostly(action, actions)).map(({ text }) => text);
  assert.deepEqual(costly(MOVES), ["a2!"]);
  const expansions = [["(0,0)", [["(0,1)"]]], ["(2,2)", [["(2,1)"]]]].map(([text, effects]) => ({ text, picks: [text], effects }));
  assert.deepEqual(costly(expansions), []);
  assert.deepEqual(costly([...expansions, { text: "+(1,1)", picks: ["(1,1)"], effects: [] }]), []); // one press each
  assert.deepEqual(costly(MOVES.filter(({ effects }) => !effects.length)), []);
});

test("what a pick would complete is known before", () => {
  assert.equal(picked(MOVES, "a2").actionAfter("a2").text, "a2!");
  assert.equal(picked(MOVES).actionAfter("a2"), undefined);
});

test("a step that stands for many numbers takes each of them and no other", () => {
  const orders = ordersAsActions([[["#0"]], [["#1"], ["#1", "bomb", ["delay", 2, 4]]]], true);
  assert.deepEqual(new Selection(orders).first, new Set(["#1"])); // who can do nothing else is left alone
  const bombing = picked(orders, "#1", "bomb");
  assert.deepEqual(bombing.next, ["delay 2", "delay 3", "delay 4"]);
  bombing.push("delay 3");
  assert.deepEqual(bombing.complete.picks, ["#1", "bomb", "delay 3"]);
  assert.equal(picked(orders, "#1", "bomb", "delay 5").complete, undefined);
  assert.equal(ordersAsActions([[["#0"]]], false).length, 1);
});

test("a piece is dragged where its first pick leads to places and plays nothing by itself", () => {
  const isPlace = (name) => /^[a-h][1-8]$/.test(name);
  assert.equal(picked(MOVES).leadsOn("a2", isPlace), true);
  assert.equal(picked(MOVES).leadsOn("c7", isPlace), false);
  assert.equal(picked([{ text: "boom", picks: ["a2", "boom"], effects: [] }]).leadsOn("a2", isPlace), false);
  assert.equal(picked([...MOVES, { text: "pass", picks: ["a2"], effects: [] }]).leadsOn("a2", isPlace), false);
});

test("numbers are told from words", () => {
  assert.deepEqual(numbered("delay 3"), ["delay", 3]);
  assert.deepEqual(numbered("12"), ["", 12]);
  for (const pick of ["a2", "#3", "3 x", ""]) assert.equal(numbered(pick), null);
});

test("after all is cleared, nothing is picked or missed", () => {
  const selection = picked(MOVES, "a2");
  selection.missed = "c7";
  selection.clear();
  assert.deepEqual([selection.path, selection.missed, selection.candidates.length], [[], null, MOVES.length]);
});
