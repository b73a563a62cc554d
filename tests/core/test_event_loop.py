"""Calls into event loops that may have ended, and work whose result is not asked for."""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest

from ludarium.core.event_loop import call_in_loop, log_failure


class Broken(asyncio.SelectorEventLoop):
    def call_soon_threadsafe(self, callback: Any, *args: Any, context: Any = None) -> asyncio.Handle:
        raise RuntimeError("dictionary changed size during iteration")


def test_a_closed_loop_calls_nothing_and_says_so() -> None:
    called: list[int] = []
    loop = asyncio.new_event_loop()
    assert call_in_loop(loop, called.append, 1)
    loop.call_soon(loop.stop)
    loop.run_forever()
    loop.close()
    assert not call_in_loop(loop, called.append, 2)
    assert called == [1]


def test_other_errors_are_raised() -> None:
    loop = Broken()
    with pytest.raises(RuntimeError, match="changed size"):
        call_in_loop(loop, print)
    loop.close()


def test_a_failure_is_logged_with_its_traceback(caplog: pytest.LogCaptureFixture) -> None:
    log = logging.getLogger("ludarium.web")

    def fail() -> None:
        raise RuntimeError("dictionary changed size during iteration")

    with ThreadPoolExecutor(1) as threads:
        for work in (fail, print):
            threads.submit(work).add_done_callback(partial(log_failure, log))
    cancelled: Future[None] = Future()
    cancelled.cancel()
    log_failure(log, cancelled)
    (record,) = caplog.records
    assert record.exc_info
    assert "changed size" in str(record.exc_info[1])
