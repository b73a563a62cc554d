// What the line under the board says, and which buttons it offers.

import { inPlainWords, withoutWinner } from "../people.js";
import { numbered } from "../picks.js";
import { sentence } from "../words.js";

const MOST_NAMED = 4;
const MOST_REACHED = 12;

/** {news, text, choices, tone} for the state of the page; `news` is what led to it, where there is something to say; `tone` is quiet, turn, alarm or end. */
export function describe({ welcome, latest, shown, plan, selection, confirming, typed, ahead, guides = false, invited = [] }, does) {
  const names = welcome.players.map(({ name }) => name);
  if (confirming) {
    const waves = confirming.effects.map((wave) => wave.join(" ")).join(", then ");
    const choices = [
      { label: `Confirm ${waves ? confirming.picks.at(-1) : confirming.text}`, key: "Enter", enterKey: "", kind: waves ? "danger" : "primary", onClick: does.confirm },
      { label: "Cancel", key: "Esc", onClick: does.retreat },
    ];
    return { text: waves ? `${confirming.text} reaches ${waves}` : `Play ${confirming.text}?`, choices, tone: waves ? "alarm" : "turn" };
  }
  if (!shown.latest) {
    const where = shown.ply ? `After ${shown.ply}${shown.move && `. ${shown.move}`}, of ${latest.length}` : "The start of the game";
    return { text: where, choices: [{ label: "Back to the game", key: "End", onClick: does.goToLatest }], tone: "quiet" };
  }
  if (latest.outcome) return ended(latest, welcome, does.after);
  if (selection.path.length) return { ...choosing(selection, typed, does), ...(latest.to_move.includes(welcome.you) || plan.isOpen ? {} : { tone: "quiet" }) };
  const missed = selection.missed && selection.actions.length ? { text: begins(selection, does) } : null;
  const prompt = guides ? welcome.game.prompt || `Choose a highlighted ${[...selection.first].some(does.isPiece) ? "piece" : "place"}` : "";
  const waits = invited.length ? `Waiting for ${invited.join(" and ")}: share the link. ` : ""; // to friends who have not come yet
  const yours = waits ? `${waits}You can move already` : "Your turn";
  const link = waits ? [{ label: "Show the link", onClick: does.showLink }] : [];
  if (plan.isOpen) {
    const { text, choices } = ordering(plan, welcome.game.idle, does);
    return { text: plan.given.length || plan.size === 1 ? `${yours}: ${text}` : led(`${yours}: ${text}`, prompt), choices: [...choices, ...link], tone: "turn", ...missed };
  }
  const news = latest.occasion === "takeback" ? "The last turn was taken back. " : latest.move ? `${sentence(`${latest.move}${isSentence(welcome) ? "" : " was played"}`)} ` : "";
  if (selection.actions.length && latest.to_move.includes(welcome.you)) {
    const lost = ahead.dropped ? `${ahead.dropped.text} is not possible any more. ` : "";
    return { news, text: lost + (typed ? `${yours}, moving ${typed}` : led(yours, prompt)), choices: [...wordButtons(selection, does), ...link], tone: "turn", ...missed };
  }
  if (plan.isSent) {
    const others = latest.to_move.length ? `${namesOf(latest.to_move, names)} still to choose` : "The turn is on its way";
    return { text: `Your orders are sent. ${others}`, choices: [], tone: "quiet" };
  }
  if (!latest.to_move.length) return { news, text: "The next turn is on its way", choices: [], tone: "quiet" };
  const movers = namesOf(latest.to_move, names);
  const verb = latest.thinking.length ? (latest.to_move.length > 1 ? "are thinking" : "is thinking") : "to move";
  if (ahead.chosen) return { text: `${movers} ${verb}. Then you play ${ahead.chosen.text}`, choices: [{ label: "Cancel", key: "Esc", onClick: does.forget }], tone: "quiet" };
  return { news, text: `${waits}${movers} ${verb}`, choices: link, tone: "quiet" };
}

/** What led from one position (null where the page has just come) to the next, for who does not see it: whose action, and what it reached. */
export function newsOf(before, { occasion, move, effects, events, picks }, welcome) {
  if (occasion === "takeback") return "The last turn was taken back";
  if (welcome.game.independent && !events.length && !picks.length) return ""; // what others do behind screens, many times a turn
  if (!move || (before && occasion !== "action")) return "";
  const reached = effects.flat();
  const waves = reached.length > MOST_REACHED ? `${reached.length} places` : effects.map((wave) => wave.join(" ")).join(", then ");
  const by = !isSentence(welcome) && before?.to_move.length === 1 ? `${welcome.players[before.to_move[0]].name}: ` : "";
  return `${by}${move}${waves && ` reaches ${waves}`}`;
}

/** Who one is at a table of several, for who does not see where one's name stands. */
export function roleIn({ players, you }) {
  if (players.length === 1 || players.every(({ kind }) => kind !== "human")) return "";
  return you === null ? "You are watching" : `You are ${players[you].name}`;
}

/** Whether a step's text is a sentence already. */
function isSentence({ game }) {
  return game.orders || game.hidden;
}

/** What can be pressed instead of something where no action begins. */
function begins({ missed, first }, { isElement }) {
  const there = [...first].filter(isElement);
  const list = there.length > MOST_NAMED ? `one of the ${there.length} that are marked` : [there.slice(0, -1).join(", "), there.at(-1)].filter(Boolean).join(" or ");
  const words = first.size > there.length ? "choose a word below" : "";
  return `Nothing begins at ${missed}: ${[there.length ? `press ${list}` : "", words].filter(Boolean).join(", or ")}`;
}

/** Whose turn it is, with what to do; where there is room for one line, that alone. */
function led(turn, prompt) {
  return !prompt ? turn : matchMedia("(width < 40rem)").matches ? prompt : `${turn}. ${prompt}`;
}

/** Orders may be sent when each piece has one, or at any time where doing nothing is an order. */
function ordering({ given, size }, idle, { sendOrders }) {
  const counted = size === 1 ? (given.length ? "your order is ready" : "choose a piece and what it does") : `${given.length} of ${size} have orders`;
  const choices = [{ label: given.length || !idle ? "Send" : "Send none", key: "Enter", enterKey: "s", kind: "primary", onClick: sendOrders }];
  return { text: counted, choices: given.length === size || idle ? choices : [] };
}

function choosing(selection, typed, does) {
  const elsewhere = selection.next.filter((name) => !does.isElement(name));
  const choices = wordButtons(selection, does);
  const number = elsewhere.map(numbered).find(Boolean);
  const asked = choices.length ? "what?" : number?.[0] ? `what ${number[0]}?` : "how many?";
  const what = elsewhere.length < selection.next.length ? (typed ? `move ${typed} where?` : (does.asks(selection.path.at(-1)) ?? "where to?")) : asked;
  choices.push({ label: "Cancel", key: "Esc", onClick: does.retreat });
  return { text: `${selection.path.join(" → ")}: ${what}`, choices, tone: "turn" };
}

/** A button for everything that may be picked next and is neither on the board nor a number. */
function wordButtons(selection, { isElement, take }) {
  const words = selection.next.filter((name) => !isElement(name) && !numbered(name));
  const kind = (name) => (selection.actionAfter(name)?.effects.length ? "warning" : "");
  return words.map((name) => ({ label: name, key: name[0], kind: kind(name), onClick: () => take(name) }));
}

/** Figures in words: "par 6.2". */
export function figuresOf(figures = {}) {
  return Object.entries(figures).map(([name, value]) => `${name} ${value.toLocaleString("en", { maximumFractionDigits: 1 })}`);
}

function namesOf(players, names) {
  return players.map((player) => names[player]).join(" and ");
}

function ended({ outcome: { winner, returns, reason }, figures }, { players, you }, choices) {
  const names = players.map(({ name }) => name);
  const result = winner === null ? withoutWinner(returns, names) : you === null || players.length === 1 ? `${players[winner].name} wins` : verdict(winner, players, you);
  const [told, own] = [inPlainWords(reason), players[you]?.name];
  const why = [`${own} resigned`, `${own} ran out of time`].includes(told) ? told.replace(own, "you") : told;
  return { text: `${result}: ${[why, ...figuresOf(figures)].join("; ")}`, choices, tone: "end" };
}

/** What a game's end is to one of its players; against one opponent who has a name, with that. */
function verdict(winner, players, you) {
  const opponent = players.length === 2 ? players[1 - you].opponent?.name : "";
  if (winner === you) return opponent ? `You won against ${opponent}` : "You won";
  return opponent ? `You lost to ${opponent}` : "You lost";
}
