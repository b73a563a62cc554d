"""What a study asks about positions, and how it is answered: :class:`Question`, :func:`answer`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

__all__ = ["KINDS", "LONGEST_TEXT", "Question", "answer"]

KINDS = ("value",)
"""What can be asked: the exact value."""

LONGEST_TEXT = 3000
"""Characters of a value that are kept; of longer ones only what is known about them."""


class Question(NamedTuple):
    """A kind of :data:`KINDS`, the variant (``normal`` or ``all-small``) and a board string of up to 64 squares."""

    kind: str
    variant: str
    board: str


def answer(question: Question, most_bytes: int, progress: Callable[[int, int | None], None] | None = None) -> dict[str, Any]:
    """The answer, as it is kept.

    Args:
        most_bytes: the memory to take.
        progress: told how many positions are known, and of how many if that is known.

    Raises:
        TooLarge: the computation would take more.
    """
    from ludarium.cgt import value

    from .values import ExpandConquerRuleset

    return _facts(value(ExpandConquerRuleset(question.variant), question.board, most_bytes=most_bytes, progress=progress))


def _facts(value: Any) -> dict[str, Any]:
    """What is kept of a value: texts in CGSuite's notation (None where too long or undefined), numbers as texts."""
    from ludarium.cgt.engine.structure import followers
    from ludarium.cgt.notation import plain_text
    from ludarium.errors import NoAtomicWeight

    try:
        weight = plain_text(value.atomic_weight, LONGEST_TEXT)
    except NoAtomicWeight:
        weight = None
    return {
        "canonical": plain_text(value, LONGEST_TEXT),
        "outcome": value.outcome,
        "mean": str(value.mean),
        "temperature": str(value.temperature),
        "atomic_weight": weight,
        "birthday": value.birthday,
        "followers": len(followers(value._at)),
        "merkle64": value.merkle64,
    }
