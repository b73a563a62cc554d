"""What a notebook says of the subjects of a study: :func:`found`."""

from __future__ import annotations

from typing import Any, NamedTuple

from ludarium.cgt import Value

from .notebook import Notebook
from .subjects import MOST_SQUARES, Subject, subjects

OUTCOMES = {"N": "first player wins", "P": "second player wins", "L": "Left wins", "R": "Right wins"}

LONGEST_ON_A_LINE = 60

NOT_TRIED = "not tried yet"


class Found(NamedTuple):
    """What is known of a subject."""

    subject: Subject
    how: str
    """How it was decided, or why it was not."""
    text: str = ""
    """The value in symbols, or as much of it as is known and fits on a line."""
    outcome: str | None = None
    """``L``, ``R``, ``N`` or ``P``; None where it is not known."""
    agrees: bool | None = None
    """Whether it is what is expected; None where that is not known, or nothing is expected."""
    weight: str = ""
    """The atomic weight in symbols; empty where there is none or it is not known."""

    @property
    def name(self) -> str:
        return self.subject.name

    @property
    def kind(self) -> str:
        """Of an empty board: ``zero``, ``star``, ``other`` (it is neither), ``unknown``, or ``contradiction`` (it was proved to be something else)."""
        if self.agrees is None:
            return "unknown"
        if self.subject.proof and not self.agrees:
            return "contradiction"
        return {"0": "zero", "*": "star"}.get(self.text, "other")


def found(notebook: Notebook, subject: Subject) -> Found:
    """What is known of a subject: its value; or what was proved; or who wins it, alone and minus what is expected."""
    known = notebook.answers.get
    value, outcome = known(subject.value), known(subject.outcome)
    difference = known(subject.difference) if subject.expected else None
    expected = Value(subject.expected or 0)
    if value is not None:
        agrees = value["merkle64"] == expected.merkle64 if subject.expected else None
        how = f"value; {subject.proof}" if subject.proof else "value"
        weight = value["atomic_weight"]
        return Found(subject, how, text_of(value), value["outcome"], agrees, "" if weight is None else Value(weight).unicode)
    if subject.proof or (difference is not None and difference["outcome"] == "P"):
        return Found(subject, subject.proof or "search", expected.unicode, expected.outcome, True, expected.atomic_weight.unicode)
    if outcome is not None and outcome["outcome"] == "P":
        return Found(subject, "search", "0", "P", False if subject.expected else None, "0")
    if difference is not None:
        return Found(subject, "search", f"not {expected.unicode}" if outcome is None else f"neither 0 nor {expected.unicode}", agrees=False)
    if outcome is not None and not subject.expected:
        return Found(subject, "search", outcome=outcome["outcome"])
    return Found(subject, _why_unknown(notebook, subject))


def found_games(notebook: Notebook) -> list[Found]:
    """The games g_1, g_2, … that were looked at."""
    return [one for one in _all_found(notebook, "") if one.how != NOT_TRIED]


def found_boards(notebook: Notebook) -> list[Found]:
    """The empty boards that can be looked at: those of one row, then larger ones by size."""
    boards = [one for one in _all_found(notebook, "empty") if one.subject.questions]
    return sorted(boards, key=lambda one: (one.subject.rows > 1, one.subject.squares))


def found_odd_boards(notebook: Notebook) -> list[Found]:
    """Those with an odd number of squares that were looked at."""
    return [one for one in found_boards(notebook) if one.how != NOT_TRIED and not one.subject.proof]


def found_starts(notebook: Notebook) -> list[Found]:
    """The named symmetric starts."""
    return _all_found(notebook, "start")


def _all_found(notebook: Notebook, family: str) -> list[Found]:
    return [found(notebook, subject) for subject in subjects() if subject.family == family]


def text_of(answer: dict[str, Any]) -> str:
    """A value in symbols, or as much of it as fits on a line."""
    text = answer["canonical"]
    symbols = None if text is None else Value(text).unicode
    if symbols is not None and len(symbols) <= LONGEST_ON_A_LINE:
        return symbols
    return f"born on day {answer['birthday']}, {answer['followers']:,} followers"


def _why_unknown(notebook: Notebook, subject: Subject) -> str:
    """Why questions about a subject have no answer, in a few words."""
    if subject.squares > MOST_SQUARES:
        return f"more than {MOST_SQUARES} squares"
    attempts = [notebook.attempts[question] for question in subject.questions if question in notebook.attempts]
    too_small = max((attempt.too_small for attempt in attempts), default=0)
    if too_small:
        return f"too large ({too_small >> 20:,} MB)"
    return f"stopped after {max(attempt.seconds for attempt in attempts):.0f} s" if attempts else NOT_TRIED
