"""Who leads, turn by turn, and how often that changes."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

NOBODY = -1


class Drama:
    """The course of a race. Who leads has the fewest commands before it at the beginning of a turn, as if alone; robots with equally many share the lead,
    and then nobody leads."""

    def __init__(self, left: np.ndarray) -> None:
        """``left`` (``float64[robots]``): the commands before each robot when the first turn begins."""
        self._turns: list[np.ndarray] = [left.copy()]

    def add(self, left: np.ndarray) -> None:
        """The commands before each robot when the next turn begins."""
        self._turns.append(left.copy())

    def facts(self, ranks: Sequence[int]) -> list[int]:
        """Of a race that ended with these places (0: not finished).

        Returns:
            How often another robot led than the last one that had, counting a sole winner as leading at the end; the last turn at whose beginning the
            winner was behind (0: none); the most commands by which it was ever behind at a beginning; and whether it led at the beginning of the middle
            turn (1), another robot did (0) or nobody (−1). Without a sole winner the last three are −1.
        """
        leaders = [_leader(left) for left in self._turns]
        winner = ranks.index(1) if ranks.count(1) == 1 and len(ranks) > 1 else NOBODY
        named = [leader for leader in (*leaders, winner) if leader != NOBODY]
        changes = sum(one != other for one, other in itertools.pairwise(named))
        if winner == NOBODY:
            return [changes, -1, -1, -1]
        behind = [_arrears(left, winner) for left in self._turns]
        settled = max((turn for turn, arrears in enumerate(behind, start=1) if arrears > 0), default=0)
        halfway = leaders[len(leaders) // 2]
        return [changes, settled, round(max(behind)), -1 if halfway == NOBODY else int(halfway == winner)]


def _leader(left: np.ndarray) -> int:
    first = int(np.argmin(left))
    return first if np.count_nonzero(left == left[first]) == 1 else NOBODY


def _arrears(left: np.ndarray, robot: int) -> float:
    """How many commands a robot is behind the first one; a robot that cannot reach its finish from where it is counts as behind by a hundred."""
    return min(100.0, float(left[robot] - left.min())) if np.isfinite(left.min()) else 0.0
