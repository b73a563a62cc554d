// The organiser's page. The token is kept in this window alone.

import { at } from "../addresses.js";
import { ask } from "../asking.js";
import { recall, remember } from "../storage.js";
import { moment } from "../words.js";

const find = (selector) => document.querySelector(selector);
const problem = find("#problem");

async function wish(part = "", body = undefined) {
  problem.textContent = "";
  try {
    show(await ask(`/api/organiser${part}`, body, { Authorization: `Bearer ${recall("organiser", "", "sessionStorage")}` }));
  } catch ({ message }) {
    problem.textContent = message;
  }
}

function show({ games, bans }) {
  find("#enter").hidden = true;
  find("#order").hidden = false;
  find("#bans").replaceChildren(...(bans.length ? bans.map(ban) : [part("li", "Nobody is banned.")]));
  find("#games").replaceChildren(...(games.length ? games.map(game) : [part("li", "No game is in memory.")]));
}

function ban({ address, name, until }) {
  const who = address ?? name;
  return part("li", part("bdi", who), " until ", moment(new Date(1000 * until)), " ", button("Lift", `Lift the ban of ${who}`, () => wish("/ban", { address, name, hours: 0 })));
}

function game({ id, title, is_over: isOver, plies, seats, clients, lines }) {
  const link = Object.assign(part("a", title), { href: at(`/game/${encodeURIComponent(id)}`) });
  const here = clients.map(({ player, name, address }) => {
    const who = player === null ? "watches" : seats[player].name;
    return part("li", `${who}: `, part("bdi", name || "no name"), `, ${address} `, button("Ban address", `Ban address ${address}`, () => fill(address)), ...(name ? [button("Ban name", `Ban name ${name}`, () => fill(name))] : []));
  });
  const said = lines.map(({ by, text }) =>
    part("li", `${seats[by].name}: `, part("bdi", text), " ", button("Remove", `Remove: ${text}`, () => wish("/remove-line", { game: id, by, text }))),
  );
  const close = button("Close the game", `Close the game ${title}, ${id}`, () => confirm("The game ends without a result and is deleted.") && wish("/close", { game: id }));
  const who = seats.map(({ name, nickname, spec }) => `${name}: ${nickname || (spec === "human" ? "no name" : spec)}`).join(", ");
  return part("li", link, ` ${isOver ? "is over" : "is played"}, ${plies} plies. `, part("bdi", who), " ", close, part("ul", ...here, ...said));
}

/** Whoever bans still says for how long. */
function fill(who) {
  find("#who").value = who;
  find("#hours").focus();
}

function part(kind, ...content) {
  const element = document.createElement(kind);
  element.append(...content);
  return element;
}

function button(text, label, onClick) {
  const element = Object.assign(part("button", text), { type: "button", ariaLabel: label });
  element.addEventListener("click", onClick);
  return element;
}

find("#enter").addEventListener("submit", (event) => {
  event.preventDefault();
  remember("organiser", find("#token").value.trim(), "sessionStorage");
  wish();
});
find("#ban").addEventListener("submit", (event) => {
  event.preventDefault();
  const [who, kind] = [find("#who").value.trim(), event.submitter.value];
  if (kind !== "remove") wish("/ban", { [kind]: who, hours: Number(find("#hours").value) });
  else if (confirm(`Nobody can be called ${who} any more.`)) wish("/remove-name", { name: who });
});
find("#again").addEventListener("click", () => wish());
if (recall("organiser", "", "sessionStorage")) wish();
