"""Thermographs drawn with Matplotlib, in the field's orientation."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ludarium.errors import LudariumError

from .drawing import MOST_TEMPERATURES, MOST_VALUES, Points, short, ticks


def plot(left: Points, right: Points, axes: Any = None) -> Any:
    """Draw on ``axes`` (new ones if none are given), and give them back: the left wall solid, the right wall dashed, the mast with an arrow.

    Raises:
        LudariumError: Matplotlib is not installed.
    """
    if axes is None:
        try:
            from matplotlib import pyplot
        except ModuleNotFoundError as missing:
            raise LudariumError("Matplotlib is not installed: pip install 'ludarium[plot]'") from missing
        axes = pyplot.subplots(layout="constrained")[1]
    foot, mean = left[-1]
    hottest = foot + max((foot + 1) / 4, Fraction(1, 4))
    for name, wall, style, colour in (("Left", left, "-", "tab:blue"), ("Right", right, "--", "tab:red")):
        axes.plot([float(value) for _, value in wall], [float(at) for at, _ in wall], style, color=colour, label=name, linewidth=2)
    axes.annotate(
        "",
        xy=(float(mean), float(hottest)),
        xytext=(float(mean), float(foot)),
        arrowprops={"arrowstyle": "-|>", "shrinkA": 0, "shrinkB": 0, "linewidth": 2},
    )
    values = [value for _, value in (*left, *right)]
    margin = max((max(values) - min(values)) / 20, Fraction(1, 4))
    lowest, highest = min(values) - margin, max(values) + margin
    every = ticks(lowest, highest, MOST_VALUES // 2)
    degrees = ticks(Fraction(-1), hottest, MOST_TEMPERATURES)
    axes.set_xticks([float(value) for value in every], [short(value) for value in every])
    axes.set_yticks([float(at) for at in degrees], [short(at) for at in degrees])
    axes.set_ylim(-1, float(hottest) * 1.02 + 0.02)
    axes.set_xlabel("value")
    axes.set_ylabel("temperature")
    axes.set_xlim(float(highest), float(lowest))
    axes.legend()
    return axes
