"""The player that searches."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from ludarium.core.game import Action, Game, State
from ludarium.core.jit import plain
from ludarium.core.options import Option
from ludarium.core.random import generator_from
from ludarium.errors import BadOption
from ludarium.players import Player, never

from ..tables import NOTHING
from .deciding import EVERYBODY, decide
from .planning import FORESEE, IMPROVE, KEEP, TURNS, make_planner, plan, turns_ahead
from .scratch import make_scratch
from .team_players import action_of

SECONDS = 0.05

SEARCH_OPTIONS = (
    Option("time", "seconds", None, f"time a turn ({SECONDS * 1000:.0f}ms unless sims is given)", minimum=0.001),
    Option("sims", "whole number", None, "changes of the plan to try a turn, instead of time", minimum=1, shared_maximum=1_000_000),
)

FIRST_SLICE = 8
"""Changes that are tried before the clock is looked at for the first time."""

SLICE = 0.004
"""Seconds between looks at the clock, about."""


class SearchPlayer(Player):
    """Plans ten turns ahead for all its characters, by chance changes of what bomber would do. Limited by ``sims``, equal seeds give equal games.

    On the special player's seat it plays as hunter does.
    """

    def __init__(self, game: Game, options: dict[str, Any], seed: int) -> None:
        """Prepare for a game.

        Raises:
            BadOption: both limits are given.
        """
        if options["sims"] is not None and options["time"] is not None:
            raise BadOption("player search: sims and time are two limits; give one of them")
        self._sims: int | None = options["sims"]
        self._seconds: float = options["time"] or SECONDS
        self._tables = game.tables
        self._scratch = make_scratch(game.tables)
        self._planner = make_planner(game.tables)
        self._states = np.zeros(TURNS + 2, game.dtype)
        self._generator = generator_from(seed)
        self._planned_turn = -1
        """The turn that the plan begins with; −1: there is no whole one."""

    def choose(self, state: State, player: int, interrupted: Callable[[], bool] = never) -> Action:
        end = time.perf_counter() + self._seconds - SLICE if self._sims is None else math.inf
        tables, states, planner = self._tables, self._states, self._planner
        states[0] = state.record
        if tables.special and player == 0:
            decide(tables, states[:1], states[1:2], player, 1, self._scratch, self._generator)
            return action_of(state, player, self._scratch.orders)
        kept = planner.plan.copy()
        reception = _received_last(tables.reception, player)
        turn, last = int(state.record.turn), self._planned_turn
        self._planned_turn = -1
        if self._predict(player, reception, lambda: interrupted() or time.perf_counter() > end):
            if last == turn - 1:
                self._keep(state, player, reception, kept)
            self._planned_turn = turn
            self._improve(player, reception, interrupted, end)
        return action_of(state, player, planner.plan[0])

    def _predict(self, player: int, reception: int, out_of_time: Callable[[], bool]) -> bool:
        """Make the plan what bomber would do on every seat, the special player being hunter; False if time is out before all of it is there."""
        tables, states, planner = self._tables, self._states, self._planner
        for turn in range(plain(turns_ahead)(tables, states[0])):
            if turn > 0 and out_of_time():
                return False
            decide(tables, states[turn : turn + 1], states[TURNS + 1 :], EVERYBODY, 1, self._scratch, self._generator)
            planner.plan[turn] = self._scratch.orders
            plan(tables, states, player, reception, planner, FORESEE, turn, self._generator)
        return True

    def _keep(self, state: State, player: int, reception: int, kept: np.ndarray) -> None:
        """Let the rest of the last turn's plan replace the predicted one, if it is worth no less. On the turn that it lacks nobody does anything."""
        tables, trial = self._tables, self._planner.trial
        team = range(int(tables.first[player]), int(tables.first[player + 1]))
        trial[:, team] = NOTHING
        trial[: TURNS - 1, team] = kept[1:, team]
        for slot, character in enumerate(team):
            if trial[0, character] not in state.legal(player, slot):
                trial[0, character] = NOTHING
        plan(tables, self._states, player, reception, self._planner, KEEP, 0, self._generator)

    def _improve(self, player: int, reception: int, interrupted: Callable[[], bool], end: float) -> None:
        """Try changes of the plan as long as there is time."""
        tried, changes = 0, FIRST_SLICE
        while not interrupted():
            if self._sims is not None:
                changes = min(changes, self._sims - tried)
            begun = time.perf_counter()
            if changes <= 0 or begun > end:
                break
            plan(self._tables, self._states, player, reception, self._planner, IMPROVE, changes, self._generator)
            tried += changes
            changes = max(1, min(2 * changes, int(changes * SLICE / max(time.perf_counter() - begun, 1e-6))))


def _received_last(receptions: np.ndarray, player: int) -> int:
    """The number of an order of reception in which the player comes last, so that a plan counts on no cell that another one may get; −1 if it is not drawn."""
    rows = np.flatnonzero(receptions[:, -1] == player)
    return int(rows[0]) if len(rows) else -1
