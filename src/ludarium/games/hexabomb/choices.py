"""How orders are picked on a page: ``#3`` and ``1,-2`` (a move), ``#3``, ``bomb``, ``delay 3``, ``range 2``, or ``#3``, ``revive``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ludarium.core.presenting import OrderPath
from ludarium.errors import IllegalAction

from .notation.messages import NO_MOVEMENT
from .tables import ALIVE, BOMB, NOTHING, REVIVE, SHORTEST, Tables

__all__ = ["order_paths", "picked_order"]


def order_paths(tables: Tables, record: Any, player: int, slot: int) -> tuple[OrderPath, ...]:
    """All that one character may do, doing nothing first; none for a slot without a character."""
    character = int(tables.first[player]) + slot
    if character >= int(tables.first[player + 1]):
        return ()
    name = f"#{character}"
    paths: list[OrderPath] = [(name, NO_MOVEMENT)]
    cell = int(record.position[character])
    delay = int(record.revive_delay[character])
    if delay != ALIVE:
        return (*paths, (name, "revive")) if delay == 0 and not tables.special else tuple(paths)
    paths += [(name, _place(tables, int(target))) for target in tables.neighbour[cell] if target >= 0]
    if record.bomb_count[character] and not record.bomb_here[cell]:
        longest = SHORTEST + int(tables.width[player]) - 1
        paths.append((name, "bomb", ("delay", SHORTEST, longest), ("range", SHORTEST, longest)))
    return tuple(paths)


def picked_order(tables: Tables, record: Any, player: int, slot: int, picks: Sequence[str]) -> int:
    """The order that a path leads to.

    Raises:
        IllegalAction: it is none of :func:`order_paths`.
    """
    if not any(_leads(path, picks) for path in order_paths(tables, record, player, slot)):
        raise IllegalAction(f"'{' '.join(picks)[:80]}' is no order that can be given here")
    if picks[1] == NO_MOVEMENT:
        return NOTHING
    if picks[1] == "revive":
        return REVIVE
    if picks[1] == "bomb":
        delay, reach = (int(pick.rpartition(" ")[2]) - SHORTEST for pick in picks[2:])
        return BOMB + delay * int(tables.width[player]) + reach
    around = tables.neighbour[int(record.position[int(tables.first[player]) + slot])]
    return 1 + [target >= 0 and _place(tables, int(target)) == picks[1] for target in around].index(True)


def _place(tables: Tables, cell: int) -> str:
    return f"{tables.q[cell]},{tables.r[cell]}"


def _leads(path: OrderPath, picks: Sequence[str]) -> bool:
    return len(path) == len(picks) and all(
        step == pick if isinstance(step, str) else _is_number(pick, *step) for step, pick in zip(path, picks, strict=True)
    )


def _is_number(pick: str, word: str, lowest: int, highest: int) -> bool:
    found = re.fullmatch(r"(\w+) ([1-9][0-9]{0,4})", pick)
    return found is not None and found[1] == word and lowest <= int(found[2]) <= highest
