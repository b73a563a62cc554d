// Orders on the board before they are sent: an arrow between two things that are on it, a word by a single one.

import { numbered } from "./picks.js";
import { make } from "./svg.js";

export function markOrders(board, orders) {
  if (!orders.length) return;
  const layer = board.overlay("mark order-marks");
  for (const picks of orders) {
    const there = picks.filter((pick) => board.has(pick));
    const words = picks.filter((pick) => !board.has(pick));
    if (there.length > 1) layer.append(arrow(board.spot(there[0]), board.spot(there.at(-1))));
    if (there.length && words.length) layer.append(label(board.spot(there.at(-1)), brief(words)));
  }
}

function arrow(from, to) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy) || 1;
  const size = Math.min(from.size, to.size);
  const [ux, uy] = [dx / length, dy / length];
  const start = [from.x + ux * size * 0.3, from.y + uy * size * 0.3];
  const tip = [to.x - ux * size * 0.08, to.y - uy * size * 0.08];
  const back = [tip[0] - ux * size * 0.3, tip[1] - uy * size * 0.3];
  const wing = size * 0.2;
  const line = `M${start}L${back}`;
  const head = `M${tip}L${[back[0] - uy * wing, back[1] + ux * wing]}L${[back[0] + uy * wing, back[1] - ux * wing]}z`;
  const group = make("g", { class: "order-arrow" });
  group.append(
    make("path", { class: "order-rim", d: line + head, "stroke-width": size * 0.22 }),
    make("path", { class: "order-line", d: line, "stroke-width": size * 0.11 }),
    make("path", { class: "order-head", d: head }),
  );
  return group;
}

function label({ x, y, size }, text) {
  const height = size * 0.34;
  const width = Math.max(height, text.length * height * 0.58 + height * 0.5);
  const group = make("g", { class: "order-label" });
  const top = y + size * 0.22;
  group.append(
    make("rect", { x: x - width / 2, y: top, width, height, rx: height / 2, "stroke-width": size * 0.04 }),
    Object.assign(make("text", { x, y: top + height * 0.76, "font-size": height * 0.82 }), { textContent: text }),
  );
  return group;
}

/** Words whole, numbers without theirs: "bomb", "delay 3", "range 4" as "bomb 3/4". */
function brief(picks) {
  const numbers = picks.map(numbered).filter(Boolean);
  return [...picks.filter((pick) => !numbered(pick)), numbers.map(([, number]) => number).join("/")].join(" ").trim();
}
