// The page of one game: puts what the server says on the page, and turns what the user does into messages.

import { explode, slide, wantsMotion } from "./animation.js";
import { Board } from "./board.js";
import { Chooser } from "./chooser.js";
import { copyFrom } from "./clipboard.js";
import { listenToKeys } from "./keyboard.js";
import { makeGame } from "./making.js";
import { showInvitations, showPlayers, who } from "./people.js";
import { Selection } from "./picks.js";
import { connect } from "./socket.js";
import { describe } from "./status.js";
import { recall, remember } from "./storage.js";
import { Timeline } from "./timeline.js";
import { forgetGame, rememberGame } from "./unfinished.js";

const id = decodeURIComponent(location.pathname.split("/").at(-1));
const token = location.hash.slice(1);
const find = (selector) => document.querySelector(selector);

const board = new Board(find("#board"), pick);
const chooser = new Chooser(find("#chooser"), board, take);
const timeline = new Timeline(
  find("#moves"),
  { first: find("#first"), previous: find("#previous"), next: find("#next"), last: find("#last") },
  (ply) => {
    cancel();
    socket.send({ type: "look", ply });
  },
);
const page = {
  welcome: null, // the message
  latest: null, // the latest position
  shown: null, // the position on the page
  selection: new Selection([]),
  confirming: null, // an action with effects, which are shown before it is played
  typed: "", // a digit typed before there is a number to choose
  refocus: false, // whether the keyboard's focus goes back to the board after the next position
};
let queue = Promise.resolve(); // positions are shown one after the other, each after its animation
let waiting = 0;

const socket = connect(id, token, {
  onMessage(message) {
    if (message.type === "position") {
      waiting += 1;
      queue = queue.then(() => showPosition(message)).catch(console.error).finally(() => (waiting -= 1));
    } else if (message.type === "welcome") {
      page.welcome = message;
      queue = queue.then(() => timeline.setMoves(message.moves)).then(() => timeline.show(message.moves.length));
      showInvitations(find("#invitations"), id, message, location);
    } else if (message.type === "players") {
      page.welcome.players = message.players;
      showStatus();
    } else if (message.type === "error") {
      notice(message.message);
      if (page.shown) {
        page.selection = new Selection(page.shown.latest ? page.shown.actions : []); // nothing has changed
        cancel();
      }
    }
  },
  onLine(reason, refused) {
    const banner = find("#line");
    banner.hidden = reason === null;
    find("main").hidden = Boolean(refused);
    banner.textContent = reason
      ? `${refused ? "The server did not let you in" : "The server closed this game"}: ${reason}.`
      : "The connection is lost. Trying to come back …";
    if (refused && token) banner.append(button({ label: "Watch instead", onClick: () => (location.hash = "") }));
    else if (reason) banner.append(button({ label: "Open it again", onClick: () => location.reload() }));
  },
});

async function showPosition(position) {
  const following = timeline.isLatest || ["now", "takeback", "end"].includes(position.occasion);
  const before = page.shown;
  if (position.latest) {
    page.latest = position;
    timeline.update(position.length, position.move);
  }
  if (position.occasion === "look" ? position.ply !== timeline.at : !following) {
    timeline.show(timeline.at);
    showStatus();
    return;
  }
  if (["notice", "now"].includes(position.occasion) && before && samePage(before, position)) {
    page.shown = position;
    page.selection.actions = position.actions;
    showStatus();
    return;
  }
  forget();
  const step = before && wantsMotion() && waiting === 1 ? position.ply - before.ply : 0;
  if (step === 1 && position.effects.length && position.occasion === "action") {
    page.selection = new Selection([]);
    board.clear();
    find("#status").textContent = `${position.move} …`;
    await explode(board, position.effects, position.svg);
  }
  page.shown = position;
  page.selection = new Selection(position.latest ? position.actions : []);
  board.show(position.svg);
  if (step === 1) slide(board, position.picks);
  else if (step === -1) slide(board, before.picks.toReversed());
  timeline.show(position.ply);
  showMarks();
  showStatus();
  find("#facts").replaceChildren(...position.facts.map((fact) => Object.assign(document.createElement("li"), { textContent: fact })));
  find("#play-from-here").href = lobbyFor(position);
  if (page.refocus && position.actions.length) {
    page.refocus = false;
    board.focus();
  }
}

/** The lobby with this game, its options and a position filled in. */
function lobbyFor(position) {
  const { id, options } = page.welcome.game;
  const given = Object.entries(options).filter(([, value]) => value !== null);
  return `/?${new URLSearchParams([["game", id], ["position", position.text], ...given.map(([name, value]) => [`option-${name}`, value])])}`;
}

/** Whether a position changes nothing on the board, so that what the user has picked may stay. */
function samePage(one, other) {
  const same = one.ply === other.ply && one.latest === other.latest && one.svg === other.svg && page.selection.actions === one.actions;
  return same && JSON.stringify([one.actions, one.outcome]) === JSON.stringify([other.actions, other.outcome]);
}

// Choosing an action.

function pick(name, byKeyboard) {
  const { selection } = page;
  if (page.confirming) {
    retreat();
    return;
  }
  if (chooser.isOpen && name === selection.path.at(-1)) {
    chooser.chooseProposal();
    return;
  }
  if (selection.next.includes(name)) {
    selection.push(name);
  } else {
    const again = selection.path[0] === name;
    selection.clear();
    if (!again && selection.first.has(name)) selection.push(name);
  }
  if (byKeyboard) board.focus(name);
  proceed(byKeyboard);
}

/** Takes a pick that is not in the drawing: a number, or a word such as the prompt's buttons offer. */
function take(name) {
  if (!page.selection.next.includes(name)) return;
  page.selection.push(name);
  proceed(fromKeyboard());
}

function proceed(byKeyboard) {
  const { selection } = page;
  chooser.close();
  const action = selection.complete;
  if (action) {
    if (action.effects.length) page.confirming = action;
    else {
      act(action, byKeyboard);
      return;
    }
  } else if (selection.path.length && !selection.next.some((name) => board.has(name))) {
    const only = selection.next.length === 1 && !selection.actionAfter(selection.next[0])?.effects.length;
    const wanted = only ? selection.next[0] : page.typed;
    if (wanted && selection.next.includes(wanted)) {
      take(wanted);
      return;
    }
    const options = selection.next.map((name) => [name, selection.actionAfter(name)?.text ?? name]);
    chooser.open(selection.path.at(-1), options, byKeyboard);
  }
  showMarks();
  showStatus();
  if (page.confirming && byKeyboard) find("#choices button")?.focus();
}

function act(action, byKeyboard) {
  page.refocus = byKeyboard;
  const sent = socket.send({ type: "act", ply: page.shown.ply, action: action.text });
  if (!sent) notice("Not connected: nothing was played.");
  forget();
  if (sent) page.selection = new Selection([]);
  showMarks();
  showStatus();
}

/** One step back: from the question whether to play, or from everything that was picked. */
function retreat() {
  const keyboard = fromKeyboard();
  const inside = page.confirming ? page.selection.path.slice(0, -1).filter((name) => board.has(name)) : [];
  forget();
  page.selection.path = inside;
  showMarks();
  showStatus();
  if (keyboard) board.focus();
}

function cancel() {
  forget();
  showMarks();
  showStatus();
}

function forget() {
  page.selection.clear();
  page.confirming = null;
  page.typed = "";
  chooser.close();
}

function fromKeyboard() {
  const element = document.activeElement;
  return Boolean(element?.closest("#play") && element.matches(":focus-visible"));
}

function showMarks() {
  const { selection, confirming, shown } = page;
  board.clear();
  if (confirming) {
    confirming.effects.forEach((wave, index) => wave.forEach((name) => board.markEffect(name, index + 1)));
    return;
  }
  shown?.effects.flat().forEach((name) => board.markEffect(name, 0));
  selection.path.forEach((name) => board.has(name) && board.markPicked(name));
  if (selection.path.length) selection.next.forEach((name) => board.has(name) && board.markTarget(name));
  selection.first.forEach((name) => board.markStart(name));
}

// What the page says, and the buttons that go with it.

function showStatus() {
  if (!page.shown || !page.welcome) return;
  const { text, choices, tone } = describe(page, {
    isElement: (name) => board.has(name),
    take,
    retreat,
    confirm: () => act(page.confirming, fromKeyboard()),
    takeBack,
    goToLatest: () => timeline.go(timeline.moves.length),
    playAgain,
  });
  const status = find("#status");
  if (status.textContent !== text) status.textContent = text;
  find("#prompt").dataset.tone = tone;
  document.title = `${tone === "turn" ? "● " : ""}${page.welcome.game.title} · Ludarium`;
  const offered = find("#choices");
  const labels = choices.map(({ label }) => label).join();
  if (offered.dataset.labels !== labels) offered.replaceChildren(...choices.map(button)); // otherwise the focus stays where it is
  offered.dataset.labels = labels;
  showPlayers(find("#players"), page.welcome, page.latest);
  const playing = page.welcome.you !== null && !page.latest.outcome;
  find("#takeback").hidden = find("#resign").hidden = !playing;
  find("#takeback").disabled = page.latest.length === 0;
  if (playing) rememberSeat();
  else forgetGame(id);
}

function rememberSeat() {
  const { game, players, you } = page.welcome;
  const others = players.filter((_, seat) => seat !== you).map(who);
  rememberGame({ id, title: game.title, seats: `${players[you].name} against ${others.join(", ")}`, link: location.pathname + location.hash });
}

function button({ label, key, kind, onClick }) {
  const node = Object.assign(document.createElement("button"), { type: "button", className: kind ?? "", textContent: label });
  if (key) {
    node.append(" ", Object.assign(document.createElement("kbd"), { textContent: key }));
    node.setAttribute("aria-keyshortcuts", key);
  }
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
  socket.send({ type: "takeback" });
}

async function playAgain() {
  const { game, players, you } = page.welcome;
  try {
    const specs = players.map(({ kind, spec }) => (kind === "human" ? "human" : spec));
    const made = await makeGame({ game: game.id, options: game.options, players: specs });
    location.href = made.seats.find(({ player }) => player === you)?.link ?? made.watch;
  } catch (problem) {
    notice(problem.message);
  }
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

find("#takeback").addEventListener("click", takeBack);
find("#resign").addEventListener("click", () => find("#resigning").showModal());
find("#resigning").addEventListener("close", ({ target }) => {
  if (target.returnValue === "resign") socket.send({ type: "resign" });
  target.returnValue = "";
});
find("#flip")?.addEventListener("click", flip);
find("#copy-position").addEventListener("click", ({ currentTarget }) => copyFrom(currentTarget, page.shown.text));
const rules = find("#how-to-play");
const seen = `seen-${document.title}`;
if (rules) rules.open = !recall(seen, false); // a newcomer reads them beside the first game
remember(seen, true);
addEventListener("hashchange", () => location.reload()); // another seat's link

listenToKeys({
  chooser,
  timeline,
  escape: () => (page.selection.path.length ? retreat() : null),
  flip,
  confirm() {
    if (!page.confirming) return false;
    act(page.confirming, fromKeyboard());
    return true;
  },
  type(character) {
    if (chooser.isOpen) chooser.type(character);
    else if (/\d/.test(character)) {
      page.typed = character;
      showStatus();
    } else {
      const name = page.selection.next.find((name) => !board.has(name) && name.startsWith(character));
      if (!name) return false;
      page.selection.push(name);
      proceed(true);
    }
    return true;
  },
});
