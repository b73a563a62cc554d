"""Gumbel search as compiled code: trees walk down to positions that the network is then asked about, all of them at once.

The numbers in comments are sections and equations of the paper that :mod:`ludarium.search.gumbel` names.
"""

from __future__ import annotations

import math
from typing import Any

from ludarium.core.bits import lowest_bit
from ludarium.core.jit import compiled, kernel
from ludarium.core.random import random_unit
from ludarium.core.rules import apply_actions, copy_state, legal_actions, observe, returns, to_move

from .trees import ABSENT

VISITS = 50.0
"""What is added to the visits of the most tried action where values are weighed against the network's preferences (c_visit, section 5)."""

SCALE = 0.5
"""The weight of values (c_scale: 1 for values from 0 to 1; ours are from −1 to 1)."""


@compiled
def _sign(player: Any) -> Any:
    return 1.0 - 2.0 * player


@compiled
def _new_node(tables: Any, trees: Any, tree: Any, state: Any, scratch: Any, leaves: Any, row: Any) -> Any:
    """Add a node for a state; whether it is a leaf that waits for the network, in that row. The caller has seen that there is room for the node."""
    node = int(trees.used[tree, 0])
    trees.used[tree, 0] = node + 1
    trees.visits[tree, node] = 0
    trees.arm_count[tree, node] = 0
    mask = to_move(tables, state)
    if mask == 0:
        trees.mover[tree, node] = -1
        returns(tables, state, scratch.values)
        trees.value[tree, node] = scratch.values[0]
        return False
    player = lowest_bit(mask)
    trees.mover[tree, node] = player
    first = int(trees.used[tree, 1])
    trees.first_arm[tree, node] = first
    count = legal_actions(tables, state, player, 0, scratch.actions)
    if first + count <= trees.arm_action.shape[1]:
        for index in range(count):
            trees.arm_action[tree, first + index] = scratch.actions[index]
            trees.arm_visits[tree, first + index] = 0
            trees.arm_return[tree, first + index] = 0.0
            trees.arm_child[tree, first + index] = ABSENT
        trees.arm_count[tree, node] = count
        trees.used[tree, 1] = first + count
    leaves.tree[row] = tree
    leaves.node[row] = node
    seen = leaves.observations[row]
    flat = seen.reshape(-1)
    for index in range(flat.size):
        flat[index] = 0.0
    observe(tables, state, player, seen)
    return True


@kernel()
def plant(tables: Any, trees: Any, states: Any, which: Any, scratch: Any, leaves: Any) -> Any:
    """Begin the trees of the games ``which`` (``int64[k]``) with their states as roots, none of which is over. The rows 0 to k − 1 are then to be evaluated."""
    for row in range(len(which)):
        tree = which[row]
        trees.used[tree] = 0
        trees.done[tree] = 0
        leaves.depth[row] = 0
        _new_node(tables, trees, tree, states[tree], scratch, leaves, row)


@kernel()
def consider(trees: Any, which: Any, generators: Any, noisy: Any, sort: Any) -> None:
    """Choose the actions of the roots that are looked at: those with the highest sums of logit and noise (Gumbel-top-k, section 3.1).

    Args:
        generators: ``uint64[G, 1]``.
        noisy: ``bool[G]``: for which games there is noise; for the others it is those that the network prefers.
        sort: ``float64[max_actions]``, scratch.
    """
    for at in range(len(which)):
        tree = which[at]
        count = int(trees.arm_count[tree, 0])
        for arm in range(count):
            noise = -math.log(-math.log(random_unit(generators[tree]) + 1e-300) + 1e-300) if noisy[tree] else 0.0
            trees.noise[tree, arm] = noise
            sort[arm] = trees.arm_logit[tree, arm] + noise
        width = min(count, trees.considered.shape[1])
        for place in range(width):
            best = 0
            for arm in range(1, count):
                if sort[arm] > sort[best]:
                    best = arm
            trees.considered[tree, place] = best
            sort[best] = -math.inf
        trees.width[tree] = width
        trees.rounds[tree] = 0


@compiled
def _mean(trees: Any, tree: Any, node: Any, arm: Any) -> Any:
    """The mean return, for the mover, of an arm that was tried."""
    return _sign(int(trees.mover[tree, node])) * trees.arm_return[tree, arm] / trees.arm_visits[tree, arm]


@compiled
def _completed(trees: Any, tree: Any, node: Any, out: Any) -> Any:
    """Write for every arm of a node its logit and what its value adds (section 4): σ of the mean return where it was tried, elsewhere of a mean
    of what the network says of the node and of what was tried (appendix D, equation 33). The largest sum."""
    first = int(trees.first_arm[tree, node])
    count = int(trees.arm_count[tree, node])
    sum_of_probabilities = 0.0
    sum_of_values = 0.0
    most = 0
    for arm in range(first, first + count):
        visits = int(trees.arm_visits[tree, arm])
        if visits > 0:
            probability = math.exp(trees.arm_logit[tree, arm])
            sum_of_probabilities += probability
            sum_of_values += probability * _mean(trees, tree, node, arm)
            most = max(most, visits)
    mixed = _sign(int(trees.mover[tree, node])) * trees.value[tree, node]
    if most > 0:
        visits = int(trees.visits[tree, node])
        mixed = (mixed + visits * sum_of_values / max(sum_of_probabilities, 1e-30)) / (1 + visits)
    weight = (VISITS + most) * SCALE
    largest = -math.inf
    for index in range(count):
        arm = first + index
        value = _mean(trees, tree, node, arm) if trees.arm_visits[tree, arm] > 0 else mixed
        out[index] = trees.arm_logit[tree, arm] + weight * value
        largest = max(largest, out[index])
    return largest


@compiled
def _improved(trees: Any, tree: Any, node: Any, out: Any) -> None:
    """Write the improved policy of a node: the softmax of what :func:`_completed` writes (equation 11)."""
    largest = _completed(trees, tree, node, out)
    count = int(trees.arm_count[tree, node])
    total = 0.0
    for index in range(count):
        out[index] = math.exp(out[index] - largest)
        total += out[index]
    for index in range(count):
        out[index] /= total


@compiled
def _preferred(trees: Any, tree: Any, node: Any, out: Any) -> Any:
    """The arm of an inner node that lags most behind the improved policy (equation 14)."""
    _improved(trees, tree, node, out)
    first = int(trees.first_arm[tree, node])
    visits = int(trees.visits[tree, node])
    best = 0
    most = -math.inf
    for index in range(int(trees.arm_count[tree, node])):
        lag = out[index] - int(trees.arm_visits[tree, first + index]) / (1 + visits)
        if lag > most:
            most = lag
            best = index
    return first + best


@compiled
def _rank(trees: Any, tree: Any, out: Any) -> None:
    """Bring those arms of the root that are looked at into order, the best first: by noise, logit and value (equation 9)."""
    _completed(trees, tree, 0, out)
    width = int(trees.width[tree])
    considered = trees.considered[tree]
    for place in range(1, width):
        arm = int(considered[place])
        worth = out[arm] + trees.noise[tree, arm]
        hole = place
        while hole > 0 and out[considered[hole - 1]] + trees.noise[tree, considered[hole - 1]] < worth:
            considered[hole] = considered[hole - 1]
            hole -= 1
        considered[hole] = arm


@compiled
def _back_up(trees: Any, tree: Any, leaves: Any, row: Any, value: Any) -> None:
    for step in range(leaves.depth[row]):
        trees.visits[tree, leaves.nodes[row, step]] += 1
        trees.arm_visits[tree, leaves.path[row, step]] += 1
        trees.arm_return[tree, leaves.path[row, step]] += value


@compiled
def _walk(tables: Any, trees: Any, tree: Any, root: Any, arm: Any, scratch: Any, leaves: Any, row: Any) -> Any:
    """Go from the root by one of its arms to a position that is new, or where the game ends; whether it waits for the network, in that row."""
    state = scratch.states[0]
    copy_state(tables, root, state)
    node = 0
    depth = 0
    while True:
        leaves.path[row, depth] = arm
        leaves.nodes[row, depth] = node
        depth += 1
        leaves.depth[row] = depth
        scratch.joint[int(trees.mover[tree, node]), 0] = trees.arm_action[tree, arm]
        apply_actions(tables, state, scratch.joint)
        child = int(trees.arm_child[tree, arm])
        if child == ABSENT:
            trees.arm_child[tree, arm] = trees.used[tree, 0]
            if _new_node(tables, trees, tree, state, scratch, leaves, row):
                return True
            child = int(trees.arm_child[tree, arm])
        if trees.arm_count[tree, child] == 0:
            _back_up(trees, tree, leaves, row, trees.value[tree, child])
            return False
        node = child
        arm = _preferred(trees, tree, node, scratch.policy)


@kernel()
def walk(tables: Any, trees: Any, states: Any, which: Any, simulations: Any, scratch: Any, leaves: Any) -> Any:
    """Try every action once that is still looked at, in each of the games ``which`` (``int64[k]``) that has simulations left: sequential halving (section 3.2).

    These tries are in different subtrees, so that it makes no difference that their positions are evaluated together.

    Returns:
        how many rows are to be evaluated, and how many simulations there were.
    """
    rows = 0
    tries = 0
    for at in range(len(which)):
        tree = which[at]
        left = simulations - int(trees.done[tree])
        if left <= 0 or trees.arm_count[tree, 0] < 2:
            continue
        if trees.rounds[tree] == 0:
            if trees.done[tree] > 0:
                _rank(trees, tree, scratch.policy)
                trees.width[tree] = max(2, trees.width[tree] // 2)
            most = min(int(trees.arm_count[tree, 0]), trees.considered.shape[1])
            halvings = max(1.0, math.ceil(math.log2(most)))
            trees.rounds[tree] = max(1, int(simulations / (halvings * trees.width[tree])))
        trees.rounds[tree] -= 1
        for place in range(min(left, int(trees.width[tree]))):
            if _walk(tables, trees, tree, states[tree], int(trees.considered[tree, place]), scratch, leaves, rows):
                rows += 1
            trees.done[tree] += 1
            tries += 1
    return rows, tries


@kernel()
def learn(trees: Any, leaves: Any, rows: Any, logits: Any, values: Any) -> None:
    """Take in what the network says of the rows.

    Args:
        logits: ``float32[R, action_space]``.
        values: ``float32[R]``, for the mover.
    """
    for row in range(rows):
        tree = int(leaves.tree[row])
        node = int(leaves.node[row])
        first = int(trees.first_arm[tree, node])
        count = int(trees.arm_count[tree, node])
        largest = -math.inf
        for arm in range(first, first + count):
            logit = logits[row, trees.arm_action[tree, arm]]
            trees.arm_logit[tree, arm] = logit
            largest = max(largest, logit)
        total = 0.0
        for arm in range(first, first + count):
            total += math.exp(trees.arm_logit[tree, arm] - largest)
        largest += math.log(total) if count else 0.0
        for arm in range(first, first + count):
            trees.arm_logit[tree, arm] -= largest
        value = _sign(int(trees.mover[tree, node])) * values[row]
        trees.value[tree, node] = value
        _back_up(trees, tree, leaves, row, value)


@kernel()
def answer(trees: Any, which: Any, scratch: Any, actions: Any, counts: Any, legal: Any, policies: Any) -> None:
    """Write what the searches of the games ``which`` (``int64[k]``) have found.

    Args:
        actions: ``int64[k]``: the best of those that were tried most.
        counts: ``int64[k]``: how many actions are legal.
        legal: ``int32[k, max_actions]``: which.
        policies: ``float32[k, max_actions]``: their improved policy.
    """
    for at in range(len(which)):
        tree = which[at]
        count = int(trees.arm_count[tree, 0])
        counts[at] = count
        _rank(trees, tree, scratch.policy)
        best = int(trees.considered[tree, 0])
        for place in range(1, int(trees.width[tree])):
            arm = int(trees.considered[tree, place])
            if trees.arm_visits[tree, arm] > trees.arm_visits[tree, best]:
                best = arm
        actions[at] = trees.arm_action[tree, best]
        _improved(trees, tree, 0, scratch.policy)
        for arm in range(count):
            legal[at, arm] = trees.arm_action[tree, arm]
            policies[at, arm] = scratch.policy[arm]
