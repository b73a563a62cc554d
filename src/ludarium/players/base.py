"""What sits at a board: the interface of all players."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ludarium.core.game import Action, Game, State
from ludarium.core.options import Option
from ludarium.search import never

__all__ = ["Player", "PlayerKind", "never"]


class Player(ABC):
    """Chooses actions in one game. A player is made anew for every game, with a seed; equal seeds give equal games."""

    @abstractmethod
    def choose(self, state: State, player: int, interrupted: Callable[[], bool] = never) -> Action:
        """A legal action for a player who is to move.

        A long thought asks ``interrupted()`` every few hundredths of a second and answers with the best action so far once it is true. Where players of
        many games share the processor, the answer comes when it is this one's turn again.
        """

    def close(self) -> None:
        """Give back what the player holds (a process, a connection). Called once, when its game is over or abandoned."""


@dataclass(frozen=True)
class PlayerKind:
    """A kind of player: its name, what it is in one sentence, its options, and how one is made (game, checked options, seed)."""

    name: str
    summary: str
    options: tuple[Option, ...]
    make: Callable[[Game, dict[str, Any], int], Player]
