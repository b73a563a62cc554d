"""Classes of the course's interface, seated."""

from __future__ import annotations

import json
import pickle
import subprocess
import tempfile
import venv
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import ludarium
from ludarium.arena import Openings, Terms, TimeControl, play_game
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
from tests.missing import lacks
from tests.players.programs.bots import eventually

GAME = ludarium.game("expendibots")


def terms(folder: Path, **more: Any) -> Terms:
    return Terms(programs=Conditions(folder=folder, sandbox="off"), **more)


def lost(folder: Path, body: str, **more: Any) -> str:
    """Why White loses, whose package has this text."""
    write_package(folder, "student", body)
    timeline = play_game(GAME, ["class:student", "random"], seed=1, terms=terms(folder, **more))
    assert list(timeline.forfeits) == [0]
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
        (
            "class:",
            "expendibots",
            BadNotation,
            "is no class; write class:PATH_OR_MODULE, class:PATH_OR_MODULE:ClassName, and ,python=PYTHON after either",
        ),
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
    for starts in ("usual", "opening"):
        assert messages.read_ready(f'{{"type":"ready","starts":"{starts}"}}'.encode()).starts == starts
    for answer in (b'{"type":"ready"}', b'{"type":"ready","starts":["usual"]}', b'{"type":"ready","starts":"late"}'):
        assert messages.read_ready(answer).starts == ""


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
        (
            ["--start", GAME.start().text],
            "class:walks plays only games that begin as usual or after random plies, not from given positions",
        ),
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


def first_action(spec: str, folder: Path, monkeypatch: pytest.MonkeyPatch, **more: Any) -> str:
    """What a class chooses first, as White, in the usual sandbox; or why it loses."""
    monkeypatch.chdir(folder)
    played = play_game(GAME, [spec, "random"], seed=1, terms=Terms(programs=Conditions(**more), max_plies=1))
    return played.steps[1].actions[0].text if played.ply else str(played.events[-2]["reason"])


@pytest.mark.parametrize("sandbox", ["auto", "off"])
@pytest.mark.parametrize(
    ("spec", "files"),
    [
        # the import root is where the command runs, also in a folder that is a package itself
        ("class:first", {"__init__.py": "", "first/__init__.py": "from first.ways import go as go\n", "first/ways.py": "def go(): pass"}),
        ("class:outer.inner", {"outer/__init__.py": "ONE = 1", "outer/inner/__init__.py": "from .. import ONE\nfrom outer import ONE\n"}),
        ("class:ns.player", {"ns/player.py": "import ns\nassert not hasattr(ns, '__file__') or ns.__file__ is None\n"}),
        ("class:ns.deep.player", {"ns/deep/player/__init__.py": "import ns.deep.other", "ns/deep/other.py": ""}),
        ("class:ns/deep/player", {"ns/deep/player/__init__.py": "import ns.deep.player", "ns/deep/__init__.py": ""}),
        (
            "class:my-students/alice",
            {"my-students/alice/__init__.py": "from alice.board import SIZE", "my-students/alice/board.py": "SIZE = 8"},
        ),
        ("class:./single.py", {"single.py": "import other", "other.py": ""}),
        # names of modules that the adapter has imported itself
        ("class:tempfile", {"tempfile/__init__.py": "import tempfile.words", "tempfile/words.py": ""}),
        ("class:json:Player", {"json.py": ""}),
    ],
)
def test_where_a_class_is_imported_from(
    spec: str, files: dict[str, str], sandbox: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in files.items():
        file = tmp_path / "course" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text + "\n")
    module = spec.removeprefix("class:").removeprefix("./").removesuffix(":Player").removesuffix(".py").replace(".", "/")
    player = tmp_path / "course" / module
    player = player / "__init__.py" if player.is_dir() else player.with_suffix(".py")
    player.write_text(player.read_text() + WALKS)
    assert first_action(spec, tmp_path / "course", monkeypatch, sandbox=sandbox) == "a2-a3"


def test_a_class_elsewhere_is_imported_by_its_own_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_package(tmp_path / "theirs", "player", "from player.board import SIZE\n" + WALKS)
    (tmp_path / "theirs" / "player" / "board.py").write_text("SIZE = 8")
    (tmp_path / "here").mkdir()
    for spec in ("class:../theirs/player", f"class:{tmp_path}/theirs/player"):
        assert first_action(spec, tmp_path / "here", monkeypatch) == "a2-a3"


WRITES = (
    """
import os, pathlib, pickle
beside = pathlib.Path(__file__).parent
number = pickle.loads((beside / "games.pickle").read_bytes())
with open(beside / "games.pickle", "wb") as file:
    pickle.dump(number + 1, file)
with open("student/log.txt", "a") as log:
    print("another game", file=log)
open("plain.log", "w").close()
assert sorted(os.listdir(".")) == ["neighbour.py", "plain.log", "student"], os.listdir(".")
import neighbour
"""
    + WALKS
)


def test_what_a_class_writes_is_thrown_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside itself and in the folder where it runs, in each game anew; what it has written does not stay."""
    folder = write_package(tmp_path, "student", WRITES)
    (folder / "games.pickle").write_bytes(pickle.dumps(7))
    (tmp_path / "neighbour.py").write_text("")
    temporary = set(Path(tempfile.gettempdir()).iterdir())
    for _ in range(2):
        assert first_action("class:student", tmp_path, monkeypatch) == "a2-a3"
    assert sorted(path.name for path in folder.iterdir()) == ["__init__.py", "games.pickle"]
    assert pickle.loads((folder / "games.pickle").read_bytes()) == 7
    assert sorted(path.name for path in tmp_path.iterdir()) == ["neighbour.py", "student"]
    assert eventually(
        lambda: not any(path.name.startswith(("ludarium-", "player-")) for path in {*Path(tempfile.gettempdir()).iterdir()} - temporary)
    )


def test_what_a_class_writes_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_package(
        tmp_path, "student", "import time\nwith open('much', 'wb') as file:\n    for _ in range(80): file.write(bytes(1 << 20))\n" + WALKS
    )
    (tmp_path / "student" / "large").write_bytes(bytes(40 << 20))  # is linked, not copied
    reason = first_action("class:student", tmp_path, monkeypatch)
    assert "crash: " in reason
    assert "File too large" in reason or "No space left" in reason


POOL = """
import multiprocessing
lock = multiprocessing.Lock()

def double(number):
    with lock:
        return 2 * number

class Player:
    def __init__(self, colour): pass
    def update(self, colour, action): pass
    def action(self):
        with multiprocessing.Pool(2) as pool:
            assert pool.map(double, [1, 2, 3]) == [2, 4, 6]
        return ("MOVE", 1, (0, 1), (0, 2))
"""


def test_a_class_may_use_several_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_package(tmp_path, "student", POOL)
    reason = first_action("class:student", tmp_path, monkeypatch)
    if "Function not implemented" in reason or "Permission denied" in reason:
        lacks("shared memory in a sandbox without namespaces", "apt-get install bubblewrap")
    assert reason == "a2-a3"


def test_a_class_with_an_interpreter_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    venv.create(tmp_path / "old", symlinks=True)
    write_package(tmp_path, "student", f"import sys\nassert sys.prefix == {str(tmp_path / 'old')!r}, sys.prefix\n" + WALKS)
    for python in ("old/bin/python", f"{tmp_path}/old/bin/python"):
        assert first_action(f"class:student:Player,python={python}", tmp_path, monkeypatch) == "a2-a3"
    for spec, words in (
        ("class:student,python=gone/python", "there is no command 'gone/python' here"),
        ("class:student,python=", "is no class; write class:PATH_OR_MODULE"),
    ):
        with pytest.raises((BadOption, BadNotation), match=words):
            first_action(spec, tmp_path, monkeypatch)


def test_processor_time_that_the_system_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_package(tmp_path, "student", answering("__import__('os').kill(__import__('os').getpid(), 24)"))
    reason = first_action("class:student", tmp_path, monkeypatch)
    assert reason.startswith("timeout: class:student had no processor time left")


FOLLOWS = """
class Player:
    def __init__(self, colour):
        self.seen = []

    def update(self, colour, action):
        self.seen.append((colour, action[0]))

    def action(self):
        raise ValueError(f"{len(self.seen)} plies by {self.seen[-1][0]}" if self.seen else "nothing")
"""


def test_random_plies_are_told_as_turns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    write_package(tmp_path, "follows", FOLLOWS)
    start, opening = Openings(random_plies=5).begin(GAME, 0, 3)
    played = play_game(GAME, ["random", "class:follows"], start=start, opening=opening, terms=Terms(max_plies=2))
    assert "raised ValueError: 5 plies by white" in str(played.events[-2]["reason"])
    write_package(tmp_path, "book", answering("return ('MOVE', 1, (3, 3), (3, 4))"))
    line = ["match", "expendibots", "class:book", "random", "-n", "2", "--seed", "1", "--workers", "1", "--random-plies", "4"]
    assert run(line) == 2
    assert "class:book does not follow random plies, and may have a book of its own; leave out --random-plies" in capsys.readouterr().err
