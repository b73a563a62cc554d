// The page on which a code from another device opens its seat here, or takes its name along.

import { at } from "./addresses.js";
import { ask } from "./asking.js";
import { addressOf } from "./held_seats.js";
import { rememberName } from "./names.js";

const form = document.querySelector("form");
const field = form.elements.code;
const problem = form.querySelector(".problem");

if (location.hash) field.value = decodeURIComponent(location.hash.slice(1));
history.replaceState(null, "", location.pathname);

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  problem.textContent = "";
  try {
    const { game, player, token, name, key } = await ask("/api/codes", { code: field.value });
    if (key) {
      rememberName({ name, key });
      location.replace(at("/people"));
    } else location.replace(at(`/game/${encodeURIComponent(game)}${addressOf(game, { token, seat: player })}`));
  } catch ({ message }) {
    problem.textContent = message;
    field.focus();
  }
});
