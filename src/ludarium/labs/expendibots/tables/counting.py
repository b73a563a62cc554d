"""What is solved, in numbers: :func:`statistics`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ludarium.core.jit import kernel
from ludarium.core.registry import game
from ludarium.games.expendibots.endgames.index import class_size, classes, entry_of, position_of, rank_of, squares_of
from ludarium.games.expendibots.endgames.known import DRAWN, LOST, WON, EndgameTables, value_at
from ludarium.games.expendibots.notation import position_text

from .verifying import write_position

SLICE = 200_000
"""Entries that the kernel counts before Python may end the work or tell of it."""

ENTRIES, LONGEST_WIN, WON_AT, LONGEST_LOSS, LOST_AT = range(3, 8)
"""Cells of the counts after the three outcomes'."""


class Statistics(NamedTuple):
    """One class of positions."""

    own: int
    other: int
    """Tokens of the player to move and of the opponent."""
    lost: int
    drawn: int
    won: int
    """How many positions are so for the player to move."""
    up_to_symmetry: int
    """How many there are if the eight images of the board count as one."""
    longest_win: int
    longest_loss: int
    """Plies; 0 where none is won or lost."""
    win: str
    loss: str
    """A position of the longest; empty where none is won or lost."""

    @property
    def positions(self) -> int:
        return self.lost + self.drawn + self.won


@kernel()
def count(endgames: Any, own_count: Any, other_count: Any, start: Any, stop: Any, counts: Any) -> Any:
    """Add the entries of a class from ``start`` to ``stop`` to the counts (``int64[8]``): each stands for all its images under the board's symmetries."""
    numbering = endgames.numbering
    for entry in range(start, stop):
        own, other = position_of(numbering, own_count, other_count, entry)
        if squares_of(own, own_count) & squares_of(other, other_count) or entry_of(numbering, own, own_count, other, other_count) != entry:
            continue
        value = value_at(endgames, entry)
        alike = 0
        for symmetry in range(8):
            stays = rank_of(numbering, own, own_count, symmetry) == rank_of(numbering, own, own_count, 0)
            alike += int(stays and rank_of(numbering, other, other_count, symmetry) == rank_of(numbering, other, other_count, 0))
        counts[WON if value > 0 else LOST if value < 0 else DRAWN] += 8 // alike
        counts[ENTRIES] += 1
        if value > counts[LONGEST_WIN]:
            counts[LONGEST_WIN], counts[WON_AT] = value, entry
        if -value > counts[LONGEST_LOSS]:
            counts[LONGEST_LOSS], counts[LOST_AT] = -value, entry


def statistics(endgames: EndgameTables, progress: Callable[[str], None] | None = None) -> list[Statistics]:
    """The numbers of each class, in the order of their tokens.

    Args:
        progress: told many times a second how far it is, in words; what it raises ends the work.
    """
    found: list[Statistics] = []
    stop = 0
    for own, other in classes(endgames.most):
        start, stop = stop, stop + class_size(own, other)
        counts = np.zeros(8, np.int64)
        for at in range(start, stop, SLICE):
            if progress is not None:
                progress(f"{own} against {other}: {at - start:,} of {stop - start:,} entries")
            count(endgames, own, other, at, min(at + SLICE, stop), counts)
        lost, drawn, won, entries, longest_win, won_at, longest_loss, lost_at = counts.tolist()
        win = position_at(endgames, own, other, won_at) if won else ""
        loss = position_at(endgames, own, other, lost_at) if lost else ""
        found.append(Statistics(own, other, lost, drawn, won, entries, longest_win, longest_loss, win, loss))
    return found


@kernel()
def write_entry(endgames: Any, own_count: Any, other_count: Any, entry: Any, states: Any) -> Any:
    """Write the position of an entry into a zeroed record, White to move."""
    numbering = endgames.numbering
    own, other = position_of(numbering, own_count, other_count, entry)
    write_position(states[0], own, own_count, other, other_count, numbering.images, 0, 0)


def position_at(endgames: EndgameTables, own: int, other: int, entry: int) -> str:
    """The notation of an entry's position, White to move."""
    states = np.zeros(1, game("expendibots").dtype)
    write_entry(endgames, own, other, entry, states)
    return position_text(states[0])
