"""A board's par: the expected turns of the optimal solo racer from each start mark. Those of the demonstration boards are shipped.

Lasers of the board are left aside: where there are any, par is that of a robot which they do not hurt, and the least that a real one can hope for.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludarium.games.roboderby.options import Rules
from ludarium.games.roboderby.sheets.boards import board_names
from ludarium.games.roboderby.solo.board import StartMark, start_marks
from ludarium.games.roboderby.solo.racer import Racer

_DECIDING = ("tiles", "dice", "respawn_progress", "reroll", "lap_logic", "pit_edges")
"""Options that change what a robot alone can do; the board and the variant come before them."""


@dataclass(frozen=True, eq=False)
class Par:
    """What the race from one start mark is worth, and the racer that knows it."""

    mark: StartMark
    racer: Racer

    @property
    def turns(self) -> float:
        """Expected turns, ∞ where the finish cannot be reached for certain."""
        return self.racer.par


def pars(rules: Rules, progress: Callable[[StartMark, int, float], None] | None = None) -> tuple[Par, ...]:
    """The par from each start mark of a board.

    Args:
        progress: told of every round of a solution: the mark, the round's number, and how much the values still change.

    Raises:
        BadOption: chance deals the board.
    """
    commands = rules.load_dice().commands
    found: list[Par] = []
    for mark in start_marks(rules):
        told = None if progress is None else functools.partial(progress, mark)
        found.append(Par(mark, Racer(mark.course, commands, reroll_any=rules.reroll == "any", progress=told)))
    return tuple(found)


def par_line(rules: Rules, found: tuple[Par, ...]) -> str:
    """The pars of a board as one line of JSON, as the shipped file has them."""
    turns = {par.mark.text: round(par.turns, 9) if par.turns < float("inf") else None for par in found}
    return json.dumps({"board": rules.board, "variant": rules.variant, "pars": turns})


def shipped_pars(rules: Rules) -> dict[str, float] | None:
    """Expected turns by start mark (``N A``) where they are shipped: for demonstration boards under the usual rules, with the letters A and B. Else None."""
    usual = Rules.of(board=rules.board) if rules.board in board_names() else None
    if usual is None or any(getattr(rules, name) != getattr(usual, name) for name in _DECIDING):
        return None
    return _shipped().get((rules.board, rules.variant))


@functools.cache
def _shipped() -> dict[tuple[str, str], dict[str, float]]:
    text = Path(__file__).with_name("pars.jsonl").read_text(encoding="utf-8")
    lines: list[dict[str, Any]] = [json.loads(line) for line in text.splitlines()]
    return {(line["board"], line["variant"]): line["pars"] for line in lines}
