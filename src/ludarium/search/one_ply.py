"""Every action's value by the game's evaluation of the position that it leads to: looking one action ahead."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludarium.core.bits import lowest_bit
from ludarium.core.game import Action, Game, State
from ludarium.core.jit import kernel
from ludarium.core.random import generator_from
from ludarium.core.rules import (
    CHANCE,
    apply_actions,
    apply_chance,
    copy_state,
    evaluate,
    legal_actions,
    random_action,
    resample_hidden,
    returns,
    sample_chance,
    to_move,
)
from ludarium.errors import IllegalAction, LudariumError

from .alphabeta.kernel import score_of_ending

SAMPLES = 64
"""How often chance, what others choose at the same time, and what is hidden are drawn, where there is anything to draw."""


def check_one_ply_plays(game: Game) -> None:
    """Refuse a game in which :func:`one_ply` cannot tell actions apart.

    Raises:
        LudariumError: players give several orders at once, or the game does not say how good a running game is.
    """
    if game.dimensions.slots > 1:
        raise LudariumError(
            f"looking one action ahead needs single choices; in {game.title} a player gives {game.dimensions.slots} orders at once"
        )
    if not evaluate.implemented_for(game.tables):
        raise LudariumError(f"looking one action ahead needs an evaluation of running games; {game.title} has none")


def one_ply(state: State, player: int | None = None, seed: int = 0) -> list[tuple[Action, int]]:
    """A player's legal actions, in order, each with its score as in :func:`ludarium.search.alphabeta.alphabeta`.

    Where chance follows, others choose at the same time or something is hidden from the player, a score is the mean over the same few dozen draws for every
    action; others choose at random. What is hidden from the player has no part in it.

    Args:
        player: may be left out where one player is to move.
        seed: of the draws, from 0.

    Raises:
        LudariumError: nobody is to move, or a game that this cannot look at.
        IllegalAction: the player is not to move, or several are and none is named.
    """
    game, movers = state.game, state.to_move
    check_one_ply_plays(game)
    if not movers or movers == (CHANCE,):
        raise LudariumError("there is nothing to choose: dice are to fall" if movers else "there is nothing to choose: the game is over")
    actions = state.actions(player)
    player = movers[0] if player is None else player
    if player not in movers:
        raise IllegalAction(f"player {player} is not to move")
    hidden = game.secrets is not None
    draws = hidden or game.dimensions.max_outcomes > 0 or len(movers) > 1
    states = np.zeros(3, game.dtype)
    states[:1] = state.copy_records()
    totals = np.zeros(len(actions), np.float64)
    samples = SAMPLES if draws else 1
    scratch = (
        np.zeros((game.players, 1), np.int64),
        np.zeros(game.dimensions.max_actions, np.int64),
        np.zeros(game.dimensions.max_actions, np.int64),
        np.zeros(game.players),
    )
    add_scores(game.tables, states, player, hidden, samples, generator_from(seed), *scratch, totals)
    return [(action, round(total / samples)) for action, total in zip(actions, totals.tolist(), strict=True)]


@kernel()
def add_scores(
    tables: Any,
    states: Any,
    player: Any,
    hidden: Any,
    samples: Any,
    generator: Any,
    joint: Any,
    actions: Any,
    others: Any,
    ending: Any,
    totals: Any,
) -> None:
    """Add every sample's scores to ``totals`` (``float64``, by action).

    Args:
        states: three records; the first is looked at, the others are written.
        hidden: whether what is hidden from the player is to be drawn.
        joint: ``int64[players, 1]``, scratch, as are actions and others (``int64[max_actions]``) and ending (``float64[players]``).
    """
    for _ in range(samples):
        copy_state(tables, states[0], states[1])
        if hidden:
            resample_hidden(tables, states[1], player, generator)
        mask = to_move(tables, states[1])
        while mask != 0:
            other = lowest_bit(mask)
            mask &= mask - 1
            joint[other, 0] = random_action(tables, states[1], other, 0, generator, others)
        for index in range(legal_actions(tables, states[1], player, 0, actions)):
            copy_state(tables, states[1], states[2])
            joint[player, 0] = actions[index]
            apply_actions(tables, states[2], joint)
            while to_move(tables, states[2]) == CHANCE:
                apply_chance(tables, states[2], sample_chance(tables, states[2], generator))
            if to_move(tables, states[2]) == 0:
                returns(tables, states[2], ending)
                totals[index] += score_of_ending(ending[player], 1)
            else:
                totals[index] += evaluate(tables, states[2], player)
