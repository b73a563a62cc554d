"""Expand and Conquer's text, options, starts and pictures."""

from __future__ import annotations

import pickle
import re
import xml.etree.ElementTree as xml
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ludarium
from ludarium.cli.entry import run
from ludarium.core.jit import kernel
from ludarium.core.record import Header, Recorder, read_record
from ludarium.core.registry import game_class
from ludarium.core.rules import evaluate
from ludarium.errors import BadNotation, BadOption, IllegalAction
from ludarium.games.expand_conquer.starts import STARTS as NAMED
from ludarium.testing.random_games import play_at_random
from tests.folders import DOCS

STARTS = next(option.choices for option in game_class("expand-conquer").option_list if option.name == "start")
BOARDS = st.tuples(st.integers(1, 32), st.integers(1, 32)).flatmap(
    lambda size: st.lists(st.text("*OX", min_size=size[1], max_size=size[1]), min_size=size[0], max_size=size[0]).map("|".join)
)


def game(**options: object) -> ludarium.Game:
    return ludarium.game("expand-conquer", **options)


def refusal(*attempt: object, **options: object) -> str:
    with pytest.raises((BadNotation, BadOption, IllegalAction)) as refused:
        attempt[0](*attempt[1:], **options)  # type: ignore[operator]
    message = str(refused.value)
    assert message.isprintable()
    return message


# Text.


@given(BOARDS, st.sampled_from("LR"), st.sampled_from(["normal", "all-small"]))
def test_every_board_round_trips(board: str, side: str, variant: str) -> None:
    state = game(variant=variant).parse(f"{board} {side}")
    assert state.text == f"{board} {side}"
    assert state.game.parse(state.text) == state
    assert state.game.options["variant"] == variant
    for action in state.actions()[:3]:
        assert state.action(action.text) == action


@given(st.text("*OXox|LRlr 0\n", max_size=40) | st.text(max_size=40))
def test_any_text_is_a_position_or_refused_in_one_line(text: str) -> None:
    if re.fullmatch(r"[*OXox|]+( +[LRlr])?", text.strip()) is None or text.strip().startswith("|"):
        refusal(game().parse, text)
        return
    try:
        state = game().parse(text)
    except BadNotation:
        assert len({len(row) for row in text.split()[0].split("|")}) > 1
    else:
        assert state.text.split()[0] == text.split()[0].upper()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "is no position"),
        ("X*O*O|****O L 3", "is no position"),
        ("X*O|**", "row 1 has 2 squares, row 0 has 3"),
        ("X*O|****", "row 1 has 4 squares, row 0 has 3"),
        ("X*O|*.O", "'X*O|*.O': '.' in row 1, column 1; a board is made of * O X and '|'"),
        ("X*0", "'0' in row 0, column 2; a board is made of * O X and '|'"),
        ("X*O|", "'X*O|': row 1 has 0 squares, row 0 has 3"),
        ("|X*O", "'|X*O': row 1 has 3 squares, row 0 has 0"),
        ("|", "'|' is an empty board; give rows of * O X joined by '|'"),
        ("*" * 33, "at most 32 columns, not 33"),
        ("|".join("*" * 33), "at most 32 rows, not 33"),
        ("X*O B", "the side to move is L or R, not 'B'"),
        ("X*O LR", "the side to move is L or R, not 'LR'"),
        ("X*O\nX*O", "is one line"),
        ("*" * 1_000_001, "is one line of at most"),
    ],
)
def test_bad_positions_are_refused_with_the_place(text: str, told: str) -> None:
    assert told in refusal(game().parse, text)
    assert told in refusal(game(start="***|***", rows=2, columns=3).parse, text)


def test_small_letters_are_read_and_a_missing_side_is_the_first() -> None:
    assert game().parse("x*o r").text == "X*O R"
    assert game().parse("X*O").text == "X*O L"
    assert game(first="R").parse("X*O").text == "X*O R"
    start = game(first="R").start()
    assert start.to_move == (1,)
    assert game(first="R").parse(start.text[:-2]) == start


def test_actions_are_read() -> None:
    state = game(variant="all-small").parse("XO*|***|*XO")
    assert state.action(" ( 0 , 1 ) ").text == "(0,1)"
    assert state.action("+ (1,0)").text == "+(1,0)"
    for text, told in (
        ("0,1", "is not an action; write"),
        ("(0;1)", "is not an action; write"),
        ("+", "is not an action; write"),
        ("(0,3)", "outside of the board: rows are 0 to 2, columns 0 to 2"),
        ("(9999,0)", "is not an action"),
        ("(0,0)", "is not legal here; Left is to move"),
        ("(0,2)", "is not legal here"),
        ("+(1,1)", "is not legal here"),
    ):
        assert told in refusal(state.play, text)
    assert "all-small variant only" in refusal(game().parse("XO*|***|*XO").play, "+(1,0)")


def test_a_group_is_named_by_its_first_square() -> None:
    state = game().parse("*O*|OO*|***")
    assert [action.text for action in state.actions()] == ["(0,1)"]
    assert "named by its first square in reading order, here (0,1)" in refusal(state.play, "(1,0)")


# Options and starts.


def test_the_starts_are_fair_and_as_large_as_they_say() -> None:
    sizes = set()
    for name in STARTS:
        state = game(start=name).start()
        rows = state.text.split()[0].split("|")
        swapped = str.maketrans("OX", "XO")
        images = ([row[::-1].translate(swapped) for row in rows[::-1]], [row[::-1].translate(swapped) for row in rows])
        assert rows in images, f"{name} is not its own image with colours exchanged"
        assert min(len(state.actions()), len(state.game.parse(f"{'|'.join(rows)} R").actions())) >= 3
        sizes.add((len(rows), len(rows[0])))
        assert game(start=name, rows=len(rows), columns=len(rows[0])).start().text == state.text
    assert len(sizes) >= 5
    assert game().start().text == game(start="lattice").start().text


def test_an_empty_board_is_for_the_all_small_variant() -> None:
    assert game(variant="all-small", start="empty").start().text.split()[0] == "|".join(["*" * 8] * 8)
    assert game(variant="all-small", start="empty", rows=1, columns=3).start().text == "*** L"
    assert game(variant="all-small", start="empty", rows=32, columns=32).start().text.count("*") == 1024
    assert refusal(game, start="empty").startswith(
        "expand-conquer: start=empty has no move in the normal variant; choose variant=all-small"
    )
    end = game().parse("**|**")
    assert end.is_over
    assert end.winner == 1
    assert end.outcome is not None
    assert end.outcome.reason == "Left cannot move"


def test_options_that_contradict_each_other() -> None:
    assert "rows=5, but start=lattice has 8; only start=empty comes in every size" in refusal(game, rows=5)
    assert "columns=4, but start=X*O has 3" in refusal(game, start="X*O", columns=4)
    assert "start=X*O|X: 'X*O|X': row 1 has 1 square, row 0 has 3" in refusal(game, start="X*O|X")
    assert "start=latice is no start: give duel" in refusal(game, start="latice")
    assert "is no start" in refusal(game, start="")
    assert "rows=0 is not a whole number, at least 1, at most 32" in refusal(game, rows=0)
    assert "rows=33" in refusal(game, rows=33)
    assert game(rows=None, columns=None) == game()


def test_a_board_of_another_size_is_a_state_of_the_game_that_starts_from_it() -> None:
    kind = game(variant="all-small")
    state = kind.parse("X*O*O|****O R")
    assert state.game == game(variant="all-small", start="X*O*O|****O", first="R")
    assert state == state.game.start()
    assert state.observation(0).shape == (4, 2, 5)
    assert pickle.loads(pickle.dumps(state.play("(0,0)"))).text == "XXO*O|X***O L"
    assert kind.parse(kind.start().text).game is kind
    narrow = game(rows=2, columns=5, start="X*O*O|****O")
    assert narrow.parse("*****|XXXOO").game is narrow
    assert "a board of 1×3, but this game has 2×5" in refusal(narrow.parse, "X*O")


def test_a_record_of_a_game_from_another_size_replays(tmp_path: Path) -> None:
    timeline = play_at_random(game().parse("X*O*O|****O R"), 1)
    for number, header_game in enumerate((game(), timeline.game)):
        with Recorder(tmp_path / f"{number}.jsonl", Header.of(header_game, ["a", "b"])) as recorder:
            timeline.listen(recorder.write)
        replayed = read_record(tmp_path / f"{number}.jsonl").replay()
        assert replayed.state == timeline.state


# Pictures.


def elements(drawing: str) -> dict[str, str]:
    return {one.attrib["data-pick"]: one.attrib["aria-label"] for one in xml.fromstring(drawing).iter() if "data-pick" in one.attrib}


@pytest.mark.parametrize("board", ["O", "*", "X*O*O*OX*", "O|*|X", "X*O*O|****O", "|".join(["O*X*" * 8] * 32), "|".join(["O" * 32] * 32)])
def test_every_size_is_drawn(board: str) -> None:
    state = game().parse(board)
    root = xml.fromstring(state.svg(size=300))
    width, height = (float(root.attrib[name]) for name in ("width", "height"))
    assert width == 300
    assert height <= 1.01 * width
    lines = str(state).splitlines()
    assert lines[-1] in ("Left to move", "Left cannot move", "Left cannot move, for the board is full")
    assert [re.sub("[^·OX]", "", line) for line in lines if re.match(" *[0-9]+ .*[·OX]", line)] == board.replace("*", "·").split("|")


def test_groups_and_empty_squares_are_named() -> None:
    labels = elements(game(variant="all-small").parse("XO*|*O*|*XO R").svg())
    assert labels == {
        "(0,0)": "(0,0), Right, one stone, fills 1 square",
        "(0,1)": "(0,1), Left, group of 2 stones: (0,1) (1,1), fills 3 squares",
        "(2,1)": "(2,1), Right, one stone, fills 1 square",
        "(2,2)": "(2,2), Left, one stone, fills 1 square",
        "(0,2)": "(0,2), empty, Right may place a stone",
        "(1,0)": "(1,0), empty",
        "(1,2)": "(1,2), empty, Right may place a stone",
        "(2,0)": "(2,0), empty",
    }
    assert elements(game().parse("OX|XX").svg())["(0,0)"] == "(0,0), Left, one stone, cannot expand"


def test_colours_differ_in_form_and_new_stones_are_framed() -> None:
    state = game().parse("O*X|***")
    drawing = state.svg()
    left, right = (next(g for g in xml.fromstring(drawing).iter() if g.get("data-pick") == name) for name in ("(0,0)", "(0,2)"))
    signs = [next(path.attrib["d"] for path in one if path.get("class") == "xc-m") for one in (left, right)]
    assert "a3.4" in signs[0]
    assert "l6 6" in signs[1]
    assert 'class="xc-f"' not in drawing
    action = state.action("(0,0)")
    after = state.play(action)
    frames = re.search(r'class="xc-f" d="([^"]*)"', after.svg(last=action))
    assert frames is not None
    assert frames[1].count("z") == 2
    assert 'class="xc-f"' not in after.svg()
    assert after.game.board(after, last=action).plain.count("'") == 2


def test_show_draws_a_board_of_any_size(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "board.svg"
    assert run(["show", "expand-conquer", "X*O*O|****O", "--svg", str(target)]) == 0
    assert len(elements(target.read_text())) == 10 - 4 + 3
    assert run(["show", "expand-conquer", "X*O*O|****O"]) == 0
    assert "0 X · O · O" in capsys.readouterr().out
    assert run(["show", "expand-conquer", "X*O|O"]) == 2
    assert capsys.readouterr().err == "error: 'X*O|O': row 1 has 1 square, row 0 has 3\n"


def test_the_pictures_of_the_documentation_are_what_is_drawn() -> None:
    folder = DOCS / "pictures"
    start = game().start()
    action = start.action("(2,2)")
    assert (folder / "expand-conquer-start.svg").read_text() == start.svg()
    assert (folder / "expand-conquer-turn.svg").read_text() == start.play(action).svg(last=action)
    assert (folder / "expand-conquer-all-small.svg").read_text() == game(variant="all-small").parse("XO*|***|*XO").svg()


def test_the_documentation_lists_every_start() -> None:
    page = (DOCS / "expand-and-conquer.md").read_text()
    listed = page.split("## Starts\n")[1].split("\n## ")[0].splitlines()
    sizes = [f"| `{name}` | {board.count('|') + 1}×{board.index('|')}" for name, board in NAMED.items()]
    rows = [line.partition(": ") for line in listed if line.startswith("| `")]
    assert [name_and_size for name_and_size, _, _ in rows] == sizes
    assert all(len(look) > 10 for _, _, look in rows)


# What bots know.


def value_of(text: str, variant: str, player: int) -> int:
    state = game(variant=variant).parse(text)
    return compute(state.game.tables, state.copy_records(), player)


@kernel()
def compute(tables: Any, states: Any, player: Any) -> Any:
    return evaluate(tables, states[0], player)


@pytest.mark.parametrize("variant", ["normal", "all-small"])
def test_the_evaluation_is_the_same_for_both_sides_and_likes_squares_of_ones_own(variant: str) -> None:
    for name in STARTS:
        assert value_of(game(start=name).start().text, variant, 0) == 0
    better = "OO*X***|X*OX***|XXXXXXX|*******|*******|*******|******* L"
    assert value_of(better, variant, 1) > 0
    assert value_of(better, variant, 0) == -value_of(better, variant, 1)
    large = "|".join(["O**X" + "*" * 12] + ["*" * 16] * 15)
    assert value_of(large, variant, 0) == -value_of(large, variant, 1)


def test_squares_that_the_opponent_cannot_reach_count_in_the_all_small_variant() -> None:
    """Two squares beside Left's stones only, and three that Left has alone; then a row where both are equally near."""
    assert value_of("O***OXX", "all-small", 0) == 2 * 26 + 3 * 60
    assert value_of("XX*O***O", "all-small", 1) == -(2 * 26 + 3 * 60)
    assert value_of("O***XOO", "all-small", 0) == 0
