"""The evaluation: what the network makes of positions, in 16-bit sums that share words."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given

import ludarium
from ludarium.core.jit import kernel
from ludarium.core.rules import evaluate
from ludarium.games.expendibots import neural_network
from tests.games.expendibots.test_notation import GAME, positions, text_of


@kernel()
def values_of(tables: Any, states: Any, player: Any, out: Any) -> Any:
    for index in range(len(out)):
        out[index] = evaluate(tables, states[index], player)


def value(state: ludarium.State, player: int, tables: Any = GAME.tables) -> int:
    found = np.zeros(1, np.int64)
    values_of(tables, state.copy_records(), player, found)
    return int(found[0])


def seen_first(board: np.ndarray) -> tuple[int, ...]:
    """What decides between mirror images: the mover's squares, the opponent's, heights; of squares those of the last ranks and files come first."""
    stacks = [*(board[::-1] > 0), *(board[::-1] < 0), *abs(board)]
    return tuple(int(one) for one in stacks)


def expected(state: ludarium.State, weights: Any) -> int:
    """The stacks' part by the definition: each lane summed for itself."""
    mover = int(state.record.ply) & 1
    board = np.array(state.record.board, np.int64)
    board = -board[::-1] if mover else board
    board = max(board, board.reshape(8, 8)[:, ::-1].ravel(), key=seen_first)
    sums = weights["bias"].astype(np.int64) + sum(weights["stacks"][at, 12 + board[at]].astype(np.int64) for at in np.flatnonzero(board))
    assert (np.abs(sums) < neural_network.OFFSET).all()
    units = np.maximum(sums[:-1], 0)
    return int(units[: neural_network.FAVOURABLE].sum() - units[neural_network.FAVOURABLE :].sum() + sums[-1]) // neural_network.FINE


@given(positions())
def test_packed_sums_are_the_sums_of_the_lanes(position: tuple[list[int], int]) -> None:
    """With weights as large as they may be, and as the terms are left out, the value is the definition's."""
    state = GAME.parse(text_of(position[0], min(position[1], 498)))
    if state.is_over:
        return
    random = np.random.default_rng(7)
    weights = np.zeros(1, neural_network.WEIGHTS)
    heights = np.abs(np.arange(-12, 13))[None, :, None]
    weights["stacks"] = random.integers(-neural_network.BOUND, neural_network.BOUND + 1, (64, 25, neural_network.LANES)) * heights
    weights["bias"] = random.integers(-neural_network.MOST_BIAS, neural_network.MOST_BIAS + 1, neural_network.LANES)
    tables = GAME.tables._replace(network=neural_network.network_of(weights))
    mover = state.to_move[0]
    wanted = max(min(expected(state, weights[0]), 20_000), -20_000)
    assert (value(state, mover, tables), value(state, 1 - mover, tables)) == (wanted, -wanted)


@given(positions())
def test_images_of_a_position_are_worth_the_same(position: tuple[list[int], int]) -> None:
    """The mirror image, and those with exchanged colours and sides."""
    heights, ply = position[0], min(position[1], 498)
    mirror = [heights[square ^ 7] for square in range(64)]
    if GAME.parse(text_of(heights, ply)).is_over:
        return
    worth = value(GAME.parse(text_of(heights, ply)), 0)
    assert value(GAME.parse(text_of(mirror, ply)), 0) == worth
    for image in (heights, mirror):
        exchanged = GAME.parse(text_of([-height for height in image[::-1]], ply + 1))
        assert (value(exchanged, 1), value(exchanged, 0)) == (worth, -worth)


def test_without_a_network_positions_are_worth_what_was_written_by_hand() -> None:
    tables = GAME.tables._replace(network=neural_network.network_of(neural_network.hand_made()))
    texts = (
        "BB.BB.BB/BB.BB.BB/......../......../......../......../WW.WW.WW/WW.WW.WW w 0",
        "BB.BB..B/B..BB.BB/....W.../.B....../..W(3)...../......../W..WW.W./WW.W..W. w 8",
        "......../..B...../....B(4).../...W..../.W(2)....../......../.....B../W....... b 31",
    )
    assert [value(GAME.parse(text), 0, tables) for text in texts] == [0, 212, -236]


def test_shipped_sums_stay_within_their_bits() -> None:
    weights = np.frombuffer(neural_network.SHIPPED.read_bytes(), neural_network.WEIGHTS)[0]
    heights = np.abs(np.arange(-12, 13))[None, :, None]
    assert (np.abs(weights["stacks"].astype(np.int64)) <= neural_network.BOUND * heights).all()
    assert (np.abs(weights["bias"].astype(np.int64)) <= neural_network.MOST_BIAS).all()
