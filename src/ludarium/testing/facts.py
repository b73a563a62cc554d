"""Contracts on what a game says about itself: its names and numbers, its options."""

from __future__ import annotations

import operator
import re
from types import SimpleNamespace
from typing import Any

import numpy as np

from ludarium.core.game import Game
from ludarium.errors import BadOption

from .contracts import Played, contract, refused
from .random_games import play_at_random


@contract()
def a_game_says_what_it_is(played: Played) -> None:
    """Id, title, summary, paragraphs of how to play, version, players' names and dimensions have their forms; ``repr`` is Python that makes the game."""
    game = played.game
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", game.id), f"the id {game.id!r} is not lower case words joined by hyphens"
    assert game.title, "the title is empty"
    for paragraph in (game.summary, *game.how_to_play):
        assert paragraph.endswith("."), f"{paragraph!r} does not end with a full stop"
        assert "\n" not in paragraph, f"{paragraph!r} has several lines"
    assert game.version >= 1, f"the version is {game.version}; it begins with 1"
    assert game.players == len(set(game.player_names)) >= 1, f"the players' names {game.player_names} are not one each"
    assert isinstance(game.dtype, np.dtype) and issubclass(game.dtype.type, np.record), "dtype is not np.dtype((np.record, fields))"
    size = game.dimensions
    assert 1 <= size.max_actions <= size.action_space, (
        f"max_actions {size.max_actions} is not between 1 and action_space {size.action_space}"
    )

    def made(id: str, **options: Any) -> Game | None:
        return type(game)(**options) if id == game.id else None

    assert eval(repr(game), {"ludarium": SimpleNamespace(game=made)}) == game, f"{game!r} does not make this game"


@contract()
def options_are_checked(played: Played) -> None:
    """Every option has a help text and its default; every choice makes another game that can be played; a wrong name or value is refused by its name."""
    kind = type(played.game)
    game = kind()
    for name in ("no_such_option", "id", "self", "options"):
        refused(BadOption, _made, kind, name, 1, naming=name)
    for option in game.option_list:
        name = option.name
        assert option.help, f"option {name} has no help"
        assert option.accepted, f"option {name} does not say what it accepts"
        assert game.options[name] == option.default, f"option {name} is {game.options[name]!r} by default, not {option.default!r}"
        assert kind(**{name: option.default}) == game, f"{name}={option.default!r} makes another game than leaving it out"
        if option.kind != "text":
            wrongs: tuple[Any, ...] = ("nonsense", "", None, [], float("nan"), float("inf"), True, "1e999")
            for wrong in wrongs:
                if wrong is not None or option.default is not None:
                    refused(BadOption, _made, kind, name, wrong, naming=name)
        for value in option.choices:
            other = kind(**{name: value})
            assert (other == game) == (value == option.default), f"{name}={value!r} does not count where games are compared"
            assert play_at_random(other.start(1), 1, most=20).ply > 1, f"a game with {name}={value!r} is over at once"
    refused(TypeError, operator.setitem, game.options, "new", 1)


def _made(kind: type[Game], name: str, value: object) -> Game:
    return kind(**{name: value})
