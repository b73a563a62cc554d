"""Bots as ``ludarium init-bot`` writes them, through the judge, beside the pipe alone: the same lines to a program that answers without reading them."""

from __future__ import annotations

import contextlib
import functools
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil

import ludarium
from ludarium.arena import play_game
from ludarium.errors import PlayerFailed

from .harness import Row, at_least, rate

MOVES = 3000

ANSWER = '{"type":"action","action":1}'
ECHO = {
    "py": f"import sys\nfor line in sys.stdin:\n    print({ANSWER!r}, flush=True)\n",
    "cpp": f"""
#include <iostream>
#include <string>
int main() {{
    for (std::string line; std::getline(std::cin, line);) std::cout << R"({ANSWER})" << std::endl;
}}
""",
}

LINE = b'{"type":"turn",' + b" " * 800 + b"}\n"
"""About as long as a turn of Expendibots."""


def rows() -> Iterator[Row]:
    for suffix, language, value in (("py", "Python", 5000), ("cpp", "C++", 10_000)):
        yield Row(
            f"actions of a bot in {language}, one core",
            "actions/s",
            functools.partial(on_one_core, functools.partial(played, suffix)),
            "the pipe alone",
            functools.partial(on_one_core, functools.partial(echoed, suffix)),
            at_least(value=value),
            seconds=20,
        )


def on_one_core(measured: Callable[[], int]) -> float:
    """Actions a second of the processor, with the judge and the bot on the same core, so that one of them waits while the other computes."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(cores)})
    try:
        return rate(measured, processor_seconds)
    finally:
        os.sched_setaffinity(0, cores)


def processor_seconds() -> float:
    """Those of this process and of all that it has started, running or ended: other programs on the machine take nothing of them."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = time.process_time() + ended.ru_utime + ended.ru_stime
    for process in psutil.Process().children(recursive=True):
        with contextlib.suppress(OSError):  # it ends while it is looked at
            seconds += time.clock_gettime(~process.pid << 3 | 2)  # its number as that of a clock, as pthread_getcpuclockid(3) makes it
    return seconds


@functools.cache
def folder() -> Path:
    made = Path(tempfile.mkdtemp(prefix="ludarium-bots-"))
    made.chmod(0o755)  # what root starts runs as another user in its sandbox
    return made


@functools.cache
def bot(suffix: str) -> str:
    path = folder() / f"bot.{suffix}"
    subprocess.run([sys.executable, "-m", "ludarium", "init-bot", "expendibots", str(path)], check=True, stdout=subprocess.DEVNULL)
    return str(path)


def played(suffix: str) -> int:
    game, actions, seed = ludarium.game("expendibots"), 0, 0
    while actions < MOVES:
        timeline = play_game(game, [bot(suffix)] * 2, seed=seed)
        if timeline.events[-2]["event"] == "forfeit":
            raise PlayerFailed(timeline.events[-2]["reason"])
        actions += timeline.ply
        seed += 1
    return actions


@functools.cache
def echo(suffix: str) -> list[str]:
    source = folder() / f"echo.{suffix}"
    source.write_text(ECHO[suffix], encoding="utf-8")
    if suffix == "py":
        return [sys.executable, str(source)]
    subprocess.run(["c++", "-O2", "-o", str(source.with_suffix("")), str(source)], check=True)
    return [str(source.with_suffix(""))]


def echoed(suffix: str) -> int:
    with subprocess.Popen(echo(suffix), stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(MOVES):
            process.stdin.write(LINE)
            process.stdin.flush()
            process.stdout.readline()
        process.stdin.close()
    return MOVES
