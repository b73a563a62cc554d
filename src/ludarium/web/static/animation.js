// Motion: a piece slides to where it went; the effects of an action come wave by wave, on the drawing before it.

const WAVE = 260; // milliseconds between waves
const BLAST = 520;
const LONGEST = 3000;
const SLIDE = 180;

export function wantsMotion() {
  return !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

export async function explode(board, effects, drawing) {
  const pause = Math.min(WAVE, LONGEST / effects.length);
  for (const wave of effects) {
    for (const circle of board.blasts(wave)) {
      circle.animate(
        [
          { transform: "scale(0.15)", opacity: 1 },
          { transform: "scale(1)", opacity: 0.9, offset: 0.45 },
          { transform: "scale(1.15)", opacity: 0 },
        ],
        { duration: BLAST, easing: "ease-out", fill: "forwards" },
      );
    }
    await delay(pause / 2);
    board.showPart(drawing, wave);
    await delay(pause / 2);
  }
  await delay(BLAST - pause);
}

/** Lets what stands at the last of some picks come from the first of them, unless the user has carried it there. Nothing waits for it. */
export function slide(board, picks) {
  const [from, ...path] = picks.filter((pick) => board.has(pick));
  const lifted = path.length && path.at(-1) !== board.carried && board.lift(path.at(-1), from);
  board.carried = null;
  if (!lifted) return;
  const { piece, dx, dy, drop } = lifted;
  piece.animate([{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "none" }], { duration: SLIDE, easing: "ease-out" }).onfinish = drop;
}

function delay(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, milliseconds)));
}
