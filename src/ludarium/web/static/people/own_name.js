// The page on which somebody takes a name, takes it along to another device, or forgets it here.

import { ask } from "../asking.js";
import { copyFrom } from "../clipboard.js";
import { Handover } from "../handover.js";
import { forgetName, ownName, pageOf, rememberName, showOwnName } from "../names.js";

const form = document.querySelector("#take");
const mine = document.querySelector("#mine");
const handover = new Handover(document.querySelector("#handover"), takeAlong);

function show() {
  showOwnName();
  const own = ownName();
  mine.hidden = !own;
  form.hidden = Boolean(own);
  if (!own) return;
  const page = document.querySelector("#own-page");
  page.href = pageOf(own);
  page.firstChild.textContent = own.name;
}

async function takeAlong() {
  const problem = mine.querySelector(".problem");
  problem.textContent = "";
  try {
    handover.show(await ask("/api/people/code", ownName()));
  } catch ({ message }) {
    problem.textContent = message;
  }
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const [problem, { name, key }] = [form.querySelector(".problem"), form.elements];
  problem.textContent = "";
  try {
    rememberName(await ask("/api/people", { name: name.value, ...(key.value.trim() && { key: key.value.trim() }) }));
    form.reset();
    show();
    document.querySelector("#own-page").focus();
  } catch ({ message }) {
    problem.textContent = message;
    name.focus();
  }
});

document.querySelector("#take-along").addEventListener("click", takeAlong);
document.querySelector("#copy-key").addEventListener("click", ({ currentTarget }) => copyFrom(currentTarget, ownName().key));
document.querySelector("#forget").addEventListener("click", () => {
  if (!confirm(`Without its key nobody is ${ownName().name} any more. Forget it in this browser?`)) return;
  forgetName();
  show();
  form.elements.name.focus();
});
addEventListener("storage", show); // of another tab
show();
