// A WebSocket that is known to be alive. It pings every few seconds; where the server does not answer, or the line breaks, it is opened again. The messages
// are those of docs/protocol.md.

const BEAT = 5000; // milliseconds between two pings; one that is not answered until the next one would be due is the last
const PAUSES = [300, 1000, 2000, 4000, 8000]; // milliseconds before each attempt to come back; the last one repeats
const BEATS_TO_BEGIN = 12; // in which the server answers for the first time: it may have to compile a game

/**
 * Keeps a connection to an `address` of the server. `first()` is what each begins with, if there is something; `onLost()` says whether to come back.
 */
export function keepOpen(address, { first = () => null, onMessage, onLost }) {
  let socket = null;
  let attempts = 0;
  let pause = 0; // the timer of the next attempt
  let beats = 0; // the timer of pings
  let silent = 0; // beats since the server has said something
  let isNew = true; // whether it has said nothing yet on this connection

  function open() {
    pause = 0;
    const opened = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${address}`);
    socket = opened;
    isNew = true;
    restart();
    opened.addEventListener("open", () => {
      silent = 0;
      const message = first();
      if (message) opened.send(JSON.stringify(message));
    });
    opened.addEventListener("close", () => lose(opened));
    opened.addEventListener("message", ({ data }) => {
      if (opened !== socket) return;
      silent = 0;
      isNew = false;
      const message = JSON.parse(data);
      if (message.type !== "pong") onMessage(message);
    });
  }

  function restart() {
    clearInterval(beats);
    silent = 0;
    beats = setInterval(beat, BEAT);
  }

  function beat() {
    const isBeginning = isNew && socket.readyState === WebSocket.OPEN;
    if (silent >= (isBeginning ? BEATS_TO_BEGIN : 1)) giveUp();
    else ping();
  }

  /** Browsers slow a hidden page's timers down, so the server is told and does not wait for its pings. */
  function ping() {
    silent += 1;
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ type: "ping", hidden: document.hidden }));
  }

  function lose(closed) {
    if (closed !== socket) return; // it was given up before
    clearInterval(beats);
    socket = null;
    if (onLost()) pause = setTimeout(open, PAUSES[Math.min(attempts++, PAUSES.length - 1)]);
  }

  function giveUp() {
    const dead = socket;
    lose(dead);
    dead.close();
  }

  /** A phone that wakes, or is back in the net, need not wait; and a line may have died meanwhile. */
  function wake() {
    if (pause && !document.hidden) {
      clearTimeout(pause);
      open();
    } else if (socket) {
      restart();
      ping();
    }
  }

  document.addEventListener("visibilitychange", wake);
  addEventListener("pageshow", ({ persisted }) => persisted && wake());
  addEventListener("online", wake);
  addEventListener("offline", () => socket && giveUp()); // the browser knows it before the line does; a server on the same computer is there nevertheless
  open();
  return {
    open,
    /** Whether the message went out; nothing is kept for later. */
    send(message) {
      if (socket?.readyState !== WebSocket.OPEN) return false;
      socket.send(JSON.stringify(message));
      return true;
    },
    /** The server has let this page in: the next attempt, should the line break, follows soon, or after so many `pauses`. */
    settle(pauses = 0) {
      attempts = pauses;
    },
  };
}
