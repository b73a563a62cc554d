"""One game on the course's terms: processor time, memory, repetition with the side to move."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ludarium.arena import Terms, TimeControl, play_game
from ludarium.core.game import Action, Game, State
from ludarium.core.registry import game
from ludarium.core.timeline import Event, Timeline
from ludarium.errors import PlayerCrashed
from ludarium.players import HUMAN, Player, PlayerKind, PlayerSpec, never, parse_player, player_kinds
from ludarium.players.programs import Conditions, is_address
from ludarium.players.programs.bots import bot_of
from ludarium.players.programs.commands import CLASS, COMMAND, Command
from ludarium.players.programs.player import Lender, ProgramPlayer
from ludarium.players.programs.pool import Pool

SLACK = 1.5
"""A class is timed in its own process. The judge's clock, which stands behind that, gives so many times as much, and five seconds."""

OPTIONS = {"repetition": "board and side"}


@dataclass(frozen=True)
class Limits:
    """What the players of a game may take; None: whatever they like."""

    seconds: float | None = None
    """Processor time of a player for the game."""
    megabytes: float | None = None
    """By how much the virtual memory of a player may grow after its import; what one leaves is the other's."""


OFFICIAL = Limits(60.0, 100.0)


class Memory:
    """By how many megabytes the players of a game have grown."""

    def __init__(self, limit: float | None) -> None:
        self._limit = limit
        self._grown = [0.0, 0.0]

    def grow(self, player: int, megabytes: float) -> None:
        """What a player has now."""
        self._grown[player] = megabytes
        self.check(player)

    def check(self, player: int) -> None:
        """Raise: PlayerCrashed: both have too much, and this player more than the other."""
        own, both = self._grown[player], sum(self._grown)
        if self._limit is not None and both > 2 * self._limit and own >= both / 2:
            allowed = f"{2 * self._limit:g} are allowed for both"
            raise PlayerCrashed(f"too much: {own:.1f} MB of virtual memory, {both - own:.1f} MB of the opponent's; {allowed}")


class OfficialPlayer(ProgramPlayer):
    """A class whose memory is looked at after each of its turns."""

    def __init__(self, lender: Lender, seed: int, memory: Memory) -> None:
        super().__init__(lender, seed)
        self._memory = memory

    def choose(self, state: State, player: int, interrupted: Callable[[], bool] = never) -> Action:
        self._memory.check(player)
        return super().choose(state, player, interrupted)

    def read(self, line: bytes, state: State, player: int) -> Action:
        action = super().read(line, state, player)
        self._memory.grow(player, float(json.loads(line)["grown"]))
        return action


def referee(
    players: Sequence[str],
    limits: Limits,
    *,
    seed: int | None = None,
    conditions: Conditions,
    record: Path | None = None,
    listeners: Iterable[Callable[[Event], None]] = (),
    on_begin: Callable[[Timeline], None] | None = None,
    interrupted: Callable[[], bool] = never,
) -> Timeline:
    """Play a game to its end; whatever a player does wrong loses it.

    Args:
        players: ``package`` or ``package:ClassName``, a built-in player, or the spec of another bot.

    Raises:
        BadNotation, BadOption, StoreError: as :func:`.play.play_game`.
    """
    played = game("expendibots", **OPTIONS)
    memory = Memory(limits.megabytes)
    specs = [_seated(player, played, limits, conditions, memory) for player in players]
    time = () if limits.seconds is None else tuple(_control(limits.seconds, spec) for spec in specs)
    return play_game(
        played,
        specs,
        seed=seed,
        record=record,
        terms=Terms(time, by_cpu=True, programs=conditions),
        listeners=listeners,
        on_begin=on_begin,
        interrupted=interrupted,
    )


def is_class(player: str) -> bool:
    """Whether a player's word names a class, and no built-in player or other bot."""
    name = player.partition(":")[0]
    return name not in (*player_kinds(game("expendibots")), HUMAN) and not player.startswith(COMMAND) and not is_address(player)


def _control(seconds: float, spec: PlayerSpec) -> TimeControl:
    return TimeControl(seconds * SLACK + 5 if spec.text.startswith(CLASS) else seconds)


def _seated(player: str, played: Game, limits: Limits, conditions: Conditions, memory: Memory) -> PlayerSpec:
    if not is_class(player):
        return parse_player(player, played, conditions=conditions)
    spec = player if player.startswith(CLASS) else f"{CLASS}{player}"
    bot = bot_of(spec, conditions.folder or Path.cwd(), played.id)
    assert isinstance(bot, Command)
    if limits.seconds is not None:
        bot = replace(bot, words=(*bot.words, "--time", str(limits.seconds)))

    def make(_: Game, __: dict[str, Any], seed: int) -> Player:
        return OfficialPlayer(Pool(bot.seeded(seed), conditions), seed, memory)

    return PlayerSpec(spec, PlayerKind(spec, "a class", (), make), {}, is_program=True)
