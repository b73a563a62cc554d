"""One game on the course's terms."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from ludarium.arena import Terms, TimeControl, play_game
from ludarium.core.registry import game
from ludarium.core.timeline import Event, Timeline
from ludarium.games.expendibots.players import OFFICIAL
from ludarium.players import HUMAN, never, player_kinds
from ludarium.players.programs import Allowance, Conditions, is_address
from ludarium.players.programs.commands import CLASS, COMMAND


def referee(
    players: Sequence[str],
    allowance: Allowance,
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
    played = game("expendibots", **OFFICIAL.options)
    time = () if allowance.seconds is None else (TimeControl(allowance.seconds),) * played.players
    return play_game(
        played,
        [spec_of(player) for player in players],
        seed=seed,
        record=record,
        terms=Terms(time, by_cpu=True, programs=replace(conditions, allowance=allowance)),
        listeners=listeners,
        on_begin=on_begin,
        interrupted=interrupted,
    )


def spec_of(player: str) -> str:
    """Return the spec of a player: a word that is neither a built-in player nor another bot's spec names a class."""
    name = player.partition(":")[0]
    is_spec = name in (*player_kinds(game("expendibots")), HUMAN) or player.startswith((COMMAND, CLASS)) or is_address(player)
    return player if is_spec else f"{CLASS}{player}"
