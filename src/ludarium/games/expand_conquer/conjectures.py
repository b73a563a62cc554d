"""The paper's two conjectures, and what is known of them: the games g_n (4.2) and the empty boards of the all-small variant (5.1).

Also what its last section asks: who wins symmetric starts, the player who moves first or the one who moves second.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from .questions import Question
from .starts import STARTS
from .statement import ALL_SMALL, NORMAL, SUBSCRIPTS

if TYPE_CHECKING:
    from ludarium.cgt import Value

    from .notebook import Notebook

__all__ = [
    "BOARD_SIDE",
    "LONGEST_ROW",
    "MOST_G",
    "MOST_SQUARES",
    "Board",
    "Game",
    "board_of_g",
    "board_question",
    "empty_board",
    "expected_of_g",
    "found_board",
    "found_games",
    "found_starts",
    "g_question",
    "odd_boards",
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
    return Question("value", ALL_SMALL, board_of_g(n))


def expected_of_g(n: int) -> Value:
    """What g_n should be: ↑k for n = 2k − 1 by the conjecture, and ↑k* for n = 2k from 6 on, as the paper's g_6 suggests; g_2 and g_4 by its table 1."""
    from ludarium.cgt import Value

    if n in (2, 4):
        return Value("v" if n == 2 else 0)
    return (n + 1) // 2 * Value("^") + Value.nimber((n + 1) % 2)


def empty_board(rows: int, columns: int) -> str:
    return "|".join(["*" * columns] * rows)


def board_question(rows: int, columns: int, kind: str = "value") -> Question:
    return Question(kind, ALL_SMALL, empty_board(rows, columns))


def start_question(name: str, kind: str = "value") -> Question:
    return Question(kind, NORMAL, STARTS[name].board)


class Game(NamedTuple):
    """What is known of g_n, or of a symmetric start."""

    name: str
    board: str
    variant: str
    text: str
    """The value in symbols, or as much of it as fits on a line; empty where it is not known."""
    how: str
    """How it was found, or why it was not."""
    agrees: bool | None
    """Whether it is what is expected of g_n; None where that is not known, and for starts."""
    answer: dict[str, Any] | None
    """The answer to the question for its value."""

    @property
    def outcome(self) -> str | None:
        """``L``, ``R``, ``N`` or ``P``; None where it is not known."""
        return None if self.answer is None else self.answer["outcome"]


def found_games(notebook: Notebook) -> list[Game]:
    """g_1, g_2, … up to the last one that was asked for."""
    found: list[Game] = []
    for n in range(1, MOST_G + 1):
        question = g_question(n)
        if question in notebook.answers or question in notebook.attempts:
            answer = notebook.answers.get(question)
            agrees = None if answer is None else answer["merkle64"] == expected_of_g(n).merkle64
            found.append(_game(notebook, question, f"g{str(n).translate(SUBSCRIPTS)}", agrees))
    return found


def found_starts(notebook: Notebook) -> list[Game]:
    """The named symmetric starts."""
    found = [_game(notebook, start_question(name), name, None) for name in STARTS]
    return [one._replace(how=TOO_LARGE_A_BOARD) if sum(map(len, one.board.split("|"))) > MOST_SQUARES else one for one in found]


TOO_LARGE_A_BOARD = f"more than {MOST_SQUARES} squares"


def _game(notebook: Notebook, question: Question, name: str, agrees: bool | None) -> Game:
    answer = notebook.answers.get(question)
    text, how = ("", why_unknown(notebook, question)) if answer is None else (text_of(answer), "value")
    return Game(name, question.board, question.variant, text, how, agrees, answer)


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
    answer: dict[str, Any] | None
    """The answer to the question for its value."""

    @property
    def agrees(self) -> bool | None:
        """Whether conjecture 5.1 holds for this board; None if that is not known."""
        return None if self.kind == "unknown" else self.kind == ("star" if self.rows * self.columns % 2 else "zero")


def found_board(notebook: Notebook, rows: int, columns: int) -> Board:
    """What is known of an empty board: its value, or the pairing strategy that makes boards with an even number of squares 0."""
    even = rows * columns % 2 == 0
    question = board_question(*sorted((rows, columns)))
    answer = notebook.answers.get(question)
    if answer is not None:
        kind = {"0": "zero", "*": "star"}.get(answer["canonical"], "other")
        how = "value; pairing strategy" if even else "value"
        return Board(rows, columns, "contradiction" if even and kind != "zero" else kind, text_of(answer), how, answer)
    if even:
        return Board(rows, columns, "zero", "0", "pairing strategy", None)
    return Board(rows, columns, "unknown", "", why_unknown(notebook, question), None)


LONGEST_ON_A_LINE = 60


def text_of(answer: dict[str, Any]) -> str:
    """A value in symbols, or as much of it as fits on a line."""
    from ludarium.cgt import Value

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
