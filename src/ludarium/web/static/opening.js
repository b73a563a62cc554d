// A record or a position that somebody brings is opened as games are. The server checks it.

import { ask } from "./asking.js";

const MOST = 2 ** 20; // bytes that the server takes

/** Goes to the page of it, or fails with what is wrong. */
export async function open(/** @type {string | File} */ given) {
  const { size } = new Blob([given]);
  if (size > MOST) throw new Error(`That is too long: ${size.toLocaleString("en")} bytes, and ${MOST.toLocaleString("en")} are taken`);
  const data = typeof given === "string" ? given : new Blob([await given.arrayBuffer()]);
  location.href = (await ask("/api/opened", data)).watch;
}

/** A file, or a text, that is dropped anywhere on the page is taken; the page says so while it is dragged. */
export function takeDrops(/** @type {(given: string | File) => void} */ take) {
  const mark = (/** @type {boolean} */ is) => document.body.classList.toggle("dropping", is);
  addEventListener("dragover", (event) => {
    event.preventDefault();
    mark(true);
  });
  addEventListener("dragleave", (event) => !event.relatedTarget && mark(false));
  addEventListener("drop", (event) => {
    event.preventDefault();
    mark(false);
    const [file] = event.dataTransfer.files;
    const given = file ?? event.dataTransfer.getData("text");
    if (given) take(given);
  });
}
