"""What a person at a terminal of 24 lines reads and types, in every game."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

import ludarium
from ludarium.cli.entry import run
from ludarium.cli.typed_actions import read_action
from ludarium.core.record import read_record
from ludarium.errors import BadNotation
from tests.cli.pseudo_terminal import at_a_terminal, interrupt

FIRST = {
    "expand-conquer": "Left",
    "expendibots": "White",
    "hexabomb": "Blue",
    "roboderby": "Blue",
    "liars-dice": "North",
    "tic-tac-toe": "X",
}
"""The games, and the player whom the terminal asks."""

OPTIONS = {"hexabomb": ("-o", "map=tiny2")}


def transcript(game: str, *lines: str, columns: int = 80, players: tuple[str, ...] = ("human", "random")) -> str:
    """What stands on the terminal after these lines, without colours and without what was wiped out."""
    with at_a_terminal(game, *players, "--seed", "1", *OPTIONS.get(game, ()), columns=columns) as (program, terminal):
        seen = b""
        for line in [*lines, "quit"]:
            seen += terminal.wait_for(f"{FIRST[game]}> ".encode()) + f"{FIRST[game]}> ".encode()
            terminal.type(line.encode() + b"\n")
        seen += terminal.wait_for(b"unfinished")
        assert program.wait(60) == 0
    text = re.sub(r"\x1b\[[?0-9;]*[A-Za-z]", "", seen.decode().replace("\r\n", "\n"))
    return re.sub(r"[^\n]*thinks …\n?\r?", "", text)


@pytest.mark.parametrize("game", FIRST)
def test_no_word_is_broken(game: str) -> None:
    said = {columns: transcript(game, "help", "xyzzy", "actions", columns=columns) for columns in (60, 80, 100)}
    for columns, text in said.items():
        assert max(map(len, text.splitlines())) <= columns, columns
        said[columns] = re.sub(r"^compiling .*\n", "", text, flags=re.MULTILINE)  # where the cache is empty
    assert sorted(said[60].split()) == sorted(said[80].split()) == sorted(said[100].split()), "facts stand beside the board or below it"


def test_a_turn_of_roboderby_shows_registers_after_each_die_and_the_board_once() -> None:
    text = transcript("roboderby", "run", "1", "2", "3", "4", "board", "events", "undo", "flip")
    turn, shown_again = text.split("Blue> board")
    before, first, *others = turn.split("Blue> ")[1:]
    assert before.startswith("run\n")
    assert len([line for line in (before, first, *others[:2]) if " ___ ___" in line]) == 0
    assert re.search(r"^Blue  --  --  --  --   in hand 1: ", before, re.MULTILINE)
    assert re.search(r"^Blue  \w+ \d+\*?  --  --  --   in hand 2: ", first, re.MULTILINE)
    assert "Turn 1: Blue " in others[-1]
    assert others[-1].count(" ___ ___") > 0
    assert shown_again.count("Turn 2 of 200: ") == 1
    assert "  Register 1\n" in shown_again
    assert "There is no undo where things are hidden" in shown_again
    assert "The board of this game is not turned around." in shown_again
    for part in text.split("Blue> "):
        if part.startswith("events"):
            continue  # two registers may do the same
        lines = [line for line in part.splitlines() if re.search(r"\w{3}", line) and "___" not in line]
        assert len(lines) == len(set(lines)), part


def test_a_turn_of_hexabomb_tells_each_thing_once() -> None:
    text = transcript("hexabomb", "0X+", "send", "#0 bomb 2 2", "send")
    assert "To be sent: #0 x+" in text
    assert "dropped a bomb" not in text
    assert "* bomb of Blue at " in text
    for part in text.split("Blue> "):
        lines = [line for line in part.splitlines() if re.search(r"\w{3}", line)]
        assert len(lines) == len(set(lines)), part
        assert part.count("Turn ") <= 1


@pytest.mark.parametrize(
    ("game", "typed", "played"),
    [
        ("expendibots", "B2-B3", "White  b2-b3"),
        ("expendibots", "b2b3", "White  b2-b3"),
        ("expendibots", "b2 b3", "White  b2-b3"),
        ("expand-conquer", "00", "Left  (0,0)"),
        ("expand-conquer", "0 0", "Left  (0,0)"),
        ("hexabomb", "0X+", "To be sent: #0 x+"),
        ("roboderby", "RUN", "Blue  --  --"),
        ("liars-dice", "1X6", "North  1x6"),
        ("tic-tac-toe", "B 2", "X  b2"),
    ],
)
def test_actions_are_understood_as_people_type_them(game: str, typed: str, played: str) -> None:
    assert played in transcript(game, typed)


@pytest.mark.parametrize(
    ("position", "typed", "meant"),
    [
        ("BB....../......../......../......../......../......../......../WW...... w 0", "B1c1", "b1-c1"),
        ("BB....../......../......../......../......../......../......../WW(3)...... w 0", "3b1 C1", "3b1-c1"),
    ],
)
def test_a_line_means_one_action_or_names_those_that_it_may_be(position: str, typed: str, meant: str) -> None:
    state = ludarium.game("expendibots").parse(position)
    assert read_action(state, 0, typed, state.texts(0)).text == meant
    with pytest.raises(BadNotation, match=r"'b1' may be .*; type one of them"):
        read_action(state, 0, "b1", state.texts(0))
    with pytest.raises(BadNotation):
        state.action(typed)


def test_numbers_that_run_together_are_not_guessed() -> None:
    state = ludarium.game("expand-conquer", start="*" * 12 + "O").start()
    assert read_action(state, 0, "0 12", state.texts(0)).text == "(0,12)"
    with pytest.raises(BadNotation, match=r"'012' may be \(0,12\); type"):
        read_action(state, 0, "012", state.texts(0))
    with pytest.raises(BadNotation):
        read_action(state, 0, "01 2", state.texts(0))


@pytest.mark.parametrize("game", [game for game in FIRST if game != "hexabomb"])
def test_what_a_refusal_suggests_is_legal(game: str) -> None:
    state = ludarium.game(game, **dict(pair.split("=") for pair in OPTIONS.get(game, ("", ""))[1:] if pair)).start(1)
    player = state.to_move[0]
    with pytest.raises(BadNotation) as refused:
        state.action("xyzzy", player)
    suggested = re.findall(r"(?:write |\), | or )(\S+) \(", str(refused.value))
    assert set(suggested) <= set(state.texts(player))
    assert suggested or game == "tic-tac-toe"


def test_resigning_is_asked_about_and_leaves_a_race_to_the_others() -> None:
    with at_a_terminal("roboderby", "human", "random", "random", "--seed", "1", "-o", "players=3", "-o", "turn_limit=2") as (
        program,
        terminal,
    ):
        terminal.wait_for(b"Blue> ")
        terminal.type(b"resign\n")
        terminal.wait_for(b"Resign and leave the game to the others? Type yes: ")
        terminal.type(b"no\n")
        terminal.wait_for(b"The game goes on.")
        terminal.wait_for(b"Blue> ")
        terminal.type(b"resign\n")
        terminal.wait_for(b"Type yes: ")
        terminal.type(b"yes\n")
        terminal.wait_for(b"Blue resigned")
        assert program.wait(60) == 0


@pytest.mark.parametrize(
    ("game", "typed", "how"), [("expendibots", "b2b3", "Ctrl-C"), ("expendibots", "b2b3", "Ctrl-D"), ("roboderby", "run", "Ctrl-C")]
)
def test_an_unfinished_game_says_where_it_is_and_how_to_go_on(
    game: str, typed: str, how: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = tmp_path / "game.jsonl"
    prompt = f"{FIRST[game]}> ".encode()
    with at_a_terminal(game, "human", "random", "--seed", "1", "--record", str(record)) as (program, terminal):
        terminal.wait_for(prompt)
        terminal.type(typed.encode() + b"\n")
        terminal.wait_for(prompt)
        if how == "Ctrl-C":
            assert interrupt(program) == 130
        else:
            terminal.type(b"\x04")
        terminal.wait_for(b"The game stays unfinished after ")
        terminal.wait_for(b": ludarium ")
        line = terminal.wait_for(b"\r\n").decode()
        terminal.wait_for(f"Record: {record}".encode())
        assert program.wait(60) in (0, 130)
    timeline = read_record(record).replay()
    text = shlex.split(line.removesuffix("\x1b[0m"))[-1]
    assert text in [step.state.text for step in timeline.steps]
    assert run(["show", game, text]) == 0
    assert capsys.readouterr().out
