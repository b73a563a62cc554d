// The connection to the server: joins, and joins again when the line breaks or the server stops, but not when the server ended the game. The messages
// are those of docs/protocol.md.

import { at } from "../addresses.js";
import { keepOpen } from "../lifeline.js";

const VERSION = 1;

/** `keys` are what a `join` says of a seat. `onLine(reason, refused)` is told null when the client has joined, "" while it tries to come back, and why when the server ended it or, with a code, refused. */
export function connect(game, keys, { onMessage, onLine }) {
  let welcome = null; // while the client has joined
  let ending = ""; // why the server ends the connection
  let refused = ""; // with which code it did not even let the client join
  let act = null; // what was played and not answered: the line may have broken on its way
  let isAgain = false; // whether it has been sent again
  let isBack = false; // whether the first position on this line is still to come

  const line = keepOpen(at(`/api/games/${game}/socket`), {
    first: () => ({ type: "join", version: VERSION, ...keys }),
    onMessage(message) {
      if (message.type === "welcome") {
        line.settle();
        welcome = message;
        isBack = true;
        onLine(null);
      }
      if (message.type === "position" && message.latest) listen(message);
      if (message.type === "closed") {
        if (message.come_back) line.settle(1); // a server that stops takes a moment to be gone
        else ending = message.reason;
      } else if (message.type === "error" && !welcome) {
        ending = message.message;
        refused = message.code;
      } else if (message.type === "error" && act) {
        const hasArrived = isAgain && message.code === "stale"; // it had come the first time
        act = null;
        if (!hasArrived) onMessage(message);
      } else onMessage(message);
    },
    onLost() {
      welcome = null;
      onLine(ending, refused);
      return !ending;
    },
  });

  /** Sends what was played once more on a new line, where the latest position shows that it has not come. */
  function listen({ ply, to_move: toMove }) {
    const isFirst = isBack;
    isBack = false;
    if (!act) return;
    const isOpen = toMove.includes(welcome.you) && (ply === act.ply || welcome.game.independent);
    if (!isOpen) act = null;
    else if (isFirst) isAgain = line.send(act);
  }

  return {
    /** Whether the message went out; nothing is kept for later. */
    send(message) {
      const isSent = line.send(message);
      if (isSent && message.type === "act") [act, isAgain] = [message, false];
      return isSent;
    },
    /** Tries to come back to what the server ended or refused. */
    comeBack() {
      ending = "";
      refused = "";
      onLine(ending, refused);
      line.open();
    },
  };
}
