"""What sits at a board: the interface of all players."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from ludarium.core.game import Action, Game, State
from ludarium.core.options import Option
from ludarium.core.sight import Sight
from ludarium.search import never

__all__ = ["Player", "PlayerKind", "TimeLeft", "first_legal", "never"]


@dataclass(frozen=True, slots=True)
class TimeLeft:
    """What a player's clock shows when it is asked."""

    seconds: float
    """What it has for this action at most."""
    increment: float
    """What it gets for the rest of the game when it has acted; 0 where every action has the same time."""
    is_per_action: bool
    """Whether the time is for this action alone, not for the rest of the game."""
    patience: float
    """Seconds that whoever asks waits for the answer."""

    def as_json(self) -> dict[str, Any]:
        """As programs are told."""
        return {"left": round(self.seconds, 3), "increment": self.increment, "per": "action" if self.is_per_action else "game"}


class Player(ABC):
    """Chooses actions in one game. A player is made anew for every game, with a seed; equal seeds give equal games.

    Whoever plays a game calls :meth:`sit` once, then :meth:`prepare` and :meth:`choose` for every action, and :meth:`close`.
    """

    sees_clock: ClassVar[bool] = False
    """Whether it looks at its clock itself. Others are told that they are interrupted when they have thought long enough."""

    grown: float = 0.0
    """Megabytes by which its virtual memory has grown in this game, where it tells."""

    def sit(self, sight: Sight, log: Path | None = None) -> None:
        """The game begins.

        Args:
            sight: the course as this player may know it, which goes on growing.
            log: a file for whatever a program writes besides its answers.

        Raises:
            PlayerFailed: the player cannot play.
        """

    def prepare(self, state: State, player: int, time_left: TimeLeft | None = None) -> None:
        """The same choice will be asked next. What is done now takes none of the player's time; ``time_left`` is None where no clock runs."""

    @abstractmethod
    def choose(self, state: State, player: int, interrupted: Callable[[], bool] = never) -> Action:
        """A legal action for a player who is to move.

        A long thought asks ``interrupted()`` every few hundredths of a second and answers with the best action so far once it is true. Where players of
        many games share the processor, the answer comes when it is this one's turn again.
        """

    def cpu_seconds(self) -> float:
        """Processor time that the player has used so far, from an arbitrary beginning on."""
        return time.process_time()

    def close(self) -> None:
        """Give back what the player holds (a process, a connection). Called once, when its game is over or abandoned."""


@dataclass(frozen=True)
class PlayerKind:
    """A kind of player: its name, what it is in one sentence, its options, and how one is made (game, checked options, seed)."""

    name: str
    summary: str
    options: tuple[Option, ...]
    make: Callable[[Game, dict[str, Any], int], Player]
    unnamed: str | None = None
    """The option whose value may be given first, without its name."""


def first_legal(state: State, player: int) -> Action:
    """An action for whoever has chosen none."""
    orders = [state.legal(player, slot)[0] for slot in range(state.game.dimensions.slots)]
    return state.action(tuple(orders) if len(orders) > 1 else orders[0], player)
