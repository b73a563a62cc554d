"""The contracts as tests for pytest: two lines in a file of tests.

::

    from ludarium.testing.plugin import conformance
    test_my_game = conformance("my-game")

This is imported, and no plug-in that pytest finds by itself: in a package that has one, pytest rewrites every module that has assertions, rules too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest

from ludarium.core.game import Game
from ludarium.core.registry import game as game_of

from . import SEEDS, Contract, Played, contracts_of

__all__ = ["conformance"]


def conformance(*games: Game | str, seeds: Iterable[int] = SEEDS) -> Callable[[Played, Contract], None]:
    """A test function with a case a game and contract. Games are given as they are, or, with their default options, by their ids."""
    all_played = [Played(game_of(game) if isinstance(game, str) else game, tuple(seeds)) for game in games]
    cases = [
        pytest.param(played, contract, id=f"{played.game.id}-{contract.name}")
        for played in all_played
        for contract in contracts_of(played.game)
    ]

    @pytest.mark.parametrize(("played", "contract"), cases)
    def test(played: Played, contract: Contract) -> None:
        contract.check(played)

    return test
