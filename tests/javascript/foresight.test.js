// Whose answer is the one that is waited for.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Foresight } from "../../src/ludarium/web/static/table/foresight.js";

test("only the last question is answered, by the answer to it", async () => {
  const sent = [];
  const foresight = new Foresight((message) => sent.push(message));
  const [first, second] = [foresight.ask(3, ["1"]), foresight.ask(3, ["1", "2n"])];
  assert.equal(await first, null);
  foresight.answered({ ply: 3, actions: ["1"], events: ["late"] });
  foresight.answered({ ply: 3, actions: ["1", "2n"], events: ["there"] });
  assert.deepEqual(await second, ["there"]);
  assert.deepEqual(sent.at(-1), { type: "foresee", ply: 3, actions: ["1", "2n"] });
});

test("without a connection nothing is foreseen", async () => {
  assert.equal(await new Foresight(() => false).ask(0, []), null);
});
