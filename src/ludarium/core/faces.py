"""The rules' functions as kernels for one state, which :mod:`ludarium.core.game` calls from Python.

``states`` has shape ``(1,)``. Compiled kernels write into read-only arrays too, so those that write get copies. Those that apply something say who is to move
then: a call from Python takes longer than many a rule.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .jit import kernel
from .rules import (
    apply_actions,
    apply_chance,
    chance_outcomes,
    conceal,
    leave,
    legal_actions,
    observe,
    resample_hidden,
    returns,
    sample_chance,
    to_move,
)

REQUIRED = (to_move, legal_actions, apply_actions, returns, observe)
REQUIRED_WITH_CHANCE = (sample_chance, apply_chance, chance_outcomes)
REQUIRED_WITH_HIDDEN_INFORMATION = (conceal, resample_hidden)


def normalised(tables: Any) -> Any:
    """The same tables with arrays in C order, writable and of one width, so that no call compiles anew for their layout.

    Signed integers of 16 and 32 bits become ``int64``; NumPy's numbers become Python's; tuples inside are treated likewise.
    """
    return type(tables)(*(_normalised_value(value) for value in tables))


def _normalised_value(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        wide = value.dtype.kind == "i" and value.dtype.itemsize > 1
        return np.array(value, np.int64 if wide else value.dtype.newbyteorder("="), order="C", copy=True)
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, tuple):
        return normalised(value) if hasattr(value, "_fields") else tuple(_normalised_value(one) for one in value)
    return value


def check_implemented(tables: Any, *, chance: bool, hidden: bool) -> None:
    """Refuse a game without its rules.

    Raises:
        TypeError: a function that every game (every game with chance, with hidden information) implements is missing for the class of these tables.
    """
    needed: tuple[Any, ...] = REQUIRED
    needed += REQUIRED_WITH_CHANCE if chance else ()
    needed += REQUIRED_WITH_HIDDEN_INFORMATION if hidden else ()
    missing = [function.__name__ for function in needed if not function.implemented_for(tables)]
    if missing:
        raise TypeError(f"the rules of {type(tables).__name__} lack: {', '.join(missing)}")


@kernel()
def to_move_face(tables: Any, states: Any) -> Any:
    return to_move(tables, states[0])


@kernel()
def legal_actions_face(tables: Any, states: Any, player: Any, slot: Any, out: Any) -> Any:
    return legal_actions(tables, states[0], player, slot, out)


@kernel()
def apply_actions_face(tables: Any, states: Any, joint: Any) -> Any:
    apply_actions(tables, states[0], joint)
    return to_move(tables, states[0])


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
def apply_chance_face(tables: Any, states: Any, outcome: Any) -> Any:
    apply_chance(tables, states[0], outcome)
    return to_move(tables, states[0])


@kernel()
def chance_outcomes_face(tables: Any, states: Any, outcomes: Any, probabilities: Any) -> Any:
    return chance_outcomes(tables, states[0], outcomes, probabilities)


@kernel()
def leave_face(tables: Any, states: Any, player: Any) -> Any:
    leave(tables, states[0], player)
    return to_move(tables, states[0])


@kernel()
def conceal_face(tables: Any, states: Any, player: Any) -> None:
    conceal(tables, states[0], player)


@kernel()
def resample_hidden_face(tables: Any, states: Any, player: Any, generator: Any) -> None:
    resample_hidden(tables, states[0], player, generator)
