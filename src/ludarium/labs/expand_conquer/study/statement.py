"""A statement of the paper and what became of it: :class:`Statement`, :class:`Verdict`."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from functools import cache
from typing import Any, NamedTuple

from ludarium.cgt import Value, value
from ludarium.games.expand_conquer.game import ExpandConquer
from ludarium.games.expand_conquer.values import ExpandConquerRuleset

__all__ = ["ALL_SMALL", "NORMAL", "SUBSCRIPTS", "Statement", "Verdict", "compared", "lost", "moves_of", "span", "value_of"]

NORMAL, ALL_SMALL = "normal", "all-small"

SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


class Verdict(Enum):
    """What a computation says of a statement."""

    TRUE = "true"
    SO_FAR = "true so far"
    """No counterexample where it was computed."""
    MISPRINT = "misprint"
    """Wrong as printed; the paper's own argument or table has it right."""
    FALSE = "false"
    LOST = "figure lost"
    """Not checkable: its figure is lost, and the text does not say enough."""


class Statement(NamedTuple):
    """One row of the table."""

    place: str
    """Where the paper says it."""
    claim: str
    expected: str
    found: str
    verdict: Verdict
    note: str = ""
    boards: tuple[tuple[str, str], ...] = ()
    """Variants and boards that show what it is about."""


def value_of(board: str, variant: str = NORMAL) -> Value:
    """The value of a board, computed now."""
    return value(ExpandConquerRuleset(variant), board)


@cache
def _game(rows: int, columns: int, variant: str) -> ExpandConquer:
    return ExpandConquer(variant=variant, start="|".join(["O" * columns] * rows))


def moves_of(board: str, variant: str, side: str) -> list[str]:
    """The actions of a player (``L`` or ``R``) on a board, by the game's rules."""
    rows = board.split("|")
    state = _game(len(rows), len(rows[0]), variant).parse(f"{board} {side}")
    return [] if state.is_over else [action.text for action in state.actions()]


def compared(place: str, claim: str, board: str, expected: Any, *, variant: str = NORMAL, note: str = "") -> Statement:
    """The statement that a board has a value."""
    wanted, found = Value(expected), value_of(board, variant)
    verdict = Verdict.TRUE if found is wanted else Verdict.FALSE
    return Statement(place, claim, wanted.unicode, found.unicode, verdict, note, ((variant, board),))


def lost(place: str, claim: str, note: str) -> Statement:
    """A statement about a figure that is lost."""
    return Statement(place, claim, "–", "–", Verdict.LOST, note)


def span(wrong: Iterable[str], expected: str, variable: str, last: int) -> tuple[str, Verdict]:
    """What was found of a statement about every number up to ``last``, and the verdict, from a text for each one where it fails."""
    failures = list(wrong)
    if failures:
        return f"not for {', '.join(failures[:3])}{' …' if len(failures) > 3 else ''}", Verdict.FALSE
    return f"{expected} for {variable} = 0 … {last}", Verdict.TRUE
