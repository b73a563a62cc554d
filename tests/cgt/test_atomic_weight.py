"""Atomic weights."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ludarium.cgt import Value
from ludarium.cgt.birthdays import born_by
from ludarium.errors import NoAtomicWeight
from tests.cgt import naive_values
from tests.cgt.born_by import all_small_born_by, as_game, infinitesimals_born_by

ALL_SMALL, SMALL = all_small_born_by(3), infinitesimals_born_by(3)


@st.composite
def larger_all_small(draw: st.DrawFn) -> Value:
    """All-small values with a few options from day 3 on each side."""
    side = st.lists(ALL_SMALL, min_size=1, max_size=3)
    return Value.from_options(draw(side), draw(side))


def weight_or_none(value: Value) -> Value | None:
    try:
        return value.atomic_weight
    except NoAtomicWeight:
        return None


def test_weights_of_all_small_values_born_by_day_3_agree_with_the_definition() -> None:
    values = [value for value in born_by(3) if value.is_all_small]
    assert len(values) == 67
    for value in values:
        assert naive_values.weighs(as_game(value), as_game(value.atomic_weight), 8)


@settings(max_examples=20)
@given(larger_all_small())
def test_weights_of_larger_values_agree_with_the_definition(value: Value) -> None:
    assume(len(value.followers) <= 9)
    assert naive_values.weighs(as_game(value), as_game(value.atomic_weight), 8)


@given(larger_all_small(), larger_all_small())
def test_weights_add(a: Value, b: Value) -> None:
    assert (a + b).atomic_weight is a.atomic_weight + b.atomic_weight
    assert (-a).atomic_weight is -(a.atomic_weight)


@given(SMALL, SMALL)
def test_weights_of_all_infinitesimals_add_where_they_have_one(a: Value, b: Value) -> None:
    one, other = weight_or_none(a), weight_or_none(b)
    assume(one is not None and other is not None)
    assert (a + b).atomic_weight is one + other  # type: ignore[operator]


@given(larger_all_small(), larger_all_small())
def test_weights_follow_the_order(a: Value, b: Value) -> None:
    if a <= b:
        assert a.atomic_weight <= b.atomic_weight


@given(larger_all_small())
def test_two_ahead_wins(value: Value) -> None:
    """Two ups ahead win, and one does for whoever begins (Winning Ways, chapter 8)."""
    weight = value.atomic_weight
    assert not weight >= 2 or value > 0
    assert not weight >= 1 or not value <= 0
    assert not weight <= -1 or not value >= 0
    assert not weight <= -2 or value < 0


@given(larger_all_small())
def test_a_remote_star_tells_the_sign(value: Value) -> None:
    """Beside a star larger than all within, the weight alone decides (Siegel, section II.7)."""
    beside = value + Value.nimber(64)
    assert (beside > 0) == (value.atomic_weight >= 1)
    assert (beside < 0) == (value.atomic_weight <= -1)


KNOWN = [
    # Ups count, stars, tinies and higher powers of up do not (Winning Ways, chapter 8; Siegel, section II.7)
    ("0", "0"),
    ("*", "0"),
    ("*7", "0"),
    ("^", "1"),
    ("^*", "1"),
    ("v*3", "-1"),
    ("^^", "2"),
    ("^5*2", "5"),
    ("^<2>", "0"),
    ("^<3>*", "0"),
    ("^[2]", "1"),
    ("Tiny(1)", "0"),
    ("Miny(1/1024)", "0"),
    ("^ + Tiny(3)", "1"),
    # By the rule: {weights of Left's options − 2 | weights of Right's + 2}
    ("+-^^", "*"),
    ("+-^3", "+-1"),
    ("+-^4*", "+-2"),
    ("{^3|v3*}", "+-1"),
    ("{0|^^}", "3"),
    ("{^^|*}", "1"),
    # Only a star larger than all within is remote: nimbers among the options on both sides of a power of two
    ("{0|*4,*7}", "1"),
    ("{*4,*9|0}", "-1"),
    ("{^*5,*2|*4}", "1"),
    ("{0|*8,*15}", "1"),
    ("{0|*16,*31}", "1"),
    ("{*64,*65|0}", "-1"),
]


@pytest.mark.parametrize(("text", "weight"), KNOWN)
def test_known_weights(text: str, weight: str) -> None:
    assert Value(text).atomic_weight is Value(weight)


def test_only_infinitesimals_have_one() -> None:
    for text, stops in {"1": "1 or 1", "+-1": "1 or -1", "1/2^": "1/2 or 1/2", "{2|0}": "2 or 0"}.items():
        with pytest.raises(NoAtomicWeight, match=f"^no atomic weight: only infinitesimals have one, and play stops here at {stops}$"):
            _ = Value(text).atomic_weight


@pytest.mark.parametrize("text", ["{^||v,v*|-2}", "{2|^||0|-1/2}", "{1*|^,^*||v*|-1}"])
def test_not_every_infinitesimal_has_one(text: str) -> None:
    value = Value(text)
    assert value.is_infinitesimal
    with pytest.raises(NoAtomicWeight, match=r"^no atomic weight: the value is infinitesimal but beside no multiple of ↑$"):
        _ = value.atomic_weight
