// A record or a position that somebody drops, pastes or chooses in the lobby.

import { open, takeDrops } from "../opening.js";

/** @type {HTMLFormElement} */
const form = document.querySelector("#open");
/** @type {HTMLInputElement} */
const chooser = form.querySelector("[type=file]");
const field = form.querySelector("textarea");

async function take(/** @type {string | File} */ given) {
  const problem = form.querySelector(".problem");
  problem.textContent = "";
  try {
    await open(given);
  } catch (trouble) {
    problem.textContent = trouble.message;
    problem.scrollIntoView({ block: "nearest" });
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  take(field.value);
});
chooser.addEventListener("click", () => (chooser.value = "")); // or the same file, edited meanwhile, would be no change
chooser.addEventListener("change", () => take(chooser.files[0]));

addEventListener("paste", (event) => {
  const text = event.clipboardData.getData("text");
  const isField = event.target instanceof Element && event.target.matches("input, textarea");
  if (text && !isField && !document.querySelector("dialog[open]")) take(text);
});
takeDrops(take);
