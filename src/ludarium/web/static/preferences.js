// What the user of this browser has chosen for all games.

import { recall, remember } from "./storage.js";

const VALUES = { theme: ["system", "light", "dark"], confirm: ["costly", "never", "always"], sounds: ["on", "off"] }; // what holds until then comes first
const chosen = {}; // for this page, where nothing can be remembered

export function preferred(name) {
  const value = chosen[name] ?? recall(name, null);
  return VALUES[name].includes(value) ? value : VALUES[name][0];
}

export function prefer(name, value) {
  chosen[name] = value;
  remember(name, value);
}

/** The looks of boards that are not the usual ones, by game. */
export function preferredBoards() {
  const boards = chosen.boards ?? recall("boards", {});
  return Object.fromEntries(Object.entries(boards).filter(([, theme]) => typeof theme === "string" && theme));
}

export function preferBoard(game, theme) {
  prefer("boards", { ...preferredBoards(), [game]: theme });
}
