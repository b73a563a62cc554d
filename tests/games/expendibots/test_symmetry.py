"""Laws of Expendibots that hold in every position: mirrors, tokens that only vanish, and chains that do not care where they begin."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ludarium
from tests.games.expendibots.test_notation import GAME, positions, text_of

SQUARES = [f"{file}{rank}" for rank in range(1, 9) for file in "abcdefgh"]


def vertical(square: int) -> int:
    return square ^ 56


def horizontal(square: int) -> int:
    return square ^ 7


def diagonal(square: int) -> int:
    return square % 8 * 8 + square // 8


def mirrored_text(text: str, mirror: Any) -> str:
    """An action with its squares mirrored."""
    names = {name: SQUARES[mirror(at)] for at, name in enumerate(SQUARES)}
    if text.endswith("!"):
        return names[text[:-1]] + "!"
    return f"{text[:-5]}{names[text[-5:-3]]}-{names[text[-2:]]}"


def mirrored(heights: list[int], mirror: Any) -> list[int]:
    return [heights[mirror(square)] for square in range(64)]


@given(positions(), st.sampled_from([vertical, horizontal, diagonal]))
@pytest.mark.parametrize("swap", [False, True])
def test_mirrored_positions_have_mirrored_actions_and_mirrored_results(swap: bool, position: tuple[list[int], int], mirror: Any) -> None:
    """Every mirror of the board, alone and with the colours swapped (the other side is then to move, one turn later)."""
    heights, ply = position
    ply = min(ply, 498)
    sign = -1 if swap else 1
    state = GAME.parse(text_of(heights, ply))
    image = GAME.parse(text_of([sign * height for height in mirrored(heights, mirror)], ply + swap))
    assert {mirrored_text(action.text, mirror) for action in state.actions()} == {action.text for action in image.actions()}
    assert image.returns == (state.returns[::-1] if swap else state.returns)
    for action in state.actions()[::7]:
        after = state.play(action)
        after_image = image.play(mirrored_text(action.text, mirror))
        board = [int(height) for height in after.record.board]
        assert [int(height) for height in after_image.record.board] == [sign * height for height in mirrored(board, mirror)]
        assert after_image.returns == (after.returns[::-1] if swap else after.returns)


def tokens(state: ludarium.State) -> tuple[int, int]:
    board = [int(height) for height in state.record.board]
    return sum(height for height in board if height > 0), -sum(height for height in board if height < 0)


@given(positions())
def test_tokens_never_increase_and_only_booms_take_them(position: tuple[list[int], int]) -> None:
    state = GAME.parse(text_of(*position))
    before = tokens(state)
    for action in state.actions():
        after = tokens(state.play(action))
        if action.text.endswith("!"):
            assert after[0] <= before[0]
            assert after[1] <= before[1]
            assert after[state.to_move[0]] < before[state.to_move[0]]
        else:
            assert after == before


def chain_of(heights: list[int], start: int) -> set[int]:
    """The stacks that explode with one, by the rules' words: everything in the 3×3 area of anything that explodes."""
    chain, waiting = {start}, [start]
    while waiting:
        square = waiting.pop()
        for other in range(64):
            near = abs(other % 8 - square % 8) <= 1 and abs(other // 8 - square // 8) <= 1
            if near and heights[other] and other not in chain:
                chain.add(other)
                waiting.append(other)
    return chain


@given(positions())
def test_a_boom_is_the_same_whichever_stack_of_its_chain_starts_it(position: tuple[list[int], int]) -> None:
    heights, ply = position
    state = GAME.parse(text_of(heights, ply))
    booms = {SQUARES.index(action.text[:2]): action for action in state.actions() if action.text.endswith("!")}
    for square, action in booms.items():
        chain = chain_of(heights, square)
        after = state.play(action)
        assert [int(height) for height in after.record.board] == [0 if at in chain else height for at, height in enumerate(heights)]
        for other in chain & set(booms):
            assert state.play(booms[other]) == after
        waves = GAME.show.effects_of(state, action)
        assert waves[0] == (SQUARES[square],)
        assert {SQUARES.index(name) for wave in waves for name in wave} == chain
