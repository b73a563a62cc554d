"""The contracts that every game keeps, for authors of games: Ludarium's own games are held to the same.

>>> import ludarium
>>> from ludarium.testing import check_game
>>> check_game(ludarium.game("tic-tac-toe"))

For pytest see :mod:`ludarium.testing.plugin`.
"""

from __future__ import annotations

from collections.abc import Iterable

from ludarium.core.game import Game

from . import choices, drawing, facts, notation, rules, secrets, twins
from .contracts import Broken, Contract, Played

__all__ = ["CONTRACTS", "SEEDS", "Broken", "Contract", "check_game", "contracts_of"]

CONTRACTS: tuple[Contract, ...] = tuple(
    one for room in (facts, rules, choices, notation, drawing, secrets, twins) for one in vars(room).values() if isinstance(one, Contract)
)
"""All of them; "Write a game" in the documentation has them in a table."""

SEEDS = (0, 1, 2)
"""The seeds of the random games that checks look at, if nothing else is said."""


def contracts_of(game: Game) -> tuple[Contract, ...]:
    """Those that concern a game: some are only for games with secrets, with orders, or with players who act independently."""
    return tuple(one for one in CONTRACTS if one.concerns(game))


def check_game(game: Game, seeds: Iterable[int] = SEEDS) -> None:
    """Check all contracts that concern a game, in random games of these seeds.

    Raises:
        ExceptionGroup: of a :class:`Broken` (an AssertionError) for each contract that the game does not keep.
    """
    played = Played(game, tuple(seeds))
    broken: list[Broken] = []
    for one in contracts_of(game):
        try:
            one.check(played)
        except Broken as problem:
            broken.append(problem)
    if broken:
        raise ExceptionGroup(f"{game!r} breaks {len(broken)} of {len(contracts_of(game))} contracts", broken)
