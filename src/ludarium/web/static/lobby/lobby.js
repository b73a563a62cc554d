// The lobby: a game's dialog, from its choices to a new game.

import { ask } from "../asking.js";
import { makeGame } from "../making.js";
import { recall, remember } from "../storage.js";
import { unfinishedGames } from "../unfinished.js";
import { sentence } from "../words.js";
import { sayingWhy } from "./waiting.js";

const REMEMBERED = ["with", "seat", "opponent"];
const UTF_8 = new TextDecoder("utf-8", { fatal: true });

for (const opener of document.querySelectorAll("[data-open]")) {
  opener.addEventListener("click", () => open(document.getElementById(opener.dataset.open)));
}

for (const suggestion of document.querySelectorAll("[data-fill]")) {
  suggestion.addEventListener("click", () => {
    const field = document.getElementById(suggestion.dataset.fill);
    field.value = suggestion.value;
    field.dispatchEvent(new Event("change", { bubbles: true }));
  });
}

for (const file of document.querySelectorAll("[data-into]")) {
  file.addEventListener("click", () => (file.value = "")); // or the same file, edited meanwhile, would be no change
  file.addEventListener("change", async (event) => {
    event.stopPropagation();
    const field = document.getElementById(file.dataset.into);
    const [chosen] = file.files;
    try {
      field.value = await textOf(chosen, field.maxLength);
    } catch (problem) {
      field.form.misread = (field.form.misread ?? 0) + 1;
      showProblem(field.form, `${chosen.name} ${problem.message}`, field);
      return;
    }
    field.dispatchEvent(new Event("change", { bubbles: true }));
  });
}

for (const chooser of document.querySelectorAll("[data-chooses]")) {
  showChosen(chooser);
  chooser.addEventListener("change", () => {
    const field = chosenBy(chooser);
    field.closest(".field").hidden = !isOther(chooser.selectedOptions[0]);
    if (isOther(chooser.selectedOptions[0])) return;
    field.value = chooser.value;
    field.dispatchEvent(new Event("change", { bubbles: true }));
  });
}

for (const player of document.querySelectorAll("[data-play]")) {
  player.addEventListener("click", () => {
    const dialog = document.getElementById(player.dataset.play);
    const form = dialog.querySelector("form");
    if (form.checkValidity()) return start(form, player);
    open(dialog);
    form.reportValidity();
  });
}

for (const dialog of document.querySelectorAll("dialog.new-game")) {
  const form = dialog.querySelector("form");
  const before = recall(`choices-${form.dataset.game}`, {});
  for (const [name, value] of Object.entries(before)) {
    if (form.elements[name]) form.elements[name].value = value;
  }
  showParts(form);
  dialog.querySelector(".close").addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  form.addEventListener("change", ({ target }) => {
    refusal(form).textContent = "";
    if (target.dataset.option) changeRules(form, target);
    else if (target.name === "position") showBoard(form);
    else if (!target.closest(".place")) showParts(form);
  });
  form.querySelector("[data-deal]")?.addEventListener("click", () => (misfit(form).textContent ? changeRules(form) : deal(form)));
  const rules = form.querySelector(".settings");
  rules.querySelector("summary").addEventListener("click", () => requestAnimationFrame(() => rules.open && rules.scrollIntoView())); // what opens below the last button is not missed
  form.addEventListener("invalid", () => (rules.open = true), true); // or the browser cannot say what is wrong
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    start(form, form.querySelector("[type=submit]"));
  });
}

for (const picture of document.querySelectorAll("[data-undealt]")) showDealt(picture);

addEventListener("pageshow", ({ persisted }) => persisted && location.reload()); // back from a game to a page that does not know of it, as it was left

const unfinished = document.querySelector("#unfinished");
unfinished.hidden = unfinishedGames().length === 0;
unfinished.querySelector("ul").replaceChildren(
  ...unfinishedGames().map(({ id, link, title, seats }) => {
    const entry = document.createElement("li");
    const anchor = Object.assign(document.createElement("a"), { href: link, className: "button", textContent: title });
    anchor.append(Object.assign(document.createElement("small"), { textContent: seats }));
    anchor.dataset.id = id;
    entry.append(anchor);
    return entry;
  }),
);

const asked = new URLSearchParams(location.search || location.hash.slice(1));
const wanted = document.getElementById(`new-${asked.get("game")}`);
if (wanted) {
  const position = asked.get("position");
  if (position) {
    wanted.querySelector("[name=position]").value = position;
    wanted.querySelector(".settings").open = true;
  }
  for (const field of wanted.querySelectorAll("[data-option]")) field.value = asked.get(`option-${field.dataset.option}`) ?? field.value;
  for (const chooser of wanted.querySelectorAll("[data-chooses]")) showChosen(chooser);
  open(wanted);
  if (Object.keys(options(wanted)).length) showRules(wanted.querySelector("form"));
}

function open(dialog) {
  const form = dialog.querySelector("form");
  refusal(form).textContent = "";
  dialog.showModal();
  const preview = form.querySelector(".board .preview:empty");
  preview?.append(document.querySelector(`[data-open=${dialog.id}]`).closest(".card").querySelector(".picture svg").cloneNode(true));
  showBoard(form);
  if (!dialog.dealt) deal(form);
}

/** The field that a list of choices fills, which is only seen where none of them is meant. */
function chosenBy(chooser) {
  return document.getElementById(chooser.dataset.chooses);
}

function isOther(choice) {
  return "other" in choice.dataset;
}

/** Brings a list of choices in line with the field that it fills. */
function showChosen(chooser) {
  const field = chosenBy(chooser);
  const all = [...chooser.options];
  const chosen = all.find((choice) => choice.value === field.value && !isOther(choice)) ?? all.find(isOther);
  chosen.selected = true;
  field.closest(".field").hidden = !isOther(chosen);
}

async function changeRules(form, changed) {
  if (await showRules(form, changed)) await deal(form);
}

/** What the server says of the rules that are chosen now; null if they are not the latest any more. A problem is shown. */
async function askOfRules(form, part, changed = null) {
  const given = options(form);
  const { misread } = form;
  const asked = ask(`/api/lobby/${form.dataset.game}${part}`, given).catch(({ message }) => ({ problem: message, isUnanswered: true }));
  const answer = await sayingWhy(form.dataset.game, asked);
  if (JSON.stringify(given) !== JSON.stringify(options(form))) return null; // changed meanwhile
  if (misread !== form.misread) return null; // a file was refused meanwhile, and the page says why
  showProblem(form, answer.problem ?? "", changed, !answer.isUnanswered);
  return answer;
}

/** Lets chance lay another board by the rules that are chosen now. */
async function deal(form) {
  if (!form.querySelector(".dealt")) return;
  const dealt = await askOfRules(form, "/deal");
  if (!dealt) return;
  form.closest("dialog").dealt = dealt.position ?? null;
  form.querySelector("[data-deal]").hidden = dealt.laid === false; // there is nothing to see of it
  form.querySelector(".dealt").replaceChildren(...(dealt.picture ? [drawing(dealt.picture)] : []));
  if (refusal(form).textContent) refusal(form).scrollIntoView({ block: "nearest" }); // which the picture has pushed away
}

function drawing(svg) {
  return new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
}

/** Puts a board as it may be dealt in the place of a game's picture, once the server can deal. */
async function showDealt(picture) {
  const dealt = await ask(`/api/lobby/${picture.dataset.undealt}/picture`).catch(() => null);
  if (dealt?.picture) picture.replaceChildren(drawing(dealt.picture));
}

/** The board as the rules lay it, if they do and no other position was given. */
function showBoard(form) {
  const isElsewhere = form.elements.position.value.trim() !== "";
  form.querySelector(".dealt, .preview").hidden = isElsewhere || misfit(form).textContent !== "";
  const again = form.querySelector("[data-deal]");
  if (again) again.hidden = isElsewhere;
}

/** Where it is said why no game was made. */
function refusal(form) {
  return form.querySelector(":scope > .problem");
}

function misfit(form) {
  return form.querySelector("[data-misfit]");
}

/** Returns the text of a file, or throws what is wrong with it. */
async function textOf(/** @type {File} */ file, /** @type {number} */ most) {
  if (file.size > most) throw new Error(`is too long: ${file.size.toLocaleString("en")} bytes, and ${most.toLocaleString("en")} are taken`);
  const data = await file.arrayBuffer().catch(() => null);
  if (data === null) throw new Error("cannot be read");
  const [first, second] = new Uint8Array(data);
  if (first + second === 0xff + 0xfe) throw new Error("is UTF-16 text; save it as UTF-8");
  try {
    return UTF_8.decode(data);
  } catch {
    throw new Error("is not UTF-8 text; save it as UTF-8");
  }
}

/** Why there is no board by the rules that are chosen, or "": in the place of its picture, and at the option that was changed when it came up and may be wrong. */
function showProblem(form, problem, changed = null, isWrong = true) {
  const fields = [...form.querySelectorAll("[data-option]")];
  const blamed = fields.find((field) => field.getAttribute("aria-invalid") === "true");
  const culprit = problem === misfit(form).textContent ? (blamed ?? changed) : changed;
  misfit(form).textContent = problem;
  showBoard(form);
  if (problem) form.closest("dialog").dealt = null;
  for (const field of fields) {
    const isCulprit = problem !== "" && field === culprit;
    const told = document.getElementById(`${field.id}-problem`);
    if (told) told.textContent = isCulprit ? problem : "";
    field.setAttribute("aria-invalid", isCulprit && isWrong);
    if (isCulprit) (told ?? misfit(form)).scrollIntoView({ block: "nearest" });
  }
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
    bot: form.elements.opponent ? sentence(`You play ${seat} against ${chosen("opponent")}`) : "You play alone.",
    friend: `You play ${seat}; a friend joins with your link.`,
    bots: "Programs play; you watch.",
    seats: "You choose who plays.",
  }[kind];
  seatPeople(form, kind);
}

/** Where programs alone play nobody may choose a person; where seats are chosen one by one, one person at least is proposed. */
function seatPeople(form, kind) {
  const places = [...form.querySelectorAll(".place select")];
  for (const place of places) {
    const person = place.querySelector("[data-person]");
    person.disabled = kind === "bots";
    if (kind === "bots" && person.selected) place.value = person.nextElementSibling.value;
  }
  if (kind === "seats" && !places.some((place) => place.value === "human")) places[0].value = "human";
}

/** Shows who can play by the rules that are chosen now, and what the board looks like; false if these rules do not fit together, or are not the latest. */
async function showRules(form, changed) {
  const shown = await askOfRules(form, "/seats", changed);
  if (!shown || shown.problem) return false;
  const before = new FormData(form);
  const seats = form.querySelector(".seats");
  seats.replaceChildren(...new DOMParser().parseFromString(shown.seats, "text/html").body.childNodes);
  for (const field of seats.querySelectorAll("input, select")) {
    if (!before.has(field.name)) continue;
    if (field.type === "radio") field.checked ||= field.value === before.get(field.name);
    else if ([...field.options].some(({ value }) => value === before.get(field.name))) field.value = before.get(field.name);
  }
  form.dataset.seats = shown.players.length;
  form.elements.position.placeholder = shown.start.slice(0, 300);
  form.querySelector(".preview")?.replaceChildren(drawing(shown.picture));
  showParts(form);
  return true;
}

async function start(form, button) {
  const dialog = form.closest("dialog");
  const problem = refusal(form);
  if (misfit(form).textContent) await showRules(form); // perhaps only the line was bad
  const data = new FormData(form);
  const choices = Object.fromEntries(REMEMBERED.flatMap((name) => (form.elements[name] ? [[name, form.elements[name].value]] : [])));
  remember(`choices-${form.dataset.game}`, choices);
  button.disabled = true;
  problem.textContent = "";
  try {
    const seats = Number(form.dataset.seats);
    const mine = data.get("seat") === "any" ? Math.floor(Math.random() * seats) : Number(data.get("seat") ?? 0);
    const sitting = players(data, seats, mine);
    const host = data.get("with") === "seats" ? sitting.indexOf("human") : mine;
    const wish = { game: form.dataset.game, players: sitting, ...(sitting[host] === "human" && { host }), ...settings(form, data) };
    const made = await sayingWhy(form.dataset.game, makeGame(wish));
    const own = data.get("with") === "seats" ? made.seats[0] : made.seats.find(({ player }) => player === mine);
    location.href = own?.link ?? made.watch;
  } catch (trouble) {
    button.disabled = false;
    button.focus(); // where the dialog leads back to
    if (!dialog.open) open(dialog);
    form.querySelector("[type=submit]").focus();
    problem.textContent = trouble.message;
    problem.scrollIntoView({ block: "nearest" });
  }
}

function players(data, seats, mine) {
  const kind = data.get("with");
  return Array.from({ length: seats }, (_, seat) => {
    if (kind === "friend" || (kind === "bot" && seat === mine)) return "human";
    return kind === "bot" ? data.get("opponent") : data.get(`sits-${seat}`);
  });
}

/** The position, the time control, and the options. */
function settings(form, data) {
  const position = data.get("position").trim() || (form.closest("dialog").open && form.closest("dialog").dealt);
  const clock = data.get("clock").trim();
  const lobby = data.get("lobby") ?? (form.elements.watched.disabled || data.has("watched") ? "watched" : "private"); // a fieldset that is not shown is disabled
  return { options: options(form), lobby, ...(position && { position }), ...(clock && { clock }) };
}

/** Those options that differ from their defaults. */
function options(form) {
  const fields = [...form.querySelectorAll("[data-option]")].filter((field) => field.value !== field.dataset.default);
  return Object.fromEntries(fields.map((field) => [field.dataset.option, field.value]));
}
