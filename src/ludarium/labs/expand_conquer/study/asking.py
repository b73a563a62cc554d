"""A second process that answers a study's questions, so that one can be given up at any moment and all of its memory comes back."""

from __future__ import annotations

import math
import multiprocessing
import signal
import time
from collections.abc import Callable
from typing import Any, cast

from ludarium.arena.processes import follow_parent, quiet_start
from ludarium.core.jit import on_compile
from ludarium.errors import LudariumError, TooLarge
from ludarium.games.expand_conquer.values import ExpandConquerRuleset

from .questions import KINDS, Question, answer

LOOK = 0.1
"""Seconds between two looks at the clock and at what the caller wants."""

SAY_EVERY = 0.1

EASY_BYTES = 64 << 20
EASY = [Question(kind, variant, "X*O*", "*" if kind == "outcome" else "") for kind in KINDS for variant in ExpandConquerRuleset.VARIANTS]
"""Questions that need all the code there is, and the memory for one."""


class Unanswered(Exception):
    """The time was up, or the caller asked to stop."""


class Asker:
    """Asks one question after the other, until it is closed."""

    def __init__(self) -> None:
        self._process: Any = None
        self._pipe: Any = None

    def prepare(self, *, stopped: Callable[[], bool] = lambda: False, progress: Callable[[str], None] = lambda said: None) -> None:
        """Start the process, and wait until its code is compiled or loaded: :meth:`ask` does so before a question's time begins.

        Raises:
            Unanswered: ``stopped()`` became true.
            LudariumError: the process failed.
        """
        if self._process is None:
            self._start()
            self._answer(None, math.inf, stopped, progress)

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
        self.prepare(stopped=stopped, progress=progress)
        return self._answer((question, most_bytes), time.monotonic() + seconds, stopped, progress)

    def _answer(self, question: Any, deadline: float, stopped: Callable[[], bool], progress: Callable[[str], None]) -> dict[str, Any]:
        """The answer to a question, or the first that comes if there is none."""
        try:
            if question is not None:
                self._pipe.send(question)
            while True:
                if stopped() or time.monotonic() > deadline:
                    raise Unanswered
                if not self._pipe.poll(LOOK):
                    continue
                said = self._pipe.recv()
                if isinstance(said, dict):
                    return cast("dict[str, Any]", said)
                if isinstance(said, TooLarge):
                    raise said
                progress(said)
        except (EOFError, ConnectionError):
            raise self._death() from None
        except BaseException:
            self.close()  # what it has computed so far is of no use, and its memory is wanted
            raise

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=answer_questions, args=(theirs,), daemon=True)
        with quiet_start(answer_questions):
            self._process.start()
        theirs.close()  # so that nothing can come in once the process is gone

    def _death(self) -> LudariumError:
        self._process.join()
        code = self._process.exitcode
        self.close()
        if code == -signal.SIGKILL:
            return TooLarge("the system ended the computation, most likely for want of memory")
        return LudariumError(f"the process that computes for the study ended with exit code {code}")

    def close(self) -> None:
        """End the process, whatever it is doing."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.join()
            self._pipe.close()


def answer_questions(pipe: Any) -> None:
    """Answer the questions that come in: with texts about how far it is, and in the end an answer, or that it takes too much memory.

    An answer without facts comes first, when all code is there.
    """
    follow_parent()
    on_compile.append(lambda name: pipe.send("compiling for this computer"))
    said = time.monotonic()

    def tell(done: int, total: int | None) -> None:
        nonlocal said
        if time.monotonic() - said > SAY_EVERY:
            said = time.monotonic()
            pipe.send(f"{done:,} positions" if total is None else f"{done:,} of {total:,} positions")

    for easy in EASY:
        answer(easy, EASY_BYTES)
    pipe.send({})
    while True:
        question, most_bytes = pipe.recv()
        try:
            pipe.send(answer(question, most_bytes, tell))
        except TooLarge as problem:
            pipe.send(problem)
        except MemoryError:
            pipe.send(TooLarge("the system has no more memory"))
