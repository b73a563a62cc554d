// hexabomb on its page: orders of several turns at once, what a bomb will reach, and a turn's orders that stand for a moment before they are carried out.

import { make } from "/static/svg.js";
import { recall, remember } from "/static/storage.js";

import { Controls } from "./page_controls.js";
import { Paths } from "./page_paths.js";
import { around, fieldOf, filled, pathTo, reachOf, repeated } from "./page_standing.js";

const HOLD = 700; // milliseconds
const KEPT = `standing-orders-of-${location.pathname}`;

export default function sit(table) {
  const { board } = table;
  let turn = null; // the one for which orders can be given: {ply, field}
  let kept = recall(KEPT, { ply: -1, wishes: [], sendsItself: false }, "sessionStorage"); // from before the page was loaded anew
  let wishes = new Map(kept.wishes); // by character, for the turns to come: "paint", "hold", or a path of cells
  let given = []; // the orders of this turn, as picks
  let last = null; // orders that were given: {ply, orders, field}
  let before = null; // those of the turn before
  let chosen = null; // the character of which an order is being chosen
  /** Whether every living character has its order, and none is being chosen. */
  const isReady = () => controls.sendsItself && open() && !chosen && mine().every((one) => orderOf(one) || !turn.field.characters.get(one).isAlive);
  const presses = { paint: () => wish("paint"), hold: () => wish("hold"), again, none: forget, toggled: () => table.refresh() };
  const controls = new Controls(table.panel, presses, kept.sendsItself);

  const orderOf = (character) => given.find(([one]) => one === character);
  const mine = () => [...turn.field.characters].filter(([, { colour }]) => colour === table.welcome.you + 1).map(([character]) => character);
  const open = () => turn !== null && table.shown?.latest && table.shown.ply === turn.ply;

  /** Gives a standing order to the chosen character, or to all without orders; the dead keep the one that they have. */
  function wish(kind) {
    if (!open()) return;
    const which = chosen ? [chosen] : mine().filter((one) => !orderOf(one) && !(wishes.has(one) && !turn.field.characters.get(one).isAlive));
    for (const one of which) wishes.set(one, kind);
    give(filled(turn.field, new Map(which.map((one) => [one, kind])), given).orders);
  }

  function again() {
    if (open() && before) give(before.orders.map((picks) => repeated(turn.field, picks, before.field)).filter(Boolean));
  }

  function forget() {
    wishes.clear();
    table.refresh();
  }

  /** Lets a character follow a path of cells, beginning on this turn. */
  function follow(character, path) {
    wishes.delete(character);
    if (path.length) {
      table.pick(character, path[0]);
      wishes.set(character, path);
    }
    table.refresh();
  }

  /** Sends the chosen character to the cell that has the focus. */
  function go() {
    const focused = document.activeElement?.closest("[data-pick]")?.getAttribute("data-pick");
    const cell = focused && board.meanings(focused).find((name) => name.includes(","));
    if (open() && cell && turn.field.characters.get(chosen)?.isAlive) follow(chosen, pathTo(turn.field, chosen, cell));
  }

  function give(orders) {
    const legal = table.shown.orders.flat();
    for (const picks of orders) if (legal.some(([character, what]) => character === picks[0] && what === picks[1])) table.pick(...picks);
    table.refresh();
  }

  new Paths(board, {
    begins: (picked) => (open() && board.meanings(picked).find((name) => mine().includes(name) && turn.field.characters.get(name).isAlive)) || null,
    leads: (from, to) => around(turn.field, from).includes(to),
    draw(character, path) {
      wishes.set(character, [...path]);
      table.refresh();
    },
    end: follow,
  });

  return {
    /** Frames around all cells that ordered bombs, and the one that is being chosen, will reach; the paths of later turns. */
    marks({ orders, path }) {
      [given, chosen] = [orders, path[0] ?? null];
      if (open()) last = { ply: turn.ply, orders: [...orders], field: turn.field };
      const bombs = [...orders, path].filter((picks) => picks[1] === "bomb");
      for (const [character, , , range] of bombs) {
        const cell = standing(board, character);
        if (cell) reachOf(cell, range ? number(range) : 2, (name) => board.has(name)).forEach((name) => board.markReach(name));
      }
      if (open()) {
        for (const wish of wishes.values()) if (Array.isArray(wish)) drawPath(board, wish);
        remember(KEPT, { ply: turn.ply, wishes: [...wishes], sendsItself: controls.sendsItself }, "sessionStorage");
      }
      if (isReady()) setTimeout(() => isReady() && table.send()); // after keys that were typed ahead
      controls.show({ isPlaying: table.welcome.you !== null && !table.shown.outcome && !table.hasLeft, isOpen: open(), chosen, canRepeat: before !== null, wishes });
    },

    /** On a new turn, fills in what follows from standing orders. */
    shown(position) {
      if (!position.latest || !position.orders.length || position.ply === turn?.ply) return;
      if (last && last.ply < position.ply) before = last;
      turn = { ply: position.ply, field: fieldOf(position.text) };
      const isKnown = kept.ply === turn.ply; // its orders are there already
      kept = { ...kept, ply: -1 };
      if (isKnown) return table.refresh();
      for (const picks of before?.orders ?? []) {
        const wish = wishes.get(picks[0]);
        if (wish && !follows(picks, wish) && !hadToHold(before, picks, wish)) wishes.delete(picks[0]); // it was changed
      }
      const due = filled(turn.field, wishes, given);
      wishes = due.wishes;
      give(due.orders);
    },

    /** A path is dragged here. */
    drags: (picked) => turn !== null && board.meanings(picked).some((name) => mine().includes(name)),

    key(key) {
      const does = { p: () => wish("paint"), h: () => wish("hold"), l: again, e: go }[key];
      if (does && open()) does();
      return Boolean(does && open());
    },

    /** Lets everybody see what has been ordered; then, where bombs went off, a blast on every cell. */
    async animate({ before: from, after, live }) {
      if (!live) return; // a replay has a speed of its own
      if (after.to_move.length === 0 && !after.outcome) {
        board.show(after.svg);
        await new Promise((resolve) => setTimeout(resolve, HOLD));
      } else if (from.to_move.length === 0) {
        const { explosions = {} } = JSON.parse(after.text);
        const cells = Object.values(explosions).flat();
        await Promise.all(board.blasts(cells.map(({ q, r }) => `${q},${r}`)).map(burst));
      }
    },
  };
}

/** Whether an order is what a standing order gives: one along a path, or any where the character paints or holds. */
function follows([, what], wish) {
  return Array.isArray(wish) ? what === wish[0] : wish === "hold" ? what === "none" : what.includes(",") || what === "revive";
}

/** Whether a character that paints on held because it found nothing to paint. */
function hadToHold({ field, orders }, [character, what], wish) {
  const others = orders.filter(([other]) => other !== character);
  return wish === "paint" && what === "none" && filled(field, new Map([[character, wish]]), others).orders.some((picks) => picks[0] === character && picks[1] === "none");
}

/** A line along the cells that a character is to enter. */
function drawPath(board, picks) {
  const spots = picks.filter((pick) => board.has(pick)).map((pick) => board.spot(pick));
  if (spots.length < 2) return; // the arrow of this turn's order says it
  const d = `M${spots.map(({ x, y }) => `${x} ${y}`).join("L")}`;
  const layer = board.overlay("mark order-marks");
  const [{ size }] = spots;
  layer.append(
    make("path", { class: "order-line hb-rim", d, fill: "none", "stroke-width": size * 0.14 }),
    make("path", { class: "order-line", d, "stroke-width": size * 0.07, "stroke-dasharray": `${size * 0.05} ${size * 0.14}` }),
  );
  const { x, y } = spots.at(-1);
  layer.append(make("circle", { class: "order-head", cx: x, cy: y, r: size * 0.12 }));
}

/** The cell under a character, as its pick. */
function standing(board, character) {
  return board.has(character) ? board.meanings(character).at(-1) : null;
}

function burst(circle) {
  const frames = [
    { transform: "scale(0.2)", opacity: 0.9 },
    { transform: "scale(1)", opacity: 0 },
  ];
  return circle.animate(frames, { duration: 450, easing: "ease-out", fill: "forwards" }).finished;
}

function number(pick) {
  return Number(/\d+$/.exec(pick)[0]);
}
