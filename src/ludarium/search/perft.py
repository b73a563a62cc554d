"""Perft: how many lines of play there are of a given length. The counts are known, so they check the rules and measure their speed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ludarium.core import faces
from ludarium.core.bits import lowest_bit
from ludarium.core.game import Action, State
from ludarium.core.jit import JIT, kernel
from ludarium.core.rules import apply_actions, copy_state, legal_actions, to_move
from ludarium.errors import LudariumError

from .checks import check_whole

BUDGET = 500_000 if JIT else 200
"""Actions that one call of the kernel applies: some hundredths of a second."""

NOT_SEQUENTIAL = -1


def perft(state: State, depth: int, on_progress: Callable[[int], None] | None = None) -> int:
    """The number of positions after exactly ``depth`` actions, counted along every line of play.

    A finished game has no successors. Limits on length and repetition are not looked at, where the game's tables have ``without_limits()``.

    Args:
        depth: from 0; the count at depth 0 is 1.
        on_progress: called many times a second with the count so far; what it raises ends the count.

    Raises:
        BadOption: the depth is no whole number from 0.
        LudariumError: dice fall or players act together on the way, for which perft is not defined.
    """
    check_whole("the depth of perft", depth, 0)
    return count(unlimited(state.game.tables), state, state.copy_records(), depth, on_progress)


def perft_divide(state: State, depth: int, on_progress: Callable[[int], None] | None = None) -> dict[Action, int]:
    """The same count, split by the first action, in the order of the legal actions.

    Args:
        depth: from 1.
        on_progress: as for :func:`perft`; it hears the whole count so far.

    Raises:
        BadOption: the depth is no whole number from 1.
        LudariumError: dice fall or players act together on the way.
    """
    check_whole("the depth of perft", depth, 1)
    game, tables = state.game, unlimited(state.game.tables)
    start = state.copy_records()
    mask = faces.to_move_face(tables, start)
    if mask == 0:
        return {}
    if mask < 0 or mask & (mask - 1) or game.dimensions.slots > 1:
        raise _not_sequential(state)
    player = mask.bit_length() - 1
    legal = np.zeros(game.dimensions.max_actions, np.int64)
    found = faces.legal_actions_face(tables, start, player, 0, legal)
    joint = np.zeros((game.players, game.dimensions.slots), np.int64)
    counts: dict[Action, int] = {}
    for index in legal[:found].tolist():
        records = state.copy_records()
        joint[player, 0] = index
        faces.apply_actions_face(tables, records, joint)
        before = sum(counts.values())
        report: Callable[[int], None] | None = None if on_progress is None else lambda leaves, before=before: on_progress(before + leaves)
        leaves = count(tables, state, records, depth - 1, report)
        counts[Action(index, game.action_text(state, player, index))] = leaves
        if report is not None:
            report(leaves)
    return counts


def _not_sequential(state: State) -> LudariumError:
    return LudariumError(f"perft counts games in which one player acts at a time; in {state.game.title} dice fall or players act together")


def unlimited(tables: Any) -> Any:
    """Tables of the same game without its limits, if it has any."""
    return tables.without_limits() if hasattr(tables, "without_limits") else tables


def count(tables: Any, state: State, records: Any, depth: int, on_progress: Callable[[int], None] | None) -> int:
    if depth == 0:
        return 1
    game = state.game
    if game.dimensions.slots > 1:
        raise _not_sequential(state)
    states = np.zeros(depth, game.dtype)
    states[:1] = records
    actions = np.zeros((depth, game.dimensions.max_actions), np.int64)
    joint = np.zeros((game.players, game.dimensions.slots), np.int64)
    progress = np.zeros((depth, 2), np.int64)
    level = np.full(1, -1, np.int64)
    total = 0
    while True:
        leaves = count_leaves(tables, states, actions, joint, progress, level, BUDGET)
        if leaves == NOT_SEQUENTIAL:
            raise _not_sequential(state)
        total += leaves
        if level[0] < 0:
            return total
        if on_progress is not None:
            on_progress(total)


@kernel()
def count_leaves(tables: Any, states: Any, actions: Any, joint: Any, progress: Any, level: Any, budget: Any) -> Any:
    """Count leaves until done or until ``budget`` actions were applied; how many, or ``NOT_SEQUENTIAL``.

    The search stands in the arrays, so that the next call goes on: ``states[d]``, ``actions[d]`` and ``progress[d]`` (legal actions in all, tried) belong
    to the position after d actions; ``level[0]`` is the deepest position, −1 before the first call and after the last.
    """
    depth = len(states)
    at = level[0]
    if at < 0:
        mask = to_move(tables, states[0])
        if mask == 0:
            return 0
        if mask < 0 or mask & (mask - 1):
            return NOT_SEQUENTIAL
        at = 0
        progress[0, 0] = legal_actions(tables, states[0], lowest_bit(mask), 0, actions[0])
        progress[0, 1] = 0
        if depth == 1:
            return progress[0, 0]
    leaves = 0
    while at >= 0 and budget > 0:
        tried = progress[at, 1]
        if tried == progress[at, 0]:
            at -= 1
            continue
        progress[at, 1] = tried + 1
        budget -= 1
        state = states[at]
        child = states[at + 1]
        joint[lowest_bit(to_move(tables, state)), 0] = actions[at, tried]
        copy_state(tables, state, child)
        apply_actions(tables, child, joint)
        mask = to_move(tables, child)
        if mask == 0:
            continue
        if mask < 0 or mask & (mask - 1):
            return NOT_SEQUENTIAL
        found = legal_actions(tables, child, lowest_bit(mask), 0, actions[at + 1])
        if at + 2 == depth:
            leaves += found
        else:
            at += 1
            progress[at, 0] = found
            progress[at, 1] = 0
    level[0] = at
    return leaves
