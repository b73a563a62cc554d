"""What a study asks about positions, and how it is answered: :class:`Question`, :func:`answer`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, NamedTuple

from ludarium.cgt import Value, outcome, value
from ludarium.cgt.summary import summary
from ludarium.games.expand_conquer.values import ExpandConquerRuleset

KINDS = ("value", "outcome")
"""What can be asked: the exact value, and who wins."""

FACTS: dict[str, tuple[type, ...]] = {
    "canonical": (str, type(None)),
    "outcome": (str,),
    "mean": (str,),
    "temperature": (str,),
    "atomic_weight": (str, type(None)),
    "birthday": (int,),
    "followers": (int,),
    "merkle64": (str,),
}
"""What an answer to ``value`` says; texts are None where they are too long, and an atomic weight where there is none."""


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
        facts = summary(value(ruleset, question.board, most_bytes=most_bytes, progress=progress), most_followers=sys.maxsize)
        return {name: facts[name] for name in FACTS}
    plus = -Value(question.minus) if question.minus else None
    told: Callable[[int], None] | None = None if progress is None else lambda searched: progress(searched, None)
    found = outcome(ruleset, question.board, plus=plus, most_bytes=most_bytes, progress=told)
    return {"outcome": found.letter, "searched": found.searched}
