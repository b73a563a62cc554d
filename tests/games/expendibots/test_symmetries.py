"""The board turned and mirrored: the same game, with other names of squares."""

from __future__ import annotations

import random

import numpy as np
import pytest

import ludarium
from ludarium.core.game import State

GAME = ludarium.game("expendibots")


def position(heights: np.ndarray, ply: int) -> str:
    """Of signed heights, rank 1 first."""
    ranks = ["".join("." if not height else "WB"[int(height < 0)] + f"({abs(height)})" for height in rank) for rank in heights[::-1]]
    return f"{'/'.join(ranks)} {'wb'[ply % 2]} {ply}"


@pytest.mark.parametrize("number", range(8))
def test_what_is_legal_and_what_comes_of_it_is_the_image(number: int) -> None:
    """Boards are turned here by NumPy, and compared as what players see."""
    symmetries, chance = GAME.symmetries(), random.Random(number)
    heights = np.arange(64).reshape(8, 8)
    moved = symmetries.cells[number].reshape(8, 8)
    transform = next(
        transform
        for transform in (
            lambda board, quarters=q, flip=f: np.rot90(board[:, ::-1] if flip else board, quarters) for q in range(4) for f in (0, 1)
        )
        if (transform(heights).reshape(-1)[moved.reshape(-1)] == heights.reshape(-1)).all()
    )
    state = GAME.start()
    for ply in range(12):
        board = state.record.board.reshape(8, 8).astype(int)
        image: State = GAME.parse(position(transform(board), ply))
        seen = np.asarray(GAME.parse(position(board, ply)).observation(state.to_move[0]), np.float32)
        legal = np.array([action.index for action in state.actions(state.to_move[0])])
        planes, actions = seen.reshape(len(seen), -1), symmetries.actions[number][legal]
        expected = np.asarray(image.observation(state.to_move[0]), np.float32).reshape(planes.shape)
        assert (expected[:, symmetries.cells[number]] == planes).all()
        assert sorted(actions.tolist()) == sorted(action.index for action in image.actions(state.to_move[0]))
        which = chance.randrange(len(legal))
        state, image = state.play(int(legal[which])), image.play(int(actions[which]))
        assert (transform(state.record.board.reshape(8, 8)) == image.record.board.reshape(8, 8)).all()
        if state.is_over:
            break


def test_there_are_eight_of_them() -> None:
    assert len({tuple(cells) for cells in GAME.symmetries().cells.tolist()}) == 8
