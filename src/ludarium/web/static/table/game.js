// The page of one game: puts what the server says on the page, and turns what the user does into messages.

import { at } from "../addresses.js";
import { Ahead, mayChooseAhead } from "./ahead.js";
import { Board } from "./board.js";
import { button } from "../button.js";
import { celebrate } from "./celebration.js";
import { Charts } from "./charts.js";
import { Chat } from "./chat.js";
import { Choosing, fromKeyboard } from "./choosing.js";
import { copyFrom } from "../clipboard.js";
import { Clocks } from "../clocks.js";
import { Countdown } from "./countdown.js";
import { Crowd } from "./crowd.js";
import { Focus } from "./focus.js";
import { Foresight } from "./foresight.js";
import { Handover } from "../handover.js";
import { Happenings } from "./happenings.js";
import { Dragging } from "./dragging.js";
import { changeSeat, enterSeat, holdSeat, keysOf, releaseSeat, usedLink } from "../held_seats.js";
import { Hosting } from "./hosting.js";
import { listenToKeys, showEnter } from "./keyboard.js";
import { goToRematch, rememberTable } from "./leaving.js";
import { Line } from "./line.js";
import { Log } from "./log.js";
import { Looks } from "./looks.js";
import { listenToOffering, showOffering } from "./offering.js";
import { Offers } from "./offers.js";
import { ownModule } from "./own_module.js";
import { open, takeDrops } from "../opening.js";
import { freeSeats, showInvitations, showPlayers } from "../people.js";
import { ordersAsActions } from "../picks.js";
import { Plan } from "./plan.js";
import { Replay } from "./replay.js";
import { Saying } from "./saying.js";
import { Showing } from "./showing.js";
import { connect } from "./socket.js";
import { play as playSound, soundOf, watchTime } from "./sounds.js";
import { describe, figuresOf, newsOf, roleIn } from "./status.js";
import { recall, remember } from "../storage.js";
import { Summary } from "./summary.js";
import { Table } from "./table.js";
import { Tabs } from "./tabs.js";
import { Timeline } from "./timeline.js";
import { TypeAhead } from "./type_ahead.js";
import { WayBack } from "./way_back.js";
import { Zoom } from "./zoom.js";

const id = decodeURIComponent(location.pathname.split("/").at(-1));
const MOST_WAYS = 12; // that are read aloud
const find = (selector) => document.querySelector(selector);
const isServed = document.body.classList.contains("served");
const table = new Table(id, enterSeat(id, isServed), isServed);

table.refocus = recall("by-keys", false, "sessionStorage"); // from the game before this one
remember("by-keys", false, "sessionStorage");

const board = new Board(find("#board"), press, confirm);
const zoom = new Zoom(find("#board"), find("#zoom"));
board.onShow = (svg, box) => zoom.show(svg, box);
const plan = new Plan(find("#orders"), (piece) => choosing.follow([piece]), planned);
const choosing = new Choosing(board, find("#chooser"), plan, {
  onAct: act,
  onOrder({ slot, picks }) {
    plan.set(slot, picks);
    saying.hear(`${picks[0]}: ${picks.slice(1).join(" ")}`);
    planned();
  },
  onDrop: (begun, name) => saying.hear(`${begun} can do nothing at ${name}`),
  onChange: showStatus,
  guides,
  drawMore({ selection }) {
    if (table.shown.latest) ahead.mark();
    own.marks({ orders: choosing.orders, path: selection.path, next: selection.next });
  },
});
const ahead = new Ahead(board, {
  ask: () => socket.send({ type: "ahead" }),
  act: (action, ply) => send({ type: "act", ply, action: action.text }),
});
new Dragging(board, choosing, (pick) => own.drags(pick));
const looks = new Looks((ply) => socket.send({ type: "look", ply }));
const timeline = new Timeline(
  find("#moves"),
  { first: find("#first"), previous: find("#previous"), next: find("#next"), last: find("#last") },
  (ply) => {
    showing.skip();
    choosing.cancel();
    looks.want(ply);
  },
);
const replay = new Replay({ slider: find("#slider"), play: find("#play-pause"), speed: find("#speed") }, timeline, () => showing.waiting || looks.isWaiting);
const countdown = new Countdown(find("#clock"));
const clocks = new Clocks();
const chat = new Chat(find("#talk"), find("#tab-talk"), (text) => send({ type: "say", text }));
const charts = new Charts(find("#charts"));
const crowd = new Crowd(find("#crowd"));
const offers = new Offers(find("#offers"), send);
const hosting = new Hosting(table, find("#hosting"), offers, send);
const line = new Line(table, () => socket.comeBack());
const foresight = new Foresight((message) => socket.send(message));
const handover = new Handover(find("#handover"), askForCode);
const log = new Log(find("#happened"), find("#log"));
const tabs = new Tabs(find("#tabs"), () => {
  timeline.show(timeline.at); // lists can be scrolled to what is shown only while they are seen
  log.show(log.at, log.count);
});
const wayBack = new WayBack(table, usedLink(), send, tabs);
let begin;
const begun = new Promise((resolve) => (begin = resolve));
const socket = connect(id, keysOf(table.held), {
  onMessage: (message) => begun.then(() => messages[message.type]?.(message)),
  onLine: (reason, refused) => begun.then(() => (refused === "bad_token" ? watchInstead() : line.show(reason, refused))),
}); // while the game's own module is still on its way
const own = await ownModule(find("main").dataset.module, {
  board,
  panel: find("#own"),
  get welcome() {
    return table.welcome;
  },
  get shown() {
    return table.shown;
  },
  get secondsLeft() {
    return secondsLeft();
  },
  next: () => choosing.selection.next,
  pick: (...picks) => choosing.follow(picks),
  act: (text) => act({ text }, fromKeyboard()),
  foresee: (actions) => (table.you === null ? Promise.resolve(null) : foresight.ask(table.shown.ply, actions)),
  send: sendOrders,
  refresh: () => table.shown && choosing.show(),
  status: showStatus,
  tell: (count) => log.show(table.telling, count),
  replay: (turn) => showing.again(turn),
});
log.headingsOf = own.headings;
const summary = new Summary(find("#summary"), (ply) => {
  timeline.go(ply);
  find("#board > svg").scrollIntoView({ block: "nearest" }); // on phones it is above what was pressed
});
const saying = new Saying(find("#said"));
const focus = new Focus(board);
const arrived = (before, position) => saying.arrive(newsOf(before, position, table.welcome));
const showing = new Showing(table, { board, choosing, plan, timeline, log, charts, own, tell: showStatus, tellMore, arrived, settled, end: theEnd });
const typeAhead = new TypeAhead(isWaitingForOrders, showStatus);
const happenings = new Happenings(looks, (steps) => own.happened(steps) !== false);

let standing = ""; // how things are, as the line under the board says
let isAwaited = false; // whether what was played has not been answered
let isSpeaking = false; // whether what is new is about to be said
let latest = null; // the position that came last, whether or not it is shown yet
const messages = {
  welcome(message) {
    if (!table.welcome) saying.hear(roleIn(message));
    latest = null;
    hosting.hear({ asks: [] });
    table.welcome = message;
    line.begin();
    notice(""); // that there was no connection
    looks.reset();
    showing.afterwards(() => {
      charts.setHistory(message.measures);
      timeline.setMoves(message.moves);
      timeline.show(message.moves.length);
    });
    if (table.held) holdSeat(id, { ...table.held, seat: message.you });
    if (showInvitations(find("#invitations"), id, message, location)) tabs.show("share");
    wayBack.begin(message);
    chat.begin(message);
  },
  position(message) {
    const { welcome } = table;
    message.actions.push(...ordersAsActions(message.orders, welcome.game.idle));
    if (message.latest) {
      isAwaited = false;
      playSound(soundOf(latest, message, table.you, document.hidden));
      latest = message;
      clocks.set(message.clocks, welcome.clock ? message.to_move : welcome.players.map((_, seat) => seat)); // of a turn's clocks only theirs
      countdown.set(message.clock); // which runs while earlier positions are still being shown
      crowd.see(message, welcome.you);
      ahead.see(message, welcome);
      offers.show(message, welcome); // which may be answered while earlier positions are still being shown
    }
    showing.take(message);
    showing.afterwards(() => happenings.take(message, table.shown));
    if (message.occasion === "look") looks.answered();
  },
  players({ players, watching }) {
    players.forEach(({ name, kind, connected }, seat) => {
      if (kind === "human" && seat !== table.you && connected !== null && connected !== table.players[seat].connected) saying.hear(`${name} is ${connected ? "here" : "away"}`);
    });
    Object.assign(table.welcome, { players, watching });
    chat.meet(players);
    showInvitations(find("#invitations"), id, table.welcome, location);
    showStatus();
  },
  ahead(message) {
    const pressed = ahead.answer(message, table.latest, table.welcome);
    if (!pressed || table.shown !== table.latest) return;
    choosing.selection.actions = message.actions;
    for (const name of pressed) choosing.pick(name, false);
    choosing.show();
  },
  record: ({ problem }) => line.showKeeping(problem),
  said({ lines, anew }) {
    chat.add(lines, anew);
    if (anew || lines.length > 1 || lines[0].by === table.you) return; // more are what was said before
    playSound(chat.isOn && "chat");
    if (chat.isOutOfSight) tell(chat.spoken(lines[0]));
  },
  code: (message) => handover.show(message),
  asked: ({ seat }) => wayBack.asked(table.players[seat].name),
  asks(message) {
    hosting.hear(message);
    showStatus();
  },
  invitation(message) {
    if (table.you === null) {
      location.hash = message.link.split("#")[1]; // the seat is this window's
      return;
    }
    hosting.take(id, message, table.players[message.seat]);
    showInvitations(find("#invitations"), id, table.welcome, location);
    tabs.show("share");
    showStatus();
  },
  foresight: (message) => foresight.answered(message),
  plan({ ply, orders }) {
    plan.take(ply, orders);
    choosing.show();
  },
  error({ message }) {
    isAwaited = false;
    wayBack.refused();
    looks.reset();
    notice(message);
    own.refused();
    if (!table.shown) return;
    choosing.begin(table.offered()); // nothing has changed
    choosing.show();
    typeAhead.press();
  },
};

/** This window's link, or its own token, opens no seat any more. */
function watchInstead() {
  const { link, token } = table.held;
  releaseSeat(id, table.held);
  changeSeat(null, link ?? token);
}

function askForCode() {
  send({ type: "code" });
}

function secondsLeft() {
  return countdown.left ?? (table.welcome && clocks.left(table.welcome.you));
}
watchTime(() => (table.isPlaying && table.latest ? secondsLeft() : null), tell);

// Playing.

function press(name, byKeyboard) {
  if (own.press(name, byKeyboard)) return;
  ahead.forget();
  if (!ahead.notes(name, table.shown)) choosing.pick(name, byKeyboard);
}

function act(action, byKeyboard) {
  if (mayChooseAhead(table.latest, table.welcome.game, table.you)) {
    ahead.choose(action);
    choosing.cancel();
    return;
  }
  table.refocus = byKeyboard;
  play({ action: action.text });
}

function planned() {
  if (plan.isOpen) socket.send({ type: "plan", ply: plan.ply, orders: plan.orders });
  choosing.show();
}

function sendOrders() {
  if (!plan.isOpen || table.shown.ply !== plan.ply || (plan.given.length < plan.size && !table.welcome.game.idle)) return false;
  table.refocus = fromKeyboard();
  play({ orders: plan.orders });
  return true;
}

/** Whether orders will be taken later, but not now: those of this turn are sent, or the next one is still being shown. */
function isWaitingForOrders() {
  if (!table.isPlaying || !table.welcome.game.orders) return false;
  return isAwaited || showing.waiting > 0 || (table.shown === table.latest && !plan.isOpen);
}

/** All positions that came have been shown. */
function settled() {
  if (!table.latest?.outcome) typeAhead.press();
  speak();
}

/** What Enter does where it presses nothing: it plays what is to be confirmed, or sends the orders. */
function confirm() {
  if (!choosing.confirming) return !choosing.selection.path.length && sendOrders();
  act(choosing.confirming, fromKeyboard());
  return true;
}

function play(choice) {
  const sent = send({ type: "act", ply: table.shown.ply, ...choice });
  table.hasActed ||= sent;
  if (!sent) own.refused();
  isAwaited = sent;
  choosing.begin(sent ? { ...table.shown, actions: [] } : table.offered());
  choosing.show();
}

function send(message) {
  const sent = socket.send(message);
  if (!sent) notice("Not connected: nothing was done.");
  return sent;
}

// What the page says, and the buttons that go with it.

/** Whether the user is to be told how to begin. */
function guides() {
  const { latest, you } = table;
  return !table.hasActed && !own.prompts && table.shown === latest && (latest.to_move.includes(you) || plan.isOpen);
}

/** The players for whom the user has an invitation that is not used yet. */
function invited() {
  return table.latest?.outcome ? [] : freeSeats(id, table.players, table.you).map(({ player }) => table.names[player]);
}

function showLink() {
  tabs.show("share");
  find("#invitations").scrollIntoView({ block: "center" });
  find("#invitations input").focus();
}

function showStatus() {
  if (!table.shown || !table.welcome) return;
  const { selection, confirming, typed } = choosing;
  const { news = "", text, heard = text, choices, tone } = own.prompt() ?? describe(
    { ...table, plan, selection, confirming, typed, ahead, guides: guides(), invited: invited() },
    {
      isElement: (name) => board.has(name),
      asks: (name) => board.asks(name),
      isPiece: (name) => Boolean(board.elements.get(name)?.querySelector("[data-piece]")),
      take: (name) => choosing.take(name),
      retreat: () => choosing.retreat(),
      confirm: () => act(choosing.confirming, fromKeyboard()),
      sendOrders,
      forget: forgetAhead,
      showLink,
      goToLatest: () => timeline.go(timeline.moves.length),
      after: afterTheEnd(),
    },
  );
  const status = find("#status");
  const typedAhead = typeAhead.text(Boolean(table.latest.outcome));
  const said = `${table.hasLeft ? "You have left. " : ""}${news}${text}${typedAhead}`;
  if (status.textContent !== said) status.textContent = said;
  find("#prompt").dataset.tone = tone;
  document.title = `${tone === "turn" || offers.isAsked ? "● " : ""}${table.welcome.game.title} · Ludarium`;
  const offered = find("#choices");
  const labels = choices.map(({ label }) => label).join();
  if (offered.dataset.labels !== labels) offered.replaceChildren(...choices.map(button)); // otherwise the focus stays where it is
  offered.dataset.labels = labels;
  showEnter(offered.children, board);
  find("#orders").hidden = table.shown.ply !== plan.ply;
  showPlayers(find("#players"), id, table.welcome, table.isMoving ? { ...table.latest, outcome: null } : table.latest, table.shown.measures);
  clocks.show(find("#players").children);
  find("#continue").hidden = table.you === null;
  find("#resign").hidden = !table.isPlaying;
  showOffering(table, offers);
  hosting.show();
  rememberTable(table);
  focus.keep();
  standing = heard + typedAhead;
  speak();
}

/** Says what is new to who does not see it: of all that changes at once, once. */
function speak() {
  if (!isSpeaking) queueMicrotask(speakNow);
  isSpeaking = true;
}

/** Not before all of it has been shown, and while nobody waits for dice that fall at once. */
function speakNow() {
  isSpeaking = false;
  if (!table.shown || !table.welcome || isAwaited) return;
  const isPassing = table.shown.latest && !table.shown.to_move.length && !table.shown.outcome;
  if (!showing.waiting && !table.isMoving && !isPassing) saying.say(standing + ways());
}

/** Where something that was picked can go, and what else can be done with it; where nothing begins, what begins elsewhere and is only marked. If these are few. */
function ways() {
  const { path, next, missed } = choosing.selection;
  if (choosing.confirming || !next.length || next.length > MOST_WAYS) return "";
  if (path.length) return ` ${next.join(", ")}`;
  return missed && standing.endsWith("marked") ? `: ${next.join(", ")}` : "";
}

/** Says something now. */
function tell(text) {
  saying.hear(text);
  speak();
}

/** What stands beside the board of a position. */
function tellMore({ facts, figures }) {
  const lines = [...facts, ...figuresOf(figures)].map((fact) => Object.assign(document.createElement("li"), { textContent: fact }));
  find("#facts").replaceChildren(...lines);
  summary.show(table.latest, table.names, timeline.moves);
}

/** The game has ended before one's eyes. */
function theEnd() {
  if (!document.activeElement?.closest("#talk")) tabs.show("numbers"); // nobody is led away from what they write
  if (table.hasWon) celebrate(find("#board > svg"));
}

function forgetAhead() {
  if (ahead.forget()) choosing.show();
}

let noticeTimer = 0;
function notice(text) {
  find("#notice").textContent = text;
  clearTimeout(noticeTimer);
  if (text) noticeTimer = setTimeout(() => (find("#notice").textContent = ""), 8000);
}

if (!isServed) takeDrops((given) => open(given).catch(({ message }) => notice(message)));

// The buttons beside the board.

/** What can be pressed when the game is over. */
function afterTheEnd() {
  const { you, players, latest } = table;
  if (latest.next) return [{ label: "To the rematch", kind: "primary", onClick: () => goToRematch(table, latest.next) }];
  if (you === null || isServed || offers.has("rematch")) return [];
  const others = players.some(({ kind }, seat) => seat !== you && kind === "human");
  return [{ label: others ? "Offer a rematch" : "Play again", kind: "primary", onClick: () => send({ type: "offer", kind: "rematch" }) }];
}

function flip() {
  if (!find("#flip")) return; // the same from every side
  table.welcome.seat = (table.welcome.seat + 1) % table.welcome.players.length;
  socket.send({ type: "view", seat: table.welcome.seat });
  if (!timeline.isLatest) looks.want(timeline.at);
}

find("#continue").addEventListener("click", askForCode);
listenToOffering((kind) => {
  if (kind === "takeback" && !timeline.isLatest) timeline.go(timeline.moves.length);
  send({ type: "offer", kind });
});
find("#resign").addEventListener("click", () => find("#resigning").showModal());
find("#resigning").addEventListener("close", ({ target }) => {
  if (target.returnValue === "resign") send({ type: "resign" });
  target.returnValue = "";
});
find("#flip")?.addEventListener("click", flip);
find("#copy-frame").addEventListener("click", ({ currentTarget }) => {
  copyFrom(currentTarget, `<iframe src="${location.origin}${at(`/embed/${encodeURIComponent(id)}`)}" width="400" height="480"></iframe>`);
});
find("#copy-position").addEventListener("click", ({ currentTarget }) => copyFrom(currentTarget, table.shown.text));
const seen = `seen-${document.title}`;
if (!recall(seen, false)) tabs.show("help"); // a newcomer reads the rules beside the first game
remember(seen, true);
for (const kind of ["hashchange", "popstate"]) addEventListener(kind, () => location.reload()); // another seat's link, or back from there

for (const kind of ["pointerover", "focusin"]) board.holder.addEventListener(kind, () => table.shown && table.shown === table.latest && ahead.wonder(table.shown, table.welcome));
for (const kind of ["focusin", "focusout"]) document.addEventListener(kind, () => showEnter(find("#choices").children, board));
listenToKeys({
  own: (key) => own.key(key),
  chooser: choosing.chooser,
  timeline,
  escape: () => (choosing.selection.path.length ? choosing.retreat() : forgetAhead()),
  flip,
  confirm,
  send: sendOrders,
  play: () => replay.toggle(),
  type: (character) => choosing.type(character),
  advance: (step) => board.advance(step),
});
begin();
