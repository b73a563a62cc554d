// What the page says at its top when the connection, the server or its disk fail, and which seats may be taken here.

import { at } from "../addresses.js";
import { Banner } from "../banner.js";
import { button } from "../button.js";
import { changeSeat, heldSeats, releaseSeat } from "../held_seats.js";
import { forgetGame } from "../unfinished.js";
import { sentence } from "../words.js";

const find = (selector) => document.querySelector(selector);

export class Line {
  #table;
  #comeBack;
  #line = new Banner(find("#line"));
  #unkept = new Banner(find("#unkept"));

  /** `comeBack()` tries once more to reach the server. */
  constructor(table, comeBack) {
    this.#table = table;
    this.#comeBack = comeBack;
  }

  /** The connection is back (null), is lost (""), or was ended by the server for a `reason`; `refused` is the code of what it refused. */
  show(reason, refused) {
    const { id, held } = this.#table;
    find("main").hidden = Boolean(refused);
    if (refused === "no_such_game") forgetGame(id);
    if (refused === "bad_token") releaseSeat(id, held);
    if (reason === null) this.#line.reassure("The connection is back.");
    else if (!reason) this.#line.warn("Reconnecting…");
    else if (refused === "bad_token") this.#line.warn("This link opens no seat (any more): it was used elsewhere, or is not complete.", ...this.#waysOn(refused));
    else this.#line.warn(sentence(`${refused ? "The server did not let you in" : "The server closed this game"}: ${reason}`), ...this.#waysOn(refused));
    if (refused) find("#line :is(button, a)")?.focus(); // what had the focus is hidden
  }

  /** Says why the server cannot keep the game, or that it can again (null). */
  showKeeping(problem) {
    if (problem) this.#unkept.warn(`The server cannot keep this game at the moment (${problem}). It goes on; if the server stops now, its last moves are lost.`);
    else this.#unkept.reassure("The server keeps this game again, with all that was missing.");
  }

  /** The server has welcomed this window: what it said of the disk is said again if it still is so. */
  begin() {
    this.#unkept.hide();
    const seats = this.#table.held ? [] : this.#seatsToTake();
    find("#seats").hidden = seats.length === 0;
    find("#seats").replaceChildren("You are watching. ", ...seats);
  }

  /** What somebody can do whom the server refused, with this code, or whose game it closed. */
  #waysOn(refused) {
    const { isServed } = this.#table;
    if (refused === "bad_token") return [...this.#seatsToTake(), button({ label: "Watch instead", onClick: () => changeSeat(null) })];
    if (refused === "no_such_game") return isServed ? [] : [Object.assign(document.createElement("a"), { href: at("/"), className: "button", textContent: "To the games" })];
    if (refused) return [button({ label: "Try again", onClick: this.#comeBack })];
    return isServed ? [] : [button({ label: "Open it again", onClick: (event) => this.#openAgain(event) })];
  }

  /** Buttons for the seats of this game that this browser has. */
  #seatsToTake() {
    const { id, names } = this.#table;
    const seats = heldSeats(id).filter(({ seat }) => seat !== undefined).toSorted((one, other) => one.seat - other.seat);
    return seats.map((one) => button({ label: `Take your seat${names[one.seat] ? `: ${names[one.seat]}` : ""}`, onClick: () => changeSeat(one) }));
  }

  /** Loads the page anew, but does not leave it while there is no server to load it from. */
  async #openAgain({ currentTarget }) {
    currentTarget.disabled = true;
    const answer = await fetch(at("/static/icon.svg"), { cache: "no-store" }).catch(() => null);
    if (answer) location.reload();
    else this.#comeBack();
  }
}
