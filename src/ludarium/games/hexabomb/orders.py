"""Orders as clients send them: a list of JSON values a player, of which each may be good, malformed, repeated or impossible."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, cast

from . import turn
from .brief import brief
from .tables import BOMB, DIRECTIONS, REVIVE, SHORTEST, STEPS, Tables

INT32 = 2**31
UINT32 = 2**32

MOVEMENTS = ("move", "bomb", "revive")


class MalformedOrder(Exception):
    """What is wrong with a JSON value that should be an order."""


class Order(NamedTuple):
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
        raise MalformedOrder(f"{name} is not a whole number of 32 bits: {brief(value)}")
    return value


def _text(fields: dict[str, Any], name: str) -> str:
    value = _value(fields, name)
    if not isinstance(value, str):
        raise MalformedOrder(f"{name} is not a string: {brief(value)}")
    return value


def order_number(width: int, order: Order) -> int:
    """The order as one number, see :mod:`.tables`; ``width`` is how many delays, and as many ranges, the player's bombs can have."""
    if order.kind != BOMB:
        return order.kind
    return BOMB + (order.delay - SHORTEST) * width + order.reach - SHORTEST


def why_not_tried(tables: Tables, player: int, character: int) -> str:
    """Why a player may not give orders to a character that does not exist or is another player's. Negative numbers are told as the original reads them."""
    if not 0 <= character < tables.characters:
        return f"Character id={character % UINT32} does not exist"
    colour = int(tables.owner[character]) + 1
    return f"Player with color={player + 1} cannot do actions on character (id={character}, color={colour})"


def why_not_carried_out(tables: Tables, order: Order, result: int, cell: int, revive_delay: int) -> str:
    """Why an order was rejected, from what :func:`.turn.attempt` answered.

    Args:
        cell: where the character stood (or lay) before the turn.
        revive_delay: the character's before the turn.
    """
    doing = "be moved" if order.kind < REVIVE else "be revived" if order.kind == REVIVE else "spawn a bomb"
    return f"Character id={order.character} cannot {doing} ({_reason(tables, order, result, cell, revive_delay)})"


def _reason(tables: Tables, order: Order, result: int, cell: int, revive_delay: int) -> str:
    if result == turn.NO_CELL:
        step = STEPS[order.kind - 1]
        return f"no cell at {{q={int(tables.q[cell]) + step[0]},r={int(tables.r[cell]) + step[1]}}}"
    return {
        turn.OF_THE_DEAD: "not alive",
        turn.NO_BOMB: "does not have any bomb",
        turn.ALREADY_BOMBED: "cell is already bombed",
        turn.BAD_DELAY: f"invalid bomb delay {order.delay % UINT32}",
        turn.BAD_RANGE: f"invalid bomb range {order.reach % UINT32}",
        turn.NO_REVIVAL: "game mode is sudden death",
        turn.OF_THE_LIVING: "already alive",
        turn.NOT_DEAD_LONG: f"revive delay is {revive_delay}",
    }[result]
