"""The server as its users feel it: from a click to the new position while 50 games against bots are running, and the weight of the lobby."""

from __future__ import annotations

import asyncio
import functools
import gzip
import json
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from typing import Any
from urllib.parse import urljoin

from websockets.asyncio.client import ClientConnection, connect

from ludarium.web.compiling.warmup import all_parts, warm_up

from .harness import Row, at_most

GAMES = 50
PAIRS = 4
SECONDS = 15.0
BOTS = ("alphabeta:lapse=100", "alphabeta:depth=2,lapse=30", "alphabeta", "alphabeta:time=3s", "mcts")
MOST_MILLISECONDS = 50.0
MOST_BYTES = 100_000


def rows() -> Iterator[Row]:
    @functools.cache
    def milliseconds(games: int) -> list[float]:
        with serving() as address:
            return asyncio.run(clicks(address, games))

    def weight() -> float:
        with serving() as address:
            return weight_of(f"http://{address}/")

    bound = at_most(value=MOST_MILLISECONDS)
    for percent, took in ((50, 50), (95, 0), (99, 0)):
        name = f"click to new position, p{percent}, {GAMES} bots are asked at once"
        ours, theirs = (lambda games=games, percent=percent: percentile(milliseconds(games), percent) for games in (GAMES, 0))
        yield Row(name, "ms", ours, "nobody else is there", theirs, bound, rounds=1, seconds=took)
    lobby = "lobby with all that it loads"
    yield Row(lobby, "bytes", weight, "what it may weigh", lambda: MOST_BYTES, at_most(ratio=1.0), rounds=1)


@contextmanager
def serving(*options: str) -> Iterator[str]:
    """A server in a process of its own, with all that games need compiled; its address."""
    for part in all_parts():
        warm_up(part)
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "ludarium", "serve", "--port", "0", "--data", folder, *options]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            try:
                assert process.stdout is not None
                yield next(match[1] for line in process.stdout if (match := re.search(r"http://([\w.:]+)", line)))
            finally:
                process.terminate()


async def clicks(address: str, games: int) -> list[float]:
    """Milliseconds from sending an action to having the position after it, once all games are running.

    In ``games`` games people answer their bots within a second, so that there is always more to think than the processor can. In a few others
    people play each other fast, for their clicks do not wait for bots.
    """
    found: list[float] = []
    ready = asyncio.Barrier(games + PAIRS + 1)
    against_bots = [play(address, BOTS[number % len(BOTS)], number, ready, found) for number in range(games)]
    pairs = [play(address, "human", number, ready, found) for number in range(PAIRS)]
    tasks = [asyncio.create_task(player) for player in (*against_bots, *pairs)]
    await asyncio.wait_for(ready.wait(), 120)
    await asyncio.sleep(SECONDS)
    for task in tasks:
        task.cancel()
    for problem in await asyncio.gather(*tasks, return_exceptions=True):
        if not isinstance(problem, asyncio.CancelledError):
            raise RuntimeError("a player left the benchmark") from problem
    return found


async def play(address: str, opponent: str, number: int, ready: asyncio.Barrier, found: list[float]) -> None:
    """Play games for ever, at random; against a person, both sides."""
    choice = random.Random(number)
    is_first = True
    while True:
        wish = {"game": "expendibots", "players": ["human", opponent], "seed": number}
        made = await asyncio.to_thread(post, f"http://{address}/api/games", wish)
        async with AsyncExitStack() as sockets:
            seats = [await sockets.enter_async_context(sitting(address, made["id"], seat["token"])) for seat in made["seats"]]
            positions = [await next_position(seat) for seat in seats]
            if is_first:
                await ready.wait()
                is_first = False
            while not positions[0]["outcome"]:
                mover = next((seat for seat, position in enumerate(positions) if position["actions"]), None)
                if mover is not None:
                    await asyncio.sleep(choice.uniform(0.05, 0.15) if opponent == "human" else choice.uniform(0.0, 1.0))
                    action = choice.choice(positions[mover]["actions"])["text"]
                    start = time.perf_counter()
                    await seats[mover].send(json.dumps({"type": "act", "ply": positions[mover]["ply"], "action": action}))
                    positions[mover] = await next_position(seats[mover])
                    found.append(1000 * (time.perf_counter() - start))
                    positions = [positions[seat] if seat == mover else await next_position(seats[seat]) for seat in range(len(seats))]
                else:
                    positions = [await next_position(seat) for seat in seats]


@asynccontextmanager
async def sitting(address: str, id: str, token: str) -> AsyncIterator[ClientConnection]:
    async with connect(f"ws://{address}/api/games/{id}/socket", compression=None) as socket:
        await socket.send(json.dumps({"type": "join", "version": 1, "token": token}))
        yield socket


async def next_position(socket: ClientConnection) -> dict[str, Any]:
    while True:
        message = json.loads(await socket.recv())
        if message["type"] == "position":
            return message
        assert message["type"] in ("welcome", "players"), message


def post(url: str, wish: dict[str, Any]) -> dict[str, Any]:
    with urllib.request.urlopen(urllib.request.Request(url, json.dumps(wish).encode()), timeout=60) as answer:
        return json.load(answer)


def percentile(values: list[float], percent: int) -> float:
    return statistics.quantiles(values, n=100, method="inclusive")[percent - 1]


def weight_of(url: str) -> int:
    """Bytes that come over the wire for a page and for everything that it, its style sheets and its modules name."""
    waiting, seen, total = [url], set[str](), 0
    while waiting:
        address = waiting.pop()
        if address in seen:
            continue
        seen.add(address)
        with urllib.request.urlopen(urllib.request.Request(address, headers={"Accept-Encoding": "gzip"}), timeout=60) as answer:
            content = answer.read()
            is_packed = answer.headers["Content-Encoding"] == "gzip"
        total += len(content)
        text = (gzip.decompress(content) if is_packed else content).decode(errors="replace")  # fonts name nothing
        names = re.findall(r'(?:<(?:script|img)[^>]* src|<link[^>]* href)="([^"]+)"', text) if address == url else []
        if address.endswith(".js"):
            names = re.findall(r'(?:from|import)\s*\(?\s*"([^"]+)"', text)
        elif address.endswith(".css"):
            names = re.findall(r'(?:url\(|@import )["\']?([^"\')]+)', text)
        waiting += [urljoin(address, name) for name in names if not name.startswith("data:")]
    return total
