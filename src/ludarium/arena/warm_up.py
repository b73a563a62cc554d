"""Players choose before their first game, so that nobody compiles or loads machine code at the expense of a clock."""

from __future__ import annotations

from collections.abc import Sequence

from ludarium.core.game import Game, State
from ludarium.players import Player

from .play import ask, play_game

SEAT, TURNS = 0, 12
"""Whose turns are taken, and how many of them."""


def first_turns(game: Game, start: State | None = None) -> list[State]:
    """Positions of the beginning of a game, which may have phases of different kinds."""
    steps = play_game(game, ["random"] * game.players, start=start, seed=0).steps
    return [step.state for step in steps if SEAT in step.state.to_move][:TURNS]


def warm_up(player: Player, turns: Sequence[State]) -> None:
    """Have a built-in player choose at each turn, in no time.

    Raises:
        PlayerFailed: it raised an exception, or what it answered is not legal.
    """
    for state in turns:
        ask(player, state, SEAT, lambda: True)
