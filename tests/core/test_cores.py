"""Threads that stand back do so from their own process, however nice that is."""

from __future__ import annotations

import os
import sys

import pytest

from ludarium.core.cores import NICENESS
from tests.conftest import Python

STANDS_BACK = """
import os, threading
from ludarium.core.cores import stand_back

def look():
    stand_back()
    stand_back()
    print(os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))

os.nice({more})
thread = threading.Thread(target=look)
thread.start()
thread.join()
print(os.getpriority(os.PRIO_PROCESS, os.getpid()))
"""


def stood_back_from(usual: int) -> int:
    return min(usual + NICENESS, 19)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux knows priorities of threads")
@pytest.mark.parametrize("more", [0, 7, 19])
def test_a_thread_stands_back_from_its_process(more: int, python: Python) -> None:
    usual = min(os.getpriority(os.PRIO_PROCESS, os.getpid()) + more, 19)
    done = python(STANDS_BACK.format(more=more))
    assert (done.stdout.split(), done.stderr) == ([str(stood_back_from(usual)), str(usual)], "")
