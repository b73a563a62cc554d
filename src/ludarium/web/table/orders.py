"""Orders that a player gives together: what the page is offered, and what comes back from it.

On the wire an order is its path of picks, ``["#3", "1,-2"]``, or null for doing nothing; orders are a list with one entry a slot.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from ludarium.core import leaving
from ludarium.core.game import Action, State
from ludarium.errors import IllegalAction, ProtocolError

Orders = Annotated[tuple[Annotated[tuple[str, ...], Field(fail_fast=True)] | None, ...], Field(fail_fast=True)]


def chosen_orders(state: State, player: int, orders: Orders) -> list[int | None]:
    """The legal order of every slot, the idle one where none is given, None where there is no idle one; what is not sent yet need not be complete.

    Raises:
        ProtocolError: ``bad_message``: not one entry a slot, or this game takes no orders.
        IllegalAction: one of them cannot be given.
    """
    game = state.game
    if game.orders is None:
        raise ProtocolError("bad_message", f"{game.title} takes one action a turn: send its text as 'action'")
    if len(orders) != game.dimensions.slots:
        raise ProtocolError("bad_message", f"'orders' has an entry for each of {game.dimensions.slots} slots, not {len(orders)}")
    return [game.orders.idle if picks is None else game.orders.picked(state, player, slot, picks) for slot, picks in enumerate(orders)]


def joined(state: State, player: int, orders: Orders) -> Action:
    """The action that consists of these orders.

    Raises:
        ProtocolError, IllegalAction: as :func:`chosen_orders`, or an order is missing that must be given.
    """
    game = state.game
    chosen = chosen_orders(state, player, orders)
    given = tuple(order for order in chosen if order is not None)
    if len(given) < len(chosen):
        raise IllegalAction(f"an order is missing: {game.title} takes {game.dimensions.slots} of them")
    return state.action(given if game.dimensions.slots > 1 else given[0], player)


def default_action(state: State, player: int, orders: Orders | None) -> Action | None:
    """What is played for a player who let the clock run out: the orders given so far, for the others nothing; where nothing is no order, what the game says.

    None: it says nothing.
    """
    if orders is None or state.game.orders is None or state.game.orders.idle is None:
        return leaving.default_action(state, player)
    return joined(state, player, orders)
