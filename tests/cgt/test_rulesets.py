"""The rulesets that are shipped, against published values and against their own rules without shortcuts.

Sources: J. H. Conway, *On Numbers and Games*, chapter 10 (ONAG); D. M. Breuker, J. Uiterwijk and J. van den Herik, *Solving 8×8 Domineering*, 2000;
J. Erickson, *New Toads and Frogs Results*, 1996; T. Thanatipanonda, *Further Hopping with Toads and Frogs*, 2011, which proves Erickson's conjectures;
X. Chen and others, *A Proof of the 2004 Albert-Grossman-Nowakowski-Wolfe Conjecture on Alternating Linear Clobber*, 2025; C. L. Bouton's theorem on Nim, 1901.
"""

from __future__ import annotations

import functools
import itertools
import operator
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludarium.cgt import Value, value
from ludarium.cgt.rulesets import Clobber, Domineering, Nim, ToadsAndFrogs
from ludarium.errors import BadNotation
from tests.cgt.plain_domineering import PlainDomineering

STAR, UP = Value.nimber(1), Value.from_options([0], [Value.nimber(1)])


def switch(left: Value | int | Fraction, right: Value | int | Fraction) -> Value:
    return Value.from_options([left], [right])


def rectangle(rows: int, columns: int) -> str:
    return "|".join(["*" * columns] * rows)


def domineering(board: str) -> Value:
    return value(Domineering(), board)


class Plain:
    """A ruleset without its components and normal forms."""

    def __init__(self, ruleset: Any) -> None:
        self.left_options, self.right_options = ruleset.left_options, ruleset.right_options


@pytest.mark.parametrize("ruleset", [Domineering(), Clobber(), ToadsAndFrogs(), Nim()], ids=lambda ruleset: type(ruleset).__name__)
def test_what_is_no_position_is_refused_in_one_line(ruleset: Any) -> None:
    for bad in ("", "?", "1|2", "xo|o", 7, None):
        with pytest.raises(BadNotation) as problem:
            value(ruleset, bad)
        assert "\n" not in str(problem.value)
        assert str(bad) in str(problem.value)


def test_where_a_board_goes_wrong() -> None:
    with pytest.raises(BadNotation, match=r"'xo\|o\?': '\?' in row 1, column 1; a board is made of x o \. and '\|'"):
        value(Clobber(), "xo|o?")
    with pytest.raises(BadNotation, match="row 1 has 1 square, row 0 has 2"):
        domineering("**|*")
    with pytest.raises(BadNotation, match="9×8 squares is too large"):
        domineering(rectangle(9, 8))


def test_rows_and_columns_of_domineering() -> None:
    for length in range(1, 9):
        assert domineering(rectangle(1, length)) == -(length // 2)
        assert domineering(rectangle(length, 1)) == length // 2


def test_rectangles_of_domineering() -> None:
    """ONAG, chapter 10, where 5×5 is shown to be 0 by a strategy."""
    tiny_two = switch(0, switch(0, -2))
    assert domineering(rectangle(2, 2)) == switch(1, -1)
    assert domineering(rectangle(2, 3)) == switch(2, Fraction(-1, 2))
    assert domineering(rectangle(4, 2)) == tiny_two
    assert domineering(rectangle(3, 3)) == switch(1, -1)
    assert domineering(rectangle(4, 3)) == Fraction(3, 2)
    assert domineering(rectangle(4, 4)).outcome == "N"
    assert domineering(rectangle(5, 5)) == 0


def test_who_wins_on_squares() -> None:
    """Breuker and others, table of solved boards."""
    assert [domineering(rectangle(size, size)).outcome for size in range(1, 6)] == list("PNNNP")


def test_what_turning_a_board_does() -> None:
    for rows, columns in itertools.combinations(range(1, 6), 2):
        assert domineering(rectangle(rows, columns)) == -domineering(rectangle(columns, rows))


def zigzag(length: int) -> str:
    """Squares down and to the right in turn."""
    squares = {((at + 1) // 2, at // 2) for at in range(length)}
    size = length // 2 + 1
    return "|".join("".join("*" if (row, column) in squares else "#" for column in range(size)) for row in range(size))


def test_zigzags_of_domineering() -> None:
    """ONAG, chapter 10: the first ones, and ZZ(4n) = n|n−1||n−2|||…|0."""
    values = [Value(0), *(domineering(zigzag(length)) for length in range(1, 16))]
    assert values[1:4] == [0, 1, STAR]
    assert values[5] == switch(1, -1)
    assert values[7] == values[5] + STAR
    assert values[9] == Value.from_options([switch(2, 0), switch(2, STAR)], [switch(0, -2), switch(STAR, -2)])
    assert values[10] == 1 + STAR
    assert values[11] == values[9] + STAR
    for quarter in (1, 2, 3):
        expected = switch(quarter, quarter - 1)
        for number in range(quarter - 2, -1, -1):
            expected = switch(expected, number)
        assert values[4 * quarter] == expected


BOARDS = st.integers(1, 4).flatmap(
    lambda columns: st.lists(st.text("*#", min_size=columns, max_size=columns), min_size=1, max_size=4).map("|".join)
)


@given(BOARDS)
def test_compiled_domineering_is_domineering(board: str) -> None:
    assert domineering(board) is value(PlainDomineering(), board)


def toads_and_frogs(toads: int, empty: int, frogs: int) -> Value:
    return value(ToadsAndFrogs(), "t" * toads + "." * empty + "f" * frogs)


def test_toads_and_frogs_two_squares_apart() -> None:
    """Conjecture 1 of Erickson: {{a−3|a−b} | {*|3−b}} for a > b >= 2."""
    for frogs in (2, 3, 4):
        for toads in range(frogs + 1, 7):
            assert toads_and_frogs(toads, 2, frogs) == switch(switch(toads - 3, toads - frogs), switch(STAR, 3 - frogs))


def test_toads_and_frogs_three_squares_apart() -> None:
    """Conjectures 2 and 3 of Erickson; Thanatipanonda's theorem that as many frogs as toads, four or more, are infinitesimal."""
    for toads in range(2, 7):
        assert toads_and_frogs(toads, 3, 2) == toads - 2 + STAR
    for toads in (5, 6, 7):
        assert toads_and_frogs(toads, 3, 3) == toads - Fraction(7, 2)
    for toads in (4, 5):
        assert toads_and_frogs(toads, 3, toads).is_infinitesimal


def test_toads_and_frogs_as_far_apart_as_there_are_toads() -> None:
    """Conjecture 4 of Erickson: 1 or {1|1}."""
    for toads in (1, 2, 3, 4):
        assert toads_and_frogs(toads, toads, toads - 1) in (1, 1 + STAR)


def test_toads_and_frogs_without_gaps_are_integers() -> None:
    """Erickson's theorem on positions whose pieces are contiguous."""
    for length in range(1, 6):
        for pieces in map("".join, itertools.product("tf", repeat=length)):
            for before, after in itertools.product(range(3), repeat=2):
                assert value(ToadsAndFrogs(), "." * before + pieces + "." * after).is_integer


def test_death_leaps() -> None:
    """Erickson's principle: where only jumps into isolated squares are left, the value is 0."""
    ruleset, found = ToadsAndFrogs(), 0
    for strip in map("".join, itertools.product("tf.", repeat=8)):
        can_step = "t." in strip or ".f" in strip
        if not can_step and ".." not in strip and ("tf." in strip or ".tf" in strip):
            assert value(ruleset, strip) == 0
            found += 1
    assert found > 100


@given(st.text("tf.", min_size=1, max_size=8))
def test_the_other_end_of_the_strip_is_the_other_player(strip: str) -> None:
    seen_by_the_other = strip[::-1].translate(str.maketrans("tf", "ft"))
    assert value(ToadsAndFrogs(), seen_by_the_other) == -value(ToadsAndFrogs(), strip)


def test_one_enemy_at_the_end_of_a_row_of_clobber() -> None:
    """By the rules xⁿo is {0 | xⁿ⁻¹o}: *, ↑, ⇑*, … (n−1)·↑ with a star for odd n."""
    for length in range(1, 8):
        assert value(Clobber(), "x" * length + "o") == (length - 1) * UP + length % 2 * STAR


def test_alternating_rows_of_clobber() -> None:
    """The conjecture of Albert and others, proved by Chen and others: the first player wins (xo)ⁿ, n = 3 excepted."""
    assert [value(Clobber(), "xo" * pairs).outcome for pairs in range(1, 8)] == list("NNPNNNN")


def checkered(rows: int, columns: int) -> str:
    return "|".join("".join("xo"[(row + column) % 2] for column in range(columns)) for row in range(rows))


def test_checkered_boards_of_clobber() -> None:
    """A board with an even side turns into itself with the colours exchanged, so it is its own negative; and Clobber is all-small."""
    for rows, columns in [(2, 2), (2, 3), (2, 4), (2, 5), (3, 2), (3, 3), (3, 4)]:
        found = value(Clobber(), checkered(rows, columns))
        assert found.is_all_small
        assert found is value(Clobber(), checkered(columns, rows))
        assert rows * columns % 2 or found == -found


STONES = st.integers(1, 3).flatmap(
    lambda columns: st.lists(st.text("xo.", min_size=columns, max_size=columns), min_size=1, max_size=3).map("|".join)
)


@given(STONES)
def test_clobber_with_and_without_components(board: str) -> None:
    assert value(Clobber(), board) is value(Plain(Clobber()), board)
    assert value(Clobber(), board.translate(str.maketrans("xo", "ox"))) == -value(Clobber(), board)


@given(st.lists(st.integers(0, 5), min_size=1, max_size=3))
def test_nim_sums(heaps: list[int]) -> None:
    position = " ".join(map(str, heaps))
    assert value(Nim(), position) is Value.nimber(functools.reduce(operator.xor, heaps)) is value(Plain(Nim()), position)


@pytest.mark.parametrize(
    ("ruleset", "position", "canonical"),
    [
        (Domineering(), "****|****|****|****", "+-{0,{{2|0},2Tiny(2)|{2|0},Miny(2)}}"),
        (Clobber(), "xox|ox.", "{^^*|*,v}"),
        (ToadsAndFrogs(), "ttttt..fffff", "+-{{2|*},{5/2||2|{0||||{0||v<2>|-1},{0||||0||Miny(1/32)|-2|||-1/2*}|||v<2>|-1/2||-1*}|||0}}"),
    ],
)
def test_values_that_cgsuite_publishes_as_tests_of_its_own(ruleset: Any, position: str, canonical: str) -> None:
    """To the letter. A. N. Siegel, CGSuite 2, the tests of its grid and strip games."""
    assert str(value(ruleset, position)) == canonical
