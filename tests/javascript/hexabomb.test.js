// Orders that follow from standing ones.

import assert from "node:assert/strict";
import { test } from "node:test";

import { fieldOf, filled, pathTo, repeated, stepToPaint } from "../../src/ludarium/games/hexabomb/page_standing.js";

/** A row of cells from 0,0 to the right, of these colours; `characters` are [at, colour, revive delay], by their numbers. */
function row(colours, characters, bombs = []) {
  const text = {
    cells: colours.map((color, q) => ({ color, q, r: 0 })),
    characters: characters.map(([q, color, delay = -1], id) => ({ id, q, r: 0, color, alive: delay < 0, revive_delay: delay })),
    bombs: bombs.map((bomb) => ({ r: 0, delay: 3, range: 2, ...(typeof bomb === "number" ? { q: bomb } : bomb) })),
    mode: "classic",
  };
  return fieldOf(JSON.stringify(text));
}

test("who paints on goes towards the nearest cell of another colour, and right where both are as near", () => {
  assert.equal(stepToPaint(row([2, 1, 1, 1, 0], [[2, 1]]), "#0", new Set()), "3,0");
  assert.equal(stepToPaint(row([2, 1, 1, 1, 1], [[2, 1]]), "#0", new Set()), "1,0");
  assert.equal(stepToPaint(row([2, 1, 1, 1, 0], [[2, 1]], [3]), "#0", new Set()), "1,0"); // around a bomb
  assert.equal(stepToPaint(row([1, 1, 1], [[1, 1]]), "#0", new Set()), null);
});

test("who paints on does not step where bombs go off on this turn, and steps out of there", () => {
  const colours = [0, 1, 1, 1, 1, 1, 1, 0];
  assert.equal(stepToPaint(row(colours, [[3, 1]], [{ q: 0, delay: 1 }]), "#0", new Set()), "4,0");
  assert.equal(stepToPaint(row(colours, [[3, 1]], [{ q: 0, delay: 1, range: 4 }]), "#0", new Set()), null); // nowhere to go
  assert.equal(stepToPaint(row([1, 1, 1, 1], [[2, 1]], [{ q: 0, delay: 1 }]), "#0", new Set()), "3,0"); // nothing to paint
  const chain = row([...colours, 1, 1], [[6, 1]], [{ q: 2, delay: 1, range: 2 }, { q: 4, delay: 4, range: 2 }]);
  assert.deepEqual([...chain.struck].sort(), ["0,0", "1,0", "2,0", "3,0", "4,0", "5,0", "6,0"]);
  assert.equal(stepToPaint(chain, "#0", new Set()), "7,0");
});

test("two who paint on do not go to the same cell, and who finds nothing to paint holds", () => {
  const { orders } = filled(row([1, 1, 0, 1, 1], [[1, 1], [3, 1]]), new Map([["#0", "paint"], ["#1", "paint"]]), []);
  assert.deepEqual(orders, [["#0", "2,0"], ["#1", "none"]]);
});

test("a path is followed a cell a turn until its way is blocked", () => {
  const path = new Map([["#0", ["1,0", "2,0", "3,0"]]]);
  const came = filled(row([1, 1, 0, 0], [[1, 1]]), path, []);
  assert.deepEqual([came.orders, [...came.wishes]], [[["#0", "2,0"]], [["#0", ["2,0", "3,0"]]]]);
  assert.equal(filled(row([1, 0, 0, 0], [[0, 1]]), path, []).wishes.size, 0); // did not get there
  assert.equal(filled(row([1, 1, 0, 0], [[1, 1], [2, 2]]), path, []).wishes.size, 0); // somebody stands there
  assert.equal(filled(row([1, 1, 1, 1], [[3, 1]]), new Map([["#0", ["3,0"]]]), []).wishes.size, 0); // arrived
});

test("a path to a cell goes around what stands in the way, and is empty where none leads there", () => {
  assert.deepEqual(pathTo(row([0, 0, 0], [[0, 1]]), "#0", "2,0"), ["1,0", "2,0"]);
  assert.deepEqual(pathTo(row([0, 0, 0], [[0, 1]], [1]), "#0", "2,0"), []);
});

test("an order that was given already stays, the dead are revived when they may be, and who holds holds", () => {
  const field = row([1, 0, 1, 1], [[0, 1], [2, 1, 1], [3, 1, 0]]);
  const wishes = new Map([["#0", "paint"], ["#1", "paint"], ["#2", "paint"]]);
  assert.deepEqual(filled(field, wishes, [["#0", "none"]]).orders, [["#2", "revive"]]);
  assert.deepEqual(filled(field, new Map([["#0", "hold"]]), []).orders, [["#0", "none"]]);
});

test("an order is repeated in the same direction, as far as the board goes", () => {
  const before = row([0, 0, 0], [[0, 1]]);
  assert.deepEqual(repeated(row([1, 1, 0], [[1, 1]]), ["#0", "1,0"], before), ["#0", "2,0"]);
  assert.equal(repeated(row([1, 1, 1], [[2, 1]]), ["#0", "1,0"], before), null);
  assert.deepEqual(repeated(before, ["#0", "bomb", "delay 2", "range 3"], before), ["#0", "bomb", "delay 2", "range 3"]);
});
