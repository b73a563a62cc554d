"""The arrays of one alpha-beta search: the path being searched, the transposition table, what ordering has learned."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludarium.core.game import Game, State

from .kernel import DISTANCE, FIRST, FULL_WIDTH, LONGEST

TABLE_SIZE = 1 << 18
"""Entries. A table that stays in the processor's caches is worth more than a larger one."""

ENTRY = np.dtype(
    (
        np.record,
        [
            ("key", np.int64),
            ("action", np.int32),
            ("score", np.int16),
            ("depth", np.int8),
            ("bound", np.int8),  # 0: never written
        ],
    )
)


class SearchWorkspace(NamedTuple):
    """All that a search remembers while it is paused. L is ``LONGEST``, M the game's ``max_actions``."""

    states: np.ndarray  # the game's dtype[L + 1]: the positions of the current line
    frames: np.ndarray  # int64[L + 1, 12]: the search of each of them
    actions: np.ndarray  # int64[L + 1, M]: their actions, those already tried first
    order: np.ndarray  # int64[L + 1, M]: the order's score of each action
    killers: np.ndarray  # int64[L + 1, 2]: the last two quiet actions that were too good at this distance
    history: np.ndarray  # int32[2, action_space]: how often an action was too good, minus how often it was not
    line: np.ndarray  # int64[L + 2, L + 2]: best lines from each distance on
    line_length: np.ndarray  # int64[L + 2]
    salts: np.ndarray  # int64[L + 1]: makes keys of equal positions at different distances differ
    jitter: np.ndarray  # int64[M], 0 to 255: the order of equal actions at the root
    table: np.ndarray  # ENTRY[2 ** n]: the transposition table
    joint: np.ndarray  # int64[2, 1]
    returns: np.ndarray  # float64[2]
    control: np.ndarray  # int64[6]


def make_workspace(state: State, seed: int | None, full_width: bool) -> SearchWorkspace:
    """A fresh workspace. The table is untouched memory until it is used, at most 4 MiB."""
    game: Game = state.game
    states: Any = np.zeros(LONGEST + 1, game.dtype)
    states[:1] = state.copy_records()
    jitter = (
        np.zeros(game.dimensions.max_actions, np.int64)
        if seed is None
        else np.random.default_rng(seed).integers(0, 256, game.dimensions.max_actions)
    )
    control = np.zeros(6, np.int64)
    control[DISTANCE] = -1
    control[FIRST] = -1
    control[FULL_WIDTH] = int(full_width)
    return SearchWorkspace(
        states=states,
        frames=np.zeros((LONGEST + 1, 12), np.int64),
        actions=np.zeros((LONGEST + 1, game.dimensions.max_actions), np.int64),
        order=np.zeros((LONGEST + 1, game.dimensions.max_actions), np.int64),
        killers=np.full((LONGEST + 1, 2), -1, np.int64),
        history=np.zeros((2, game.dimensions.action_space), np.int32),
        line=np.zeros((LONGEST + 2, LONGEST + 2), np.int64),
        line_length=np.zeros(LONGEST + 2, np.int64),
        salts=np.random.default_rng(1).integers(-(2**63), 2**63 - 1, LONGEST + 1, np.int64),
        jitter=jitter,
        table=np.zeros(TABLE_SIZE, ENTRY),
        joint=np.zeros((2, 1), np.int64),
        returns=np.zeros(2),
        control=control,
    )
