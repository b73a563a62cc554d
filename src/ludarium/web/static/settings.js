// The dialog with this browser's settings, on every page; what pages look like follows them at once.

import { prefer, preferred } from "./preferences.js";

const dialog = document.querySelector("#settings");

function apply() {
  const theme = preferred("theme");
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

apply();
const button = document.querySelector("#open-settings");
button.addEventListener("click", () => {
  for (const field of dialog.querySelectorAll("input")) field.checked = field.value === preferred(field.name);
  dialog.showModal();
});
dialog.addEventListener("change", ({ target }) => {
  prefer(target.name, target.value);
  apply();
});
dialog.addEventListener("close", () => button.matches(":focus-visible") || button.blur()); // Enter is the board's for whoever plays by mouse
