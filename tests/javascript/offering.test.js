import assert from "node:assert/strict";
import { test } from "node:test";

import { mayOffer } from "../../src/ludarium/web/static/table/offering.js";

const people = [{ kind: "human" }, { kind: "human" }];
const game = { draws: true, hidden: false };

test("draws are offered between people, where the rules know them", () => {
  const draw = (welcome) => mayOffer({ game, players: people, time_control: null, ...welcome }).draw;
  assert.equal(draw({}), true);
  assert.equal(draw({ game: { ...game, draws: false } }), false);
  assert.equal(draw({ players: [people[0], { kind: "bot" }] }), false);
  assert.equal(draw({ players: [people[0]] }), false);
});

test("pauses are offered while clocks run, takebacks where nothing is hidden", () => {
  const timed = { game, players: people, time_control: "60+2" };
  assert.deepEqual(mayOffer(timed), { takeback: true, draw: true, pause: true });
  assert.equal(mayOffer({ ...timed, time_control: null }).pause, false);
  assert.equal(mayOffer({ ...timed, game: { ...game, hidden: true } }).takeback, false);
});
