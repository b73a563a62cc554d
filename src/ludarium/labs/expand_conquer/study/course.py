"""The study of the paper: its statements, and then questions beyond it for as long as there is time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

from ludarium.errors import TooLarge

from .agenda import easy_questions, name_of, next_question
from .all_small_statements import ALL_SMALL_STATEMENTS
from .asking import Asker, Unanswered
from .findings import OUTCOMES, text_of
from .normal_statements import NORMAL_STATEMENTS
from .notebook import Notebook
from .questions import answer
from .statement import Statement

__all__ = ["HOW_MANY", "answer_easy_questions", "go_further", "statements"]

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
        started = time.monotonic()
        try:
            found = answer(question, most_bytes)
        except TooLarge:
            notebook.add_attempt(question, "memory", time.monotonic() - started, most_bytes)
        else:
            notebook.add(question, found, time.monotonic() - started, most_bytes)


def go_further(
    notebook: Notebook,
    *,
    seconds: float,
    most_bytes: int,
    stopped: Stopped,
    progress: Callable[[str], None],
    say: Callable[[str], None],
) -> int:
    """Answer one question after the other, from easy to hard, until the time is up, nothing is left to try or ``stopped()`` becomes true.

    Args:
        seconds: the time to take.
        most_bytes: the memory that each answer may take.
        progress: told again and again what is being computed and how far it is.
        say: told each result in one line.

    Returns:
        How many questions were answered.

    Raises:
        StoreError: an answer cannot be written.
        LudariumError: the process that computes failed.
    """
    deadline = time.monotonic() + seconds
    answered = 0
    with Asker() as asker:
        while not stopped() and (left := deadline - time.monotonic()) > 0:
            question = next_question(notebook, left, most_bytes)
            if question is None:
                break
            name, started = name_of(question), time.monotonic()
            progress(name)
            try:
                found = asker.ask(
                    question,
                    seconds=left,
                    most_bytes=most_bytes,
                    stopped=stopped,
                    progress=lambda far, name=name: progress(f"{name}: {far}"),
                )
            except Unanswered:
                notebook.add_attempt(question, "time", time.monotonic() - started, most_bytes)
                say(f"{name}: stopped after {_duration(started)}")
            except TooLarge:
                notebook.add_attempt(question, "memory", time.monotonic() - started, most_bytes)
                say(f"{name}: too large for {most_bytes >> 20:,} MB, after {_duration(started)}")
            else:
                notebook.add(question, found, time.monotonic() - started, most_bytes)
                answered += 1
                say(f"{name}: {said_of(found)} ({_duration(started)})")
    return answered


def said_of(found: dict[str, Any]) -> str:
    """An answer in a few words."""
    return text_of(found) if "canonical" in found else OUTCOMES[found["outcome"]]


def _duration(started: float) -> str:
    return f"{time.monotonic() - started:.1f} s"
