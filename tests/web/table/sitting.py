"""Clients without sockets, and a clock that tests advance."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any

from ludarium.web.table.client import Client
from ludarium.web.table.messages import Join
from ludarium.web.table.session import Session


class Listening(Client):
    """A client without a socket."""

    def __init__(self) -> None:
        super().__init__()
        self.got: list[dict[str, Any]] = []

    def send(self, text: str) -> None:
        self.got.append(json.loads(text))

    @property
    def position(self) -> dict[str, Any]:
        return next(message for message in reversed(self.got) if message["type"] == "position")


class Time:
    """A clock that tests advance, and its timers."""

    def __init__(self) -> None:
        self.now = 0.0
        self.timers: list[Timer] = []

    def time(self) -> float:
        return self.now

    def call_later(self, delay: float, callback: Callable[..., object], *args: Any) -> Timer:
        self.timers.append(Timer(self.now + delay, partial(callback, *args)))
        return self.timers[-1]

    def call_soon(self, callback: Callable[..., object], *args: Any) -> Timer:
        return self.call_later(0.0, callback, *args)

    def advance(self, seconds: float) -> None:
        self.now += seconds
        soon = self.now + 1e-9  # sums of seconds are not exact
        due = [timer for timer in self.timers if timer.at <= soon]
        self.timers = [timer for timer in self.timers if timer.at > soon]
        for timer in due:
            if not timer.cancelled:
                timer.call()


class Timer:
    def __init__(self, at: float, call: Callable[[], None]) -> None:
        self.at = at
        self.call = call
        self.cancelled = False

    def cancel(self) -> None:
        self.cancelled = True


def come(session: Session, *seats: int | None) -> list[Listening]:
    clients = [Listening() for _ in seats]
    for client, seat in zip(clients, seats, strict=True):
        session.join(client, Join(1, None if seat is None else f"token-{seat}"))
    return clients
