"""Orders that have been given and not yet carried out, as a layer of a board's picture: arrows, bombs to be dropped, rings around who revives."""

from __future__ import annotations

from collections.abc import Callable
from math import hypot
from typing import Any

from ..tables import BOMB, NOTHING, REVIVE
from .colours import PAINTS

ORDER_RULES = (
    ".hb-o{fill:none;stroke:#fff;stroke:var(--hb-rim);stroke-width:4.4;stroke-linejoin:round;stroke-linecap:round}",
    ".hb-q{fill:none;stroke-width:2;stroke-linejoin:round;stroke-linecap:round}",
)
"""Rules of the style sheet: a rim that shows on every colour, and the order itself in its player's colour."""


def orders_svg(tables: Any, record: Any, middle: Callable[[Any, int], tuple[float, float]]) -> str:
    """All orders of a state in which the players have chosen; ``middle(tables, cell)`` says where a cell is."""
    if not record.waiting:
        return ""
    paths: dict[int, str] = {}
    bombs = ""
    for character in range(tables.characters):
        order = int(record.orders[character])
        if order != NOTHING:
            cell = int(record.position[character])
            look = int(tables.owner[character]) % len(PAINTS)
            if order >= BOMB:
                x, y = middle(tables, cell)
                bombs += f'<circle class="hb-b hb-e{look}" cx="{x + 4:g}" cy="{y + 4:g}" r="3.8"/>'
                bombs += f'<path class="hb-q hb-e{look}" d="M{x + 6:g} {y + 0.8:g}q1-2 2.8-1.4"/>'
            else:
                paths[look] = paths.get(look, "") + _path(tables, cell, order, middle)
    rims = "".join(f'<path class="hb-o" d="{path}"/>' for path in paths.values())
    return rims + "".join(f'<path class="hb-q hb-e{look}" d="{path}"/>' for look, path in paths.items()) + bombs


def _path(tables: Any, cell: int, order: int, middle: Callable[[Any, int], tuple[float, float]]) -> str:
    x, y = middle(tables, cell)
    if order == REVIVE:
        return f"M{x - 7:g} {y:g}a7 7 0 1 0 14 0a7 7 0 1 0-14 0"
    to_x, to_y = middle(tables, int(tables.neighbour[cell, order - 1]))
    length = hypot(to_x - x, to_y - y)
    across, down = (to_x - x) / length, (to_y - y) / length
    tip_x, tip_y = to_x - 3 * across, to_y - 3 * down
    wings = "".join(
        f"M{tip_x - 4 * across + side * down:.2f} {tip_y - 4 * down - side * across:.2f}L{tip_x:.2f} {tip_y:.2f}" for side in (3, -3)
    )
    return f"M{x + 6.6 * across:.2f} {y + 6.6 * down:.2f}L{tip_x:.2f} {tip_y:.2f}{wings}"
