"""Memory of a server that runs for long."""

from __future__ import annotations

import gc
import random
import threading
import tracemalloc
from pathlib import Path

import pytest

from ludarium.web.table import summary
from ludarium.web.table.renderings import Renderings
from tests.players.programs.bots import eventually
from tests.web.live import Live
from tests.web.test_life import Clock, sweep

GAMES = 3
ACTIONS = 40
WARM = 3
"""Rounds until all is in memory that stays there."""


def play_round(live: Live, clock: Clock, chance: random.Random) -> int:
    """Play some games at once, with a watcher each, until all have ended and left the memory. Return the number of actions."""
    played = 0
    for _ in range(GAMES):
        made = live.make("human", "human", game="expendibots", seed=chance.randrange(1000))
        white, black = (live.join(made["id"], seat["token"]) for seat in made["seats"])
        with white as first, black as second, live.join(made["id"]) as watcher:
            for ply in range(ACTIONS):
                for one in (first, second, watcher):
                    one.until(lambda position, ply=ply: position["ply"] >= ply)
                mover = first if first.position["actions"] else second
                if first.position["outcome"] or second.position["outcome"]:
                    break
                mover.act(chance.choice(mover.position["actions"])["text"])
                played += 1
            if not first.position["outcome"]:
                first.send(type="resign")
                watcher.until(lambda position: bool(position["outcome"]))
        assert eventually(lambda: not live.sessions.clients)
    sweep(live, clock, clock.now + 1000.0)  # from when on they have ended and are left
    sweep(live, clock, clock.now + 1000.0)
    assert len(live.sessions) == 0
    return played


def traced(room: threading.BoundedSemaphore) -> int:
    """Return the bytes in use when nothing is looked at any more."""
    with room:
        gc.collect()
        return tracemalloc.get_traced_memory()[0]


def test_memory_stays_flat(tmp_path: Path, scale: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """An action leaves a small part of what it takes in a running game, and all games together less than a megabyte.

    Caches are bounded, and so small here that they are full from the beginning.
    """
    monkeypatch.setattr(Renderings.__init__, "__defaults__", (200_000,))
    monkeypatch.setattr(summary, "_room", room := threading.BoundedSemaphore(1))
    clock, chance = Clock(), random.Random(0)
    with Live(tmp_path, clock=clock) as live:
        for _ in range(WARM):
            play_round(live, clock, chance)
        tracemalloc.start()
        try:
            play_round(live, clock, chance)
            before = traced(room)
            played = sum(play_round(live, clock, chance) for _ in range(4 * scale))
            grown = traced(room) - before
        finally:
            tracemalloc.stop()
    assert played > 200 * scale
    assert grown < 1_000_000 + 100 * played
