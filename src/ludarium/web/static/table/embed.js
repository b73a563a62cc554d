// A game in a frame of another page: what is played, and the way through it. Nothing is remembered here, and nothing can be done but watch.

import { resultOf, who } from "../people.js";
import { connect } from "./socket.js";

const find = (selector) => document.querySelector(selector);
const asked = new URLSearchParams(location.search).get("ply");
let players = [];
let latest = 0; // the number of the latest position
let result = "";
let shown = /^\d+$/.test(asked ?? "") ? Number(asked) : null; // the position that the user looks at; null follows the game

const socket = connect(decodeURIComponent(location.pathname.split("/").at(-1)), { token: null }, {
  onMessage(message) {
    if (message.type === "welcome" || message.type === "players") {
      players = message.players;
      find("#players").textContent = players.map((player) => `${player.name}: ${who(player)}`).join(" – ");
    } else if (message.type === "position") {
      latest = message.length;
      if (message.latest) result = message.outcome ? resultOf(message.outcome, players) : "";
      if (shown !== null && message.occasion === "now") look(Math.min(shown, latest));
      else if (message.ply === (shown ?? latest)) show(message);
      else find("#next").disabled = false;
    }
  },
  onLine(reason) {
    if (reason !== null) find("#status").textContent = reason || "Reconnecting…";
  },
});

function show({ svg, ply, move }) {
  find("#board").replaceChildren(new DOMParser().parseFromString(svg, "image/svg+xml").documentElement);
  find("#status").textContent = ply === latest && result ? result : ply ? `${ply}. ${move}` : "Start";
  find("#previous").disabled = ply === 0;
  find("#next").disabled = ply === latest;
}

function look(ply) {
  shown = ply < latest ? ply : null;
  socket.send({ type: "look", ply });
}

find("#previous").addEventListener("click", () => look(Math.max(0, (shown ?? latest) - 1)));
find("#next").addEventListener("click", () => look(Math.min(latest, (shown ?? latest) + 1)));
