"""Values of Expand and Conquer: the compiled ruleset against the game as it is played, and against the published and the recomputed values."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ludarium
from ludarium.cgt import Value, value
from ludarium.errors import BadNotation, BadOption
from ludarium.games.expand_conquer.values import ExpandConquerRuleset
from tests.conftest import USUAL_CACHE, Python
from tests.folders import DATA

ROWS = [json.loads(line) for line in (DATA / "cgt" / "expand-and-conquer.jsonl").read_text(encoding="utf-8").splitlines()]
STAR, UP = Value.nimber(1), Value.from_options([0], [Value.nimber(1)])
VARIANTS = ("normal", "all-small")


class Played:
    """The rules as the game plays them, without components, symmetry, or a look at anything but the board."""

    def __init__(self, variant: str) -> None:
        self.game = ludarium.game("expand-conquer", variant=variant)

    def left_options(self, board: str) -> Iterator[str]:
        return self.options(board, "L")

    def right_options(self, board: str) -> Iterator[str]:
        return self.options(board, "R")

    def options(self, board: str, side: str) -> Iterator[str]:
        state = self.game.parse(f"{board} {side}")
        for action in () if state.is_over else state.actions():
            yield state.play(action).text.split()[0]


def boards(most_rows: int, most_columns: int) -> st.SearchStrategy[str]:
    return st.integers(1, most_columns).flatmap(
        lambda columns: st.lists(st.text("**OX", min_size=columns, max_size=columns), min_size=1, max_size=most_rows).map("|".join)
    )


def mirrored(board: str) -> list[str]:
    rows = board.split("|")
    return ["|".join(rows[::-1]), "|".join(row[::-1] for row in rows), "|".join("".join(column) for column in zip(*rows, strict=True))]


@pytest.mark.parametrize("variant", VARIANTS)
@given(board=boards(3, 3))
@settings(max_examples=40)
def test_the_value_of_a_board_is_that_of_the_game_as_it_is_played(variant: str, board: str) -> None:
    assert value(ExpandConquerRuleset(variant), board) is value(Played(variant), board)


@pytest.mark.parametrize("variant", VARIANTS)
@given(board=boards(4, 4))
def test_mirrors_change_nothing_and_colours_the_sign(variant: str, board: str) -> None:
    ruleset = ExpandConquerRuleset(variant)
    found = value(ruleset, board)
    assert all(value(ruleset, image) is found for image in mirrored(board))
    assert value(ruleset, board.translate(str.maketrans("OX", "XO"))) == -found


@given(board=boards(3, 4))
def test_the_all_small_variant_is_all_small(board: str) -> None:
    assert value(ExpandConquerRuleset("all-small"), board).is_all_small


@pytest.mark.parametrize("variant", VARIANTS)
@given(
    halves=st.integers(1, 3).flatmap(
        lambda rows: st.tuples(*[st.lists(st.text("**OX", min_size=2, max_size=2), min_size=rows, max_size=rows)] * 2)
    )
)
@settings(max_examples=40)
def test_a_board_is_the_sum_of_its_halves_behind_a_wall(variant: str, halves: tuple[list[str], list[str]]) -> None:
    """The wall is a column of each colour, so that no group crosses it."""
    ruleset = ExpandConquerRuleset(variant)
    left, right = ([row + "O" for row in halves[0]], ["X" + row for row in halves[1]])
    joined = "|".join(map("".join, zip(left, right, strict=True)))
    assert value(ruleset, joined) is value(ruleset, "|".join(left)) + value(ruleset, "|".join(right))


def test_every_recomputed_value() -> None:
    for row in ROWS:
        found = value(ExpandConquerRuleset(row["variant"]), row["board"])
        assert found.merkle64 == row["merkle64"], row["board"]
        assert row["canonical"] is None or str(found) == row["canonical"], row["board"]


def test_the_table_of_the_paper() -> None:
    """Table 1, and Conjecture 4.2 for as long as it takes no time: g(2n−1) = ↑n, and g(2n) = ↑n* from n = 3 on."""
    ruleset = ExpandConquerRuleset("all-small")
    found = [value(ruleset, "X" + "*O" * number + "*") for number in range(1, 13)]
    assert found[:7] == [UP, -UP, 2 * UP, Value(0), 3 * UP, 3 * UP + STAR, 4 * UP]
    assert [one.atomic_weight for one in found[:7]] == [1, -1, 2, 0, 3, 3, 4]
    for number in range(1, 7):
        assert found[2 * number - 2] == number * UP
        assert number < 3 or found[2 * number - 1] == number * UP + STAR


def test_numbers_of_the_paper() -> None:
    """Theorems 3.2 and 3.5 and Lemma 3.6."""
    ruleset = ExpandConquerRuleset()
    for empty in range(1, 9):
        assert value(ruleset, "O" + "*" * empty) == empty
        assert value(ruleset, "X" + "*" * empty) == -empty
        assert value(ruleset, "X" + "*" * empty + "O") == empty % 2 * STAR
        half = value(ruleset, "X" + "*" * empty + "O*O")
        assert 2**empty * half == 1


def test_what_is_no_board_is_refused() -> None:
    for bad, message in [
        ("", "is an empty board"),
        ("X*|*", "row 1 has 1 square, row 0 has 2"),
        ("X?O", r"'\?' in row 0, column 1; a board is made of \* O X and '\|'"),
        ("|".join(["********"] * 9), "9×8 squares is too large for exact values; 64 squares are the most"),
        (None, "None is no board"),
    ]:
        with pytest.raises(BadNotation, match=message):
            value(ExpandConquerRuleset(), bad)
    with pytest.raises(BadOption, match="variant 'small' is not one of: normal, all-small"):
        ExpandConquerRuleset("small")


def test_boards_of_64_squares_in_every_shape() -> None:
    """Layouts differ: 8×8 for what fits, rows of their own length for longer boards."""
    board = "X*O*O" + "X" * 3
    for rows in ("|".join([board] + ["O" * 8] * 7), board + "O" * 56, "|".join(board + "O" * 56)):
        assert value(ExpandConquerRuleset(), rows) == value(ExpandConquerRuleset(), "X*O*OX")
    full = "|".join(["XO" * 4, "OX" * 4] * 4)
    assert value(ExpandConquerRuleset("all-small"), full) == 0
    for corner in (full.replace("X", "*", 1), full[:-1] + "*"):
        assert value(ExpandConquerRuleset("all-small"), corner) == value(Played("all-small"), corner)


def test_without_compilation_values_are_the_same(python: Python) -> None:
    code = """
from ludarium.cgt import value
from ludarium.games.expand_conquer.values import ExpandConquerRuleset
for variant in ("normal", "all-small"):
    print(*(value(ExpandConquerRuleset(variant), board) for board in ("X*O*O", "O*|*X", "**|*O|X*", "*O*X*O**")))
"""
    plain, compiled = python(code, NUMBA_DISABLE_JIT="1"), python(code, NUMBA_CACHE_DIR=USUAL_CACHE)
    assert plain.stdout == compiled.stdout != "", plain.stderr
