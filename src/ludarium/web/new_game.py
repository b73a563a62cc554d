"""The wish for a new game, checked as a whole before anything is made."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import ludarium
from ludarium.arena.play import player_seed
from ludarium.core.game import Game, State
from ludarium.core.registry import game_class
from ludarium.errors import BadOption, ProtocolError, one_of
from ludarium.players import Player, PlayerSpec, parse_player

from .turn_clock import LONGEST, SHORTEST

__all__ = ["NewGame", "check_new_game", "game_with", "make_players"]

_KEYS = ("game", "players", "options", "position", "seed", "clock")
_LARGEST_SEED = 2**64


@dataclass(frozen=True)
class NewGame:
    start: State
    specs: tuple[PlayerSpec, ...]
    seed: int
    players: dict[int, Player]
    """The bots, by seat."""
    clock: float | None
    """Seconds that people have for a turn; None: as long as they like."""


def game_with(id: str, options: Mapping[str, Any], *, files: bool) -> Game:
    """The game that a client names with its options.

    Args:
        files: whether options may name files of this computer: where nobody but people at it can ask.

    Raises:
        BadOption: there is no such game, it refuses the options, or one names a file and may not.
    """
    rules = game_class(id)
    for option in rules.option_list:
        if not files and option.names_file(options.get(option.name)):
            given = one_of(options[option.name], option.choices)
            raise BadOption(f"{id}: {option.name}={given}; this server reads no files for others, but takes the text of one")
    return ludarium.game(id, **options)


def check_new_game(wish: Mapping[str, Any], *, files: bool) -> NewGame:
    """Check the body of ``POST /api/games`` and make the bots. This may take a moment: call it outside the event loop.

    ``files`` as for :func:`game_with`.

    Raises:
        ProtocolError: ``bad_message``.
        BadOption, BadNotation: what the rules and players refuse.
    """
    for key in wish:
        if key not in _KEYS:
            raise ProtocolError("bad_message", f"a new game has the keys {', '.join(_KEYS)}, not '{key[:40]}'")
    id, players, options, position, seed, clock = (wish.get(key) for key in _KEYS)
    if not isinstance(id, str):
        raise ProtocolError("bad_message", "'game' is the id of a game")
    if not isinstance(players, list) or not all(isinstance(player, str) for player in players):
        raise ProtocolError("bad_message", "'players' is a list with a player's text for every seat")
    if not isinstance(options, dict | None):
        raise ProtocolError("bad_message", "'options' is an object of option names and values")
    if not isinstance(position, str | None):
        raise ProtocolError("bad_message", "'position' is a text")
    if seed is not None and (not isinstance(seed, int) or isinstance(seed, bool) or not 0 <= seed < _LARGEST_SEED):
        raise ProtocolError("bad_message", "'seed' is a whole number from 0 and below 2**64")
    if clock is not None and (not isinstance(clock, int | float) or isinstance(clock, bool) or not SHORTEST <= clock <= LONGEST):
        raise ProtocolError("bad_message", f"'clock' is the seconds of a turn, {SHORTEST:g} to {LONGEST:g}, or null for no limit")

    game = game_with(id, options or {}, files=files)
    if len(players) != game.players:
        raise ProtocolError("bad_message", f"{game.title} has {game.players} seats ({', '.join(game.player_names)}), not {len(players)}")
    specs = tuple(parse_player(player, game) for player in players)
    start = game.start() if position is None else game.parse(position)
    chosen = secrets.randbits(63) if seed is None else seed  # too many to guess from the dice of a running game
    return NewGame(start, specs, chosen, make_players(start, specs, chosen), clock)


def make_players(start: State, specs: tuple[PlayerSpec, ...], seed: int) -> dict[int, Player]:
    return {seat: spec.make(start.game, player_seed(seed, seat)) for seat, spec in enumerate(specs) if not spec.is_human}
