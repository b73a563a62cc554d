"""The rules' functions as kernels for one state, which :mod:`ludarium.core.game` calls from Python.

``states`` has shape ``(1,)``. Compiled kernels write into read-only arrays too, so the two that write get copies.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .jit import kernel
from .rules import (
    apply_actions,
    apply_chance,
    chance_outcomes,
    legal_actions,
    observe,
    returns,
    sample_chance,
    to_move,
)


def normalised(tables: Any) -> Any:
    """The same tables with arrays in C order, writable and of one width, so that no call compiles anew for their layout."""
    values: list[Any] = []
    for value in tables:
        if isinstance(value, np.ndarray):
            wide = value.astype(np.int64) if value.dtype.kind == "i" and value.dtype.itemsize > 1 else value
            values.append(np.array(wide, order="C", copy=True))
        else:
            values.append(value)
    return type(tables)(*values)


@kernel()
def to_move_face(tables: Any, states: Any) -> Any:
    return to_move(tables, states[0])


@kernel()
def legal_actions_face(tables: Any, states: Any, player: Any, slot: Any, out: Any) -> Any:
    return legal_actions(tables, states[0], player, slot, out)


@kernel()
def apply_actions_face(tables: Any, states: Any, joint: Any) -> None:
    apply_actions(tables, states[0], joint)


@kernel()
def returns_face(tables: Any, states: Any, out: Any) -> None:
    returns(tables, states[0], out)


@kernel()
def observe_face(tables: Any, states: Any, player: Any, out: Any) -> None:
    observe(tables, states[0], player, out)


@kernel()
def sample_chance_face(tables: Any, states: Any, generator: Any) -> Any:
    return sample_chance(tables, states[0], generator)


@kernel()
def apply_chance_face(tables: Any, states: Any, outcome: Any) -> None:
    apply_chance(tables, states[0], outcome)


@kernel()
def chance_outcomes_face(tables: Any, states: Any, outcomes: Any, probabilities: Any) -> Any:
    return chance_outcomes(tables, states[0], outcomes, probabilities)
