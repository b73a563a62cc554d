"""``ludarium expendibots referee``: whole games of students, and what limits do."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest

import ludarium
from ludarium.cli.entry import run
from ludarium.core.record import read_record
from ludarium.core.timeline import Timeline
from ludarium.games.expendibots.class_adapter import action_tuple
from ludarium.games.expendibots.players import OFFICIAL
from ludarium.labs.expendibots.referee.command import Arguments
from ludarium.labs.expendibots.referee.refereeing import referee
from ludarium.labs.expendibots.referee.telling import action_words, board, result_line
from ludarium.players.programs import UNLIMITED, Allowance, Conditions
from tests.games.expendibots.students import WALKS, answering, write_package

GAMES = [json.loads(line) for line in (Path(__file__).parents[2] / "data/expendibots/games.jsonl").read_text().splitlines()]

SCRIPTED = """
import json

class Player:
    def __init__(self, colour):
        self.turn = 0
        self.actions = [eval(text) for text in json.load(open("course.json"))]

    def update(self, colour, action):
        assert action == self.actions[self.turn] and colour == ("white", "black")[self.turn % 2]
        self.turn += 1

    def action(self):
        return self.actions[self.turn]
"""
"""Plays a game that has been played, and watches that it is told it."""


@pytest.mark.parametrize("number", [4, 14, 21])
def test_students_games_are_refereed_as_they_were(number: int, tmp_path: Path) -> None:
    course = GAMES[number]
    write_package(tmp_path, "scripted", SCRIPTED)
    (tmp_path / "course.json").write_text(json.dumps([repr(action_tuple(text)) for text in course["actions"]]))
    timeline = referee(["scripted", "class:scripted"], Allowance(60, 100), conditions=Conditions(folder=tmp_path, sandbox="off"))
    assert (result_line(timeline), timeline.ply) == (course["result"], course["plies"])
    assert timeline.forfeits == {}


def test_every_students_game_has_its_result_in_the_referees_words() -> None:
    for course in GAMES:
        timeline = Timeline(ludarium.game("expendibots", **OFFICIAL.options).start())
        for text in course["actions"]:
            timeline.act({timeline.state.to_move[0]: text})
        assert result_line(timeline) == course["result"]


def lost(folder: Path, body: str, limits: Allowance) -> str:
    """Why White loses."""
    write_package(folder, "student", body)
    timeline = referee(["student", "greedy"], limits, seed=1, conditions=Conditions(folder=folder, sandbox="off"))
    assert timeline.outcome is not None
    assert list(timeline.forfeits) == [0]
    assert result_line(timeline) == "winner: black"
    return timeline.outcome.reason


def test_processor_time_that_runs_out(tmp_path: Path) -> None:
    body = answering(
        "\n        print('on and on')\n        while True:\n            try:\n                sum(range(1000))\n            except: pass"
    )
    told = lost(
        tmp_path,
        f"import time\nend = time.process_time() + 0.3\nwhile time.process_time() < end: pass  # not counted\n{body}",
        Allowance(seconds=0.2),
    )
    assert "s of processor time used in action(); 0.2 are allowed for the game; it last wrote to its standard error: on and on" in told


def test_the_time_on_the_wall_does_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It runs by 1000 s at each look, for a class and for a built-in player."""
    wall = itertools.count(0.0, 1000.0)
    monkeypatch.setattr("ludarium.arena.play.running_time", lambda: next(wall))
    write_package(tmp_path, "student", WALKS)
    begun: list[Timeline] = []
    timeline = referee(
        ["student", "random"],
        Allowance(seconds=60),
        seed=1,
        conditions=Conditions(folder=tmp_path, sandbox="off"),
        on_begin=begun.append,
        interrupted=lambda: begun[0].ply == 4,
    )
    assert (timeline.forfeits, timeline.ply) == ({}, 4)


def test_the_constructor_counts(tmp_path: Path) -> None:
    body = "import time\nclass Player:\n    def __init__(self, colour):\n        end = time.process_time() + 0.3\n        while time.process_time() < end: pass"
    assert "s of processor time used in Player('white'); 0.05 are allowed" in lost(tmp_path, body, Allowance(seconds=0.05))


def test_memory_that_grows(tmp_path: Path) -> None:
    body = "held = bytearray(50 << 20)\n" + WALKS.replace(
        "x, y = self.place\n", "self.held = bytearray(150 << 20)\n        x, y = self.place\n"
    )
    assert "MB of virtual memory, 0.0 MB of the others; 40 are allowed for all players" in lost(tmp_path, body, Allowance(megabytes=20))


def test_what_one_player_leaves_is_the_others() -> None:
    assert Allowance(megabytes=100).too_large([150.0, 49.0]) is None
    assert Allowance(megabytes=100).too_large([150.0, 51.0]) == 0
    assert Allowance(megabytes=100).too_large([0.0, 201.0]) == 1
    assert UNLIMITED.too_large([1e6, 1e6]) is None


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    write_package(tmp_path, "student", WALKS)
    write_package(tmp_path, "other", answering("raise ValueError('no idea')"))
    assert (
        run(["expendibots", "referee", "--official", "--sandbox", "off", "-l", "-v", "1", "--record", "kept.jsonl", "student", "other"])
        == 0
    )
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "* white: MOVE 1 from (0, 1) to (0, 2)."
    assert said[1].startswith("* black: crash: action() raised ValueError: no idea; it last wrote")
    assert said[2:] == ["winner: white"]
    log = (tmp_path / "game.log").read_text().splitlines()
    assert log[0].startswith("[game ] - Start game log at ")
    assert log[1] == "[white] - MOVE 1 from (0, 1) to (0, 2)."
    assert log[2].startswith("[black] - crash: ")
    assert log[3] == "[over ] - winner: white"
    record = read_record(tmp_path / "kept.jsonl")
    assert record.header.players == ["class:student", "class:other"]
    assert list(record.replay().forfeits) == [1]


def test_several_games_with_a_score(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    write_package(tmp_path, "idle", answering("pass"))
    assert run(["expendibots", "referee", "-n3", "-v0", "--seed", "1", "--sandbox", "off", "--record", "game.jsonl", "greedy", "idle"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        *(f"winner: {who}" for who in ("white", "black", "white")),
        "greedy won 3, idle won 0, draws 0",
    ]
    assert [read_record(tmp_path / f"game-{number}.jsonl").header.players[0] for number in (1, 2, 3)] == ["greedy", "class:idle", "greedy"]


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("-t -s 50 a b", {"seconds": 60, "space": 50, "white": "a", "black": "b"}),
        ("-l -d -v a b", {"log": Path("game.log"), "delay": 0.5, "verbosity": 2}),
        ("-l a b -t 5 --seed 1", {"log": Path("game.log"), "white": "a", "black": "b", "seconds": 5}),
        ("a --logfile kept.log b -t", {"log": Path("kept.log"), "white": "a", "black": "b", "seconds": 60}),
        ("-l kept.log a b -s", {"log": Path("kept.log"), "space": 100}),
        ("a b -t0.5 -D -u", {"seconds": 0.5, "debug": True, "unicode": True}),
    ],
)
def test_options_without_a_value(typed: str, read: dict[str, Any]) -> None:
    import typer

    from ludarium.labs.expendibots.referee import command

    app = typer.Typer()
    app.command(cls=Arguments)(command.command)
    given = typer.main.get_command(app).make_context("referee", typed.split()).params
    assert {name: given[name] for name in read} == read


def test_words_and_boards() -> None:
    assert action_words("3a2-a4") == "MOVE 3 from (0, 1) to (0, 3)."
    assert action_words("h8!") == "BOOM at (7, 7)."
    start = ludarium.game("expendibots").start()
    assert board(start, unicode=False, coordinates=False).splitlines()[0] == "B1  B1  .   B1  B1  .   B1  B1"
    assert board(start, unicode=True, coordinates=True).splitlines()[7:] == [
        "  0  ○1  ○1  .   ○1  ○1  .   ○1  ○1",
        "     0   1   2   3   4   5   6   7   (x)",
    ]
