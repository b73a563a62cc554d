"""A game in the terminal, typed by a person."""

from __future__ import annotations

import os
import pty
import re
import subprocess
from pathlib import Path

import pytest

from ludarium.cli.entry import run
from ludarium.core.record import read_record
from tests.command_line import PROGRAM, run_program
from tests.disks import room_for

LAST_ACTION = "B......./......../......../......../......../......../......../W......W w 498"


def play(*lines: str, arguments: tuple[str, ...] = ("human", "random", "--seed", "1")) -> list[str]:
    done = run_program("play", "expendibots", *arguments, typed="\n".join([*lines, ""]))
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def test_a_whole_game_is_recorded(tmp_path: Path) -> None:
    record = tmp_path / "game.jsonl"
    lines = play("h1-h2", arguments=("human", "random", "--seed", "1", "--start", LAST_ACTION, "--record", str(record)))
    assert "Expendibots  White: human, Black: random" in lines
    assert any("Turn 499 of 500" in line for line in lines)
    assert any(line.startswith("White> White  h1-h2") for line in lines)
    assert any(line.startswith("Black  a8") for line in lines)
    timeline = read_record(record).replay()
    assert timeline.outcome is not None
    assert any(timeline.outcome.reason in line for line in lines[-2:])


def test_a_full_disk_loses_no_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = tmp_path / "game.jsonl"
    with room_for(1000):
        assert run(["play", "expendibots", "random", "random", "--seed", "1", "-o", "turn_limit=40", "--record", str(record)]) == 2
    output = capsys.readouterr()
    assert output.out.splitlines()[-1] == "White wins: Black has no tokens left"
    assert re.fullmatch(rf"error: the record {record} ends early, without the last \d+ lines: File too large\n", output.err)
    timeline = read_record(record).replay()
    assert timeline.ply > 5
    assert timeline.outcome is None


def test_help_and_nonsense() -> None:
    lines = play("?", "a1", "a1-a8", "", "RESIGN NOW", "a1-a2-a3", "quit")
    assert any("Destroy every token of your opponent" in line for line in lines)
    assert any(re.search(r"Type an action, such as (\S+, ){4}or one of:", line) for line in lines)
    for word in ("help", "board", "actions", "moves", "position", "flip", "undo", "resign", "quit"):
        assert any(line.startswith(f"  {word} ") for line in lines)
    assert sum("is not an action; write a1-b1 (move one token) or a1! (boom)" in line for line in lines) == 2
    assert any("'a1' may be a1-b1, a1-a2 or a1!; type one of them" in line for line in lines)
    assert any("'a1-a8' is not legal here; White is to move" in line for line in lines)
    assert lines[-1] == "White> The game stays unfinished after 0 turns."


def test_where_dice_fall_the_unfinished_game_is_counted_in_steps() -> None:
    done = run_program("play", "roboderby", "human", "human", "-o", "board=furnace", typed="run\nquit\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-2].endswith("The game stays unfinished after 2 steps.")


def test_commands() -> None:
    lines = play("actions", "moves", "undo", "a2-a3", "moves", "position", "undo", "position", "flip", "resign", "no", "resign", "yes")
    text = "\n".join(lines)
    listed = " ".join(lines).partition("White> ")[2].partition("White> ")[0].split()
    assert len(listed) == 50
    assert {"a1!", "a1-a2", "h2-h3"} <= set(listed)
    assert "No turn has been played yet." in text
    assert "There is nothing to take back yet." in text
    assert "1. a2-a3  2. " in text
    positions = [line for line in lines if line.startswith("White> ") and line.count("/") == 7]
    assert [line.split()[-1] for line in positions] == ["2", "0"]
    assert "White> Resign and lose the game? Type yes: The game goes on." in lines
    assert lines[-1] == "White> Resign and lose the game? Type yes: Black wins: White resigned"
    assert [line[1] for line in lines if re.match(" [18] ", line)][-2:] == ["1", "8"]  # the board is turned around


def test_a_boom_is_told_in_words() -> None:
    assert "White> White  a1!  reaches a1, then b1 a2 b2 (4 in 2 waves)" in play("a1!", "quit")


def test_two_people_take_back_one_turn_at_a_time() -> None:
    lines = play("a2-a3", "a7-a6", "undo", "moves", "quit", arguments=("human", "human"))
    assert "Black> 1. a2-a3" in lines


def test_the_end_of_input_leaves_cleanly(tmp_path: Path) -> None:
    record = tmp_path / "game.jsonl"
    lines = play("a2-a3", arguments=("human", "random", "--record", str(record)))
    assert f"Record: {record}" in lines
    assert read_record(record).replay().ply == 2


def test_bytes_that_are_no_text_are_one_more_nonsense() -> None:
    done = run_program("play", "expendibots", "human", "random", typed=b"\xff\xfe\nquit\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert "is not an action" in done.stdout


def test_programs_play_each_other() -> None:
    lines = play(arguments=("random", "random", "--seed", "4", "--start", LAST_ACTION))
    assert any(word in lines[-1] for word in ("Draw: ", "White wins: ", "Black wins: "))


def test_a_player_that_acts_for_another_seat_comes_first() -> None:
    lines = play("h7-h6", "quit", arguments=("random", "human", "--seed", "1"))
    boards = [line for line in lines if line.startswith((" 1 ", " 8 "))]
    assert boards[0].startswith(" 1 ")  # the person plays Black, who sits at the bottom
    assert any(line.startswith("Black> Black  h7-h6") for line in lines)


@pytest.mark.parametrize(("variables", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_colours(variables: dict[str, str], coloured: bool) -> None:
    """At a terminal the board is coloured, unless NO_COLOR asks that it is not."""
    terminal, inside = pty.openpty()
    environment = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
    environment |= {"TERM": "xterm-256color", **variables}
    command = [PROGRAM, "play", "expendibots", "human", "random"]
    with subprocess.Popen(command, stdin=inside, stdout=inside, stderr=inside, env=environment) as program:
        os.close(inside)
        seen = b""
        while b"White> " not in seen:
            seen += os.read(terminal, 4096)
        os.write(terminal, b"a2-b\t")  # the tab key completes what is typed
        while b"a2-b2" not in seen.partition(b"White> ")[2]:
            seen += os.read(terminal, 4096)
        os.write(terminal, b"\x15quit\n")
        while b"unfinished" not in seen:
            seen += os.read(terminal, 4096)
        assert program.wait(60) == 0
    os.close(terminal)
    assert (b"\x1b[1;38;5;" in seen or b";48;5;" in seen) == coloured


def test_who_leaves_a_race_is_named_at_once() -> None:
    """Also where the viewer has not seen all steps before."""
    done = run_program(
        "play", "roboderby", "-o", "players=3", "human", "human", "random", "--seed", "2", typed="run\nrun\nresign\ny\nquit\n"
    )
    assert done.returncode == 0
    assert "Traceback" not in done.stdout + done.stderr
    assert any(line.endswith(" resigned") for line in done.stdout.splitlines())
