// The waiting room of a networked game: who is there, a seat for whoever wants to play, and the way to the board once the game begins.

import { at } from "/static/addresses.js";
import { Banner } from "/static/banner.js";
import { keepOpen } from "/static/lifeline.js";
import { recall, remember } from "/static/storage.js";
import { sentence } from "/static/words.js";

const find = (selector) => document.querySelector(selector);
const room = { news: null, nickname: "", special: false, token: "" };
const line = new Banner(find("#line"));
let ending = "";
const socket = keepOpen(at("/api/room"), {
  onMessage: take,
  onLost() {
    room.token = ""; // the seat went with the connection
    line.warn(ending ? sentence(`The page was closed: ${ending}`) : "Reconnecting…");
    return !ending;
  },
});

function take(message) {
  if (message.type === "room") {
    socket.settle();
    line.reassure("The connection is back.");
    room.news = message;
    if (message.started) goToBoard(message.game);
    else if (room.nickname && !room.token) sit(room.nickname, room.special); // who wanted to before there was a connection, or lost it
    show();
  } else if (message.type === "seated") {
    room.token = message.token;
    remember(`seat-${room.news.game}`, message.token);
    show();
  } else if (message.type === "closed") {
    ending = message.reason;
  } else if (message.type === "error") {
    room.nickname = room.token = "";
    find(".problem").textContent = message.message;
    show();
  }
}

function goToBoard(game) {
  const token = room.token || recall(`seat-${game}`, "");
  location.replace(at(`/game/${encodeURIComponent(game)}${token && `#${token}`}`));
}

function sit(nickname, special) {
  Object.assign(room, { nickname, special });
  socket.send({ type: "sit", nickname, special }); // without a connection nothing goes out: with the next one nobody has a seat
}

function show() {
  const { players, watching, limits, hidden } = room.news;
  const free = limits.players - players.filter(({ special }) => !special).length;
  const freeSpecial = limits.special_players - players.filter(({ special }) => special).length;
  find("#news").textContent = hidden ? "The game has begun. It has too many players, or none, to be shown here." : waitsFor(limits, free, freeSpecial);
  find("#who").replaceChildren(
    ...players.map(({ nickname, special, person }) => entry(nickname, `${special ? "special player, " : ""}${person ? "a person" : "a program"}`)),
    ...(free > 0 ? [entry(String(free), free === 1 ? "free seat" : "free seats")] : []),
    ...(freeSpecial > 0 ? [entry(String(freeSpecial), "free seat for the special player")] : []),
    ...(watching ? [entry(String(watching), watching === 1 ? "viewer" : "viewers")] : []),
  );
  find("#sit").hidden = Boolean(room.token) || hidden || (free <= 0 && freeSpecial <= 0);
  find("#sit .primary").hidden = free <= 0;
  find("#special").hidden = freeSpecial <= 0;
  find("#seated").hidden = !room.token;
  find("#seated span").textContent = sentence(`You play as ${room.nickname}${room.special ? ", the special player" : ""}`);
}

function waitsFor({ autostart }, free, freeSpecial) {
  if (!autostart) return "It begins when whoever runs the server starts it.";
  const missing = free + freeSpecial;
  return `It begins by itself when everybody is here${missing > 0 ? `: ${missing} ${missing === 1 ? "player is" : "players are"} missing` : ""}.`;
}

function entry(name, what) {
  const item = document.createElement("li");
  item.append(Object.assign(document.createElement("strong"), { textContent: name }), ` ${what}`);
  return item;
}

find("#sit").addEventListener("submit", (event) => {
  event.preventDefault();
  find(".problem").textContent = "";
  sit(find("#nickname").value, event.submitter === find("#special"));
});
find("#stand").addEventListener("click", () => {
  room.nickname = room.token = "";
  remember(`seat-${room.news.game}`, "");
  socket.send({ type: "stand" });
  show();
});
