"""What a study asks about: the games g_n of conjecture 4.2, the empty boards of conjecture 5.1 in the all-small variant, and symmetric starts.

The paper's last section asks of such starts who wins them, the player who moves first or the one who moves second.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from ludarium.cgt import Value
from ludarium.cgt.positions.boards import MOST_SQUARES
from ludarium.games.expand_conquer.starts import STARTS

from .questions import Question
from .statement import ALL_SMALL, NORMAL, SUBSCRIPTS

MOST_G = (MOST_SQUARES - 2) // 2
"""The last n for which g_n fits on a board that can be valued or searched."""

BOARD_SIDE = 9
"""Boards of up to so many rows and columns are looked at, and boards of one row with up to 64 squares."""

LONGEST_ROW = MOST_SQUARES - 1
"""The longest board of one row with an odd number of squares."""


class Subject(NamedTuple):
    """A board that questions are asked about."""

    family: str
    """``start``, ``empty``, or nothing for the games g_n."""
    name: str
    variant: str
    board: str
    expected: str = ""
    """The value that it should have, if there is one."""
    proof: str = ""
    """How that is known; then nothing is searched."""
    asks_who_wins: bool = False

    @property
    def title(self) -> str:
        """What it is, in a few words."""
        return f"{self.family} {self.name}".strip()

    @property
    def rows(self) -> int:
        return self.board.count("|") + 1

    @property
    def squares(self) -> int:
        return len(self.board.replace("|", ""))

    @property
    def value(self) -> Question:
        """What is it?"""
        return Question("value", self.variant, self.board)

    @property
    def outcome(self) -> Question:
        """Who wins it?"""
        return Question("outcome", self.variant, self.board)

    @property
    def difference(self) -> Question:
        """Is it what is expected?"""
        return Question("outcome", self.variant, self.board, self.expected)

    @property
    def questions(self) -> list[Question]:
        """What a study asks about it."""
        if self.squares > MOST_SQUARES:
            return []
        difference = [self.difference] if self.expected and not self.proof else []
        return [self.value, *difference, *([self.outcome] if self.asks_who_wins else [])]


def board_of_g(n: int) -> str:
    """The board of g_n (section 4.1): ``X``, n times ``*O``, and ``*``."""
    return "X" + "*O" * n + "*"


@cache
def game(n: int) -> Subject:
    """g_n. It should be ↑k for n = 2k − 1 by the conjecture, and ↑k* for n = 2k from 6 on, as the paper's g_6 suggests; g_2 and g_4 are in its table 1."""
    expected = {2: Value("v"), 4: Value(0)}.get(n, (n + 1) // 2 * Value("^") + Value.nimber((n + 1) % 2))
    return Subject("", f"g{str(n).translate(SUBSCRIPTS)}", ALL_SMALL, board_of_g(n), str(expected))


def empty_board(rows: int, columns: int) -> str:
    return "|".join(["*" * columns] * rows)


def empty(rows: int, columns: int) -> Subject:
    """An empty board, by the conjecture 0 if it has an even number of squares and else ``*``. A turned one is the same."""
    board = empty_board(*sorted((rows, columns)))
    if rows * columns % 2:
        return Subject("empty", f"{rows}×{columns}", ALL_SMALL, board, "*", asks_who_wins=True)
    return Subject("empty", f"{rows}×{columns}", ALL_SMALL, board, "0", "pairing strategy")


def start(name: str) -> Subject:
    """A symmetric start."""
    return Subject("start", name, NORMAL, STARTS[name], asks_who_wins=True)


@cache
def subjects() -> tuple[Subject, ...]:
    """All of them."""
    rows = ((1, columns) for columns in range(1, LONGEST_ROW + 1))
    larger = ((height, width) for height in range(2, BOARD_SIDE + 1) for width in range(height, BOARD_SIDE + 1))
    return (*map(game, range(1, MOST_G + 1)), *(empty(*size) for size in (*rows, *larger)), *map(start, STARTS))
