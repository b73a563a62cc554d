// An action chosen while the other player thinks.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Ahead, mayChooseAhead } from "../../src/ludarium/web/static/table/ahead.js";

const GAME = { game: { orders: false, hidden: false }, you: 0 };
const MOVES = [{ text: "a2-a3", picks: ["a2", "a3", "1"], effects: [] }];
const position = (ply, mover, more = {}) => ({ ply, latest: true, outcome: null, to_move: mover === null ? [] : [mover], actions: [], occasion: "action", ...more });

function sit() {
  const told = [];
  const ahead = new Ahead(null, {
    ask: () => told.push("ask"),
    act: ({ text }, ply) => told.push(`${ply} ${text}`),
  });
  return { ahead, told };
}

test("who waits for one other in an open game may choose ahead", () => {
  const may = (mover, more, game = GAME.game, you = 0) => mayChooseAhead(position(4, mover, more), game, you);
  assert.equal(may(1), true);
  assert.equal(may(0), false);
  assert.equal(may(null), false); // dice
  assert.equal(may(1, { to_move: [1, 2] }), false);
  assert.equal(may(1, { outcome: {} }), false);
  assert.equal(may(1, { latest: false }), false);
  assert.equal(may(1, {}, GAME.game, null), false);
  assert.equal(may(1, {}, { orders: true, hidden: false }), false);
  assert.equal(may(1, {}, { orders: false, hidden: true }), false);
});

test("the server is asked once a position, and what it says stays while that stands", () => {
  const { ahead, told } = sit();
  const [waiting, notice, next] = [position(1, 1), position(1, 1, { occasion: "notice" }), position(3, 1)];
  ahead.see(waiting, GAME);
  ahead.wonder(waiting, GAME);
  ahead.wonder(waiting, GAME);
  assert.deepEqual(told, ["ask"]);
  assert.equal(ahead.answer({ ply: 0, actions: MOVES }, waiting, GAME), null); // too late
  assert.deepEqual(ahead.answer({ ply: 1, actions: MOVES }, waiting, GAME), []);
  ahead.see(notice, GAME);
  assert.deepEqual(notice.actions, MOVES);
  ahead.see(next, GAME);
  assert.deepEqual(next.actions, []);
});

test("nothing is lost that is pressed before it is known what can be done", () => {
  const { ahead } = sit();
  const waiting = position(1, 1);
  assert.equal(ahead.notes("a2", waiting), false); // nobody was asked
  ahead.see(waiting, GAME);
  ahead.wonder(waiting, GAME);
  assert.deepEqual(["a2", "a3"].map((name) => ahead.notes(name, waiting)), [true, true]);
  ahead.see(position(1, 1, { occasion: "notice" }), GAME);
  assert.deepEqual(ahead.answer({ ply: 1, actions: MOVES }, waiting, GAME), ["a2", "a3"]);
  assert.equal(ahead.notes("a2", waiting), false);
  const [next, own] = [position(3, 1), position(4, 0, { actions: MOVES })];
  ahead.wonder(next, GAME);
  assert.equal(ahead.notes("a2", next), true);
  ahead.see(own, GAME);
  assert.equal(ahead.notes("a2", own), false);
  ahead.wonder(next, GAME); // which is still shown when the next position has come already
  assert.equal(ahead.notes("a2", own), false);
});

test("what was chosen is played once it is legal, or dropped with a word", () => {
  const { ahead, told } = sit();
  ahead.choose(MOVES[0]);
  const due = position(2, 0, { actions: MOVES });
  ahead.see(due, GAME);
  assert.deepEqual(told, ["2 a2-a3"]);
  assert.deepEqual([due.actions, ahead.chosen], [[], null]); // nobody chooses twice
  ahead.choose(MOVES[0]);
  ahead.see(position(4, 0, { actions: [{ text: "b2-b3", picks: [], effects: [] }] }), GAME);
  assert.deepEqual([told, ahead.dropped], [["2 a2-a3"], MOVES[0]]);
  ahead.see(position(5, 1), GAME);
  assert.equal(ahead.dropped, null);
});

test("it is forgotten when it is taken back, by a take-back and by the end", () => {
  const { ahead, told } = sit();
  ahead.choose(MOVES[0]);
  assert.deepEqual([ahead.forget(), ahead.forget()], [true, false]);
  for (const more of [{ occasion: "takeback" }, { outcome: {} }]) {
    ahead.choose(MOVES[0]);
    ahead.see(position(2, 0, { actions: MOVES, ...more }), GAME);
  }
  assert.deepEqual([told, ahead.chosen], [[], null]);
});
