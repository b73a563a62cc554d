"""Orders that a player gives together: what the page is offered, and what comes back from it.

On the wire an order is its path of picks, ``["#3", "1,-2"]``, or null for doing nothing; orders are a list with one entry a slot.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from ludarium.core.game import Action, Game, State
from ludarium.errors import IllegalAction, ProtocolError

__all__ = ["Orders", "check_orders", "default_action", "gives_orders", "joined"]

Orders = tuple[tuple[str, ...] | None, ...]


def gives_orders(game: Game) -> bool:
    """Whether the page collects a player's orders and sends them together, instead of playing each action at once."""
    return game.slots > 1 or game.idle_order is not None


def check_orders(state: State, player: int, orders: Sequence[tuple[str, ...] | None]) -> Orders:
    """Orders as they may be kept until the player sends them or the clock runs out; they need not be complete.

    Raises:
        ProtocolError: ``bad_message``: not one entry a slot, or this game takes no orders.
        IllegalAction: one of them cannot be given.
    """
    game = state.game
    if not gives_orders(game):
        raise ProtocolError("bad_message", f"{game.title} takes one action a turn: send its text as 'action'")
    if len(orders) != game.slots:
        raise ProtocolError("bad_message", f"'orders' has an entry for each of {game.slots} slots, not {len(orders)}")
    for slot, picks in enumerate(orders):
        if picks is not None:
            game.picked_order(state, player, slot, picks)
    return tuple(orders)


def joined(state: State, player: int, orders: Sequence[tuple[str, ...] | None]) -> Action:
    """The action that consists of these orders.

    Raises:
        ProtocolError, IllegalAction: as :func:`check_orders`, or an order is missing that must be given.
    """
    game = state.game
    given: list[int] = []
    for slot, picks in enumerate(check_orders(state, player, orders)):
        if picks is not None:
            given.append(game.picked_order(state, player, slot, picks))
        elif game.idle_order is not None:
            given.append(game.idle_order)
        else:
            raise IllegalAction(f"an order is missing: {game.title} takes {game.slots} of them")
    return state.action(tuple(given) if game.slots > 1 else given[0], player)


def default_action(state: State, player: int, orders: Orders | None) -> Action | None:
    """What is played for a player who let the clock run out: the orders given so far, for the others nothing; where nothing is no order, what the game says.

    None: it says nothing.
    """
    game = state.game
    if game.idle_order is None:
        return game.overdue(state, player)
    return joined(state, player, orders or cast("Orders", (None,) * game.slots))
