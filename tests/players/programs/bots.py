"""Programs for tests, as the files that they are."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from ludarium.players.programs import pool

GREETED = """\
import json, os, random, signal, subprocess, sys, threading, time

def say(**message):
    print(json.dumps(message), flush=True)

def turns():
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            say(type="ready", name="test")
        elif message["type"] == "turn":
            yield message

def act(message):
    say(type="action", action=message["actions"][0])

"""
"""A program's beginning: it greets, and ``turns()`` gives the turns."""


def write_bot(folder: Path, body: str, name: str = "bot.py") -> str:
    """Write a program that begins as above; its spec."""
    path = folder / name
    path.write_text(GREETED + body, encoding="utf-8")
    return str(path)


def eventually(condition: Callable[[], bool]) -> bool:
    """Wait for what another process does."""
    until = time.monotonic() + 60  # only who waits in vain waits so long, and computers that test are busy
    while not condition() and time.monotonic() < until:
        time.sleep(0.01)
    return condition()


def written(path: Path, last: str) -> str:
    """What a program has written to a file when it has ended: programs that are stopped hear of a result late."""
    pool.end_all()
    assert eventually(lambda: path.exists() and last in path.read_text(encoding="utf-8"))
    return path.read_text(encoding="utf-8")
