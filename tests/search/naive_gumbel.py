"""Gumbel search as its paper has it, in plain Python over states: slow, and with nothing in common with the compiled search but the rules.

I. Danihelka, A. Guez, J. Schrittwieser, D. Silver, "Policy improvement by planning with Gumbel", ICLR 2022. Without noise, and for values from 0 to 1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from ludarium.core.game import State
from ludarium.search.gumbel import Evaluate

C_VISIT, C_SCALE = 50.0, 1.0
"""Parameters of σ (section 5)."""


def unit(value: float) -> float:
    """A return from −1 to 1 as a value from 0 to 1."""
    return (1 + value) / 2


@dataclass
class Node:
    """A position, seen by the player to move."""

    state: State
    logits: dict[int, float] = field(default_factory=dict[int, float])
    value: float = 0.0
    """Output of the network, or the result for player 0 if the game is over."""
    visits: dict[int, int] = field(default_factory=dict[int, int])
    sums: dict[int, float] = field(default_factory=dict[int, float])
    """Sum of values for the player to move, by action."""
    children: dict[int, Node] = field(default_factory=dict[int, "Node"])

    @property
    def mover(self) -> int:
        return self.state.to_move[0]

    @property
    def for_first(self) -> float:
        """Its value for player 0."""
        return self.value if self.state.is_over or self.mover == 0 else 1 - self.value

    def q(self, action: int) -> float:
        return self.sums[action] / self.visits[action]

    def prior(self, action: int) -> float:
        """π of the network (a softmax over the legal actions)."""
        return math.exp(self.logits[action]) / sum(map(math.exp, self.logits.values()))

    def mixed(self) -> float:
        """v_mix: appendix D, equation 33."""
        tried = [action for action in self.logits if self.visits[action] > 0]
        if not tried:
            return self.value
        visits = sum(self.visits.values())
        weighted = sum(self.prior(action) * self.q(action) for action in tried) / sum(map(self.prior, tried))
        return (self.value + visits * weighted) / (1 + visits)

    def sigma(self, q: float) -> float:
        """Equation 8."""
        return (C_VISIT + max(self.visits.values())) * C_SCALE * q

    def scores(self) -> dict[int, float]:
        """Logits and σ of completed Q-values (equation 10)."""
        mixed = self.mixed()
        return {action: logit + self.sigma(self.q(action) if self.visits[action] > 0 else mixed) for action, logit in self.logits.items()}

    def improved(self) -> dict[int, float]:
        """π′: equation 11."""
        scores = self.scores()
        most = max(scores.values())
        weights = {action: math.exp(score - most) for action, score in scores.items()}
        return {action: weight / sum(weights.values()) for action, weight in weights.items()}

    def next_action(self) -> int:
        """Equation 14."""
        improved, visits = self.improved(), 1 + sum(self.visits.values())
        return max(self.logits, key=lambda action: improved[action] - self.visits[action] / visits)


class NaiveGumbel:
    """A search of one position."""

    def __init__(self, state: State, simulations: int, considered: int, evaluate: Evaluate) -> None:
        self._evaluate = evaluate
        self.root = self._new(state)
        self.action = self._halve(simulations, considered)

    def _new(self, state: State) -> Node:
        node = Node(state)
        if state.is_over:
            node.value = unit(state.returns[0])
            return node
        logits, values = self._evaluate(np.asarray(state.observation(node.mover), np.float32)[None])
        node.value = unit(float(values[0]))
        for action in state.legal(node.mover):
            node.logits[action] = float(logits[0, action])
            node.visits[action] = 0
            node.sums[action] = 0.0
        return node

    def _simulate(self, node: Node, action: int) -> float:
        """Try an action; what came of it for player 0, from 0 to 1."""
        is_new = action not in node.children
        if is_new:
            node.children[action] = self._new(node.state.play(action))
        child = node.children[action]
        found = child.for_first if is_new or child.state.is_over else self._simulate(child, child.next_action())
        node.visits[action] += 1
        node.sums[action] += found if node.mover == 0 else 1 - found
        return found

    def _halve(self, simulations: int, considered: int) -> int:
        """Sequential halving (section 3.2, figure 1) among the actions with the highest logits; the chosen action (equation 9)."""
        root = self.root
        left = sorted(root.logits, key=lambda action: -root.logits[action])[:considered]
        phases = math.ceil(math.log2(len(left)))
        done = 0
        while done < simulations:
            for _ in range(max(1, simulations // (phases * len(left)))):
                for action in left[: simulations - done]:
                    self._simulate(root, action)
                    done += 1
            scores = root.scores()
            left.sort(key=lambda action: -scores[action])
            if done < simulations:
                left = left[: max(2, len(left) // 2)]
        most = max(root.visits[action] for action in left)
        return next(action for action in left if root.visits[action] == most)
