"""Boards as texts: moves as the game has them, components that add up, guesses of how much work a value is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludarium import game
from ludarium.cgt import Value, value
from ludarium.cgt.positions.exploration import explore
from ludarium.games.expand_conquer.boards import Board, read_boards
from ludarium.games.expand_conquer.values import ExpandConquerRuleset
from ludarium.labs.expand_conquer.exact.analysis import analyse
from ludarium.labs.expand_conquer.exact.estimate import estimate

VARIANTS = st.sampled_from(ExpandConquerRuleset.VARIANTS)


@st.composite
def some_boards(draw: st.DrawFn, squares: int = 12) -> str:
    columns = draw(st.integers(1, 6))
    rows = draw(st.integers(1, max(1, squares // columns)))
    marks = draw(st.lists(st.sampled_from("**OX"), min_size=rows * columns, max_size=rows * columns))
    return "|".join("".join(marks[start : start + columns]) for start in range(0, rows * columns, columns))


@given(some_boards(squares=30), VARIANTS, st.integers(0, 1))
def test_moves_are_the_game_s(board: str, variant: str, player: int) -> None:
    state = game("expand-conquer", variant=variant).parse(f"{board} {'LR'[player]}")
    reached: dict[str, list[str]] = {}
    for action in [] if state.is_over else state.actions(player):
        reached.setdefault(state.play(action).text.split()[0], []).append(action.text)
    assert [(one.board, list(one.actions)) for one in Board(board).moves(variant == "all-small", player)] == list(reached.items())


@given(some_boards(), VARIANTS)
def test_components_add_up(board: str, variant: str) -> None:
    """Each is a board that can be valued by itself, of one component, found again where it is said to stand."""
    ruleset, all_small = ExpandConquerRuleset(variant), variant == "all-small"
    parts = Board(board).pieces(all_small)
    assert sum((value(ruleset, one.board) for one in parts), Value(0)) is value(ruleset, board)
    assert all(value(ruleset, one.words) is value(ruleset, one.board) for one in parts)
    lines = board.split("|")
    for one in parts:
        assert [part.board for part in Board(one.board).pieces(all_small)] == [one.board]
        for row, line in enumerate(one.board.split("|"), one.row):
            for column, mark in enumerate(line, one.column):
                assert mark == lines[row][column] or lines[row][column] == "*"


@given(some_boards(squares=9), some_boards(squares=9), VARIANTS)
def test_what_is_said_about_a_sum_holds(one: str, other: str, variant: str) -> None:
    ruleset = ExpandConquerRuleset(variant)
    found = analyse([Board(one), Board(other)], variant)
    values = [value(ruleset, board) for board in (one, other)]
    assert found.value is values[0] + values[1]
    for player, options in enumerate(found.options):
        for option in options:
            rest = values[1 - option.place]
            assert option.value is value(ruleset, option.move.board) + rest
            assert option.wins == (option.value.outcome in ("RP" if player else "LP"))


def test_what_cancels_is_not_computed() -> None:
    """Two halves, one the other's mirror image with the colours exchanged: 0 at once, though one has more positions than may be kept."""
    half = ["*O***X", "***X*O", "*****X", "O****O", "**X**X"]
    board = "|".join(line + line[::-1].translate(str.maketrans("OX", "XO")) for line in half)
    assert len(Board(board).components(True)) == 2
    found = analyse([Board(board)], "all-small", most_bytes=1 << 25)
    assert found.value is Value(0)
    assert [one.value for one in found.parts] == [None, None]
    assert {one.value for side in found.options for one in side} == {None}


@pytest.mark.parametrize(
    ("texts", "boards"),
    [
        (["x*o"], ["X*O"]),
        (["X*O L"], ["X*O"]),
        (["X*O", "r", "+", "O*"], ["X*O", "O*"]),
        (["X*O+O*+*"], ["X*O", "O*", "*"]),
        (["X*\nO*\n \nO*\n"], ["X*|O*", "O*"]),
        (["X*|\nO*"], ["X*|O*"]),
    ],
)
def test_boards_are_read(texts: list[str], boards: list[str]) -> None:
    assert [board.text for board in read_boards(texts)] == boards


@pytest.mark.parametrize(
    ("board", "variant"),
    [
        ("****|****|****", "all-small"),
        ("X***|***O|*O**", "all-small"),
        ("****************", "all-small"),
        ("X" + "*O" * 16 + "*", "all-small"),
        ("*OOOO*X|O**XX*O|O****O*|*X****O|O**OXO*|OO**X**|*X**OX*", "normal"),
        ("X" + "*O" * 16 + "*", "normal"),
    ],
)
def test_guesses_have_the_right_size(board: str, variant: str) -> None:
    ruleset = ExpandConquerRuleset(variant)
    guess = estimate([Board(board)], variant == "all-small")
    real = len(explore(ruleset.tables, [ruleset.words(board)], 1 << 30)[0].order)
    assert guess.empty == board.count("*")
    assert real / 10 < guess.positions < real * 10
