"""Takes part in a ladder until told to stop: joins, has every message answered, and comes again when the connection is lost."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from contextlib import closing
from typing import Any, cast

from ludarium.core.running_time import running_time
from ludarium.errors import LudariumError, PlayerCrashed, PlayerFailed, ProtocolError, printable
from ludarium.players.programs.messages import PROTOCOL, encoded
from ludarium.players.programs.process import Interrupted
from ludarium.players.programs.websocket import WebSocket

from .addresses import Ladder
from .keys import keep_key, kept_elsewhere, kept_key
from .seats import Seat

PAUSES = (1.0, 2.0, 5.0, 10.0, 20.0, 30.0)
"""Seconds before coming again, the last again and again; the first after every connection on which a game was played to its end."""

LONGEST_MESSAGE = 1 << 24
"""Bytes of a message of a server."""

LONGEST_WAIT = 30.0
"""Seconds in which a server answers whoever joins."""

LONGEST_SILENCE = 40.0
"""Seconds after which a server that does not answer a ping is gone: it may have been cut off without a word."""

PAUSE_STEP = 0.05

FULL = ("busy", "too_many")
"""With these codes a server says that there is no room now."""

Stopped = Callable[[], bool]
Say = Callable[[str], None]


def join(ladder: Ladder, name: str, key: str | None, make_seat: Callable[[], Seat], say: Say, stopped: Stopped) -> None:
    """Take part until ``stopped()``.

    Args:
        key: of the name; None: the one that was kept, if any.
        make_seat: who answers, anew for every connection.
        say: told each line that people should read.

    Raises:
        ProtocolError: nobody can be reached the first time, or the player cannot play; the server refuses, or is no ladder.
        StoreError: the key cannot be read.
    """
    visit = Visit(ladder, name, key, say, stopped)
    failures = 0
    while not stopped():
        visit.has_finished_a_game = visit.is_playing = False
        try:
            with closing(make_seat()) as seat:
                visit.stay(seat)
        except Interrupted:
            if visit.is_playing:
                say("left in the middle of a game, which is lost")
            return
        except PlayerFailed as problem:
            words = str(problem).removeprefix("crash: ")
            if not visit.has_joined:
                raise ProtocolError("lost", words) from None
            say(words)
        except ProtocolError as problem:
            if not visit.has_joined or problem.code not in FULL:
                raise
            say(str(problem))
        failures = 0 if visit.has_finished_a_game else failures + 1
        pause = PAUSES[min(failures, len(PAUSES) - 1)]
        say(f"joining again in {pause:g} s")
        until = time.monotonic() + pause
        while time.monotonic() < until and not stopped():
            time.sleep(PAUSE_STEP)


class Visit:
    """What is known of the ladder over all connections."""

    def __init__(self, ladder: Ladder, name: str, key: str | None, say: Say, stopped: Stopped) -> None:
        self._ladder = ladder
        self._name = name.encode(errors="replace").decode()  # a terminal may give what is no UTF-8
        self._given = key
        self._key = key.encode(errors="replace").decode() if key else kept_key(ladder, self._name)
        self._say = say
        self._stopped = stopped
        self._seat = 0
        self.has_joined = False
        self.has_finished_a_game = False
        self.is_playing = False

    def stay(self, seat: Seat) -> None:
        """Join, and play as long as the connection lasts.

        Raises:
            PlayerFailed: it is lost, the server ends it for now, or the player cannot go on.
            ProtocolError: the server refuses, ends it for good, or says what no ladder says.
            Interrupted: nobody wants to go on.
        """
        with closing(_Connection(WebSocket(self._ladder.socket, self._stopped, LONGEST_MESSAGE, silence=LONGEST_SILENCE))) as connection:
            connection.send(encoded({"type": "join", "protocol": PROTOCOL, "name": self._name, "key": self._key}), self._stopped)
            self._be_let_in(*connection.receive(running_time() + LONGEST_WAIT, self._stopped))
            while True:
                message, line = connection.receive(float("inf"), self._stopped)
                if message["type"] == "quit":
                    reason = printable(str(message.get("reason")))[:500]
                    if message.get("come_back") is not True:
                        raise ProtocolError("quit", f"{self._ladder} has ended this: {reason}")
                    raise PlayerCrashed(reason)
                if message["type"] == "waiting":
                    self._say(f"waiting: {printable(str(message.get('reason')))[:200]}")
                    continue
                self._tell(message)
                try:
                    answer = seat.hear(message, line, lambda: self._stopped() or connection.has_message())
                except Interrupted:
                    if self._stopped():
                        raise
                    continue  # the server waits for this no longer, and says why next
                except (LookupError, TypeError, ValueError, LudariumError) as problem:
                    if isinstance(problem, PlayerFailed):
                        raise
                    raise ProtocolError(
                        "bad_message", f"{self._ladder} sent what cannot be answered: {printable(str(problem))[:200]}"
                    ) from None
                if self._stopped():  # who is stopped answers anything
                    raise Interrupted
                if answer is not None and not connection.has_message():
                    connection.send(answer, self._stopped)

    def _be_let_in(self, message: dict[str, Any], line: bytes) -> None:
        name, key = message.get("name"), message.get("key")
        if message["type"] == "refused":
            self._refused(message)
        if message["type"] != "joined" or not isinstance(name, str) or not isinstance(key, str):
            raise ProtocolError("bad_message", f"{self._ladder} does not answer as a ladder does")
        if not self.has_joined:
            self._say(f"joined {self._ladder} as {printable(name)}")
        else:
            self._say("joined again")
        self.has_joined = True
        if key != self._key and self._given is None:
            try:
                self._say(f"the key of this name is kept in {keep_key(self._ladder, self._name, key)}")
            except LudariumError as problem:
                self._say(f"{problem}; next time, join with --key {printable(key)}")
        self._key = key

    def _refused(self, message: dict[str, Any]) -> None:
        reason = printable(str(message.get("reason") or "no reason was given"))[:500]
        elsewhere = kept_elsewhere(self._ladder, self._name) if message.get("code") == "bad_key" and self._key is None else None
        hint = f"; of another address its key is kept in {elsewhere}: if that was this ladder, join with --key" if elsewhere else ""
        raise ProtocolError(str(message.get("code")), f"{self._ladder} refused: {reason}{hint}")

    def _tell(self, message: dict[str, Any]) -> None:
        """Say what people want to know of a message."""
        if message["type"] == "refused":
            self._refused(message)
        elif message["type"] == "game":
            seat, seats = message.get("seat"), cast("Any", message.get("players"))
            names = cast("Any", message.get("names"))
            rating, rank = _part_of(message.get("ratings"), seat), _part_of(message.get("ranks"), seat)
            own = f"; your rating {rating:.0f}" if isinstance(rating, int | float) else ""
            own += f", rank {rank}" if own and isinstance(rank, int) else ""
            self._say(f"game{_against(names, message.get('ratings'), seat)} as {_part(seats, seat)}{own}")
            self._seat = seat if isinstance(seat, int) else 0
            self.is_playing = True
        elif message["type"] == "result":
            self.has_finished_a_game, self.is_playing = True, False
            own = _part_of(message.get("returns"), self._seat)
            how = "result" if not isinstance(own, int | float) else "won" if own > 0 else "lost" if own < 0 else "draw"
            others = _against(message.get("names"), message.get("ratings"), self._seat)
            self._say(f"{how}: {printable(str(message.get('reason')))[:200]}{others and ';'}{others}")


def _part_of(values: Any, number: Any) -> Any:
    known = cast("list[Any]", values) if isinstance(values, list) else []
    return known[number] if isinstance(number, int) and 0 <= number < len(known) else None


def _part(seats: Any, seat: Any) -> str:
    return f"player {seat} ({printable(str(_part_of(seats, seat)))[:40]})"


def _against(names: Any, ratings: Any, seat: Any) -> str:
    """Who the others are, if the server says it."""
    seated = cast("list[Any]", names) if isinstance(names, list) else []
    others = [_rated(name, _part_of(ratings, number)) for number, name in enumerate(seated) if number != seat and name is not None]
    return f" against {', '.join(others)}" if others else ""


def _rated(name: Any, rating: Any) -> str:
    return printable(str(name))[:40] + (f" ({rating:.0f})" if isinstance(rating, int | float) else "")


class _Connection:
    """A connection, for whole messages."""

    def __init__(self, socket: WebSocket) -> None:
        self._socket = socket
        self.has_message = socket.has_message
        self.close = socket.end

    def send(self, line: bytes, stopped: Stopped) -> None:
        self._socket.send(line, running_time() + LONGEST_WAIT, stopped)

    def receive(self, until: float, stopped: Stopped) -> tuple[dict[str, Any], bytes]:
        """A message, and as it came."""
        line = self._socket.receive(until, stopped)
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            message = None
        if not isinstance(message, dict) or not isinstance(cast("dict[str, Any]", message).get("type"), str):
            raise ProtocolError(
                "bad_message", f"the server sent what is no message: {printable(line[:100].decode(errors='backslashreplace'))}"
            )
        return cast("dict[str, Any]", message), line
