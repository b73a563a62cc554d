// The page of one game: puts what the server says on the page, and turns what the user does into messages.

import { explode, slide, wantsMotion } from "./animation.js";
import { Banner } from "./banner.js";
import { Board } from "./board.js";
import { Charts } from "./charts.js";
import { Chat } from "./chat.js";
import { Choosing, fromKeyboard } from "./choosing.js";
import { copyFrom } from "./clipboard.js";
import { Clocks } from "./clocks.js";
import { Countdown } from "./countdown.js";
import { Crowd } from "./crowd.js";
import { Handover } from "./handover.js";
import { Happenings } from "./happenings.js";
import { addressOf, changeSeat, enterSeat, heldSeats, holdSeat, keysOf, releaseSeat } from "./held_seats.js";
import { listenToKeys, showEnter } from "./keyboard.js";
import { Log } from "./log.js";
import { Looks } from "./looks.js";
import { Offers } from "./offers.js";
import { ownModule } from "./own_module.js";
import { resultOf, showInvitations, showPlayers, who } from "./people.js";
import { ordersAsActions } from "./picks.js";
import { Plan } from "./plan.js";
import { Replay } from "./replay.js";
import { connect } from "./socket.js";
import { describe, figuresOf } from "./status.js";
import { recall, remember } from "./storage.js";
import { Tabs } from "./tabs.js";
import { Timeline } from "./timeline.js";
import { Zoom } from "./zoom.js";
import { forgetGame, rememberFinished, rememberGame } from "./unfinished.js";

const id = decodeURIComponent(location.pathname.split("/").at(-1));
const find = (selector) => document.querySelector(selector);
const served = document.body.classList.contains("served"); // another program plays this game and makes its next one
const held = enterSeat(id, served);

const page = {
  welcome: null, // the message
  latest: null, // the latest position
  shown: null, // the position on the page
  telling: 0, // the position whose events are being shown
  isMoving: false, // whether they are: what they lead to is not told yet
  refocus: false, // whether the keyboard's focus goes back to the board after the next position
};
let queue = Promise.resolve(); // positions are shown one after the other, each after its animation
let waiting = 0;
let goOn = () => {}; // from a position that stands for a moment

const STAND = 2000; // milliseconds

const board = new Board(find("#board"), (name, byKeyboard) => own.press(name, byKeyboard) || choosing.pick(name, byKeyboard), confirm);
const zoom = new Zoom(find("#board"), find("#zoom"));
board.onShow = (svg, box) => zoom.show(svg, box);
const plan = new Plan(find("#orders"), (piece) => choosing.follow([piece]), planned);
const choosing = new Choosing(board, find("#chooser"), plan, {
  onAct: act,
  onOrder({ slot, picks }) {
    plan.set(slot, picks);
    planned();
  },
  onChange: showStatus,
  drawMore: ({ selection }) => own.marks({ orders: choosing.orders, path: selection.path, next: selection.next }),
});
const looks = new Looks((ply) => socket.send({ type: "look", ply }));
const timeline = new Timeline(
  find("#moves"),
  { first: find("#first"), previous: find("#previous"), next: find("#next"), last: find("#last") },
  (ply) => {
    if (page.isMoving) own.skip(); // who goes elsewhere does not wait for what is being shown
    goOn();
    choosing.cancel();
    looks.want(ply);
  },
);
const replay = new Replay({ slider: find("#slider"), play: find("#play-pause"), speed: find("#speed") }, timeline, () => waiting || looks.isWaiting);
const countdown = new Countdown(find("#clock"));
const clocks = new Clocks();
const chat = new Chat(find("#talk"), find("#tab-talk"), (text) => send({ type: "say", text }));
const charts = new Charts(find("#charts"));
const crowd = new Crowd(find("#crowd"));
const offers = new Offers(find("#offers"), button, send);
const [line, unkept] = [new Banner(find("#line")), new Banner(find("#unkept"))];
const handover = new Handover(find("#handover"), askForCode);
const log = new Log(find("#happened"), find("#log"));
const tabs = new Tabs(find("#tabs"), () => {
  timeline.show(timeline.at); // lists can be scrolled to what is shown only while they are seen
  log.show(log.at, log.count);
});
const own = await ownModule(find("main").dataset.module, {
  board,
  panel: find("#own"),
  get welcome() {
    return page.welcome;
  },
  get shown() {
    return page.shown;
  },
  get secondsLeft() {
    return countdown.left ?? (page.welcome && clocks.left(page.welcome.you));
  },
  next: () => choosing.selection.next,
  pick: (...picks) => choosing.follow(picks),
  act: (text) => act({ text }, fromKeyboard()),
  refresh: () => page.shown && choosing.show(),
  status: showStatus,
  tell: (count) => log.show(page.telling, count),
  replay: (turn) => (queue = queue.then(() => showAgain(turn)).catch(console.error)),
});
log.headingsOf = own.headings;
const happenings = new Happenings(looks, (steps) => own.happened(steps) !== false);

const socket = connect(id, keysOf(held), {
  onMessage(message) {
    if (message.type === "position") {
      message.actions.push(...ordersAsActions(message.orders, page.welcome.game.idle));
      if (message.latest) {
        clocks.set(message.clocks, page.welcome.clock !== null);
        countdown.set(message.clock); // which runs while earlier positions are still being shown
        crowd.see(message, page.welcome.you);
        offers.show(message, page.welcome); // which may be answered while earlier positions are still being shown
      }
      waiting += 1;
      queue = queue.then(() => showPosition(message)).then(() => happenings.take(message, page.shown)).catch(console.error).finally(() => (waiting -= 1));
      if (message.occasion === "look") looks.answered();
    } else if (message.type === "welcome") {
      page.welcome = message;
      unkept.hide(); // if it still is so, the server says it again
      looks.reset();
      queue = queue.then(() => {
        charts.setHistory(message.measures);
        timeline.setMoves(message.moves);
        timeline.show(message.moves.length);
      });
      if (held) holdSeat(id, { ...held, seat: message.you });
      if (showInvitations(find("#invitations"), id, message, location)) tabs.show("share");
      showSeatsToTake();
      chat.begin(message);
    } else if (message.type === "players") {
      Object.assign(page.welcome, { players: message.players, watching: message.watching });
      showInvitations(find("#invitations"), id, page.welcome, location);
      showStatus();
    } else if (message.type === "record") {
      showKeeping(message.problem);
    } else if (message.type === "said") {
      chat.add(message.lines);
    } else if (message.type === "code") {
      handover.show(message);
    } else if (message.type === "plan") {
      plan.take(message.ply, message.orders);
      choosing.show();
    } else if (message.type === "error") {
      looks.reset();
      notice(message.message);
      own.refused();
      if (page.shown) {
        choosing.begin(offered(page.shown)); // nothing has changed
        choosing.show();
      }
    }
  },
  onLine(reason, refused) {
    find("main").hidden = Boolean(refused);
    if (refused === "no_such_game") forgetGame(id);
    if (refused === "bad_token") releaseSeat(id, held);
    if (reason === null) line.reassure("The connection is back.");
    else if (!reason) line.warn("The connection is lost. Trying to come back …");
    else line.warn(`${refused ? "The server did not let you in" : "The server closed this game"}: ${reason}.`, ...waysOn(refused));
    if (refused) find("#line :is(button, a)")?.focus(); // what had the focus is hidden
  },
});

/** What somebody can do whom the server refused, with this code, or whose game it closed. */
function waysOn(refused) {
  if (refused === "bad_token") return [...seatsToTake(), button({ label: "Watch instead", onClick: () => changeSeat(null) })];
  if (refused === "no_such_game") return served ? [] : [Object.assign(document.createElement("a"), { href: "/", className: "button", textContent: "To the games" })];
  if (refused) return [button({ label: "Try again", onClick: () => socket.comeBack() })];
  return served ? [] : [button({ label: "Open it again", onClick: openAgain })];
}

/** Buttons for the seats of this game that this browser has. */
function seatsToTake() {
  const names = page.welcome?.players.map(({ name }) => name) ?? [];
  const seats = heldSeats(id).filter(({ seat }) => seat !== undefined).toSorted((one, other) => one.seat - other.seat);
  return seats.map((one) => button({ label: `Take your seat${names[one.seat] ? `: ${names[one.seat]}` : ""}`, onClick: () => changeSeat(one) }));
}

function showSeatsToTake() {
  const seats = held ? [] : seatsToTake();
  find("#seats").hidden = seats.length === 0;
  find("#seats").replaceChildren("You are watching. ", ...seats);
}

function askForCode() {
  send({ type: "code" });
}

/** Says why the server cannot keep the game, or that it can again (null). */
function showKeeping(problem) {
  if (problem) unkept.warn(`The server cannot keep this game at the moment (${problem}). It goes on; if the server stops now, its last moves are lost.`);
  else unkept.reassure("The server keeps this game again, with all that was missing.");
}

/** Loads the page anew, but does not leave it while there is no server to load it from. */
async function openAgain({ currentTarget }) {
  currentTarget.disabled = true;
  const answer = await fetch("/static/icon.svg", { cache: "no-store" }).catch(() => null);
  if (answer) location.reload();
  else socket.comeBack();
}

async function showPosition(position) {
  const following = timeline.isLatest || ["now", "takeback", "end"].includes(position.occasion);
  const before = page.shown;
  if (position.latest) {
    if (before && !page.latest.next && position.next) goTo(position.next);
    page.latest = position;
    plan.read(position, page.welcome);
    charts.add(position.ply, position.length, position.measures);
    timeline.update(position.length, position.move);
    if (position.opened) timeline.open(position.opened);
  }
  log.add(position);
  if (position.occasion === "look" ? position.ply !== timeline.at : !following) {
    timeline.show(timeline.at);
    showStatus();
    return;
  }
  if (["notice", "decline", "now"].includes(position.occasion) && before && samePage(before, position)) {
    page.shown = position;
    choosing.selection.actions = position.actions;
    showFacts(position);
    choosing.show();
    return;
  }
  if (before && onlyOthersActed(before, position)) {
    page.shown = position;
    choosing.selection.actions = position.actions; // what the user has picked stays
    if (before.svg !== position.svg) board.show(position.svg);
    timeline.show(position.ply);
    choosing.show();
    own.shown(position);
    return;
  }
  choosing.begin({ actions: [], effects: [], ply: null });
  const moved = page.welcome.game.hidden && before?.latest && position.occasion === "action" ? 1 : position.ply - before?.ply; // steps that opened count too
  const step = before && wantsMotion() && (waiting <= 2 || position.events.length) ? moved : 0;
  if (step === 1) await animate(before, position);
  page.shown = position;
  choosing.begin(offered(position));
  board.show(position.svg);
  if (step === 1) slide(board, position.picks);
  else if (step === -1) slide(board, before.picks.toReversed());
  timeline.show(position.ply);
  log.show(position.ply);
  choosing.show();
  charts.show(page.welcome.players.map(({ name }) => name), position.ply);
  showFacts(position);
  find("#play-from-here").href = lobbyFor(position);
  own.shown(position);
  if (page.refocus && position.actions.length) {
    page.refocus = false;
    board.focus();
  }
  if (step === 1 && dicePutAway(position)) await new Promise((resolve) => setTimeout((goOn = () => resolve(null)), STAND));
}

/** Whether something happened of which the dice that fall at once leave nothing on the board, unless the game's own module shows it. */
function dicePutAway({ occasion, events, to_move: movers, outcome }) {
  return occasion === "action" && events.length > 0 && !movers.length && !outcome && !own.animates;
}

function showFacts({ facts, figures }) {
  const lines = [...facts, ...figuresOf(figures)].map((fact) => Object.assign(document.createElement("li"), { textContent: fact }));
  find("#facts").replaceChildren(...lines);
}

/** A position as something to choose in: nothing, where the game has gone on. */
function offered(position) {
  return position.latest ? position : { ...position, actions: [] };
}

/** What leads from one position to the next, on the drawing of the first. */
async function animate(before, position) {
  const live = position.occasion === "action";
  board.clear();
  if (live) {
    find("#status").textContent = `${position.move} …`;
    find("#choices").replaceChildren();
    delete find("#choices").dataset.labels;
    if (position.effects.length) await explode(board, position.effects, position.svg);
  }
  page.telling = position.ply;
  log.show(position.ply, 0);
  await move({ before, after: position, live });
}

async function move(step) {
  page.isMoving = true;
  try {
    await own.animate(step);
  } finally {
    page.isMoving = false;
  }
}

/** Shows once more what led from a position to the next one, and then what was on the page. */
async function showAgain({ before, after }) {
  const shown = page.shown;
  choosing.begin({ actions: [], effects: [], ply: null });
  board.show(before.svg);
  page.telling = after.ply;
  const moving = move({ before, after, live: false });
  showStatus();
  await moving;
  choosing.begin(offered(shown));
  board.show(shown.svg);
  log.show(shown.ply);
  own.shown(shown);
  choosing.show();
}

/** The lobby with this game, its options and a position filled in: in the part of the address that no server is asked for, or it had no room for a large map. */
function lobbyFor(position) {
  const { id, options } = page.welcome.game;
  const given = Object.entries(options).filter(([, value]) => value !== null);
  return `/#${new URLSearchParams([["game", id], ["position", position.text], ...given.map(([name, value]) => [`option-${name}`, value])])}`;
}

/** Whether a position changes nothing on the board, so that what the user has picked may stay. */
function samePage(one, other) {
  const same = one.ply === other.ply && one.latest === other.latest && one.svg === other.svg && choosing.selection.actions === one.actions;
  return same && JSON.stringify([one.actions, one.outcome]) === JSON.stringify([other.actions, other.outcome]);
}

/** Whether the user has the same choice as before, because players act independently and others did. */
function onlyOthersActed(before, position) {
  const same = page.welcome.game.independent && before.latest && position.latest && position.occasion === "action" && !position.opened && !position.events.length;
  return same && position.actions.length > 0 && JSON.stringify(before.actions) === JSON.stringify(position.actions);
}

// Playing.

function act(action, byKeyboard) {
  page.refocus = byKeyboard;
  play({ action: action.text });
}

function planned() {
  if (plan.isOpen) socket.send({ type: "plan", ply: plan.ply, orders: plan.orders });
  choosing.show();
}

function sendOrders() {
  if (!plan.isOpen || page.shown.ply !== plan.ply || (plan.given.length < plan.size && !page.welcome.game.idle)) return false;
  page.refocus = fromKeyboard();
  play({ orders: plan.orders });
  return true;
}

/** What Enter does where it presses nothing: it plays what is to be confirmed, or sends the orders. */
function confirm() {
  if (!choosing.confirming) return !choosing.selection.path.length && sendOrders();
  act(choosing.confirming, fromKeyboard());
  return true;
}

function play(choice) {
  const sent = send({ type: "act", ply: page.shown.ply, ...choice });
  if (!sent) own.refused();
  choosing.begin(sent ? { ...page.shown, actions: [] } : offered(page.shown));
  choosing.show();
}

function send(message) {
  const sent = socket.send(message);
  if (!sent) notice("Not connected: nothing was done.");
  return sent;
}

// What the page says, and the buttons that go with it.

function showStatus() {
  if (!page.shown || !page.welcome) return;
  const { selection, confirming, typed } = choosing;
  const { text, choices, tone } = own.prompt() ?? describe(
    { ...page, plan, selection, confirming, typed },
    {
      isElement: (name) => board.has(name),
      asks: (name) => board.asks(name),
      take: (name) => choosing.take(name),
      retreat: () => choosing.retreat(),
      confirm: () => act(choosing.confirming, fromKeyboard()),
      sendOrders,
      goToLatest: () => timeline.go(timeline.moves.length),
      after: afterTheEnd(),
    },
  );
  const status = find("#status");
  if (status.textContent !== text) status.textContent = text;
  find("#prompt").dataset.tone = tone;
  document.title = `${tone === "turn" || offers.isAsked ? "● " : ""}${page.welcome.game.title} · Ludarium`;
  const offered = find("#choices");
  const labels = choices.map(({ label }) => label).join();
  if (offered.dataset.labels !== labels) offered.replaceChildren(...choices.map(button)); // otherwise the focus stays where it is
  offered.dataset.labels = labels;
  showEnter(offered.children, board);
  find("#orders").hidden = page.shown.ply !== plan.ply;
  showPlayers(find("#players"), page.welcome, page.isMoving ? { ...page.latest, outcome: null } : page.latest);
  clocks.show(find("#players").children);
  const { you, players } = page.welcome;
  const playing = you !== null && players[you].connected && !page.latest.outcome;
  find("#continue").hidden = you === null;
  find("#resign").hidden = !playing;
  find("#takeback").hidden = !playing || page.welcome.game.hidden; // what has been seen cannot be unseen
  find("#takeback").disabled = page.latest.length === 0 || offers.has("takeback");
  if (playing && !served) rememberSeat();
  else forgetGame(id);
  const { outcome } = page.latest;
  if (outcome && you !== null && !served) rememberFinished({ ...ownSeat(), result: resultOf(outcome, players) });
}

function rememberSeat() {
  rememberGame(ownSeat());
}

/** This game as the lobby lists it. */
function ownSeat() {
  const { game, players, you } = page.welcome;
  const others = players.filter((_, seat) => seat !== you).map(who);
  const seats = others.length ? `${players[you].name} against ${others.join(", ")}` : "alone";
  return { id, title: game.title, seats, link: `${location.pathname}#seat=${you}` };
}

/** @param {{ label: string, onClick: (event: MouseEvent) => void, key?: string, enterKey?: string, kind?: string }} shown */
function button({ label, key, enterKey, kind, onClick }) {
  const node = Object.assign(document.createElement("button"), { type: "button", className: kind ?? "", textContent: label });
  if (key) {
    node.append(" ", Object.assign(document.createElement("kbd"), { textContent: key }));
    node.setAttribute("aria-keyshortcuts", key);
  }
  if (enterKey !== undefined) node.dataset.enterKey = enterKey;
  node.addEventListener("click", onClick);
  return node;
}

let noticeTimer = 0;
function notice(text) {
  find("#notice").textContent = text;
  clearTimeout(noticeTimer);
  noticeTimer = setTimeout(() => (find("#notice").textContent = ""), 8000);
}

// The buttons beside the board.

function takeBack() {
  if (!timeline.isLatest) timeline.go(timeline.moves.length);
  send({ type: "offer", kind: "takeback" });
}

/** What can be pressed when the game is over. */
function afterTheEnd() {
  const { you, players } = page.welcome;
  if (page.latest.next) return [{ label: "To the rematch", kind: "primary", onClick: () => goTo(page.latest.next) }];
  if (you === null || served || offers.has("rematch")) return [];
  const others = players.some(({ kind }, seat) => seat !== you && kind === "human");
  return [{ label: others ? "Offer a rematch" : "Play again", kind: "primary", onClick: () => send({ type: "offer", kind: "rematch" }) }];
}

/** The rematch: its tokens are the same, and everybody is one seat further. */
function goTo(game) {
  const { you, players } = page.welcome;
  const seat = you === null ? "" : addressOf(game, { ...held, seat: (you + 1) % players.length });
  location.href = `/game/${encodeURIComponent(game)}${seat}`;
}

function flip() {
  if (!find("#flip")) return; // the same from every side
  page.welcome.seat = (page.welcome.seat + 1) % page.welcome.players.length;
  const { at, isLatest } = timeline;
  socket.send({ type: "view", seat: page.welcome.seat });
  if (!isLatest) {
    timeline.show(at);
    socket.send({ type: "look", ply: at });
  }
}

find("#continue").addEventListener("click", askForCode);
find("#takeback").addEventListener("click", takeBack);
find("#resign").addEventListener("click", () => find("#resigning").showModal());
find("#resigning").addEventListener("close", ({ target }) => {
  if (target.returnValue === "resign") send({ type: "resign" });
  target.returnValue = "";
});
find("#flip")?.addEventListener("click", flip);
find("#copy-frame").addEventListener("click", ({ currentTarget }) => {
  copyFrom(currentTarget, `<iframe src="${location.origin}/embed/${encodeURIComponent(id)}" width="400" height="480"></iframe>`);
});
find("#copy-position").addEventListener("click", ({ currentTarget }) => copyFrom(currentTarget, page.shown.text));
const seen = `seen-${document.title}`;
if (!recall(seen, false)) tabs.show("help"); // a newcomer reads the rules beside the first game
remember(seen, true);
for (const kind of ["hashchange", "popstate"]) addEventListener(kind, () => location.reload()); // another seat's link, or back from there

for (const kind of ["focusin", "focusout"]) document.addEventListener(kind, () => showEnter(find("#choices").children, board));
listenToKeys({
  own: (key) => own.key(key),
  chooser: choosing.chooser,
  timeline,
  escape: () => (choosing.selection.path.length ? choosing.retreat() : null),
  flip,
  confirm,
  send: sendOrders,
  play: () => replay.toggle(),
  type: (character) => choosing.type(character),
});
