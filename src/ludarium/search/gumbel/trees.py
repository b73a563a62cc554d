"""The trees of many searches that go on side by side: one for every game of a batch, in arrays that compiled code fills."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

ABSENT = -1
"""Instead of a node: nobody has gone there yet."""

USUAL_ACTIONS = 64
"""Legal actions for which a tree has room at every node. Where there are more, the last nodes get none, and the search goes no deeper there."""


class Trees(NamedTuple):
    """G trees with room for N nodes and A arms each, of which M at the root are looked at. Node 0 is the root; its arms come first.

    An *arm* is a legal action at a node. Values and returns are those of player 0, whoever moves.
    """

    used: np.ndarray  # int32[G, 2]: nodes and arms in use
    mover: np.ndarray  # int8[G, N]; −1 where the game is over
    first_arm: np.ndarray  # int32[G, N]
    arm_count: np.ndarray  # int32[G, N]: 0 where the game is over, or where there was no room
    value: np.ndarray  # float32[G, N]: what the network says, or how the game ended
    visits: np.ndarray  # int32[G, N]: of all arms of a node
    arm_action: np.ndarray  # int32[G, A]
    arm_logit: np.ndarray  # float32[G, A]: the logarithm of the network's probability
    arm_visits: np.ndarray  # int32[G, A]
    arm_return: np.ndarray  # float32[G, A]: the sum
    arm_child: np.ndarray  # int32[G, A]: a node, or ABSENT
    noise: np.ndarray  # float32[G, max_actions]: of the root's arms
    considered: np.ndarray  # int32[G, M]: arms of the root, as many as ``width`` says
    width: np.ndarray  # int32[G]
    rounds: np.ndarray  # int32[G]: how often each of them is tried until half of them are dropped
    done: np.ndarray  # int32[G]: simulations


class Leaves(NamedTuple):
    """Positions that wait for the network, R rows."""

    tree: np.ndarray  # int32[R]: which tree
    node: np.ndarray  # int32[R]: which node of it
    depth: np.ndarray  # int32[R]: how many arms lead there
    path: np.ndarray  # int32[R, N]: these arms
    nodes: np.ndarray  # int32[R, N]: the nodes that have them
    observations: np.ndarray  # float32[R, ...]: what the mover sees


def new_trees(trees: int, simulations: int, considered: int, max_actions: int) -> Trees:
    """Trees with room for so many simulations each."""
    nodes = simulations + 1
    arms = max_actions + simulations * min(max_actions, USUAL_ACTIONS)

    def zeros(*shape: int, of: Any = np.int32) -> np.ndarray:
        return np.zeros((trees, *shape), of)

    return Trees(
        used=zeros(2),
        mover=zeros(nodes, of=np.int8),
        first_arm=zeros(nodes),
        arm_count=zeros(nodes),
        value=zeros(nodes, of=np.float32),
        visits=zeros(nodes),
        arm_action=zeros(arms),
        arm_logit=zeros(arms, of=np.float32),
        arm_visits=zeros(arms),
        arm_return=zeros(arms, of=np.float32),
        arm_child=zeros(arms),
        noise=zeros(max_actions, of=np.float32),
        considered=zeros(considered),
        width=zeros(),
        rounds=zeros(),
        done=zeros(),
    )


def new_leaves(rows: int, simulations: int, observation_shape: tuple[int, ...]) -> Leaves:
    """Room for so many positions."""
    return Leaves(
        tree=np.zeros(rows, np.int32),
        node=np.zeros(rows, np.int32),
        depth=np.zeros(rows, np.int32),
        path=np.zeros((rows, simulations + 1), np.int32),
        nodes=np.zeros((rows, simulations + 1), np.int32),
        observations=np.zeros((rows, *observation_shape), np.float32),
    )
