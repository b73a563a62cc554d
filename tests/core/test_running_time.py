"""A judge that was stopped charges no player for it."""

from __future__ import annotations

import asyncio
import multiprocessing

import pytest

from ludarium.core import running_time as module
from ludarium.core.running_time import LEAST_STOP, RunningTime, run_by_running_time, running_time


def test_it_runs_on_but_for_stops() -> None:
    now, worked = [100.0], [5.0]
    clock = RunningTime(lambda: now[0], lambda: worked[0])
    assert clock() == 100
    now[0] += 0.1
    assert clock() == pytest.approx(100.1)
    now[0] += 3600  # stopped
    assert clock() == pytest.approx(100.1)
    now[0] += 10
    worked[0] += 10  # a computation that lets no other thread run
    assert clock() == pytest.approx(110.1)
    now[0] += LEAST_STOP * 0.9  # a busy computer
    assert clock() == pytest.approx(110.1 + LEAST_STOP * 0.9)


def test_a_process_that_is_forked_looks_at_the_clock_itself() -> None:
    running_time()
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.apply(_looks_at_the_clock)


def _looks_at_the_clock() -> bool:
    running_time()
    return "running time" in {thread.name for thread in module.threading.enumerate()}


async def _play() -> str:
    """Be stopped while a time limit runs, and be told something afterwards, within the limit."""
    loop = asyncio.get_running_loop()
    run_by_running_time(loop)
    over: asyncio.Future[str] = loop.create_future()
    loop.call_later(0.9, lambda: over.done() or over.set_result("too late"))
    script = "kill -STOP $PPID; sleep 1.5; kill -CONT $PPID; sleep 0.2; echo"
    other = await asyncio.create_subprocess_exec("sh", "-c", script, stdout=asyncio.subprocess.PIPE)
    assert other.stdout is not None
    answer = asyncio.ensure_future(other.stdout.readline())
    answer.add_done_callback(lambda _: over.done() or over.set_result("in time"))
    return await over


def _played() -> str:
    return asyncio.run(_play())


def test_the_timers_of_an_event_loop_wait_while_it_is_stopped() -> None:
    """It takes as long as a stop at least takes."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:  # pytest itself is not to be stopped
        assert pool.apply(_played) == "in time"
