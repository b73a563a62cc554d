"""The tree of Monte Carlo tree search: arrays that compiled code fills and Python makes larger.

A *node* is a point where the game branches: a decision of one or more players, dice, or the place between two choices that players make
together. An *edge* leads from a node by a choice to another node. A decision that has been reached twice has *arms*: for every player
to move a block of that player's legal actions, each with its visits and its sum of returns. Most nodes are never reached again, and
going without arms saves their memory.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludarium.core.jit import compiled, kernel

ABSENT = -1
"""No node: the edge is not in the tree and was not added."""

NODES, ARMS = 0, 1
"""Places in ``MctsTree.used``."""


class MctsTree(NamedTuple):
    """Room for N nodes, A arms and E edges (a hash table with linear probing; E is a power of two, at least 2 N). Node 0 is the root."""

    used: np.ndarray  # int64[2]: nodes and arms in use
    visits: np.ndarray  # int64[N]: choices made at a decision
    first_arm: np.ndarray  # int64[N]: where a decision's arms begin; −1: none
    arm_counts: np.ndarray  # int32[N, players]: how many arms each player has
    arm_action: np.ndarray  # int64[A]
    arm_visits: np.ndarray  # int32[A]
    arm_return: np.ndarray  # float64[A]: the sum of the returns of the player whose arm it is
    edge_from: np.ndarray  # int32[E]: a node; −1: nothing here
    edge_choice: np.ndarray  # int64[E]: which arm of the player's block, or an outcome of dice
    edge_to: np.ndarray  # int32[E]


def new_tree(nodes: int, arms: int, players: int) -> MctsTree:
    """A tree with room for so many nodes and arms, with the root in it."""
    edges = 1 << (2 * nodes - 1).bit_length()
    return MctsTree(
        np.array([1, 0], np.int64),
        np.zeros(nodes, np.int64),
        np.full(nodes, -1, np.int64),
        np.zeros((nodes, players), np.int32),
        np.zeros(arms, np.int64),
        np.zeros(arms, np.int32),
        np.zeros(arms, np.float64),
        np.full(edges, -1, np.int32),
        np.zeros(edges, np.int64),
        np.zeros(edges, np.int32),
    )


def tree_bytes(nodes: int, arms: int, players: int) -> int:
    """The memory of a tree with so much room."""
    edges = 1 << (2 * nodes - 1).bit_length()
    return nodes * (16 + 4 * players) + arms * 20 + edges * 16


def enlarged(tree: MctsTree, nodes: int, arms: int) -> MctsTree:
    """The same tree with more room."""
    larger = new_tree(nodes, arms, tree.arm_counts.shape[1])
    for old, new in zip(tree[:7], larger[:7], strict=True):
        new[: len(old)] = old
    _copy_edges(tree, larger)
    return larger


@kernel()
def _copy_edges(source: Any, target: Any) -> None:
    mask = len(target.edge_from) - 1
    for index in range(len(source.edge_from)):
        node = source.edge_from[index]
        if node >= 0:
            at = _place(node, source.edge_choice[index], mask)
            while target.edge_from[at] >= 0:
                at = (at + 1) & mask
            target.edge_from[at] = node
            target.edge_choice[at] = source.edge_choice[index]
            target.edge_to[at] = source.edge_to[index]


@compiled
def _place(node: Any, choice: Any, mask: Any) -> Any:
    """Where the search for an edge begins (Fibonacci hashing: Knuth, The Art of Computer Programming, volume 3, 6.4)."""
    mixed = (np.uint64(node) * np.uint64(0xD6E8FEB86659FD93)) ^ np.uint64(choice)
    mixed = mixed * np.uint64(0x9E3779B97F4A7C15)
    return np.int64(mixed >> np.uint64(32)) & mask


@compiled
def has_room(tree: Any, nodes: Any, arms: Any) -> Any:
    return tree.used[NODES] + nodes <= len(tree.visits) and tree.used[ARMS] + arms <= len(tree.arm_action)


@compiled
def follow(tree: Any, node: Any, choice: Any, may_add: Any) -> Any:
    """The node that a choice leads to. Without one: a new node if that is allowed, else ``ABSENT``."""
    if node == ABSENT:
        return ABSENT
    mask = len(tree.edge_from) - 1
    at = _place(node, choice, mask)
    while tree.edge_from[at] >= 0:
        if tree.edge_from[at] == node and tree.edge_choice[at] == choice:
            return np.int64(tree.edge_to[at])
        at = (at + 1) & mask
    if not may_add:
        return ABSENT
    added = tree.used[NODES]
    tree.used[NODES] = added + 1
    tree.edge_from[at] = node
    tree.edge_choice[at] = choice
    tree.edge_to[at] = added
    return added


@compiled
def add_arms(tree: Any, node: Any, player: Any, actions: Any, count: Any) -> None:
    """Give a decision the arms of one player. Players come in the order of their numbers, with no other decision's arms in between."""
    first = tree.used[ARMS]
    if tree.first_arm[node] < 0:
        tree.first_arm[node] = first
    tree.arm_counts[node, player] = count
    for index in range(count):
        tree.arm_action[first + index] = actions[index]
    tree.used[ARMS] = first + count
