"""Expendibots' notation: every text that is written is read again, and no other text does harm."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ludarium
from ludarium.errors import BadNotation, IllegalAction

GAME = ludarium.game("expendibots")
INITIAL = "BB.BB.BB/BB.BB.BB/......../......../......../......../WW.WW.WW/WW.WW.WW w 0"


@st.composite
def positions(draw: st.DrawFn) -> tuple[list[int], int]:
    """Signed heights by square and the number of turns played; each player has at most 12 tokens."""
    heights = [0] * 64
    squares = draw(st.permutations(range(64)))
    for sign in (1, -1):
        left = draw(st.integers(0, 12))
        while left:
            height = draw(st.integers(1, left))
            heights[squares.pop()] = sign * height
            left -= height
    return heights, draw(st.integers(0, 500))


def text_of(heights: list[int], ply: int) -> str:
    """Written here once more, by the definition, so that writing and reading cannot share a mistake."""

    def stack(height: int) -> str:
        letter = "W" if height > 0 else "B"
        return "." if height == 0 else letter if abs(height) == 1 else f"{letter}({abs(height)})"

    ranks = ["".join(stack(heights[8 * rank + file]) for file in range(8)) for rank in reversed(range(8))]
    return f"{'/'.join(ranks)} {'wb'[ply % 2]} {ply}"


@given(positions())
def test_positions_round_trip(position: tuple[list[int], int]) -> None:
    heights, ply = position
    text = text_of(heights, ply)
    state = GAME.parse(text)
    assert state.text == text
    assert [int(height) for height in state.record.board] == heights
    assert int(state.record.ply) == ply
    for player in (0, 1):
        own = {square for square in range(64) if (heights[square] > 0) == (player == 0) and heights[square]}
        assert {square for square in range(64) if int(state.record.tokens[player]) >> square & 1} == own


@given(positions())
def test_actions_round_trip(position: tuple[list[int], int]) -> None:
    state = GAME.parse(text_of(*position))
    for action in state.actions():
        assert state.action(action.text) == action
        assert GAME.action_index(state, state.to_move[0], action.text) == action.index


def test_every_action_of_the_space_has_its_own_text() -> None:
    state = GAME.start()
    texts = [GAME.action_text(state, 0, index) for index in range(GAME.dimensions.action_space)]
    assert len(set(texts)) == GAME.dimensions.action_space == 10_816
    assert [GAME.action_index(state, 0, text) for text in texts] == list(range(GAME.dimensions.action_space))


def test_the_forms_people_type() -> None:
    state = GAME.start()
    assert state.play("a2-a3") == state.play(" a2-a3 ") == state.play("1a2-a3")
    assert state.play("a2-a3").text.endswith("W......./.W.WW.WW/WW.WW.WW b 1")
    assert state.play("a2-b2").text.endswith(".W(2).WW.WW/WW.WW.WW b 1")
    assert state.play("a1!").text == "BB.BB.BB/BB.BB.BB/......../......../......../......../...WW.WW/...WW.WW b 1"


ALPHABET = st.text("abcdefgh123456789-!0 WB.()/wb\n\t١２é", max_size=24)


@given(ALPHABET | st.text(max_size=24))
def test_any_text_as_an_action_is_an_action_or_refused(text: str) -> None:
    state = GAME.start()
    message = refusal(lambda: state.play(text))
    assert message is None or message.isprintable()


def refusal(attempt: object) -> str | None:
    try:
        attempt()  # type: ignore[operator]
    except (BadNotation, IllegalAction) as problem:
        return str(problem)
    return None


@given(ALPHABET | st.text(max_size=200))
def test_random_text_is_no_position(text: str) -> None:
    with pytest.raises(BadNotation):
        GAME.parse(text)


@given(st.integers(0, len(INITIAL)), st.integers(0, 3), ALPHABET)
def test_an_edited_position_is_read_as_it_stands_or_refused(at: int, length: int, inserted: str) -> None:
    text = INITIAL[:at] + inserted + INITIAL[at + length :]
    try:
        state = GAME.parse(text)
    except BadNotation as refused:
        message = str(refused)
    else:
        message = ""
        assert GAME.parse(state.text) == state
        assert sum(abs(int(height)) for height in state.record.board) == sum(
            int(digits) for digits in text.split()[0].replace("(", " ").replace(")", " ").replace("/", " ").split() if digits.isdigit()
        ) + sum(one in "WB" for one in text.split()[0]) - text.split()[0].count("(")
    assert message.isprintable()


WRONG = [
    ("BB.BB.BB w 0", "8 ranks, not 1"),
    (INITIAL.replace("WW.WW.WW w", "WW.WW.W w"), "rank 1 has 7 squares"),
    (INITIAL.replace("/........", "/.........", 1), "rank 6 has 9 squares"),
    (INITIAL.replace("w 0", "x 0"), "the side to move is w or b, not 'x'"),
    (INITIAL.replace("w 0", "b 0"), "after 0 turns White is to move"),
    (INITIAL.replace("w 0", "w 1"), "after 1 turns Black is to move"),
    (INITIAL.replace("w 0", "w -2"), "'-2'"),
    (INITIAL.replace("w 0", "w 502"), "more than the limit of 500"),
    (INITIAL.replace("w 0", "w ٢"), "whole number"),
    (INITIAL.replace("w 0", "w"), "ranks 8 to 1"),
    (INITIAL.replace("WW.WW.WW w", "WW.WW.WW(2) w"), "W has 13"),
    (INITIAL.replace("WW.WW.WW w", "WW.WW.W(0)W w"), "1 to 12 tokens, not 0"),
    (INITIAL.replace("WW.WW.WW w", "WW.WW.W(13)W w"), "1 to 12 tokens, not 13"),
    (INITIAL.replace("WW.WW.WW w", "WW.WW.Ww w"), "rank 1, character 8: 'w'"),
]


@pytest.mark.parametrize(("text", "reason"), WRONG)
def test_wrong_positions_are_refused_with_the_place(text: str, reason: str) -> None:
    with pytest.raises(BadNotation) as refused:
        GAME.parse(text)
    assert reason in str(refused.value)


def test_digits_of_other_scripts_are_no_digits() -> None:
    state = GAME.start()
    for text in ("١a1-a2", "a１-a2", "1２a1-a2"):
        with pytest.raises(BadNotation):
            state.play(text)
    with pytest.raises(BadNotation):
        GAME.parse("W(٢)......./......../......../......../......../......../......../.......B w 0")
