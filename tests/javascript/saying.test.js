// What screen readers are told, and when.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Saying } from "../../src/ludarium/web/static/table/saying.js";
import { newsOf, roleIn } from "../../src/ludarium/web/static/table/status.js";

/** What is said, one after the other. */
function listen() {
  const said = [];
  const saying = new Saying({
    set textContent(text) {
      said.push(text);
    },
  });
  return [saying, said];
}

test("what happened is said once, with how things stand where that is new", () => {
  const [saying, said] = listen();
  saying.arrive("White: a2-a3");
  saying.arrive("Black: d8-d7");
  for (const _ of [1, 2]) saying.say("Your turn");
  saying.hear("Black is away");
  saying.say("Your turn");
  assert.deepEqual(said, ["White: a2-a3. Black: d8-d7. Your turn", "Black is away"]);
});

test("how things stand is told again after somebody's turn", () => {
  const [saying, said] = listen();
  saying.say("Your turn");
  saying.arrive("");
  saying.say("Your turn");
  saying.arrive("Turn 2: Blue 1");
  saying.say("Your turn");
  assert.deepEqual(said, ["Your turn", "Turn 2: Blue 1. Your turn"]);
});

test("nothing is said of how things stand where that is nothing, nor once more after it", () => {
  const [saying, said] = listen();
  saying.say("Your turn");
  saying.say("");
  saying.hear("Black is away");
  saying.say("");
  saying.say("Your turn");
  assert.deepEqual(said, ["Your turn", "Black is away"]);
});

test("who one is is said where several play and one is a person", () => {
  const players = [{ name: "White", kind: "human" }, { name: "Black", kind: "bot" }];
  assert.equal(roleIn({ players, you: 0 }), "You are White");
  assert.equal(roleIn({ players, you: null }), "You are watching");
  assert.equal(roleIn({ players: [players[1], players[1]], you: null }), "");
  assert.equal(roleIn({ players: [players[0]], you: 0 }), "");
});

test("news says whose action it was and what it reached", () => {
  const welcome = { game: {}, players: [{ name: "White" }, { name: "Black" }] };
  const after = { occasion: "action", move: "b7!", effects: [["b7"], ["a7", "c6"]], events: [], picks: ["b7"] };
  assert.equal(newsOf({ to_move: [1] }, after, welcome), "Black: b7! reaches b7, then a7 c6");
  assert.equal(newsOf({ to_move: [1] }, { ...after, effects: [Array(13).fill("a1")] }, welcome), "Black: b7! reaches 13 places");
  assert.equal(newsOf({ to_move: [0, 1] }, { ...after, move: "Turn 1: all wait", effects: [] }, { ...welcome, game: { orders: true } }), "Turn 1: all wait");
  const screens = { ...welcome, game: { hidden: true, independent: true } };
  assert.equal(newsOf({ to_move: [0, 1] }, { ...after, move: "Black programs behind a screen", effects: [], picks: [] }, screens), "");
  assert.equal(newsOf({ to_move: [1] }, { ...after, move: "Black starts from the north", effects: [] }, screens), "Black starts from the north");
  assert.equal(newsOf({ to_move: [1] }, { ...after, occasion: "takeback" }, welcome), "The last turn was taken back");
  assert.deepEqual(["look", "notice", "now"].map((occasion) => newsOf({ to_move: [1] }, { ...after, occasion }, welcome)), ["", "", ""]);
});
