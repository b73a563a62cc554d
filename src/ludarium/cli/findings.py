"""Findings of ``ludarium doctor``. Its probes run in parallel, each within a time limit."""

from __future__ import annotations

import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ludarium.errors import LudariumError, printable

State = Literal["works", "missing", "broken"]


@dataclass(frozen=True)
class Finding:
    """One line of the report."""

    section: str
    name: str
    state: State
    detail: str
    advice: str = ""
    """A command or a step that helps; '' if nothing has to be done."""
    needed: bool = False
    """True if Ludarium does not work without it."""

    @property
    def is_fatal(self) -> bool:
        """True if something that is needed does not work."""
        return self.needed and self.state != "works"


@dataclass(frozen=True)
class Probe:
    """A test of a part of the machine."""

    section: str
    name: str
    look: Callable[[], Iterable[Finding]]
    needed: bool = False
    """True if a failure of the probe itself is fatal."""
    seconds: float = 90.0
    """Time limit."""


def examine(probes: Sequence[Probe]) -> Iterator[Finding]:
    """Run probes in parallel, and yield their findings in the order of the probes.

    A probe that fails or does not end in time is a finding itself.
    """
    started = [(probe, _start(probe), time.monotonic() + probe.seconds) for probe in probes]
    for probe, answer, until in started:
        try:
            for one in answer.get(timeout=max(0.01, until - time.monotonic())):
                yield replace(one, detail=printable(one.detail), advice=printable(one.advice))  # names of files may have any characters
        except queue.Empty:
            yield Finding(probe.section, probe.name, "broken", f"no answer within {probe.seconds:g} s", needed=probe.needed)


def _start(probe: Probe) -> queue.SimpleQueue[list[Finding]]:
    answer = queue.SimpleQueue[list[Finding]]()

    def run() -> None:
        try:
            found = list(probe.look())
        except Exception as problem:  # noqa: BLE001  a broken package may raise anything when it is imported; the report names it
            found = [Finding(probe.section, probe.name, "broken", told(problem), needed=probe.needed)]
        answer.put(found)

    threading.Thread(target=run, name=probe.name, daemon=True).start()  # a probe that hangs ends with the process
    return answer


def told(problem: BaseException) -> str:
    """Return an exception as one line."""
    if isinstance(problem, OSError | LudariumError | sqlite3.Error):
        text = getattr(problem, "strerror", None) or str(problem)
    else:
        text = f"{type(problem).__name__}: {problem}"
    return " ".join(text.split())[:300]
