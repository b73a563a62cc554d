"""What a mean over games says about the games that were not played."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ludarium.arena.elo import Z


class Share(NamedTuple):
    """A mean of numbers between 0 and 1, and the bounds of its 95 % interval."""

    value: float
    low: float
    high: float
    games: int

    @property
    def text(self) -> str:
        """``51.2 % (48.9 to 53.5)``."""
        return f"{100 * self.value:.1f} % ({100 * self.low:.1f} to {100 * self.high:.1f})" if self.games else "–"


def share(values: np.ndarray) -> Share:
    """The mean of numbers between 0 and 1 with E. B. Wilson's interval (Journal of the American Statistical Association 22, 1927).

    It is exact in its kind for zeros and ones. Numbers between them vary less, and it is then a little wider than it need be.
    """
    count = len(values)
    if count == 0:
        return Share(0.5, 0.0, 1.0, 0)
    mean = float(np.mean(values))
    middle = (mean + Z * Z / (2 * count)) / (1 + Z * Z / count)
    reach = Z / (1 + Z * Z / count) * math.sqrt(mean * (1 - mean) / count + Z * Z / (4 * count * count))
    return Share(mean, max(0.0, middle - reach), min(1.0, middle + reach), count)


def mean_and_error(values: np.ndarray) -> tuple[float, float]:
    """A mean, and how far its 95 % interval reaches to either side."""
    if len(values) < 2:
        return (float(np.mean(values)) if len(values) else 0.0), math.inf
    return float(np.mean(values)), Z * float(np.std(values, ddof=1)) / math.sqrt(len(values))
