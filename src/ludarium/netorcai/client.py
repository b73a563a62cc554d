"""What a client of an orchestrator needs, the original one included: players, special players and visualizations.

Everything here waits in the calling thread, as a program wants that does nothing else. ::

    class Sleeper:
        def start(self, start): ...
        def turn(self, turn): return []
        def end(self, end): ...

    join(Sleeper(), "127.0.0.1", 4242, nickname="sleeper")
"""

from __future__ import annotations

import json
import re
import socket
import time
from contextlib import AbstractContextManager, suppress
from functools import cached_property
from typing import Any, Protocol

from ludarium.core.hosts import without_brackets
from ludarium.core.pickling import Unpicklable
from ludarium.errors import ProtocolError

from .events import PLAYER_FIELDS, PlayerInfo
from .messages import PLAYER, VERSION, message
from .wire import Deframer

_BUFFER = 2**16
"""Bytes that are read at once."""

_TURN = re.compile(rb'\{"message_type":"TURN","turn_number":([0-9]+),')
"""How orchestrators begin a TURN. Its number is known without reading the state."""


class Channel(Unpicklable, AbstractContextManager["Channel"]):
    """A connection to an orchestrator, for whole messages."""

    send_instead = "send the host and the port"

    def __init__(self, host: str, port: int, *, timeout: float | None = None) -> None:
        """Connect.

        Args:
            host: a name or an address.
            port: where the orchestrator listens.
            timeout: seconds that connecting, and later each message, may take; None: any time.

        Raises:
            ProtocolError: ``unreachable``.
        """
        self._deframer = Deframer()
        self._timeout = timeout
        self._buffer = memoryview(bytearray(_BUFFER))
        try:
            self._socket = socket.create_connection((without_brackets(host), port), timeout)
        except (OSError, OverflowError, UnicodeError) as problem:  # the last: what names no computer, such as 127..0.1
            reason = (isinstance(problem, OSError) and problem.strerror) or str(problem)
            raise ProtocolError("unreachable", f"cannot connect to {host}, port {port}: {reason}") from None
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        self._socket.close()

    def send(self, data: bytes) -> None:
        """Send a message made by :mod:`.messages`.

        Raises:
            ProtocolError: ``lost``.
        """
        try:
            self._socket.settimeout(self._timeout)
            self._socket.sendall(data)
        except OSError as problem:
            raise _lost(problem) from None

    def receive(self) -> bytes:
        """Wait for the next message; its content.

        Raises:
            ProtocolError: ``lost``: the other side is gone, or took too long.
        """
        until = None if self._timeout is None else time.monotonic() + self._timeout
        while (content := self._deframer.next()) is None:
            try:
                if until is not None:  # also where bytes drip
                    self._socket.settimeout(max(0.001, until - time.monotonic()))
                received = self._socket.recv_into(self._buffer)
            except OSError as problem:
                raise _lost(problem) from None
            if not received:
                raise ProtocolError("lost", "the connection was closed by the other side")
            self._deframer.feed(self._buffer[:received])
        return content

    def receive_message(self, *kinds: str) -> dict[str, Any]:
        """Wait for the next message, which has to be of one of these types.

        Raises:
            ProtocolError: ``lost``; ``kicked``: the message is a KICK, and the error's text is its reason; ``bad_message``.
        """
        return self.as_message(self.receive(), *kinds)

    @staticmethod
    def as_message(content: bytes, *kinds: str) -> dict[str, Any]:
        """Read the content of a message; see :meth:`receive_message`."""
        try:
            fields = json.loads(content)
            kind = fields["message_type"]
            if kind == "KICK" and kind not in kinds:
                raise ProtocolError("kicked", str(fields["kick_reason"]))
        except (ValueError, KeyError, TypeError, RecursionError):
            raise ProtocolError("bad_message", "the other side sent something that is no message") from None
        if kind not in kinds:
            raise ProtocolError("bad_message", f"the other side sent {kind}, while {' or '.join(kinds)} was expected")
        return fields


def _lost(problem: OSError) -> ProtocolError:
    return ProtocolError("lost", f"the connection is lost: {problem.strerror or problem}")


def field(fields: dict[str, Any], name: str) -> Any:
    """A field of a message that has come in.

    Raises:
        ProtocolError: ``bad_message``: it is missing.
    """
    if name not in fields:
        raise ProtocolError("bad_message", f"the other side sent a message without {name}")
    return fields[name]


class GameStarts:
    """GAME_STARTS: how the game begins, for one client."""

    def __init__(self, fields: dict[str, Any]) -> None:
        self.player_id: int = field(fields, "player_id")
        """-1 for a visualization."""
        self.players: int = field(fields, "nb_players")
        self.special_players: int = field(fields, "nb_special_players")
        self.turns: int = field(fields, "nb_turns_max")
        self.delay_first_turn: float = field(fields, "milliseconds_before_first_turn") / 1000
        """Seconds."""
        self.delay_turns: float = field(fields, "milliseconds_between_turns") / 1000
        """Seconds."""
        self.state: dict[str, Any] = field(fields, "initial_game_state")
        self.players_info = _players_info(fields)


class Turn:
    """TURN. What else than its number it says is read when it is asked for."""

    def __init__(self, number: int, content: bytes) -> None:
        self.number = number
        self.content = content

    @cached_property
    def _fields(self) -> dict[str, Any]:
        return Channel.as_message(self.content, "TURN")

    @property
    def state(self) -> dict[str, Any]:
        return field(self._fields, "game_state")

    @property
    def players_info(self) -> tuple[PlayerInfo, ...]:
        """Empty for players."""
        return _players_info(self._fields)


class GameEnds:
    """GAME_ENDS. ``winner`` is -1 for nobody."""

    def __init__(self, fields: dict[str, Any]) -> None:
        self.winner: int = field(fields, "winner_player_id")
        self.state: dict[str, Any] = field(fields, "game_state")


def _players_info(fields: dict[str, Any]) -> tuple[PlayerInfo, ...]:
    return tuple(PlayerInfo(*(field(one, name) for name in PLAYER_FIELDS)) for one in field(fields, "players_info"))


class Agent(Protocol):
    """Who plays, or watches, through :func:`join`."""

    def start(self, start: GameStarts) -> None:
        """The game begins."""
        ...

    def turn(self, turn: Turn) -> list[Any]:
        """Actions in answer to a TURN, as the game understands them. Those of a visualization are not looked at."""
        ...

    def end(self, end: GameEnds) -> None:
        """The game is over."""
        ...


def log_in(channel: Channel, nickname: str, role: str) -> None:
    """Say who one is.

    Raises:
        ProtocolError: ``kicked``, with the reason, or as :meth:`Channel.receive_message` says.
    """
    channel.send(message(message_type="LOGIN", nickname=nickname, role=role, metaprotocol_version=VERSION))
    channel.receive_message("LOGIN_ACK")


def join(agent: Agent, host: str, port: int, *, nickname: str, role: str = PLAYER, timeout: float | None = None) -> GameEnds:
    """Take part in one game, from the login to its end.

    Args:
        agent: who decides.
        host: the orchestrator's name or address.
        port: its port.
        nickname: 1 to 10 characters without spaces.
        role: one of :data:`.messages.ROLES` but the game logic's.
        timeout: seconds that the orchestrator may take for anything; None: any time.

    Raises:
        ProtocolError: ``unreachable``, ``lost``, ``kicked`` (the text is the reason) or ``bad_message``.
    """
    with Channel(host, port, timeout=timeout) as channel:
        log_in(channel, nickname, role)
        agent.start(GameStarts(channel.receive_message("GAME_STARTS")))
        while True:
            content = channel.receive()
            begins = _TURN.match(content)
            if begins is not None:
                turn = Turn(int(begins[1]), content)
            else:
                fields = channel.as_message(content, "TURN", "GAME_ENDS")
                if fields["message_type"] == "GAME_ENDS":
                    end = GameEnds(fields)
                    agent.end(end)
                    return end
                turn = Turn(field(fields, "turn_number"), content)
            answer = message(message_type="TURN_ACK", turn_number=turn.number, actions=agent.turn(turn))
            with suppress(ProtocolError):  # a game that ended meanwhile is read of next
                channel.send(answer)
