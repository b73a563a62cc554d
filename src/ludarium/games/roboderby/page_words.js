// What is asked besides programs, and what is waited for, in words.

const COMMANDS = { F1: "1", F2: "2", F3: "3", L: "left", R: "right", SL: "shift left", SR: "shift right", U: "U-turn", REV: "back", CMT: "comment", INV: "invert" };

/** A command as it is called in a row, by the code on its die. */
export const commandIn = (code) => COMMANDS[code] ?? code;

const EDGES = { N: "North", E: "East", S: "South", W: "West" };

/** What a player has to choose who neither programs nor may shut down: {text, answers}, of which each has a label, a key, and the text of its action. Null otherwise. */
export function questionIn({ actions, text }, { players }) {
  const answers = actions.map((action) => ({ text: action.text, of: /^(hack|edge) ([A-Z])$/.exec(action.text) }));
  if (!answers.length || answers.some(({ of }) => !of)) return null;
  const { robots } = JSON.parse(text);
  const label = { hack: (letter) => `${players[robots.findIndex((robot) => robot.letter === letter)].name} (${letter})`, edge: (letter) => EDGES[letter] };
  return {
    text: answers[0].of[1] === "hack" ? "Your turn: whose die does your hack hit?" : "Your turn: from which edge does the race start?",
    answers: answers.map(({ text, of: [, kind, letter] }) => ({ text, label: label[kind](letter), key: letter.toLowerCase() })),
  };
}

const DOING = {
  edge: ["chooses the edge to start from", ""],
  program: ["is programming", "are programming"],
  hack: ["chooses whose die the hack hits", ""],
}; // one, or several; only one chooses an edge or a target

/** Where all robots are, for who does not see them: one's own first. */
export function robotsHeard(board, { players, you }) {
  const robots = [...board.holder.querySelectorAll("[data-robot]")].toSorted((one, other) => Number(other.dataset.robot === String(you)) - Number(one.dataset.robot === String(you)));
  return robots.map(({ ariaLabel, dataset }) => ariaLabel.replace(/^[^,:]+, [^,:]+/, dataset.robot === String(you) ? "You" : players[dataset.robot].name)).join(". ");
}

/** Whom a game waits for, and to do what; null where it waits for nobody, or the user has to choose. */
export function waitingIn({ actions, latest, outcome, text, to_move: movers }, { players }) {
  if (!latest || outcome || actions.length || !movers.length) return null;
  const { phase } = JSON.parse(text);
  const away = movers.filter((player) => !players[player].connected);
  const here = movers.filter((player) => players[player].connected);
  const who = namesOf(here, players);
  const absent = away.length ? `${namesOf(away, players)}, who ${away.length > 1 ? "are" : "is"} away` : "";
  if (!here.length) return `The game waits for ${absent}`;
  const [one, many] = DOING[phase] ?? []; // whether to shut down is often not asked: the page runs for them when they have seen the turn
  const words = one ? `${who} ${here.length > 1 ? many : one}` : `The game waits for ${who}: run or shut down`;
  return absent ? `${words}; it waits for ${absent}, too` : words;
}

function namesOf(movers, players) {
  const names = movers.map((player) => players[player].name);
  return names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names[0];
}
