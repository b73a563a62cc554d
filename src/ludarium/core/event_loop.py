"""Calls from other threads into an event loop that may have ended."""

from __future__ import annotations

from asyncio import AbstractEventLoop
from collections.abc import Callable
from concurrent.futures import Future
from logging import Logger
from typing import Any


def call_in_loop(loop: AbstractEventLoop, call: Callable[..., object], *arguments: Any) -> bool:
    """Have an event loop call something soon. May be called in any thread.

    Returns:
        False if the loop is closed, so that nothing will be called.
    """
    try:
        loop.call_soon_threadsafe(call, *arguments)
    except RuntimeError:
        if not loop.is_closed():
            raise
        return False
    return True


def log_failure(log: Logger, future: Future[Any]) -> None:
    """Log what a piece of work has raised whose result is not asked for. Give this to ``Future.add_done_callback``."""
    if not future.cancelled() and (problem := future.exception()) is not None:
        log.error("a thread has failed", exc_info=problem)
