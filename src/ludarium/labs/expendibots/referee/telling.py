"""A game in the words of the course's referee: its result, its log, its boards."""

from __future__ import annotations

import time
from typing import Any

from ludarium.core.game import State
from ludarium.core.timeline import Timeline
from ludarium.games.expendibots.class_adapter import COLOURS, action_tuple
from ludarium.games.expendibots.rules import NO_TOKENS, REPETITION

LETTERS = {False: "WB", True: "○●"}


def action_words(text: str) -> str:
    """``MOVE 1 from (0, 0) to (0, 1).`` for ``a1-a2``, ``BOOM at (7, 7).`` for ``h8!``."""
    match action_tuple(text):
        case ("MOVE", count, origin, target):
            return f"MOVE {count} from {origin} to {target}."
        case (_, place):
            return f"BOOM at {place}."
        case other:
            raise AssertionError(other)


def result_line(timeline: Timeline) -> str:
    """How a game ended; a forfeit is the other's victory, and a game that was cut off has no result."""
    if timeline.outcome is None:
        return "no result: interrupted"
    if (winner := timeline.outcome.returns[0]) != 0:
        return f"winner: {COLOURS[winner < 0]}"
    match int(timeline.state.record.ending):
        case ending if ending == NO_TOKENS:
            return "draw detected: no tokens remaining"
        case ending if ending == REPETITION:
            return "draw detected: game state occurred 4 times."
        case _:
            return "draw detected: maximum number of turns reached."


def forfeit_words(event: dict[str, Any]) -> tuple[str, str]:
    """Who has lost by its conduct, and why."""
    return COLOURS[int(event["player"])], str(event["reason"])


def log_line(who: str, words: str) -> str:
    return f"[{who:<5}] - {words}"


def log_start() -> str:
    return log_line("game", f"Start game log at {time.asctime()}")


def board(state: State, *, unicode: bool, coordinates: bool) -> str:
    """The stacks from the top row down, by letter and height."""
    letters = LETTERS[unicode]
    lines = [" ".join(_cell(int(state.record.board[8 * y + x]), letters) for x in range(8)).rstrip() for y in range(7, -1, -1)]
    if coordinates:
        lines = [f"  {y}  {line}" for y, line in zip(range(7, -1, -1), lines, strict=True)]
        lines.append("     " + "".join(f"{x:<4}" for x in range(8)).rstrip() + "   (x)")
    return "\n".join(lines)


def _cell(height: int, letters: str) -> str:
    return f"{'.' if not height else f'{letters[height < 0]}{abs(height)}':<3}"
