"""Messages: what is sent, as bytes ready to go, and what is received, checked field by field.

A message that is not as it should be raises ``ProtocolError`` with the exact reason that its sender is kicked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ludarium.errors import ProtocolError

from .json_text import compact, read_object
from .wire import frame

__all__ = [
    "ABORTED",
    "FINISHED",
    "LOGIN_ACK",
    "NICKNAME",
    "ROLES",
    "VERSION",
    "Login",
    "PlayerActions",
    "do_init",
    "do_turn",
    "game_ends",
    "game_starts",
    "kick",
    "message",
    "read_do_init_ack",
    "read_do_turn_ack",
    "read_login",
    "read_turn_ack",
    "turn",
]

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
    try:
        fields = read_object(content)
        _check_type(fields, "LOGIN")
        nickname = _text(fields, "nickname")
        if not NICKNAME.fullmatch(nickname):
            raise ProtocolError("bad_login", "Invalid nickname")
        role = _text(fields, "role")
        if role not in ROLES:
            raise ProtocolError("bad_login", f"Invalid role '{role}'")
        version = _text(fields, "metaprotocol_version")
        numbers = _VERSION.fullmatch(version)
        if numbers is None:
            raise ProtocolError("bad_login", "Invalid metaprotocol version: Not MAJOR.MINOR.PATCH")
        if numbers[1].lstrip("0") != VERSION.partition(".")[0]:
            raise ProtocolError(
                "bad_login",
                "Metaprotocol version mismatch. Major version must be identical "
                f"but client asks for '{version}' while netorcai uses '{VERSION}'.",
            )
    except ProtocolError as problem:
        raise ProtocolError("bad_login", f"Invalid first message: {problem}") from None
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
    try:
        fields = read_object(content)
    except ProtocolError as problem:
        raise ProtocolError("bad_turn_ack", f"Cannot read TURN_ACK. {problem}") from None
    try:
        _check_type(fields, "TURN_ACK")
        number = _integer(fields, "turn_number")
        if number != expected:
            raise ProtocolError("bad_turn_ack", f"Invalid value (turn_number={number}): expecting {expected}")
        actions = _field(fields, "actions")
        if not isinstance(actions, list):
            raise ProtocolError("bad_turn_ack", "Non-array value for field 'actions'")
    except ProtocolError as problem:
        raise ProtocolError("bad_turn_ack", f"Invalid TURN_ACK received. {problem}") from None
    return actions  # pyright: ignore[reportUnknownVariableType]


def read_do_init_ack(content: bytes) -> dict[str, Any]:
    """The initial state, as all clients may see it.

    Raises:
        ProtocolError: it is no proper DO_INIT_ACK.
    """
    fields = _from_logic(content, "DO_INIT_ACK")
    try:
        _check_type(fields, "DO_INIT_ACK")
        return _object(_object(fields, "initial_game_state"), "all_clients")
    except ProtocolError as problem:
        raise ProtocolError("bad_do_init_ack", f"Invalid DO_INIT_ACK message. {problem}") from None


def read_do_turn_ack(content: bytes, players: int) -> tuple[dict[str, Any], int]:
    """The state after a turn, as all clients may see it, and the player who leads (-1: nobody).

    Args:
        players: how many players there are, special ones included.

    Raises:
        ProtocolError: it is no proper DO_TURN_ACK.
    """
    fields = _from_logic(content, "DO_TURN_ACK")
    try:
        _check_type(fields, "DO_TURN_ACK")
        winner = _integer(fields, "winner_player_id")
        if not -1 <= winner < players:
            raise ProtocolError("bad_do_turn_ack", f"Invalid winner_player_id: Not in [-1, {players}[")
        return _object(_object(fields, "game_state"), "all_clients"), winner
    except ProtocolError as problem:
        raise ProtocolError("bad_do_turn_ack", f"Invalid DO_TURN_ACK message. {problem}") from None


def _from_logic(content: bytes, kind: str) -> dict[str, Any]:
    try:
        return read_object(content, as_floats=False)
    except ProtocolError as problem:
        raise ProtocolError("not_json", f"Cannot read {kind}. {problem}") from None


def _check_type(fields: dict[str, Any], wanted: str) -> None:
    kind = _text(fields, "message_type")
    if kind != wanted:
        raise ProtocolError("bad_message", f"Received '{kind}' message type, while {wanted} was expected")


def _field(fields: dict[str, Any], name: str) -> Any:
    if name not in fields:
        raise ProtocolError("bad_message", f"Field '{name}' is missing")
    return fields[name]


def _text(fields: dict[str, Any], name: str) -> str:
    value = _field(fields, name)
    if not isinstance(value, str):
        raise ProtocolError("bad_message", f"Non-string value for field '{name}'")
    return value


def _integer(fields: dict[str, Any], name: str) -> int:
    """A number, without what stands after its point: 0.9 is taken as 0."""
    value = _field(fields, name)
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise ProtocolError("bad_message", f"Non-integral value for field '{name}'")
    return int(value)


def _object(fields: dict[str, Any], name: str) -> dict[str, Any]:
    value = _field(fields, name)
    if not isinstance(value, dict):
        raise ProtocolError("bad_message", f"Non-object value for field '{name}'")
    return value  # pyright: ignore[reportUnknownVariableType]


# What is sent. States and lists of players are given as JSON text, so that one text serves everybody.


def message(**fields: Any) -> bytes:
    """Any message, given by its fields."""
    return frame(compact(fields))


LOGIN_ACK = message(message_type="LOGIN_ACK", metaprotocol_version=VERSION)


def kick(reason: str) -> bytes:
    return message(message_type="KICK", kick_reason=reason)


def game_starts(
    player_id: int,
    players: int,
    special_players: int,
    turns: int,
    before_first_turn: float,
    between_turns: float,
    state: bytes,
    info: bytes,
) -> bytes:
    """GAME_STARTS for one client. The times are in milliseconds; ``player_id`` is -1 for a visualization."""
    return frame(
        b'{"message_type":"GAME_STARTS","player_id":%d,"nb_players":%d,"nb_special_players":%d,"nb_turns_max":%d,'
        b'"milliseconds_before_first_turn":%b,"milliseconds_between_turns":%b,"initial_game_state":%b,"players_info":%b}'
        % (player_id, players, special_players, turns, compact(before_first_turn), compact(between_turns), state, info)
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
