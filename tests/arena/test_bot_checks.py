"""What the checks of a bot find, and in which words they say it."""

from __future__ import annotations

import re
import signal
import threading
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

import ludarium
from ludarium.arena import TimeControl
from ludarium.arena.bot_checks import Report, candidate, check_bot, checks
from ludarium.arena.bot_checks.candidate import RoughProcess
from ludarium.core.game import Game
from ludarium.players import never
from ludarium.players.programs import Conditions
from ludarium.players.programs.commands import command_of
from tests.folders import DOCS
from tests.missing import need
from tests.players.programs.bots import write_bot

GOOD = "for message in turns(): act(message)"

ORDERS = "for message in turns(): say(type='action', action=[order['actions'][-1] for order in message['orders']])"

ALWAYS = [
    "greeting",
    "first turn",
    "next game",
    "every seat",
    "from the middle",
    "end of the game",
    "most choices",
    "game without a turn",
    "game given up",
    "games in a row",
    "clocks",
    "unknown keys and messages",
    "slow host",
    "whole games",
    "end of input",
]

SOMETIMES: dict[str, tuple[dict[str, Any], str, set[str]]] = {
    "expand-conquer": ({}, GOOD, {"forced turn", "moves taken back"}),
    "hexabomb": ({"turns": 5}, ORDERS, {"forced turn", "chance", "simultaneous moves", "moves taken back"}),
    "liars-dice": ({}, GOOD, {"forced turn", "chance", "hidden information", "hidden information opens"}),
    "roboderby": (
        {"turn_limit": 3},
        GOOD,
        {"several turns in a row", "chance", "simultaneous moves", "hidden information", "hidden information opens"},
    ),
}
"""By game: options of a short one, a good bot, and the checks that apply to it and not to all games."""


@pytest.fixture
def game() -> Game:
    return ludarium.game("expand-conquer")


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(candidate, "IDLE", 0.5)
    monkeypatch.setattr(candidate, "PAUSE", 0.1)
    monkeypatch.setattr(checks, "WHOLE_TURNS", 60)
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)


def check(game: Game, folder: Path, body: str, **more: Any) -> Report:
    return check_bot(game, command_of(write_bot(folder, body), folder), **more)


@pytest.mark.parametrize("name", SOMETIMES)
def test_a_good_bot_passes_all_that_applies_to_the_game(name: str, tmp_path: Path) -> None:
    options, body, sometimes = SOMETIMES[name]
    report = check(ludarium.game(name, **options), tmp_path, body)
    assert [(finding.check, finding.words) for finding in report.findings if not finding.passed] == []
    assert [finding.check for finding in report.findings] == [name for name, _ in checks.CHECKS if name in {*ALWAYS, *sometimes}]
    assert report.name == "test"
    assert len(report.seconds) > 50
    assert not report.failed
    assert report.errors == ""


def test_the_documentation_has_them_all() -> None:
    table = (DOCS / "bots.md").read_text(encoding="utf-8").partition("| check | what happens |")[2].partition("\n\n")[0]
    named = [name for row in table.splitlines()[2:] for name in row.split("|")[1].strip().split(", ")]
    assert sorted(named) == sorted(name for name, _ in checks.CHECKS)


RIGHT = '{"type": "action", "action": "(0,0)"}'

FAULTS = {
    "greets wrongly": ("print('hello!', flush=True)", "greeting", "bad answer: not JSON", "hello!", '{"type":"ready"}'),
    "is silent": ("for message in turns(): pass", "first turn", 'timeout: no answer to "turn" in 0.', "", RIGHT),
    "keeps its output": (
        "for message in turns(): print(json.dumps({'type': 'action', 'action': 0}))",
        "first turn",
        "the output waits somewhere: flush it after every line",
        '{"type": "action", "action": 0}',
        RIGHT,
    ),
    "is illegal": (
        "for message in turns(): say(type='action', action='a9')",
        "first turn",
        "illegal action: 'a9'",
        '{"type": "action", "action": "a9"}',
        RIGHT,
    ),
    "prints its thoughts": (
        "for message in turns(): print('thinking'); act(message)",
        "first turn",
        "bad answer: not JSON",
        "thinking",
        RIGHT,
    ),
    "colours its words": (
        "for message in turns(): sys.stdout.buffer.write(b'\\x1b[31mred\\xff\\n'); sys.stdout.flush()",
        "first turn",
        "bad answer: not UTF-8",
        "\\x1b[31mred\\xff",
        RIGHT,
    ),
    "writes without end": (
        "for message in turns():\n while True: os.write(1, b'x' * 65536)",
        "first turn",
        "a line of more than 65,536 bytes",
        "",
        RIGHT,
    ),
    "answers twice": (
        "for message in turns(): act(message); act(message)",
        "first turn",
        'out of turn: it sent more than one line to "turn"',
        '{"type": "action", "action": "(0,0)"}',
        "one line to each",
    ),
    "answers all": (
        "say(type='ready')\nfor line in sys.stdin:\n if 'hello' not in line: say(type='ok')",
        "first turn",
        'out of turn: it sent an answer to "game"',
        '{"type": "ok"}',
        "one line to each",
    ),
    "takes a clock for granted": (
        "for message in turns(): message['clock']['left']; act(message)",
        "first turn",
        "ended with exit code 1",
        "",
        "",
    ),
    "knows seat 0 only": (
        "for message in turns(): say(type='action', action=message['actions'][0] if ' L' in message['position'] else '(0,0)')",
        "every seat",
        "illegal action: '(0,0)'",
        '{"type": "action", "action": "(0,0)"}',
        '{"type": "action", "action": "(0,2)"}',
    ),
    "never has one choice": ("for message in turns(): message['actions'][1]; act(message)", "forced turn", "exit code 1", "", ""),
    "plays one game": (
        "say(type='ready')\nfor line in sys.stdin:\n message = json.loads(line)\n if message['type'] == 'turn': act(message)\n"
        " if message['type'] == 'result': sys.exit(0)",
        "next game",
        "ended with exit code 0",
        "",
        "",
    ),
    "counts on a turn": (
        "say(type='ready')\nhad = 0\nfor line in sys.stdin:\n message = json.loads(line)\n if message['type'] == 'game': had = 0\n"
        " if message['type'] == 'turn': had += 1; act(message)\n if message['type'] == 'result': 1 / had",
        "game without a turn",
        "exit code 1",
        "",
        "",
    ),
    "counts on results": (
        "say(type='ready')\nopen_games = 0\nfor line in sys.stdin:\n message = json.loads(line)\n"
        " if message['type'] == 'game': open_games += 1; assert open_games == 1\n"
        " if message['type'] == 'turn': act(message)\n if message['type'] == 'result': open_games -= 1",
        "game given up",
        "exit code 1",
        "",
        "",
    ),
    "counts on the first position": (
        "for line in sys.stdin:\n message = json.loads(line)\n if message['type'] == 'hello': say(type='ready')\n"
        " if message['type'] == 'game' and message['position'].count('*') != 48: sys.exit(7)\n if message['type'] == 'turn': act(message)",
        "from the middle",
        "exit code 7",
        "",
        "",
    ),
    "counts on a game's clock": (
        "for message in turns():\n assert message['clock'] is None or message['clock']['per'] == 'game'\n act(message)",
        "clocks",
        "exit code 1",
        "",
        "",
    ),
    "counts plies": (
        "for line in sys.stdin:\n message = json.loads(line)\n if message['type'] == 'hello': say(type='ready')\n"
        " if message['type'] == 'game': told = 0\n"
        " if message['type'] == 'turn': assert message['from'] == told + 1; told = message['ply']; act(message)",
        "moves taken back",
        "exit code 1",
        "",
        "",
    ),
    "refuses keys": (
        "for line in sys.stdin:\n message = json.loads(line)\n if message['type'] == 'hello': say(type='ready')\n"
        " if message['type'] == 'turn': assert 'later' not in message; act(message)",
        "unknown keys and messages",
        "exit code 1",
        "",
        "",
    ),
    "refuses messages": (
        "for line in sys.stdin:\n message = json.loads(line)\n if message['type'] == 'hello': say(type='ready')\n"
        " elif message['type'] == 'turn': act(message)\n elif message['type'] not in ('game', 'result'): say(type='error')",
        "unknown keys and messages",
        'out of turn: it sent an answer to "later"',
        '{"type": "error"}',
        "one line to each",
    ),
    "reads what is there": (
        "say(type='ready')\nos.read(0, 999999)\nwhile data := os.read(0, 999999):\n for line in data.split(b'\\n'):\n"
        "  if line and json.loads(line)['type'] == 'turn': act(json.loads(line))",
        "slow host",
        "exit code 1",
        "",
        "",
    ),
    "forgets to end": (GOOD + "\nwhile True: time.sleep(1)", "end of input", "it still runs", "", "to end when its input ends"),
    "says goodbye": (GOOD + "\nprint('bye')", "end of input", "out of turn", "bye", "nothing"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_is_wrong_is_found_where_it_shows_first(fault: str, game: Game, tmp_path: Path) -> None:
    body, check_name, words, sent, right = FAULTS[fault]
    report = check(game, tmp_path, body)
    wrong = next(finding for finding in report.findings if not finding.passed)
    assert wrong.check == check_name
    assert words in wrong.words
    assert wrong.sent == sent
    assert right in wrong.right


def test_what_is_wrong_again_ends_the_checks(game: Game, tmp_path: Path) -> None:
    report = check(game, tmp_path, FAULTS["never has one choice"][0])
    assert [finding.check for finding in report.findings if not finding.passed] == ["forced turn", "games in a row", "whole games"]
    assert report.not_made == ["end of input"]
    wrong = next(finding for finding in report.findings if not finding.passed)
    assert "IndexError: list index out of range" in wrong.errors
    assert report.errors.count("IndexError") == 3


def test_what_never_works_ends_them_at_once(game: Game, tmp_path: Path) -> None:
    report = check(game, tmp_path, FAULTS["is illegal"][0])
    assert [finding.check for finding in report.findings] == ["greeting", "first turn"]
    assert report.not_made == [name for name, _ in checks.CHECKS[2:]]


def test_a_bot_that_is_too_slow_for_its_clock(game: Game, tmp_path: Path) -> None:
    slow = "for message in turns(): time.sleep(0.3); act(message)"
    report = check(game, tmp_path, slow, controls=[TimeControl(0.2, is_per_action=True)] * 2)
    assert report.findings[1].words.startswith('timeout: no answer to "turn" in 0.')
    assert "s, which is its time; it came after 0." in report.findings[1].words
    assert '"action": ' in report.findings[1].sent


def test_a_bot_whose_time_for_the_game_runs_out(game: Game, tmp_path: Path) -> None:
    slow = "for message in turns(): time.sleep(0.02 if message['ply'] < 12 else 0.3); act(message)"
    report = check(game, tmp_path, slow, controls=[TimeControl(0.5)] * 2)
    wrong = next(finding for finding in report.findings if not finding.passed)
    assert wrong.check == "whole games"
    assert wrong.words.startswith("timeout: ")


def test_a_bot_that_computes_is_waited_for(game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(candidate, "IDLE", 0.5)
    monkeypatch.setattr(candidate, "NOTHING", 0.01)
    thinks = "until = time.monotonic() + 1.5\nfor message in turns():\n while time.monotonic() < until: pass\n act(message)"
    assert not check(game, tmp_path, thinks).failed


def test_what_it_tells_to_its_standard_error(game: Game, tmp_path: Path) -> None:
    report = check(game, tmp_path, "for message in turns(): print('thinking', file=sys.stderr); act(message)")
    assert not report.failed
    assert report.errors.count("thinking\n") >= len(report.seconds)


def test_a_source_that_does_not_compile(game: Game, tmp_path: Path) -> None:
    need("cc", "gcc")
    bot = tmp_path / "bot.c"
    bot.write_text("int main() { return nothing; }")
    report = check_bot(game, command_of(str(bot), tmp_path))
    assert [finding.check for finding in report.findings] == ["greeting"]
    assert "cannot be compiled" in report.findings[0].words
    assert "‘nothing’ undeclared" in report.findings[0].words


def test_a_slow_host_stops_even_a_program_that_waits_between_its_turns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bot.py").write_text("for line in open(0): print(line, end='', flush=True)")
    process = RoughProcess(command_of(str(tmp_path / "bot.py"), tmp_path), Conditions(sandbox="off"))
    process.in_jolts = True
    seen: list[bool] = []
    pause = time.sleep

    def look(seconds: float) -> None:
        pause(seconds)
        if threading.current_thread() is threading.main_thread():  # the clock that leaves out stops has a thread of its own
            seen.append(is_stopped(process._number))

    monkeypatch.setattr(time, "sleep", look)
    process.send(b"{}\n", time.monotonic() + 10, never)
    assert process.receive(time.monotonic() + 10, never) == b"{}"
    process.end()
    assert seen == [True, False] * 3


def is_stopped(process: int) -> bool:
    """Or will be, as soon as it is given a processor."""
    pending = re.findall(r"^(?:SigPnd|ShdPnd):\t([0-9a-f]+)$", Path(f"/proc/{process}/status").read_text(), re.MULTILINE)
    is_due = any(int(mask, 16) >> (signal.SIGSTOP - 1) & 1 for mask in pending)
    return is_due or psutil.Process(process).status() == psutil.STATUS_STOPPED
