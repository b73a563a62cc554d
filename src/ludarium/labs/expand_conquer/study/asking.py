"""A second process that answers a study's questions, so that one can be given up at any moment and all of its memory comes back.

The processes exchange JSON objects, one a line: questions go in; reports of progress and in the end an answer, or that it takes too much memory, come out.
The second process ends with the first, however that ended.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import IO, Any

from ludarium.core.jit import on_compile
from ludarium.errors import LudariumError, TooLarge

from .questions import Question, answer

__all__ = ["Asker", "Unanswered"]

LOOK = 0.1
"""Seconds between two looks at the clock and at what the caller wants."""

SAY_EVERY = 0.1


class Unanswered(Exception):
    """The time was up, or the caller asked to stop."""


class Asker:
    """Asks one question after the other. A context manager."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None
        self._heard: queue.SimpleQueue[str | None] = queue.SimpleQueue()

    def __enter__(self) -> Asker:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def ask(
        self,
        question: Question,
        *,
        seconds: float,
        most_bytes: int,
        stopped: Callable[[], bool] = lambda: False,
        progress: Callable[[str], None] = lambda said: None,
    ) -> dict[str, Any]:
        """The answer, see :func:`.questions.answer`.

        Args:
            seconds: the time that it may take.
            most_bytes: the memory that it may take.
            stopped: asked again and again whether to give up.
            progress: told in a few words how far it is.

        Raises:
            Unanswered: the time was up, or ``stopped()`` became true.
            TooLarge: it would take more memory, or the system ended the process for want of it.
            LudariumError: the process failed.
        """
        deadline = time.monotonic() + seconds
        process = self._process or self._start()
        try:
            assert process.stdin is not None
            process.stdin.write(json.dumps({**question._asdict(), "most_bytes": most_bytes}) + "\n")
            process.stdin.flush()
            while True:
                if stopped() or time.monotonic() > deadline:
                    raise Unanswered
                try:
                    line = self._heard.get(timeout=LOOK)
                except queue.Empty:
                    continue
                if line is None:
                    raise self._death(process)
                said = json.loads(line)
                if "answer" in said:
                    return said["answer"]
                if "too_large" in said:
                    raise TooLarge(said["too_large"])
                progress(said["progress"])
        except BrokenPipeError:
            raise self._death(process) from None
        except BaseException:
            self.close()  # what it has computed so far is of no use, and its memory is wanted
            raise

    def _start(self) -> subprocess.Popen[str]:
        """A process in a session of its own: Ctrl-C is for the first process only."""
        self._heard = queue.SimpleQueue()
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", __name__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            start_new_session=True,
        )
        threading.Thread(target=_listen, args=(self._process.stdout, self._heard), daemon=True).start()
        return self._process

    def _death(self, process: subprocess.Popen[str]) -> LudariumError:
        code = process.wait()
        self.close()
        if code == -signal.SIGKILL:
            return TooLarge("the system ended the computation, most likely for want of memory")
        return LudariumError(f"the process that computes for the study ended with exit code {code}")

    def close(self) -> None:
        """End the process, whatever it is doing."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    with suppress(OSError):  # closing writes what was left to be written, and nobody reads it
                        pipe.close()


def _listen(stream: IO[str], heard: queue.SimpleQueue[str | None]) -> None:
    try:
        for line in stream:
            heard.put(line)
    except ValueError:
        pass  # closed in the meantime
    heard.put(None)


def main() -> None:
    """Answer the questions that come in, until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    on_compile.append(lambda name: _say({"progress": "compiling for this computer"}))
    requests: queue.SimpleQueue[str] = queue.SimpleQueue()
    threading.Thread(target=_receive, args=(requests,), daemon=True).start()
    while True:
        wanted = json.loads(requests.get())
        most_bytes = wanted.pop("most_bytes")
        try:
            _say({"answer": answer(Question(**wanted), most_bytes, _Progress())})
        except TooLarge as problem:
            _say({"too_large": str(problem)})
        except MemoryError:
            _say({"too_large": "the system has no more memory"})


def _receive(requests: queue.SimpleQueue[str]) -> None:
    """Hand on what comes in; when the other side is gone, so is this process."""
    for line in sys.stdin:
        requests.put(line)
    os._exit(0)


def _say(what: dict[str, Any]) -> None:
    print(json.dumps(what), flush=True)


class _Progress:
    """Says now and then how far a computation is."""

    def __init__(self) -> None:
        self._said = time.monotonic()

    def __call__(self, done: int, total: int | None = None) -> None:
        now = time.monotonic()
        if now - self._said > SAY_EVERY:
            self._said = now
            _say({"progress": f"{done:,} positions" if total is None else f"{done:,} of {total:,} positions"})


if __name__ == "__main__":
    main()
