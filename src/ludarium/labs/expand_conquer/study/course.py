"""The study of the paper: its statements, and then questions beyond it for as long as there is time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from functools import partial
from typing import Any

from ludarium.errors import TooLarge

from .agenda import easy_questions, name_of, next_question
from .all_small_statements import ALL_SMALL_STATEMENTS
from .asking import Asker, Unanswered
from .findings import OUTCOMES, text_of
from .normal_statements import NORMAL_STATEMENTS
from .notebook import Notebook
from .questions import Question, answer
from .statement import Statement

Stopped = Callable[[], bool]

STATEMENTS = (*NORMAL_STATEMENTS, *ALL_SMALL_STATEMENTS)
HOW_MANY = len(STATEMENTS)


def statements(stopped: Stopped) -> Iterator[Statement]:
    """The paper's statements, each computed anew, in the paper's order; the conjectures are left to :mod:`.conclusions`."""
    for compute in STATEMENTS:
        if stopped():
            return
        yield compute()


def answer_easy_questions(notebook: Notebook, most_bytes: int, stopped: Stopped) -> None:
    """Answer what takes no time, so that every study knows something of every subject.

    Raises:
        StoreError: an answer cannot be written.
    """
    for question in easy_questions(notebook):
        if stopped():
            return
        _work_on(notebook, question, most_bytes, lambda question=question: answer(question, most_bytes))


def go_further(
    notebook: Notebook, *, seconds: float, most_bytes: int, stopped: Stopped, progress: Callable[[str], None], say: Callable[[str], None]
) -> None:
    """Answer one question after the other, from easy to hard, until the time is up, nothing is left to try or ``stopped()`` becomes true.

    Args:
        seconds: the time to take.
        most_bytes: the memory that each answer may take.
        progress: told again and again what is being computed and how far it is.
        say: told each result in one line.

    Raises:
        StoreError: an answer cannot be written.
        LudariumError: the process that computes failed.
    """
    with closing(Asker()) as asker, suppress(Unanswered):
        asker.prepare(stopped=stopped, progress=progress)
        deadline = time.monotonic() + seconds
        while not stopped() and (left := deadline - time.monotonic()) > 0:
            question = next_question(notebook, left, most_bytes)
            if question is None:
                break
            name = name_of(question)
            progress(name)
            ask = partial(
                asker.ask,
                question,
                seconds=left,
                most_bytes=most_bytes,
                stopped=stopped,
                progress=lambda far, name=name: progress(f"{name}: {far}"),
            )
            say(f"{name}: {_work_on(notebook, question, most_bytes, ask)}")


def _work_on(notebook: Notebook, question: Question, most_bytes: int, ask: Callable[[], dict[str, Any]]) -> str:
    """Note the answer to a question, or that there is none; what came of it in a few words."""
    started = time.monotonic()
    try:
        found = ask()
    except (Unanswered, TooLarge) as problem:
        seconds, is_large = time.monotonic() - started, isinstance(problem, TooLarge)
        notebook.add_attempt(question, "memory" if is_large else "time", seconds, most_bytes)
        return f"too large for {most_bytes >> 20:,} MB, after {seconds:.1f} s" if is_large else f"stopped after {seconds:.1f} s"
    seconds = time.monotonic() - started
    notebook.add(question, found, seconds, most_bytes)
    return f"{said_of(found)} ({seconds:.1f} s)"


def said_of(found: dict[str, Any]) -> str:
    """An answer in a few words."""
    return text_of(found) if "canonical" in found else OUTCOMES[found["outcome"]]
