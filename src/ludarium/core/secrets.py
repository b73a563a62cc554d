"""What a game keeps from its players while it runs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from enum import IntEnum

from .rules import CHANCE
from .state import Action, State


class Seen(IntEnum):
    """What somebody may know of a choice or of how the dice fell."""

    NOTHING = 0
    """Not even that it happened: for who sees this, it does not count among the steps of the game."""
    HAPPENED = 1
    """That it happened and whose it was."""
    ALL = 2


class Secrets(ABC):
    """What a game says of its hidden things. What is hidden in a *position* its rules say (``conceal``, ``resample_hidden``); this is about *actions*.

    All of it is over when the game is: then everybody may know everything.
    """

    independent: bool = False
    """Whether some of those who are to move may act before the others do, in any order with the same result: nobody sees what the others do."""

    @abstractmethod
    def seen(self, then: State, player: int, action: Action, viewer: int | None, now: State) -> Seen:
        """What ``viewer`` (None: somebody who only watches) may know in the running game's latest state ``now`` of what ``player`` (or ``CHANCE``) chose
        in the earlier state ``then``.

        The house asks about every step anew until all of it is open, so that what was secret opens when ``now`` says so: at a showdown, when screens are
        lifted. It never closes again. A player's own choices are open to that player without being asked for. Where the answer is ``NOTHING``, the step
        changes nothing in what the viewer may know of the position.
        """

    def words(self, then: State, player: int) -> str:
        """What a list of moves says where only is known that something happened; ``then`` is the position as the reader may know it."""
        return "something is drawn in secret" if player == CHANCE else f"{then.game.player_names[player]} chooses in secret"
