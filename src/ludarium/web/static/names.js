// The name of whoever uses this browser, and what people at a table are called.

import { at } from "./addresses.js";
import { recall, remember } from "./storage.js";

/** {name, key}, or null. The key is told to this server alone. */
export const ownName = () => recall("name", null);

export const rememberName = ({ name, key }) => remember("name", { name, key });

export const forgetName = () => remember("name", null);

/** One's own name in the head of the page, leading to one's games. */
export function showOwnName() {
  const [link, own] = [document.querySelector("#me"), ownName()];
  if (link && own) Object.assign(link, { href: pageOf(own), textContent: own.name, title: "Your games and ratings", hidden: false });
  else if (link?.title) link.hidden = true; // it has been forgotten
}

/** The address of the page with somebody's games. */
export const pageOf = ({ name }) => at(`/people/${encodeURIComponent(name)}`);

/** What a player is called in what is said at the table. */
export const called = ({ name, page, nickname }) => (page ? isolated(nickname) : name);

/** Text within a sentence, whichever way it is read. */
export const isolated = (text) => `\u2068${text}\u2069`;
