"""A loaded ladder whose server is killed again and again: the store has every game that a bot was told the result of, once."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.sync.client import connect

from ludarium.arena.play import player_seed
from ludarium.arena.store import VARIABLE, StoredGame, open_database, search_games, totals
from ludarium.arena.store.records import check_store
from ludarium.core.record import read_record
from tests.web.live import PATIENCE

BOTS = 24

Told = tuple[int, int, tuple[float, ...], str]
"""A bot's seed, its seat, and how the game ended."""


@contextmanager
def served(folder: Path, *more: str) -> Generator[tuple[subprocess.Popen[str], str]]:
    command = [sys.executable, "-m", "ludarium", "serve", "--port", "0", "--data", str(folder), "--ladder", "tic-tac-toe", *more]
    told = {**os.environ, VARIABLE: f"sqlite:///{folder}/store.sqlite"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=told) as process:
        try:
            assert process.stdout is not None
            line = next(line for line in process.stdout if "http://" in line)
            yield process, line.split("http://")[1].split()[0].partition("/")[0]
        finally:
            process.kill()


class Bot(threading.Thread):
    """Plays at random until its connection ends."""

    def __init__(self, address: str, name: str, key: str | None, results: SimpleQueue[Told]) -> None:
        """Put each result into ``results``, too."""
        super().__init__(daemon=True)
        self.address, self.called, self.key, self.results = address, name, key, results
        self.told: list[Told] = []

    def run(self) -> None:
        with (
            suppress(ConnectionClosed, ConnectionError, InvalidHandshake, EOFError),
            connect(f"ws://{self.address}/api/ladder/tic-tac-toe") as connection,
        ):
            connection.send(json.dumps({"type": "join", "protocol": 1, "name": self.called, "key": self.key}))
            self.key = json.loads(connection.recv()).get("key", self.key)
            game: dict[str, Any] = {}
            for message in map(json.loads, connection):
                if message["type"] == "hello":
                    connection.send('{"type":"ready","send":["indices"]}')
                elif message["type"] == "game":
                    game = message
                elif message["type"] == "turn":
                    connection.send(json.dumps({"type": "action", "action": random.choice(message["indices"])}))
                elif message["type"] == "result":
                    self.told.append((game["seed"], game["seat"], tuple(message["returns"]), message["reason"]))
                    self.results.put(self.told[-1])


def play(address: str, keys: Mapping[str, str | None], results: int) -> list[Bot]:
    """Start a bot for each name, and return when they have heard so many results together."""
    heard = SimpleQueue[Told]()
    bots = [Bot(address, name, key, heard) for name, key in keys.items()]
    for bot in bots:
        bot.start()
    for _ in range(results):
        heard.get(timeout=4 * PATIENCE)  # the first game may have to be compiled
    return bots


def kept(games: list[StoredGame]) -> Counter[Told]:
    """What the players of games are told."""
    return Counter(
        (player_seed(game.seed or 0, seat) >> 11, seat, game.returns, game.reason) for game in games for seat in range(len(game.players))
    )


def test_a_ladder_that_is_killed_loses_no_game(tmp_path: Path, scale: int) -> None:
    """Takes ten seconds, for the games have to run."""
    chance, told = random.Random(1), list[Told]()
    keys = dict[str, str | None].fromkeys(f"Bot {number}" for number in range(BOTS))
    for _ in range(3 if scale == 1 else 20):
        with served(tmp_path) as (process, address):
            bots = play(address, keys, 2 * BOTS + chance.randrange(BOTS))
            process.kill()
            for bot in bots:
                bot.join(PATIENCE)
                assert not bot.is_alive()
                told += bot.told
            keys = {bot.called: bot.key for bot in bots}
    with served(tmp_path) as (process, _):  # it takes up what was not in the store
        process.terminate()
        process.wait(PATIENCE)
    with open_database(tmp_path / "store.sqlite") as database:
        games = search_games(database, limit=1_000_000)
        assert not Counter(told) - kept(games)
        whole = {record for record in (tmp_path / "ladders/tic-tac-toe/games").iterdir() if is_whole(record)}
        assert Counter(game.record for game in games) == Counter(whole)
        assert sum(total.games for total in totals(database, 1)) == 2 * len(games)
        assert check_store(database).problems == ()


def is_whole(record: Path) -> bool:
    return record.read_bytes().endswith(b"}\n") and read_record(record).is_finished


def test_a_record_without_a_game_is_reported_and_added(tmp_path: Path) -> None:
    with served(tmp_path) as (process, address):
        play(address, {"Ann": None, "Ben": None}, 4)
        process.terminate()
        process.wait(PATIENCE)
    games = tmp_path / "ladders/tic-tac-toe/games"
    first = min(games.iterdir())
    other = games / "game-0900.jsonl"
    other.write_bytes(first.read_bytes())
    (games / "game-0901.jsonl").write_bytes(first.read_bytes()[:-30])
    with open_database(tmp_path / "store.sqlite") as database:
        assert check_store(database).problems == (f"competition 1: it lacks the game of {other}",)
        assert check_store(database, repair=True).repaired == 1
        assert check_store(database).problems == ()
        latest = search_games(database, limit=1)[0]
        assert (latest.number, latest.record) == (899, other)
        assert totals(database, 1)[0].games == len(search_games(database, limit=1000))
