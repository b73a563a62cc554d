"""Endgame tables verified: every entry follows from its successors, which the rules make and not what solved the tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ludarium.core.bits import bit
from ludarium.core.jit import compiled, kernel
from ludarium.core.registry import game
from ludarium.core.rules import UNKNOWN, apply_actions, copy_state, known_ending, legal_actions, returns, to_move
from ludarium.errors import LudariumError
from ludarium.games.expendibots.endgames.index import class_size, classes, entry_of, position_of, squares_of
from ludarium.games.expendibots.endgames.known import EndgameTables
from ludarium.games.expendibots.notation import position_text

SLICE = 20_000
"""Entries that the kernel looks at before Python may end the work or tell of it."""


class Wrong(LudariumError):
    """An entry that does not follow from its successors."""


@compiled
def write_position(state: Any, own: Any, own_count: Any, other: Any, other_count: Any, images: Any, image: Any, player: Any) -> None:
    """Write an image of a position into a record, with ``player`` to move."""
    for square in range(64):
        state.board[square] = 0
    state.tokens[0], state.tokens[1] = np.uint64(0), np.uint64(0)
    for side, word, count in ((player, own, own_count), (1 - player, other, other_count)):
        for i in range(count):
            square = images[image, (word >> (8 * i)) & 63]
            state.board[square] = int(state.board[square]) + 1 - 2 * side
            state.tokens[side] |= bit(square)
    state.ply = player


@compiled
def worth(value: Any) -> Any:
    """How good it is to win (positive) or lose in so many plies, or to draw (0); the value, of how good it is."""
    return 0 if value == 0 else UNKNOWN - value if value > 0 else -UNKNOWN - value


@kernel()
def first_wrong(
    tables: Any,
    endgames: Any,
    states: Any,
    actions: Any,
    joint: Any,
    out: Any,
    own_count: Any,
    other_count: Any,
    start: Any,
    stop: Any,
    step: Any,
) -> Any:
    """The first entry of a class, from ``start`` on in steps, that does not follow from its successors; −1 if all do.

    A position and an image of it with exchanged colours must have the same value. ``states`` has room for two; how many positions there were is added to
    ``out[1, 0]``, ``out[0]`` is for returns.
    """
    index = endgames.numbering
    for entry in range(start, stop, step):
        own, other = position_of(index, own_count, other_count, entry)
        if squares_of(own, own_count) & squares_of(other, other_count) or entry_of(index, own, own_count, other, other_count) != entry:
            continue
        out[1, 0] += 1
        write_position(states[1], own, own_count, other, other_count, index.images, entry & 7, 1)
        image = known_ending(tables, endgames, states[1])
        write_position(states[0], own, own_count, other, other_count, index.images, 0, 0)
        value = known_ending(tables, endgames, states[0])
        best = -2 * UNKNOWN
        for at in range(legal_actions(tables, states[0], 0, 0, actions)):
            copy_state(tables, states[0], states[1])
            joint[0, 0] = actions[at]
            apply_actions(tables, states[1], joint)
            if to_move(tables, states[1]) == 0:
                returns(tables, states[1], out[0])
                after = int(out[0, 0])
            else:
                answer = known_ending(tables, endgames, states[1])
                after = -answer - 1 if answer > 0 else 1 - answer if answer < 0 else 0
            best = max(best, worth(after))
        expected = worth(best)
        if value != expected or image != value:
            return entry
    return -1


def verify(endgames: EndgameTables, progress: Callable[[str], None] | None = None, step: int = 1) -> int:
    """Look at every entry; how many positions up to symmetry there were.

    Args:
        progress: told many times a second how far it is, in words; what it raises ends the work.
        step: only every so-many-th entry is looked at.

    Raises:
        Wrong: an entry does not follow from its successors.
    """
    one = game("expendibots")
    tables = one.tables.without_limits()
    states = np.zeros(2, one.dtype)
    actions, joint, out = np.zeros(one.dimensions.max_actions, np.int64), np.zeros((2, 1), np.int64), np.zeros((2, 2))
    start = 0
    for own, other in classes(endgames.most):
        stop = start + class_size(own, other)
        for at in range(start, stop, SLICE * step):
            if progress is not None:
                progress(f"{own} against {other}: {at - start:,} of {stop - start:,} entries")
            wrong = first_wrong(tables, endgames, states, actions, joint, out, own, other, at, min(at + SLICE * step, stop), step)
            if wrong >= 0:
                raise Wrong(f"entry {wrong} does not follow from its successors: {position_text(states[0])}")
        start = stop
    return int(out[1, 0])
