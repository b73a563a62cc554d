"""Text for hexabomb: the original's JSON for orders and states."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from ludarium.core.game import Action
from ludarium.errors import BadNotation, IllegalAction

from ..brief import brief
from ..orders import MalformedOrder, Order, order_number, read_order
from ..tables import BOMB, DIRECTIONS, NOTHING, REVIVE, SHORTEST, Tables

NO_MOVEMENT = "none"
"""The movement of an order to do nothing. The original knows no such order: a character without orders does nothing."""


def order_text(tables: Tables, player: int, slot: int, order: int) -> str:
    """One order as JSON, as clients send it; a character that does nothing has the movement ``none``.

    A slot without a character (of a player who has fewer than another one) gives that order to the player's first one, which changes nothing.
    """
    first, end = int(tables.first[player]), int(tables.first[player + 1])
    return _compact({"id": first + slot if first + slot < end else first} | _content(tables, player, order))


def message_text(tables: Tables, player: int, orders: Sequence[int]) -> str:
    """The orders of all of a player's characters as a JSON list; those that do nothing are left out."""
    first = int(tables.first[player])
    return _compact([{"id": first + slot} | _content(tables, player, order) for slot, order in enumerate(orders) if order != NOTHING])


def order_objects(action: Action) -> list[dict[str, Any]]:
    """An action's orders as the JSON objects of its text."""
    given = json.loads(action.text)
    return cast("list[dict[str, Any]]", given) if isinstance(given, list) else [given]


def sent_orders(action: Action) -> list[dict[str, Any]]:
    """The same as clients send it: without orders to do nothing."""
    return [order for order in order_objects(action) if order["movement"] != NO_MOVEMENT]


_compact = json.JSONEncoder(separators=(",", ":")).encode
"""JSON without spaces; an encoder is made once, as thousands of texts may be asked for at a time."""


def _content(tables: Tables, player: int, order: int) -> dict[str, Any]:
    if order == NOTHING:
        return {"movement": NO_MOVEMENT}
    if order == REVIVE:
        return {"movement": "revive"}
    if order < REVIVE:
        return {"movement": "move", "direction": DIRECTIONS[order - 1]}
    delay, reach = divmod(order - BOMB, int(tables.width[player]))
    return {"movement": "bomb", "bomb_delay": SHORTEST + delay, "bomb_range": SHORTEST + reach}


def read_message(tables: Tables, player: int, slots: int, text: str) -> tuple[int, ...]:
    """A player's orders, one a slot, from a JSON list of orders (or one order); characters that are not named do nothing.

    Raises:
        BadNotation: no such list, an order that is malformed or out of bounds, or two for one character.
        IllegalAction: an order for another player's character.
    """
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise BadNotation(
            f"'{text.strip()[:40]}' is no JSON; write orders such as "
            '[{"id":0,"movement":"move","direction":"x+"},{"id":1,"movement":"bomb","bomb_delay":3,"bomb_range":2},{"id":2,"movement":"revive"}]'
        ) from None
    return orders_of(tables, player, slots, [value] if isinstance(value, dict) else value)


def orders_of(tables: Tables, player: int, slots: int, value: Any) -> tuple[int, ...]:
    """The same from a JSON value.

    Raises:
        BadNotation, IllegalAction: as :func:`read_message`.
    """
    if not isinstance(value, list):
        raise BadNotation(f"{brief(value)} is no list of orders")
    first, end = int(tables.first[player]), int(tables.first[player + 1])
    orders = [NOTHING] * slots
    named: set[int] = set()
    for fields in cast("list[Any]", value):
        order = _read(fields)
        if not 0 <= order.character < tables.characters:
            raise BadNotation(f"there is no character {order.character}; characters are 0 to {tables.characters - 1}")
        if not first <= order.character < end:
            own = f"{first}" if end - first == 1 else f"{first} to {end - 1}"
            raise IllegalAction(f"character {order.character} is another player's; this player has {own}")
        if order.character in named:
            raise BadNotation(f"two orders for character {order.character}; each gets one")
        named.add(order.character)
        orders[order.character - first] = _number(tables, player, order)
    return tuple(orders)


def _read(fields: Any) -> Order:
    idle = isinstance(fields, dict) and cast("dict[str, Any]", fields).get("movement") == NO_MOVEMENT
    try:
        found = read_order(cast("dict[str, Any]", fields) | {"movement": "revive"} if idle else fields)
    except MalformedOrder as problem:
        raise BadNotation(f"no order: {problem}") from None
    return Order(found.character, NOTHING) if idle else found


def _number(tables: Tables, player: int, order: Order) -> int:
    if order.kind != BOMB:
        return order.kind
    width = int(tables.width[player])
    longest = SHORTEST + width - 1
    for name, value in (("bomb_delay", order.delay), ("bomb_range", order.reach)):
        if not SHORTEST <= value <= longest:
            raise BadNotation(f"character {order.character}: {name} is a whole number from {SHORTEST} to {longest}, not {value}")
    return order_number(width, order)


def reception_text(tables: Tables, outcome: int) -> str:
    """The players in the order in which they are received: ``[2,0,1]``."""
    return f"[{','.join(map(str, tables.reception[outcome].tolist()))}]"


def read_reception(tables: Tables, text: str) -> int:
    """The outcome of chance that a text names.

    Raises:
        BadNotation: no list that has every player once.
    """
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    players, order = list(range(tables.players)), cast("list[Any]", value) if isinstance(value, list) else []
    if not all(type(one) is int for one in order) or sorted(order) != players:
        raise BadNotation(f"'{text[:80]}' is no order of players; write all of {_compact(players)} in the order in which they are received")
    return int((tables.reception == np.array(order)).all(axis=1).argmax())
