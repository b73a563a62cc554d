"""The entry points of the players that do not search."""

from __future__ import annotations

from typing import Any

from ludarium.core.jit import kernel
from ludarium.core.rules import copy_state

from .hunting import hunter_orders
from .team import team_orders

EVERYBODY = -1
"""The player number that asks :func:`decide` for orders of all."""


@kernel()
def decide(tables: Any, states: Any, views: Any, player: Any, bombs: Any, scratch: Any, generator: Any) -> None:
    """Write orders for all characters of a player, or of EVERYBODY, in ``states[0]`` into ``scratch.orders``; ``views[0]`` is overwritten."""
    for one in range(tables.players):
        if player not in (one, EVERYBODY):
            continue
        copy_state(tables, states[0], views[0])
        if tables.special == 1 and one == 0:
            hunter_orders(tables, views[0], scratch, generator)
        else:
            team_orders(tables, views[0], one, bombs, scratch, generator)
