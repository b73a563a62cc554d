"""What a study asks beyond the paper, and in which order: :func:`next_question`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from .conjectures import BOARD_SIDE, LONGEST_ROW, MOST_G, MOST_SQUARES, board_question, g_question, start_question
from .questions import Question
from .starts import STARTS
from .statement import NORMAL, SUBSCRIPTS

if TYPE_CHECKING:
    from .notebook import Notebook

__all__ = ["easy_questions", "estimate", "name_of", "next_question", "questions"]

EASY = 0.1
"""Questions that are estimated to take no more seconds are answered in every study, whatever its limit."""

OPTIMISM = 20
"""A question is tried if its estimate is no more than so many times the time left: estimates are rough."""


def questions() -> Iterator[Question]:
    """All questions, in no particular order."""
    for n in range(1, MOST_G + 1):
        yield g_question(n)
    for columns in range(1, LONGEST_ROW + 1):
        yield board_question(1, columns)
    for rows in range(2, BOARD_SIDE + 1):
        for columns in range(rows, BOARD_SIDE + 1):
            if rows * columns <= MOST_SQUARES:
                yield board_question(rows, columns)
    for name, start in STARTS.items():
        if _squares(start.board) <= MOST_SQUARES:
            yield start_question(name)


def _size(board: str) -> tuple[int, int]:
    rows = board.split("|")
    return len(rows), len(rows[0])


def _squares(board: str) -> int:
    rows, columns = _size(board)
    return rows * columns


def estimate(question: Question) -> float:
    """Seconds that an answer takes, very roughly, as far as one can tell from the board's size."""
    if question.variant == NORMAL:
        return 1.4 ** (_squares(question.board) - 48)
    if "O" in question.board:
        return 2.7 * 1.87 ** (question.board.count("O") - 24)
    rows, columns = _size(question.board)
    if rows == 1:
        return 23 * 2.85 ** (columns - 19)
    return 0.15 * 2.6 ** (rows * columns - 12)


def easy_questions(notebook: Notebook) -> list[Question]:
    """The questions that are answered in no time and have no answer yet."""
    return [question for question in questions() if estimate(question) <= EASY and question not in notebook.answers]


def next_question(notebook: Notebook, seconds: float, most_bytes: int) -> Question | None:
    """The easiest question that has no answer yet and may get one in the time that is left; None if there is none.

    What was tried before for as long, or with as much memory, is not tried again.
    """
    least, chosen = OPTIMISM * seconds, None
    for question in questions():
        if question in notebook.answers:
            continue
        attempt = notebook.attempts.get(question)
        if attempt is not None and (attempt.seconds >= seconds or attempt.too_small >= most_bytes):
            continue
        effort = max(estimate(question), 0.0 if attempt is None else 2 * attempt.seconds)
        if effort <= least:
            least, chosen = effort, question
    return chosen


def name_of(question: Question) -> str:
    """What a question is about, in a few words."""
    for name, start in STARTS.items():
        if question.board == start.board:
            return f"start {name}"
    rows, columns = _size(question.board)
    if "O" in question.board:
        return f"g{str(question.board.count('O')).translate(SUBSCRIPTS)}"
    return f"empty {rows}×{columns}"
