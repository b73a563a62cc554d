"""What pages and terminals ask of a game besides drawings: how orders are picked and typed, what happens in a step, numbers to draw over time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, cast

from ludarium.errors import IllegalAction

from .rules import CHANCE

if TYPE_CHECKING:
    from rich.text import Text

    from .game import Action, Game, State

__all__ = ["Event", "OrderPath", "Presented"]

OrderPath = tuple[str | tuple[str, int, int], ...]
"""A path of picks that leads to an order. ``("delay", 2, 4)`` stands for any of the picks ``delay 2``, ``delay 3``, ``delay 4``."""


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happens when actions are carried out: a sentence for a log, and what a page needs to show it (a JSON object)."""

    text: str
    data: Mapping[str, Any]


class Presented:
    """Methods of every game that pages and terminals use, with what they answer unless a game knows better."""

    how_to_type: ClassVar[tuple[str, ...]] = ()
    """What somebody at a terminal has to know besides the rules: how the board is to be read, and words for orders; a short paragraph each."""

    page_keys: ClassVar[tuple[tuple[str, str], ...]] = ()
    """Keys that the game's own page module takes, and what each does. A page lists them in place of its own ways to choose."""

    idle_order: ClassVar[int | None] = None
    """The order that is to do nothing, legal at any time in every slot; None in games without one. Where there is one, or where a player
    gives several orders at once, a page collects orders and sends them together."""

    def order_paths(self, state: State, player: int, slot: int) -> tuple[OrderPath, ...]:
        """The paths of picks of a player's legal orders in a slot. The first pick of each tells the slot: ``#3``, character 3."""
        game = cast("Game", self)
        return tuple(game.picks(state, action) for action in state.actions(player, slot))

    def picked_order(self, state: State, player: int, slot: int, picks: Sequence[str]) -> int:
        """The legal order that a path of picks leads to.

        Raises:
            IllegalAction: there is none.
        """
        game = cast("Game", self)
        wanted = tuple(picks)
        for action in state.actions(player, slot):
            if game.picks(state, action) == wanted:
                return cast(int, action.index)
        raise IllegalAction(f"'{' '.join(wanted)[:80]}' is no order that can be given here")

    def pick_of(self, state: State, player: int, picks: Sequence[str], word: str) -> str:
        """The pick that a word typed at a terminal stands for after these picks: the word itself, unless a game has shorter names for some."""
        return word

    def order_words(self, state: State, player: int, slot: int, order: int) -> str:
        """One order as it is typed at a terminal: ``#3 bomb delay 3 range 2``."""
        from .game import Action

        game = cast("Game", self)
        return " ".join(game.picks(state, Action(order, game.order_text(state, player, slot, order))))

    def board_with_orders(self, state: State, player: int, action: Action, *, seat: int = 0) -> Text:
        """The drawing for terminals with what a player has chosen and not sent yet, where a game can show that."""
        return cast("Game", self).board(state, seat=seat)

    when_late: ClassVar[str] = "something is played for whoever has not acted"
    """What :meth:`overdue` plays, in words that follow "When the time is up,"."""

    def overdue(self, state: State, player: int) -> Action | None:
        """What is played for a player whose time is up; None: the player loses. ``state`` is what the player may know. Where there is an order that does
        nothing, that is given instead."""
        return None

    def step_text(self, state: State, actions: Mapping[int, Action]) -> str:
        """What a list of moves says of a step that was taken in a state: what each player chose, or how the dice fell."""
        return ", ".join(action.text for action in actions.values())

    def events(self, state: State, actions: Mapping[int, Action]) -> tuple[Event, ...]:
        """What happens, step by step, when these actions are played in a state (``{CHANCE: outcome}`` at dice): only what everybody may know."""
        return ()

    def secret(self, state: State, player: int) -> str:
        """What others read of an action (of chance, for ``CHANCE``) in a state as long as they may not know it."""
        names = cast("Game", self).player_names
        return "something is drawn in secret" if player == CHANCE else f"{names[player]} chooses in secret"

    def measures(self, state: State) -> Mapping[str, tuple[float, ...]]:
        """Numbers by player that are worth drawing over time: ``{"Score": (12, 7)}``. The same names in every state."""
        return {}

    has_figures: bool = False
    """Whether :meth:`figures` ever says something."""

    def figures(self, state: State) -> Mapping[str, float]:
        """Finite numbers about a state that hides nothing which take long to compute, by name: ``{"par": 6.2}``. Pages show them once they are known."""
        return {}
