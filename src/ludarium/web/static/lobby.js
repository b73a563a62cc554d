// The lobby: a game's dialog, from its choices to a new game.

import { makeGame } from "./making.js";
import { recall, remember } from "./storage.js";
import { unfinishedGames } from "./unfinished.js";

const REMEMBERED = ["with", "seat", "opponent"];

for (const opener of document.querySelectorAll("[data-open]")) {
  opener.addEventListener("click", () => document.getElementById(opener.dataset.open).showModal());
}

for (const player of document.querySelectorAll("[data-play]")) {
  player.addEventListener("click", () => start(document.getElementById(player.dataset.play).querySelector("form"), player));
}

for (const dialog of document.querySelectorAll("dialog")) {
  const form = dialog.querySelector("form");
  const before = recall(`choices-${form.dataset.game}`, {});
  for (const [name, value] of Object.entries(before)) {
    if (form.elements[name]) form.elements[name].value = value;
  }
  showParts(form);
  dialog.querySelector(".close").addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  form.addEventListener("change", () => showParts(form));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    start(form, form.querySelector("[type=submit]"));
  });
}

const unfinished = document.querySelector("#unfinished");
unfinished.hidden = unfinishedGames().length === 0;
unfinished.querySelector("ul").replaceChildren(
  ...unfinishedGames().map(({ link, title, seats }) => {
    const entry = document.createElement("li");
    const anchor = Object.assign(document.createElement("a"), { href: link, className: "button", textContent: title });
    anchor.append(Object.assign(document.createElement("small"), { textContent: seats }));
    entry.append(anchor);
    return entry;
  }),
);

const asked = new URLSearchParams(location.search);
const wanted = document.getElementById(`new-${asked.get("game")}`);
if (wanted) {
  const position = asked.get("position");
  if (position) {
    wanted.querySelector("[name=position]").value = position;
    wanted.querySelector(".settings").open = true;
  }
  for (const field of wanted.querySelectorAll("[data-option]")) field.value = asked.get(`option-${field.dataset.option}`) ?? field.value;
  wanted.showModal();
}

/** Shows the questions that matter for the kind of game chosen, and beside the lobby's button what it would start. */
function showParts(form) {
  const kind = form.elements.with.value;
  for (const part of form.querySelectorAll("[data-for]")) {
    part.hidden = part.disabled = !part.dataset.for.split(" ").includes(kind);
  }
  const chosen = (name) => form.querySelector(`[name=${name}]:checked + span`).firstChild.textContent.trim();
  const seat = form.elements.seat.value === "any" ? "a side drawn by lot" : chosen("seat");
  document.querySelector(`#proposal-${form.dataset.game}`).textContent = {
    bot: `You play ${seat} against ${chosen("opponent").toLowerCase()}.`,
    friend: `You play ${seat}; a friend joins with your link.`,
    bots: "Two programs play; you watch.",
  }[kind];
}

async function start(form, button) {
  const problem = form.querySelector(".problem");
  const data = new FormData(form);
  const choices = Object.fromEntries(REMEMBERED.map((name) => [name, form.elements[name].value]));
  remember(`choices-${form.dataset.game}`, choices);
  button.disabled = true;
  problem.textContent = "";
  try {
    const seats = Number(form.dataset.seats);
    const mine = data.get("seat") === "any" ? Math.floor(Math.random() * seats) : Number(data.get("seat") ?? 0);
    const made = await makeGame({ game: form.dataset.game, players: players(data, seats, mine), ...settings(form, data) });
    location.href = made.seats.find(({ player }) => player === mine)?.link ?? made.watch;
  } catch (trouble) {
    problem.textContent = trouble.message;
    button.disabled = false;
    if (!form.closest("dialog").open) form.closest("dialog").showModal();
  }
}

function players(data, seats, mine) {
  const kind = data.get("with");
  return Array.from({ length: seats }, (_, seat) => {
    if (kind === "friend" || (kind === "bot" && seat === mine)) return "human";
    return kind === "bot" ? data.get("opponent") : data.get(`bot-${seat}`);
  });
}

/** The position and those options that differ from their defaults. */
function settings(form, data) {
  const options = {};
  for (const field of form.querySelectorAll("[data-option]")) {
    if (field.value !== field.dataset.default) options[field.dataset.option] = field.value;
  }
  const position = data.get("position").trim();
  return position ? { options, position } : { options };
}
