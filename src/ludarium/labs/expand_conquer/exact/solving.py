"""Who wins a sum of boards, and with which action, by searching: :func:`solve`."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from ludarium.cgt.solving.solver import MOST_BYTES, Outcome, Solver
from ludarium.cgt.values import Value
from ludarium.games.expand_conquer.boards import Board, Move
from ludarium.games.expand_conquer.values import ExpandConquerRuleset

FIRST_LOOK = 0.05
"""Seconds for a first look at each action: the solver knows most of them from solving the boards."""


class Winning(NamedTuple):
    """An action that wins, on which of the boards, and what that board becomes; no action where only a move in an added value wins."""

    number: int
    action: str | None
    board: str


class Solution(NamedTuple):
    """Who wins, and how."""

    outcome: Outcome
    left: Winning | None
    """What Left does if she begins and wins; None too where the time was up before that was known."""
    right: Winning | None
    """The same for Right."""
    seconds: float


def solve(
    boards: Sequence[Board],
    variant: str = "normal",
    *,
    plus: Value | None = None,
    seconds: float | None = None,
    progress: Callable[[int], None] | None = None,
    most_bytes: int = MOST_BYTES,
) -> Solution:
    """Who wins a sum of boards with either player to begin, and an action that wins.

    Args:
        plus: a value that is added.
        seconds: the time that it may take; what is not decided then is None.
        progress: told again and again how many positions are searched.
        most_bytes: the memory that the solver may take.

    Raises:
        BadOption: no such variant.
        TooLarge: more components than the solver takes.
    """
    started = time.monotonic()
    solver = Solver(ExpandConquerRuleset(variant), most_bytes=most_bytes)
    words = [board.words for board in boards]
    outcome = solver.outcome(words[0], others=words[1:], plus=plus, seconds=seconds, progress=progress)
    deadline = None if seconds is None else started + seconds
    winning = [
        _winning(solver, boards, player, plus, deadline, progress) if wins else None
        for player, wins in enumerate((outcome.left_begins, outcome.right_begins))
    ]
    return Solution(outcome._replace(searched=solver.searched), winning[0], winning[1], time.monotonic() - started)


def _winning(
    solver: Solver,
    boards: Sequence[Board],
    player: int,
    plus: Value | None,
    deadline: float | None,
    progress: Callable[[int], None] | None,
) -> Winning | None:
    """What a player who begins and wins may do; None if the time is up before that is known."""
    all_small = solver.ruleset.tables.all_small == 1
    unclear = [(number, move) for number, board in enumerate(boards) for move in board.moves(all_small, player)]
    look = FIRST_LOOK
    while unclear:
        later: list[tuple[int, Move]] = []
        for number, move in unclear:
            left = look if deadline is None else min(look, deadline - time.monotonic())
            if left <= 0:
                return None
            others = [board.words for other, board in enumerate(boards) if other != number]
            opponent_wins = solver.wins(move.words, 1 - player, others=others, plus=plus, seconds=left, progress=progress)
            if opponent_wins is False:
                return Winning(number, move.actions[0], move.board)
            if opponent_wins is None:
                later.append((number, move))
        unclear = later
        look *= 4
    return Winning(0, None, boards[0].text)
