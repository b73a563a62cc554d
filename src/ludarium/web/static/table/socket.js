// The connection to the server: joins, and joins again when the line breaks or the server stops, but not when the server ended the game. The messages
// are those of docs/protocol.md.

import { at } from "../addresses.js";

const VERSION = 1;
const PAUSES = [300, 1000, 2000, 4000, 8000]; // milliseconds before each attempt to come back; the last one repeats
const SILENCE = 15000; // milliseconds after which a line on which the server does not answer is given up, as phones' lines may be before they notice

/** `keys` are what a `join` says of a seat. `onLine(reason, refused)` is told null when the client has joined, "" while it tries to come back, and why when the server ended it or, with a code, refused. */
export function connect(game, keys, { onMessage, onLine }) {
  let socket = null;
  let attempts = 0;
  let pause = 0; // the timer of the next attempt
  let silence = 0; // the timer of an answer
  let joined = false;
  let ending = ""; // why the server ends the connection
  let refused = ""; // with which code it did not even let the client join

  function open() {
    pause = 0;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const opened = new WebSocket(`${scheme}://${location.host}${at(`/api/games/${game}/socket`)}`);
    socket = opened;
    opened.addEventListener("open", () => opened.send(JSON.stringify({ type: "join", version: VERSION, ...keys })));
    opened.addEventListener("close", () => lose(opened));
    opened.addEventListener("message", ({ data }) => {
      if (opened !== socket) return;
      clearTimeout(silence);
      silence = 0;
      const message = JSON.parse(data);
      if (message.type === "welcome") {
        attempts = 0;
        joined = true;
        onLine(null);
      }
      if (message.type === "closed") {
        if (message.come_back) attempts = 1; // a server that stops takes a moment to be gone
        else ending = message.reason;
      } else if (message.type === "error" && !joined) {
        ending = message.message;
        refused = message.code;
      } else onMessage(message);
    });
  }

  function lose(closed) {
    if (closed !== socket) return; // it was given up before
    clearTimeout(silence);
    silence = 0;
    socket = null;
    joined = false;
    onLine(ending, refused);
    if (!ending) pause = setTimeout(open, PAUSES[Math.min(attempts++, PAUSES.length - 1)]);
  }

  function giveUp() {
    const dead = socket;
    lose(dead);
    dead.close();
  }

  /** A phone that wakes, or is back in the net, need not wait. */
  function hurry() {
    if (!pause || document.hidden) return;
    clearTimeout(pause);
    open();
  }

  document.addEventListener("visibilitychange", hurry);
  addEventListener("offline", () => socket && giveUp()); // the browser knows it before the line does; a server on the same computer is there nevertheless
  addEventListener("online", hurry);
  open();
  return {
    /** Whether the message went out; nothing is kept for later. */
    send(message) {
      if (socket?.readyState !== WebSocket.OPEN) return false;
      socket.send(JSON.stringify(message));
      if (message.type !== "plan") silence ||= setTimeout(giveUp, SILENCE); // which alone has no answer
      return true;
    },
    /** Tries to come back to what the server ended or refused. */
    comeBack() {
      ending = "";
      refused = "";
      onLine(ending, refused);
      open();
    },
  };
}
