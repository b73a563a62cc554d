// The connection to the server: joins, and joins again when the line breaks. The messages are those of docs/protocol.md.

const VERSION = 1;
const PAUSES = [300, 1000, 2000, 4000, 8000]; // milliseconds before each attempt to come back; the last one repeats
const FINAL = new Set(["bad_token", "no_such_game", "bad_version", "bad_origin"]);

export function connect(game, token, { onMessage, onLine }) {
  let socket = null;
  let attempts = 0;
  let over = false;

  function open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    socket = new WebSocket(`${scheme}://${location.host}/api/games/${game}/socket`);
    socket.addEventListener("open", () => socket.send(JSON.stringify({ type: "join", version: VERSION, token: token || null })));
    socket.addEventListener("message", ({ data }) => {
      const message = JSON.parse(data);
      if (message.type === "welcome") {
        attempts = 0;
        onLine("open");
      }
      if (message.type === "closed" || (message.type === "error" && FINAL.has(message.code))) over = message.type === "error";
      onMessage(message);
    });
    socket.addEventListener("close", () => {
      socket = null;
      onLine(over ? "over" : "lost");
      if (!over) setTimeout(open, PAUSES[Math.min(attempts++, PAUSES.length - 1)]);
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
