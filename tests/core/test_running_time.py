"""The clock by which judges measure others stands still while the judge is stopped."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

from ludarium.core.running_time import LEAST_STOP, RunningTime


class Machine:
    """Clocks that a test moves."""

    def __init__(self) -> None:
        self.now = 100.0
        self.worked = 0.0

    def wait(self, seconds: float, working: bool = False) -> None:
        self.now += seconds
        self.worked += seconds if working else 0.0


def test_only_long_gaps_without_work_are_left_out() -> None:
    machine = Machine()
    clock = RunningTime(lambda: machine.now, lambda: machine.worked)
    start = clock()
    for _ in range(80):
        machine.wait(LEAST_STOP / 8)
        clock()
    assert clock() - start == 10 * LEAST_STOP
    machine.wait(60 * LEAST_STOP)  # Ctrl-Z
    assert clock() - start == 10 * LEAST_STOP
    machine.wait(60 * LEAST_STOP, working=True)  # a computation that lets nothing else run
    assert clock() - start == 70 * LEAST_STOP


def test_a_process_that_was_stopped_measures_nothing_of_its_stop() -> None:
    code = (
        "import sys, time\n"
        "from ludarium.core.running_time import running_time\n"
        "start, real = running_time(), time.monotonic()\n"
        "print('ready', flush=True)\n"
        "sys.stdin.readline()\n"
        "print(running_time() - start, time.monotonic() - real, flush=True)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as judge:
        assert judge.stdin is not None
        assert judge.stdout is not None
        assert judge.stdout.readline() == "ready\n"
        os.kill(judge.pid, signal.SIGSTOP)
        os.waitid(os.P_PID, judge.pid, os.WSTOPPED)
        waited = subprocess.run([sys.executable, "-c", f"import time; time.sleep({3 * LEAST_STOP})"], check=True)
        assert waited.returncode == 0
        os.kill(judge.pid, signal.SIGCONT)
        judge.stdin.write("go on\n")
        judge.stdin.flush()
        ran, passed = map(float, judge.stdout.readline().split())
    assert passed - ran > 2.5 * LEAST_STOP, "the stop counts as running time"
