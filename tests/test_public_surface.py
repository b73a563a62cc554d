"""What Ludarium promises to the outside. Whoever changes this list changes the interface."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

import ludarium
import ludarium.cgt
import ludarium.cgt.rulesets
from ludarium.cli.entry import run

PUBLIC = """
    CHANCE Action BadNotation BadOption BadRecord Game IllegalAction LudariumError NoAtomicWeight Outcome PlayerCrashed PlayerFailed PlayerIllegal
    ProtocolError State StoreError TooLarge cgt game list_games
"""

VALUES = "Outcome Ruleset Solver Value ascending born_by forget outcome value"
RULESETS = "Clobber Domineering Nim ToadsAndFrogs"

COMMANDS = {
    "cgt": ["--json", "--svg"],
    "check-bot": ["--json", "--option", "--sandbox", "--tc"],
    "doctor": ["--json"],
    "games": ["--json"],
    "init-bot": [],
    "join": ["--key", "--memory", "--name", "--ponder", "--sandbox"],
    "match": [
        "--cluster",
        "--cpu-time",
        "--games",
        "--json",
        "--max-plies",
        "--memory",
        "--official",
        "--on-forfeit",
        "--openings",
        "--option",
        "--pin",
        "--ponder",
        "--random-plies",
        "--records",
        "--resume",
        "--sandbox",
        "--seed",
        "--start",
        "--store",
        "--tc",
        "--workers",
    ],
    "new-game": [],
    "perft": ["--divide", "--json", "--option", "--position"],
    "play": ["--option", "--record", "--sandbox", "--seed", "--start"],
    "replay": ["--at", "--page", "--svg"],
    "serve": [
        "--competitions",
        "--data",
        "--host",
        "--idle-hours",
        "--ladder",
        "--ladder-time",
        "--max-games",
        "--memory",
        "--name",
        "--names",
        "--open",
        "--people-per-address",
        "--player",
        "--port",
        "--sandbox",
        "--root-path",
        "--submit",
        "--trusted-proxy",
    ],
    "show": ["--option", "--svg"],
    "submit": ["--key", "--log", "--name", "--version"],
    "store list": ["--json", "--players", "--store"],
    "store search": [
        "--against",
        "--before",
        "--competition",
        "--game",
        "--json",
        "--limit",
        "--opening",
        "--player",
        "--result",
        "--store",
        "--voided",
    ],
    "store import": ["--json", "--store"],
    "store export": ["--against", "--competition", "--game", "--json", "--opening", "--player", "--result", "--store", "--voided"],
    "store check": ["--json", "--repair", "--store"],
    "store vacuum": ["--json", "--store"],
    "store void": ["--json", "--reason", "--store", "--undo"],
    "store expel": ["--json", "--reason", "--store", "--undo"],
    "store report": ["--json", "--store"],
}


def test_names_for_exact_values() -> None:
    assert sorted(ludarium.cgt.__all__) == VALUES.split()
    assert sorted(ludarium.cgt.rulesets.__all__) == RULESETS.split()
    for module in (ludarium.cgt, ludarium.cgt.rulesets):
        assert all(getattr(module, name).__doc__ for name in module.__all__)


def test_the_package() -> None:
    assert sorted(ludarium.__all__) == sorted(PUBLIC.split())
    assert all(hasattr(ludarium, name) for name in PUBLIC.split())


def test_numba_is_loaded_when_a_game_is_asked_for() -> None:
    code = "import sys, ludarium\nbefore = 'numba' in sys.modules\nludarium.game('expendibots')\nprint(before, 'numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False True\n"
    with pytest.raises(AttributeError, match="no attribute 'gaem'"):
        _ = ludarium.gaem


def test_the_commands(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert run(["--help"]) == 0
    text = capsys.readouterr().out
    assert re.findall(r"^│ ([a-z][a-z-]*) ", text, re.MULTILINE) == [
        "games",
        "play",
        "match",
        "tournament",
        "sprt",
        "store",
        "show",
        "replay",
        "perft",
        "cgt",
        "train",
        "serve",
        "join",
        "submit",
        "netorcai",
        "init-bot",
        "check-bot",
        "new-game",
        "doctor",
    ]
    assert all(option in text for option in ("--version", "--install-completion", "--show-completion"))


@pytest.mark.parametrize("command", COMMANDS)
def test_the_options_of_each_command(command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert run([*command.split(), "--help"]) == 0
    text = capsys.readouterr().out
    assert f"Usage: ludarium {command} " in text
    assert sorted(re.findall(r"^│ [* ]*(--[a-z0-9-]+)", text, re.MULTILINE)) == sorted([*COMMANDS[command], "--help"])
