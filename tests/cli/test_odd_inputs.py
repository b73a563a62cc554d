"""Odd values, files and environments for every command: each error is one line, never a traceback."""

from __future__ import annotations

import os
import random
import re
import signal
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from ludarium.cli.app import app
from ludarium.core.registry import list_games
from tests.command_line import USED
from tests.forked import ForkingProcess
from tests.players.programs.bots import GREETED

ALARMED = Path(__file__).with_name("alarmed.py")

CASES, PARTS = 400, 20

NUMBERS = ["", "-1", "0", "1", "1e999", "nan", "-inf", "½", "１２", "9" * 30, "0x10", " 3", "3.0", "1_000", "0.5", "true"]
TEXTS = [
    "",
    " ",
    "-",
    "é",
    "\u202e",
    "a" * 5000,
    "{}",
    "[1",
    "null",
    "\x1b[31m",
    "\udcff",
    "=",
    "a=b",
    "players=9",
    "%s%n",
    "../..",
    "\U0001f600",
]
GAMES = [*list_games(), "EXPENDIBOTS", "expendibots ", "chess"]
PLAYERS = [
    "random",
    "human",
    "greedy",
    "alphabeta:level=0",
    "alphabeta:depth=1",
    "mcts:sims=2",
    "net",
    "random:x",
    "class:",
    "class:os",
    "class:gone,python=",
]
PLAYERS += [
    "cmd:",
    "cmd:'",
    "cmd:gone",
    "cmd:true",
    "ws://",
    "ws://[",
    "ws://127.0.0.1:1",
    "./plain",
    "./crlf",
    "./empty",
    "./folder",
    "./bot.py",
    "./utf16.py",
]
PLAYERS += [
    "./gone.py",
    "./link.py",
    "./loop",
    "./\udcff.py",
    "./bot.py,build=",
    "./bot.py,build=false",
    "class:bot",
    "net:binary",
    "./cut.c",
]
SHORT = {"games": "1", "workers": "1", "depth": "1", "limit": "1", "concurrency": "1"}
"""Small values of parameters that could make a command run long."""

ENVIRONMENTS: list[dict[str, str | None]] = [
    *({} for _ in range(6)),
    {"HOME": None},
    {"HOME": ""},
    {"HOME": "relative"},
    {"HOME": "/dev/null"},
    {"XDG_DATA_HOME": "", "XDG_CACHE_HOME": ""},
    {"XDG_DATA_HOME": "relative", "XDG_CACHE_HOME": "relative"},
    {"XDG_DATA_HOME": "/proc/self"},
    {"LANG": "C", "LC_ALL": "POSIX", "PYTHONIOENCODING": "ascii"},
    {"PYTHONIOENCODING": "latin-1"},
    {"COLUMNS": "0", "LINES": "-1"},
    {"COLUMNS": "many", "TERM": "dumb", "NO_COLOR": "1"},
    {"FORCE_COLOR": "1", "TERM": "xterm-256color"},
    {"LUDARIUM_STORE": "postgresql://nowhere:1/x"},
    {"LUDARIUM_STORE": "nonsense://"},
    {"LUDARIUM_STORE": "/proc/store.sqlite"},
    {"LUDARIUM_STORE": "binary"},
    {"TMPDIR": "/gone"},
    {"PATH": ""},
    {"TZ": "Nowhere/Land"},
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files of all kinds."""
    folder = tmp_path_factory.mktemp("odd")
    cup = b"game = 'tic-tac-toe'\ngames = 2\n[[players]]\nname = 'a'\nspec = 'random'\n[[players]]\nname = 'b'\nspec = 'random'\n"
    record = (Path(__file__).parents[1] / "data/kept/expendibots-1.jsonl").read_bytes()
    bot = (GREETED + "for message in turns(): act(message)\n").encode()
    files = {
        "empty": b"",
        "blank.jsonl": b"\n\n",
        "binary": bytes(range(256)) * 40,
        "cup.toml": cup,
        "bom.toml": b"\xef\xbb\xbf" + cup.replace(b"\n", b"\r\n"),
        "utf16.toml": cup.decode().encode("utf-16"),
        "latin1.toml": cup.replace(b"'a'", "'é'".encode("latin-1")),
        "wrong.toml": cup.replace(b"games = 2", b"games = -2"),
        "text.jsonl": record + b"\n\r\n",
        "cut.jsonl": record[:-20],
        "utf16.jsonl": record.decode().encode("utf-16"),
        "utf16.py": bot.decode().encode("utf-16"),
        "numbers.json": b"[1, 2",
        "deep.json": b"[" * 100_000,
        "bot.py": bot,
        "plain": b"print()\n",
        "crlf": b"#!/bin/sh\r\necho\r\n",
        "cut.c": b"int main() {",
        "positions.txt": b"# none\n",
        os.fsdecode(b"\xff.py"): bot,
    }
    for name, data in files.items():
        (folder / name).write_bytes(data)
    for name in ("plain", "crlf", "empty"):
        (folder / name).chmod(0o755)
    (folder / "folder").mkdir()
    (folder / "link.py").symlink_to("bot.py")
    (folder / "loop").symlink_to("loop")
    (folder / "dangling").symlink_to("gone")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(folder / "socket"))
    return folder


def commands(command: Any, context: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield all commands, including those of games, with their words."""
    if not hasattr(command, "list_commands"):
        yield words, command
        return
    names = [*command.list_commands(context), *(() if words else list_games())]
    for name in names:
        found = command.get_command(context, name)
        if found is not None:
            yield from commands(found, type(context)(found, parent=context, info_name=name), (*words, name))


LOADED = """
import ludarium, ludarium.cli.match, ludarium.arena.store, ludarium.arena.tournament, ludarium.players.kinds
from ludarium.core.registry import list_games
for id in list_games():
    ludarium.game(id)
"""
"""Statements that import Ludarium once; other tests cover start-up."""

ENDLESS = {("serve",), ("join",), ("train",)}
"""Commands that run until they are stopped."""


def value(parameter: Any, chance: random.Random, files: list[str]) -> str:
    name = parameter.name
    odd = chance.choice([NUMBERS, TEXTS, files])
    if name in SHORT and chance.random() < 0.8:
        return SHORT[name]
    if name == "game":
        return chance.choice(GAMES if chance.random() < 0.9 else TEXTS)
    if name in ("players", "player", "new", "old", "bot", "white", "black"):
        return chance.choice(PLAYERS if chance.random() < 0.9 else TEXTS)
    if name in ("file", "paths", "folder", "records", "record", "path", "config", "data", "openings", "map", "maps"):
        return chance.choice(files)
    return chance.choice(odd)


def line(words: tuple[str, ...], command: Any, chance: random.Random, files: list[str]) -> list[str]:
    typed = list(words)
    options = [one for one in command.params if one.param_type_name == "option" and one.name not in ("help", "open_browser")]
    for one in chance.sample(options, min(len(options), chance.choice([0, 1, 1, 2, 3]))):
        typed.append(chance.choice(one.opts))
        if not one.is_flag:
            typed.append(value(one, chance, files))
    for one in command.params:
        if one.param_type_name == "argument" and chance.random() < 0.95:
            count = chance.choice([1, 2, 2, 3]) if one.nargs == -1 else 1
            typed += [value(one, chance, files) for _ in range(count)]
    if words[0] in ("match", "sprt") and "--games" not in typed and "-n" not in typed:
        typed += ["-n", "2", "--workers", "1"]
    if chance.random() < 0.1:
        typed.insert(chance.randrange(len(typed) + 1), chance.choice(["--nonsense", "-", "--", "-Z", "--json=1"]))
    return typed


@pytest.fixture(scope="module")
def program() -> Iterator[ForkingProcess]:
    process = ForkingProcess(USED + LOADED)
    yield process
    process.close()


@pytest.mark.parametrize("part", range(PARTS))
def test_no_traceback(part: int, folder: Path, tmp_path: Path, program: ForkingProcess) -> None:
    root: Any = typer.main.get_command(app)
    context = root.make_context("ludarium", ["games"], resilient_parsing=True)
    found = list(commands(root, context))
    assert len(found) > 30
    files = [
        *(path.name for path in folder.iterdir()),
        "gone",
        "/dev/null",
        "/dev/full",
        "/proc/self",
        "x" * 300,
        "/proc/self/mem",
        "~nobody/x",
        "-",
    ]
    chance = random.Random(part)
    for number in range(part, CASES, PARTS):
        words, command = found[number % len(found)]
        typed = line(words, command, chance, sorted(files))
        wanted = chance.choice(ENVIRONMENTS)
        usual = {"COLUMNS": "100", "HOME": str(tmp_path), "LUDARIUM_STORE": str(tmp_path / "store.sqlite")}
        usual["ALARM"] = "2" if -signal.SIGALRM in codes(words) else "120"
        variables = {name: text for name, text in {**os.environ, **usual, **wanted}.items() if text is not None}
        typed_text = chance.choice([b"", b"\n", b"?\nquit\n", b"\xff\xfe\n", b"1\n1\n"])
        done = program.run(ALARMED, *typed, folder=folder, variables=variables, typed=typed_text)
        told = f"{typed} with {wanted} ended with {done.returncode}:\n{done.stderr[-3000:]}"
        assert not re.search(r"^Traceback", done.stderr + done.stdout, re.MULTILINE), told
        assert done.returncode in codes(words), told
        if done.returncode == 2:
            last = re.sub(r"\x1b\[[?\d;]*[A-Za-z]|\r", "", done.stderr.rstrip("\n").splitlines()[-1])
            assert re.match(r"error: \S", last), told


def codes(words: tuple[str, ...]) -> set[int]:
    """Return the allowed exit codes of a command. Long commands may be ended by the alarm."""
    is_long = words in ENDLESS or words[-1] in ("serve", "battleground", "orchestrate", "join", "tune", "balance", "study", "perft")
    return {0, 1, 2} | ({-signal.SIGALRM} if is_long else set()) | ({255} if words == ("hexabomb", "logic") else set())
