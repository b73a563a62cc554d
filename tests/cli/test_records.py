"""``replay``, ``show``, ``perft`` and ``games``."""

from __future__ import annotations

import base64
import json
import os
import re
import subprocess
import zlib
from pathlib import Path
from typing import Any

import pytest

import ludarium
from ludarium.arena import play_game
from ludarium.cli.entry import run
from ludarium.core.record import Header, Recorder
from ludarium.core.timeline import Timeline
from tests.command_line import run_program
from tests.disks import room_for
from tests.folders import ROOT
from tests.games.roboderby.belt_tiles import BELT_TILES

INITIAL = "BB.BB.BB/BB.BB.BB/......../......../......../......../WW.WW.WW/WW.WW.WW w 0"


@pytest.fixture
def record(tmp_path: Path) -> Path:
    file = tmp_path / "game.jsonl"
    play_game(ludarium.game("expendibots", turn_limit=12), ["random", "random"], seed=2, record=file)
    return file


def test_replay_prints_the_game(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["replay", str(record)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Expendibots  White: random, Black: random"
    assert lines[1].startswith("turn_limit=12 repetition=board  seed 2  ")
    assert lines[2].split() == ["turn", "White", "Black"]
    assert [line.split()[0] for line in lines[3:9]] == ["1", "3", "5", "7", "9", "11"]
    assert lines[-1] == "Draw: 12 turns were played without a winner"


def test_replay_draws_any_position(record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    drawings = []
    for number in (0, 5, 12):
        file = tmp_path / f"{number}.svg"
        assert run(["replay", str(record), "--at", str(number), "--svg", str(file)]) == 0
        drawings.append(file.read_text())
        assert ("Turns played: 12 of 12" if number == 12 else f"Turn {number + 1} of 12") in capsys.readouterr().out
    assert len(set(drawings)) == 3
    assert all(drawing.startswith("<svg") for drawing in drawings)
    assert run(["replay", str(record), "--at", "13"]) == 2
    assert "--at 13: the game has 12 turns" in capsys.readouterr().err


def test_a_position_is_not_drawn_over_its_record(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = record.read_bytes()
    assert run(["replay", str(record), "--svg", str(record.parent / "." / record.name)]) == 2
    assert "is the record itself" in capsys.readouterr().err
    assert record.read_bytes() == before


def test_replay_writes_a_page_that_needs_nothing_else(record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "game.html"
    assert run(["replay", str(record), "--page", str(page)]) == 0
    assert capsys.readouterr().out.endswith(f"\npage: {page}\n")
    text = page.read_text(encoding="utf-8")
    assert "White: <bdi>random</bdi>, Black: <bdi>random</bdi>" in text
    (packed,) = re.findall(r'id="game-1"[^>]*>([^<]+)<', text)
    assert len(json.loads(zlib.decompress(base64.b64decode(packed)))["frames"]) == 13
    assert not re.search(r'(href|src)="|url\((?!"data:font)|https?://(?!www\.w3\.org)', text)
    assert run(["replay", str(record), "--page", str(page)]) == 2
    assert capsys.readouterr() == ("", f"error: {page} exists already; a page is written into a new file\n")


def test_where_dice_fall_positions_are_counted_in_steps(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.jsonl"
    for reception, unit, number in (("random", "step", 6), ("fixed", "turn", 3)):
        play_game(ludarium.game("hexabomb", map="tiny2", turns=3, reception=reception), ["random", "random"], seed=2, record=file)
        assert run(["replay", str(file)]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert lines[2].split()[0] == unit
        assert f"After {unit} {number}:" in lines
        assert run(["replay", str(file), "--at", "7"]) == 2
        assert f"the game has {number} {unit}s" in capsys.readouterr().err
        lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
        file.write_text("".join(lines[: 4 if unit == "step" else 3]), encoding="utf-8")
        assert run(["replay", str(file)]) == 0
        assert capsys.readouterr().out.splitlines()[-1] == ("Unfinished after 2 steps." if unit == "step" else "Unfinished after 1 turn.")
        file.unlink()


def test_replay_tells_who_left_and_why(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = ludarium.game("hexabomb", map="lair4", players=3, turns=2, reception="fixed")
    timeline, file = Timeline(game.start()), tmp_path / "left.jsonl"
    with Recorder(file, Header.of(game, ["a", "b", "c"], 1)) as recorder:
        timeline.listen(recorder.write)
        timeline.leave({1: "resigned", 2: "crash: it fell"})
    assert run(["replay", str(file)]) == 0
    said = capsys.readouterr().out
    assert re.search(r"^ +1 +resigned +crash: it fell", said, re.MULTILINE)
    assert said.endswith("Blue wins: Blue is the last player\n")


def test_players_of_an_older_record_are_told_in_todays_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["replay", str(ROOT / "tests/data/kept/expendibots-levels.jsonl")]) == 0
    said = capsys.readouterr()
    assert said.out.splitlines()[0] == "Expendibots  White: alphabeta:depth=2,lapse=30, Black: alphabeta:nodes=30000"
    assert said.err.splitlines() == [
        f"notice: expendibots-levels.jsonl: the player {was} of this older record is called {now} now"
        for was, now in (("alphabeta:level=2", "alphabeta:depth=2,lapse=30"), ("alphabeta:level=3", "alphabeta:nodes=30000"))
    ]


def test_games_tells_the_levels_of_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    for game, most, one in (("expendibots", 12, "5 is nodes=1200,lapse=18;"), ("expand-conquer", 4, "2 is depth=2,lapse=30;")):
        assert run(["games", game, "--json"]) == 0
        players = {player["name"]: player for player in json.loads(capsys.readouterr().out)["players"]}
        (level,) = [option for option in players["alphabeta"]["options"] if option["name"] == "level"]
        assert level["accepted"] == f"a whole number, at least 1, at most {most}"
        assert one in level["help"]


def test_an_incomplete_last_line_is_dropped_with_a_notice(record: Path) -> None:
    lines = record.read_bytes().splitlines(keepends=True)
    record.write_bytes(b"".join(lines[:8]) + lines[8][:17])
    done = run_program("replay", str(record))
    assert done.returncode == 0
    assert done.stderr == "notice: game.jsonl: the last line is incomplete and was dropped (a game that was cut off)\n"
    assert done.stdout.splitlines()[-1] == "Unfinished after 6 turns."


@pytest.mark.parametrize(
    ("line", "damage", "said"),
    [
        (5, b'{"event":"act', "game.jsonl, line 5: not a JSON object"),
        (5, b'{"event":"action","actions":{"1":"a1-a8"}}', "game.jsonl, line 5: "),
        (5, b"\xff\xfe", "game.jsonl: line 5 is not UTF-8 text; save the file as UTF-8"),
        (5, b"{}", "game.jsonl, line 5: "),
        (5, b'{"event":"takeback","plies":9}', "game.jsonl, line 5: 9 turns cannot be taken back"),
        (1, b"[]", "game.jsonl, line 1: not a JSON object"),
        (1, b'{"format":4}', "game.jsonl, line 1: not a Ludarium record of format 1 to 3"),
        (
            1,
            b'{"game":"expendibots","version":1,"options":{"self":1},"seed":null,"players":[],"time":"","format":1}',
            "game.jsonl, line 1: expendibots: option 'self'",
        ),
    ],
)
def test_other_damage_is_refused(record: Path, line: int, damage: bytes, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    lines = record.read_bytes().splitlines()
    lines[line - 1] = damage
    record.write_bytes(b"\n".join([*lines, b""]))
    assert run(["replay", str(record)]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.startswith(f"error: {said}")
    assert output.err.count("\n") == 1


def test_show(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", "expendibots", *INITIAL.split()]) == 0
    assert "Turn 1 of 500" in capsys.readouterr().out
    assert (
        run(["show", "expendibots", "......../......../......../......../......../......../......../W....... b 1", "-o", "turn_limit=9"])
        == 0
    )
    output = capsys.readouterr().out
    assert "White wins: Black has no tokens left" in output
    assert "of 9" in output
    assert run(["show", "expendibots", INITIAL, "--svg", str(tmp_path / "board.svg")]) == 0
    assert capsys.readouterr().out == ""
    assert (tmp_path / "board.svg").read_text() == ludarium.game("expendibots").start().svg()


def test_a_drawing_is_written_whole_or_not_at_all(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    drawing, link = tmp_path / "board.svg", tmp_path / "link.svg"
    link.symlink_to(drawing)
    with room_for(1000):
        assert run(["show", "expendibots", "--svg", str(drawing)]) == 2
        assert list(tmp_path.iterdir()) == [link]
        drawing.write_text("of yesterday")
        assert run(["show", "expendibots", "--svg", str(link)]) == 2
        assert drawing.read_text() == "of yesterday"
    drawing.chmod(0o600)
    assert run(["show", "expendibots", "--svg", str(link)]) == 0
    assert link.is_symlink()
    assert drawing.read_text() == ludarium.game("expendibots").start().svg()
    assert drawing.stat().st_mode & 0o777 == 0o600
    assert sorted(tmp_path.iterdir()) == [drawing, link]


def test_a_drawing_goes_through_a_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with subprocess.Popen(["cat", tmp_path / "pipe"], stdout=subprocess.PIPE, text=True) as reader:
        assert run(["show", "expendibots", "--svg", str(tmp_path / "pipe")]) == 0
        assert reader.communicate()[0] == ludarium.game("expendibots").start().svg()


def test_show_without_a_position(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", "hexabomb", "-o", "map=tiny2", "--svg"]) == 0
    assert capsys.readouterr().out == ludarium.game("hexabomb", map="tiny2").start().svg() + "\n"


@pytest.mark.parametrize(
    ("game", "options", "other"),
    [
        ("roboderby", {"players": 3, "reroll": "any", "board": "carousel"}, "players=4"),
        ("roboderby", {"players": 1, "tiles": BELT_TILES, "turn_limit": 9}, "tiles=stand-in"),
        ("hexabomb", {"map": "star6", "players": 4, "mode": "sudden-death"}, "mode=classic"),
    ],
)
def test_what_a_position_tells_of_options_need_not_be_typed(
    game: str, options: dict[str, Any], other: str, capsys: pytest.CaptureFixture[str]
) -> None:
    state = ludarium.game(game, **options).start(seed=1)
    assert run(["show", game, state.text, "--svg"]) == 0
    assert capsys.readouterr().out == state.svg() + "\n"
    assert run(["perft", game, "0", "--position", state.text]) == 0
    assert run(["match", game, *["random"] * state.game.players, "--games", "1", "--workers", "1", "--start", state.text, "--json"]) == 0
    assert run(["show", game, state.text, "-o", other]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("typed", [["--svg"], ["--svg", "-"], ["--svg", "-o", "turn_limit=500"]])
def test_a_drawing_without_a_file_is_printed(typed: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", "expendibots", INITIAL, *typed]) == 0
    assert capsys.readouterr().out == ludarium.game("expendibots").start().svg() + "\n"


def test_perft(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["perft", "expendibots", "3", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert list(result) == ["leaves", "leaves_per_second"]
    assert result["leaves"] == 119_400
    assert result["leaves_per_second"] > 0

    assert run(["perft", "expendibots", "2", "--divide", "--json"]) == 0
    parts = json.loads(capsys.readouterr().out)["divide"]
    assert sum(parts.values()) == 2500
    assert list(parts) == [action.text for action in ludarium.game("expendibots").start().actions()]

    assert run(["perft", "expendibots", "0"]) == 0
    assert capsys.readouterr().out.startswith("1 leaves at depth 0 in ")
    assert run(["perft", "tic-tac-toe", "3"]) == 0
    assert capsys.readouterr().out.startswith("504 leaves at depth 3 in ")
    position = "......B./......../......../......../......../......../......../W....... w 0"
    assert run(["perft", "expendibots", "1", "--position", position, "--divide"]) == 0
    assert set(capsys.readouterr().out.splitlines()[:-1]) == {f"{text:<5}{1:>17}" for text in ("a1-a2", "a1-b1", "a1!")}


def test_games(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert run(["games", "--json"]) == 0
    games = {one["name"]: one for one in json.loads(capsys.readouterr().out)}
    assert set(games) == set(ludarium.list_games())
    one = games["expendibots"]
    assert one["seats"] == ["White", "Black"]
    assert [option["name"] for option in one["options"]] == ["turn_limit", "repetition"]
    assert set(one["options"][0]) == {"name", "accepted", "default", "help"}
    names = [player["name"] for player in one["players"]]
    assert names[:2] == ["human", "random"]

    assert run(["games", "expendibots"]) == 0
    text = capsys.readouterr().out
    assert all(name in text for name in ("expendibots", *names, "turn_limit", "board | board and side"))
