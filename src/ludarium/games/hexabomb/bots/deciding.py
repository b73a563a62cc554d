"""The entry points of the players that do not search."""

from __future__ import annotations

from typing import Any

from ludarium.core.jit import kernel, subroutine
from ludarium.core.rules import copy_state

from .hunting import hunter_orders
from .team import team_orders

__all__ = ["EVERYBODY", "decide", "orders_of"]

EVERYBODY = -1
"""The player number that asks :func:`decide` for orders of all."""


@subroutine
def orders_of(tables: Any, state: Any, view: Any, player: Any, bombs: Any, scratch: Any, generator: Any) -> None:
    """Write orders for all of a player's characters into ``scratch.orders``, the special player's if it is that one. ``view`` is a state to work in."""
    copy_state(tables, state, view)
    if tables.special == 1 and player == 0:
        hunter_orders(tables, view, scratch, generator)
    else:
        team_orders(tables, view, player, bombs, scratch, generator)


@kernel()
def decide(tables: Any, states: Any, views: Any, player: Any, bombs: Any, scratch: Any, generator: Any) -> None:
    """:func:`orders_of` for ``states[0]``, of a player or of EVERYBODY; ``views[0]`` is overwritten."""
    for one in range(tables.players):
        if player in (one, EVERYBODY):
            orders_of(tables, states[0], views[0], one, bombs, scratch, generator)
