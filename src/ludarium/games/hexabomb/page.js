// hexabomb on its page: what a bomb will reach is shown before it is ordered, and a turn's orders stand for a moment before they are carried out.

const STEPS = [[1, 0], [1, -1], [0, -1], [-1, 0], [-1, 1], [0, 1]];
const HOLD = 700; // milliseconds

export default function sit({ board }) {
  return {
    /** Frames around all cells that ordered bombs, and the one that is being chosen, will reach. */
    marks({ orders, path }) {
      const bombs = [...orders, path].filter((picks) => picks[1] === "bomb");
      for (const [character, , , range] of bombs) {
        const cell = standing(board, character);
        if (cell) reach(board, cell, range ? number(range) : 2).forEach((name) => board.markReach(name));
      }
    },

    /** Lets everybody see what has been ordered; then, where bombs went off, a blast on every cell. */
    async animate({ before, after, live }) {
      if (!live) return 0; // a replay has a speed of its own
      if (after.to_move.length === 0 && !after.outcome) return HOLD;
      if (before.to_move.length === 0) {
        const { explosions = {} } = JSON.parse(after.text);
        const cells = Object.values(explosions).flat();
        await Promise.all(cells.map(({ q, r }) => burst(board.blast(`${q},${r}`))));
      }
      return 0;
    },
  };
}

/** The cell under a character, as its pick. */
function standing(board, character) {
  return board.has(character) ? board.meanings(character).at(-1) : null;
}

/** All cells of six lines, each as long as there are cells. */
function reach(board, cell, range) {
  const [q, r] = cell.split(",").map(Number);
  const found = [cell];
  for (const [dq, dr] of STEPS) {
    for (let step = 1; step <= range; step += 1) {
      const name = `${q + dq * step},${r + dr * step}`;
      if (!board.has(name)) break;
      found.push(name);
    }
  }
  return found;
}

function burst(circle) {
  const frames = [
    { transform: "scale(0.2)", opacity: 0.9 },
    { transform: "scale(1)", opacity: 0 },
  ];
  return circle?.animate(frames, { duration: 450, easing: "ease-out", fill: "forwards" }).finished;
}

function number(pick) {
  return Number(/\d+$/.exec(pick)[0]);
}
