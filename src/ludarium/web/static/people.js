// Who plays, who is here, and the links that bring others.

import { at } from "./addresses.js";
import { ask } from "./asking.js";
import { copyFrom, handOn } from "./clipboard.js";
import { seatsOf } from "./making.js";
import { called, isolated } from "./names.js";
import { showStanding } from "./standing.js";

const inviting = new Map(); // buttons by the links that they hand on, which say on themselves that they did

/** `measures` are those of the position on the page, by one of which games may rank their players. */
export function showPlayers(list, id, { players, you, watching, game: { title, ranked_by: ranked } }, latest, measures) {
  /** @type {any} */
  const focused = list.contains(document.activeElement) ? document.activeElement : null;
  const links = new Map(freeSeats(id, players, you).map(({ player, link }) => [player, link]));
  const entries = players.map(({ name, kind, spec, nickname, page, opponent, connected, substitute }, seat) => {
    const entry = document.createElement("li");
    entry.classList.toggle("moves", latest.to_move.includes(seat) && !latest.outcome);
    if (entry.className) entry.ariaCurrent = "true";
    if (opponent) entry.append(Object.assign(document.createElement("img"), { className: "face", src: opponent.face, alt: "", width: 32, height: 32 }));
    if (opponent?.name) entry.title = `${opponent.sentence} Strength ${opponent.strength.join(" of ")}`;
    const invitation = !latest.outcome && links.has(seat) && invite(`${title}: ${name}`, location.origin + links.get(seat));
    const person = page ? pageOf(nickname, page, seat === you) : part("span", seat === you ? "you" : who({ kind, spec, nickname, page, opponent }));
    entry.append(part("strong", name), invitation || person);
    if (latest.series?.game > 1 && players.length > 1) entry.append(part("b", inWords(latest.series.points[seat]), "points"));
    if (latest.outcome?.winner === seat) entry.append(part("em", "wins", "won"));
    else if (latest.chosen.includes(seat)) entry.append(part("em", "has chosen", "chosen"));
    else if (latest.thinking.includes(seat)) entry.append(part("em", "thinking", "thinking"));
    else if (latest.out?.includes(seat)) entry.append(part("em", "out", "out"));
    else if (substitute) entry.append(part("em", `${substitute.name} plays`, "substitute"));
    else if (seat === you && !connected && !latest.outcome) entry.append(part("em", "left", "away"));
    else if (kind !== "bot" && seat !== you && connected !== null) entry.append(part("em", connected ? "here" : "away", connected ? "here" : "away"));
    return entry;
  });
  const figures = measures?.[ranked];
  if (figures && players.length > 1) showStanding(entries, ranked, figures);
  if (watching) entries.push(part("li", `${watching} watching`, "watching"));
  list.replaceChildren(...entries);
  if (focused?.isConnected) focused.focus();
}

/** A button that hands the link to a seat on. */
function invite(title, link) {
  if (!inviting.has(link)) {
    const button = Object.assign(part("button", "Invite", "invite"), { type: "button", title: "Hands on the link to this seat" });
    button.addEventListener("click", () => handOn(button, title, link));
    inviting.set(link, button);
  }
  return inviting.get(link);
}

/** Whether a person is "here", "away", "invited" (and was never here) or "out" (has left the game). */
export function stateOf({ connected, taken }, seat, { out = [] }) {
  if (out.includes(seat)) return "out";
  return connected ? "here" : taken ? "away" : "invited";
}

/** The seats of others that this browser gave out and nobody has used. */
export function freeSeats(id, players, you) {
  return seatsOf(id).filter(({ player }) => player !== you && players[player]?.taken === false);
}

/** The links to the other seats that this browser gave out and nobody has used, and the link to watch. Says whether there are any of the first. */
export function showInvitations(list, id, { players, you }, { origin }) {
  const seats = freeSeats(id, players, you);
  const links = seats.map(({ name, link }) => [`Link for ${name}`, origin + link]);
  links.push(["Link to watch", `${origin}${at(`/game/${encodeURIComponent(id)}`)}`]);
  const shown = [...list.querySelectorAll("input")].map(({ value }) => value);
  if (shown.join() === links.map(([, address]) => address).join()) return seats.length > 0; // what is selected stays so
  list.replaceChildren(
    ...links.map(([label, address]) => {
      const entry = document.createElement("li");
      const field = Object.assign(document.createElement("input"), { readOnly: true, value: address, ariaLabel: label });
      field.addEventListener("focus", () => field.select());
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: "Copy", ariaLabel: `Copy: ${label}` });
      button.addEventListener("click", () => copyFrom(button, address));
      entry.append(part("span", label), field, button, forCamera(label, address));
      return entry;
    }),
  );
  if (seats.length) list.querySelector("details").open = true;
  return seats.length > 0;
}

/** A link as a picture, drawn when somebody wants it. */
function forCamera(label, address) {
  const details = document.createElement("details");
  const place = part("div", "");
  details.append(part("summary", "For a camera"), place);
  const draw = async () => {
    const { qr } = await ask("/api/qr", address);
    const drawing = new DOMParser().parseFromString(qr, "text/html").querySelector("svg");
    place.replaceChildren(Object.assign(drawing, { role: "img", ariaLabel: label }));
  };
  details.addEventListener("toggle", () => details.open && !place.querySelector("svg") && draw().catch(({ message }) => place.replaceChildren(message)));
  return details;
}

/** How a game has ended, in a few words. */
export function resultOf({ winner, returns, reason }, players) {
  const why = inPlainWords(reason);
  return players.length === 1 ? why : winner === null ? `${withoutWinner(returns, players.map(called))}: ${why}` : `${called(players[winner])} won: ${why}`;
}

/** How a game without a winner has ended: in a draw of all players, or of those in the first place. */
export function withoutWinner(returns = [], names) {
  const best = Math.max(...returns);
  const first = names.filter((_, player) => returns[player] === best);
  return first.length < 2 || first.length === names.length ? "Draw" : `${first.slice(0, -1).join(", ")} and ${first.at(-1)} share first place`;
}

/** Why a game has ended, where a clock ended it in words for people. */
export function inPlainWords(reason) {
  return reason.replace(/^adjudicated: (agreed|only bots)/, "$1").replace(/ forfeited \(timeout: .*\)$/, " ran out of time");
}

function inWords(points) {
  return `${points.toLocaleString("en", { maximumFractionDigits: 2 })} ${points === 1 ? "point" : "points"}`;
}

/** Somebody's name, leading to their games. */
function pageOf(name, page, isOwn) {
  const link = Object.assign(part("a", name), { href: page, target: "_blank", dir: "auto" });
  const entry = part("span", "");
  entry.append(link, ...(isOwn ? [" (you)"] : []));
  return entry;
}

/** A player in plain words: an opponent's name, or `alphabeta:level=2,time=1` is "alphabeta, level 2, time 1"; players over the network have nicknames. */
export function who({ kind, spec, nickname, page, opponent }) {
  if (opponent?.name) return opponent.name;
  if (page) return isolated(nickname);
  if (nickname) return `${nickname}, ${kind === "human" ? "a person" : "a program"}`;
  return kind === "bot" ? spec.replace(":", ", ").replaceAll("=", " ").replaceAll(/,\s*/g, ", ") : "a person";
}

export function part(kind, text, name = "") {
  return Object.assign(document.createElement(kind), { textContent: text, className: name });
}
