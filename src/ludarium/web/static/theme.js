// Light, dark, or as the system has it; remembered in this browser.

const KEY = "ludarium-theme";
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

let theme = localStorage.getItem(KEY);
if (!(theme in NEXT)) theme = "system";
apply(theme);
document.querySelector("#theme").addEventListener("click", () => {
  theme = NEXT[theme];
  localStorage.setItem(KEY, theme);
  apply(theme);
});
