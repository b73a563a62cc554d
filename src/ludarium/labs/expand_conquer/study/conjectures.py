"""The paper's two conjectures, and what is known of them: the games g_n (4.2) and the empty boards of the all-small variant (5.1).

Also what its last section asks: who wins symmetric starts, the player who moves first or the one who moves second.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ludarium.cgt import Value
from ludarium.games.expand_conquer.starts import STARTS

from .notebook import Notebook
from .questions import Question
from .statement import ALL_SMALL, NORMAL, SUBSCRIPTS

__all__ = [
    "BOARD_SIDE",
    "LONGEST_ROW",
    "MOST_G",
    "MOST_SQUARES",
    "OUTCOMES",
    "Board",
    "Game",
    "board_of_g",
    "board_difference",
    "board_outcome",
    "board_question",
    "empty_board",
    "expected_of_g",
    "found_board",
    "found_games",
    "found_starts",
    "g_difference",
    "g_question",
    "odd_boards",
    "start_outcome",
    "start_question",
    "text_of",
    "why_unknown",
]

MOST_SQUARES = 64
"""Squares of a board that can be valued or searched."""

MOST_G = (MOST_SQUARES - 2) // 2
"""The last n for which g_n fits on such a board."""

BOARD_SIDE = 9
"""Boards of up to so many rows and columns are looked at, and boards of one row with up to 64 squares."""

LONGEST_ROW = MOST_SQUARES - 1
"""The longest board of one row with an odd number of squares."""


def board_of_g(n: int) -> str:
    """The board of g_n (section 4.1): ``X``, n times ``*O``, and ``*``."""
    return "X" + "*O" * n + "*"


def g_question(n: int) -> Question:
    """What is g_n?"""
    return Question("value", ALL_SMALL, board_of_g(n))


def g_difference(n: int) -> Question:
    """Is g_n what is expected?"""
    return Question("outcome", ALL_SMALL, board_of_g(n), str(expected_of_g(n)))


def expected_of_g(n: int) -> Value:
    """What g_n should be: ↑k for n = 2k − 1 by the conjecture, and ↑k* for n = 2k from 6 on, as the paper's g_6 suggests; g_2 and g_4 by its table 1."""
    if n in (2, 4):
        return Value("v" if n == 2 else 0)
    return (n + 1) // 2 * Value("^") + Value.nimber((n + 1) % 2)


def empty_board(rows: int, columns: int) -> str:
    return "|".join(["*" * columns] * rows)


def board_question(rows: int, columns: int) -> Question:
    """What is an empty board?"""
    return Question("value", ALL_SMALL, empty_board(rows, columns))


def board_outcome(rows: int, columns: int) -> Question:
    """Who wins an empty board?"""
    return Question("outcome", ALL_SMALL, empty_board(rows, columns))


def board_difference(rows: int, columns: int) -> Question:
    """Is an empty board ``*``?"""
    return Question("outcome", ALL_SMALL, empty_board(rows, columns), "*")


def start_question(name: str) -> Question:
    """What is a symmetric start?"""
    return Question("value", NORMAL, STARTS[name].board)


def start_outcome(name: str) -> Question:
    """Who wins a symmetric start?"""
    return Question("outcome", NORMAL, STARTS[name].board)


OUTCOMES = {"N": "first player wins", "P": "second player wins", "L": "Left wins", "R": "Right wins"}


class Game(NamedTuple):
    """What is known of g_n, or of a symmetric start."""

    name: str
    board: str
    text: str
    """The value in symbols, or as much of it as fits on a line; empty where it is not known."""
    outcome: str | None
    """``L``, ``R``, ``N`` or ``P``; None where it is not known."""
    how: str
    """How it was decided, or why it was not."""
    agrees: bool | None
    """Whether it is what is expected of g_n; None where that is not known, and for starts."""
    weight: str | None
    """The atomic weight as text, None where there is none or it is not known."""


def found_games(notebook: Notebook) -> list[Game]:
    """g_1, g_2, … up to the last one that was asked for."""
    found = [_found_game(notebook, n) for n in range(1, MOST_G + 1)]
    return [game for game in found if game.how != NOT_TRIED]


def _found_game(notebook: Notebook, n: int) -> Game:
    name, board, expected = f"g{str(n).translate(SUBSCRIPTS)}", board_of_g(n), expected_of_g(n)
    answer, difference = notebook.answers.get(g_question(n)), notebook.answers.get(g_difference(n))
    if answer is not None:
        return Game(
            name, board, text_of(answer), answer["outcome"], "value", answer["merkle64"] == expected.merkle64, answer["atomic_weight"]
        )
    if difference is not None and difference["outcome"] == "P":
        return Game(name, board, expected.unicode, expected.outcome, "search", True, str(expected.atomic_weight))
    if difference is not None:
        return Game(name, board, f"not {expected.unicode}", None, "search", False, None)
    return Game(name, board, "", None, why_unknown(notebook, g_question(n), g_difference(n)), None, None)


def found_starts(notebook: Notebook) -> list[Game]:
    """The named symmetric starts."""
    return [_found_start(notebook, name) for name in STARTS]


def _found_start(notebook: Notebook, name: str) -> Game:
    board = STARTS[name].board
    answer, search = notebook.answers.get(start_question(name)), notebook.answers.get(start_outcome(name))
    if answer is not None:
        return Game(name, board, text_of(answer), answer["outcome"], "value", None, answer["atomic_weight"])
    if search is not None:
        return Game(name, board, "0" if search["outcome"] == "P" else "", search["outcome"], "search", None, None)
    if len(board.replace("|", "")) > MOST_SQUARES:
        return Game(name, board, "", None, f"more than {MOST_SQUARES} squares", None, None)
    return Game(name, board, "", None, why_unknown(notebook, start_question(name), start_outcome(name)), None, None)


class Board(NamedTuple):
    """What is known of an empty board in the all-small variant.

    ``kind`` is ``zero``, ``star``, ``other`` (it is neither), ``unknown``, or ``contradiction`` (a board with an even number of squares that is not 0).
    """

    rows: int
    columns: int
    kind: str
    text: str
    """The value in symbols, or as much of it as is known and fits on a line."""
    how: str
    """How it was decided, or why it was not."""
    is_valued: bool
    """Whether its value was computed."""
    weight: str | None
    """The atomic weight as text, None where there is none or it is not known."""

    @property
    def agrees(self) -> bool | None:
        """Whether conjecture 5.1 holds for this board; None if that is not known."""
        return None if self.kind == "unknown" else self.kind == ("star" if self.rows * self.columns % 2 else "zero")


def found_board(notebook: Notebook, rows: int, columns: int) -> Board:
    """What is known of an empty board: its value; or 0, by the pairing strategy, for an even number of squares; or who wins it, alone and minus ``*``."""
    even = rows * columns % 2 == 0
    size = min(rows, columns), max(rows, columns)
    answer = notebook.answers.get(board_question(*size))
    if answer is not None:
        kind = {"0": "zero", "*": "star"}.get(answer["canonical"], "other")
        kind = "contradiction" if even and kind != "zero" else kind
        how = "value; pairing strategy" if even else "value"
        return Board(rows, columns, kind, text_of(answer), how, True, answer["atomic_weight"])
    if even:
        return Board(rows, columns, "zero", "0", "pairing strategy", False, "0")
    alone, difference = notebook.answers.get(board_outcome(*size)), notebook.answers.get(board_difference(*size))
    if difference is not None and difference["outcome"] == "P":
        return Board(rows, columns, "star", "*", "search", False, "0")
    if alone is not None and alone["outcome"] == "P":
        return Board(rows, columns, "zero", "0", "search", False, "0")
    if difference is not None:
        text = "not *" if alone is None else "neither 0 nor *"
        return Board(rows, columns, "other", text, "search", False, None)
    why = why_unknown(notebook, board_question(*size), board_outcome(*size), board_difference(*size))
    return Board(rows, columns, "unknown", "", why, False, None)


LONGEST_ON_A_LINE = 60


def text_of(answer: dict[str, Any]) -> str:
    """A value in symbols, or as much of it as fits on a line."""
    text = answer["canonical"]
    symbols = None if text is None else Value(text).unicode
    if symbols is not None and len(symbols) <= LONGEST_ON_A_LINE:
        return symbols
    return f"born on day {answer['birthday']}, {answer['followers']:,} followers"


def odd_boards(notebook: Notebook) -> list[Board]:
    """The empty boards with an odd number of squares that were looked at: those of one row, then larger ones by size."""
    rows = [(1, columns) for columns in range(1, LONGEST_ROW + 1, 2)]
    larger = [(height, width) for height in range(3, BOARD_SIDE + 1, 2) for width in range(height, BOARD_SIDE + 1, 2)]
    boards = [found_board(notebook, *size) for size in (*rows, *sorted(larger, key=lambda size: size[0] * size[1]))]
    return [board for board in boards if board.how != NOT_TRIED]


NOT_TRIED = "not tried yet"


def why_unknown(notebook: Notebook, *asked: Question) -> str:
    """Why questions have no answer, in a few words."""
    attempts = [notebook.attempts[question] for question in asked if question in notebook.attempts]
    too_small = max((attempt.too_small for attempt in attempts), default=0)
    if too_small:
        return f"too large ({too_small >> 20:,} MB)"
    return f"stopped after {max(attempt.seconds for attempt in attempts):.0f} s" if attempts else NOT_TRIED
