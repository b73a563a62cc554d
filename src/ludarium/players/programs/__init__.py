"""Programs of any language as players. ``docs/bots.md`` says how they talk with the judge."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from ludarium.core.game import Game
from ludarium.players.base import Player, PlayerKind

from .commands import Command, command_of, is_program
from .conditions import USUAL, Conditions
from .player import ProgramPlayer
from .pool import Pool
from .sandbox import Choice, why_none

__all__ = ["USUAL", "Choice", "Conditions", "is_program", "program_kind", "why_none"]


def program_kind(text: str, conditions: Conditions) -> PlayerKind:
    """The kind of players that a program's spec names.

    Raises:
        BadNotation, BadOption: as :func:`.commands.command_of`.
    """
    return PlayerKind(text, "a program", (), partial(_make, command_of(text, conditions.folder or Path.cwd()), conditions))


def _make(command: Command, conditions: Conditions, game: Game, options: dict[str, Any], seed: int) -> Player:
    return ProgramPlayer(Pool(command, conditions), seed)
