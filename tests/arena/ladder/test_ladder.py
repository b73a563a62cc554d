"""A ladder without sockets: who plays is in the process."""

from __future__ import annotations

import json
import random
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

import ludarium
from ludarium.arena import TimeControl
from ludarium.arena.games import GameResult
from ludarium.arena.ladder import Ladder
from ludarium.arena.reports.stored import stored_table
from ludarium.arena.store import (
    Competition,
    Database,
    Search,
    competition_of,
    current_ratings,
    open_database,
    rating_history,
    search_games,
    totals,
)
from ludarium.arena.store.records import check_store
from ludarium.errors import BadOption, PlayerCrashed, StoreError
from ludarium.players.programs.program import Program

THREE = ludarium.game("liars-dice", players=3, dice=1)


class Bot:
    """A program in this process that chooses at random, from the end of the list the stronger it is. See ``Link`` and ``Lender``."""

    def __init__(self, name: str, fails: str = "") -> None:
        self.name, self.fails, self.ended = name, fails, False
        self._answer, self._random = b"", random.Random(name)
        self.program = Program(self)
        self.on_result: Callable[[], None] = lambda: None

    def send(self, message: bytes, until: float, interrupted: Callable[[], bool]) -> None:
        told = json.loads(message)
        if told["type"] == "hello":
            self._answer = b'{"type":"ready","send":["indices"]}'
        elif told["type"] == "result":
            self.on_result()
        elif told["type"] == "turn":
            self._answer = json.dumps({"type": "action", "action": self._random.choice(told["indices"])}).encode()

    def receive(self, until: float, interrupted: Callable[[], bool]) -> bytes:
        if b"action" in self._answer and self.fails:
            raise PlayerCrashed(self.fails)
        return self._answer

    def said_unasked(self) -> bytes:
        return b""

    def is_lost(self) -> bool:
        return False

    def is_outdated(self) -> bool:
        return False

    def go(self) -> None: ...

    def rest(self) -> None: ...

    def stop(self) -> None: ...

    def log_to(self, path: Path | None) -> None: ...

    def last_words(self) -> str:
        return ""

    def cpu_seconds(self) -> float:
        return 0.0

    def end(self) -> None:
        self.ended = True

    def borrow(self) -> Program:
        return self.program

    def give_back(self, program: Program) -> None:
        assert program is self.program


@contextmanager
def ladder_of(folder: Path, game: ludarium.Game = THREE) -> Iterator[tuple[Ladder, Database]]:
    with open_database(folder / "store.sqlite") as database, closing(Ladder(game, TimeControl.parse("60"), folder, database)) as ladder:
        yield ladder, database


def play(ladder: Ladder, bots: dict[int, Bot], games: int, interrupted: Callable[[], bool] = lambda: False) -> list[GameResult | None]:
    played: list[GameResult | None] = []
    for number in range(games):
        plan = ladder.next_plan(dict.fromkeys(bots, float(number)))
        assert plan is not None
        lenders = [bots[entrant] for entrant in plan.seats]
        played.append(ladder.play(plan, lenders, on_begin=lambda timeline, header: None, interrupted=interrupted))
    return played


def joined(ladder: Ladder, names: Sequence[str]) -> tuple[dict[int, Bot], list[str]]:
    found = [ladder.join(name, None) for name in names]
    return {entrant: Bot(name) for entrant, name, _ in found}, [key for _, _, key in found]


def test_a_ladder_goes_on_where_it_was(tmp_path: Path) -> None:
    with ladder_of(tmp_path) as (ladder, _):
        bots, keys = joined(ladder, ["Ann", "Ben", "Cleo", "Dan"])
        bots[3].fails = "crash: on purpose"
        first, *_ = play(ladder, bots, 20)
        assert play(ladder, bots, 1, interrupted=lambda: True) == [None]
    assert bots[3].ended
    with ladder_of(tmp_path) as (ladder, database):
        table = ladder.table()
        assert sum(row.games for row in table) == 60
        assert [row.rank for row in table] == [1, 2, 3, 4]
        assert (table[-1].name, table[-1].wins, table[-1].losses) == ("Dan", 0, table[-1].games)
        ratings = current_ratings(database, ladder.id)
        assert [row.rating for row in table] == [round(ratings[row.entrant].rating, 1) for row in table]
        assert all(row.low is not None and row.high is not None and row.low < row.high for row in table)
        assert [game.number for game in ladder.newest] == list(reversed(range(20)))
        assert first is not None
        assert ladder.newest[-1].players == tuple(("Ann", "Ben", "Cleo", "Dan")[one] for one in first.plan.seats)
        assert ladder.join("ben", keys[1])[:2] == (1, "Ben")
        plan = ladder.next_plan(dict.fromkeys(range(4), 0.0))
        assert plan is not None
        assert plan.number == 21  # the record of the game that was cut off stays
        games = search_games(database, Search(competition=ladder.name), limit=100)
        assert len(games) == 20
        assert {game.forfeited is not None for game in games if "Dan" in game.players} == {True}
        assert rating_history(database, ladder.id, 3)[-1].games == table[-1].games
        assert check_store(database).problems == ()


def test_the_store_lists_a_ladder_as_its_page_does(tmp_path: Path) -> None:
    with ladder_of(tmp_path) as (ladder, database):
        bots, _ = joined(ladder, ["Ann", "Ben", "Cleo", "Dan", "Eve"])
        bots[2].fails = "crash: on purpose"
        play(ladder, {entrant: bots[entrant] for entrant in (0, 1, 2)}, 30)
        play(ladder, {entrant: bots[entrant] for entrant in (0, 2, 3)}, 12)  # Dan wins most of few games
        play(ladder, {entrant: bots[entrant] for entrant in (1, 2, 4)}, 5)  # Eve has no rank yet
    with ladder_of(tmp_path) as (ladder, database):
        page = [row.entrant for row in ladder.table()]
        competition = competition_of(database, ladder.id)
        assert competition is not None
        assert list(stored_table(database, competition, 3).ranking) == page
        points = totals(database, ladder.id)
        assert page != sorted(page, key=lambda one: -points[one].points)


def test_results_are_told_when_the_games_are_in_the_store(tmp_path: Path) -> None:
    with ladder_of(tmp_path) as (ladder, database):
        bots, _ = joined(ladder, ["Ann", "Ben", "Cleo"])
        found: list[tuple[int, int]] = []
        for bot in bots.values():
            bot.on_result = lambda: found.append((ladder.games, len(search_games(database, Search(competition=ladder.name)))))
        play(ladder, bots, 2)
    assert found == [(1, 1)] * 3 + [(2, 2)] * 3


def test_dice_have_a_seed_that_nobody_is_told(tmp_path: Path) -> None:
    with ladder_of(tmp_path) as (ladder, _):
        bots, _ = joined(ladder, ["Ann", "Ben", "Cleo"])
        (played,) = play(ladder, bots, 1)
        assert played is not None
        assert played.record is not None
        header = json.loads(played.record.read_text().splitlines()[0])
    assert header["players"] == [["Ann", "Ben", "Cleo"][one] for one in played.plan.seats]
    assert header["seed"] != header["dice_seed"]
    assert ludarium.core.record.read_record(played.record).replay().is_over


def test_games_that_the_store_does_not_take_wait_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    failed, add = threading.Event(), Competition.add

    def refuse(competition: Competition, results: Sequence[GameResult]) -> None:
        failed.set()
        raise StoreError("the disk is full")

    with ladder_of(tmp_path) as (ladder, _):
        bots, _ = joined(ladder, ["Ann", "Ben", "Cleo"])
        monkeypatch.setattr(Competition, "add", refuse)
        play(ladder, bots, 2)
        assert failed.wait(30)
        ladder._writer._thread.join(30)
        assert ladder.problem == "the disk is full"
        monkeypatch.setattr(Competition, "add", add)
        ladder.retry()
        assert ladder.problem is None
    with ladder_of(tmp_path) as (ladder, _):
        assert [row.games for row in ladder.table()] == [2, 2, 2]


def test_games_of_other_options_are_another_ladder(tmp_path: Path) -> None:
    names = []
    for game in (THREE, ludarium.game("liars-dice"), ludarium.game("liars-dice", ones="plain")):
        with ladder_of(tmp_path, game) as (ladder, _):
            names.append(ladder.name)
            ladder.join("Ann", None)
    assert names == ["Ladder liars-dice, players=3, dice=1", "Ladder liars-dice", "Ladder liars-dice, ones=plain"]
    with pytest.raises(BadOption, match="a ladder needs at least two"), ladder_of(tmp_path, ludarium.game("roboderby", players=1)):
        pass
