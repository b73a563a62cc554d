// The moment after a game is won: tiles of the house's mark open like a flower over the board, and are gone.

import { wantsMotion } from "../animation.js";

const TILES = 55;
const TURN = 2.39996; // radians between one tile and the next, as of the seeds of a sunflower
const LASTS = 1700; // milliseconds
const KINDS = ["gold", "accent", "gold", "pick"];

export function celebrate(svg) {
  if (!wantsMotion()) return;
  const { left, top, width, height } = svg.getBoundingClientRect();
  const flower = Object.assign(document.createElement("div"), { className: "celebration", ariaHidden: "true" });
  Object.assign(flower.style, { left: `${left + width / 2}px`, top: `${top + height / 2}px` });
  document.body.append(flower);
  const reach = 0.52 * Math.min(width, height);
  for (let index = 0; index < TILES; index += 1) {
    const tile = flower.appendChild(document.createElement("i"));
    tile.style.background = `var(--${KINDS[index % KINDS.length]})`;
    const [angle, far] = [index * TURN, reach * Math.sqrt((index + 1) / TILES)];
    const place = (share, turn, scale) => `translate(${share * far * Math.cos(angle)}px, ${share * far * Math.sin(angle)}px) rotate(${turn}rad) scale(${scale})`;
    tile.animate(
      [
        { transform: place(0, 0, 0), opacity: 1, easing: "cubic-bezier(0.1, 0.7, 0.3, 1)" },
        { transform: place(0.96, angle, 1), opacity: 1, offset: 0.5, easing: "ease-in" },
        { transform: place(1.06, angle + 0.8, 0.2), opacity: 0 },
      ],
      { duration: LASTS, delay: 5 * index, fill: "both" },
    );
  }
  setTimeout(() => flower.remove(), LASTS + 5 * TILES);
}
