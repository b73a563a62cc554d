// Keys that work wherever the focus is; those of the squares are in board.js.

export function listenToKeys({ own, chooser, timeline, escape, flip, type, advance, confirm, send, play }) {
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || document.querySelector("dialog[open]")) return;
    const target = /** @type {Element} */ (event.target);
    if (target.closest("input, textarea, select")) return;
    const onButton = ["Enter", " "].includes(event.key) && target.closest("button, a, summary, [data-pick]");
    if (!onButton && own(event.key)) {
      event.preventDefault();
      return;
    }
    const inChooser = target.closest("#chooser");
    const walk = { ArrowLeft: () => timeline.at - 1, ArrowRight: () => timeline.at + 1, Home: () => 0, End: () => timeline.moves.length };
    if (inChooser && ["ArrowLeft", "ArrowRight"].includes(event.key)) chooser.move(event.key === "ArrowLeft" ? -1 : 1);
    else if (event.key in walk) timeline.go(walk[event.key]());
    else if (event.key === "Escape") escape();
    else if (event.key === "Enter" && !onButton && !event.repeat && confirm()) event.stopPropagation();
    else if (event.key === " " && !onButton) play();
    else if (/^[a-z0-9]$/.test(event.key) && type(event.key)) event.stopPropagation();
    else if (event.key.toLowerCase() === "m" && advance(event.shiftKey ? -1 : 1)) event.stopPropagation();
    else if (event.key === "f") flip();
    else if (event.key === "s") send();
    else return;
    event.preventDefault();
  });
}

/**
 * Shows on buttons with an `enterKey` whether Enter is theirs; it is not while another button, or an element of the board that the user went to, has the focus.
 * Then it is that key, or none.
 */
export function showEnter(buttons, board) {
  const focused = document.activeElement;
  const isTaken = focused.closest("[data-pick]") ? board.isWalked : focused.matches("button, a, summary, input, select, textarea");
  for (const button of buttons) {
    if (!("enterKey" in button.dataset)) continue;
    const key = isTaken && button !== focused ? button.dataset.enterKey : "Enter";
    const mark = button.querySelector("kbd");
    if (key) mark.textContent = key; // otherwise its room is kept
    mark.hidden = !key;
    if (key) button.setAttribute("aria-keyshortcuts", key);
    else button.removeAttribute("aria-keyshortcuts");
  }
}
