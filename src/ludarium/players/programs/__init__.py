"""Programs of any language as players. ``docs/bots.md`` says how they talk with the judge."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludarium.core.game import Game
from ludarium.errors import BadOption, PlayerFailed
from ludarium.players.base import Player, PlayerKind

from .bots import Bot, bot_of, check_reachable, is_address, is_bot
from .commands import Command, is_class, is_program
from .conditions import UNLIMITED, USUAL, Allowance, Conditions
from .messages import Wishes
from .player import ProgramPlayer
from .pool import Pool, link_to
from .program import Program
from .sandbox import Choice, protection

__all__ = [
    "UNLIMITED",
    "USUAL",
    "Allowance",
    "Choice",
    "Conditions",
    "check_reachable",
    "is_address",
    "is_bot",
    "is_class",
    "is_program",
    "program_kind",
    "protection_of",
    "try_to_start",
]


def program_kind(text: str, conditions: Conditions, game: str) -> tuple[PlayerKind, str]:
    """Return the kind of players that a bot's spec names for a game, and the target of its symbolic link or ''.

    Raises:
        BadNotation, BadOption: as :func:`.bots.bot_of`.
    """
    bot = _bot(text, conditions, game)
    return PlayerKind(text, "a program", (), _MakeProgram(bot, conditions)), bot.target if isinstance(bot, Command) else ""


def try_to_start(text: str, conditions: Conditions, game: str) -> Wishes:
    """Start a program, have it greet, and end it. Says what it has answered.

    Raises:
        BadOption: it does not start, or does not greet.
    """
    try:
        program = Program(link_to(_bot(text, conditions, game), conditions))
    except PlayerFailed as problem:
        raise BadOption(f"player {text} does not start: {str(problem).removeprefix('crash: ').removeprefix('timeout: ')}") from None
    program.end()
    return program.wishes


def protection_of(text: str, conditions: Conditions, game: str) -> tuple[str, str]:
    """Return how the program of a spec is confined, and the reason if it runs as root ('' otherwise).

    Raises:
        BadNotation, BadOption: as :func:`.bots.bot_of`; a sandbox is required, and there is none.
    """
    bot = _bot(text, conditions, game)
    assert isinstance(bot, Command)
    return protection(bot, conditions.sandbox)


def _bot(text: str, conditions: Conditions, game: str) -> Bot:
    if sys.platform != "linux" and not is_address(text):
        raise BadOption(
            f"player {text}: programs play on Linux only, not on {sys.platform}; use a container, or the address of one that runs elsewhere"
        )
    return bot_of(text, conditions.folder or Path.cwd(), game, conditions.allowance.seconds)


@dataclass(frozen=True)
class _MakeProgram:
    """The ``make`` of a kind of player that is a program, equal for equal programs."""

    bot: Bot
    conditions: Conditions

    def __call__(self, game: Game, options: dict[str, Any], seed: int) -> Player:
        bot = self.bot
        return ProgramPlayer(Pool(bot.seeded(seed) if isinstance(bot, Command) else bot, self.conditions), seed)
