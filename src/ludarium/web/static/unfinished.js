// The games in which this browser has a seat, the latest first: lists of {id, title, seats, link} of those that go on, and of those that are over, with their `result`.

import { recall, remember } from "./storage.js";

const [MOST, MOST_OVER] = [8, 6];

export const unfinishedGames = () => recall("unfinished", []);

export const rememberGame = (game) => remember("unfinished", [game, ...others(game.id)].slice(0, MOST));

export const forgetGame = (id) => remember("unfinished", others(id));

export const finishedGames = () => recall("finished", []);

export function rememberFinished(game) {
  remember("finished", [game, ...finishedGames().filter(({ id }) => id !== game.id)].slice(0, MOST_OVER));
}

const others = (id) => unfinishedGames().filter((game) => game.id !== id);
