// Short sounds, made when they are played. None before the user has done something on the page, as browsers demand.

import { preferred } from "../preferences.js";

const LOW = 10; // seconds of one's time that are left
const LOUD = 0.12;

/** By name, what sounds one after the other: [kind of wave, hertz at its beginning and end, seconds until it begins, its length, its loudness]. */
const SOUNDS = {
  move: [["triangle", 420, 210, 0, 0.07, 1]],
  effect: [["sawtooth", 170, 40, 0, 0.32, 0.8], ["triangle", 90, 45, 0, 0.4, 1.2]],
  turn: [["sine", 587, 587, 0, 0.12, 0.7], ["sine", 880, 880, 0.1, 0.18, 0.7]],
  low: [["square", 988, 988, 0, 0.06, 0.3], ["square", 988, 988, 0.14, 0.06, 0.3]],
  won: [["sine", 523, 523, 0, 0.2, 0.6], ["sine", 659, 659, 0.11, 0.2, 0.6], ["sine", 784, 784, 0.22, 0.2, 0.6], ["sine", 1047, 1047, 0.33, 0.45, 0.6]],
  end: [["sine", 440, 440, 0, 0.2, 0.6], ["sine", 330, 330, 0.16, 0.4, 0.6]],
  chat: [["sine", 1175, 1319, 0, 0.07, 0.4]],
};

const REST = 2000; // milliseconds after which what makes sounds sleeps, or it took power all the time
const PAUSE = 0.08; // seconds between two sounds, where turns are quicker than that

/** @type {AudioContext | null} */
let context = null;
let last = -PAUSE;
let resting = 0;

export function play(name) {
  if (!name || preferred("sounds") === "off" || !navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  context.resume();
  clearTimeout(resting);
  resting = setTimeout(() => context.suspend(), REST);
  if (context.currentTime < last + PAUSE) return;
  last = context.currentTime;
  for (const [kind, from, to, after, length, loudness] of SOUNDS[name]) {
    const [wave, volume, begin] = [context.createOscillator(), context.createGain(), context.currentTime + Number(after)];
    wave.type = /** @type {OscillatorType} */ (kind);
    wave.frequency.setValueAtTime(Number(from), begin);
    wave.frequency.exponentialRampToValueAtTime(Number(to), begin + Number(length));
    volume.gain.setValueAtTime(LOUD * Number(loudness), begin);
    volume.gain.exponentialRampToValueAtTime(0.0001, begin + Number(length));
    wave.connect(volume).connect(context.destination);
    wave.start(begin);
    wave.stop(begin + Number(length));
  }
}

/** The name of the sound for a latest position that came after another one, null for none: most positions sound as what led to them. A turn is announced where one might miss it. */
export function soundOf(before, position, you, isHidden) {
  if (!before || !["action", "end", "takeback"].includes(position.occasion)) return null;
  if (position.outcome) return before.outcome ? null : you !== null && position.outcome.winner === you ? "won" : "end";
  const mayBeMissed = isHidden || position.to_move.length > 1;
  if (mayBeMissed && position.to_move.includes(you) && before.ply !== position.ply) return "turn";
  return position.effects.length || position.events.length ? "effect" : "move";
}

/** Warns whoever runs out of time: `left()` are the seconds that they have, null while nothing runs; `tell(text)` says it. */
export function watchTime(left, tell) {
  let before = null;
  setInterval(() => {
    const now = left();
    if (isRunningOut(before, now)) {
      play("low");
      tell(`${LOW} seconds left`);
    }
    before = now;
  }, 250);
}

export function isRunningOut(before, now) {
  return before !== null && now !== null && before >= LOW && now < LOW;
}
