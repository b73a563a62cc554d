"""Names that bots and spectators of a ladder see, and bots that the organiser expels."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from ludarium.arena.joining import join, ladder_of, seat_of
from ludarium.arena.store import expel, open_database
from ludarium.cli.entry import run
from ludarium.players.programs import Conditions
from ludarium.web.ladder import ladders
from tests.players.programs.bots import eventually
from tests.web.ladder.test_ladder import bot, ready, together
from tests.web.live import Live

LADDER = "/api/ladder/tic-tac-toe"


def names_in(shown: Any) -> set[str]:
    return {name for name in ("Ann", "Ben") if name in json.dumps(shown)}


def test_names_are_told_once_the_game_is_over(tmp_path: Path) -> None:
    with Live(tmp_path, ladders=["tic-tac-toe"], ladder_time="60") as live, ready(live, "Ann") as ann, ready(live, "Ben") as ben:
        games = together(lambda: ann.receive("game"), lambda: ben.receive("game"))
        for one, game in zip(("Ann", "Ben"), games, strict=True):
            assert game["names"] == [one if seat == game["seat"] else None for seat in (0, 1)]
        ladder = live.http.get(LADDER).json()
        (shown,) = ladder["live"]
        assert (ladder["names"], shown["players"]) == ("after", [None, None])
        assert [(row["online"], row["playing"]) for row in ladder["table"]] == [(True, None)] * 2
        id = shown["watch"].removeprefix("/game/")
        record = f"/api/games/{id}/record"
        for address in (
            "/api/lobby/now",
            "/api/lobby/now?ladder=tic-tac-toe",
            record,
            f"/game/{id}",
            f"/embed/{id}",
            "/",
        ):
            answer = live.http.get(address)
            assert not names_in(answer.text), address
        assert "plays</a>" not in live.http.get("/ladder/tic-tac-toe").text
        with live.join(id) as watcher:
            assert [player["spec"] for player in watcher.welcome["players"]] == ["hidden", "hidden"]
            assert not names_in([watcher.welcome, watcher.position])
            told = together(lambda: ann.play(1), lambda: ben.play(1))
            seats = [one for _, one in sorted((game["seat"], name) for game, name in zip(games, ("Ann", "Ben"), strict=True))]
            assert [player["spec"] for player in watcher.receive("players")["players"]] == seats
            assert [one["names"] for one in told] == [seats, seats]
        assert eventually(lambda: live.http.get(LADDER).json()["newest"][-1]["players"] == seats)
        lines = live.http.get(record).text.splitlines()
        assert json.loads(lines[0])["players"] == seats


def test_players_of_this_computer_say_against_whom_they_have_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    said: dict[str, list[str]] = {"Ann": [], "Ben": []}

    def is_done() -> bool:
        return all(any("; against " in line for line in lines) for lines in said.values())

    with Live(tmp_path, ladders=["tic-tac-toe"], ladder_time="60") as live:
        where = ladder_of(f"{live.address}/")
        together(
            *(
                lambda name=name: join(where, name, None, seat_of("random", where, Conditions()), said[name].append, is_done)
                for name in said
            )
        )
    for name, other in (("Ann", "Ben"), ("Ben", "Ann")):
        begun = [line.partition(";")[0] for line in said[name] if line.startswith("game ")]
        assert set(begun) <= {"game as player 0 (X)", "game as player 1 (O)"}
        (ended,) = [line for line in said[name] if line.startswith(("won: ", "lost: ", "draw: "))][:1]
        assert re.fullmatch(rf"(won|lost|draw): [^;]*; against {other}( \(-?\d+\))?", ended)


def test_nobody_may_be_called_as_hidden_names_are(tmp_path: Path) -> None:
    with Live(tmp_path, ladders=["tic-tac-toe"]) as live, bot(live, "Hidden") as refused:
        assert refused.said["code"] == "bad_name"


def test_why_a_bot_has_gone_does_not_name_it(tmp_path: Path) -> None:
    """At a table of three the others play on, and hear of it."""
    with Live(tmp_path, ladders=["liars-dice:players=3,dice=1"], ladder_time="60") as live:
        with ready(live, "Ann", id="liars-dice") as ann, ready(live, "Ben", id="liars-dice") as ben:
            with ready(live, "Cleo", id="liars-dice") as cleo:
                cleo.receive("game")
            told = together(lambda: ann.play(1), lambda: ben.play(1))
        assert all("Cleo" in one["names"] and "Cleo" not in one["reason"] for one in told)


def test_an_expelled_bot_has_to_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(ladders, "RETRY", 0.05)
    monkeypatch.setenv("LUDARIUM_STORE", str(tmp_path / "store.sqlite"))
    with Live(tmp_path, ladders=["tic-tac-toe"], ladder_time="60") as live, ready(live, "Ann") as ann, ready(live, "Ben") as ben:
        together(lambda: ann.play(3), lambda: ben.play(3))
        assert run(["store", "expel", "Ladder tic-tac-toe", "ben", "--reason", "lost on purpose to Ann"]) == 0
        assert "Ben expelled, with " in capsys.readouterr().out
        told = ben.play(10_000)
        assert (told["type"], told["reason"]) == ("quit", "the organiser has expelled 'Ben': lost on purpose to Ann")
        assert (told["come_back"], ben.status()) == (False, 1008)
        with bot(live, "Ben", ben.key) as refused:
            assert (refused.said["code"], refused.said["reason"]) == ("expelled", told["reason"])

        def table() -> dict[str, tuple[int, str | None]]:
            return {row["name"]: (row["games"], row["expelled"]) for row in live.http.get(LADDER).json()["table"]}

        assert eventually(lambda: table() == {"Ann": (0, None), "Ben": (0, "lost on purpose to Ann")})
        page = live.http.get("/ladder/tic-tac-toe").text
        assert 'title="lost on purpose to Ann">expelled</span>' in page
        assert "<dd>lost on purpose to Ann</dd>" in live.http.get("/ladder/tic-tac-toe/Ben").text
        facts = live.http.get("/competitions/1").text
        assert "<dt>Voided</dt>" in facts
        assert "<dd>Ben (lost on purpose to Ann)</dd>" in facts
        assert run(["store", "expel", "1", "Ben", "--undo"]) == 0
        assert eventually(lambda: table()["Ben"][1] is None and table()["Ben"][0] >= 3)
    with Live(tmp_path, ladders=["tic-tac-toe"]) as live, ready(live, "Ben", ben.key), open_database(tmp_path / "store.sqlite") as database:
        expel(database, "1", "Ben", "again")
    with Live(tmp_path, ladders=["tic-tac-toe"]) as live, bot(live, "Ben", ben.key) as refused:
        assert refused.said["code"] == "expelled"
