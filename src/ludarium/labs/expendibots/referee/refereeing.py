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
        [f"{CLASS}{player}" if is_class(player) and not player.startswith(CLASS) else player for player in players],
        seed=seed,
        record=record,
        terms=Terms(time, by_cpu=True, programs=replace(conditions, allowance=allowance)),
        listeners=listeners,
        on_begin=on_begin,
        interrupted=interrupted,
    )


def is_class(player: str) -> bool:
    """Whether a player's word names a class, and no built-in player or other bot."""
    name = player.partition(":")[0]
    return name not in (*player_kinds(game("expendibots")), HUMAN) and not player.startswith(COMMAND) and not is_address(player)
