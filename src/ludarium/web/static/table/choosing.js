// From presses and keys to an action: what has been picked, what may be picked next, and how the board shows both.

import { Chooser } from "./chooser.js";
import { markOrders } from "../order_marks.js";
import { isCostly, numbered, Selection } from "../picks.js";
import { preferred } from "../preferences.js";

export class Choosing {
  /**
   * `onAct(action, byKeyboard)` plays an action, `onOrder(action)` is told an order that was given, `onDrop(begun, name)` that what was begun goes on nowhere
   * there and is dropped, `onChange()` whatever else changed;
   * `guides()` says whether all that can be picked first is to be marked;
   * `drawMore(choosing)` adds what a game's own module has to show.
   */
  constructor(board, chooser, plan, { onAct, onOrder, onDrop, onChange, guides, drawMore }) {
    this.board = board;
    this.plan = plan;
    this.chooser = new Chooser(chooser, board, (name) => this.take(name));
    this.on = { act: onAct, order: onOrder, drop: onDrop, change: onChange, guides, draw: drawMore };
    this.selection = new Selection([]);
    this.confirming = null; // an action that is played only when it is pressed once more; its effects are shown
    this.typed = ""; // digits typed before there is a number to choose, or that begin a piece's number
    this.ply = null;
    this.effects = []; // of the step that led to the position on the board
  }

  /** The position of a ply is on the board, with these actions to choose from. */
  begin({ actions, effects, ply }) {
    this.forget();
    this.ply = ply;
    this.selection = new Selection(actions);
    this.effects = effects;
  }

  /** The orders so far, where the position that they are for is on the board. */
  get orders() {
    return this.plan.ply === this.ply ? this.plan.given : [];
  }

  /** Whether what is chosen are orders, collected before they are sent. */
  get collects() {
    return this.selection.actions.some(({ slot }) => slot !== undefined);
  }

  /** Something on the board was pressed. What takes the path on goes first; then a piece to begin with; then what stands on it, or under it. */
  pick(name, byKeyboard) {
    const { selection } = this;
    if (this.confirming) {
      this.retreat();
      return;
    }
    if (this.chooser.isOpen && name === this.#place()) {
      this.chooser.chooseProposal();
      return;
    }
    const meanings = this.board.meanings(name);
    const next = meanings.find((meaning) => selection.next.includes(meaning));
    const first = meanings.find((meaning) => selection.first.has(meaning));
    if (next && (next === name || first !== name)) {
      selection.push(next);
    } else {
      const [begun] = selection.path;
      selection.clear();
      if (first && first !== begun) selection.push(first);
      else if (!first && begun) this.on.drop(begun, name);
      else if (!first) selection.missed = name;
    }
    if (byKeyboard) this.board.focus(name);
    this.proceed(byKeyboard);
  }

  /** Takes a pick that is not in the drawing: a number, or a word such as the prompt's buttons offer. */
  take(name) {
    if (!this.selection.next.includes(name)) return;
    this.selection.push(name);
    this.proceed(fromKeyboard());
  }

  /** Picks a whole path from its beginning, as far as it may be picked. */
  follow(picks) {
    this.forget();
    for (const pick of picks) {
      if (!this.selection.next.includes(pick)) break;
      this.selection.push(pick);
    }
    this.proceed(false);
  }

  proceed(byKeyboard) {
    const { selection } = this;
    this.chooser.close();
    const action = selection.complete;
    if (action?.slot !== undefined) {
      this.forget();
      this.on.order(action);
      if (byKeyboard) this.board.focus(action.picks[0], false);
    } else if (action && this.#isAsked(action)) {
      this.confirming = action;
    } else if (action) {
      this.on.act(action, byKeyboard);
      return;
    } else if (selection.path.length && !selection.next.some((name) => this.board.has(name))) {
      if (this.#offer(byKeyboard)) return;
    }
    this.show();
    if (this.confirming && byKeyboard) document.querySelector("#choices button")?.focus();
  }

  /** Whether the user wants to be asked before an action is played. */
  #isAsked(action) {
    const when = preferred("confirm");
    return when === "always" || (when === "costly" && isCostly(action, this.selection.actions));
  }

  /** Offers numbers beside the last pick that is on the board. Says whether the only one, or the one that was typed before, has been taken. */
  #offer(byKeyboard) {
    const { selection } = this;
    const only = selection.next.length === 1 && !selection.actionAfter(selection.next[0])?.effects.length;
    const wanted = only ? selection.next[0] : this.typed;
    if (wanted && selection.next.includes(wanted)) {
      this.take(wanted);
      return true;
    }
    const options = selection.next.map((name) => [name, selection.actionAfter(name)?.text ?? name]);
    if (options.every(([name]) => numbered(name))) this.chooser.open(this.#place(), options, byKeyboard);
    return false;
  }

  /** Where the number is chosen. */
  #place() {
    return this.selection.path.findLast((name) => this.board.has(name));
  }

  /** One step back: from the question whether to play, or from everything that was picked. */
  retreat() {
    const keyboard = fromKeyboard();
    const inside = this.confirming ? this.selection.path.slice(0, -1).filter((name) => this.board.has(name)) : [];
    this.forget();
    this.selection.path = inside;
    this.show();
    if (keyboard) this.board.focus();
  }

  cancel() {
    this.forget();
    this.show();
  }

  forget() {
    this.selection.clear();
    this.confirming = null;
    this.typed = "";
    this.chooser.close();
  }

  /** A letter or digit was typed somewhere on the page; says whether it meant something. */
  type(character) {
    if (this.chooser.isOpen) {
      this.chooser.type(character);
    } else if (/\d/.test(character) && this.collects) {
      this.#choosePiece(character);
    } else if (/\d/.test(character)) {
      this.typed = character;
      this.on.change();
    } else {
      const name = this.selection.next.find((name) => !this.board.has(name) && !numbered(name) && name.startsWith(character));
      if (!name) return false;
      this.selection.push(name);
      this.proceed(true);
    }
    return true;
  }

  /** Digits choose the piece of that number, at once where no other one begins with them. */
  #choosePiece(digit) {
    const number = (name) => name.replace(/\D/g, "");
    const matching = (typed) => [...this.selection.first].filter((name) => number(name).startsWith(typed));
    const typed = matching(this.typed + digit).length ? this.typed + digit : digit;
    const found = matching(typed).find((name) => number(name) === typed) ?? (matching(typed).length === 1 ? matching(typed)[0] : null);
    this.forget();
    if (found) {
      this.selection.push(found);
      if (this.board.has(found)) this.board.focus(found, false);
      this.proceed(true);
    }
    this.typed = matching(typed).length > 1 ? typed : "";
  }

  /** Shows on the board what has been picked, what may be, and the orders so far. */
  show() {
    this.mark();
    this.on.change();
  }

  mark() {
    const { board, selection, confirming } = this;
    board.clear();
    if (confirming) {
      confirming.effects.forEach((wave, index) => wave.forEach((name) => board.markEffect(name, index + 1)));
      if (!confirming.effects.length) selection.path.forEach((name) => board.has(name) && board.markPicked(name));
      return;
    }
    this.effects.flat().forEach((name) => board.markEffect(name, 0));
    selection.path.forEach((name) => board.has(name) && board.markPicked(name));
    const asks = Boolean(board.asks(selection.path.at(-1)));
    if (selection.path.length) selection.next.forEach((name) => board.has(name) && board.markTarget(name, asks));
    selection.first.forEach((name) => board.markStart(name, !selection.path.length));
    if (!selection.path.length) board.enter(selection.first);
    if (selection.missed || (!selection.path.length && this.on.guides())) board.markBeginnings(selection.first);
    markOrders(board, this.orders);
    this.on.draw(this);
  }
}

export function fromKeyboard() {
  const element = document.activeElement;
  return Boolean(element?.closest("#play, #turn") && element.matches(":focus-visible"));
}
