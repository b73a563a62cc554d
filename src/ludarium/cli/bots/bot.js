// A bot for GAME TITLE. Ludarium's docs/bots.md describes what it reads and answers: hello, game, turn and result.

// Your idea goes here: return one of the legal actions, turn.actions. // [one]
// Your idea goes here: return a list with one of the legal actions of each order in turn.orders. // [orders]
// turn.position is the board as a text (docs/notation.md), turn.events tells what has happened, and game.seat is your number.
function choose(game, turn) {
  return anyOf(turn.actions); // [one]
  return turn.orders.map((order) => anyOf(order.actions)); // [orders]
}

let game = {};
let chance = 1;

// The same seed, the same choices, which Math.random has not.
function anyOf(choices) {
  chance = (chance * 48271) % 2147483647;
  return choices[chance % choices.length];
}

function hear(message) {
  if (message.type === "hello") {
    answer({ type: "ready", name: "BOT NAME", send: ["actions"] });
  } else if (message.type === "game") {
    game = message;
    chance = 1 + (game.seed % 2147483646);
  } else if (message.type === "turn") {
    answer({ type: "action", action: choose(game, message) });
  }
}

function answer(message) {
  process.stdout.write(JSON.stringify(message) + "\n");
}

let heard = "";
process.stdin.setEncoding("utf8").on("data", (data) => {
  const lines = (heard + data).split("\n");
  heard = lines.pop();
  lines.forEach((line) => hear(JSON.parse(line)));
});
