"""Values as text: CGSuite's notation, symbols, and braces."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable
from fractions import Fraction

import pytest

from ludarium.cgt import Value
from ludarium.cgt.engine.structure import options
from ludarium.cgt.literals import Uptimal
from ludarium.cgt.text.ordering import by_order, ordered_options
from ludarium.cgt.text.printing import braces_text, plain_text, unicode_text
from ludarium.cgt.uptimals import MOST_POWER, value_of_power
from ludarium.cgt.values import _value
from ludarium.errors import TooLarge
from tests.folders import DATA

ROWS = [json.loads(line) for line in (DATA / "cgt" / "expand-and-conquer.jsonl").read_text().splitlines()]
STAR, UP = Value.nimber(1), Value.from_options([0], [Value.nimber(1)])
DOWN = -UP


def built(braces: str) -> Value:
    """The value of a text with nothing but braces, integers and ``*``; it needs no parser."""
    sides: list[list[list[Value]]] = [[[], []]]
    place, word = 0, ""
    turns = [0]
    for sign in f"{braces},":
        if sign in "{|},":
            if word:
                sides[-1][turns[-1]].append(STAR if word == "*" else Value(int(word)))
                word = ""
            if sign == "{":
                sides.append([[], []])
                turns.append(0)
            elif sign == "|":
                turns[-1] = 1
            elif sign == "}":
                left, right = sides.pop()
                turns.pop()
                sides[-1][turns[-1]].append(Value.from_options(left, right))
        else:
            word += sign
    return sides[0][0][place]


def tiny(below: Value, number: int = 0) -> Value:
    return Value.from_options([number], [Value.from_options([number], [number - below])])


def in_order(values: Iterable[Value]) -> list[Value]:
    numbers = [one._at for one in values]
    assert all(list(map(sorted, ordered_options(one))) == list(map(sorted, options(one))) for one in numbers)
    return [_value(at) for at in sorted(numbers, key=by_order)]


def test_every_row_is_written_as_it_should_be() -> None:
    written = [row for row in ROWS if row["braces"] is not None]
    assert len(written) == 356
    for row in written:
        value = built(row["braces"])
        assert value.merkle64 == row["merkle64"]
        assert plain_text(value._at, 3000) == row["canonical"]
        assert braces_text(value._at, 2000) == row["braces"]


def test_numbers_ups_and_stars() -> None:
    expected = {
        "0": Value(0),
        "-7": Value(-7),
        "-5/8": Value(Fraction(-5, 8)),
        "*": STAR,
        "*2": Value.nimber(2),
        "^": UP,
        "vv": 2 * DOWN,
        "^3": 3 * UP,
        "v4*": 4 * DOWN + STAR,
        "^*2": UP + Value.nimber(2),
        "1*": 1 + STAR,
        "-1v": DOWN - 1,
        "1/2^^*3": Value(Fraction(1, 2)) + 2 * UP + Value.nimber(3),
    }
    assert {str(value): value for value in expected.values()} == expected


def test_switches() -> None:
    def switch(*left: Value | int) -> Value:
        return Value.from_options(left, [-one for one in left])

    assert str(switch(1)) == "+-1"
    assert str(switch(2 * UP)) == "+-^^"
    assert str(switch(2 * UP + STAR)) == "+-(^^*)"
    assert str(switch(1 + STAR)) == "+-(1*)"
    assert str(switch(1 + UP)) == "+-(1^)"
    assert str(switch(Value.from_options([3], [1]))) == "+-{3|1}"
    assert str(switch(Value.from_options([5], [Value.from_options([4], [2])]))) == "+-{5||4|2}"
    assert str(switch(STAR, UP)) == "+-{*,^}"
    assert str(1 + switch(1)) == "{2|0}"


def test_tinies_and_minies() -> None:
    assert str(tiny(Value(2))) == "Tiny(2)"
    assert str(-tiny(Value(2))) == "Miny(2)"
    assert str(tiny(Value(Fraction(1, 4)), -1)) == "-1Tiny(1/4)"
    assert str(-tiny(1 + STAR, 3)) == "-3Miny(1*)"
    assert str(tiny(Value.from_options([2], [1]))) == "Tiny({2|1})"
    assert str(tiny(UP + STAR)) == "{0|^<2>}"  # the mean below is 0


def test_the_mean_decides_where_the_stops_do_not() -> None:
    below = Value.from_options([5], [0])
    assert below.stops == (5, 0)
    assert str(tiny(below)) == "Tiny({5|0})"
    assert str(-tiny(below, 2)) == "-2Miny({5|0})"


def test_slashes_tell_the_levels_and_a_level_of_four_has_braces() -> None:
    texts = ["{9|8}", "{9|8||7}", "{9|8||7|||6}", "{9|8||7|||6||||5}", "{{9|8||7|||6||||5}|4}", "{{9|8||7|||6||||5}|4||3}"]
    value = Value(9)
    for number, text in zip(range(8, 2, -1), texts, strict=True):
        value = Value.from_options([value], [number])
        assert str(value) == text


def test_options_are_ordered_as_cgsuite_does() -> None:
    assert [str(one) for one in in_order([UP, STAR, Value.nimber(2), Value(1), DOWN, Value(-2), Value(Fraction(1, 2)), Value(0)])] == [
        "-2", "0", "1/2", "1", "*", "*2", "v", "^",
    ]  # fmt: skip
    ups = [Value(Uptimal(Fraction(0), ups, nimber)) for ups in ((1,), (1, 1), (0, 1), (-1,), (2,)) for nimber in (0, 1)]
    assert [str(one) for one in in_order(ups)] == ["v", "v*", "^<2>", "^<2>*", "^", "^*", "^[2]", "^[2]*", "^^", "^^*"]
    games = [Value.from_options(left, [-9]) for left in ([0], [0, STAR], [STAR], [Value.from_options([2], [1])])]
    assert [str(one) for one in in_order(reversed(games))] == ["{0|-9}", "{0,*|-9}", "{*|-9}", "{2|1||-9}"]


@pytest.mark.parametrize("nimber", [0, 1, 2, 3])
def test_uptimals_are_found_out_whatever_their_terms(nimber: int) -> None:
    for coefficients in itertools.product(range(-2, 3), repeat=3):
        for number in (Fraction(0), Fraction(-5, 4)):
            ups = list(coefficients)
            while ups and not ups[-1]:
                ups.pop()
            form = Uptimal(number, tuple(ups), nimber)
            assert Value(form).uptimal == form


def test_uptimals_have_words_where_they_are_one_order_or_a_run() -> None:
    assert [str(Value(Uptimal(Fraction(0), ups, 0))) for ups in ((0, 1), (0, 0, -1), (1, 1, 1), (-1, -1))] == [
        "^<2>",
        "v<3>",
        "^[3]",
        "v[2]",
    ]
    assert str(Value(Uptimal(Fraction(1), (1, 1), 3))) == "1^[2]*3"
    other = Uptimal(Fraction(1), (2, -1), 1)
    assert str(other) == "1^^ + v<2> + *"
    assert str(Value(other)).startswith("{")
    assert str(Uptimal(Fraction(0), (0, -3), 0)) == "3.v<2>"


def test_powers_of_up_are_each_below_every_multiple_of_the_one_before() -> None:
    square = Value(Uptimal(Fraction(0), (0, 1), 0))
    assert 0 < 100 * square < UP
    assert Value.from_options([0], [DOWN + STAR]) is square
    with pytest.raises(TooLarge, match=f"orders go up to {MOST_POWER}$"):
        value_of_power(MOST_POWER + 1)


def test_what_is_no_uptimal_is_none() -> None:
    assert Value.from_options([1], [-1]).uptimal is None
    assert tiny(Value(2)).uptimal is None
    assert Value.from_options([0], [STAR, Value.nimber(2)]).uptimal is None
    assert Value(3).uptimal == Uptimal(Fraction(3), (), 0)


def test_symbols() -> None:
    expected = {
        "½": Value(Fraction(1, 2)),
        "−2¾": Value(Fraction(-11, 4)),
        "⅝": Value(Fraction(5, 8)),
        "1/16": Value(Fraction(1, 16)),
        "⇑*": 2 * UP + STAR,
        "↓3*2": 3 * DOWN + Value.nimber(2),
        "1↑": 1 + UP,
        "↑²": Value(Uptimal(Fraction(0), (0, 1), 0)),
        "↓[2]": Value(Uptimal(Fraction(0), (-1, -1), 0)),
        "±1": Value.from_options([1], [-1]),
        "±(⇑*)": Value.from_options([2 * UP + STAR], [2 * DOWN + STAR]),
        "⧾₁₂": tiny(Value(12)),
        "1⧾(½)": tiny(Value(Fraction(1, 2)), 1),
        "⧿(1*)": -tiny(1 + STAR),
        "{1|0||−3}": Value.from_options([Value.from_options([1], [0])], [-3]),
    }
    assert {unicode_text(value._at): value for value in expected.values()} == expected


def test_a_limit_ends_texts_that_would_explode() -> None:
    one = Value(0)
    for size in range(7):
        one += Value.from_options([3 * 4**size], [-(4**size)])
    for write in (plain_text, unicode_text, braces_text):
        with pytest.raises(TooLarge, match="more than 300 characters"):
            write(one._at, 300)
    assert plain_text(Value(123456)._at, 6) == "123456"
    for too_long, limit in ((Value(123456), 5), (Value.from_options([1], [0]), 4)):
        with pytest.raises(TooLarge):
            plain_text(too_long._at, limit)
    assert plain_text(Value.from_options([1], [0])._at, 5) == "{1|0}"


def test_ten_thousand_levels_are_written_without_recursion() -> None:
    deep = Value(Fraction(1, 2**3000)) + STAR
    assert deep.braces.startswith("{{0|{0|{0|")
    value = Value(0)
    for level in range(3000):
        value = Value.from_options([value], [-3 - level])
    assert str(value).count("{") == 3000 - 2250
    assert len(unicode_text(value._at)) == len(str(value))


def test_numbers_of_any_length_are_written() -> None:
    digits = 16384 * 301030 // 1000000 + 1
    smallest = Value(Fraction(1, 2**16384))
    assert len(str(smallest)) == len(smallest.unicode) == len("1/") + digits
