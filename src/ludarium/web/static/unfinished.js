// The games in which this browser has a seat and which go on, the latest first: a list of {id, title, seats, link}.

import { recall, remember } from "./storage.js";

const MOST = 4;

export const unfinishedGames = () => recall("unfinished", []);

export const rememberGame = (game) => remember("unfinished", [game, ...others(game.id)].slice(0, MOST));

export const forgetGame = (id) => remember("unfinished", others(id));

const others = (id) => unfinishedGames().filter((game) => game.id !== id);
