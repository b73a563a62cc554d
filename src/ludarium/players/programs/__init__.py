"""Programs of any language as players. ``docs/bots.md`` says how they talk with the judge."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from ludarium.core.game import Game
from ludarium.players.base import Player, PlayerKind

from .bots import Bot, bot_of, check_reachable, is_address, is_bot
from .commands import is_program
from .conditions import USUAL, Conditions
from .player import ProgramPlayer
from .pool import Pool
from .sandbox import Choice, why_none

__all__ = ["USUAL", "Choice", "Conditions", "check_reachable", "is_address", "is_bot", "is_program", "program_kind", "why_none"]


def program_kind(text: str, conditions: Conditions) -> PlayerKind:
    """The kind of players that a bot's spec names.

    Raises:
        BadNotation, BadOption: as :func:`.bots.bot_of`.
    """
    return PlayerKind(text, "a program", (), partial(_make, bot_of(text, conditions.folder or Path.cwd()), conditions))


def _make(bot: Bot, conditions: Conditions, game: Game, options: dict[str, Any], seed: int) -> Player:
    return ProgramPlayer(Pool(bot, conditions), seed)
