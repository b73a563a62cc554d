"""What clients may say: reading and checking of JSON, before anything looks at a game. The codes are those of ``docs/protocol.md``."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from typing import Any, NoReturn

from ludarium.errors import BadNotation, BadOption, IllegalAction, LudariumError, ProtocolError, StoreError

from .orders import Orders

__all__ = [
    "CODES",
    "LIMIT",
    "VERSION",
    "Act",
    "Join",
    "Look",
    "Message",
    "Plan",
    "Resign",
    "TakeBack",
    "View",
    "error_of",
    "parse_message",
    "parse_object",
]

VERSION = 1
LIMIT = 65_536
"""The longest message or request body, in bytes."""

CODES = (
    "bad_message",
    "too_large",
    "bad_version",
    "not_joined",
    "bad_token",
    "no_such_game",
    "not_your_turn",
    "illegal_action",
    "bad_notation",
    "bad_option",
    "stale",
    "nothing_to_take_back",
    "game_over",
    "no_such_ply",
    "busy",
    "bad_origin",
    "bad_host",
    "cannot_store",
)


@dataclass(frozen=True)
class Join:
    version: int
    token: str | None = None


@dataclass(frozen=True)
class Act:
    """A choice: an action's text, or the orders of which it consists (of the two one is None)."""

    ply: int
    action: str | None = None
    orders: Orders | None = None


@dataclass(frozen=True)
class Plan:
    """Orders that are not sent yet; the server keeps them for when the clock runs out."""

    ply: int
    orders: Orders


@dataclass(frozen=True)
class TakeBack:
    pass


@dataclass(frozen=True)
class Resign:
    pass


@dataclass(frozen=True)
class Look:
    ply: int


@dataclass(frozen=True)
class View:
    seat: int


Message = Join | Act | Plan | TakeBack | Resign | Look | View

_TYPES: dict[str, type[Any]] = {"join": Join, "act": Act, "plan": Plan, "takeback": TakeBack, "resign": Resign, "look": Look, "view": View}
_KINDS = {"version": int, "token": str, "ply": int, "action": str, "orders": list, "seat": int}
_WORDS = {int: "a whole number", str: "a text", list: "a list with null or a list of texts for every slot"}
_OPTIONAL = ("token", "action")


def parse_object(data: str | bytes) -> dict[str, Any]:
    """A JSON object.

    Raises:
        ProtocolError: ``too_large`` or ``bad_message``.
    """
    try:
        raw = data.encode() if isinstance(data, str) else data
        if len(raw) > LIMIT:
            raise ProtocolError("too_large", f"a message has at most {LIMIT} bytes, not {len(raw)}")
        value = json.loads(raw.decode(), parse_constant=_refuse_constant)
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()  # refuses half surrogate pairs and numbers beyond a float's range
    except UnicodeError:
        raise ProtocolError("bad_message", "the message is not valid Unicode in UTF-8") from None
    except (ValueError, RecursionError):
        raise ProtocolError("bad_message", f"not JSON: {_shortened(data)}") from None
    if not isinstance(value, dict):
        raise ProtocolError("bad_message", f"a message is a JSON object, not {_shortened(data)}")
    return value


def parse_message(data: str) -> Message:
    """A message of a client.

    Raises:
        ProtocolError: ``too_large``, ``bad_message`` or ``bad_version``.
    """
    value = parse_object(data)
    kind = value.get("type")
    if not isinstance(kind, str) or kind not in _TYPES:
        raise ProtocolError("bad_message", f"'type' is one of {', '.join(_TYPES)}, not {_shortened(json.dumps(kind))}")
    message_class = _TYPES[kind]
    given: dict[str, Any] = {}
    for field in fields(message_class):
        item = value.get(field.name)
        if item is None and (field.name in _OPTIONAL or (message_class is Act and field.name == "orders")):
            continue
        accepted = _KINDS[field.name]
        if not isinstance(item, accepted) or isinstance(item, bool) or (accepted is list and not _are_orders(item)):
            raise ProtocolError("bad_message", f"{kind}: '{field.name}' is {_WORDS[accepted]}, not {_shortened(json.dumps(item))}")
        given[field.name] = _orders(item) if accepted is list else item
    if message_class is Act and ("action" in given) == ("orders" in given):
        raise ProtocolError("bad_message", "act: either 'action', a text, or 'orders', a list, says what is played")
    if kind == "join" and given["version"] != VERSION:
        raise ProtocolError("bad_version", f"this server speaks version {VERSION}, not {_shortened(str(given['version']))}")
    return message_class(**given)


def error_of(problem: LudariumError) -> dict[str, str]:
    """``{"code", "message"}`` for what went wrong with a client's wish."""
    if isinstance(problem, ProtocolError):
        code = problem.code
    elif isinstance(problem, IllegalAction):
        code = "illegal_action"
    elif isinstance(problem, BadOption):
        code = "bad_option"
    elif isinstance(problem, BadNotation):
        code = "bad_notation"
    elif isinstance(problem, StoreError):
        code = "cannot_store"
    else:
        raise problem
    text = str(problem)
    return {"code": code, "message": text if len(text) <= 400 else text[:400] + "…"}


def _are_orders(value: list[Any]) -> bool:
    return all(picks is None or (isinstance(picks, list) and all(isinstance(pick, str) for pick in picks)) for picks in value)


def _orders(value: list[Any]) -> Orders:
    return tuple(None if picks is None else tuple(picks) for picks in value)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _shortened(data: str | bytes) -> str:
    text = data if isinstance(data, str) else data.decode(errors="replace")
    return repr(text if len(text) <= 60 else text[:60] + "…")
