// Walks through a game whose drawings are packed in the page itself (see replays.py). In a report the game is that of the address's #game-NUMBER, in a dialog.

const find = (name) => document.querySelector(name);
const go = Object.fromEntries([...document.querySelectorAll("[data-go]")].map((button) => [button.dataset.go, button]));
const slider = find(".viewer input");
const dialog = find("dialog");

let game = null;
let at = 0;
let timer = 0;

async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text.trim()), (character) => character.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).json();
}

async function open(data) {
  pause();
  game = await unpacked(data.textContent);
  slider.max = game.frames.length - 1;
  find(".steps").replaceChildren(...["start", ...game.moves].map(step));
  show(0);
}

function step(text, number) {
  const entry = document.createElement("li");
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: number ? `${number}. ${text}` : text, title: text });
  button.addEventListener("click", () => walk(number));
  entry.append(button);
  return entry;
}

const line = (text) => Object.assign(document.createElement("li"), { textContent: text });

function show(wanted) {
  const last = game.frames.length - 1;
  at = Math.max(0, Math.min(last, wanted));
  find(".board").innerHTML = game.frames[at].map((piece) => game.pieces[piece]).join("");
  find(".viewer .step").textContent = at ? `${at} of ${last}. ${game.moves[at - 1]}` : `The start; ${last} to come`;
  find(".events").replaceChildren(...game.events[at].map(line));
  find(".position").replaceChildren(...game.facts[at].map(line));
  slider.value = at;
  slider.setAttribute("aria-valuetext", find(".viewer .step").textContent);
  go.first.disabled = go.previous.disabled = at === 0;
  go.last.disabled = go.next.disabled = at === last;
  const steps = find(".steps");
  steps.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const current = steps.children[at].firstChild;
  current.setAttribute("aria-current", "step");
  steps.scrollTop = current.offsetTop - steps.offsetTop - steps.clientHeight / 2;
}

function walk(wanted) {
  pause();
  show(wanted);
}

function pause() {
  clearInterval(timer);
  timer = 0;
  go.play.textContent = "Play";
}

function play() {
  if (timer) return pause();
  if (at === game.frames.length - 1) show(0);
  timer = setInterval(() => (at < game.frames.length - 1 ? show(at + 1) : pause()), 600);
  go.play.textContent = "Pause";
}

const moves = { first: () => walk(0), previous: () => walk(at - 1), next: () => walk(at + 1), last: () => walk(Infinity), play };
const keys = { Home: "first", ArrowLeft: "previous", ArrowRight: "next", End: "last", " ": "play" };

for (const [name, button] of Object.entries(go)) button.addEventListener("click", moves[name]);
slider.addEventListener("input", () => walk(Number(slider.value)));
document.addEventListener("keydown", (event) => {
  const name = keys[event.key];
  const pressed = event.key === " " && event.target.matches("button, summary, a");
  if (!name || pressed || !game || (dialog && !dialog.open) || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  moves[name]();
});

/** A report's address says which game is looked at, so that it can be linked and the way back closes it. */
function follow() {
  const data = /^#game-\d+$/.test(location.hash) && document.getElementById(location.hash.slice(1));
  if (!data) return dialog.close();
  dialog.querySelector("h2").textContent = data.dataset.title;
  dialog.querySelector("a").href = data.dataset.record;
  if (!dialog.open) dialog.showModal();
  return open(data);
}

if (dialog) {
  addEventListener("hashchange", follow);
  dialog.querySelector("header button").addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => {
    pause();
    if (location.hash.startsWith("#game-")) history.replaceState(null, "", location.pathname + location.search);
  });
  follow();
} else {
  open(find("#game-1"));
}
