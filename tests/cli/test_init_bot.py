"""``ludarium init-bot``: what it writes plays every game, in every language."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

import ludarium
from ludarium.arena import play_game
from ludarium.cli.entry import run
from ludarium.cli.init_bot import BOTS, LANGUAGES
from ludarium.core.registry import list_games
from ludarium.players.programs import pool
from tests.missing import need
from tests.players.programs.bots import write_bot, written

TOOLS = {
    ".cc": ("c++", "g++"),
    ".cpp": ("c++", "g++"),
    ".java": ("java", "default-jdk-headless"),
    ".js": ("node", "nodejs"),
    ".mjs": ("node", "nodejs"),
    ".py": ("python3", "python3"),
}
"""By a file's ending: what runs it, and Debian's package with that."""

SHORT: dict[str, dict[str, Any]] = {
    "expand-conquer": {"rows": 4, "columns": 4, "start": "O***|****|****|***X"},
    "expendibots": {"turn_limit": 30},
    "hexabomb": {"turns": 10},
    "liars-dice": {},
    "roboderby": {"turn_limit": 5},
    "tic-tac-toe": {},
}
"""By game: options of a short one."""


def need_language(suffix: str) -> None:
    """Skip a test that lacks what runs or compiles files of a suffix."""
    need(*TOOLS[suffix])


def test_every_language_and_game_is_tested() -> None:
    assert set(TOOLS) == set(LANGUAGES)
    assert set(SHORT) == set(list_games())


@pytest.mark.parametrize("suffix", sorted({*LANGUAGES} - {".cc"}))
def test_what_it_writes_plays_whole_games(suffix: str, tmp_path: Path) -> None:
    need_language(suffix)
    seen: dict[str, Path] = {}
    for id, options in SHORT.items():
        file = tmp_path / f"{id}{suffix}"
        assert run(["init-bot", id, str(file)]) == 0
        game = ludarium.game(id, **options)
        text = file.read_text(encoding="utf-8")
        assert f"A bot for {game.title}. " in text
        assert "docs/bots.md" in text
        assert "[one]" not in text
        assert "[orders]" not in text
        nameless = text.replace(game.title, "").replace(id, "")
        bot = str(seen.setdefault(nameless, file))  # one that differs in names alone is not compiled again
        first, again, other = (play_game(game, [bot, *["random"] * (game.players - 1)], seed=seed) for seed in (1, 1, 2))
        assert first.outcome is not None
        assert [event for event in (*first.events, *other.events) if event["event"] == "forfeit"] == []
        choices, again_choices = ([event.get("actions") for event in one.events] for one in (first, again))
        assert choices == again_choices
    assert len(seen) == 2
    pool.end_all()


@pytest.mark.parametrize("file", sorted(BOTS.iterdir()), ids=str)
def test_a_bot_to_begin_with_is_short(file: Path) -> None:
    assert file.suffix in LANGUAGES.values() or file.name == "__pycache__"
    if file.is_file():
        assert len(file.read_text(encoding="utf-8").splitlines()) <= {".py": 32, ".js": 45}.get(file.suffix, 90)


def test_it_says_what_to_type_next(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["init-bot", "tic-tac-toe", 'my "first" bot.py']) == 0
    said = capsys.readouterr()
    title, check, match, ladder = said.out.splitlines()
    assert title.startswith('my "first" bot.py plays Tic-tac-toe')
    assert said.err == ""
    assert check == """  ludarium check-bot tic-tac-toe './my "first" bot.py'"""
    assert ladder.endswith("""ludarium join URL './my "first" bot.py' --name NAME""")
    assert run(shlex.split(check)[1:]) == 0
    assert 'it calls itself "my -first- bot"' in capsys.readouterr().out
    assert run([*shlex.split(match)[1:], "-n", "2", "--workers", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["games"] == 2
    pool.end_all()


def test_a_game_for_more_has_more_players(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["init-bot", "liars-dice", str(tmp_path / "bot.py")]) == 0
    others = " random" * (ludarium.game("liars-dice").players - 1)
    assert capsys.readouterr().out.splitlines()[2].endswith(f"match liars-dice {tmp_path / 'bot.py'}{others}")


@pytest.mark.parametrize(
    ("game", "name", "message"),
    [
        ("expendibots", "there.py", "there.py exists already; a new bot is written into a new file"),
        ("expendibots", "bot.rb", "the ending of a bot's file '.rb' is not one of: .cc, .cpp, .java"),
        ("expendibots", "bot", "the ending of a bot's file '' is not one of"),
        ("expendibot", "bot.py", "game 'expendibot' is not one of"),
        ("expendibots", "none/bot.py", "bot.py cannot be written: No such file or directory"),
    ],
)
def test_what_it_refuses(game: str, name: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "there.py").write_text("mine")
    assert run(["init-bot", game, str(tmp_path / name)]) == 2
    said = capsys.readouterr()
    assert message in said.err
    assert said.err.count("\n") == 1
    assert said.out == ""
    assert [path.name for path in tmp_path.iterdir()] == ["there.py"]
    assert (tmp_path / "there.py").read_text() == "mine"


READER = """
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say(type="ready")
    elif message["type"] == "turn":
        act(message)
    with open("heard", "a") as file:
        file.write(line)
"""


@pytest.mark.usefixtures("no_sandbox")
@pytest.mark.parametrize("id", SHORT)
def test_messages_are_as_readers_without_json_take_them(id: str, tmp_path: Path) -> None:
    """As docs/bots.md promises: the type comes first, nothing is spaced, and in notations a backslash stands before quotes and backslashes only."""
    game = ludarium.game(id, **SHORT[id])
    answer = "say(type='action', action=[order['indices'][0] for order in message['orders']])" if game.orders else "act(message)"
    play_game(game, [write_bot(tmp_path, READER.replace("act(message)", answer)), *["random"] * (game.players - 1)], seed=1)
    for line in written(tmp_path / "heard", '"type":"result"').splitlines():
        message = json.loads(line)
        assert line.startswith(f'{{"type":"{message["type"]}"')
        assert line == json.dumps(message, ensure_ascii=False, separators=(",", ":"))
        assert line.count("\\") == line.count('\\"') + line.count("\\\\")
