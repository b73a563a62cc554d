// The name of whoever uses this browser, and what people at a table are called.

import { recall, remember } from "./storage.js";

/** {name, key}, or null. The key is told to this server alone. */
export const ownName = () => recall("name", null);

export const rememberName = ({ name, key }) => remember("name", { name, key });

export const forgetName = () => remember("name", null);

/** What a player is called in what is said at the table. */
export const called = ({ name, page, nickname }) => (page ? isolated(nickname) : name);

/** Text within a sentence, whichever way it is read. */
export const isolated = (text) => `\u2068${text}\u2069`;
