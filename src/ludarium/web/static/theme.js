// Light, dark, or as the system has it; remembered in this browser.

import { recall, remember } from "./storage.js";

const KEY = "theme";
const NEXT = { system: "light", light: "dark", dark: "system" };
const SIGNS = { system: "◐", light: "☀", dark: "☾" };

function apply(theme) {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  const button = document.querySelector("#theme");
  button.textContent = SIGNS[theme];
  button.setAttribute("aria-label", `Colours: ${theme}. Change`);
  button.title = `Colours: ${theme}`;
}

let theme = recall(KEY, "system");
if (!(theme in NEXT)) theme = "system";
apply(theme);
document.querySelector("#theme").addEventListener("click", () => {
  theme = NEXT[theme];
  remember(KEY, theme);
  apply(theme);
});
