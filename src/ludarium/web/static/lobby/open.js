// A record or a position that somebody drops, pastes or chooses is opened as games are. The server checks it.

import { ask } from "../asking.js";

const MOST = 2 ** 20; // bytes that the server takes

/** @type {HTMLFormElement} */
const form = document.querySelector("#open");
/** @type {HTMLInputElement} */
const chooser = form.querySelector("[type=file]");
const field = form.querySelector("textarea");

async function open(/** @type {string | File} */ given) {
  const problem = form.querySelector(".problem");
  problem.textContent = "";
  try {
    const { size } = new Blob([given]);
    if (size > MOST) throw new Error(`That is too long: ${size.toLocaleString("en")} bytes, and ${MOST.toLocaleString("en")} are taken`);
    const text = typeof given === "string" ? given : await given.text();
    location.href = (await ask("/api/opened", text)).watch;
  } catch (trouble) {
    problem.textContent = trouble.message;
    problem.scrollIntoView({ block: "nearest" });
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  open(field.value);
});
chooser.addEventListener("click", () => (chooser.value = "")); // or the same file, edited meanwhile, would be no change
chooser.addEventListener("change", () => open(chooser.files[0]));

addEventListener("paste", (event) => {
  const text = event.clipboardData.getData("text");
  const isField = event.target instanceof Element && event.target.matches("input, textarea");
  if (text && !isField && !document.querySelector("dialog[open]")) open(text);
});
addEventListener("dragover", (event) => {
  event.preventDefault();
  form.classList.add("dropping");
});
addEventListener("dragleave", (event) => !event.relatedTarget && form.classList.remove("dropping"));
addEventListener("drop", (event) => {
  event.preventDefault();
  form.classList.remove("dropping");
  const [file] = event.dataTransfer.files;
  const given = file ?? event.dataTransfer.getData("text");
  if (given) open(given);
});
