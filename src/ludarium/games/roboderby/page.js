// RoboDerby on its page: dice are put into registers before they are final, and a turn is shown register by register, robot by robot.

import { Controls } from "./page_controls.js";
import { Dragging } from "./page_dragging.js";
import { Ghost } from "./page_ghost.js";
import { Motion } from "./page_motion.js";
import { questionIn, robotsHeard, waitingIn } from "./page_words.js";
import { drawProgram, isFalling, nameOf, Program, programHeard } from "./page_program.js";
import { headingsOf, latestTurn, numberOf } from "./page_telling.js";
import { hasteOf } from "./page_timing.js";
import { Turn } from "./page_turn.js";

const FULL_HEALTH = 6;
const LAST_MOMENT = 1.2; // seconds before the time is up, when what was put down is sent as it is
const HANDS = matchMedia("(hover: none)").matches ? "press or drag" : "press, drag or type (1–5)"; // what there is to program with

export default function sit(table) {
  const { board } = table;
  const motion = new Motion();
  const program = new Program(location.href); // with the secret of the seat
  let turn = null; // the number of the latest one up to what is shown, and its parts: the positions before and after each
  let isAgain = false; // whether it is being shown once more
  let asked = null; // while an answer to what was played is on its way: the choice that it was
  let wasSkipped = false;
  let caption = ""; // what is happening in the turn that is shown
  let begun = 0; // the turn for which dice have been put down
  const controls = new Controls(table.panel, motion, {
    onAgain: again,
    onSkip: () => (wasSkipped = true),
    onChange() {
      runIfUndamaged();
      table.status();
    },
  });
  const ghost = new Ghost(board, table.panel, table.foresee, table.refresh);
  new Dragging(board, {
    dieAt: (pick) => (isProgramming() ? dieAt(pick) : null),
    onDrop(die, register) {
      if (!isProgramming()) return;
      if (register === null) program.takeBack(die);
      else program.place(die, program.hand.open.includes(register) ? register : null);
      table.refresh();
    },
  });

  board.holder.addEventListener("pointerover", ({ target }) => {
    const named = target.closest("[data-die], [data-register], [data-robot], [data-pick]"); // what a mouse rests upon says what it is
    board.holder.title = [named?.getAttribute("aria-label"), named?.getAttribute("aria-description")].filter(Boolean).join(": ");
  });

  setInterval(() => {
    const { secondsLeft } = table;
    if (secondsLeft !== null && secondsLeft < LAST_MOMENT && isProgramming() && program.draft.length) send();
  }, 200);

  const isProgramming = () => table.shown?.latest && program.hand !== null && asked === null && !controls.isMoving;
  const declares = () => asked === null && !controls.isMoving && table.shown?.latest && table.shown.actions.some(({ text }) => text === "run");

  const question = () => (asked === null && !controls.isMoving && table.shown?.latest ? questionIn(table.shown, table.welcome) : null);

  function dieAt(pick) {
    if (/^d\d$/.test(pick)) return program.draft.some(({ die }) => `d${die}` === pick) ? null : Number(pick[1]);
    return program.draft[program.hand.open.indexOf(Number(pick[1]))]?.die ?? null;
  }

  function play(text) {
    asked = choiceIn(table.shown);
    table.act(text);
  }

  /** What tells a choice from the next one. */
  function choiceIn({ actions, text }) {
    return JSON.stringify([actions, JSON.parse(text).turn]);
  }

  function send(dice = null) {
    program.send(dice);
    if (!isFalling(table.shown)) play(program.pending.shift()); // otherwise the next position, which comes at once, begins to send
  }

  function roll() {
    if (!program.canRoll) return;
    if (program.hand.canChooseDice && program.rolling === null) program.rolling = [...program.left];
    else if (program.rolling?.length !== 0) send(program.rolling ?? program.left);
    table.refresh();
  }

  /** Whether all that can be done with the dice that were put down is to make them final. */
  const canLock = () => program.isComplete || (program.draft.length > 0 && program.draft.length === program.hand.atOnce);

  function confirm() {
    if (program.rolling) roll();
    else if (canLock()) send();
    else return false;
    return true;
  }

  function retreat() {
    if (program.rolling) program.rolling = null;
    else if (program.draft.length) program.takeBack();
    else return false;
    table.refresh();
    return true;
  }

  function pressDie(die) {
    if (program.rolling) {
      const without = program.rolling.filter((other) => other !== die);
      program.rolling = without.length < program.rolling.length ? without : [...without, die].sort();
    } else if (program.draft.some((placed) => placed.die === die)) {
      program.takeBack(die);
    } else {
      program.place(die);
    }
    table.refresh();
  }

  function toggle(register) {
    program.toggle(register);
    table.refresh();
  }

  /** Shows the turn once more. Who skips a part of it skips what is left of it. */
  async function again() {
    if (!turn || isAgain) return;
    isAgain = true;
    wasSkipped = false;
    for (const part of turn.parts) {
      if (!wasSkipped) await table.replay(part);
    }
    isAgain = false;
  }

  function runIfUndamaged() {
    if (!declares() || !controls.runs.checked) return;
    const { you } = table.welcome;
    if (JSON.parse(table.shown.text).robots[you].health === FULL_HEALTH) play("run");
  }

  function sentence() {
    if (program.rolling) return "Press the dice that are to stay, then roll";
    if (!program.draft.length) return `Your turn: ${HANDS} the die for register ${program.hand.open[0]}`;
    const words = program.draft.map(({ die, noop }) => (noop ? "no-op" : nameOf(board, die))).join(", ");
    return program.isComplete ? `${words}: lock it in?` : `${words}, …`;
  }

  /** The same for who does not see the dice and, before the first of them is put down, the board. */
  function heard() {
    if (program.rolling) return sentence();
    if (program.draft.length) begun = program.turn;
    const robots = begun === program.turn ? "" : `${robotsHeard(board, table.welcome)}. `;
    return `${program.draft.length ? "" : "Your turn. "}${robots}${programHeard(board, program)}`;
  }

  function choices() {
    const { draft, left } = program;
    if (program.rolling) {
      const label = `Roll ${program.rolling.map((die) => nameOf(board, die)).join(", ")}`;
      return [...(program.rolling.length ? [{ label, key: "Enter", enterKey: "", kind: "primary", onClick: roll }] : []), { label: "Cancel", key: "Esc", onClick: retreat }];
    }
    const found = [];
    if (canLock()) found.push({ label: program.isComplete ? "Lock in" : "Place it for good", key: "Enter", enterKey: "", kind: "primary", onClick: confirm });
    if (draft.length) found.push({ label: draft.at(-1).noop ? "Command" : "NO-OP", key: "n", onClick: () => toggle() });
    if (draft.length) found.push({ label: "Take back", key: "Esc", onClick: retreat });
    if (program.canRoll && program.hand.atOnce > draft.length - 1) {
      const first = draft.length ? "Keep, re-roll" : "Re-roll";
      found.push({ label: `${first} ${program.hand.canChooseDice ? "…" : `the other ${left.length}`}`, key: "r", onClick: roll });
    }
    return found;
  }

  return {
    /** Shows what was put down. */
    marks() {
      const isShown = !controls.isMoving && table.shown.latest;
      drawProgram(board, isShown ? program : new Program());
      if (table.welcome.you !== null) ghost.show(table.shown, table.welcome.you, isShown && asked === null ? program.plan : null);
    },

    /** Carries a turn out on the drawing before it. */
    async animate({ before, after, live }) {
      if (!after.events.length) return;
      const svg = board.holder.querySelector("svg");
      const later = new DOMParser().parseFromString(after.svg, "image/svg+xml").documentElement;
      motion.begin(hasteOf(after.events, table.welcome.clock));
      controls.show({ isMoving: true });
      caption = "";
      const tell = (count, words) => {
        caption = isAgain && !live ? `Turn ${numberOf(before)}, again: ${words}` : words;
        table.tell(count);
        table.status();
      };
      try {
        await new Turn(svg, later, motion, tell).play(after.events);
      } finally {
        showControls();
      }
    },

    skip() {
      controls.finish();
    },

    /** What led to the position on the page: the turn that can be shown again. Says whether all of it has been found. */
    happened(steps) {
      const parts = latestTurn(steps);
      turn = parts && { parts, number: numberOf(parts[0].before) };
      if (!controls.isMoving) showControls();
      return parts !== null;
    },

    headings: headingsOf,

    shown(position) {
      const isAnswer = position.occasion !== "now"; // which comes when the connection was lost, and what was sent perhaps with it
      if (isAnswer && asked !== null && position.latest && (isFalling(position) || choiceIn(position) === asked)) return; // an answer to somebody else
      asked = null;
      if (position.latest && table.welcome.you !== null) program.read(position, table.welcome);
      if (!isAnswer) {
        program.forget(); // nobody knows what of it has come: what is not in a register waits to be locked in again
      } else if (!isFalling(position)) {
        const next = program.pending.shift();
        if (next && position.actions.some(({ text }) => text === next)) play(next);
        else program.forget();
      }
      showControls();
      runIfUndamaged();
      table.refresh();
    },

    refused() {
      asked = null;
      program.forget();
    },

    drags: () => true,

    press(pick) {
      if (!isProgramming()) return false;
      if (pick === "roll") roll();
      else if (/^d\d$/.test(pick)) pressDie(Number(pick[1]));
      else if (/^r\d$/.test(pick)) toggle(Number(pick[1]));
      return true;
    },

    key(key) {
      if (key === "p") return controls.toggle();
      if (key === "x") return controls.finish();
      if (key === "a" && !question() && turn && !controls.isMoving) {
        again();
        return true;
      }
      const answer = question()?.answers.find((each) => each.key === key);
      if (answer) {
        play(answer.text);
        return true;
      }
      if (declares()) {
        const said = { r: "run", Enter: "run", s: "shutdown" }[key];
        if (said) play(said);
        return Boolean(said);
      }
      if (!isProgramming()) return false;
      if (/^[1-5]$/.test(key)) pressDie(Number(key));
      else if (key === "n") toggle();
      else if (key === "r") roll();
      else if (key === "Backspace" || key === "Escape") return retreat();
      else if (key === "Enter") return confirm();
      else return false;
      return true;
    },

    prompt() {
      if (controls.isMoving) return { text: caption, choices: controls.choices, tone: "quiet" };
      if (declares()) {
        const run = { label: "Run", key: "r", kind: "primary", onClick: () => play("run") };
        return { text: "Your turn: program, or shut down for repair?", choices: [run, { label: "Shut down", key: "s", onClick: () => play("shutdown") }], tone: "turn" };
      }
      const asks = question();
      if (asks) {
        const answers = asks.answers.map(({ label, key, text }) => ({ label, key, onClick: () => play(text) }));
        return { text: asks.text, choices: answers, tone: "turn" };
      }
      if (isProgramming()) return { text: sentence(), heard: heard(), choices: choices(), tone: "turn" };
      if (asked !== null) return { text: "Sending …", heard: "", choices: [], tone: "quiet" };
      const waiting = waitingIn(table.shown, table.welcome);
      return waiting && { text: waiting, choices: [], tone: "quiet" };
    },
  };

  function showControls() {
    controls.show({ isMoving: false, turn: turn?.number ?? null, plays: table.welcome.you !== null });
  }
}
