"""A game without any sense, for searches to be compared with minimax: everything about a node is drawn at random, even who is to move there."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludarium.core.game import Dimensions
from ludarium.core.options import Option
from ludarium.core.rules import (
    apply_actions,
    evaluate,
    legal_actions,
    observe,
    position_key,
    returns,
    tactical_actions,
    to_move,
)
from tests.tiny_games.tiny import TinyGame

NODES = 97
WIDEST = 6


class TreeTables(NamedTuple):
    """By node; most nodes are reached in many ways."""

    movers: np.ndarray  # int64[NODES]: a bit mask, 0 where the game ends
    children: np.ndarray  # int64[NODES, WIDEST]
    widths: np.ndarray  # int64[NODES]: how many actions there are
    tactical: np.ndarray  # int64[NODES]: how many of the last ones are tactical; they lead to higher nodes, so that a row of them ends
    values: np.ndarray  # int64[NODES]: the evaluation for player 0
    endings: np.ndarray  # float64[NODES]: the return of player 0


@to_move.implement(TreeTables)
def tree_to_move(tables: Any, state: Any) -> Any:
    return tables.movers[int(state.node)]


@legal_actions.implement(TreeTables)
def tree_legal_actions(tables: Any, state: Any, player: Any, slot: Any, out: Any) -> Any:
    count = tables.widths[int(state.node)]
    for action in range(count):
        out[action] = action
    return count


@tactical_actions.implement(TreeTables)
def tree_tactical_actions(tables: Any, state: Any, player: Any, out: Any) -> Any:
    count = tables.tactical[int(state.node)]
    for index in range(count):
        out[index] = tables.widths[int(state.node)] - 1 - index
    return count


@apply_actions.implement(TreeTables)
def tree_apply_actions(tables: Any, state: Any, joint: Any) -> None:
    state.node = tables.children[int(state.node), joint[tables.movers[int(state.node)] >> 1, 0]]


@returns.implement(TreeTables)
def tree_returns(tables: Any, state: Any, out: Any) -> None:
    node = int(state.node)
    out[0] = tables.endings[node] if tables.movers[node] == 0 else 0.0
    out[1] = 0.0 - out[0]


@evaluate.implement(TreeTables)
def tree_evaluate(tables: Any, state: Any, player: Any) -> Any:
    value = tables.values[int(state.node)]
    return value if player == 0 else -value


@position_key.implement(TreeTables)
def tree_position_key(tables: Any, state: Any) -> Any:
    return int(state.node) * 0x9E3779B1


@observe.implement(TreeTables)
def tree_observe(tables: Any, state: Any, player: Any, out: Any) -> None:
    out[0] = int(state.node)


class Tree(TinyGame):
    """Positions: the node. Node 0 is the start."""

    id = "test-tree"
    title = "Tree"
    option_list = (Option("seed", "whole number", 0, "what everything is drawn from", minimum=0),)
    dtype = np.dtype((np.record, [("node", np.int16)]))

    def make_tables(self) -> TreeTables:
        random = np.random.default_rng(self.options["seed"])
        movers = random.choice([0, 1, 2], NODES, p=[0.15, 0.425, 0.425])
        movers[0] = 1
        movers[-WIDEST:] = 0
        widths = random.integers(1, WIDEST + 1, NODES)
        tactical = np.minimum(random.integers(0, 3, NODES), widths)
        children = random.integers(0, NODES, (NODES, WIDEST))
        for node in range(NODES - 1):
            last = slice(int(widths[node] - tactical[node]), int(widths[node]))
            children[node, last] = random.integers(node + 1, NODES, int(tactical[node]))
        endings = random.choice([-1.0, -0.5, 0.0, 0.5, 1.0], NODES)
        return TreeTables(movers, children, widths, tactical, random.integers(-300, 301, NODES), endings)

    def make_dimensions(self) -> Dimensions:
        return Dimensions(("first", "second"), WIDEST, WIDEST, (1,))

    def write_initial(self, record: Any) -> None:
        """All zeros: node 0."""
