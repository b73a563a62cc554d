"""A ladder whose bots hear names after the game, and that leaves out what the organiser voids while it runs."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import ludarium
from ludarium.arena import TimeControl
from ludarium.arena.ladder import Ladder
from ludarium.arena.ratings import rate
from ludarium.arena.store import Search, current_ratings, expel, open_database, readmit, search_games, void, writer
from ludarium.arena.store.records import check_store
from tests.arena.ladder.test_ladder import Bot, joined, ladder_of, play
from tests.players.programs.bots import eventually

GAME = ludarium.game("tic-tac-toe")


class Listener(Bot):
    """Keeps what it is told."""

    def __init__(self, name: str) -> None:
        self.heard: list[dict[str, Any]] = []
        super().__init__(name)

    def send(self, message: bytes, until: float, interrupted: Callable[[], bool]) -> None:
        self.heard.append(json.loads(message))
        super().send(message, until, interrupted)


def standing(ladder: Ladder) -> dict[str, tuple[float, ...]]:
    return {row.name: (row.games, row.wins, row.draws, row.losses, row.points) for row in ladder.table()}


def test_a_bot_hears_who_its_opponents_were_with_the_result(tmp_path: Path) -> None:
    names = ["Ann", "Ben", "Cleo"]
    with ladder_of(tmp_path) as (ladder, _):
        for name in names:
            ladder.join(name, None)
        play(ladder, {number: Bot(name) for number, name in enumerate(names)}, 10)
        assert eventually(lambda: all(row.rank for row in ladder.table()))
        bots = {number: Listener(name) for number, name in enumerate(names)}
        (played,) = play(ladder, dict[int, Bot](bots), 1)
        assert played is not None
        for number, bot in bots.items():
            seat = played.plan.seats.index(number)
            game, result = (next(one for one in bot.heard if one["type"] == kind) for kind in ("game", "result"))
            assert game["names"] == [bot.name if at == seat else None for at in range(3)]
            assert [value is None for value in game["ratings"]] == [at != seat for at in range(3)]
            assert [value is None for value in game["ranks"]] == [at != seat for at in range(3)]
            assert result["names"] == [names[entrant] for entrant in played.plan.seats]
            assert sorted(result["ranks"]) == [1, 2, 3]
            assert (result["ratings"][seat], result["ranks"][seat]) == (game["ratings"][seat], game["ranks"][seat])
            before = json.dumps([one for one in bot.heard if one["type"] != "result"])
            assert not [name for name in names if name in before and name != bot.name]


def test_a_ladder_that_names_players_before_the_game_does_so_once(tmp_path: Path) -> None:
    with (
        open_database(tmp_path / "store.sqlite") as database,
        closing(Ladder(GAME, TimeControl.parse("60"), tmp_path, database, "before")) as ladder,
    ):
        bots: dict[int, Bot] = {ladder.join(name, None)[0]: Listener(name) for name in ("Ann", "Ben")}
        play(ladder, bots, 1)
        for bot in bots.values():
            assert isinstance(bot, Listener)
            game, result = next(one for one in bot.heard if one["type"] == "game"), bot.heard[-1]
            assert sorted(game["names"]) == ["Ann", "Ben"]
            assert "names" not in result


def test_a_running_ladder_leaves_out_what_is_voided(tmp_path: Path) -> None:
    with ladder_of(tmp_path, GAME) as (ladder, database):
        bots, keys = joined(ladder, ["Ann", "Ben", "Cleo", "Dan"])
        play(ladder, bots, 40)
        before = standing(ladder)
        with open_database(tmp_path / "store.sqlite") as organiser:
            expel(organiser, ladder.name, "Ben", "lost on purpose to Ann")
        play(ladder, bots, 8)  # it does not know yet
        ladder.refresh()
        assert ladder.expelled == {1: "lost on purpose to Ann"}
        games = search_games(database, Search(competition=ladder.name), limit=100)
        assert all("Ben" not in game.players for game in games)
        assert 0 < len(games) == ladder.games < 48
        assert [game.number for game in ladder.newest] == [game.number for game in games[:30]]
        assert standing(ladder)["Ben"] == (0, 0, 0, 0, 0.0)
        assert check_store(database).problems == ()
        names = ["Ann", "Cleo", "Dan"]
        results = [(tuple(names.index(name) for name in game.players), game.returns) for game in games]
        expected = rate(names, results).ratings.tolist()

        def are_rated() -> bool:
            rows = {row.name: row for row in ladder.table()}
            return [rows[name].rating for name in names] == pytest.approx(expected, abs=0.06) and rows["Ben"].rating is None

        assert eventually(are_rated)
        assert eventually(lambda: set(current_ratings(database, ladder.id)) == {0, 2, 3})
        with open_database(tmp_path / "store.sqlite") as organiser:
            readmit(organiser, ladder.name, "Ben")
            numbers = [game.number for game in search_games(organiser, Search(competition=ladder.name), limit=100) if game.number >= 40]
            void(organiser, [f"{ladder.id}:{number}" for number in numbers], "too late")
        ladder.refresh()
        assert (ladder.expelled, standing(ladder), ladder.games) == ({}, before, 40)
    with ladder_of(tmp_path, GAME) as (ladder, database):
        assert standing(ladder) == before
        assert ladder.join("ben", keys[1])[0] == 1
        plan = ladder.next_plan(dict.fromkeys(range(4), 0.0))
        assert plan is not None
        assert plan.number == 48  # voided games keep their numbers


def test_a_voided_game_without_a_record_keeps_its_number(tmp_path: Path) -> None:
    with ladder_of(tmp_path, GAME) as (ladder, database):
        bots, _ = joined(ladder, ["Ann", "Ben"])
        play(ladder, bots, 3)
        void(database, [f"{ladder.id}:2"], "by hand")
    for record in tmp_path.glob("**/game-*.jsonl"):
        record.unlink()
    with ladder_of(tmp_path, GAME) as (ladder, _):
        plan = ladder.next_plan(dict.fromkeys(range(2), 0.0))
        assert plan is not None
        assert (plan.number, ladder.games) == (3, 2)


def test_games_that_wait_for_the_store_are_counted_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with ladder_of(tmp_path, GAME) as (ladder, database):
        bots, _ = joined(ladder, ["Ann", "Ben", "Cleo", "Dan"])
        play(ladder, {0: bots[0], 1: bots[1]}, 2)
        monkeypatch.setattr(writer, "INTERVAL", 3600.0)
        playing = threading.Thread(target=play, args=(ladder, {0: bots[0], 1: bots[1]}, 1))
        playing.start()
        assert eventually(lambda: bool(ladder._unsafe))
        void(database, [f"{ladder.id}:0"], "by hand")
        ladder.refresh()
        assert ladder.games == 1
        assert ladder._played[0] == 2
        monkeypatch.setattr(writer, "INTERVAL", 0.0)
        play(ladder, {2: bots[2], 3: bots[3]}, 1)  # both are written now
        playing.join(30)
        found = standing(ladder)
        assert [games for games, *_ in (found[name] for name in ("Ann", "Ben", "Cleo", "Dan"))] == [2, 2, 1, 1]
        assert len(ladder._latest.results()) == 3
    with ladder_of(tmp_path, GAME) as (ladder, _):
        assert standing(ladder) == found
