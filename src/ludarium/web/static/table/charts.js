// A game's measures over time, a small line chart each. Lines differ by colour, by their dashes, and by a player's name at the end.

import { make } from "../svg.js";

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [300, 110, 30, 92, 8, 6];
const MOST_POINTS = 240;

export class Charts {
  constructor(holder) {
    this.holder = holder;
    this.history = {}; // name: by ply, a list of numbers by player
  }

  setHistory(history) {
    this.history = history;
  }

  /** Adds a position, which may be one that came in the place of others that were taken back. */
  add(ply, length, measures) {
    for (const [name, values] of Object.entries(measures)) {
      const line = (this.history[name] ??= []);
      line.length = Math.min(line.length, length + 1);
      while (line.length < ply) line.push(line.at(-1) ?? values); // positions that were not sent
      line[ply] = values;
    }
  }

  /** Shows all measures up to now, with a point for the start and for each of these positions, plies: those that count. */
  show(names, at, plies) {
    const charts = Object.entries(this.history).filter(([, line]) => line.length);
    const counted = plies.filter((ply) => ply <= at).length;
    this.holder.hidden = charts.length === 0;
    this.holder.replaceChildren(...charts.map(([name, line]) => chart(name, [line[0], ...plies.filter((ply) => ply < line.length).map((ply) => line[ply])], names, counted)));
  }
}

function chart(name, line, names, at) {
  const most = Math.max(1, ...line.flat());
  const least = Math.min(0, ...line.flat());
  const x = (ply) => LEFT + ((WIDTH - LEFT - RIGHT) * ply) / Math.max(1, line.length - 1);
  const y = (value) => HEIGHT - BOTTOM - ((HEIGHT - TOP - BOTTOM) * (value - least)) / (most - least);
  const now = line[Math.min(at, line.length - 1)];
  const said = names.map((player, number) => `${player} ${now[number]}`).join(", ");
  const figure = document.createElement("figure");
  const svg = make("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `${name}: ${said}` });
  svg.append(
    make("path", { class: "chart-axis", d: `M${LEFT} ${TOP}V${HEIGHT - BOTTOM}H${WIDTH - RIGHT}` }),
    text("chart-scale", LEFT - 4, TOP + 6, most.toLocaleString("en")),
    text("chart-scale", LEFT - 4, HEIGHT - BOTTOM, least.toLocaleString("en")),
    make("path", { class: "chart-now", d: `M${x(Math.min(at, line.length - 1))} ${TOP}V${HEIGHT - BOTTOM}` }),
  );
  const places = spread(names.map((_, number) => y(line.at(-1)[number])));
  names.forEach((player, number) => {
    const points = thinned(line).map(([ply, values]) => `${x(ply).toFixed(1)} ${y(values[number]).toFixed(1)}`);
    svg.append(make("path", { class: `chart-line player-${number % 8}`, d: `M${points.join("L")}` }));
    svg.append(make("path", { class: `chart-line player-${number % 8}`, d: `M${WIDTH - RIGHT + 3} ${places[number]}h14` }));
    svg.append(text("chart-name", WIDTH - RIGHT + 20, places[number] + 3.4, `${player} ${now[number].toLocaleString("en")}`));
  });
  figure.append(Object.assign(document.createElement("figcaption"), { textContent: name }), svg);
  return figure;
}

/** Places of labels that do not lie upon each other, as near to what they name as that allows. */
function spread(wanted) {
  const step = Math.min(11, (HEIGHT - TOP - BOTTOM) / Math.max(1, wanted.length - 1));
  const order = [...wanted.keys()].sort((one, other) => wanted[one] - wanted[other]);
  const places = [];
  let least = TOP;
  for (const number of order) {
    places[number] = Math.max(least, wanted[number]);
    least = places[number] + step;
  }
  let most = HEIGHT - BOTTOM;
  for (const number of order.toReversed()) {
    places[number] = Math.min(most, places[number]);
    most = places[number] - step;
  }
  return places;
}

/** [ply, values] pairs, of long games as many as can be seen. */
function thinned(line) {
  const step = Math.max(1, Math.ceil(line.length / MOST_POINTS));
  return [...line.entries()].filter(([ply]) => ply % step === 0 || ply === line.length - 1);
}

function text(name, x, y, content) {
  return Object.assign(make("text", { class: name, x, y }), { textContent: content });
}
