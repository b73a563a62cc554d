"""What locked registers cost, in turns. The figures are means over places of the stand-in boards, of what locked dice take from the best turn."""

from __future__ import annotations

from typing import Any

from ludarium.core.jit import compiled

ONE_LOCK, TWO_LOCKS, THREE_LOCKS, FOUR_LOCKS = 0.3, 0.6, 1.0, 1.6
"""Turns that are lost in each turn. With all four registers locked a robot is a machine that does the same each turn."""

PER_HEALTH = 0.05
"""Turns that each lost health is worth besides: what may still come."""


@compiled
def lock_cost(health: Any) -> Any:
    """Turns lost in each turn with this health."""
    if health > 4:
        return 0.0
    if health == 4:
        return ONE_LOCK
    return TWO_LOCKS if health == 3 else THREE_LOCKS if health == 2 else FOUR_LOCKS


@compiled
def damage_cost(health: Any, turns: Any) -> Any:
    """What damage costs a robot that has so many turns before it, if it repairs itself where that is cheaper than to live with it."""
    repaired = health + 2
    with_one = 1.0 + lock_cost(repaired) * turns
    with_two = 2.0 + lock_cost(repaired + 2) * turns
    return min(lock_cost(health) * turns, with_one, with_two) + PER_HEALTH * (6 - health) * min(1.0, turns / 3.0)
