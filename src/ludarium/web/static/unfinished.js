// The games in which this browser has a seat, the latest first: lists of {id, title, seats, link} of those that go on, and of those that are over, with their `result`.

import { recall, remember } from "./storage.js";

const [MOST, MOST_ALONE, MOST_OVER] = [20, 4, 6];

export const unfinishedGames = () => recall("unfinished", []);

/** `isWithPeople` says whether others wait for it, as in games by correspondence: of those without, a few are enough. */
export function rememberGame(game) {
  const all = [game, ...others(game.id)];
  const alone = all.filter(({ isWithPeople }) => !isWithPeople).slice(0, MOST_ALONE);
  remember("unfinished", all.filter((one) => one.isWithPeople || alone.includes(one)).slice(0, MOST));
}

export const forgetGame = (id) => remember("unfinished", others(id));

export const finishedGames = () => recall("finished", []);

export function rememberFinished(game) {
  remember("finished", [game, ...finishedGames().filter(({ id }) => id !== game.id)].slice(0, MOST_OVER));
}

const others = (id) => unfinishedGames().filter((game) => game.id !== id);
