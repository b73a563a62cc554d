// The players' clocks on their strip; those that run count down here between two words from the server.

const SHORT = 10; // seconds below which tenths are shown

export class Clocks {
  #clocks = []; // by seat: {left, end}, `end` null while it stands
  #nodes = [];

  constructor() {
    setInterval(() => this.#write(), 100);
  }

  /** `clocks` are {left, running} by seat, or null where nobody's time is counted; those of `shown` seats say something. */
  set(clocks, shown) {
    this.#clocks = (clocks ?? []).map(({ left, running }, seat) => ({ left, end: running ? performance.now() + 1000 * left : null, isShown: shown.includes(seat) }));
  }

  /** Seconds that a seat has left; null while its clock stands. */
  left(seat) {
    const clock = this.#clocks[seat];
    return clock?.end ? secondsOf(clock) : null;
  }

  /** Puts them into the entries of the players. */
  show(entries) {
    this.#nodes = this.#clocks.map((_, seat) => {
      const node = document.createElement("time");
      entries[seat].append(node);
      return node;
    });
    this.#write();
  }

  #write() {
    this.#nodes.forEach((node, seat) => {
      const clock = this.#clocks[seat];
      if (!clock) return;
      const left = secondsOf(clock);
      const text = inWords(left);
      if (node.textContent !== text) node.textContent = text;
      node.hidden = !clock.isShown;
      node.classList.toggle("running", clock.end !== null);
      node.classList.toggle("short", left < SHORT);
    });
  }
}

function secondsOf({ left, end }) {
  return end === null ? left : Math.max(0, (end - performance.now()) / 1000);
}

/** Seconds as a clock shows them: `0:09.3`, `4:58`, `1:02:03`, `2 d 23 h`. */
export function inWords(seconds) {
  if (seconds < SHORT) return `0:0${(Math.floor(seconds * 10) / 10).toFixed(1)}`;
  const [days, hours, minutes, rest] = [Math.floor(seconds / 86400), Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60, Math.floor(seconds) % 60];
  const two = (number) => String(number).padStart(2, "0");
  if (days) return `${days} d ${hours} h`;
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** A time control in words: `300+3` is "5 min + 3 s", `259200/action` "3 d a turn". */
export function controlInWords(text) {
  const [, time, increment, isTurn] = /^([\d.]+)(?:\+([\d.]+)|(\/action))?$/.exec(text);
  return `${lengthInWords(Number(time))}${isTurn ? " a turn" : ""}${increment ? ` + ${lengthInWords(Number(increment))}` : ""}`;
}

function lengthInWords(seconds) {
  const [size, unit] = [[86400, "d"], [3600, "h"], [60, "min"], [1, "s"]].find(([size]) => seconds % Number(size) === 0) ?? [1, "s"];
  return `${seconds / Number(size)} ${unit}`;
}
