// What players offer each other, in a line of its own: nobody has to answer before playing on.

import { button } from "../button.js";
import { called } from "../names.js";

const WORDS = {
  rematch: { mine: "You offer a rematch", theirs: "offers a rematch", declined: "The rematch was declined" },
  draw: { mine: "You offer a draw", theirs: "offers a draw", declined: "The draw was declined" },
  pause: { mine: "You ask for a pause", theirs: "asks for a pause", declined: "The pause was declined" },
  takeback: { mine: "You ask to take back your last turn", theirs: "asks to take back the last turn", declined: "Taking back was declined" },
};

export class Offers {
  /** `send` sends a message to the server. */
  constructor(list, send) {
    this.list = list;
    this.send = send;
    this.open = [];
    this.lines = [];
    this.notes = [];
  }

  /** Shows lines of others, above what is offered. */
  note(notes) {
    this.notes = notes;
    this.#replace();
  }

  /** Shows what the latest position says. */
  show({ offers, occasion, paused }, { you, players }) {
    const gone = this.open.filter(({ kind }) => !offers.some((offer) => offer.kind === kind));
    const declined = occasion === "decline" ? gone.filter(({ accepted }) => accepted.includes(you)) : []; // told to those who were for it
    this.open = offers;
    this.isAsked = you !== null && offers.some(({ accepted }) => !accepted.includes(you));
    const lines = [...offers.map((offer) => this.#line(offer, you, players)), ...declined.map(({ kind }) => line(WORDS[kind].declined))];
    if (paused) lines.unshift(line("The clocks stand by agreement, until somebody moves or resumes", ...(you === null ? [] : [button({ label: "Resume", onClick: () => this.send({ type: "resume" }) })])));
    this.lines = lines;
    this.#replace();
  }

  /** Lines that stay the same stay where they are: so does the focus, and nobody hears them again. */
  #replace() {
    const before = [...this.list.children];
    const isSame = (one, other) => one.textContent === other.textContent && one.dataset.ask === other.dataset.ask;
    const after = [...this.notes, ...this.lines].map((entry) => before.find((one) => isSame(one, entry)) ?? entry);
    for (const entry of before) if (!after.includes(entry)) entry.remove();
    after.forEach((entry, index) => this.list.children[index] !== entry && this.list.insertBefore(entry, this.list.children[index] ?? null));
  }

  has(kind) {
    return this.open.some((offer) => offer.kind === kind);
  }

  #line({ kind, by, accepted }, you, players) {
    const answer = (label, type, look) => button({ label, kind: look, onClick: () => this.send({ type, kind }) });
    const asked = players.flatMap((player, seat) => (player.kind === "human" && !accepted.includes(seat) ? [called(player)] : []));
    const text = by === you ? WORDS[kind].mine : `${called(players[by])} ${WORDS[kind].theirs}`;
    if (you === null) return line(text);
    if (!accepted.includes(you)) return line(text, answer("Accept", "accept", "primary"), answer("Decline", "decline"));
    return line(`${text}; ${asked.join(" and ")} can accept`, answer(by === you ? "Withdraw" : "Decline", "decline"));
  }
}

function line(text, ...buttons) {
  const entry = document.createElement("li");
  entry.append(Object.assign(document.createElement("span"), { textContent: text }), ...buttons);
  return entry;
}
