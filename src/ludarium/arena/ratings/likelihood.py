"""The Davidson–Luce model as an exponential family.

A game is a sequence of choices: who comes next, among the players who are left? A group S of k players comes next, tied, with a probability in
proportion to

    δₖ · exp(the mean of θ over S),   δ₁ = 1,

θ being the players' ratings in natural units. This is the Plackett–Luce model where nobody is tied, Davidson's in games of two players (δ₂ = ν), and
Bradley and Terry's in games of two without draws. With the logarithms of δ as parameters beside θ, the logarithm of a choice's probability is a linear
function of the parameters less the logarithm of a normaliser, so the likelihood is concave, and counts are enough to know it.

How often players are tied has a parameter for each size of the table, number of players left and size of the group: the players who never finish a race are
tied at its end, which says nothing of ties for the first place.

- R. Bradley, M. Terry, "Rank analysis of incomplete block designs", Biometrika 39, 1952.
- R. Davidson, "On extending the Bradley–Terry model to accommodate ties in paired comparison experiments", JASA 65, 1970.
- R. Davidson, R. Beaver, "On extending the Bradley–Terry model to incorporate within-pair order effects", Biometrics 33, 1977.
- R. Plackett, "The analysis of permutations", Applied Statistics 24, 1975.
- D. Firth, I. Kosmidis, H. Turner, "Davidson–Luce model for multi-item choice with ties", arXiv:1909.07123, 2019.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from .results import Floats, Integers

SLICE = 4096
"""Sets that are computed at a time, which bounds the memory."""


@dataclass(frozen=True, eq=False)
class Choices:
    """Choices among sets of equally many players, all with the same groups that may come next."""

    groups: Floats
    """What a group has of each parameter of its set, ``[groups, parameters of a set]``."""
    parameters: Integers
    """Which parameters these are, ``[sets, parameters of a set]``."""
    counts: Floats
    """How often each set was there to choose from, ``[sets]``."""


@dataclass(frozen=True, eq=False)
class Cumulants:
    """The logarithm of the normaliser, summed over choices, its gradient (what is expected) and its second derivatives (Fisher's information)."""

    value: float
    expected: Floats
    information: Floats


def groups_of(left: int, tied: Sequence[int], *, first_seat: bool) -> Floats:
    """What the groups of one, and of each number in ``tied``, have of their set's parameters.

    These are the ratings of the ``left`` players, then one parameter for each number in ``tied``, then the advantage of the first seat if there is one,
    which is added to the first player's rating.
    """
    rows: list[list[float]] = []
    for size in (1, *tied):
        for group in combinations(range(left), size):
            shares = [1 / size if player in group else 0.0 for player in range(left)]
            rows.append([*shares, *(float(size == number) for number in tied), *(shares[:1] if first_seat else ())])
    return np.array(rows)


def cumulants(choices: Sequence[Choices], parameters: Floats) -> Cumulants:
    """The normaliser and its derivatives at these parameters."""
    size = len(parameters)
    value, expected, information = 0.0, np.zeros(size), np.zeros(size * size)
    for among in choices:
        products = _outer(among.groups)
        for start in range(0, len(among.counts), SLICE):
            indices, counts = among.parameters[start : start + SLICE], among.counts[start : start + SLICE, None]
            logarithms = parameters[indices] @ among.groups.T
            highest = logarithms.max(axis=1, keepdims=True)
            weights = np.exp(logarithms - highest)
            sums = weights.sum(axis=1, keepdims=True)
            value += float(np.sum(counts * (highest + np.log(sums))))
            means = (weights / sums) @ among.groups
            covariances = (weights / sums) @ products - _outer(means)
            cells = indices[:, :, None] * size + indices[:, None, :]
            expected += np.bincount(indices.ravel(), (counts * means).ravel(), size)
            information += np.bincount(cells.ravel(), (counts * covariances).ravel(), size * size)
    return Cumulants(value, expected, information.reshape(size, size))


def _outer(rows: Floats) -> Floats:
    """Each row's products with itself, flat: ``[rows, columns²]``."""
    return (rows[:, :, None] * rows[:, None, :]).reshape(len(rows), -1)
