"""A program that runs beside this process and exchanges lines with it. Its keeper, see :mod:`.keeper`, ends it with all that it has started."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil

from ludarium.core.running_time import running_time
from ludarium.errors import PlayerCrashed, PlayerIllegal, PlayerTimeout, printable

from .building import build
from .commands import Command
from .conditions import Conditions
from .rest import Rest
from .sandbox import confined
from .supervised import start_kept

LONGEST_LINE = 65_536
"""Bytes of an answer, at most."""

MOST_TO_START = 10.0
"""Seconds until the keeper must have started a program."""

MOST_TO_END = 1.0
"""Seconds until the keeper must have told how a program ended that has closed its output."""

BETWEEN_LOOKS = 0.05
"""Seconds between two looks at whether an answer is wanted any more."""


class Interrupted(Exception):
    """Nobody wants the answer any more."""


class Process:
    """A running program. Its methods are called by one thread at a time."""

    def __init__(self, command: Command, conditions: Conditions) -> None:
        """Start it.

        Raises:
            PlayerCrashed: it cannot be compiled or started.
            BadOption: a sandbox is required, and there is none.
        """
        self._name = command.text
        self._number = 0
        self._ponders = conditions.ponder
        self._heard = b""
        self._log: Path | None = None
        self._keeper_words = b""
        self._keeper_said: dict[str, Any] = {}
        self._command = command
        self._conditions = conditions
        self._built = build(command, conditions)
        start = confined(command, self._built.words, conditions.sandbox, conditions.hidden)
        self._rest = Rest(lambda: self._signal(signal.SIGSTOP), lambda: self._signal(signal.SIGCONT))
        to_read, self._input = os.pipe()
        self._output, to_write = os.pipe()
        try:
            self._process, self._keeper = start_kept(
                start, memory=conditions.memory << 20, processes=conditions.processes, stdin=to_read, stdout=to_write
            )
        finally:
            os.close(to_read)
            os.close(to_write)
        self._keeper.setblocking(False)
        os.set_blocking(self._input, False)
        os.set_blocking(self._output, False)
        self._answers = select.poll()
        self._answers.register(self._output, select.POLLIN)
        self._room = select.poll()
        self._room.register(self._input, select.POLLOUT)
        self._hear_keeper(lambda said: "started" in said, MOST_TO_START)
        if "started" not in self._keeper_said:
            self.end()
            raise PlayerCrashed(f"crash: {self._name} cannot be started: {self._keeper_said.get('failed', 'its keeper says nothing')}")
        self._number = self._keeper_said["started"]

    def log_to(self, path: Path | None) -> None:
        """From now on what it writes to its standard error is kept in this file; None: it is not kept. What it has written before is kept then."""
        if path is not None or self._log is not None:
            self._log = path
            self._tell_log()

    def _tell_log(self) -> None:
        name = str(self._log or "")
        self._keeper_said.pop("log", None)
        with contextlib.suppress(OSError):  # the keeper ends with the program, which the next answer tells
            self._keeper.sendall(json.dumps({"log": name}).encode() + b"\n")
            self._hear_keeper(lambda said: said.get("log") == name, MOST_TO_END)

    def send(self, message: bytes, until: float, interrupted: Callable[[], bool]) -> None:
        """Send a line.

        Raises:
            PlayerCrashed, PlayerTimeout, Interrupted: as :meth:`receive`.
        """
        while True:
            try:
                message = message[os.write(self._input, message) :]
            except BlockingIOError:
                pass
            except OSError:
                self._raise_end()
            if not message:
                return
            go_on(until, interrupted)
            self._room.poll(BETWEEN_LOOKS * 1000)

    def receive(self, until: float, interrupted: Callable[[], bool]) -> bytes:
        """The next line that the program writes.

        Args:
            until: when it comes too late, by :func:`.running_time`.
            interrupted: asked now and then while nothing comes.

        Raises:
            PlayerTimeout: nothing came in time.
            PlayerIllegal: a line that never ends.
            PlayerCrashed: the program has ended.
            Interrupted: nobody wants it any more.
        """
        while True:
            line, newline, rest = self._heard.partition(b"\n")
            if len(line) > LONGEST_LINE:
                raise PlayerIllegal(f"bad answer: a line of more than {LONGEST_LINE:,} bytes: {shown(line)}")
            if newline:
                self._heard = rest
                return line
            if self._answers.poll(BETWEEN_LOOKS * 1000):
                self._listen()
            if b"\n" not in self._heard:  # a program that drips is no more patient than one that is silent
                go_on(until, interrupted)

    def said_unasked(self) -> bytes:
        """What the program has written without being asked, if anything. A look that does not wait."""
        if self._answers.poll(0):
            self._listen()
        return self._heard.strip()

    def _listen(self) -> None:
        data = os.read(self._output, LONGEST_LINE)
        if not data:
            self._raise_end()
        self._heard += data

    def is_lost(self) -> bool:
        """How a program has ended is told when it is asked next."""
        return False

    def is_outdated(self) -> bool:
        """Return whether the program would be another one if it were started now: a file that it was made of has changed."""
        if self._built.is_current():
            return False
        before = self._built
        with contextlib.suppress(PlayerCrashed):
            self._built = build(self._command, self._conditions)
            return self._built.identity != before.identity
        return True

    def go(self) -> None:
        """It is its turn."""
        self._rest.end()

    def rest(self) -> None:
        """Its turn is over."""
        if not self._ponders:
            self._rest.begin()

    def stop(self) -> None:
        """Stop it now, whatever it is at."""
        if not self._ponders:
            self._rest.stop()

    def _signal(self, kind: int) -> None:
        if not self._number:
            return
        with contextlib.suppress(OSError):  # it has ended, which the next answer tells
            os.killpg(self._number, kind)

    def cpu_seconds(self) -> float:
        """Processor time that the program and all that it has started have used."""
        used = 0.0
        with contextlib.suppress(psutil.Error):
            own = psutil.Process(self._number)
            for process in (own, *own.children(recursive=True)):
                times = process.cpu_times()
                used += times.user + times.system + times.children_user + times.children_system
        return used

    def _raise_end(self) -> None:
        """Say how the program ended, or that it has closed its end of a pipe and is of no use any more."""
        self._hear_keeper(lambda said: "code" in said, MOST_TO_END)
        end = self._keeper_said
        told = self._words()
        code = end.get("code")
        why = end.get("why")
        if why:
            raise PlayerCrashed(f"too much: {self._name} had {why}{told}")
        if code is None:
            raise PlayerCrashed(f"crash: {self._name} has closed its standard input or output{told}")
        if code == -signal.SIGXCPU:
            raise PlayerTimeout(f"timeout: {self._name} had no processor time left")
        how = f"with exit code {code}" if code >= 0 else f"by signal {-code} ({signal.strsignal(-code)})"
        raise PlayerCrashed(f"crash: {self._name} ended {how}{told}")

    def last_words(self) -> str:
        """What it has written to its standard error, the end of it, in words for a reason; empty if nothing."""
        self._tell_log()
        return self._words()

    def _words(self) -> str:
        words = " ".join(str(self._keeper_said.get("last_words", "")).split())
        return f"; it last wrote to its standard error: {words[-300:]}" if words else ""

    def _hear_keeper(self, enough: Callable[[dict[str, Any]], bool], seconds: float) -> None:
        """Hear what the keeper says, until it has said enough, or that all is over, or nothing in time."""
        until = running_time() + seconds
        words = select.poll()
        words.register(self._keeper, select.POLLIN)
        while not enough(self._keeper_said) and "code" not in self._keeper_said and running_time() < until:
            if not words.poll(BETWEEN_LOOKS * 1000):
                continue
            try:
                data = self._keeper.recv(65536)
            except OSError:
                return
            if not data:
                return
            *lines, self._keeper_words = (self._keeper_words + data).split(b"\n")
            for line in lines:
                self._keeper_said |= json.loads(line)

    def hang_up(self, seconds: float) -> tuple[bytes, bool]:
        """Close its input alone: what it still writes, and whether it has ended within ``seconds``."""
        self.go()
        os.close(self._input)
        self._input = os.open(os.devnull, os.O_WRONLY)
        until = running_time() + seconds
        try:
            while running_time() < until and len(self._heard) <= LONGEST_LINE:
                if self._answers.poll(BETWEEN_LOOKS * 1000):
                    self._listen()
        except PlayerCrashed:
            return self._heard.strip(), True
        return self._heard.strip(), False

    def end(self) -> None:
        """Close its input and have it ended with all that it has started, in half a second at most; this does not wait for that."""
        self._rest.end()
        for file in (self._input, self._output):
            os.close(file)
        self._keeper.close()
        _ending.append(self._process)
        _ending[:] = [process for process in _ending if process.poll() is None]

    def wait_for_end(self) -> None:
        """After :meth:`end`, wait until nothing is left of it, and all that it wrote to its standard error is in its log."""
        with contextlib.suppress(subprocess.TimeoutExpired):  # it is killed all the same
            self._process.wait(MOST_TO_START)


_ending: list[subprocess.Popen[bytes]] = []
"""Keepers that have not ended yet, so that they leave no zombies."""


def go_on(until: float, interrupted: Callable[[], bool]) -> None:
    """Raise that nothing more is waited for, if that is so."""
    if interrupted():
        raise Interrupted
    if running_time() >= until:
        raise PlayerTimeout("timeout: no answer in time")


def shown(line: bytes) -> str:
    """What a program has written, for people to read."""
    text = printable(line[:200].decode(errors="backslashreplace"))
    return f"{text} …" if len(line) > 200 else text
