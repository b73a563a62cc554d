// The buttons beside the board by which a player offers the others something while the game goes on.

const BUTTONS = ["takeback", "draw", "pause"];

/** `offer(kind)` is called when one is pressed. */
export function listenToOffering(offer) {
  for (const kind of BUTTONS) document.getElementById(kind).addEventListener("click", () => offer(kind));
}

/** Shows the buttons of what may be offered now. */
export function showOffering(table, offers) {
  const { latest, welcome, isPlaying } = table;
  const able = mayOffer(welcome);
  for (const kind of BUTTONS) {
    const button = /** @type {HTMLButtonElement} */ (document.getElementById(kind));
    button.hidden = !isPlaying || !able[kind];
    button.disabled = offers.has(kind) || (kind === "takeback" ? latest.length === 0 : kind === "pause" && latest.paused);
  }
}

/** What the game, its clocks and its players let one offer, by kind. */
export function mayOffer({ game, players, time_control: control }) {
  return {
    takeback: !game.hidden, // what has been seen cannot be unseen
    draw: Boolean(game.draws) && players.length > 1 && players.every(({ kind }) => kind === "human"),
    pause: control !== null,
  };
}
