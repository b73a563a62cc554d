"""The terms on which a game's own competitions are held."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ludarium.core.registry import game_module
from ludarium.errors import BadOption

from .programs import Allowance


@dataclass(frozen=True)
class OfficialTerms:
    """``OFFICIAL`` in a game's ``players.py``: the options that the game is played with, and what its players may take."""

    options: Mapping[str, str | int]
    seconds: float
    """Processor time of each player for a game."""
    megabytes: float
    """See :class:`.programs.Allowance`."""

    @property
    def allowance(self) -> Allowance:
        return Allowance(self.seconds, self.megabytes)

    def options_with(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Given options, and these besides.

        Raises:
            BadOption: a given one says something else.
        """
        for name, value in self.options.items():
            if str(given.get(name, value)) != str(value):
                raise BadOption(f"officially the game is played with {name}={value}, not with {name}={given[name]}")
        return {**given, **self.options}


def official_terms(id: str) -> OfficialTerms:
    """The terms of a game.

    Raises:
        BadOption: no such game, or it has none.
    """
    found: OfficialTerms | None = getattr(game_module(id, "players"), "OFFICIAL", None)
    if found is None:
        raise BadOption(f"{id} has no official terms")
    return found
