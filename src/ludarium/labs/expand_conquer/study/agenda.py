"""What a study asks beyond the paper, and in which order: :func:`next_question`."""

from __future__ import annotations

from collections.abc import Iterator

from ludarium.cgt import Value

from .notebook import Notebook
from .questions import Question
from .statement import NORMAL
from .subjects import subjects

EASY = 0.1
"""Questions that are estimated to take no more seconds are answered in every study, whatever its limit."""

OPTIMISM = 20
"""A question is tried if its estimate is no more than so many times the time left: estimates are rough."""


def questions() -> Iterator[Question]:
    """All questions, in no particular order."""
    return (question for subject in subjects() for question in subject.questions)


def _size(board: str) -> tuple[int, int]:
    rows = board.split("|")
    return len(rows), len(rows[0])


def estimate(question: Question) -> float:
    """Seconds that an answer takes, very roughly, as far as one can tell from the board's size."""
    if question.kind != "value":
        return _estimate_of_a_search(question)
    rows, columns = _size(question.board)
    if question.variant == NORMAL:
        return 1.4 ** (rows * columns - 48)
    if "O" in question.board:
        return 2.7 * 1.87 ** (question.board.count("O") - 24)
    if rows == 1:
        return 23 * 2.85 ** (columns - 19)
    return 0.15 * 2.6 ** (rows * columns - 12)


def _estimate_of_a_search(question: Question) -> float:
    rows, columns = _size(question.board)
    if question.variant == NORMAL:
        return 1.0
    if "O" in question.board:
        return columns / 100
    seconds = 1.3 ** (columns - 21) if rows == 1 else 1.6 ** (rows * columns - 21)
    return seconds if question.minus else 3 * seconds  # what is * need not be asked who wins it


def _is_settled(notebook: Notebook, question: Question) -> bool:
    """Whether the answer is known, or follows from one that is."""
    value = question._replace(kind="value", minus="")
    if question in notebook.answers or value in notebook.answers:
        return True
    if question.kind == "outcome" and not question.minus and "O" not in question.board:
        star = notebook.answers.get(question._replace(minus="*"))
        return star is not None and star["outcome"] == "P"
    return False


def easy_questions(notebook: Notebook) -> list[Question]:
    """The questions that are answered in no time and have no answer yet."""
    return [
        question for question in questions() if question.kind == "value" and estimate(question) <= EASY and question not in notebook.answers
    ]


def next_question(notebook: Notebook, seconds: float, most_bytes: int) -> Question | None:
    """The easiest question that has no answer yet and may get one in the time that is left; None if there is none.

    What was tried before for as long, or with as much memory, is not tried again.
    """
    least, chosen = OPTIMISM * seconds, None
    for question in questions():
        if _is_settled(notebook, question):
            continue
        attempt = notebook.attempts.get(question)
        if attempt is not None and (attempt.seconds >= seconds or attempt.too_small >= most_bytes):
            continue
        effort = max(estimate(question), 0.0 if attempt is None else 2 * attempt.seconds)
        if effort < least:
            least, chosen = effort, question
    return chosen


def name_of(question: Question) -> str:
    """What a question is about, in a few words."""
    minus = f" − {Value(question.minus).unicode}" if question.minus else ""
    return next(subject.title for subject in subjects() if subject.board == question.board) + minus
