"""Player specs, the words by which people name players.

- ``alphabeta``, ``alphabeta:level=3``, ``mcts:time=500ms,memory=64``: a built-in player's name, then optionally ``:`` and ``key=value`` pairs.
- ``net:FILE``, ``net:FILE,sims=100``: a player one of whose options may come first without its name.
- ``fuse``: one of the game's opponents, by its id.
- ``./bot.py``, ``bots/bot``: a program in a file. A file's name has a dot or a slash, which no built-in player's has.
- ``cmd:node bot.js --fast``: a program by its command line.
- ``class:PATH_OR_MODULE[:ClassName]``: a Python class, in games that seat such.
- ``ws://localhost:9000``, ``wss://…``: a bot that listens there.

Reading a spec starts no program, and connects to nobody.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from ludarium.core.game import Game
from ludarium.core.options import check_options, parse_assignments
from ludarium.core.registry import game_module
from ludarium.errors import BadNotation, BadOption, one_of

from .base import Player, PlayerKind
from .kinds import KINDS
from .levels import LEVELS, with_levels
from .opponents import opponents_of
from .programs import Conditions, is_bot, program_kind
from .slips import with_slips

HUMAN = "human"
"""The spec of a person. Whoever runs the game (terminal, page) asks that person; no :class:`Player` is made."""

NOBODY: Mapping[str, PlayerKind] = MappingProxyType({})


@dataclass(frozen=True)
class PlayerSpec:
    """A checked spec for one game."""

    text: str
    kind: PlayerKind | None
    options: dict[str, Any]
    is_program: bool = False
    """Whether it is a program of its own, which is started or connected to for the game."""
    target: str = ""
    """Path of its program if the spec names it through a symbolic link."""

    @property
    def is_human(self) -> bool:
        return self.kind is None

    def make(self, game: Game, seed: int) -> Player:
        """A player for one game.

        Raises:
            BadOption: a person cannot be made, or the options do not go together.
        """
        if self.kind is None:
            raise BadOption(f"'{self.text}' is a person, not a program; name one of: {', '.join(player_kinds(game))}")
        return self.kind.make(game, self.options, seed)


def player_kinds(game: Game) -> dict[str, PlayerKind]:
    """Every kind of player that can play a game, with its levels there: the generic ones and the game's own (``KINDS`` in its ``players.py``)."""
    own = game_module(game.id, "players")
    levels = LEVELS | getattr(own, "LEVELS", {})
    return {kind.name: with_slips(with_levels(kind, levels.get(kind.name, ()))) for kind in (*KINDS, *getattr(own, "KINDS", ()))}


def can_play(kind: PlayerKind, game: Game) -> bool:
    """Whether a kind of player, with its own limits, plays a game: alpha-beta, for instance, refuses dice."""
    try:
        kind.make(game, {option.name: option.default for option in kind.options}, 0).close()
    except BadOption:
        return False
    except Exception:  # noqa: BLE001  a game may bring bots of its own; what is wrong with one is told when it is to play
        return True
    return True


def parse_player(
    text: str, game: Game, *, longest: float | None = None, conditions: Conditions | None = None, offered: Mapping[str, PlayerKind] = NOBODY
) -> PlayerSpec:
    """Read a spec.

    Args:
        conditions: how programs play; None: only built-in players do.
        longest: seconds that a thought takes at most, where the player shares the computer with strangers' players; other numbers by which it thinks longer or
            takes more memory have bounds then, too.
        offered: further players, by name.

    Raises:
        BadNotation: of no form that a spec has.
        BadOption: no such player, option, value, file or command; the message lists the known ones.
    """
    text = text.strip()
    kinds = {**player_kinds(game), **offered}
    if is_bot(text):
        if conditions is None:
            raise BadOption(f"'{text}' is a program of its own, and only built-in players play here: {', '.join(kinds)}")
        kind, target = program_kind(text, conditions, game.id)
        return PlayerSpec(text, kind, {}, is_program=True, target=target)
    name, colon, rest = text.partition(":")
    if not name or (colon and not rest):
        raise BadNotation(f"'{text}' is no player; write name, name:key=value,key=value, ./program, cmd:COMMAND LINE or ws://HOST:PORT")
    if name == HUMAN:
        if colon:
            raise BadOption(f"'{text}': {HUMAN} takes no options")
        return PlayerSpec(text, None, {})
    if name not in kinds and (opponent := next((one for one in opponents_of(game) if one.id == text), None)):
        return parse_player(opponent.spec, game, longest=longest)
    if name not in kinds:
        raise BadOption(f"player {one_of(name, (*kinds, HUMAN))}")
    kind = kinds[name]
    parts = rest.split(",") if rest else []
    if parts and kind.unnamed and "=" not in parts[0]:
        parts[0] = f"{kind.unnamed}={parts[0]}"
    given = parse_assignments(parts)
    known = kind.options if longest is None else [option.where_shared(longest) for option in kind.options]
    options = check_options(known, given, f"player {name}")
    if longest is not None and (files := [option.name for option in known if option.is_source and options[option.name] is not None]):
        raise BadOption(f"player {name}: {files[0]} names a file of this computer, which is read for nobody here")
    spec = PlayerSpec(text, kind, options)
    spec.make(game, 0).close()  # options that do not go together are refused now, not in the middle of a match
    return spec
