"""Everything that the clicks of a game would otherwise compile or load, in parts: each game's rules, and each of its bots."""

from __future__ import annotations

import logging
from contextlib import closing
from typing import Any, NamedTuple

import ludarium
from ludarium.arena import warm_up as arena
from ludarium.core.game import Game, State
from ludarium.core.random import generator_from
from ludarium.core.rules import CHANCE
from ludarium.core.sight import Sight
from ludarium.core.timeline import Timeline
from ludarium.errors import LudariumError
from ludarium.players import can_play, player_kinds
from ludarium.web.table.renderings import as_json, choices_content, position_content

log = logging.getLogger("ludarium.web")


class Part(NamedTuple):
    """A game's rules and drawings; with ``bot``, the kind of player of that name in this game."""

    game: str
    bot: str | None = None


def all_parts() -> tuple[Part, ...]:
    """All parts of all games, the rules first: people can play each other before a bot is ready."""
    rules = [Part(id) for id in ludarium.list_games()]
    bots: list[Part] = []
    for id, _ in rules:
        try:
            bots += [Part(id, name) for name in player_kinds(ludarium.game(id))]
        except Exception:  # noqa: BLE001  anybody's package may be installed here; what is wrong with it is told when its rules' turn comes
            continue
    return (*rules, *bots)


def warm_up(part: Part) -> None:
    """Play an action in a game and draw what comes of it, or let a bot choose throughout the beginning. What fails (a broken plug-in) is logged."""
    id, bot = part
    try:
        game = ludarium.game(id)
        if bot is None:
            _use_rules(game)
        else:
            _use_bot(game, bot)
    except Exception as problem:  # anybody's package may be installed here
        name = f"game {id}" if bot is None else f"player {bot} of {id}"
        log.error("%s does not work: %s: %s", name, type(problem).__name__, problem, exc_info=not isinstance(problem, LudariumError))


def _use_rules(game: Game) -> None:
    timeline = Timeline(game.start(seed=0))
    state = timeline.state
    if state.is_over:
        return
    players = state.to_move
    sight = Sight(timeline, players[0])
    as_json(choices_content(sight))
    timeline.act({player: _first_choice(state, player) for player in players})
    as_json(position_content(sight, 1, 0))
    if timeline.state.to_move == (CHANCE,):
        timeline.act({CHANCE: timeline.state.sample_chance(generator_from(0))})


def _use_bot(game: Game, name: str) -> None:
    kind = player_kinds(game)[name]
    if can_play(kind, game):
        with closing(kind.make(game, {option.name: option.default for option in kind.options}, 0)) as player:
            arena.warm_up(player, arena.first_turns(game))


def _first_choice(state: State, player: int) -> Any:
    """The first legal action; the first of every order where a player gives several at once."""
    if state.game.dimensions.slots == 1:
        return state.actions(player)[0]
    return tuple(state.actions(player, slot)[0].index for slot in range(state.game.dimensions.slots))
