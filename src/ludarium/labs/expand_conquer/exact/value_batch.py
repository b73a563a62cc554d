"""Exact values of many boards in one process: JSON Lines in, JSON Lines out."""

from __future__ import annotations

import json
import sys
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, BinaryIO, cast

import typer

from ludarium.cgt.engine.store import store
from ludarium.cgt.forgetting import forget
from ludarium.core.user_text import decode_line, user_lines
from ludarium.errors import BadNotation, LudariumError, store_errors
from ludarium.games.expand_conquer.boards import read_boards

from .analysis import analyse, json_object
from .estimate import estimate
from .progress import Watch, announcement, most_bytes

REFUSED = 2

KEPT = 4
"""When values take more than this part of the memory allowed, they are forgotten before the next line."""


def run(source: str, variant: str, megabytes: int | None, limit: float | None) -> None:
    """Answer every line of a file (``-``: of standard input) with a line, in order and at once.

    A line that cannot be answered gets an object with ``line`` (counted from 1) and ``error``, and the error stands on standard error too; the others are
    answered all the same. Empty lines are skipped.

    Raises:
        StoreError: the file cannot be read.
        typer.Exit: with 2 at the end, where some line could not be answered.
    """
    allowed = most_bytes(megabytes)
    failed = False
    with _opened(source) as file, Watch() as watch:
        for number, line in enumerate(user_lines(file, "standard input" if source == "-" else source), 1):
            watch.when_stopped = f"lines answered: {number - 1:,}"
            if not line.strip():
                continue
            answer = _answer(line, number, variant, allowed, limit)
            if "error" in answer:
                failed = True
                print(f"error: line {number}: {answer['error']}", file=sys.stderr, flush=True)
            print(json.dumps(answer, ensure_ascii=False), flush=True)
            if sum(array.nbytes for array in store.arena) > allowed // KEPT:
                forget()
    if failed:
        raise typer.Exit(REFUSED)


def _opened(source: str) -> AbstractContextManager[BinaryIO]:
    if source == "-":
        return nullcontext(sys.stdin.buffer)
    with store_errors(f"{source} cannot be read"):
        return Path(source).open("rb")


def _answer(line: bytes, number: int, variant: str, most: int, limit: float | None) -> dict[str, Any]:
    """The object for a line."""
    watch = Watch(limit)
    asked: dict[str, Any] = {}
    try:
        asked = _asked(decode_line(line), variant)
        boards = read_boards([asked["board"]])
        notice = announcement(estimate(boards, asked["variant"] == "all-small"), most)
        watch.notice = None if notice is None else f"line {number}: {notice}"
        with store.at_most_bytes(most):
            analysis = analyse(boards, asked["variant"], with_options=False, progress=watch, most_bytes=most)
            return json_object(analysis, with_options=False)
    except LudariumError as problem:
        return {"line": number, **asked, "error": str(problem)}
    finally:
        watch.clear()


def _asked(line: str, variant: str) -> dict[str, str]:
    """The board and the variant of a line."""
    try:
        read = json.loads(line)
    except (ValueError, RecursionError):
        read = None
    if not isinstance(read, dict):
        raise BadNotation(f'\'{line.strip()[:80]}\' is no JSON object such as {{"board": "X*O*O", "variant": "normal"}}')
    found = cast("dict[str, Any]", read)
    asked: dict[str, Any] = {"board": found.get("board"), "variant": found.get("variant", variant)}
    for name, given in asked.items():
        if not isinstance(given, str):
            raise BadNotation(f"{name} {json.dumps(given)[:80]} is no text")
    return asked
