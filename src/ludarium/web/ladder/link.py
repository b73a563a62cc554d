"""What leads to a bot that has connected to this server: the judge's thread asks, the event loop hears."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from pathlib import Path

from ludarium.core.running_time import running_time
from ludarium.errors import PlayerCrashed, PlayerIllegal
from ludarium.players.programs.process import BETWEEN_LOOKS, LONGEST_LINE, go_on, shown


class BotLink:
    """See :class:`ludarium.players.programs.program.Link`. Its bot is another computer's affair: it is neither stopped nor measured."""

    def __init__(self, send: Callable[[str], object], most_unasked: int) -> None:
        """``send`` may be called in any thread."""
        self.has_failed = False
        """Whether the judge wants nothing of it any more."""
        self._send = send
        self._most = most_unasked
        self._heard = deque[str]()
        self._lost = ""
        self._changed = threading.Condition()

    # On the event loop.

    def hear(self, text: str) -> bool:
        """It has sent a message; whether that was not one too many."""
        with self._changed:
            self._heard.append(text)
            self._changed.notify()
            return len(self._heard) <= self._most

    def lose(self, why: str) -> None:
        """It is gone."""
        with self._changed:
            self._lost = self._lost or why
            self._changed.notify()

    # In the judge's thread.

    def send(self, message: bytes, until: float, interrupted: Callable[[], bool]) -> None:
        """Raises: PlayerCrashed, PlayerTimeout, Interrupted: as :meth:`receive`."""
        go_on(until, interrupted)
        if self._lost:
            raise PlayerCrashed(f"crash: {self._lost}")
        self._send(message.decode().rstrip("\n"))

    def receive(self, until: float, interrupted: Callable[[], bool]) -> bytes:
        """The next message.

        Raises:
            PlayerTimeout, PlayerIllegal, PlayerCrashed, Interrupted: as :meth:`ludarium.players.programs.process.Process.receive`.
        """
        with self._changed:
            while not self._heard:
                go_on(until, interrupted)
                if self._lost:
                    raise PlayerCrashed(f"crash: {self._lost}")
                self._changed.wait(min(BETWEEN_LOOKS, max(0.0, until - running_time())))
            text = self._heard.popleft().encode("utf-8", "replace")
        if len(text) > LONGEST_LINE:
            raise PlayerIllegal(f"bad answer: a message of more than {LONGEST_LINE:,} bytes: {shown(text)}")
        return text

    def said_unasked(self) -> bytes:
        with self._changed:
            return self._heard.popleft().encode("utf-8", "replace") if self._heard else b""

    def is_lost(self) -> bool:
        return bool(self._lost)

    def is_outdated(self) -> bool:
        return False

    def go(self) -> None:
        pass

    def rest(self) -> None:
        pass

    def log_to(self, path: Path | None) -> None:
        pass

    def last_words(self) -> str:
        """What it writes besides its answers stays where it is."""
        return ""

    def cpu_seconds(self) -> float:
        """Ladders count the time on the wall."""
        return 0.0

    def end(self) -> None:
        self.has_failed = True
