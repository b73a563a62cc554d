"""Orders as clients send them: a list of JSON values a player, of which each may be good, malformed, repeated or impossible."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

from . import turn
from .tables import BOMB, DIRECTIONS, REVIVE, STEPS, Tables

__all__ = ["MalformedOrder", "Order", "read_order", "read_orders", "why_not_carried_out", "why_not_tried"]

INT32 = 2**31
UINT32 = 2**32

MOVEMENTS = ("move", "bomb", "revive")


class MalformedOrder(Exception):
    """What is wrong with a JSON value that should be an order."""


@dataclass(frozen=True, slots=True)
class Order:
    """A well-formed order: the character's id, what to do (a move, REVIVE or BOMB, see :mod:`.tables`), and a bomb's delay and range."""

    character: int
    kind: int
    delay: int = 0
    reach: int = 0


def read_orders(actions: Sequence[Any], reject: Callable[[str], None]) -> Iterator[Order]:
    """The well-formed orders of one player's message, the first of each character; ``reject`` is told about the others."""
    seen: set[int] = set()
    for action in actions:
        try:
            order = read_order(action)
        except MalformedOrder as problem:
            reject(str(problem))
            continue
        if order.character in seen:
            reject(f"Several actions for id={order.character % UINT32}")
            continue
        seen.add(order.character)
        yield order


def read_order(action: Any) -> Order:
    """One order. Bounds of delays and ranges are not part of its form, other fields are not looked at.

    Raises:
        MalformedOrder: a field is missing or of another type, or names no movement or direction.
    """
    if not isinstance(action, dict):
        raise MalformedOrder("CharacterActions value is not an object")
    fields = cast("dict[str, Any]", action)
    character = _whole(fields, "id")
    movement = _text(fields, "movement")
    if movement not in MOVEMENTS:
        raise MalformedOrder(f"CharacterMovement does not have a member named '{movement}'")
    if movement == "revive":
        return Order(character, REVIVE)
    if movement == "move":
        direction = _text(fields, "direction")
        if direction not in DIRECTIONS:
            raise MalformedOrder(f"Cannot read direction='{direction}'")
        return Order(character, 1 + DIRECTIONS.index(direction))
    return Order(character, BOMB, _whole(fields, "bomb_delay"), _whole(fields, "bomb_range"))


def _value(fields: dict[str, Any], name: str) -> Any:
    if name not in fields:
        raise MalformedOrder(f"Key not found: {name}")
    return fields[name]


def _whole(fields: dict[str, Any], name: str) -> int:
    """A field that must be a JSON integer of 32 bits: neither ``true`` nor ``2.0`` is one."""
    value = _value(fields, name)
    if isinstance(value, bool) or not isinstance(value, int) or not -INT32 <= value < INT32:
        raise MalformedOrder(f"{name} is not a whole number of 32 bits: {json.dumps(value)[:40]}")
    return value


def _text(fields: dict[str, Any], name: str) -> str:
    value = _value(fields, name)
    if not isinstance(value, str):
        raise MalformedOrder(f"{name} is not a string: {json.dumps(value)[:40]}")
    return value


def why_not_tried(tables: Tables, player: int, character: int) -> str | None:
    """Why a player may not give a character orders; None if it may. Negative numbers are read as the original does, without their sign."""
    if not 0 <= character < tables.characters:
        return f"Character id={character % UINT32} does not exist"
    if int(tables.owner[character]) != player:
        colour = int(tables.owner[character]) + 1
        return f"Player with color={player + 1} cannot do actions on character (id={character}, color={colour})"
    return None


def why_not_carried_out(tables: Tables, order: Order, result: int, cell: int, revive_delay: int) -> str | None:
    """Why an order was rejected, from what :func:`.turn.attempt` answered; None if it was carried out or only blocked.

    Args:
        cell: where the character stood (or lay) before the turn.
        revive_delay: the character's before the turn.
    """
    if result in (turn.DONE, turn.BLOCKED):
        return None
    doing = "be moved" if order.kind < REVIVE else "be revived" if order.kind == REVIVE else "spawn a bomb"
    reason = {
        turn.OF_THE_DEAD: "not alive",
        turn.NO_CELL: f"no cell at {_beyond(tables, cell, order.kind)}",
        turn.NO_BOMB: "does not have any bomb",
        turn.ALREADY_BOMBED: "cell is already bombed",
        turn.BAD_DELAY: f"invalid bomb delay {order.delay % UINT32}",
        turn.BAD_RANGE: f"invalid bomb range {order.reach % UINT32}",
        turn.NO_REVIVAL: "game mode is sudden death",
        turn.OF_THE_LIVING: "already alive",
        turn.NOT_DEAD_LONG: f"revive delay is {revive_delay}",
    }[result]
    return f"Character id={order.character} cannot {doing} ({reason})"


def _beyond(tables: Tables, cell: int, kind: int) -> str:
    """The place that a move would have led to."""
    step = STEPS[kind - 1] if 1 <= kind < REVIVE else (0, 0)
    return f"{{q={int(tables.q[cell]) + step[0]},r={int(tables.r[cell]) + step[1]}}}"
