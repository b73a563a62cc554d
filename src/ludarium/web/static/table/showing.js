// Positions on the page, one after the other, each after its animation.

import { explode, slide, wantsMotion } from "../animation.js";
import { isAtTheBoard } from "./focus.js";
import { goToRematch, lobbyWith } from "./leaving.js";

const STAND = 2000; // milliseconds for which dice stand that are put away at once

export class Showing {
  #table;
  #parts;
  #queue = Promise.resolve();
  #goOn = () => {}; // from a position that stands for a moment
  #hasLeft = false; // whether the user went elsewhere since something began to move
  waiting = 0; // how many positions have come and are not shown yet

  /** `parts` are those of the page that show something of a position; `tell()` brings what the page says up to date. */
  constructor(table, parts) {
    this.#table = table;
    this.#parts = parts;
  }

  /** Does something when all that came before has been shown. */
  afterwards(task) {
    this.#queue = this.#queue.then(task).catch(console.error);
    return this.#queue;
  }

  /** Shows a position that came, if the user follows the game or has asked for it. */
  take(position) {
    this.waiting += 1;
    return this.afterwards(() => this.#take(position)).finally(() => {
      this.waiting -= 1;
      this.#parts.settled();
    });
  }

  /** Shows once more what led from a position to the next one, and then what was on the page. */
  again(step) {
    return this.afterwards(() => this.#showAgain(step));
  }

  /** Ends what is being shown: whoever goes elsewhere does not wait for it. */
  skip() {
    this.#hasLeft = true;
    if (this.#table.isMoving) this.#parts.own.skip();
    this.#goOn();
  }

  async #take(position) {
    const [table, { board, choosing, timeline, log, charts, own, tell, tellMore, arrived, end }] = [this.#table, this.#parts];
    const following = timeline.isLatest || ["takeback", "end"].includes(position.occasion);
    const before = table.shown;
    if (position.latest) this.#takeLatest(position);
    log.add(position);
    if (position.occasion === "look" ? position.ply !== timeline.at : !following) {
      timeline.show(timeline.at);
      tell();
      return;
    }
    if (["notice", "decline", "now"].includes(position.occasion) && before && this.#isSamePage(before, position)) {
      table.shown = position;
      choosing.selection.actions = position.actions;
      tellMore(position);
      choosing.show();
      return;
    }
    if (before && this.#isSameChoice(before, position)) {
      table.shown = position;
      choosing.selection.actions = position.actions; // what the user has picked stays
      if (before.svg !== position.svg) board.show(position.svg);
      timeline.show(position.ply);
      choosing.show();
      own.shown(position);
      return;
    }
    choosing.begin({ actions: [], effects: [], ply: null });
    const moved = table.welcome.game.hidden && before?.latest && position.occasion === "action" ? 1 : position.ply - before?.ply; // steps that opened count too
    const step = before && wantsMotion() && (this.waiting <= 2 || position.events.length) ? moved : 0;
    this.#hasLeft = false;
    const stands = step === 1 ? await this.#animate(before, position) : 0;
    if (this.#hasLeft) {
      timeline.keep(position.ply, false);
      tell();
      return;
    }
    table.shown = position;
    choosing.begin(table.offered());
    board.show(position.svg);
    if (step === 1) slide(board, position.picks);
    else if (step === -1) slide(board, before.picks.toReversed());
    timeline.show(position.ply);
    log.show(position.ply);
    choosing.show();
    charts.show(table.names, position.ply, timeline.listed);
    tellMore(position);
    document.querySelector("#play-from-here").href = lobbyWith(table.welcome.game, position);
    own.shown(position);
    arrived(before, position);
    if (before && !before.outcome && position.outcome && position.occasion !== "look") end();
    if (table.refocus && position.actions.length) {
      table.refocus = false;
      if (isAtTheBoard()) board.focus();
    }
    if (stands) await new Promise((resolve) => setTimeout((this.#goOn = () => resolve(null)), stands));
  }

  #takeLatest(position) {
    const [table, { plan, charts, timeline }] = [this.#table, this.#parts];
    if (table.shown && !table.latest.next && position.next) goToRematch(table, position.next);
    table.latest = position;
    plan.read(position, table.welcome);
    charts.add(position.ply, position.length, position.measures);
    timeline.update(position.length, position.move);
    if (position.opened) timeline.open(position.opened);
  }

  /** What leads from one position to the next, on the drawing of the first. Says for how many milliseconds the next then stands. */
  async #animate(before, position) {
    const { board, log, own, timeline } = this.#parts;
    const live = position.occasion === "action";
    board.clear();
    if (live) {
      const tells = own.animates && position.events.length > 0; // what the line would tell of before
      if (tells) timeline.keep(position.ply);
      else if (position.move) document.querySelector("#status").textContent = `${position.move} …`;
      const choices = document.querySelector("#choices");
      choices.replaceChildren();
      delete choices.dataset.labels;
      if (position.effects.length) await explode(board, position.effects, position.svg);
    }
    this.#table.telling = position.ply;
    log.show(position.ply, 0);
    const stands = await this.#move({ before, after: position, live });
    return stands ?? (this.#putsDiceAway(position) ? STAND : 0);
  }

  async #move(step) {
    this.#table.isMoving = true;
    try {
      return await this.#parts.own.animate(step);
    } finally {
      this.#table.isMoving = false;
    }
  }

  async #showAgain({ before, after }) {
    const [table, { board, choosing, log, own, tell }] = [this.#table, this.#parts];
    const { shown } = table;
    choosing.begin({ actions: [], effects: [], ply: null });
    board.show(before.svg);
    table.telling = after.ply;
    const moving = this.#move({ before, after, live: false });
    tell();
    await moving;
    choosing.begin(table.offered());
    board.show(shown.svg);
    log.show(shown.ply);
    own.shown(shown);
    choosing.show();
  }

  /** Whether something happened of which the dice that fall at once leave nothing on the board, unless the game's own module shows it. */
  #putsDiceAway({ occasion, events, to_move: movers, outcome }) {
    return occasion === "action" && events.length > 0 && !movers.length && !outcome && !this.#parts.own.animates;
  }

  /** Whether a position changes nothing on the board, so that what the user has picked may stay. */
  #isSamePage(one, other) {
    const actions = this.#parts.choosing.selection.actions;
    const same = one.ply === other.ply && one.latest === other.latest && one.svg === other.svg && actions === one.actions;
    return same && JSON.stringify([one.actions, one.outcome]) === JSON.stringify([other.actions, other.outcome]);
  }

  /** Whether the user has the same choice as before, because players act independently and others did. */
  #isSameChoice(before, position) {
    const { independent } = this.#table.welcome.game;
    const same = independent && before.latest && position.latest && position.occasion === "action" && !position.opened && !position.events.length;
    return same && position.actions.length > 0 && JSON.stringify(before.actions) === JSON.stringify(position.actions);
  }
}
