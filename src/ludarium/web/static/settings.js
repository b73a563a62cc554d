// The dialog with this browser's settings, on every page; what pages look like follows them at once.

import { at } from "./addresses.js";
import { showOwnName } from "./names.js";
import { prefer, preferBoard, preferred, preferredBoards } from "./preferences.js";
import { inLocalTime } from "./words.js";

const dialog = document.querySelector("#settings");

function apply() {
  const theme = preferred("theme");
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  const boards = Object.entries(preferredBoards());
  document.documentElement.dataset.boards = boards.map((board) => board.join("-")).join(" ");
  for (const [game] of boards) {
    const href = at(`/games/${encodeURIComponent(game)}/themes.css`);
    if (!document.querySelector(`link[href="${href}"]`)) document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href }));
  }
}

apply();
showOwnName();
inLocalTime(document);

/** The menu closes as menus do. Without this it opens and closes by its button alone. */
const menu = document.querySelector("#menu");
addEventListener("click", ({ target }) => menu?.open && !menu.contains(target) && (menu.open = false));
menu?.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !menu.open) return;
  menu.open = false;
  menu.querySelector("summary").focus();
  event.stopPropagation();
});

const button = document.querySelector("#open-settings");
button.addEventListener("click", () => {
  const boards = preferredBoards();
  for (const field of dialog.querySelectorAll("input")) {
    const { game } = field.dataset;
    field.checked = field.value === (game ? (boards[game] ?? "") : preferred(field.name));
  }
  dialog.showModal();
});
dialog.addEventListener("change", ({ target }) => {
  if (target.dataset.game) preferBoard(target.dataset.game, target.value);
  else prefer(target.name, target.value);
  apply();
});
dialog.addEventListener("close", () => button.matches(":focus-visible") || button.blur()); // Enter is the board's for whoever plays by mouse
