// The connection to the server: joins, and joins again when the line breaks, but not when the server ended it. The messages are those of
// docs/protocol.md.

const VERSION = 1;
const PAUSES = [300, 1000, 2000, 4000, 8000]; // milliseconds before each attempt to come back; the last one repeats

/** `onLine(reason)` is told null when the client has joined, "" when the line broke, and why when the server ended it. */
export function connect(game, token, { onMessage, onLine }) {
  let socket = null;
  let attempts = 0;
  let joined = false;
  let ending = ""; // why the server ends the connection

  function open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    socket = new WebSocket(`${scheme}://${location.host}/api/games/${game}/socket`);
    socket.addEventListener("open", () => socket.send(JSON.stringify({ type: "join", version: VERSION, token: token || null })));
    socket.addEventListener("message", ({ data }) => {
      const message = JSON.parse(data);
      if (message.type === "welcome") {
        attempts = 0;
        joined = true;
        onLine(null);
      }
      if (message.type === "closed") ending = message.reason;
      else if (message.type === "error" && !joined) ending = message.message;
      else onMessage(message);
    });
    socket.addEventListener("close", () => {
      socket = null;
      joined = false;
      onLine(ending);
      if (!ending) setTimeout(open, PAUSES[Math.min(attempts++, PAUSES.length - 1)]);
    });
  }

  open();
  return {
    /** Whether the message went out; nothing is kept for later. */
    send(message) {
      if (socket?.readyState !== WebSocket.OPEN) return false;
      socket.send(JSON.stringify(message));
      return true;
    },
  };
}
