"""Games in which a player gives several orders at once, and how those are picked, typed and drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, cast

from ludarium.errors import IllegalAction

from .state import Action, State

if TYPE_CHECKING:
    from rich.text import Text

OrderPath = tuple[str | tuple[str, int, int], ...]
"""A path of picks that leads to an order. ``("delay", 2, 4)`` stands for any of the picks ``delay 2``, ``delay 3``, ``delay 4``."""


class Orders:
    """What a game says of its players' orders, one a slot. A page or a terminal collects them and sends them together.

    Everything has an answer by default: an order is written, picked and typed like an action.
    """

    idle: ClassVar[int | None] = None
    """The order that is to do nothing, legal at any time in every slot; None in games without one."""

    def text(self, state: State, player: int, slot: int, order: int) -> str:
        """The notation of one order."""
        return state.game.action_text(state, player, order)

    def paths(self, state: State, player: int, slot: int) -> tuple[OrderPath, ...]:
        """The paths of picks of a player's legal orders in a slot. The first pick of each tells the slot: ``#3``, character 3."""
        return tuple(state.game.picks(state, action) for action in state.actions(player, slot))

    def picked(self, state: State, player: int, slot: int, picks: Sequence[str]) -> int:
        """The legal order that a path of picks leads to.

        Raises:
            IllegalAction: there is none.
        """
        wanted = tuple(picks)
        for action in state.actions(player, slot):
            if state.game.picks(state, action) == wanted:
                return cast(int, action.index)
        raise IllegalAction(f"'{' '.join(wanted)[:80]}' is no order that can be given here")

    def pick_of(self, state: State, player: int, picks: Sequence[str], word: str) -> str:
        """The pick that a word typed at a terminal stands for after these picks: the word itself, unless a game has shorter names for some."""
        return word

    def words(self, state: State, player: int, slot: int, order: int) -> str:
        """One order as it is typed at a terminal: ``#3 bomb delay 3 range 2``."""
        return " ".join(state.game.picks(state, Action(order, self.text(state, player, slot, order))))

    def board(self, state: State, player: int, action: Action, *, seat: int = 0) -> Text:
        """Return the drawing for terminals with what a player has chosen and not sent yet. Lists that do not change with it are left out."""
        return state.game.board(state, seat=seat)
