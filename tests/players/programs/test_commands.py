"""Program files with links, Windows line ends, no ``#!`` line, non-UTF-8 names or build commands."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from ludarium.core.record import read_record
from ludarium.errors import BadOption
from ludarium.players.programs import Conditions, try_to_start
from ludarium.players.programs.commands import command_of
from tests.command_line import run_program
from tests.games.expendibots.students import WALKS
from tests.missing import need
from tests.players.programs.bots import GREETED, write_bot

PLAYS = "for message in turns(): act(message)\n"


def greets(spec: str, folder: Path) -> bool:
    return try_to_start(spec, Conditions(folder=folder), "expendibots").name == "test"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("bot.py", GREETED + PLAYS),
        ("crlf.py", (GREETED + PLAYS).replace("\n", "\r\n")),
        ("bom.py", "\ufeff" + GREETED + PLAYS),
        ("env.py", "#!/usr/bin/env python3\n" + GREETED + PLAYS),
        ("own", f"#!{sys.executable}\n" + GREETED + PLAYS),
    ],
)
def test_executable_files_that_play(name: str, text: str, tmp_path: Path) -> None:
    """The suffix names the interpreter of an executable file without a ``#!`` line."""
    path = tmp_path / name
    path.write_text(text, newline="")
    path.chmod(0o755)
    assert greets(f"./{name}", tmp_path)


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        (
            "bot",
            b"print()\n",
            "is executable but has no #! line; begin it with '#!/usr/bin/env python3' or the like, or write 'cmd:COMMAND LINE'",
        ),
        ("empty", b"", "is executable but has no #! line"),
        (
            "crlf",
            b"#!/bin/sh\r\necho\r\n",
            r"has Windows line ends, so there is no interpreter '/bin/sh\r'; save it with Unix line ends (LF)",
        ),
        ("crlf.py", b"#!/usr/bin/env python3\r\n", r"has Windows line ends, so there is no interpreter '/usr/bin/env python3\r'"),
        ("bom.py", b"\xef\xbb\xbf#!/usr/bin/env python3\n", "has a byte order mark before its #! line; save it as UTF-8 without BOM"),
        ("gone", b"#!/usr/bin/python9 -u\n", "has the #! line '#!/usr/bin/python9 -u', and there is no such interpreter here"),
        ("bot.sh", b"read line\r\n", "has Windows line ends, which sh does not read; save it with Unix line ends (LF)"),
    ],
)
def test_executable_files_that_do_not(name: str, data: bytes, words: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    path.chmod(0o755)
    with pytest.raises(BadOption) as problem:
        command_of(f"./{name}", tmp_path)
    assert words in str(problem.value)
    assert str(problem.value).startswith(f"player './{name}' ")


@pytest.mark.parametrize("is_executable", [False, True])
def test_the_suffix_of_a_link_counts(is_executable: bool, tmp_path: Path) -> None:
    """The program runs in the target's folder."""
    (tmp_path / "versions").mkdir()
    (tmp_path / "versions" / "helper.py").write_text("")
    bot = Path(write_bot(tmp_path / "versions", "import helper\n" + PLAYS, "bot-7"))
    bot.chmod(0o755 if is_executable else 0o644)
    (tmp_path / "current.py").symlink_to("versions/bot-7")
    assert greets("./current.py", tmp_path)
    with pytest.raises(BadOption):
        command_of("./versions/bot-7", tmp_path)


@pytest.mark.parametrize("spec", ["./alice/bot.py", "./carol/bot.py", "class:alice", "class:./dave/bob"])
def test_where_a_link_leads_is_recorded(spec: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another student's program is not played unseen. Seats and entrants differ in the second game."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bob").mkdir()
    write_bot(tmp_path / "bob", PLAYS)
    (tmp_path / "bob/__init__.py").write_text(WALKS)
    (tmp_path / "alice").mkdir()
    (tmp_path / "dave").symlink_to(".")
    (tmp_path / "carol").symlink_to("bob")
    if spec == "class:alice":
        (tmp_path / "alice").rmdir()
        (tmp_path / "alice").symlink_to("bob")
    else:
        (tmp_path / "alice/bot.py").symlink_to(tmp_path / "bob/bot.py")
    done = run_program("match", "expendibots", "random", spec, "-n", "2", "--workers", "1", "--records", "games")
    target = str(tmp_path / ("bob" if "class" in spec else "bob/bot.py"))
    assert f"notice: {spec} is a link to {target}\n" in done.stderr
    programs = [read_record(tmp_path / f"games/game-000{number}.jsonl").header.programs for number in (1, 2)]
    assert programs == [{"1": target}, {"0": target}]


def test_a_name_that_is_not_utf_8(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Such a bot plays, and its name is stored escaped."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LUDARIUM_STORE", f"sqlite:///{tmp_path}/store.db")
    name, records = b"./b\xffot.py", b"rec\xfeords"
    write_bot(tmp_path, PLAYS, os.fsdecode(name))
    (tmp_path / os.fsdecode(b"\xe4.py")).write_text("import sys; sys.exit('no')")
    options = ("-n", "2", "--workers", "1")
    done = run_program("match", "expendibots", name, "random", *options, "--records", records, "--store")
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
    assert read_record(tmp_path / os.fsdecode(records) / "game-0001.jsonl").header.players == ["./b\\xffot.py", "random"]
    (*_, game) = json.loads(run_program("store", "search", "--json").stdout)["games"]
    assert os.fsencode(game["record"]) == os.fsencode(tmp_path) + b"/rec\xfeords/game-0001.jsonl"
    for code, *typed in (
        (0, "match", "expendibots", b"cmd:" + os.fsencode(sys.executable) + b" " + name, "random", *options),
        (0, "check-bot", "expendibots", name),
        (0, "replay", records + b"/game-0001.jsonl"),
        (0, "store", "check"),
        (0, "store", "export", b"\xfccopies"),
        (0, "store", "import", b"\xfccopies"),
        (2, "match", "expendibots", b"./\xe4.py", "random", *options),
        (2, "match", "expendibots", b"./\xfe.py", "random", *options),
        (2, "match", "expendibots", b"gr\xfeedy", "random", *options),
        (2, "match", b"ex\xfependibots", "random", "random"),
        (2, "replay", b"\xfe.jsonl"),
        (2, "tournament", b"\xfe.toml"),
    ):
        done = run_program(*typed)
        assert (done.returncode, done.stderr.startswith("Traceback")) == (code, False), (typed, done.stderr)
        assert "\\udc" not in done.stdout + done.stderr


BUILD = """\
import pathlib, sys
engine = pathlib.Path("engine.txt").read_text()
if engine == "broken":
    sys.exit("engine.txt: broken")
pathlib.Path("built").mkdir(exist_ok=True)
pathlib.Path("built/bot.py").write_text(engine)
"""


def test_a_bot_names_its_own_build_command(tmp_path: Path) -> None:
    (tmp_path / "build.py").write_text(BUILD)
    spec = f"./built/bot.py,build={sys.executable} build.py"
    for name in ("test", "other"):
        (tmp_path / "engine.txt").write_text((GREETED + PLAYS).replace('name="test"', f'name="{name}"'))
        assert try_to_start(spec, Conditions(folder=tmp_path), "expendibots").name == name
    (tmp_path / "engine.txt").write_text("broken")
    with pytest.raises(BadOption, match=r"cannot be built: '.* build\.py' ended with exit code 1: engine\.txt: broken"):
        greets(spec, tmp_path)
    with pytest.raises(BadOption, match=r"there is no command 'nothing' here"):
        command_of("./bot,build=nothing", tmp_path)
    with pytest.raises(BadOption, match=r"cannot be built: .*gone is not a file in "):
        greets("./gone,build=true", tmp_path)


def test_a_line_says_when_a_bot_is_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once, although its command runs before every game."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bot.in").write_text(GREETED + PLAYS)
    spec = "./bot.py,build=cp bot.in bot.py"
    done = run_program("match", "expendibots", spec, "random", "-n", "2", "--workers", "1")
    assert done.returncode == 0
    assert done.stderr.count(f"building {spec} …\n") == 1


def test_make_builds_a_bot(tmp_path: Path) -> None:
    need("make", "make")
    (tmp_path / "Makefile").write_text("bot: bot.in\n\tcp bot.in bot\n\tchmod +x bot\n")
    (tmp_path / "bot.in").write_text(f"#!{sys.executable}\n{GREETED}{PLAYS}")
    assert greets("./bot,build=make -s", tmp_path)
