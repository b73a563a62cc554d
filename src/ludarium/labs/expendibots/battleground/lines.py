"""The BOOM protocol's messages: one compact JSON object a line, over TCP."""

from __future__ import annotations

import json
import math
import socket
from typing import Any, cast

from ludarium.core.running_time import running_time
from ludarium.errors import ProtocolError, printable

PORT = 54321

LONGEST_LINE = 65_536
"""Bytes of a message, at most."""

TO_SEND = 30.0
"""Seconds that the other side may leave what it is sent unread, once the system holds no more of it."""

KINDS = ("OKAY", "ERRO", "PLAY", "GAME", "INIT", "TURN", "ACTN", "UPD8", "OVER")


class Line:
    """A connection. Its methods are called by one thread at a time."""

    def __init__(self, connection: socket.socket) -> None:
        self._socket = connection
        self._heard = b""

    def send(self, mtype: str, **fields: Any) -> None:
        """Send a message.

        Raises:
            ProtocolError: the other side has gone, or does not read.
        """
        try:
            self._socket.settimeout(TO_SEND)
            self._socket.sendall(json.dumps({"mtype": mtype, **fields}, separators=(",", ":")).encode() + b"\n")
        except OSError:
            raise ProtocolError("gone", "the connection is closed") from None

    def receive(self, seconds: float | None, *accepted: str) -> dict[str, Any]:
        """The next message, of an accepted kind.

        Args:
            seconds: how long it is waited for; None: for ever.

        Raises:
            ProtocolError: ``gone``, ``silent``, or ``broken`` for what is no such message.
        """
        until = math.inf if seconds is None else running_time() + seconds
        while b"\n" not in self._heard:
            if len(self._heard) > LONGEST_LINE:
                raise ProtocolError("broken", f"a line of more than {LONGEST_LINE:,} bytes")
            self._listen(until, f"no {' or '.join(accepted)} within {seconds:g} s" if seconds else "")
        line, _, self._heard = self._heard.partition(b"\n")
        return self._read(line, accepted)

    def _listen(self, until: float, silent: str) -> None:
        try:
            self._socket.settimeout(max(0.001, until - running_time()) if until < math.inf else None)
            data = self._socket.recv(65_536)
        except TimeoutError:
            if running_time() < until:  # this process was stopped
                return
            raise ProtocolError("silent", silent) from None
        except OSError:
            data = b""
        if not data:
            raise ProtocolError("gone", "the connection is closed")
        self._heard += data

    def _read(self, line: bytes, accepted: tuple[str, ...]) -> dict[str, Any]:
        shown = printable(line[:100].decode(errors="backslashreplace"))
        try:
            message: Any = json.loads(line)
        except (ValueError, RecursionError):
            raise ProtocolError("broken", f"not JSON: {shown}") from None
        if not isinstance(message, dict) or cast("dict[str, Any]", message).get("mtype") not in accepted:
            raise ProtocolError("broken", f"no {' or '.join(accepted)}: {shown}")
        return cast("dict[str, Any]", message)

    def close(self) -> None:
        self._socket.close()


def as_tuple(value: Any) -> Any:
    """Lists of JSON as the tuples that they stand for."""
    return tuple(as_tuple(one) for one in cast("list[Any]", value)) if isinstance(value, list) else value
