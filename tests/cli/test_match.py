"""Matches from the command line."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import threading
from pathlib import Path
from typing import Any

import pytest

from ludarium.arena import elo_difference
from ludarium.cli.entry import run
from ludarium.core.record import read_record
from tests.command_line import PROGRAM, run_program
from tests.disks import room_for
from tests.games.expendibots.students import WALKS, write_package
from tests.players.programs.bots import write_bot


def match(*arguments: str, players: tuple[str, str] = ("random", "random")) -> dict[str, Any]:
    done = run_program("match", "expendibots", *players, "--seed", "1", "--json", *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


def test_one_json_object(tmp_path: Path) -> None:
    result = match("--games", "5", "--workers", "1", "--records", str(tmp_path), "-o", "turn_limit=60")
    assert list(result) == ["game", "options", "games", "players", "elo", "seed", "seconds"]
    assert (result["game"], result["games"], result["seed"]) == ("expendibots", 5, 1)
    assert result["options"] == {"turn_limit": 60, "repetition": "board"}
    first, second = result["players"]
    forfeits = ["timeouts", "late_answers", "crashes", "other_forfeits"]
    assert list(first) == ["name", "wins", "draws", "losses", "points", *forfeits, "seconds_per_action"]
    assert [first[kind] for kind in forfeits] == [0, 0, 0, 0]
    assert 0 < first["seconds_per_action"] < result["seconds"]
    assert first["wins"] + first["draws"] + first["losses"] == 5
    assert first["points"] + second["points"] == 5
    elo = elo_difference(first["wins"], first["draws"], first["losses"])
    assert result["elo"] == {"difference": elo.difference, "low": elo.low, "high": elo.high}
    assert result["seconds"] > 0

    files = sorted(tmp_path.iterdir())
    assert [file.name for file in files] == [f"game-000{number}.jsonl" for number in range(1, 6)]
    assert all(read_record(file).replay().outcome is not None for file in files)


def test_a_full_disk_loses_no_match(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Some of these games are short enough, others have records that end early, and of later ones there is none."""
    with room_for(1500):
        command = ["match", "expendibots", "random", "random", "--games", "6", "--workers", "1", "--seed", "1", "-o", "turn_limit=40"]
        assert run([*command, "--records", str(tmp_path)]) == 2
    output = capsys.readouterr()
    assert output.out.startswith("Expendibots, 6 games, seed 1")
    reason = rf"the record {tmp_path}/game-0001.jsonl ends early, without the last \d+ lines: File too large"
    assert re.fullmatch(rf"error: \d of 6 games have no whole record; of the first of them, {reason}\n", output.err)
    for file in tmp_path.iterdir():
        assert file.read_bytes().endswith(b"}\n")
        assert read_record(file).replay().ply > 5
    with room_for(100):
        assert run([*command, "--records", str(tmp_path / "none")]) == 2
    output = capsys.readouterr()
    assert output.out.startswith("Expendibots, 6 games, seed 1")
    assert (
        f"error: 6 of 6 games have no whole record; of the first of them, the record {tmp_path}/none/game-0001.jsonl cannot" in output.err
    )
    assert not list((tmp_path / "none").iterdir())


@pytest.mark.parametrize(
    "players", [("random", "greedy"), ("alphabeta:level=1", "mcts:sims=30"), ("alphabeta:depth=2", "alphabeta:nodes=500")]
)
def test_processes_change_nothing(players: tuple[str, str], tmp_path: Path) -> None:
    results = []
    for workers in ("1", "2"):
        results.append(match("--games", "4", "--workers", workers, "--records", str(tmp_path / workers), players=players))
        for timed in (results[-1], *results[-1]["players"]):
            timed.pop("seconds", None)
            timed.pop("seconds_per_action", None)
    assert results[0] == results[1]
    for file in sorted((tmp_path / "1").iterdir()):
        alone, together = (read_record(tmp_path / workers / file.name).replay() for workers in ("1", "2"))
        assert [step.actions for step in alone.steps] == [step.actions for step in together.steps]


def test_the_table_for_people() -> None:
    done = run_program("match", "tic-tac-toe", "random", "random", "-n", "10", "--seed", "1", "--workers", "1")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines[0].startswith("Tic-tac-toe, 10 games, seed 1, ")
    assert re.split(r" {2,}", lines[1].strip()) == ["player", "points", "wins", "draws", "losses", "time per action", "forfeits"]
    assert lines[4].startswith("Elo difference ")
    assert "(95 %: " in lines[4]


def test_repeated_games_are_told() -> None:
    over = "......../......../......../......../......../......../......../W....... b 1"
    done = run_program("match", "expendibots", "random", "random", "-n", "4", "--start", over, "--workers", "1")
    assert "3 of these games repeat an earlier one" in done.stdout


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_stopping_prints_the_score_so_far(tmp_path: Path, number: int, code: int) -> None:
    """Ctrl-C reaches every process of a terminal, SIGTERM the first only."""
    arguments = ["expendibots", "random", "random", "--games", "100000", "--workers", "2", "--json", "--records", str(tmp_path)]
    terminal, inside = pty.openpty()
    with subprocess.Popen(
        [PROGRAM, "match", *arguments], stdout=subprocess.PIPE, stderr=inside, start_new_session=True, env={**os.environ, "TERM": "xterm"}
    ) as program:
        os.close(inside)
        shown = b""
        while not re.search(rb"[1-9]\d*/100000", shown):  # the bar tells that games have been finished
            shown += os.read(terminal, 4096)
        reader = threading.Thread(target=_drain, args=(terminal,))
        reader.start()
        if number == signal.SIGINT:
            os.killpg(program.pid, number)
        else:
            program.send_signal(number)
        output, _ = program.communicate(timeout=60)
        assert program.returncode == code
    reader.join(60)
    result = json.loads(output)
    assert 1 <= result["games"] < 100_000
    assert sum(player["points"] for player in result["players"]) == result["games"]
    notices = [read_record(file).notice for file in tmp_path.iterdir()]
    assert len(notices) >= result["games"]
    assert set(notices) == {None}


def test_games_that_kill_their_process_are_given_up(tmp_path: Path) -> None:
    package, info = tmp_path / "fragile", tmp_path / "fragile-1.0.dist-info"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "game.py").write_text(
        "from tic_tac_toe.game import TicTacToe\n\nclass Fragile(TicTacToe):\n    id = 'fragile'\n    title = 'Fragile'\n"
    )
    (package / "players.py").write_text(
        "import os\nfrom ludarium.players import PlayerKind\nfrom ludarium.players.random import RandomPlayer\n\n"
        "class Glass(RandomPlayer):\n    def __init__(self, game, options, seed):\n        super().__init__(game, options, seed)\n"
        "        self.breaks = seed % 3 == 0\n\n"
        "    def choose(self, *arguments):\n        return os._exit(7) if self.breaks else super().choose(*arguments)\n\n"
        "KINDS = (PlayerKind('glass', 'breaks', (), Glass),)\n"
    )
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: fragile\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[ludarium.games]\nfragile = fragile.game:Fragile\n")
    records = tmp_path / "records"
    arguments = ["fragile", "glass", "random", "--games", "12", "--seed", "4", "--workers", "2", "--records", str(records)]
    done = run_program("match", *arguments, PYTHONPATH=str(tmp_path))
    assert done.returncode == 2
    said = re.fullmatch(r"error: ((?:game \d+(?:, )?)+) given up: processes died again and again, at last with exit code 7\n", done.stderr)
    assert said is not None, done.stderr
    broken = [int(number) for number in re.findall(r"\d+", said[1])]
    assert done.stdout.startswith(f"Fragile, {12 - len(broken)} games of 12, seed 4, ")
    assert 1 <= len(broken) <= 5
    assert [path.name for path in sorted(records.iterdir())] == [f"game-{n:04}.jsonl" for n in range(1, 13) if n not in broken]


def _drain(terminal: int) -> None:
    try:
        while os.read(terminal, 4096):
            pass
    except OSError:
        os.close(terminal)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("sys.exit('no idea')", "ended with exit code 1; it last wrote to its standard error: no idea"),
        ("sys.stdin.readline(); print(1)", "bad answer: "),
    ],
)
def test_a_bot_that_does_not_start_ends_it_before_any_game(
    body: str, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(f"import sys\n{body}\n")
    assert run(["match", "tic-tac-toe", str(bot), "random", "--records", str(tmp_path / "records")]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith(f"error: player {bot} does not start: ")
    assert reason in said.err
    assert said.err.count("\n") == 1
    assert not (tmp_path / "records").exists()


def test_what_a_silent_bot_was_asked_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludarium.players.programs.program.LONGEST_START", 0.5)
    bot = tmp_path / "bot.py"
    bot.write_text("import sys\nsys.stdin.read()\n")
    assert run(["match", "tic-tac-toe", str(bot), "random"]) == 2
    assert capsys.readouterr().err == f"error: player {bot} does not start: no answer to 'hello' within 0.5 s\n"


def test_players_that_import_what_lies_beside_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With records in the same folder, which programs do not see, and with a tournament whose results lie there."""
    monkeypatch.chdir(tmp_path)
    for name in ("first", "second"):
        write_package(tmp_path, name, f"from {name}.ways import go\n{WALKS}")
        (tmp_path / name / "ways.py").write_text("def go(): pass")
    (tmp_path / "helper.py").write_text("from pathlib import Path\nrecords = list(Path('games').glob('*'))")
    write_bot(tmp_path, "import helper\nfor message in turns(): assert not helper.records; act(message)", "mybot.py")
    for players in (["class:first", "class:second"], ["./mybot.py", "class:first"]):
        assert run(["match", "expendibots", *players, "-n", "2", "--records", f"games{len(players[0])}", "--workers", "1"]) == 0
        said = capsys.readouterr()
        assert "crash" not in said.out
        assert said.err.startswith("notice: sandbox")
    for file in ("mybot.toml", "first.toml"):
        players = "".join(f"[[players]]\nname = '{one}'\nspec = '{one}'\n" for one in ("class:first", "./mybot.py"))
        (tmp_path / file).write_text(f"game = 'expendibots'\ngames = 2\n{players}")
        assert run(["tournament", file]) == 0
        assert "crash:" not in capsys.readouterr().out
    assert run(["match", "expendibots", "./mybot.py", "random", "--records", "."]) == 2
    assert capsys.readouterr().err.splitlines()[-1].endswith("store them in a folder of their own, such as --records games")


def test_players_that_fail_at_the_start_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """They end the match with an error, and without a table: what fails is not how they play."""
    monkeypatch.chdir(tmp_path)
    bot = Path(write_bot(tmp_path, "for message in turns(): sys.exit('no weights')"))
    for command in (["match", "expendibots", str(bot), "random", "-n", "10"], ["sprt", "expendibots", str(bot), "random"]):
        assert run([*command, "--workers", "1"]) == 2
        said = capsys.readouterr()
        assert said.out == ""
        assert f"error: player {bot} failed at the start of two games: " in said.err
    file = tmp_path / "cup.toml"
    players = "".join(f"[[players]]\nname = '{name}'\nspec = '{spec}'\n" for name, spec in (("a", bot), ("b", "random")))
    file.write_text(f"game = 'expendibots'\ngames = 10\n{players}")
    assert run(["tournament", str(file)]) == 2
    assert "failed at the start of two games: " in capsys.readouterr().err
    file.write_text(f"game = 'expendibots'\ngames = 2\n{players}[[players]]\nname = 'c'\nspec = 'random'\n")
    (tmp_path / "cup").rename(tmp_path / "before")
    assert run(["tournament", str(file)]) == 0  # three players: it loses its games, and the others play on
    assert "a lost by forfeit" in capsys.readouterr().out
