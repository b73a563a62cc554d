"""Messages: what is sent, as bytes ready to go, and what is received, checked field by field.

A message that is not as it should be raises ``ProtocolError`` with the exact reason that its sender is kicked for.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from ludarium.errors import ProtocolError

from .json_text import compact, read_object
from .settings import Settings
from .wire import frame

VERSION = "2.0.0"
"""Of the metaprotocol; clients must have the same first number."""

PLAYER = "player"
SPECIAL_PLAYER = "special player"
VISUALIZATION = "visualization"
GAME_LOGIC = "game logic"
ROLES = (PLAYER, SPECIAL_PLAYER, VISUALIZATION, GAME_LOGIC)

ABORTED = "netorcai abort"
FINISHED = "Game is finished"

NICKNAME = re.compile(r"[^\t\n\f\r ]{1,10}")
"""What a nickname is as a whole."""
_VERSION = re.compile(r"([0-9]+)\.[0-9]+\.[0-9]+")

NUMBER = (int, float)
"""Whole numbers are taken without what stands after the point: 0.9 is 0."""
KINDS: dict[Any, str] = {str: "string", list: "array", dict: "object", NUMBER: "integral"}
"""What a field can hold, and how that is called."""

_IDLE = re.compile(
    rb' \{ "message_type" : "TURN_ACK" , "turn_number" : (0|[1-9][0-9]{0,8}) , "actions" : \[ \] \} '.replace(b" ", rb"[ \t\n\r]*")
)
"""A TURN_ACK without actions, as hundreds of visualizations send one after every turn: it need not be taken apart."""


@dataclass(frozen=True, slots=True)
class Login:
    """Who wants to take part, as what."""

    nickname: str
    role: str


@dataclass(frozen=True, slots=True)
class PlayerActions:
    """What a player sent for a turn.

    ``turn_number`` is the number of the TURN that it answers, ``actions`` whatever the game understands.
    """

    player_id: int
    turn_number: int
    actions: list[Any]


# What is received.


def read_login(content: bytes) -> Login:
    """The first message of a connection.

    Raises:
        ProtocolError: it is no proper LOGIN.
    """
    with _refused("bad_login", "Invalid first message: "):
        fields = read_object(content)
        _check_type(fields, "LOGIN")
        nickname: str = _field(fields, "nickname", str)
        if not NICKNAME.fullmatch(nickname):
            raise ProtocolError("bad_login", "Invalid nickname")
        role: str = _field(fields, "role", str)
        if role not in ROLES:
            raise ProtocolError("bad_login", f"Invalid role '{role}'")
        version: str = _field(fields, "metaprotocol_version", str)
        numbers = _VERSION.fullmatch(version)
        if numbers is None:
            raise ProtocolError("bad_login", "Invalid metaprotocol version: Not MAJOR.MINOR.PATCH")
        if numbers[1].lstrip("0") != VERSION.partition(".")[0]:
            raise ProtocolError(
                "bad_login",
                "Metaprotocol version mismatch. Major version must be identical "
                f"but client asks for '{version}' while netorcai uses '{VERSION}'.",
            )
    return Login(nickname, role)


def read_turn_ack(content: bytes, expected: int) -> list[Any]:
    """The actions of a TURN_ACK.

    Args:
        expected: the number of the last TURN that the client was sent, -1 before any.

    Raises:
        ProtocolError: it is no proper TURN_ACK.
    """
    idle = _IDLE.fullmatch(content)
    if idle is not None and int(idle[1]) == expected:
        return []
    wrong = "Cannot read TURN_ACK."
    try:  # written out, since every answer of every player comes along here
        fields = read_object(content)
        wrong = "Invalid TURN_ACK received."
        _check_type(fields, "TURN_ACK")
        number = int(_field(fields, "turn_number", NUMBER))
        if number != expected:
            raise ProtocolError("bad_turn_ack", f"Invalid value (turn_number={number}): expecting {expected}")
        return _field(fields, "actions", list)
    except ProtocolError as problem:
        raise ProtocolError("bad_turn_ack", f"{wrong} {problem}") from None


def read_do_init_ack(content: bytes) -> dict[str, Any]:
    """The initial state, as all clients may see it.

    Raises:
        ProtocolError: it is no proper DO_INIT_ACK.
    """
    fields = _from_logic(content, "DO_INIT_ACK")
    with _refused("bad_do_init_ack", "Invalid DO_INIT_ACK message. "):
        _check_type(fields, "DO_INIT_ACK")
        return _field(_field(fields, "initial_game_state", dict), "all_clients", dict)


def read_do_turn_ack(content: bytes, players: int) -> tuple[dict[str, Any], int]:
    """The state after a turn, as all clients may see it, and the player who leads (-1: nobody).

    Args:
        players: how many players there are, special ones included.

    Raises:
        ProtocolError: it is no proper DO_TURN_ACK.
    """
    fields = _from_logic(content, "DO_TURN_ACK")
    with _refused("bad_do_turn_ack", "Invalid DO_TURN_ACK message. "):
        _check_type(fields, "DO_TURN_ACK")
        winner = int(_field(fields, "winner_player_id", NUMBER))
        if not -1 <= winner < players:
            raise ProtocolError("bad_do_turn_ack", f"Invalid winner_player_id: Not in [-1, {players}[")
        return _field(_field(fields, "game_state", dict), "all_clients", dict), winner


@contextmanager
def _refused(code: str, prefix: str) -> Generator[None]:
    """Say of whatever is found wrong within what it is wrong with."""
    try:
        yield
    except ProtocolError as problem:
        raise ProtocolError(code, f"{prefix}{problem}") from None


def _from_logic(content: bytes, kind: str) -> dict[str, Any]:
    with _refused("not_json", f"Cannot read {kind}. "):
        return read_object(content, as_floats=False)


def _check_type(fields: dict[str, Any], wanted: str) -> None:
    kind = _field(fields, "message_type", str)
    if kind != wanted:
        raise ProtocolError("bad_message", f"Received '{kind}' message type, while {wanted} was expected")


def _field(fields: dict[str, Any], name: str, kind: Any) -> Any:
    """A field of one of :data:`KINDS`."""
    if name not in fields:
        raise ProtocolError("bad_message", f"Field '{name}' is missing")
    value = fields[name]
    if not isinstance(value, kind) or isinstance(value, bool):
        raise ProtocolError("bad_message", f"Non-{KINDS[kind]} value for field '{name}'")
    return value


# What is sent. States and lists of players are given as JSON text, so that one text serves everybody.


def message(**fields: Any) -> bytes:
    """Any message, given by its fields."""
    return frame(compact(fields))


LOGIN_ACK = message(message_type="LOGIN_ACK", metaprotocol_version=VERSION)


def kick(reason: str) -> bytes:
    return message(message_type="KICK", kick_reason=reason)


def game_starts(player_id: int, players: int, special_players: int, settings: Settings, state: bytes, info: bytes) -> bytes:
    """GAME_STARTS for one client; ``player_id`` is -1 for a visualization."""
    times = (settings.turns, compact(settings.delay_first_turn), compact(settings.delay_turns))
    return frame(
        b'{"message_type":"GAME_STARTS","player_id":%d,"nb_players":%d,"nb_special_players":%d,"nb_turns_max":%d,'
        b'"milliseconds_before_first_turn":%b,"milliseconds_between_turns":%b,"initial_game_state":%b,"players_info":%b}'
        % (player_id, players, special_players, *times, state, info)
    )


def turn(number: int, state: bytes, info: bytes) -> bytes:
    return frame(b'{"message_type":"TURN","turn_number":%d,"game_state":%b,"players_info":%b}' % (number, state, info))


def game_ends(winner: int, state: bytes) -> bytes:
    return frame(b'{"message_type":"GAME_ENDS","winner_player_id":%d,"game_state":%b}' % (winner, state))


def do_init(players: int, special_players: int, turns: int) -> bytes:
    return message(message_type="DO_INIT", nb_players=players, nb_special_players=special_players, nb_turns_max=turns)


def do_turn(players_actions: Iterable[PlayerActions]) -> bytes:
    """DO_TURN. The keys of players' objects are sorted, as the original does."""
    texts = [b'{"player_id":%d,"turn_number":%d,"actions":%b}' % (one.player_id, one.turn_number, _actions(one)) for one in players_actions]
    return frame(b'{"message_type":"DO_TURN","player_actions":[%b]}' % b",".join(texts))


def _actions(one: PlayerActions) -> bytes:
    try:
        return compact(one.actions, sort_keys=True)
    except (RecursionError, ValueError):  # nested as deep as can just be read, or with numbers beyond a float; no game understands that
        return b"[]"
