"""Ctrl-C and SIGTERM for commands that have something to finish first."""

from __future__ import annotations

import signal
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType

import typer

from ludarium.core.stopping import noticed


class StopSignal:
    """Call it to learn whether to stop."""

    def __init__(self) -> None:
        self._number = 0

    def __call__(self) -> bool:
        if self._number:
            noticed.set()
        return self._number != 0

    def receive(self, number: int, frame: FrameType | None) -> None:
        if self._number:
            raise KeyboardInterrupt  # the second time nothing is finished first
        self._number = number

    def exit_if_stopped(self) -> None:
        """End the program with 128 + the signal's number, as shells expect."""
        if self._number:
            raise typer.Exit(128 + self._number)


@contextmanager
def stop_signal() -> Generator[StopSignal]:
    """While inside, Ctrl-C and SIGTERM only ask to stop; a second one does not wait."""
    stop = StopSignal()
    before = {number: signal.signal(number, stop.receive) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
