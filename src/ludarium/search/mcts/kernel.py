"""Simulations of Monte Carlo tree search as compiled code."""

from __future__ import annotations

import math
from typing import Any

from ludarium.core.bits import lowest_bit
from ludarium.core.jit import compiled, kernel
from ludarium.core.random import random_below
from ludarium.core.rules import (
    CHANCE,
    apply_actions,
    apply_chance,
    copy_state,
    evaluate,
    legal_actions,
    random_action,
    returns,
    sample_chance,
    to_move,
)

from .tree import ABSENT, NODES, add_arms, follow, has_room

DECIDED = 500.0
"""An evaluation (hundredths of the game's unit) that is worth a return of tanh 1 = 0.76."""

STRAY = 8
"""Where players act together, one choice in so many is uniformly random: without it their choices fall into step, each always answering the other's."""


@kernel()
def simulate(
    tables: Any,
    states: Any,
    tree: Any,
    generator: Any,
    actions: Any,
    joint: Any,
    path: Any,
    values: Any,
    exploration: Any,
    cutoff: Any,
    may_add: Any,
    simulations: Any,
    budget: Any,
) -> Any:
    """Simulate until so many simulations are done, about ``budget`` steps are played, or the tree that may grow has no more room.

    Args:
        states: two records; the first is the root's state, the second is written.
        actions: ``int64[max_actions]``, scratch.
        joint: ``int64[players, 1]``, scratch, as are path (``int64[L, 2]``) and values (``float64[players]``).
        exploration: the weight of the second term of UCB1.
        cutoff: random steps after which the game is evaluated instead of played on; None: play to the end (and ask for no evaluation).
        may_add: whether the tree may get new nodes and arms.

    Returns:
        how many simulations were done.
    """
    players = len(values)
    state = states[1]
    done = 0
    while done < simulations and budget > 0:
        if may_add and not has_room(tree, players + 1, players * len(actions)):
            break
        copy_state(tables, states[0], state)
        node = 0
        depth = 0
        while depth + players <= len(path):
            mask = to_move(tables, state)
            if mask == 0:
                break
            known = tree.used[NODES]
            if mask == CHANCE:
                outcome = sample_chance(tables, state, generator)
                apply_chance(tables, state, outcome)
                node = follow(tree, node, outcome, may_add)
            else:
                if tree.first_arm[node] < 0:
                    if not may_add:
                        break
                    _expand(tables, state, tree, generator, node, mask, actions)
                decision = node
                together = mask & (mask - 1) != 0
                visits = tree.visits[decision]
                tree.visits[decision] = visits + 1
                first = tree.first_arm[decision]
                while mask != 0:
                    player = lowest_bit(mask)
                    mask &= mask - 1
                    count = int(tree.arm_counts[decision, player])
                    if together and visits >= count and random_below(generator, STRAY) == 0:
                        arm = first + random_below(generator, count)
                    else:
                        arm = _select(tree, first, count, visits, exploration)
                    joint[player, 0] = tree.arm_action[arm]
                    tree.arm_visits[arm] = int(tree.arm_visits[arm]) + 1
                    path[depth, 0] = arm
                    path[depth, 1] = player
                    depth += 1
                    node = follow(tree, node, arm - first, may_add)
                    first += count
                apply_actions(tables, state, joint)
            budget -= 1
            if node == ABSENT or node >= known:
                break
        budget -= _play_out(tables, state, generator, actions, joint, cutoff)
        _value(tables, state, values, cutoff)
        for index in range(depth):
            tree.arm_return[path[index, 0]] += values[path[index, 1]]
        done += 1
    return done


@compiled
def _expand(tables: Any, state: Any, tree: Any, generator: Any, node: Any, mask: Any, actions: Any) -> None:
    """Give a decision its arms, each player's in random order, so that arms of equal value have equal chances."""
    while mask != 0:
        player = lowest_bit(mask)
        mask &= mask - 1
        count = legal_actions(tables, state, player, 0, actions)
        for index in range(count - 1, 0, -1):
            other = random_below(generator, index + 1)
            actions[index], actions[other] = actions[other], actions[index]
        add_arms(tree, node, player, actions, count)


@compiled
def _select(tree: Any, first: Any, count: Any, visits: Any, exploration: Any) -> Any:
    """The arm with the highest upper confidence bound, after each arm has been tried once (UCB1: Auer, Cesa-Bianchi, Fischer 2002)."""
    if visits < count:
        return first + visits
    width = exploration * math.sqrt(math.log(visits))
    best = first
    best_bound = -math.inf
    for arm in range(first, first + count):
        tried = float(tree.arm_visits[arm])
        bound = (tree.arm_return[arm] + width * math.sqrt(tried)) / tried
        if bound > best_bound:
            best_bound = bound
            best = arm
    return best


@compiled
def _play_out(tables: Any, state: Any, generator: Any, actions: Any, joint: Any, cutoff: Any) -> Any:
    """Play by uniformly random choices to the end, or to the first decision after ``cutoff`` steps; how many steps that took."""
    steps = 0
    mask = to_move(tables, state)
    while mask != 0:
        if mask == CHANCE:
            apply_chance(tables, state, sample_chance(tables, state, generator))
        else:
            if cutoff is not None and steps >= cutoff:
                break
            while mask != 0:
                player = lowest_bit(mask)
                mask &= mask - 1
                joint[player, 0] = random_action(tables, state, player, 0, generator, actions)
            apply_actions(tables, state, joint)
        steps += 1
        mask = to_move(tables, state)
    return steps


@compiled
def _value(tables: Any, state: Any, values: Any, cutoff: Any) -> None:
    """What a simulation was worth to everybody: the returns of a game that is over, else what the evaluation makes of it."""
    returns(tables, state, values)
    if cutoff is not None and to_move(tables, state) != 0:
        for player in range(len(values)):
            values[player] = math.tanh(evaluate(tables, state, player) / DECIDED)
        if len(values) == 2:
            values[1] = -values[0]
