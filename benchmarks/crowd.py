"""A server with 500 games between people, 1,000 sockets and 100 actions a second."""

from __future__ import annotations

import asyncio
import functools
import json
import random
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack

from websockets.asyncio.client import ClientConnection

from .harness import Row, at_most
from .server import SECONDS, next_position, percentile, post, serving, sitting

CROWD = 500
CROWD_ACTIONS = 100
"""Actions per second, over all games."""
MOST_IN_CROWD = 40.0


def rows() -> Iterator[Row]:
    @functools.cache
    def in_crowd(games: int) -> list[float]:
        with serving("--max-games", f"{CROWD}", "--people-per-address", "2000") as address:
            return asyncio.run(crowd(address, games))

    name = f"action to new position, p99, {CROWD} games, {2 * CROWD:,} sockets, {CROWD_ACTIONS} actions/s"
    few = CROWD // 10
    ours, theirs = (lambda games=games: percentile(in_crowd(games), 99) for games in (CROWD, few))
    yield Row(name, "ms", ours, f"{few} games, as many actions", theirs, at_most(value=MOST_IN_CROWD), rounds=1, seconds=120)


async def crowd(address: str, games: int) -> list[float]:
    """Return the milliseconds from sending an action to having the position after it, in games between two people that act by turns."""
    found: list[float] = []
    async with AsyncExitStack() as sockets:
        tables: list[list[ClientConnection]] = []
        for number in range(games):
            wish = {"game": "expendibots", "players": ["human", "human"], "seed": number}
            made = await asyncio.to_thread(post, f"http://{address}/api/games", wish)
            tables.append([await sockets.enter_async_context(sitting(address, made["id"], seat["token"])) for seat in made["seats"]])
        positions = [[await next_position(seat) for seat in seats] for seats in tables]
        choice, busy = random.Random(0), [asyncio.Lock() for _ in tables]

        async def act(number: int) -> None:
            async with busy[number]:
                mover = next((seat for seat, position in enumerate(positions[number]) if position["actions"]), None)
                if mover is None:  # the game is over
                    return
                action = choice.choice(positions[number][mover]["actions"])["text"]
                start = time.perf_counter()
                await tables[number][mover].send(json.dumps({"type": "act", "ply": positions[number][mover]["ply"], "action": action}))
                own = await next_position(tables[number][mover])
                found.append(1000 * (time.perf_counter() - start))
                other = await next_position(tables[number][1 - mover])
                positions[number] = [own, other] if mover == 0 else [other, own]

        async with asyncio.TaskGroup() as tasks:
            begun = time.perf_counter()
            for turn in range(int(SECONDS * CROWD_ACTIONS)):
                # The pace is part of what is measured.
                await asyncio.sleep(begun + turn / CROWD_ACTIONS - time.perf_counter())
                tasks.create_task(act(turn % games))
    return found
