"""A proxy that can go silent, as mobile networks and middleboxes do: connections stay open, and nothing is forwarded."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from typing import Self


class SilentProxy:
    """``with SilentProxy(live.address) as proxy:`` forwards ``proxy.address`` to the server, until it is told to be silent."""

    def __init__(self, address: str) -> None:
        host, _, port = address.rpartition(":")
        self._server = (host, int(port))
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._listener.getsockname()[1]}"
        self.is_silent = threading.Event()
        self._may_speak = threading.Event()
        self._may_speak.set()
        self._last = b""
        self._cut = set[socket.socket]()
        self._open = [self._listener]

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.speak()
        for one in self._open:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)  # wakes its thread
            one.close()

    def fall_silent(self, after: bytes = b"") -> None:
        """Forward nothing from now on, or once the server has sent this."""
        self._last = after
        if not after:
            self._may_speak.clear()
            self.is_silent.set()

    def speak(self, *, forgets: bool = False) -> None:
        """Forward again, first what has waited, or cut the connections that were open."""
        self._last = b""
        if forgets:
            self._cut.update(self._open)
        self.is_silent.clear()
        self._may_speak.set()

    def _accept(self) -> None:
        with suppress(OSError):  # the listener is closed
            while True:
                near, _ = self._listener.accept()
                far = socket.create_connection(self._server)
                for one, other in ((near, far), (far, near)):
                    self._open.append(one)
                    threading.Thread(target=self._forward, args=(one, other, one is far), daemon=True).start()

    def _forward(self, source: socket.socket, target: socket.socket, is_from_server: bool) -> None:
        with suppress(OSError):  # one side is gone
            while data := source.recv(65536):
                self._may_speak.wait()
                if source in self._cut:
                    break
                target.sendall(data)
                if is_from_server and self._last and self._last in data:
                    self.fall_silent()
        self._may_speak.wait()
        with suppress(OSError):
            target.shutdown(socket.SHUT_RDWR)
