// Shows the effects of an action wave by wave, on the drawing before it, until the drawing after it takes over.

const WAVE = 260; // milliseconds between waves
const BLAST = 520;
const LONGEST = 3000;

export function wantsMotion() {
  return !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

export async function explode(board, effects, drawing) {
  const pause = Math.min(WAVE, LONGEST / effects.length);
  for (const wave of effects) {
    for (const pick of wave) {
      const circle = board.blast(pick);
      circle?.animate(
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

function delay(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, milliseconds)));
}
