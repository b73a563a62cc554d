"""Numbers, which are kept as digits and not as canonical forms, and values beside Python's numbers and texts."""

from __future__ import annotations

import copy
import math
import numbers
import pickle
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ludarium.cgt import Solver, Value, ascending, outcome
from ludarium.cgt.engine.arena import COUNT
from ludarium.cgt.engine.store import store
from ludarium.cgt.rulesets import Domineering
from ludarium.errors import BadNotation, LudariumError, TooLarge
from tests.cgt import naive_values
from tests.cgt.born_by import as_game, values_born_by

ANY = values_born_by(3)
SMALL = [Fraction(above, 32) for above in range(-4 * 32, 4 * 32 + 1)]
DYADIC = st.builds(
    lambda whole, above, places: whole + Fraction(above, 1 << places),
    st.integers(-(2**61), 2**61 - 1) | st.integers(-3, 3),
    st.integers(0, 2**62) | st.integers(0, 3),
    st.integers(62, 4000) | st.integers(62, 70) | st.just(124),
)
HUGE = [2**20, 2**20 + 1, 2**53 + 1, 2**61, 2**62 - 1, 2**61 + Fraction(1, 2**4000), Fraction(2**62 - 1, 2**4000)]


def simplest(low: Fraction, high: Fraction) -> Fraction:
    """Strictly between: the integer nearest to 0, else what has the fewest binary places."""
    if low < 0 < high:
        return Fraction(0)
    if high <= 0:
        return -simplest(-high, -low)
    places = 0
    while not (found := Fraction(math.floor(low * 2**places) + 1, 2**places)) < high:
        places += 1
    return found


@pytest.mark.parametrize("number", SMALL)
def test_small_numbers_are_what_their_definition_says(number: Fraction) -> None:
    value, form = Value(number), naive_values.number(number)
    assert as_game(value) == form
    assert value.birthday == naive_values.birthday(form)
    assert value.follower_count == len(value.followers) == len(set(value.followers))
    assert value.stops == (number, number)
    assert (value.mean, value.temperature) == (number, naive_values.temperature(form))
    assert -value is Value(-number)
    assert Value(str(value)) is Value(value.unicode) is Value(value.braces) is value
    assert Value.from_options(value.left_options, value.right_options) is value
    assert pickle.loads(pickle.dumps(value)) is copy.deepcopy(value) is value


@pytest.mark.parametrize("first", [Fraction(above, 4) for above in range(-9, 10)])
def test_ordinal_sums_of_numbers_follow_the_definition(first: Fraction) -> None:
    for second in [Fraction(above, 8) for above in range(-17, 18)]:
        expected = naive_values.canonical(naive_values.ordinal_sum(naive_values.number(first), naive_values.number(second)))
        assert as_game(Value(first).ordinal_sum(second)) == expected


@pytest.mark.parametrize("weight", [Fraction(above, 8) for above in range(-9, 10, 3)])
def test_fractions_cool_below_their_temperature_as_the_definition_says(weight: Fraction) -> None:
    for degrees in (Fraction(-1), Fraction(-1, 2), Fraction(-1, 4), Fraction(-1, 16)):
        assert as_game(Value(weight).cool(degrees)) == naive_values.cooled(naive_values.number(weight), degrees)


@given(DYADIC, DYADIC)
@example(Fraction(2**61), Fraction(-(2**61)))
@example(Fraction(1, 2**62), Fraction(-1, 2**63))
@example(Fraction(-1, 2**124), Fraction(1))
@example(Fraction(1, 2**2000), Fraction(1, 2**2000) + Fraction(1, 2**4000))
def test_numbers_of_any_size_add_and_compare_as_fractions_do(one: Fraction, other: Fraction) -> None:
    a, b = Value(one), Value(other)
    assert (a.number, b.number) == (one, other)
    assert [a < b, a == b, a > b, a <= b] == [one < other, one == other, one > other, one <= other]
    assert (-a).number == -one
    if abs(one + other) < 2**62 and abs(one - other) < 2**62:
        assert (a + b).number == one + other
        assert (a - b).number == one - other
        assert (a + b) - b is a
    if one != other:
        low, high = min(one, other), max(one, other)
        between = simplest(low, high)
        assert Value.from_options([low], [high]) is Value.from_options([low, Value(low) + "*"], [high]) is Value(between)
        # An end that no option reaches fits, too.
        closed = next(
            (end for end in sorted((low, high), key=lambda end: Value(end).birthday) if Value(end).birthday < Value(between).birthday), None
        )
        assert Value.from_options([Value(low) + "*"], [Value(high) + "*"]) is Value(between if closed is None else closed)


@given(DYADIC, ANY)
def test_a_number_of_any_size_moves_a_value_and_nothing_else(number: Fraction, value: Value) -> None:
    moved = value + number
    assert moved - number is value
    assert moved.stops == tuple(stop + number for stop in value.stops)
    assert moved.mean == value.mean + number
    assert (moved >= number, moved <= number) == (value >= 0, value <= 0)
    assert -moved is -value - number
    assert Value(str(moved)) is moved
    assert pickle.loads(pickle.dumps(moved)) is moved
    if not value.is_number:
        assert moved.temperature == value.temperature
        form, other = value.number_up_star, moved.number_up_star
        assert (other is None) == (form is None)
        assert form is None or other == (form[0] + number, *form[1:])


@pytest.mark.parametrize("number", HUGE)
def test_huge_numbers_are_made_at_once(number: Fraction) -> None:
    """Nothing is made but what is asked for."""
    begin = int(store.arena.registers[COUNT])
    value = Value(number)
    switch = Value.from_options([value], [-value])
    assert value + switch is Value.from_options([2 * value], [0]) if number < 2**61 else value > 0
    assert value - 1 < value
    assert (value - switch).outcome == "N" if number < 2**60 else switch.outcome == "N"
    assert (switch.mean, switch.temperature, switch.stops) == (0, number, (number, -number))
    exponent = Fraction(number).denominator.bit_length() - 1
    assert value.birthday == math.floor(number) + (exponent + 1 if exponent else 0)
    assert switch.birthday == value.birthday + 1
    assert switch.follower_count == 2 * value.birthday + 2
    assert value.follower_count == value.birthday + 1
    assert len(value.left_options) == 1
    assert value.left_options[0].number == number - Fraction(1, Fraction(number).denominator)
    assert str(switch) == f"+-{number}" if exponent == 0 else str(switch).startswith("+-")
    assert value.thermograph.mean == number
    assert value.reduced is value.cool(1) is value.heat("*") is value
    assert value.uptimal is not None
    assert len({value.merkle64, switch.merkle64, (value - 1).merkle64}) == 3
    assert (value + "^").atomic_weight is Value(1) if number == 0 else value.is_number
    assert store.arena.registers[COUNT] - begin < 60


def test_a_tiny_of_a_huge_number() -> None:
    tiny = Value(f"Tiny({2**61})")
    assert 0 < tiny < Value("Tiny(1)")
    assert tiny.atomic_weight is Value(0)
    assert str(tiny) == f"Tiny({2**61})"
    assert (tiny + "^").atomic_weight is Value(1)


def test_numbers_have_limits() -> None:
    largest = Value(2**62 - 1)
    for too_large in (
        lambda: Value(2**62),
        lambda: largest + 1,
        lambda: -largest - 1,
        lambda: Value(f"{2**62}"),
        lambda: largest.ordinal_sum(1),
    ):
        with pytest.raises(TooLarge, match="an integer part may have 62 bits"):
            too_large()
    with pytest.raises(TooLarge, match=r"16,385 binary places; it may have 16,384"):
        Value(Fraction(1, 2**16385))
    with pytest.raises(TooLarge, match=r"has 2,305,843,009,213,693,953 positions; up to 1,048,576 are listed"):
        _ = Value(2**61).followers
    with pytest.raises(TooLarge, match=r"this ordinal sum has more than 16,384 binary places"):
        Value("1/2").ordinal_sum(2**61)
    assert Value(2**60).ordinal_sum(2**60) == 2**61
    assert largest.left_options == (Value(2**62 - 2),)
    assert largest.right_options == ()


@given(ANY)
def test_followers_are_counted_without_listing_them(value: Value) -> None:
    total = value + Value.from_options([5], [Fraction(7, 8), "2^"])
    assert total.follower_count == len(total.followers)


def test_searches_take_numbers_that_are_no_unit_of_theirs() -> None:
    for number in (Fraction(1, 2**60), 2**19 + Fraction(1, 2**45), 2**20 - 3 + Fraction(1, 2**50)):
        for sign, letter in ((1, "L"), (-1, "R")):
            solver = Solver(Domineering(), valued=-1)
            assert solver.outcome("**|**", others=["**|**"], plus=sign * Value(number)).letter == letter
            plus = Value.from_options([number], [sign - number])
            assert solver.outcome("**|**", plus=plus).letter == (plus + "+-1").outcome
    assert outcome(Domineering(), "**|**", plus=Value(-(2**20))).letter == "R"
    with pytest.raises(TooLarge, match="a search takes numbers up to 1,048,576"):
        outcome(Domineering(), "**", plus=Value(2**61))


STANDING = [
    (3, "3"),
    (Fraction(-5, 8), "-5/8"),
    (0.5, "1/2"),
    (-0.0, "0"),
    (True, "1"),
    (2.0**60, str(2**60)),
    (0.1, "3602879701896397/36028797018963968"),
]


@pytest.mark.parametrize(("plain", "text"), STANDING)
def test_numbers_and_texts_stand_for_values(plain: Any, text: str) -> None:
    value, up = Value(text), Value("^")
    assert Value(plain) is value
    assert plain == value == plain
    assert hash(plain) == hash(value)
    assert value != text
    assert text != value
    for like in (plain, text, value):
        assert up + like is like + up is up + value
        assert up - like is up - value
        assert like - up is value - up
        assert (up < like, up <= like, up > like, up >= like) == (up < value, up <= value, up > value, up >= value)
        assert (like < up, like <= up, like > up, like >= up) == (value < up, value <= up, value > up, value >= up)
        assert (up | like) == (like | up) == (up | value) == up.is_confused_with(like)
        assert Value(1).ordinal_sum(like) is Value(1).ordinal_sum(value)


@pytest.mark.parametrize("junk", [math.nan, math.inf, "{0|", "1/3", 0.1j, None, [1]])
def test_what_stands_for_no_value(junk: Any) -> None:
    value = Value("*")
    assert value != junk
    for operation in (lambda: value + junk, lambda: junk - value, lambda: value < junk, lambda: junk >= value, lambda: value | junk):
        with pytest.raises((TypeError, BadNotation)):
            operation()


@given(DYADIC)
def test_numbers_go_back_to_pythons(number: Fraction) -> None:
    value = Value(number)
    assert isinstance(value, numbers.Rational)
    assert Fraction(value) == number
    assert value.as_integer_ratio() == number.as_integer_ratio()
    assert number < value + 1
    assert number + value == value + number == Value(number) + value if abs(number) < 2**61 else True
    assert float(value) == float(number)
    assert abs(value) == abs(number)
    assert bool(value) == bool(number)


@pytest.mark.parametrize("text", ["*", "^", "+-1", "1^"])
def test_what_is_no_number_does_not_become_one(text: str) -> None:
    value = Value(text)
    assert not isinstance(value, numbers.Number)
    for make in (int, float, Value.as_integer_ratio):
        with pytest.raises(BadNotation, match=r"is no (number|integer)$"):
            make(value)
    assert value


def test_integers_are_not_made_by_rounding() -> None:
    assert [int(Value(number)) for number in (-3, 0, 2**61)] == [-3, 0, 2**61]
    with pytest.raises(BadNotation, match=r"^'5/2' is no integer$"):
        int(Value("5/2"))


def test_absolute_values() -> None:
    assert abs(Value("v")) is abs(Value("^")) is Value("^")
    assert abs(Value(0)) is Value(0)
    with pytest.raises(LudariumError, match=r"^'\*' and '0' are confused: neither is at least the other$"):
        abs(Value("*"))


def test_values_are_aligned_as_texts() -> None:
    assert f"{Value('^'):>5}|{Value('1/2'):^7}|{Value('+-1')}" == "    ^|  1/2  |+-1"
    with pytest.raises(ValueError, match="format code"):
        f"{Value(1):.2f}"


@given(st.lists(ANY, max_size=8))
def test_sorting_raises_where_values_are_confused(values: list[Value]) -> None:
    if any(one | other for one, other in product(values, values)):
        with pytest.raises(LudariumError, match="are confused"):
            sorted(values, key=ascending)
    else:
        assert all(one <= other for one, other in pairwise(sorted(values, key=ascending)))
