// The games in which this browser has a seat and which go on, the latest first.

const KEY = "ludarium-unfinished";
const MOST = 4;

/** A list of {id, title, seats, link}. */
export function unfinishedGames() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? [];
  } catch {
    return [];
  }
}

export function rememberGame(game) {
  store([game, ...others(game.id)].slice(0, MOST));
}

export function forgetGame(id) {
  store(others(id));
}

function others(id) {
  return unfinishedGames().filter((game) => game.id !== id);
}

function store(games) {
  localStorage.setItem(KEY, JSON.stringify(games));
}
