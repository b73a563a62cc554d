"""A statement of the paper and what became of it: :class:`Statement`, :class:`Verdict`."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from functools import cache
from typing import Any, NamedTuple

from ludarium.cgt import Value, value
from ludarium.games.expand_conquer.game import ExpandConquer
from ludarium.games.expand_conquer.values import ExpandConquerRuleset

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
    boards: tuple[str, ...] = ()
    """Boards that show what it is about."""


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


def judged(place: str, claim: str, expected: str, found: str, *boards: str, holds: bool | None = None, note: str = "") -> Statement:
    """A statement that is true or false: true if what was found is what was expected, where ``holds`` does not say."""
    true = found == expected if holds is None else holds
    return Statement(place, claim, expected, found, Verdict.TRUE if true else Verdict.FALSE, note, boards)


def compared(place: str, claim: str, board: str, expected: Any, *, variant: str = NORMAL, note: str = "") -> Statement:
    """The statement that a board has a value."""
    wanted, found = Value(expected), value_of(board, variant)
    return judged(place, claim, wanted.unicode, found.unicode, board, holds=found is wanted, note=note)


def lost(place: str, claim: str, note: str) -> Statement:
    """A statement about a figure that is lost."""
    return Statement(place, claim, "–", "–", Verdict.LOST, note)


def for_all(
    place: str,
    claim: str,
    expected: str,
    holds: Callable[[int], bool],
    last: int,
    *boards: str,
    variable: str = "n",
    so: str = "",
    note: str = "",
) -> Statement:
    """A statement about every number from 0 to ``last``; ``so`` is how it is called where that is not what is expected."""
    wrong = [f"{variable} = {n}" for n in range(last + 1) if not holds(n)]
    found = f"not for {', '.join(wrong[:3])}{' …' if len(wrong) > 3 else ''}" if wrong else f"{so or expected} for {variable} = 0 … {last}"
    return judged(place, claim, expected, found, *boards, holds=not wrong, note=note)
