"""Classes of the course's interface, seated."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import ludarium
from ludarium.arena import Terms, TimeControl, play_game
from ludarium.arena.tournament_file import read_tournament
from ludarium.cli.entry import run
from ludarium.errors import BadNotation, BadOption
from ludarium.games.expendibots.class_adapter import action_text, action_tuple
from ludarium.games.expendibots.players import OFFICIAL
from ludarium.players import parse_player
from ludarium.players.programs import USUAL, Allowance, Conditions, messages
from ludarium.players.programs.bots import bot_of
from ludarium.players.programs.commands import Command
from tests.games.expendibots.students import TIDY, WALKS, answering, write_package

GAME = ludarium.game("expendibots")


def terms(folder: Path, **more: Any) -> Terms:
    return Terms(programs=Conditions(folder=folder, sandbox="off"), **more)


def lost(folder: Path, body: str, **more: Any) -> str:
    """Why White loses, whose package has this text."""
    write_package(folder, "student", body)
    timeline = play_game(GAME, ["class:student", "random"], seed=1, terms=terms(folder, **more))
    assert timeline.forfeited == 0
    assert timeline.outcome is not None
    return timeline.outcome.reason


def test_a_package_of_several_modules(tmp_path: Path) -> None:
    write_package(tmp_path, "tidy", TIDY)
    write_package(tmp_path, "walks", WALKS)
    logs: list[str] = []
    for number in range(2):
        log = tmp_path / f"game{number}.jsonl"
        tidy = ("class:tidy", "class:tidy/play.py")[number]
        timeline = play_game(GAME, [tidy, "class:./walks"], seed=5, log=log, terms=terms(tmp_path))
        assert timeline.ply == 4
        assert [action.text for step in timeline.steps[1:] for action in step.actions.values()] == ["a2-a3", "h7-h6", "b1!", "h6-h5"]
        assert timeline.outcome is not None
        assert "illegal action: ('BOOM', (9, 9))" in timeline.outcome.reason
        logs.append(log.with_name(f"game{number}-0.log").read_text())
    assert logs[0] == logs[1]  # with the seed's hashes
    said = logs[0].splitlines()
    assert said[0].startswith("white patience")
    assert said[1].endswith("[('white', ('MOVE', 1, (0, 1), (0, 2))), ('black', ('MOVE', 1, (7, 6), (7, 5)))]")


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("print('so be it')", "illegal action: None; right are"),
        ("print('so be it'); return ['BOOM', (0, 0)]", "illegal action: ['BOOM', (0, 0)]; right are"),
        ("print('so be it'); return ('MOVE', 10 ** 5000, (0, 1), (0, 2))", "illegal action: a value of type tuple; right are"),
        ("print('so be it'); return ('BOOM', (0, 7))", "illegal action: 'a8!' is not legal here"),
        ("print('so be it'); return ('MOVE', 1, (0, 0), (1, 1))", "illegal action: 'a1-b2': a move goes along a rank or a file"),
        ("print('so be it'); return 1 / 0", "crash: action() raised ZeroDivisionError: division by zero"),
        ("print('so be it'); raise SystemExit(0)", "crash: action() raised SystemExit: 0"),
        ("print('so be it'); import os; os._exit(3)", "ended with exit code 3"),
    ],
)
def test_what_loses_a_game(answer: str, reason: str, tmp_path: Path) -> None:
    told = lost(tmp_path, answering(answer))
    assert reason in told
    assert "it last wrote to its standard error: " in told
    assert "so be it" in told


def test_more_of_what_loses_a_game(tmp_path: Path) -> None:
    assert "crash: Player('white') raised KeyError: 'gone'" in lost(tmp_path, "def Player(colour): raise KeyError('gone')")
    assert "standard error: student has no class Player)" in lost(tmp_path, "player = 1")
    told = lost(tmp_path, "import nosuchmodule")
    assert f'standard error: Traceback (most recent call last): File "{tmp_path}/student/__init__.py", line 1, in <module>' in told
    assert told.endswith("No module named 'nosuchmodule')")


def test_one_that_hangs(tmp_path: Path) -> None:
    controls = (TimeControl(2, is_per_action=True), TimeControl(10))
    told = lost(tmp_path, answering("\n        print('over and over')\n        import time; time.sleep(1000)"), time=controls)
    assert "timeout: no answer in time; it last wrote to its standard error: over and over" in told


def test_a_class_is_seated_wherever_bots_are(tmp_path: Path) -> None:
    write_package(tmp_path, "team", {"__init__.py": "", "deep/__init__.py": "", "deep/mind.py": WALKS.replace("Player", "Mind")})
    found = [bot_of(spec, tmp_path, "expendibots") for spec in ("class:team.deep.mind:Mind", "class:team/deep/mind.py:Mind")]
    for bot in found:
        assert isinstance(bot, Command)
        assert bot.words[-3:] == (str(tmp_path.resolve()), "team.deep.mind", "Mind")
    assert parse_player("class:team.deep.mind:Mind", GAME, conditions=Conditions(folder=tmp_path)).is_program


@pytest.mark.parametrize(
    ("spec", "game", "error", "words"),
    [
        ("class:", "expendibots", BadNotation, "is no class; write class:PATH_OR_MODULE or class:PATH_OR_MODULE:ClassName"),
        ("class:student:", "expendibots", BadNotation, "is no class"),
        ("class:student:no-name", "expendibots", BadNotation, "is no class"),
        ("class:nobody", "expendibots", BadOption, "there is no package"),
        ("class:student", "hexabomb", BadOption, "hexabomb has no interface for classes"),
    ],
)
def test_what_names_no_class(spec: str, game: str, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        parse_player(spec, ludarium.game(game), conditions=USUAL)


def test_every_action_as_a_tuple() -> None:
    start = GAME.parse("BB.BB.BB/BB.BB.BB/......../......../......../......../WW.WW.WW/.W.WW..W(3) w 0")
    for action in start.actions(0):
        assert action_text(action_tuple(action.text)) == action.text


def test_a_second_game_and_actions_that_are_taken_back(tmp_path: Path) -> None:
    write_package(tmp_path, "walks", WALKS)
    bot = bot_of("class:walks", tmp_path, "expendibots")
    assert isinstance(bot, Command)
    game = {"type": "game", "position": GAME.start().text, "seat": 0, "seed": 7}
    steps = [{"event": "action", "actions": {"0": "a2-a3"}}, {"event": "action", "actions": {"1": "h7!"}}]
    told = [
        *({"type": "hello"}, game, {"type": "turn", "from": 1, "events": []}, {"type": "turn", "from": 1, "events": steps}),
        *({"type": "turn", "from": 1, "events": []}, {"type": "result", "from": 1, "events": []}, {"type": "news"}),
        *(game | {"seat": 1, "seed": 8}, {"type": "turn", "from": 1, "events": steps[:1]}),
    ]
    lines = "".join(f"{json.dumps(message)}\n" for message in told)
    done = subprocess.run(bot.seeded(3).words, cwd=bot.folder, input=lines, capture_output=True, text=True, check=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["type"] for answer in answers] == ["ready", *["action"] * 4]
    assert [answer.get("action") for answer in answers[1:]] == ["a2-a3", "a3-a4", "a2-a3", "h7-h6"]


def test_check_bot_leaves_out_what_begins_elsewhere() -> None:
    wishes = messages.read_ready(b'{"type":"ready","starts":"usual"}')
    assert wishes.starts_as_usual
    assert not messages.read_ready(b'{"type":"ready"}').starts_as_usual


def test_a_match_on_the_terms_of_the_course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    write_package(tmp_path, "walks", WALKS)
    write_package(
        tmp_path,
        "large",
        WALKS.replace("        x, y = self.place\n", "        x, y = self.place\n        self.held = bytearray(150 << 20)\n"),
    )
    line = ["match", "expendibots", "class:walks", "class:large", "-n", "2", "--seed", "1", "--workers", "1", "--sandbox", "off"]
    official = replace(OFFICIAL, seconds=30, megabytes=70)
    monkeypatch.setattr("ludarium.games.expendibots.players.OFFICIAL", official)
    assert run([*line, "--official"]) == 0
    said = capsys.readouterr().out
    assert said.count("class:large lost by forfeit") == 2
    assert said.count("MB of the others; 140 are allowed for all players") == 2
    for more, words in [
        (["--tc", "10"], "--official and --tc are two answers"),
        (["-o", "repetition=board"], "officially the game is played with repetition=board and side, not with repetition=board"),
        (["-o", "turn_limit=100"], "officially the game is played with turn_limit=500, not with turn_limit=100"),
        (["--random-plies", "2"], "class:walks plays only games that begin as usual"),
    ]:
        assert run([*line, "--official", *more]) == 2
        assert words in capsys.readouterr().err
    assert run(["match", "hexabomb", "random", "random", "--official"]) == 2
    assert "hexabomb has no official terms" in capsys.readouterr().err


def test_a_tournament_on_the_terms_of_the_course(tmp_path: Path) -> None:
    file = tmp_path / "class.toml"
    players = "".join(f'[[players]]\nname = "{name}"\nspec = "greedy"\n' for name in ("a", "b"))
    file.write_text(f'game = "expendibots"\nofficial = true\n{players}')
    held = read_tournament(file)
    assert held.game.options["repetition"] == "board and side"
    assert (held.terms.time, held.terms.by_cpu) == ((TimeControl(60),) * 2, True)
    assert held.terms.programs.allowance == Allowance(60, 100)
    file.write_text(f'game = "expendibots"\nofficial = true\ntime = "5"\n{players}')
    with pytest.raises(BadOption, match="official = true says how much time players have"):
        read_tournament(file)
