"""Which expansions win, told by the rules."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import ludarium
from ludarium.core.game import State
from ludarium.core.jit import kernel
from ludarium.core.rules import outcomes


@kernel()
def outcomes_of(tables: Any, states: Any, player: Any, memory: Any, out: Any) -> Any:
    return outcomes(tables, states[0], player, memory, out)


def told(state: State, memory: np.ndarray[Any, Any]) -> list[int]:
    out = np.full(128, -2, np.int8)
    count = outcomes_of(state.game.tables, state.copy_records(), state.to_move[0], memory, out)
    return out[: max(count, 0)].tolist()


def wins(state: State, known: dict[str, bool]) -> bool:
    """Whether who is to move wins, by playing everything; who cannot move has lost."""
    if state.text not in known:
        known[state.text] = not state.is_over and any(not wins(state.play(action), known) for action in state.actions(state.to_move[0]))
    return known[state.text]


@pytest.mark.parametrize(("rows", "columns", "stones", "boards"), [(4, 5, 2, 5), (3, 7, 3, 10), (8, 8, 26, 3)])
def test_outcomes_are_those_of_playing_everything(rows: int, columns: int, stones: int, boards: int) -> None:
    chance, memory, critical = random.Random(1), np.zeros(1 << 14, np.uint64), 0
    for _ in range(boards):
        known: dict[str, bool] = {}
        squares = list("O" * stones + "X" * stones + "*" * (rows * columns - 2 * stones))
        chance.shuffle(squares)
        board = "|".join("".join(squares[row * columns : (row + 1) * columns]) for row in range(rows))
        state = ludarium.game("expand-conquer", start=board, first=chance.choice("LR")).start()
        while not state.is_over:
            actions = state.actions(state.to_move[0])
            found = told(state, memory)
            assert found == [-1 if wins(state.play(action), known) else 1 for action in actions], state.text
            critical += len(set(found)) == 2
            state = state.play(chance.choice(actions))
    assert critical > boards / 3


def test_larger_boards_and_the_other_variant_are_not_told() -> None:
    memory = np.zeros(1 << 14, np.uint64)
    assert told(ludarium.game("expand-conquer", start="|".join(["O" + 7 * "*" + "X"] * 9)).start(), memory) == []
    assert told(ludarium.game("expand-conquer", start="O**X", variant="all-small").start(), memory) == []
