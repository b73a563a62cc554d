"""Every action's value by the game's evaluation of the position that it leads to: looking one action ahead."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludarium.core.game import Action, State
from ludarium.core.jit import kernel
from ludarium.core.rules import apply_actions, copy_state, evaluate, legal_actions, returns, to_move

from .alphabeta import WIN, check_alphabeta_plays

__all__ = ["one_ply"]


def one_ply(state: State) -> list[tuple[Action, int]]:
    """The legal actions of the player to move, in order, each with its score as in :func:`ludarium.search.alphabeta.alphabeta`.

    Raises:
        LudariumError: the game is over, or none for alpha-beta.
    """
    check_alphabeta_plays(state.game, state)
    game = state.game
    states = np.zeros(2, game.dtype)
    states[:1] = state.copy_records()
    scores = np.zeros(game.max_actions, np.int64)
    _one_ply(game.tables, states, np.zeros((2, 1), np.int64), np.zeros(game.max_actions, np.int64), scores, np.zeros(2))
    actions = state.actions(state.to_move[0])
    return list(zip(actions, scores[: len(actions)].tolist(), strict=True))


@kernel()
def _one_ply(tables: Any, states: Any, joint: Any, actions: Any, scores: Any, ending: Any) -> None:
    """Fill ``scores``. ``states`` has room for two, ``joint`` is int64[2, 1], ``ending`` float64[2]."""
    player = to_move(tables, states[0]) >> 1
    for index in range(legal_actions(tables, states[0], player, 0, actions)):
        copy_state(tables, states[0], states[1])
        joint[player, 0] = actions[index]
        apply_actions(tables, states[1], joint)
        if to_move(tables, states[1]) == 0:
            returns(tables, states[1], ending)
            value = ending[player]
            scores[index] = int(value * WIN) - (value > 0) + (value < 0)
        else:
            scores[index] = evaluate(tables, states[1], player)
