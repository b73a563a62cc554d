"""``ludarium expand-conquer solve``: who wins, and with which action."""

from __future__ import annotations

import json
import random
import re
import shlex
import signal
import subprocess
from typing import Any

import psutil
import pytest

from ludarium.cgt import Value, value
from ludarium.cli.entry import run
from ludarium.games.expand_conquer.boards import Board
from ludarium.games.expand_conquer.values import ExpandConquerRuleset
from ludarium.labs.expand_conquer.exact.solving import solve
from tests.command_line import PROGRAM, run_program
from tests.folders import DOCS

SOLVE = ["expand-conquer", "solve"]
PAGE = DOCS / "expand-and-conquer.md"
TOO_HARD = "*******|*******|***O***|*******|*******|X******|*******"
SMALL = 1 << 26


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert run([*SOLVE, *arguments]) == 0
    return capsys.readouterr().out


def solved(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    return json.loads(printed(capsys, *arguments, "--json"))


def test_who_wins_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    *lines, last = printed(capsys, "X*O*O|****O").splitlines()
    assert lines == [
        "outcome      L: Left wins, whoever begins",
        "Left begins  Left wins with (0,2), which leaves XOOOO|**O*O",
        "Right begins Left wins, whatever Right does",
    ]
    assert re.fullmatch(r"searched     [\d,]+ positions in \d+\.\d\d s", last)


def test_who_wins_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    found = solved(capsys, "*X*|***|*O*", "--variant", "all-small")
    assert (found["board"], found["variant"], found["plus"]) == ("*X*|***|*O*", "all-small", None)
    exact = value(ExpandConquerRuleset("all-small"), found["board"])
    assert found["outcome"] == exact.outcome
    assert found["left_wins_first"] == (exact.outcome in "LN")
    assert found["right_wins_first"] == (exact.outcome in "RN")
    assert (found["left_action"] is None) == (not found["left_wins_first"])
    assert list(found)[-2:] == ["searched", "seconds"]


@pytest.mark.parametrize("variant", ["normal", "all-small"])
def test_the_action_wins_by_value(variant: str, scale: int) -> None:
    """What the winner leaves is at least 0 for Left, or at most 0 for Right; and where nobody wins no action is given."""
    chosen = random.Random(7)
    ruleset = ExpandConquerRuleset(variant)
    for _ in range(20 * scale):
        boards = [
            "|".join("".join(chosen.choice("***OX") for _ in range(4)) for _ in range(chosen.randint(1, 3)))
            for _ in range(chosen.randint(1, 2))
        ]
        added = Value(chosen.choice(["0", "*", "^", "-1/2"]))
        exact = [value(ruleset, board) for board in boards]
        total = sum(exact, added)
        found = solve([Board(board) for board in boards], variant, plus=added, most_bytes=SMALL)
        assert found.outcome.letter == total.outcome
        for player, winning in enumerate((found.left, found.right)):
            assert (winning is not None) == (total.outcome in ("LN", "RN")[player])
            if winning is not None:
                left = [total - exact[winning.number] + value(ruleset, winning.board)]
                if winning.action is None:  # only a move in what was added wins
                    options = added.left_options if player == 0 else added.right_options
                    left = [total - added + one for one in options]
                else:
                    moves = Board(boards[winning.number]).moves(variant == "all-small", player)
                    assert any(winning.action in move.actions and winning.board == move.board for move in moves)
                assert any(one >= 0 if player == 0 else one <= 0 for one in left)


def test_a_move_in_the_value_that_is_added(capsys: pytest.CaptureFixture[str]) -> None:
    assert "Left begins  Left wins by a move in the value that was added\n" in printed(capsys, "OX", "--plus", "*")
    assert solved(capsys, "OX", "--plus", "*")["left_action"] is None


def test_a_difference_of_zero_tells_what_a_board_is_worth(capsys: pytest.CaptureFixture[str]) -> None:
    assert solved(capsys, "X*O*", "--variant", "all-small", "--plus", "v")["outcome"] == "P"
    assert solved(capsys, "*****", "--variant", "all-small", "--plus", "*")["outcome"] == "P"
    assert solved(capsys, "***|***|***", "--variant", "all-small", "--plus", "*")["outcome"] == "N"


def test_several_boards_are_added(capsys: pytest.CaptureFixture[str]) -> None:
    found = solved(capsys, "X*O*O + X*", "X*O*O")
    assert (found["board"], found["outcome"]) == ("X*O*O + X* + X*O*O", "P")
    found = solved(capsys, "X*O*O + X*")
    assert (found["outcome"], found["left_action"], found["right_action"]["board"]) == ("R", None, 0)


def test_the_page_shows_what_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"```console\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    shown = re.findall(r"^\$ ludarium (expand-conquer solve .*)\n((?:(?!\$ ).*\n)*)", "".join(blocks), re.MULTILINE)
    assert len(shown) == 2
    for typed, text in shown:
        assert printed(capsys, *shlex.split(typed)[2:]).splitlines()[:3] == text.splitlines()[:3]


@pytest.mark.parametrize(
    ("typed", "problem"),
    [
        (["**|*"], "'**|*': row 1 has 1 square, row 0 has 2"),
        (["*a"], "'*A': 'A' in row 0, column 1; a board is made of * O X and '|'"),
        (["*", "--variant", "small"], "variant 'small' is not one of: normal, all-small; did you mean all-small?"),
        (["*", "--limit", "0s"], "Invalid value for '--limit': '0s' is not a time with its unit, such as 20s or 200ms, at least 0.001s"),
        (["|".join(["*" * 9] * 8)], "a board of 8×9 squares is too large for exact values; 64 squares are the most"),
    ],
)
def test_refusals(capsys: pytest.CaptureFixture[str], typed: list[str], problem: str) -> None:
    assert run([*SOLVE, *typed]) == 2
    assert capsys.readouterr().err == f"error: {problem}\n"


def test_what_is_not_decided_in_time_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*SOLVE, TOO_HARD, "--variant", "all-small", "--limit", "300ms", "--memory", "64"]) == 3
    output = capsys.readouterr()
    assert output.out.startswith("outcome      ?\nLeft begins  not decided\nRight begins not decided\n")
    assert re.fullmatch(r"not decided within 0\.3 s: [\d,]+ positions searched", output.err.splitlines()[-1])
    assert run([*SOLVE, TOO_HARD, "--variant", "all-small", "--limit", "300ms", "--memory", "64", "--json"]) == 3
    found = json.loads(capsys.readouterr().out)
    assert (found["outcome"], found["left_wins_first"], found["left_action"]) == (None, None, None)


def test_ctrl_c_ends_it_with_one_line() -> None:
    assert run_program(*SOLVE, "*", "--variant", "all-small").returncode == 0  # compiled from here on
    process = subprocess.Popen(
        [PROGRAM, *SOLVE, TOO_HARD, "--variant", "all-small"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    while psutil.Process(process.pid).cpu_times().user < 2.5:  # then it searches, however busy the machine is
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(timeout=0.1)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out) == (130, "")
    assert re.fullmatch(r"stopped after \d+\.\d s: [\d,]+ positions searched\n", err)
