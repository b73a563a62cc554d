"""Games of self-play stepped, and gone through again, as compiled code."""

from __future__ import annotations

import math
from typing import Any

from ludarium.core.bits import lowest_bit
from ludarium.core.jit import kernel
from ludarium.core.rules import apply_actions, evaluate, legal_actions, observe, returns, to_move
from ludarium.search.mcts.kernel import DECIDED

OVER = -1
"""Instead of a mover."""


@kernel()
def play(tables: Any, states: Any, which: Any, actions: Any, joint: Any, movers: Any, values: Any) -> None:
    """Play one action in each of the games ``which`` (``int64[k]``).

    Args:
        actions: ``int64[k]``.
        joint: ``int64[players, 1]``, scratch.
        movers: ``int64[games]``: who is to move, which is written anew; OVER where nobody is.
        values: ``float64[games, players]``: the returns of games that are over.
    """
    for at in range(len(which)):
        game = which[at]
        joint[movers[game], 0] = actions[at]
        apply_actions(tables, states[game], joint)
        mask = to_move(tables, states[game])
        movers[game] = OVER if mask == 0 else lowest_bit(mask)
        if mask == 0:
            returns(tables, states[game], values[game])


@kernel()
def estimate(tables: Any, states: Any, game: Any, values: Any) -> None:
    """Write what a running game of two players is worth by its own evaluation, to ``values[game]`` (``float64[games, 2]``, from −1 to 1)."""
    values[game, 0] = math.tanh(evaluate(tables, states[game], 0) / DECIDED)
    values[game, 1] = -values[game, 0]


@kernel()
def go_through(
    tables: Any, states: Any, actions: Any, joint: Any, scratch: Any, movers: Any, observations: Any, counts: Any, legal: Any
) -> None:
    """Write for every ply of a game who moves, what the mover sees and may do; ``states`` (one record) is its beginning and is changed.

    Args:
        actions: ``int64[n]``.
        joint: ``int64[players, 1]``, scratch, as is ``scratch`` (``int64[max_actions]``).
        movers: ``int8[n]``.
        observations: ``float32[n, ...]``, zeros.
        counts: ``int32[n]``.
        legal: ``int32[n, max_actions]``.
    """
    state = states[0]
    for ply in range(len(actions)):
        player = lowest_bit(to_move(tables, state))
        movers[ply] = player
        observe(tables, state, player, observations[ply])
        counts[ply] = legal_actions(tables, state, player, 0, scratch)
        for index in range(counts[ply]):
            legal[ply, index] = scratch[index]
        joint[player, 0] = actions[ply]
        apply_actions(tables, state, joint)
