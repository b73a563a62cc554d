"""How large a game is: what arrays and loops over any game are made by."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Dimensions:
    """Who plays a game with its options chosen, and how much there is to choose."""

    player_names: tuple[str, ...]
    """One name a player, in order of their numbers."""
    max_actions: int
    """The most legal actions that one player can have in one slot."""
    action_space: int
    """Every action's index is below this."""
    observation_shape: tuple[int, ...]
    max_outcomes: int = 0
    """The most outcomes that a chance node can have; 0: no chance in this game."""
    slots: int = 1
    """How many orders a player gives at once."""
