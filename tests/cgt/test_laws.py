"""Values obey the laws of games, and are what an independent implementation by the definitions makes of them."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludarium.cgt import Value
from ludarium.cgt.birthdays import born_by
from tests.cgt import naive_values
from tests.cgt.born_by import as_game, values_born_by

ZERO, STAR, UP = Value(0), Value.nimber(1), Value("^")
ANY, SIMPLE = values_born_by(3), values_born_by(2)
SIDE = st.lists(SIMPLE, max_size=5)


@given(ANY, ANY, ANY)
def test_values_are_a_group(a: Value, b: Value, c: Value) -> None:
    assert a + b is b + a
    assert (a + b) + c is a + (b + c)
    assert a + 0 is a
    assert a - a is ZERO
    negative = -a
    assert -negative is a
    assert -(a + b) is -a - b
    assert 3 * a is a + a + a
    assert -2 * a is -(a + a)


@given(ANY, ANY, ANY)
def test_values_are_partially_ordered(a: Value, b: Value, c: Value) -> None:
    assert a <= a
    assert not a < a
    assert (a <= b and b <= a) == (a is b)
    assert not (a <= b <= c) or a <= c
    assert (a <= b) == (a + c <= b + c) == (-b <= -a) == (b - a >= 0) == (b >= a)
    assert (a | b) == (not a <= b and not b <= a) == ((a - b).outcome == "N")
    assert [a < b, a > b, a is b, a | b].count(True) == 1


@given(ANY, st.sampled_from([0, 1, -1, Fraction(1, 2), Fraction(-3, 4)]))
def test_numbers_compare_from_either_side(a: Value, number: int | Fraction) -> None:
    other = Value(number)
    assert (number == a) == (a == number) == (a is other)
    assert (number <= a) == (a >= number) == (a >= other)
    assert (number < a) == (a > number) == (a > other)
    assert (number | a) == (a | number) == (a | other)


@given(ANY, ANY)
def test_order_agrees_with_the_definition(a: Value, b: Value) -> None:
    assert (a <= b) == naive_values.at_most(as_game(a), as_game(b))


@settings(deadline=None)
@given(SIMPLE, ANY)
def test_sums_agree_with_the_definition(a: Value, b: Value) -> None:
    assert as_game(a + b) == naive_values.canonical(naive_values.added(as_game(a), as_game(b)))
    assert as_game(-b) == naive_values.negative(as_game(b))


@settings(deadline=None)
@given(SIDE, SIDE)
def test_options_may_be_dominated_or_reversible(left: list[Value], right: list[Value]) -> None:
    value = Value.from_options(left, right)
    plainly = naive_values.game(map(as_game, left), map(as_game, right))
    assert as_game(value) == naive_values.canonical(plainly)
    assert naive_values.equal(as_game(value), plainly)


@settings(deadline=None)
@given(ANY, ANY)
def test_canonical_forms_have_no_dominated_or_reversible_option(a: Value, b: Value) -> None:
    assert naive_values.dominated_or_reversible(as_game(a)) == []
    total = a + b
    if len(total.followers) <= 40:
        assert naive_values.dominated_or_reversible(as_game(total)) == []


@settings(deadline=None)
@given(ANY)
def test_what_is_kept_agrees_with_the_definition(value: Value) -> None:
    form = as_game(value)
    assert value.birthday == naive_values.birthday(form)
    assert value.stops == naive_values.stops(form)
    assert value.number == naive_values.number_of(form)
    assert value.is_all_small == all((len(one.left_options) == 0) == (len(one.right_options) == 0) for one in value.followers)
    assert value.is_infinitesimal == (naive_values.stops(form) == (0, 0))
    assert len(value.followers) == len(set(value.followers))


@given(ANY)
def test_an_outcome_says_who_wins(value: Value) -> None:
    left, right = value >= 0, value <= 0
    assert value.outcome == {(True, True): "P", (True, False): "L", (False, True): "R", (False, False): "N"}[left, right]
    assert left == all(not option <= 0 for option in value.right_options)
    assert right == all(not option >= 0 for option in value.left_options)


@given(ANY)
def test_no_move_gains_for_certain(value: Value) -> None:
    for gain in (*value.left_incentives, *value.right_incentives):
        assert not gain >= 0
    if value.is_number:
        assert all(gain < 0 for gain in (*value.left_incentives, *value.right_incentives))


@given(ANY, ANY)
def test_stops_of_sums_lie_between_sums_of_stops(a: Value, b: Value) -> None:
    (a_left, a_right), (b_left, b_right), (left, right) = a.stops, b.stops, (a + b).stops
    assert a_left >= a_right
    assert a_left + b_left >= left >= a_left + b_right
    assert a_right + b_left >= right >= a_right + b_right


@given(ANY, ANY)
def test_a_value_is_pickled_by_its_structure(a: Value, b: Value) -> None:
    total = a + b
    assert pickle.loads(pickle.dumps(total)) is total
    assert copy.deepcopy(total) is copy.copy(total) is total


def test_another_process_reads_the_same_values() -> None:
    values = [*born_by(3)[::97], Value(Fraction(-7, 1 << 70)), 5 * UP + Value.nimber(3)]
    program = "import pickle, sys; print(*[value.merkle64 for value in pickle.load(sys.stdin.buffer)])"
    done = subprocess.run([sys.executable, "-c", program], input=pickle.dumps(values), capture_output=True, check=True)
    assert done.stdout.decode().split() == [value.merkle64 for value in values]


PUBLISHED = [
    # Winning Ways, chapter 2: the simplest number that fits; the smallest nimber that is missing
    ("{0|1}", "1/2"),
    ("{-3|5}", "0"),
    ("{5/4|2}", "3/2"),
    ("{1/4|5/16}", "9/32"),
    ("{*|*}", "0"),
    ("{0,*,*2|0,*,*2}", "*3"),
    ("{0,*,*5|0,*,*5}", "*2"),
    # Winning Ways, chapter 3: ups and stars
    ("^ + *", "{0,*|0}"),
    ("^ + ^", "{0|^*}"),
    ("^ + ^*", "{0|^}"),
    ("{^|^}", "^^*"),
    ("{0|^3*}", "^4"),
    ("{0|^^}", "^3*"),
    ("*2 + *3", "*"),
    # Winning Ways, chapter 5: tiny and miny
    ("{0||0|-2}", "Tiny(2)"),
    ("{1/4|0||0}", "Miny(1/4)"),
    ("-Tiny(3)", "Miny(3)"),
    # Siegel, section II.4: the second power of up
    ("{0|v*}", "^<2>"),
]


@pytest.mark.parametrize(("one", "other"), PUBLISHED)
def test_published_values(one: str, other: str) -> None:
    assert Value(one) is Value(other)


PUBLISHED_ORDER = [
    # Winning Ways, chapters 2, 3 and 5: ups, stars, tinies and switches beside numbers
    ("^", ">", "0"),
    ("^", "<", "1/1048576"),
    ("^", "|", "*"),
    ("^^", ">", "*"),
    ("^", ">", "*2"),
    ("Tiny(1/1024)", ">", "0"),
    ("Tiny(1/1024)", "<", "^"),
    ("Tiny(2)", "<", "Tiny(1)"),
    ("9.Tiny(2)", "<", "Tiny(1)"),
    ("+-1", "|", "1"),
    ("+-1", "<", "2"),
    # Siegel, section II.4: powers of up fall off infinitely fast
    ("100.^<2>", "<", "^"),
    ("100.^<3>", "<", "^<2>"),
]


@pytest.mark.parametrize(("one", "relation", "other"), PUBLISHED_ORDER)
def test_published_comparisons(one: str, relation: str, other: str) -> None:
    a, b = Value(one), Value(other)
    assert {"<": a < b, ">": a > b, "|": a | b}[relation]
