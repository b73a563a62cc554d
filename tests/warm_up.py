"""Compiles what most tests need, one process a core: ``python -m tests.warm_up``. Otherwise their workers would all begin by compiling the same.

Tests need not be preceded by it. What is compiled already is only loaded, which takes two seconds.
"""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor

import ludarium
from ludarium.arena.play import seat_players
from ludarium.core.garbage import look_seldom
from ludarium.games.roboderby.game import RoboDerby
from ludarium.labs.roboderby.balance.counting import empty_counts
from ludarium.labs.roboderby.balance.simulation import play_game
from ludarium.web.compiling.warmup import all_parts, warm_up

BALANCE = "balance"


def compile_for(subject: str) -> None:
    """The parts of a game, or RoboDerby's balance, which counts what happens in compiled games."""
    if subject == BALANCE:
        game = RoboDerby()
        play_game(game, seat_players(game, ["greedy"] * game.players), 0, 0, empty_counts(game.tables.size), lambda: True)
    for part in all_parts():
        if part.game == subject:
            warm_up(part)


if __name__ == "__main__":
    look_seldom()
    with ProcessPoolExecutor() as pool:  # "roboderby" first: it takes longest
        list(pool.map(compile_for, [*sorted(ludarium.list_games(), reverse=True), BALANCE]))
