"""Values from text."""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ludarium.cgt import Value
from ludarium.cgt.text.parser import MOST_COPIES, Function, parse_part
from ludarium.cgt.values import _value
from ludarium.errors import BadNotation, LudariumError, TooLarge, printable
from tests.folders import DATA

ROWS = [json.loads(line) for line in (DATA / "cgt" / "expand-and-conquer.jsonl").read_text().splitlines()]

STAR, UP = Value.nimber(1), Value.from_options([0], [Value.nimber(1)])
DOWN = -UP
SIDES = [list(side) for size in range(5) for side in itertools.combinations([Value(0), Value(1), Value(-1), STAR], size)]
DAY_2 = sorted({Value.from_options(left, right) for left in SIDES for right in SIDES}, key=str)

day_3 = st.builds(Value.from_options, *[st.lists(st.sampled_from(DAY_2), max_size=4)] * 2)
values = st.recursive(
    day_3 | st.builds(Value, st.fractions(-9, 9).map(lambda number: Fraction(round(number * 16), 16))),
    lambda inner: st.builds(Value.__add__, inner, inner) | st.builds(Value.from_options, *[st.lists(inner, max_size=2)] * 2),
    max_leaves=4,
)


def parse(text: str, variables: Mapping[str, Value] | None = None, functions: Mapping[str, Function] | None = None) -> Value:
    named = {name: value._at for name, value in (variables or {}).items()}
    return _value(parse_part(text, 0, named, functions or {}, relations=False)[0])


def test_the_values_born_by_day_2() -> None:
    assert len(DAY_2) == 22
    assert all(parse(text) is value for value in DAY_2 for text in (str(value), value.unicode, value.braces))


@given(values)
@example(Value.from_options([1], [Value.from_options([1], [0])]))  # 1⧾₁ in symbols
@example(Value(Fraction(1, 2**70)) + UP)
@example(Value(Fraction(-3, 2**5000)))
def test_what_is_written_is_read_back(value: Value) -> None:
    assert parse(str(value)) is value
    assert parse(value.unicode) is value
    assert parse(value.braces) is value
    assert eval(repr(value)) is value


def test_every_row_is_read() -> None:
    for row in ROWS:
        for text in (row["canonical"], row["braces"]):
            if text is not None:
                value = parse(text)
                assert value.merkle64 == row["merkle64"]
                assert str(value) == row["canonical"]
                assert parse(value.unicode) is value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", Value(0)),
        (" 1 ", Value(1)),
        ("-5/8", Value(Fraction(-5, 8))),
        ("2/4", Value(Fraction(1, 2))),
        ("1½", Value(Fraction(3, 2))),
        ("−⅜", Value(Fraction(-3, 8))),
        ("1/1180591620717411303424", Value(Fraction(1, 2**70))),
        ("*", STAR),
        ("*0", Value(0)),
        ("*5", Value.nimber(5)),
        ("∗2", Value.nimber(2)),
        ("^", UP),
        ("^^", 2 * UP),
        ("^^^", 3 * UP),
        ("v3*2", 3 * DOWN + Value.nimber(2)),
        ("↓*", DOWN + STAR),
        ("⇓", 2 * DOWN),
        ("1*", 1 + STAR),
        ("1^*", 1 + UP + STAR),
        ("-1/2v", DOWN - Fraction(1, 2)),
        ("^<1>", UP),
        ("^<2>", Value.from_options([0], [DOWN + STAR])),
        ("↑²", Value("^<2>")),
        ("↑¹⁰", Value("^<10>")),
        ("v[2]*3", DOWN - Value("^<2>") + Value.nimber(3)),
        ("1^[2]", 1 + UP + Value("^<2>")),
        ("1^^ + v<2> + *", 1 + 2 * UP - Value("^<2>") + STAR),
        ("+-1", Value.from_options([1], [-1])),
        ("±½", Value.from_options([Fraction(1, 2)], [Fraction(-1, 2)])),
        ("+-(1*)", Value.from_options([1 + STAR], [STAR - 1])),
        ("+-{3,{5|2}}", Value.from_options([3, "{5|2}"], [-3, "{-2|-5}"])),
        ("+- {3|1}", Value.from_options(["{3|1}"], ["{-1|-3}"])),
        ("Tiny(2)", Value("{0||0|-2}")),
        ("Miny(2)", Value("{2|0||0}")),
        ("Tiny( {2|1} )", Value("{0||0|{-1|-2}}")),
        ("⧾₁₂", Value("{0||0|-12}")),
        ("⧿(½)", Value("{1/2|0||0}")),
        ("-3Miny(1*)", Value("Miny(1*)") - 3),
        ("½⧾₂", Value("Tiny(2)") + Fraction(1, 2)),
        ("{|}", Value(0)),
        ("{||}", Value(0)),
        ("{1|}", Value(2)),
        ("{|-1}", Value(-2)),
        ("{0,*|0}", UP + STAR),
        ("{3|2||1}", Value("{{3|2}|1}")),
        ("{3||2|1}", Value("{3|{2|1}}")),
        ("{4|3||2|||1}", Value("{{{4|3}|2}|1}")),
        ("{4|3|||2||1|0}", Value("{{4|3}|{2|{1|0}}}")),
        ("{5,2|1||4|0}", Value("{{5,2|1}|{4|0}}")),
        ("(1)", Value(1)),
        ("3.^", 3 * UP),
        ("3·{2|1}", 3 * Value("{2|1}")),
        ("3*^", 3 * UP),
        ("^ * 3", 3 * UP),
        ("3 * 2", Value(6)),
        ("3*2", 3 + Value.nimber(2)),
        ("3·½", Value(Fraction(3, 2))),
        ("-2.{3|1}", -2 * Value("{3|1}")),
        ("*:1", UP + STAR),
        ("*:*", Value.nimber(2)),
        ("1:-1", Value(Fraction(1, 2))),
        ("-1:1", Value(Fraction(-1, 2))),
        ("-(1):1", Value(Fraction(-1, 2))),
        ("1:1:1", Value(3)),
        ("1 + 1:1", Value(3)),
        ("1 - 2 - 3", Value(-4)),
        ("1 - (2 - 3)", Value(2)),
        ("--1", Value(1)),
        ("+1", Value(1)),
        ("1+-1", Value("{2|0}")),
        ("1 + -1", Value(0)),
        ("-*", STAR),
    ],
)
def test_what_a_text_means(text: str, value: Value) -> None:
    assert parse(text) is value


@pytest.mark.parametrize(
    ("text", "what", "place", "found"),
    [
        ("", "a value", 1, "the end"),
        ("  ", "a value", 3, "the end"),
        ("x", "a value", 1, "'x'"),
        ("1 +", "a value", 4, "the end"),
        ("1 2", "an operator or the end", 3, "'2'"),
        ("1|0", "an operator or the end", 2, "'|'"),
        ("{1|2", "an operator, ',', '|' or '}'", 5, "the end"),
        ("{1|2)", "an operator, ',', '|' or '}'", 5, "')'"),
        ("(1}", "an operator or ')'", 3, "'}'"),
        ("(1,2)", "an operator or ')'", 3, "','"),
        ("()", "a value", 2, "')'"),
        ("{", "a value or '|'", 2, "the end"),
        ("{}", "a value or '|'", 2, "'}'"),
        ("{1}", "',' or '|'", 3, "'}'"),
        ("{,1|0}", "a value or '|'", 2, "','"),
        ("{1,|0}", "a value", 4, "'|'"),
        ("{1|2|3}", "more slashes or fewer than before, or braces", 5, "'|'"),
        ("+-{1|2|3}", "more slashes or fewer than before, or braces", 7, "'|'"),
        ("Tiny", "'(' after Tiny", 5, "the end"),
        ("Tiny 2", "'(' after Tiny", 6, "'2'"),
        ("⧾{2|1}", "'(' after ⧾", 2, "'{'"),
        ("1/3", "a power of two below the line", 3, "'3'"),
        ("1/0", "a power of two below the line", 3, "'0'"),
        ("1.5", "a fraction such as 3/2 in place of a decimal", 2, "'.'"),
        ("^.v", "an integer on one side of a product", 2, "'.'"),
        ("^<0>", "an order from 1 on", 2, "'<0>'"),
        ("^[0]", "an order from 1 on", 2, "'[0]'"),
        ("tiny(2)", "a value", 1, "'tiny'"),
        ("½½", "an operator or the end", 2, "'½'"),
        ("₁", "a value", 1, "'₁'"),
        ("1\x00", "an operator or the end", 2, "'\\x00'"),
        ("\udcff", "a value", 1, "'\\xff'"),
        ("1 < 2", "an operator or the end", 3, "'<'"),
    ],
)
def test_an_error_points_at_the_place(text: str, what: str, place: int, found: str) -> None:
    with pytest.raises(BadNotation) as caught:
        parse(text)
    shown = printable(text)
    assert str(caught.value) == f"'{shown}': expected {what} at character {place}, found {found}"


def test_an_error_in_a_long_text_shows_its_surroundings() -> None:
    with pytest.raises(
        BadNotation, match=r"^'…1\+1\+1\+1\+1\+1\+1\+1\+1\+1\+1\+1\+1\+1\+1\+\?\+1\+1\+1.*…': expected a value at character 201, "
    ):
        parse("1+" * 100 + "?" + "+1" * 100)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("9" * 30, "this number is too large: an integer part may have 62 bits"),
        ("9" * 6000, "a number of 6,000 digits is too large here; it may have 5,000"),
        (f"-{2**62}", "an integer part may have 62 bits"),
        ("*1025", "*1025 is too large; nimbers go up to *1024"),
        ("*" + "9" * 4000, "a number of 4,000 digits is too large here; it may have 18"),
        ("^" + "9" * 18, "999999999999999999 ups are too many; values have up to 65536"),
        ("^<257>", "the uptimal of order 257 is too large; orders go up to 256"),
        (f"{MOST_COPIES + 1}.{{2|1}}", "65537 copies of this value are too many; multiples have up to 65536 terms"),
        ("1000.^1000", "1000 copies of this value are too many; multiples have up to 65536 terms"),
    ],
)
def test_what_is_too_large_is_said(text: str, said: str) -> None:
    with pytest.raises(TooLarge) as caught:
        parse(text)
    assert said in str(caught.value)


def test_ten_thousand_levels_are_read_without_recursion() -> None:
    deep = 10_000
    assert parse("{0|" * deep + "0" + "}" * deep) is (deep - 1) * UP
    assert parse("(" * deep + "1" + ")" * deep) is Value(1)
    assert parse("-" * deep + "1") is Value(1)
    assert parse("{" * (deep + 1) + "|}" * (deep + 1)) is Value(deep)
    for text in ("(" * deep, "{" * deep, "{|" * deep, "+-" * deep, "Tiny(" * deep):
        with pytest.raises(BadNotation, match=f"expected a value.* at character {len(text) + 1}, found the end$"):
            parse(text)


@given(st.text(st.sampled_from("0123^v*<>[](){}|,+-./:½↑⇓±⧾₁² xTinyM"), max_size=12) | st.text(max_size=8))
def test_any_text_is_a_value_or_one_clear_line(text: str) -> None:
    try:
        value, said = parse(text), ""
    except LudariumError as problem:
        value, said = Value(0), str(problem)
    assert said.isprintable()
    assert parse(str(value)) is value


def test_names() -> None:
    known = {"x": UP, "up": 2 * UP, "v": Value(7)}
    functions = {"double": Function(1, lambda one: (2 * _value(one))._at), "first": Function(2, lambda one, _: one)}
    assert parse("x + up", known) is 3 * UP
    assert parse("2*x", known) is 2 * UP
    assert parse("{x|double(x)} + first({1|x}, 3)", known, functions) is Value("{^|^^} + {1|^}")
    assert parse("v", known) is DOWN  # signs of the notation are no names
    with pytest.raises(BadNotation, match=r"^'y': expected a value or one of: x, up, v, double, first at character 1, found 'y'$"):
        parse("y", known, functions)
    with pytest.raises(BadNotation, match=r"expected 1 value in the parentheses after double at character 11, found '2'$"):
        parse("double(1,2)", known, functions)
    with pytest.raises(BadNotation, match=r"expected '\(' after double at character 8, found '1'$"):
        parse("double 1", known, functions)
    with pytest.raises(BadNotation, match=r"expected an operator, ',' or '\)' at character 9, found the end$"):
        parse("double(1", known, functions)


def test_relations_end_a_value() -> None:
    relations = {
        "<": "<",
        "≤": "<=",
        "==": "==",
        "=": "==",
        "!=": "!=",
        "≠": "!=",
        "|": "|",
        "||": "|",
        "<>": "|",
        "∥": "|",
        "<|": "<|",
        "⧐": "|>",
    }
    for text, kind in relations.items():
        value, end = parse_part(f"{{1|0}} {text} 2", 0, {}, {}, relations=True)
        assert (_value(value), end.kind, end.text) == (Value("{1|0}"), "relation", kind)
        assert _value(parse_part(f"{{1|0}} {text} 2", end.end, {}, {}, relations=True)[0]) is Value(2)
