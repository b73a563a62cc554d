// What goes on in the house: boards that live, seats to take, games that have ended.

import { at } from "../addresses.js";
import { ask } from "../asking.js";
import { controlInWords } from "../clocks.js";
import { heldSeats } from "../held_seats.js";
import { isolated, ownName } from "../names.js";
import { part, resultOf, who } from "../people.js";
import { finishedGames, unfinishedGames } from "../unfinished.js";

const EVERY = 2000; // milliseconds between two questions
const LONGEST = 60000; // while the server does not answer

const boards = new Map(); // {tag, entry} by id
let failures = 0;
let timer = 0;

const section = (name) => document.querySelector(`#${name}`);
const { ladder } = section("now").dataset; // of which alone the boards are shown

async function look() {
  clearTimeout(timer);
  try {
    const have = [...boards.values()].map(({ tag }) => tag).join();
    const own = unfinishedGames().map(({ id }) => id).join();
    show(await ask(`/api/lobby/now?${new URLSearchParams({ have, ...(ladder ? { ladder } : { own }) })}`));
    failures = 0;
  } catch {
    failures += 1; // the server has stopped, or the line is down: it may come back
  }
  if (!document.hidden) timer = setTimeout(look, Math.min(LONGEST, EVERY * 2 ** failures) * (0.9 + 0.2 * Math.random())); // a class does not ask all at once
}

function show({ day = null, games, invitations = [], turns = {}, ended = [] }) {
  const shown = [...(day ? [{ ...day, isOfTheDay: true }] : []), ...games];
  for (const id of boards.keys()) {
    if (!shown.some((game) => game.id === id)) {
      boards.get(id).entry.remove();
      boards.delete(id);
    }
  }
  for (const game of shown) showBoard(game);
  section("now").hidden = !shown.length;
  showTurns(turns);
  fill("invitations", invitations.filter(({ id }) => !heldSeats(id).length).flatMap(invitation));
  fill("ended", ended.filter(({ id }) => !finishedGames().some((own) => own.id === id)).map(finished));
}

function showBoard(game) {
  if (!boards.has(game.id)) {
    const entry = part("li", "");
    entry.append(Object.assign(part("a", ""), { href: at(`/game/${encodeURIComponent(game.id)}`) }));
    entry.firstChild.append(part("span", "", "picture"), part("strong", ""), part("span", ""), part("small", ""));
    entry.querySelector(".picture").setAttribute("aria-hidden", "true");
    boards.set(game.id, { tag: "", entry });
    section("now").querySelector("ul")[game.isOfTheDay ? "prepend" : "append"](entry);
  }
  const known = boards.get(game.id);
  const [picture, title, players, state] = known.entry.firstChild.children;
  if (game.svg) {
    known.tag = game.tag;
    picture.replaceChildren(new DOMParser().parseFromString(game.svg, "image/svg+xml").documentElement);
  }
  say(title, game.isOfTheDay ? `Game of the day: ${game.title}` : game.title);
  say(players, game.players.map(who).join(" – "));
  const watching = game.watching ? `, ${game.watching} watching` : "";
  say(state, game.result ? `${resultOf(game.result, game.players)}; shown again, position ${game.moves}` : `Being played, position ${game.moves}${watching}`);
}

function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Whose turn it is in one's own games, as far as the server has them at hand. */
function showTurns(turns) {
  for (const { id, link, seats } of unfinishedGames()) {
    const game = document.querySelector(`#unfinished [data-id="${CSS.escape(id)}"]`);
    if (!game || !(id in turns)) continue;
    const isOwn = Boolean(turns[id]?.includes(Number(link.split("=").at(-1))));
    say(game.querySelector("small"), `${seats}. ${turns[id] === null ? "It is over" : isOwn ? "Your turn" : "Waiting"}`);
    game.classList.toggle("primary", isOwn);
  }
}

function invitation({ title, clock, options, by, seats }) {
  const rules = [...(clock ? [controlInWords(clock)] : []), ...Object.entries(options).map(([name, value]) => `${name.replaceAll("_", " ")} ${value}`)];
  return seats.map(({ name, link }) => line({ title: `Play ${title}`, link }, [...by.map((one) => `against ${isolated(one)}`), `as ${name}`, ...rules].join(", ")));
}

function finished({ id, title, players, result }) {
  return line({ title, link: at(`/game/${encodeURIComponent(id)}`) }, `${players.map(who).join(" – ")}. ${resultOf(result, players)}`);
}

function line({ title, link }, text) {
  const entry = part("li", "");
  const anchor = Object.assign(part("a", title, "button"), { href: link });
  anchor.append(part("small", text));
  entry.append(anchor);
  return entry;
}

/** Keeps what is there while nothing changes, so that neither focus nor a press are lost. */
function fill(name, entries) {
  const list = section(name)?.querySelector("ul");
  if (!list) return;
  section(name).hidden = !entries.length;
  const key = entries.map((entry) => entry.innerHTML).join();
  if (list.dataset.key !== key) list.replaceChildren(...entries);
  list.dataset.key = key;
}

const me = ownName();
if (me && section("people")) section("people").replaceChildren(isolated(me.name), part("small", "Your name; games and ratings of people"));
fill("own", finishedGames().map((game) => line(game, `${game.seats}. ${game.result}`)));
document.addEventListener("visibilitychange", () => (document.hidden ? clearTimeout(timer) : look()));
addEventListener("load", look); // boards come after what people came for
