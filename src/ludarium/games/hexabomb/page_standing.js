// Orders that follow from what a player wished for a character: along a path, to paint on, to hold, or as on the turn before.

const STEPS = [[1, 0], [1, -1], [0, -1], [-1, 0], [-1, 1], [0, 1]];

/**
 * A position, from its text: colours by cell, the cells that nobody can enter, those that explode on this turn, and the characters by pick. Cells are named as
 * their picks, `q,r`.
 */
export function fieldOf(text) {
  const { cells, characters, bombs, mode } = JSON.parse(text);
  const living = characters.filter(({ alive }) => alive);
  const colours = new Map(cells.map((cell) => [nameOf(cell), cell.color]));
  return {
    colours,
    struck: struckBy(bombs, colours),
    closed: new Set([...living, ...bombs].map(nameOf)),
    characters: new Map(
      characters.map((one) => [`#${one.id}`, { at: nameOf(one), colour: one.color, isAlive: one.alive, mayRevive: mode === "classic" && one.revive_delay === 0 }]),
    ),
  };
}

/** The cells that bombs reach which go off on this turn, or are set off by those. */
function struckBy(bombs, colours) {
  const struck = new Set();
  const going = bombs.filter(({ delay }) => delay === 1);
  for (const bomb of going) {
    for (const cell of reachOf(nameOf(bomb), bomb.range, (name) => colours.has(name))) struck.add(cell);
    going.push(...bombs.filter((other) => !going.includes(other) && struck.has(nameOf(other))));
  }
  return struck;
}

/** A cell, and those of six lines from it, each as long as the range and as there are cells. */
export function reachOf(cell, range, isCell) {
  const [q, r] = cell.split(",").map(Number);
  const lines = STEPS.map(([dq, dr]) => {
    const line = Array.from({ length: range }, (_, step) => `${q + dq * (step + 1)},${r + dr * (step + 1)}`);
    const end = line.findIndex((name) => !isCell(name));
    return end < 0 ? line : line.slice(0, end);
  });
  return [cell, ...lines.flat()];
}

const nameOf = ({ q, r }) => `${q},${r}`;

/** The cells around one that there are, in the order of the directions. */
export function around(field, cell) {
  const [q, r] = cell.split(",").map(Number);
  return STEPS.map(([dq, dr]) => `${q + dq},${r + dr}`).filter((name) => field.colours.has(name));
}

/**
 * The first step towards the nearest cell that is not of one's colour, through cells that can be entered now; of several, that on which the search comes first
 * that goes round in the order of the directions. Nobody steps where this turn's explosions reach, and who stands there steps out of it. Null where there is
 * no such cell. `taken` are cells to which others of the team go.
 */
export function stepToPaint(field, character, taken) {
  const { at, colour } = field.characters.get(character);
  const firstStep = new Map([[at, null]]);
  const isOpen = (cell) => !field.closed.has(cell) && !field.struck.has(cell) && !taken.has(cell);
  const queue = [at];
  for (const cell of queue) {
    for (const next of around(field, cell)) {
      if (firstStep.has(next) || (cell === at ? !isOpen(next) : field.closed.has(next))) continue;
      firstStep.set(next, firstStep.get(cell) ?? next);
      if (field.colours.get(next) !== colour) return firstStep.get(next);
      queue.push(next);
    }
  }
  return (field.struck.has(at) && around(field, at).find(isOpen)) || null;
}

/** A shortest path of cells that can be entered now, from where a character is to a cell; empty where there is none. */
export function pathTo(field, character, target) {
  const { at } = field.characters.get(character);
  const from = new Map([[at, null]]);
  for (const cell of from.keys()) {
    for (const next of around(field, cell)) if (!from.has(next) && !field.closed.has(next)) from.set(next, cell);
  }
  const path = [];
  for (let cell = from.has(target) ? target : at; cell !== at; cell = from.get(cell)) path.unshift(cell);
  return path;
}

/** What is left of a path of cells in a new position: null when the character did not get to the first of them, when it is at the end, or its next cell is closed. */
function pathFrom(field, character, path) {
  const { at, isAlive } = field.characters.get(character);
  const rest = path.slice(1);
  return isAlive && at === path[0] && rest.length && !field.closed.has(rest[0]) ? rest : null;
}

/** An order of the turn `before`, as picks, for where the character is now: a move in the same direction; null where that leads off the board. */
export function repeated(field, picks, before) {
  const [character, what, ...more] = picks;
  const from = before.characters.get(character).at;
  if (!field.colours.has(what)) return [character, what, ...more];
  const [[q, r], [toQ, toR], [nowQ, nowR]] = [from, what, field.characters.get(character).at].map((cell) => cell.split(",").map(Number));
  const target = `${nowQ + toQ - q},${nowR + toR - r}`;
  return field.colours.has(target) ? [character, target] : null;
}

/**
 * The orders that are filled in on a new turn, as picks, and the wishes that stay: `wishes` are by character "paint", "hold" or a path of cells, of which it was
 * to enter the first on the turn before. Who has an order among those `given` gets no other. Who finds nothing to paint holds. The dead who paint on are revived as soon as they may be.
 */
export function filled(field, wishes, given) {
  const orders = [];
  const stay = new Map();
  const taken = new Set(given.map(([, what]) => what));
  for (const [character, wish] of wishes) {
    const { isAlive, mayRevive } = field.characters.get(character);
    const path = Array.isArray(wish) ? pathFrom(field, character, wish) : null;
    if (Array.isArray(wish) && !path) continue;
    stay.set(character, path ?? wish);
    if (given.some(([one]) => one === character)) continue;
    if (!isAlive) {
      if (wish === "paint" && mayRevive) orders.push([character, "revive"]);
      continue;
    }
    const target = path ? path[0] : wish === "paint" ? stepToPaint(field, character, taken) : null;
    if (target) taken.add(target);
    orders.push([character, target ?? "none"]);
  }
  return { orders, wishes: stay };
}
