"""Who answers a judge that is elsewhere: a program, to which its messages are passed on, or a built-in player."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from ludarium.arena.clocks import Clocks, TimeControl
from ludarium.arena.play import ask, program
from ludarium.arena.warm_up import first_turns, warm_up
from ludarium.core.game import Action, Game
from ludarium.core.pickling import Unpicklable
from ludarium.core.registry import game_without_files
from ludarium.core.running_time import running_time
from ludarium.core.sight import Sight
from ludarium.errors import PlayerIllegal
from ludarium.players import Player
from ludarium.players.programs import Conditions, is_bot
from ludarium.players.programs.bots import Bot, bot_of
from ludarium.players.programs.messages import encoded
from ludarium.players.programs.pool import link_to
from ludarium.players.programs.process import shown
from ludarium.players.programs.program import LONGEST_START, LONGEST_TO_TAKE

from .addresses import Ladder, options_of
from .told import Told

ON_THE_WAY = 0.1
"""Seconds of its clock that a built-in player leaves for the messages on their way, or half of what it would use where that is less."""

ANSWERED = ("hello", "turn")

Interrupted = Callable[[], bool]


class Seat(Protocol):
    """Answers a judge's messages as long as a connection lasts."""

    def hear(self, message: dict[str, Any], line: bytes, interrupted: Interrupted) -> bytes | None:
        """The answer to a message, which is also given as it came; None: it has none.

        Raises:
            PlayerFailed: the player cannot go on.
            Interrupted: nobody wants the answer any more.
            LookupError, TypeError, ValueError: this is no message that a judge sends.
        """
        ...

    def close(self) -> None:
        """Nothing more will be asked."""
        ...


def seat_of(spec: str, ladder: Ladder, conditions: Conditions) -> Callable[[], Seat]:
    """What makes the one who answers on a new connection. Now nothing is started, but a built-in player is compiled, for
    which the server is asked for the game's options.

    Raises:
        BadNotation, BadOption: no such player or game.
    """
    if is_bot(spec.strip()):
        bot = bot_of(spec.strip(), Path.cwd(), ladder.game)
        return partial(Program, bot, conditions)
    played = game_without_files(ladder.game, options_of(ladder))
    found = program(spec, played, None)
    with closing(found.make(played, 0)) as player:
        warm_up(player, first_turns(played))
    return partial(BuiltIn, found.text)


class Program(Unpicklable):
    """A program that has been started."""

    send_instead = "send the player's spec"

    def __init__(self, bot: Bot, conditions: Conditions) -> None:
        """Start it.

        Raises:
            PlayerCrashed: it cannot be started.
            BadOption: a sandbox is required, and there is none.
        """
        self._link = link_to(bot, conditions)
        self.close = self._link.end

    def hear(self, message: dict[str, Any], line: bytes, interrupted: Interrupted) -> bytes | None:
        if said := self._link.said_unasked():
            raise PlayerIllegal(f"out of turn: {shown(said)}")
        self._link.go()
        self._link.send(line + b"\n", running_time() + LONGEST_TO_TAKE, interrupted)
        answer = None
        if message["type"] in ANSWERED:
            answer = self._link.receive(running_time() + _patience(message), interrupted)
        self._link.rest()
        return answer


def _patience(message: dict[str, Any]) -> float:
    """Seconds in which the judge surely ends the game by itself, if it is there."""
    clock = message.get("clock")
    return LONGEST_START + float(clock["left"] if clock else LONGEST_START)


class BuiltIn:
    """A built-in player, made anew for every game."""

    def __init__(self, spec: str) -> None:
        self._spec = spec
        self._player: Player | None = None
        self._told: Told | None = None

    def hear(self, message: dict[str, Any], line: bytes, interrupted: Interrupted) -> bytes | None:
        kind = message["type"]
        if kind == "hello":
            return encoded({"type": "ready", "name": self._spec[:80], "send": []}).strip()
        if kind == "turn":
            return encoded({"type": "action", "action": self._choice(message, interrupted)}).strip()
        if kind in ("game", "result"):
            self.close()
        if kind == "game":
            self._begin(message)
        return None

    def _begin(self, message: dict[str, Any]) -> None:
        game = game_without_files(str(message["game"]), message["options"])
        self._told = Told(game.parse(message["position"]), int(message["seat"]))
        self._player = program(self._spec, game, None).make(game, int(message["seed"]))
        self._player.sit(Sight(self._told, self._told.seat))

    def _choice(self, message: dict[str, Any], interrupted: Interrupted) -> int | list[int]:
        if self._told is None or self._player is None:
            raise ValueError("a turn before a game")
        told = self._told
        told.hear(message)
        until = _until(message["clock"], told.game)
        action, _ = ask(self._player, told.state, told.seat, lambda: interrupted() or time.monotonic() >= until)
        return _written(action, told.game)

    def close(self) -> None:
        player, self._player = self._player, None
        if player is not None:
            player.close()


def _until(clock: dict[str, Any] | None, game: Game) -> float:
    """When a built-in player should answer, by ``time.monotonic``."""
    if clock is None:
        return float("inf")
    control = TimeControl(float(clock["left"]), float(clock["increment"]), clock["per"] == "action")
    share = Clocks((control,) * game.players).share(0)
    return time.monotonic() + max(share - ON_THE_WAY, share / 2)


def _written(action: Action, game: Game) -> int | list[int]:
    """An action as bots send it: its number, or one for each order."""
    if game.orders is None:
        assert isinstance(action.index, int)
        return action.index
    return list(action.index) if isinstance(action.index, tuple) else [action.index]
