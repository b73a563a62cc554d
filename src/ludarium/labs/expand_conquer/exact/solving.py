"""Who wins a sum of boards, and with which action, by searching: :func:`solve`."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from ludarium.cgt.solving.solver import MOST_BYTES, Outcome, Solver, first_that_wins
from ludarium.cgt.values import Value
from ludarium.games.expand_conquer.boards import Board, Move
from ludarium.games.expand_conquer.values import ExpandConquerRuleset


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
    deadline = math.inf if seconds is None else started + seconds

    def winning(player: int) -> Winning | None:
        def opponent_wins(choice: tuple[int, Move], until: float) -> bool | None:
            others = words[: choice[0]] + words[choice[0] + 1 :]
            left = until - time.monotonic()
            return solver.wins(choice[1].words, 1 - player, others=others, plus=plus, seconds=left, progress=progress)

        choices = [(number, move) for number, board in enumerate(boards) for move in board.moves(variant == "all-small", player)]
        found = first_that_wins(choices, opponent_wins, deadline)
        if found is not None:
            return Winning(found[0], found[1].actions[0], found[1].board)
        return Winning(0, None, boards[0].text) if time.monotonic() < deadline else None

    left, right = (winning(player) if wins else None for player, wins in enumerate((outcome.left_begins, outcome.right_begins)))
    return Solution(outcome._replace(searched=solver.searched), left, right, time.monotonic() - started)
