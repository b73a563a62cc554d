"""Everything that a first click would otherwise compile or load, done before the server opens."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import ludarium
from ludarium.core.game import Game, State
from ludarium.core.jit import on_compile
from ludarium.core.random import generator_from
from ludarium.core.rules import CHANCE
from ludarium.core.sight import Sight
from ludarium.core.timeline import Timeline
from ludarium.players import player_kinds

from .new_game import can_play
from .orders import gives_orders
from .renderings import actions_json, orders_json, position_json

__all__ = ["warm_up"]

log = logging.getLogger("ludarium.web")


def warm_up(progress: Callable[[str], None]) -> None:
    """Play an action in every game and let every kind of bot choose once. ``progress`` is told the name of each part that is compiled.

    A game or a bot that fails here (a broken plug-in) is logged.
    """
    on_compile.append(progress)
    try:
        for id in ludarium.list_games():
            try:
                _warm_up_game(ludarium.game(id))
            except Exception as problem:  # anybody's package may be installed here
                log.error("game %s does not work: %s: %s", id, type(problem).__name__, problem)
    finally:
        on_compile.remove(progress)


def _warm_up_game(game: Game) -> None:
    timeline = Timeline(game.start(seed=0))
    state = timeline.state
    if state.is_over:
        return
    players = state.to_move
    sight = Sight(timeline, players[0])
    (orders_json if gives_orders(game) else actions_json)(sight)
    timeline.act({player: _first_choice(state, player) for player in players})
    position_json(sight, 1, 0)
    if timeline.state.to_move == (CHANCE,):
        timeline.act({CHANCE: timeline.state.sample_chance(generator_from(0))})
    for kind in player_kinds(game).values():
        if not can_play(kind, game):
            continue
        try:
            player = kind.make(game, {option.name: option.default for option in kind.options}, 0)
            try:
                player.choose(state.seen_by(players[0]), players[0], lambda: True)
            finally:
                player.close()
        except Exception as problem:  # a game may bring bots of its own
            log.error("player %s of %s does not work: %s: %s", kind.name, game.id, type(problem).__name__, problem)


def _first_choice(state: State, player: int) -> Any:
    """The first legal action; the first of every order where a player gives several at once."""
    if state.game.slots == 1:
        return state.actions(player)[0]
    return tuple(state.actions(player, slot)[0].index for slot in range(state.game.slots))
