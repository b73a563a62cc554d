"""Results as they come from games, made without playing any."""

from __future__ import annotations

from collections.abc import Mapping

from ludarium.arena import GamePlan, GameResult


def made(
    number: int, seats: tuple[int, ...] = (0, 1), returns: tuple[float, ...] = (1.0, -1.0), forfeits: Mapping[int, str] | None = None
) -> GameResult:
    plan = GamePlan(number, number // len(seats), seats)
    return GameResult(
        plan,
        returns,
        "made up",
        forfeits or {},
        40,
        f"digest {number}",
        None,
        None,
        7 + number,
        f"position {number % 3}",
        100.0,
        101.5 + number,
    )
