"""The arrays of one alpha-beta search: the path being searched, the transposition table, what ordering has learned."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ludarium.core.game import Game, State

from .kernel import AGE, AGES, DISTANCE, FIRST, FULL_WIDTH, LONGEST

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
            ("bound", np.int8),  # and four times the age; 0: never written
        ],
    )
)


class SearchWorkspace(NamedTuple):
    """All that a search remembers while it is paused. L is ``LONGEST``, M the game's ``max_actions``."""

    states: np.ndarray  # the game's dtype[L + 1]: the positions of the current line
    frames: np.ndarray  # int64[L + 1, 13]: the search of each of them
    actions: np.ndarray  # int64[L + 1, M]: their actions, those already tried first
    order: np.ndarray  # int64[L + 1, M]: the order's score of each action
    killers: np.ndarray  # int64[L + 1, 2]: the last two quiet actions that were too good at this distance
    history: np.ndarray  # int32[2, action_space]: how often an action was too good, minus how often it was not
    line: np.ndarray  # int64[L + 2, L + 2]: best lines from each distance on
    line_length: np.ndarray  # int64[L + 2]
    keys: np.ndarray  # int64[L + 1]: of the positions of the current line, where they are looked up in the table
    salts: np.ndarray  # int64[L + 1]: makes keys of equal positions at different distances differ, in a full-width search; else zeros
    jitter: np.ndarray  # int64[M], 0 to 255: the order of equal actions at the root
    table: np.ndarray  # ENTRY[2 ** n]: the transposition table
    joint: np.ndarray  # int64[2, 1]
    returns: np.ndarray  # float64[2]
    control: np.ndarray  # int64[7]


class SearchMemory:
    """What a player remembers of its searches in one game: the transposition table, and which actions have been good. It keeps their room besides.

    With it the result of a search depends on those before.
    """

    def __init__(self) -> None:
        self._game: Game | None = None
        self._work: SearchWorkspace | None = None

    def workspace(self, state: State, seed: int | None) -> SearchWorkspace:
        """A workspace for the next search; the last one's is no longer used."""
        if self._work is None or self._game != state.game:
            self._game, self._work = state.game, make_workspace(state, seed, full_width=False)
            return self._work
        work = self._work
        age = (int(work.control[AGE]) + 1) % AGES
        _begin(work, state, seed, full_width=False)
        work.control[AGE] = age
        work.killers[:] = -1
        return work


def make_workspace(state: State, seed: int | None, full_width: bool) -> SearchWorkspace:
    """A fresh workspace. The table is untouched memory until it is used, at most 4 MiB."""
    game: Game = state.game
    work = SearchWorkspace(
        states=np.zeros(LONGEST + 1, game.dtype),
        frames=np.zeros((LONGEST + 1, 13), np.int64),
        actions=np.zeros((LONGEST + 1, game.dimensions.max_actions), np.int64),
        order=np.zeros((LONGEST + 1, game.dimensions.max_actions), np.int64),
        killers=np.full((LONGEST + 1, 2), -1, np.int64),
        history=np.zeros((2, game.dimensions.action_space), np.int32),
        line=np.zeros((LONGEST + 2, LONGEST + 2), np.int64),
        line_length=np.zeros(LONGEST + 2, np.int64),
        keys=np.zeros(LONGEST + 1, np.int64),
        salts=np.random.default_rng(1).integers(-(2**63), 2**63 - 1, LONGEST + 1, np.int64)
        if full_width
        else np.zeros(LONGEST + 1, np.int64),
        jitter=np.zeros(game.dimensions.max_actions, np.int64),
        table=np.zeros(TABLE_SIZE, ENTRY),
        joint=np.zeros((2, 1), np.int64),
        returns=np.zeros(2),
        control=np.zeros(7, np.int64),
    )
    _begin(work, state, seed, full_width)
    return work


def _begin(work: SearchWorkspace, state: State, seed: int | None, full_width: bool) -> None:
    """Make a workspace ready for a search that begins."""
    work.states[:1] = state.copy_records()
    work.jitter[:] = 0 if seed is None else np.random.default_rng(seed).integers(0, 256, len(work.jitter))
    work.control[:] = 0
    work.control[DISTANCE] = -1
    work.control[FIRST] = -1
    work.control[FULL_WIDTH] = int(full_width)
