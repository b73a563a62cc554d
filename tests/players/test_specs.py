"""What names a player."""

from __future__ import annotations

import socket
import subprocess
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import ludarium
from ludarium.errors import BadNotation, BadOption
from ludarium.players import parse_player, player_kinds
from ludarium.players.programs import USUAL


@pytest.fixture
def game() -> Any:
    return ludarium.game("expendibots")


def test_a_games_players_may_be_opponents_alone(game: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludarium.players.specs.game_module", lambda id, name: ModuleType("players"))
    assert "random" in player_kinds(game)


@pytest.mark.parametrize("spec", ["./bot.py", "bot.js", "folder/bot", "cmd:python3 bot.py --depth 3", " ./bot.py "])
def test_programs(game: Any, spec: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def start(*_: Any, **__: Any) -> None:
        raise AssertionError("reading a spec starts nothing")

    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    for name in ("bot.py", "bot.js", "folder/bot"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setattr(subprocess, "Popen", start)
    found = parse_player(spec, game, conditions=USUAL)
    assert found.is_program
    assert found.text == spec.strip()
    found.make(game, 1).close()


@pytest.mark.parametrize("spec", ["ws://localhost:9000", "ws://127.0.0.1", "wss://bots.example.org/mine?level=2", "ws://[::1]:9000/"])
def test_bots_that_listen(game: Any, spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def connect(*_: Any) -> None:
        raise AssertionError("reading a spec connects to nobody")

    monkeypatch.setattr(socket.socket, "connect", connect)
    found = parse_player(spec, game, conditions=USUAL)
    assert found.is_program
    assert found.text == spec
    found.make(game, 1).close()


NO_ADDRESSES = (
    "ws:",
    "ws://",
    "wss:///path",
    "ws:localhost:9000",
    "ws://host:many",
    "ws://host:99999",
    "ws://[::1",
    "ws://a b",
    "ws://h#part",
    "ws://.",
)


@pytest.mark.parametrize(
    ("spec", "error", "words"),
    [
        ("./nothing.py", BadOption, "there is no such file"),
        ("~nobody knows/bot.py", BadOption, "there is no such file"),
        ("class:/", BadOption, "there is no package (a folder with __init__.py), file or module of that name"),
        ("class:~nobody knows/bot.py", BadOption, "there is no package (a folder with __init__.py), file or module of that name"),
        (".", BadOption, "is a folder, not a program"),
        ("./note.txt", BadOption, "is not executable, and its ending '.txt' is not one of: .c, .cc, .cpp"),
        ("./bot.lua", BadOption, "there is no command 'lua' here"),
        ("cmd:", BadNotation, "names no command"),
        ("cmd:bot 'half", BadNotation, "No closing quotation"),
        ("cmd:nosuchcommand 1", BadOption, "there is no command 'nosuchcommand' here"),
        ("bot", BadOption, "player 'bot' is not one of: random, greedy"),
        ("random:", BadNotation, "write name, name:key=value,key=value, ./program, cmd:COMMAND LINE or ws://HOST:PORT"),
        *((address, BadNotation, f"'{address}' is not where a bot listens; write ws://HOST:PORT/PATH") for address in NO_ADDRESSES),
        ("random:./bot.py", BadOption, "'./bot.py' is not of the form key=value"),
    ],
)
def test_what_names_nobody(
    game: Any, spec: str, error: type[Exception], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    (tmp_path / "note.txt").write_text("")
    (tmp_path / "bot.lua").write_text("")
    with pytest.raises(error) as problem:
        parse_player(spec, game, conditions=USUAL)
    assert words in str(problem.value)


@pytest.mark.parametrize("spec", ["./bot.py", "/bin/true", "cmd:true", "bot.py", "ws://localhost:9000", "wss:"])
@pytest.mark.parametrize("longest", [None, 10.0])
def test_strangers_name_no_programs(game: Any, spec: str, longest: float | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bot.py").write_text("")
    with pytest.raises(BadOption, match=r"is a program of its own, and only built-in players play here: random, greedy"):
        parse_player(spec, game, longest=longest)


def test_without_open_spiel_its_search_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludarium.players.open_spiel_mcts.find_spec", lambda name: None)
    with pytest.raises(BadOption, match=r"OpenSpiel is not installed; pip install 'ludarium\[rl\]'"):
        parse_player("openspiel-mcts", ludarium.game("expendibots"))
