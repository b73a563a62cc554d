"""What a study asks about positions, and how it is answered: :class:`Question`, :func:`answer`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ludarium.cgt import Value, outcome, value
from ludarium.cgt.engine.structure import followers
from ludarium.cgt.summary import short_text, weight_or_none
from ludarium.games.expand_conquer.values import ExpandConquerRuleset

KINDS = ("value", "outcome")
"""What can be asked: the exact value, and who wins."""

LONGEST_TEXT = 3000
"""Characters of a value that are kept; of longer ones only what is known about them."""


class Question(NamedTuple):
    """What is asked about a position."""

    kind: str
    """One of :data:`KINDS`."""
    variant: str
    """``normal`` or ``all-small``."""
    board: str
    """A board string of up to 64 squares."""
    minus: str = ""
    """A value that is subtracted before it is asked who wins: the second player does exactly if the board has this value."""


def answer(question: Question, most_bytes: int, progress: Callable[[int, int | None], None] | None = None) -> dict[str, Any]:
    """The answer, as it is kept.

    Args:
        most_bytes: the memory to take.
        progress: told how many positions are known, and of how many if that is known.

    Raises:
        TooLarge: the computation would take more.
    """
    ruleset = ExpandConquerRuleset(question.variant)
    if question.kind == "value":
        return _facts(value(ruleset, question.board, most_bytes=most_bytes, progress=progress))
    plus = -Value(question.minus) if question.minus else None
    told: Callable[[int], None] | None = None if progress is None else lambda searched: progress(searched, None)
    found = outcome(ruleset, question.board, plus=plus, most_bytes=most_bytes, progress=told)
    return {"outcome": found.letter, "searched": found.searched}


def _facts(value: Any) -> dict[str, Any]:
    """What is kept of a value: texts in CGSuite's notation (None where too long or undefined), numbers as texts."""
    weight = weight_or_none(value)
    return {
        "canonical": short_text(value, LONGEST_TEXT),
        "outcome": value.outcome,
        "mean": str(value.mean),
        "temperature": str(value.temperature),
        "atomic_weight": None if weight is None else short_text(weight, LONGEST_TEXT),
        "birthday": value.birthday,
        "followers": len(followers(value._at)),
        "merkle64": value.merkle64,
    }
