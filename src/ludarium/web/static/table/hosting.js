// What the host of a table sees of the others' seats and can do about them, and requests for seats. "Host" in docs/protocol.md has the messages.

import { button } from "../button.js";
import { handedOut } from "../making.js";
import { isolated } from "../names.js";
import { part, stateOf } from "../people.js";

const IN_WORDS = { invited: "invited, not here yet", here: "here", away: "away", out: "has left the game" };

export class Hosting {
  #table;
  #section;
  #offers;
  #send;
  #asks = [];
  #waits = new Set(); // seats of players who are away and whom the host waits for
  #shown = {};

  /** `section` has a list and a template with the bots to choose from; `offers` shows lines that ask for an answer. */
  constructor(table, section, offers, send) {
    this.#table = table;
    this.#section = section;
    this.#offers = offers;
    this.#send = send;
  }

  /** Shows the latest state of all seats. */
  show() {
    const { you, players, latest, welcome } = this.#table;
    const isHost = you !== null && Boolean(players[you].host);
    const seats = isHost ? players.flatMap((player, seat) => (player.kind === "human" && seat !== you ? [{ ...player, seat, state: stateOf(player, seat, latest) }] : [])) : [];
    for (const { seat, state, substitute } of seats) if (state !== "away" || substitute) this.#waits.delete(seat);
    const isRunning = !latest.outcome;
    const absent = seats.filter(({ seat, state, substitute }) => isRunning && state === "away" && !substitute && latest.to_move.includes(seat) && !this.#waits.has(seat));
    if (this.#isNew("rows", [seats, isRunning])) this.#showRows(seats.map((seat) => this.#row(seat, isRunning)));
    if (this.#isNew("notes", [this.#asks, absent])) {
      this.#offers.note([...this.#asks.map((one) => this.#asked(one, players)), ...absent.map((seat) => this.#absent(seat, Boolean(welcome.time_control)))]);
    }
  }

  /** Whether a part of the page shows something else than this. What stays the same keeps the focus and what is chosen in it. */
  #isNew(part, shown) {
    const text = JSON.stringify(shown);
    const before = this.#shown[part];
    this.#shown[part] = text;
    return text !== before;
  }

  #showRows(rows) {
    const list = this.#section.querySelector("ul");
    const focused = list.contains(document.activeElement) ? document.activeElement.ariaLabel : null;
    this.#section.hidden = !rows.length;
    list.replaceChildren(...rows);
    if (focused) (list.querySelector(`[aria-label=${JSON.stringify(focused)}]`) ?? list.querySelector("button"))?.focus(); // the state has changed under one's finger
  }

  /** What the server says of open requests. */
  hear({ asks }) {
    this.#asks = asks;
  }

  /** A new link for a seat: handed on as those that came with the game. */
  take(game, { seat, link }, { name }) {
    handedOut(game, { player: seat, name, link, token: link.split("#")[1] });
  }

  #row({ name, seat, state, substitute }, isRunning) {
    const entry = part("li", "");
    const said = substitute ? `${IN_WORDS[state]}; ${substitute.name} plays` : IN_WORDS[state];
    entry.append(part("strong", name), part("em", said, state));
    if (state === "out") return entry;
    const tools = part("div", "", "row");
    tools.append(this.#press(`New link for ${name}`, "New link", () => this.#send({ type: "invite", seat })));
    if (isRunning && substitute) tools.append(this.#press(`Stop ${substitute.name}, which plays for ${name}`, `Stop ${substitute.name}`, () => this.#send({ type: "substitute", seat, player: null })));
    else if (isRunning && state !== "here") {
      const bots = this.#bots();
      bots.ariaLabel = `Bot for ${name}`;
      tools.append(bots, this.#press(`Let it play for ${name}`, "Let it play", () => this.#substitute(seat, bots.value)));
    }
    entry.append(tools);
    return entry;
  }

  #bots() {
    return this.#section.querySelector("template").content.firstElementChild.cloneNode(true);
  }

  #press(label, text, onClick) {
    const node = button({ label: text, onClick });
    node.ariaLabel = label;
    return node;
  }

  #substitute(seat, player) {
    this.#send({ type: "substitute", seat, player });
  }

  #asked({ ask, seat, name }, players) {
    const answer = (label, accept, kind) => button({ label, kind, onClick: () => this.#send({ type: "answer", ask, accept }) });
    const entry = part("li", "");
    entry.dataset.ask = ask;
    entry.append(part("span", `${name ? isolated(name) : "A visitor"} with an old link asks for the seat of ${players[seat].name}`), answer("Give the seat", true, "primary"), answer("Refuse", false));
    return entry;
  }

  #absent({ name, seat }, isTimed) {
    const entry = part("li", "");
    const bot = this.#bots();
    const wait = () => {
      this.#waits.add(seat);
      this.show();
    };
    entry.append(
      part("span", `${name} is away`),
      button({ label: `Let ${bot.selectedOptions[0].dataset.name} play`, kind: "primary", onClick: () => this.#substitute(seat, bot.value) }),
      button({ label: isTimed ? "Let the clock decide" : "Wait", onClick: wait }),
    );
    return entry;
  }
}
