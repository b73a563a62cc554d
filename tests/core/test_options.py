"""Options and player specs: what people type is understood or refused in one line, whatever it is."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ludarium
from ludarium.core.options import Option, check_options, parse_assignments
from ludarium.errors import BadNotation, BadOption, LudariumError
from ludarium.players import HUMAN, parse_player, player_kinds

WHOLE = Option("n", "whole number", 5, "how many", minimum=1, maximum=1000)
NUMBER = Option("x", "number", 0.5, "how much", minimum=0.0)
SECONDS = Option("time", "seconds", None, "how long", minimum=0.001)
WORD = Option("mode", "word", "fast", "which way", choices=("fast", "slow"))
TEXT = Option("name", "text", "", "what it is called")


@pytest.mark.parametrize(
    ("option", "given_value", "expected"),
    [
        (WHOLE, "12", 12),
        (WHOLE, 12, 12),
        (WHOLE, 12.0, 12),
        (WHOLE, " 7 ", 7),
        (WHOLE, "1_000", 1000),
        (NUMBER, "2", 2.0),
        (NUMBER, "1e-3", 0.001),
        (NUMBER, 3, 3.0),
        (WHOLE, np.int16(12), 12),
        (NUMBER, np.float32(0.5), 0.5),
        (SECONDS, "1s", 1.0),
        (SECONDS, "1.5s", 1.5),
        (SECONDS, "250ms", 0.25),
        (SECONDS, 2, 2.0),
        (SECONDS, None, None),
        (WORD, "slow", "slow"),
        (TEXT, "anything = at all", "anything = at all"),
    ],
)
def test_values_are_understood(option: Option, given_value: Any, expected: Any) -> None:
    value = option.check(given_value, "it")
    assert value == expected
    assert type(value) is type(expected)


@pytest.mark.parametrize(
    ("option", "wrong"),
    [
        *((WHOLE, wrong) for wrong in ("", "x", "1.5", "0", "1001", "1s", 1.5, True, None, [], float("nan"), "٣", "1__0", "9" * 41)),
        *((NUMBER, wrong) for wrong in ("", "-1", "1s", "nan", "inf", "1e999", float("inf"), float("nan"), True, {})),
        *((SECONDS, wrong) for wrong in ("", "0s", "2", "1.5", "-1s", "1m", "s", "ms", "1e999s", "1 s s", float("inf"))),
        *((WORD, wrong) for wrong in ("", "Fast", "fas", None, 1, ["fast"])),
        *((TEXT, wrong) for wrong in (1, None, b"bytes")),
    ],
)
def test_wrong_values_are_refused_with_what_is_accepted(option: Option, wrong: Any) -> None:
    with pytest.raises(BadOption) as refused:
        option.check(wrong, "it")
    message = str(refused.value)
    assert message.startswith(f"it: {option.name}=")
    if option.kind != "text":
        assert all(word in message for word in (option.choices or option.accepted.split(", ")))


def test_defaults_unknown_names_and_assignments() -> None:
    assert check_options((WHOLE, WORD), {"n": "3"}, "it") == {"n": 3, "mode": "fast"}
    with pytest.raises(BadOption, match="did you mean mode"):
        check_options((WHOLE, WORD), {"mod": "fast"}, "it")
    with pytest.raises(BadOption, match="takes no options"):
        check_options((), {"n": 1}, "it")
    assert parse_assignments(["a=1", "b=x=y", "c="]) == {"a": "1", "b": "x=y", "c": ""}
    for wrong in (["a"], ["=1"], [""], ["a=1", "a=2"]):
        with pytest.raises(BadOption):
            parse_assignments(wrong)


def refusal(attempt: Callable[[], object]) -> str | None:
    """Why something is refused, None if it is not."""
    try:
        attempt()
    except (BadNotation, BadOption) as problem:
        return str(problem)
    return None


@given(st.text(max_size=60))
def test_any_text_as_a_value_is_understood_or_refused_in_one_line(text: str) -> None:
    for option in (WHOLE, NUMBER, SECONDS, WORD, TEXT):
        message = refusal(functools.partial(option.check, text, "it"))
        assert message is None or message.isprintable()


NAMES = ["random", "greedy", "alphabeta", "mcts", "human", "nobody", ""]
KEYS = ["level", "time", "depth", "nodes", "sims", "seed", "x", ""]
VALUES = ["1", "2", "0", "-1", "1s", "200ms", "1e9", "nan", "", "x", "99999999999999999999999", "1=2"]
SPECS = st.builds(
    lambda name, pairs, colon: name + (":" if pairs or colon else "") + ",".join(f"{key}={value}" for key, value in pairs),
    st.sampled_from(NAMES),
    st.lists(st.tuples(st.sampled_from(KEYS), st.sampled_from(VALUES)), max_size=3),
    st.booleans(),
)


@given(SPECS | st.text(max_size=40))
@pytest.mark.parametrize("game", ludarium.list_games())
def test_any_player_spec_is_understood_or_refused_in_one_line(game: str, text: str) -> None:
    message = refusal(lambda: parse_player(text, ludarium.game(game)))
    assert message is None or message.isprintable()


def test_unknown_players_and_keys_are_refused_with_the_known_ones() -> None:
    game = ludarium.game("expendibots")
    kinds = player_kinds(game)
    with pytest.raises(BadOption) as refused:
        parse_player("alphabet", game)
    assert all(name in str(refused.value) for name in (*kinds, HUMAN))
    with pytest.raises(BadOption, match="takes no options"):
        parse_player("human:level=1", game)
    for text in ("random:", ":", "", "random:level=1", "random:level", "random:=1"):
        with pytest.raises(LudariumError):
            parse_player(text, game)
    assert parse_player("human", game).is_human
    with pytest.raises(BadOption, match="is a person"):
        parse_player("human", game).make(game, 0)
