"""What clients may say: reading and checking of JSON, before anything looks at a game. The codes are those of ``docs/protocol.md``."""

from __future__ import annotations

import codecs
import json
import re
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeVar, get_args

import numpy as np
from pydantic import BeforeValidator, Field, StrictBool, StrictInt, StringConstraints, TypeAdapter, ValidationError

from ludarium.core.record import read_object
from ludarium.core.whole_numbers import as_whole
from ludarium.errors import BadNotation, BadOption, BadRecord, IllegalAction, LudariumError, ProtocolError, StoreError

from .orders import Orders

VERSION = 1
LIMIT = 65_536
"""The longest message or request body, in bytes."""
DEEPEST = 16
"""How deep a message may be nested. What a parser makes of 64 KiB of brackets takes long, and meanwhile nobody else is answered."""


WholeNumber = Annotated[StrictInt, BeforeValidator(as_whole)]
"""A whole number; some languages write ``12.0``."""


@dataclass(frozen=True)
class Join:
    version: WholeNumber
    token: str | None = None
    new_token: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{22,64}$")] | None = None
    """The client's own, to take the place of ``token`` where that is the seat's first one."""
    name: str | None = None
    """Who plays, as the name's ``key`` proves."""
    key: str | None = None


@dataclass(frozen=True)
class Act:
    """A choice: an action's text, or the orders of which it consists (of the two one is None)."""

    ply: WholeNumber
    action: str | None = None
    orders: Orders | None = None


@dataclass(frozen=True)
class Plan:
    """Orders that are not sent yet; the server keeps them for when the clock runs out."""

    ply: WholeNumber
    orders: Orders


@dataclass(frozen=True)
class Foresee:
    """A wish to know where actions would lead that a player plans to play one after the other."""

    ply: WholeNumber
    actions: Annotated[tuple[str, ...], Field(max_length=64)]


Kind = Literal["rematch", "takeback", "draw", "pause"]
"""What can be offered."""


@dataclass(frozen=True)
class Offer:
    kind: Kind


@dataclass(frozen=True)
class Accept:
    kind: Kind


@dataclass(frozen=True)
class Decline:
    kind: Kind


@dataclass(frozen=True)
class Resume:
    """The end of a pause that was agreed on."""


@dataclass(frozen=True)
class Code:
    """A wish for a code that opens one's seat on another device."""


@dataclass(frozen=True)
class Invite:
    """The host's wish for a new link to a seat."""

    seat: WholeNumber


@dataclass(frozen=True)
class Substitute:
    """The host's wish that a bot plays for a person, or (None) no longer does."""

    seat: WholeNumber
    player: str | None


@dataclass(frozen=True)
class Ask:
    """A watcher's wish for the seat that a token once opened."""

    token: str


@dataclass(frozen=True)
class Answer:
    """The host's answer to such a wish."""

    ask: WholeNumber
    accept: StrictBool


@dataclass(frozen=True)
class Say:
    text: str


@dataclass(frozen=True)
class Resign:
    pass


@dataclass(frozen=True)
class Look:
    ply: WholeNumber


@dataclass(frozen=True)
class Ahead:
    """A wish for what one could do if it were one's turn in the latest position."""


@dataclass(frozen=True)
class View:
    seat: WholeNumber


@dataclass(frozen=True)
class Ping:
    """A question whether the server is there. Who asks once is expected to go on."""

    hidden: StrictBool = False
    """Whether the page is out of sight: browsers slow its timers down."""


Message = (
    Join
    | Act
    | Plan
    | Foresee
    | Offer
    | Accept
    | Decline
    | Resume
    | Resign
    | Code
    | Invite
    | Substitute
    | Ask
    | Answer
    | Say
    | Look
    | View
    | Ahead
    | Ping
)

_READERS = {kind.__name__.lower(): TypeAdapter[Any](kind) for kind in get_args(Message)}
"""By a message's ``type``, which is its class's name in lower case."""
_CODES: dict[type[LudariumError], str] = {
    IllegalAction: "illegal_action",
    BadOption: "bad_option",
    BadNotation: "bad_notation",
    BadRecord: "bad_record",
    StoreError: "cannot_store",
}
_STRING = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_STEPS, _NO_BRACKETS = bytes.maketrans(b"[]{}", b"\x01\xff\x01\xff"), bytes(set(range(256)) - set(b"[]{}"))
Checked = TypeVar("Checked")


def parse_object(data: str | bytes) -> dict[str, Any]:
    """A JSON object.

    Raises:
        ProtocolError: ``too_large`` or ``bad_message``.
    """
    try:
        raw = data.encode() if isinstance(data, str) else data.removeprefix(codecs.BOM_UTF8)
        if len(raw) > LIMIT:
            raise ProtocolError("too_large", f"a message has at most {LIMIT} bytes, not {len(raw)}")
        if _depth(raw) > DEEPEST:
            raise ProtocolError("bad_message", f"a message is nested at most {DEEPEST} deep, unlike {_shortened(data)}")
        return read_object(raw)
    except UnicodeError:
        raise ProtocolError("bad_message", "the message is not valid Unicode in UTF-8") from None
    except ValueError:
        raise ProtocolError("bad_message", f"a message is a JSON object in which no key comes twice, not {_shortened(data)}") from None


def _depth(raw: bytes) -> int:
    """How deep the brackets outside strings are nested."""
    steps = np.frombuffer(_STRING.sub(b"", raw).translate(_STEPS, _NO_BRACKETS), np.int8)
    return int(np.cumsum(steps, dtype=np.int64).max(initial=0))


def parse_message(data: str) -> Message:
    """A message of a client.

    Raises:
        ProtocolError: ``too_large``, ``bad_message`` or ``bad_version``.
    """
    value = parse_object(data)
    kind = value.get("type")
    if not isinstance(kind, str) or kind not in _READERS:
        raise ProtocolError("bad_message", f"'type' is one of {', '.join(_READERS)}, not {_shortened(json.dumps(kind))}")
    message: Message = checked(_READERS[kind], value, kind)
    if isinstance(message, Act) and (message.action is None) == (message.orders is None):
        raise ProtocolError("bad_message", "act: either 'action', a text, or 'orders', a list, says what is played")
    if isinstance(message, Join) and message.version != VERSION:
        raise ProtocolError("bad_version", f"this server speaks version {VERSION}, not {_shortened(str(message.version))}")
    return message


def checked(reader: TypeAdapter[Checked], value: dict[str, Any], subject: str) -> Checked:
    """What a JSON object says; ``subject`` is what it is called in messages.

    Raises:
        ProtocolError: ``bad_message``: a key is missing or of the wrong kind.
    """
    try:
        return reader.validate_python(value)
    except ValidationError as problem:
        wrong = problem.errors(include_url=False, include_context=False)[0]
        key = ".".join(map(str, wrong["loc"]))
        expected = wrong["msg"].replace("tuple", "list")  # which JSON does not have
        raise ProtocolError("bad_message", f"{subject}, '{key}': {expected}; given: {_shortened(json.dumps(wrong['input']))}") from None


def checked_ply(ply: int, latest: int) -> int:
    """The number of a position of a game that has those up to ``latest``.

    Raises:
        ProtocolError: ``no_such_ply``.
    """
    if not 0 <= ply <= latest:
        raise ProtocolError("no_such_ply", f"the game has the positions 0 to {latest}, not {str(ply)[:40]}")
    return ply


def error_of(problem: LudariumError) -> dict[str, str]:
    """``{"code", "message"}`` for what went wrong with a client's wish."""
    code = problem.code if isinstance(problem, ProtocolError) else _CODES.get(type(problem))
    if code is None:
        raise problem
    text = str(problem)
    return {"code": code, "message": text if len(text) <= 400 else text[:400] + "…"}


def _shortened(data: str | bytes) -> str:
    text = data if isinstance(data, str) else data.decode(errors="replace")
    return repr(text if len(text) <= 60 else text[:60] + "…")
