"""One player rolls a die and keeps what it shows, or rolls again while rolls are left."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludarium.core.game import Dimensions
from ludarium.core.random import random_below
from ludarium.core.rules import (
    CHANCE,
    apply_actions,
    apply_chance,
    chance_outcomes,
    legal_actions,
    observe,
    returns,
    sample_chance,
    to_move,
)
from tests.tiny_games.tiny import TinyGame

KEEP, ROLL = 0, 1


class DieTables(NamedTuple):
    faces: int


@to_move.implement(DieTables)
def die_to_move(tables: Any, state: Any) -> Any:
    if int(state.kept):
        return 0
    return CHANCE if int(state.shows) == 0 else 1


@legal_actions.implement(DieTables)
def die_legal_actions(tables: Any, state: Any, player: Any, slot: Any, out: Any) -> Any:
    out[0] = KEEP
    out[1] = ROLL
    return 2 if int(state.rolls) else 1


@apply_actions.implement(DieTables)
def die_apply_actions(tables: Any, state: Any, joint: Any) -> None:
    if joint[0, 0] == KEEP:
        state.kept = 1
    else:
        state.shows = 0
        state.rolls = int(state.rolls) - 1


@sample_chance.implement(DieTables)
def die_sample_chance(tables: Any, state: Any, generator: Any) -> Any:
    return 1 + random_below(generator, tables.faces)


@apply_chance.implement(DieTables)
def die_apply_chance(tables: Any, state: Any, outcome: Any) -> None:
    state.shows = outcome


@chance_outcomes.implement(DieTables)
def die_chance_outcomes(tables: Any, state: Any, outcomes: Any, probabilities: Any) -> Any:
    for face in range(tables.faces):
        outcomes[face] = 1 + face
        probabilities[face] = 1 / tables.faces
    return tables.faces


@returns.implement(DieTables)
def die_returns(tables: Any, state: Any, out: Any) -> None:
    out[0] = (2.0 * int(state.shows) - tables.faces - 1) / (tables.faces - 1) if int(state.kept) else 0.0


@observe.implement(DieTables)
def die_observe(tables: Any, state: Any, player: Any, out: Any) -> None:
    out[0] = int(state.shows)


class Die(TinyGame):
    """Positions: what the die shows (0: it is falling), rolls left, whether it was kept."""

    id = "test-die"
    title = "Die"
    dtype = np.dtype((np.record, [("shows", np.int8), ("rolls", np.int8), ("kept", np.int8)]))

    def make_tables(self) -> DieTables:
        return DieTables(6)

    def make_dimensions(self) -> Dimensions:
        return Dimensions(("roller",), 2, 2, (1,), max_outcomes=6)

    def write_initial(self, record: Any) -> None:
        record.rolls = 2
