"""Cooling, heating, ordinal sums and reduced canonical forms."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludarium.cgt import Value
from ludarium.errors import BadNotation
from tests.cgt import naive_values
from tests.cgt.born_by import all_small_born_by, as_game, infinitesimals_born_by, values_born_by

ANY, SIMPLE, SMALL, ALL_SMALL = values_born_by(3), values_born_by(2), infinitesimals_born_by(3), all_small_born_by(3)
TEMPERATURES = st.sampled_from([Fraction(-1), Fraction(-1, 2), Fraction(0), Fraction(1, 4), Fraction(1, 2), Fraction(1), Fraction(3, 2)])
NOT_NEGATIVE = st.sampled_from([Fraction(0), Fraction(1, 4), Fraction(1, 2), Fraction(1), Fraction(2)])


@settings(max_examples=40)
@given(ANY, TEMPERATURES)
def test_cooling_agrees_with_the_definition(value: Value, temperature: Fraction) -> None:
    assert as_game(value.cool(temperature)) == naive_values.cooled(as_game(value), temperature)


@settings(max_examples=40)
@given(ANY, SIMPLE)
def test_heating_agrees_with_the_definition(value: Value, temperature: Value) -> None:
    assert as_game(value.heat(temperature)) == naive_values.heated(as_game(value), as_game(temperature))


@settings(max_examples=40)
@given(ANY, SIMPLE)
def test_ordinal_sums_agree_with_the_definition(a: Value, b: Value) -> None:
    assert as_game(a.ordinal_sum(b)) == naive_values.canonical(naive_values.ordinal_sum(as_game(a), as_game(b)))
    assert as_game(b.ordinal_sum(a)) == naive_values.canonical(naive_values.ordinal_sum(as_game(b), as_game(a)))


@given(ANY, ANY, NOT_NEGATIVE)
def test_cooling_respects_sums_and_order(a: Value, b: Value, temperature: Fraction) -> None:
    """Cooling by a temperature from 0 on is a homomorphism (Siegel, section II.5)."""
    assert (a + b).cool(temperature) is a.cool(temperature) + b.cool(temperature)
    assert not a <= b or a.cool(temperature) <= b.cool(temperature)
    assert (-a).cool(temperature) is -(a.cool(temperature))
    assert a.cool(0) is a


@given(ANY, NOT_NEGATIVE, NOT_NEGATIVE)
def test_cooling_twice_is_cooling_by_both(value: Value, once: Fraction, again: Fraction) -> None:
    assert value.cool(once).cool(again) is value.cool(once + again)


@given(ANY, NOT_NEGATIVE)
def test_walls_are_the_stops_of_what_is_cooled(value: Value, temperature: Fraction) -> None:
    thermograph = value.thermograph
    assert value.cool(temperature).stops == (thermograph.left_stop(temperature), thermograph.right_stop(temperature))
    assert value.cool(temperature).mean == value.mean
    if temperature > value.temperature:
        assert value.cool(temperature) is Value(value.mean)


@given(ALL_SMALL, ALL_SMALL, NOT_NEGATIVE)
def test_heating_respects_sums_of_all_small_values(a: Value, b: Value, temperature: Fraction) -> None:
    """Elsewhere it need not: ``{2|1}`` heated enough is confused with 0, for Right may move to a number, which stays cold."""
    assert (a + b).heat(temperature) is a.heat(temperature) + b.heat(temperature)
    assert (-a).heat(temperature) is -(a.heat(temperature))


@given(ANY, NOT_NEGATIVE)
def test_cooling_undoes_heating(value: Value, temperature: Fraction) -> None:
    assert value.heat(temperature).cool(temperature) is value


@given(ANY)
def test_a_number_is_a_number_at_every_temperature_above_its_own(value: Value) -> None:
    number = Value(value.mean)
    assert number.heat(5) is number.cool(5) is number


@given(SIMPLE, SIMPLE, SIMPLE)
def test_ordinal_sums_keep_the_order_of_what_comes_second(first: Value, a: Value, b: Value) -> None:
    """The colon principle (Winning Ways, chapter 7)."""
    assert not a <= b or first.ordinal_sum(a) <= first.ordinal_sum(b)


@given(SIMPLE)
def test_nothing_in_an_ordinal_sum(value: Value) -> None:
    assert value.ordinal_sum(0) is Value(0).ordinal_sum(value) is value
    assert -(value.ordinal_sum("^*")) is (-value).ordinal_sum("v*")


@given(ANY, SMALL)
def test_a_reduced_form_stands_for_all_values_at_an_infinitesimal_distance(value: Value, infinitesimal: Value) -> None:
    reduced = value.reduced
    assert (value - reduced).is_infinitesimal
    assert (value + infinitesimal).reduced is reduced
    assert reduced.reduced is reduced
    assert reduced.birthday <= value.birthday
    assert infinitesimal.reduced is Value(0)
    assert -(value.reduced) is (-value).reduced


@given(SIMPLE, SIMPLE)
def test_reduced_forms_differ_where_values_differ_by_more(a: Value, b: Value) -> None:
    assert (a.reduced is b.reduced) == naive_values.differs_infinitesimally(as_game(a), as_game(b))


KNOWN = [
    # A switch cools to a smaller one, to a star at its own temperature, and beyond to its mean (Winning Ways, chapter 6)
    (Value("+-1").cool(1), "*"),
    (Value("+-1").cool(Fraction(1, 2)), "+-1/2"),
    (Value("+-1").cool(2), "0"),
    (Value("{3|1}").cool(1), "2*"),
    (Value("*").heat(1), "+-1"),
    (Value("^").heat(1), "{1||0|-2}"),
    # Stalks of Hackenbush are ordinal sums of their edges (Winning Ways, chapter 7)
    (Value(1).ordinal_sum(-1), "1/2"),
    (Value(1).ordinal_sum(1), "2"),
    (Value("*").ordinal_sum(1), "^*"),
    (Value("*").ordinal_sum("*"), "*2"),
    (Value("1/2").ordinal_sum(1), "3/4"),
    # What is infinitesimal goes (Siegel, section II.6)
    (Value("{1|*}").reduced, "{1|0}"),
    (Value("{1||0|-5}").reduced, "{1||0|-5}"),
    (Value("Tiny(1)").reduced, "0"),
    (Value("2^*3").reduced, "2"),
]


@pytest.mark.parametrize(("value", "text"), KNOWN)
def test_known_values(value: Value, text: str) -> None:
    assert value is Value(text)


@pytest.mark.parametrize("temperature", [-2, Fraction(-5, 4), Value("^")])
def test_what_is_no_temperature_to_cool_to(temperature: int | Fraction | Value) -> None:
    with pytest.raises(BadNotation, match="is no temperature to cool to: that is a number from -1 on"):
        Value("+-1").cool(temperature)
