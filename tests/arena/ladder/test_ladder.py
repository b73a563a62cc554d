"""A ladder without sockets: who plays is in the process."""

from __future__ import annotations

import json
import math
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
from ludarium.arena.ladder.form import WINDOW, LatestGames
from ludarium.arena.ladder.ladder import RANKED, order_of
from ludarium.arena.ladder.ratings import LiveRatings
from ludarium.arena.ratings import rate
from ludarium.arena.reports.stored import stored_table
from ludarium.arena.store import (
    Competition,
    Database,
    Entrant,
    Rating,
    Search,
    competition_of,
    current_ratings,
    open_database,
    rating_history,
    resume,
    search_games,
    totals,
)
from ludarium.arena.store.records import check_store
from ludarium.errors import BadOption, PlayerCrashed, ProtocolError, StoreError
from ludarium.players.programs.program import Program
from tests.arena.store.made import made
from tests.players.programs.bots import eventually

THREE = ludarium.game("liars-dice", players=3, dice=1)


@pytest.fixture(autouse=True)
def _rated_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine, too, the ratings in the store are those of all games."""
    monkeypatch.setattr("ludarium.arena.ladder.ratings.LONGEST_LAST", math.inf)


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


def test_a_ladder_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with ladder_of(tmp_path) as (ladder, _):
        bots, keys = joined(ladder, ["Ann", "Ben", "Cleo", "Dan"])
        bots[3].fails = "crash: on purpose"
        first, *_ = play(ladder, bots, 20)
        newest = list(ladder.newest)
        assert play(ladder, bots, 1, interrupted=lambda: True) == [None]
    assert bots[3].ended
    monkeypatch.setattr(LiveRatings, "renew", lambda ratings: None)  # those of the store, until the games are rated again
    with ladder_of(tmp_path) as (ladder, database):
        table = ladder.table()
        assert sum(row.games for row in table) == 60
        assert [row.rank for row in table] == [1, 2, 3, 4]
        assert (table[-1].name, table[-1].wins, table[-1].losses) == ("Dan", 0, table[-1].games)
        ratings = current_ratings(database, ladder.id)
        assert [row.rating for row in table] == [round(ratings[row.entrant].rating, 1) for row in table]
        assert all(row.low is not None and row.high is not None and row.low < row.high for row in table)
        assert [game.number for game in ladder.newest] == list(reversed(range(20)))
        assert list(ladder.newest) == newest
        assert {game.players[seat] for game in newest for seat in game.forfeits} == {"Dan"}
        assert {seat for game in newest if "Dan" in game.players for seat in game.forfeits} == {0, 1, 2}
        assert first is not None
        assert ladder.newest[-1].players == tuple(("Ann", "Ben", "Cleo", "Dan")[one] for one in first.plan.seats)
        assert ladder.join("ben", keys[1])[:2] == (1, "Ben")
        plan = ladder.next_plan(dict.fromkeys(range(4), 0.0))
        assert plan is not None
        assert plan.number == 21  # the record of the game that was cut off stays
        games = search_games(database, Search(competition=ladder.name), limit=100)
        assert len(games) == 20
        assert {len(game.forfeits) for game in games if "Dan" in game.players} == {1}
        assert rating_history(database, ladder.id, 3)[-1].games == table[-1].games
        assert check_store(database).problems == ()


def test_a_ladder_that_starts_again_is_rated_by_its_latest_games(tmp_path: Path) -> None:
    """Ann has lost as many games as count, and won as many since."""
    game = ludarium.game("tic-tac-toe")
    seats = [((0, 1), (2, 0), (1, 0), (2, 1))[number % 4] for number in range(4 * WINDOW)]
    games = [(two, (1.0, -1.0) if (two[0] == 0) == (number >= 2 * WINDOW) else (-1.0, 1.0)) for number, two in enumerate(seats)]
    with ladder_of(tmp_path, game) as (ladder, database):
        joined(ladder, ["Ann", "Ben", "Cleo"])
        entrants = [Entrant(total.name, total.spec, total.version) for total in totals(database, ladder.id)]
        name = ladder.name
    with open_database(tmp_path / "store.sqlite") as database:
        resume(database, name, game, entrants, json.dumps({"options": {}})).add(
            [made(number, two, returns) for number, (two, returns) in enumerate(games)]
        )
    latest = LatestGames(2)
    for number, (two, returns) in enumerate(games):
        latest.add(number, two, returns)
    with ladder_of(tmp_path, game) as (ladder, database):
        id = ladder.id
    with open_database(tmp_path / "store.sqlite") as database:
        found = current_ratings(database, id)
    assert [found[entrant].rating for entrant in range(3)] == pytest.approx(rate(["0", "1", "2"], latest.results()).ratings.tolist())
    assert found[0].rating > max(found[1].rating, found[2].rating)


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


def test_a_rank_comes_with_ten_games_and_the_others_are_in_order_of_games() -> None:
    def rating(entrant: int, value: float) -> Rating:
        return Rating(entrant, 0.0, value, value - 50, value + 50, 1)

    ratings = {entrant: rating(entrant, value) for entrant, value in ((0, 30.0), (1, 80.0), (2, 90.0), (4, -110.0), (5, 0.0))}
    assert order_of([40, RANKED, RANKED - 1, 12, 30, 2], ratings) == ([1, 0, 4], [3, 2, 5])  # the fourth has no rating


def test_a_row_has_the_sums_and_the_rating_of_the_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with ladder_of(tmp_path) as (ladder, _):
        bots, _ = joined(ladder, ["Ann", "Ben", "Cleo", "Dan"])
        bots[1].fails = "crash: on purpose"
        play(ladder, bots, 14)
        assert (ladder.games, ladder.entrant_of("CLEO"), ladder.entrant_of("Eve"), ladder.name_of(3)) == (14, 2, None, "Dan")
        id = ladder.id
    with open_database(tmp_path / "store.sqlite") as database:
        assert sum(one.games for one in current_ratings(database, id).values()) == 3 * 14
    monkeypatch.setattr(LiveRatings, "renew", lambda ratings: None)  # those of the store, until the games are rated again
    with ladder_of(tmp_path) as (ladder, database):
        ratings, sums = current_ratings(database, ladder.id), totals(database, ladder.id)
        rows = ladder.table()
        assert sorted(row.entrant for row in rows) == [0, 1, 2, 3]
        for row in rows:
            one, total = ratings[row.entrant], sums[row.entrant]
            assert [row.rating, row.low, row.high] == [round(value, 1) for value in (one.rating, one.low, one.high)]
            assert (row.games, row.wins, row.draws, row.losses, row.points) == (
                one.games,
                total.wins,
                total.draws,
                total.losses,
                total.points,
            )
        assert [row.rank for row in rows] == [1 + place if row.games >= RANKED else None for place, row in enumerate(rows)]


def test_a_rating_is_kept_once(tmp_path: Path) -> None:
    with ladder_of(tmp_path) as (ladder, database):
        bots, _ = joined(ladder, ["Ann", "Ben", "Cleo"])
        play(ladder, bots, 1)
        id = ladder.id
        assert eventually(lambda: len(rating_history(database, id)) == 3)
    with open_database(tmp_path / "store.sqlite") as database:
        assert [(one.entrant, one.games) for one in rating_history(database, id)] == [(0, 1), (1, 1), (2, 1)]


def test_a_game_needs_enough_that_wait_and_one_that_is_not_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludarium.arena.ladder.ladder.MOST_NAMES", 4)
    with ladder_of(tmp_path) as (ladder, _):
        joined(ladder, ["Ann", "Ben", "Cleo", "Dan"])
        with pytest.raises(ProtocolError, match="4 names are taken, which is all that a ladder has"):
            ladder.join("Eve", None)
        assert ladder.next_plan({0: 1.0, 3: 2.0}) is None
        assert ladder.next_plan({0: 1.0, 1: 3.0, 3: 2.0}, held=[0, 1, 3]) is None
        plans = [ladder.next_plan({0: 1.0, 1: 3.0, 3: 2.0}, held=[0, 3]) for _ in range(2)]
        assert [(plan.number, sorted(plan.seats)) for plan in plans if plan] == [(0, [0, 1, 3]), (1, [0, 1, 3])]


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
