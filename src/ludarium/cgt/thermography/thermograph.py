"""Thermographs: :class:`Thermograph`."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache, partial
from typing import Any

from ludarium.errors import BadNotation

from .drawing import Points, thermograph_svg
from .plotting import plot
from .walls import walls_of


@dataclass(frozen=True, slots=True, repr=False)
class Thermograph:
    """What a game is worth at every temperature from −1 on (Siegel, Combinatorial Game Theory, section II.5): two walls that meet in a mast.

    A wall is a tuple of points ``(temperature, value)``, straight in between, from temperature −1 up to the foot of the mast, which is the last point of both.
    Thermographs are immutable, and equal when they look the same.
    """

    left_wall: Points
    """Where play stops at each temperature when Left begins."""
    right_wall: Points
    """Where play stops at each temperature when Right begins."""

    @property
    def mast(self) -> tuple[Fraction, Fraction]:
        """The foot of the mast: the temperature, and the mean."""
        return self.left_wall[-1]

    @property
    def temperature(self) -> Fraction:
        """The lowest temperature at which nobody gains by moving; that of the number m/2^k is −1/2^k."""
        return self.left_wall[-1][0]

    @property
    def mean(self) -> Fraction:
        """The mean value."""
        return self.left_wall[-1][1]

    def left_stop(self, temperature: int | Fraction = 0) -> Fraction:
        """The left wall at a temperature from −1 on.

        Raises:
            BadNotation: a temperature below −1.
        """
        return _value_at(self.left_wall, Fraction(temperature))

    def right_stop(self, temperature: int | Fraction = 0) -> Fraction:
        """The right wall at a temperature from −1 on.

        Raises:
            BadNotation: a temperature below −1.
        """
        return _value_at(self.right_wall, Fraction(temperature))

    def plot(self, axes: Any = None) -> Any:
        """Draw it with Matplotlib, temperature upward and values increasing to the left; the axes drawn on (new ones if none are given).

        Raises:
            LudariumError: Matplotlib is not installed.
        """
        return plot(self.left_wall, self.right_wall, axes)

    def svg(self, *, size: int = 480, title: str | None = None) -> str:
        """A drawing in the same orientation, ``size`` pixels wide, for light and dark surroundings."""
        return thermograph_svg(self.left_wall, self.right_wall, (self.left_stop(), self.right_stop()), size=size, title=title)

    def _repr_svg_(self) -> str:
        return self.svg()

    def __repr__(self) -> str:
        walls = ", ".join(
            f"{name} wall {' '.join(f'({value}, t={at})' for at, value in wall)}"
            for name, wall in (("left", self.left_wall), ("right", self.right_wall))
        )
        return f"<Thermograph: mean {self.mean}, temperature {self.temperature}, {walls}>"


def _value_at(wall: Points, temperature: Fraction) -> Fraction:
    if temperature < -1:
        raise BadNotation(f"{temperature} is no temperature of a thermograph: these begin at -1")
    place = bisect_right(wall, temperature, key=lambda point: point[0])
    if place == len(wall):
        return wall[-1][1]
    (below, value), (above, other) = wall[place - 1], wall[place]
    return value + (other - value) / (above - below) * (temperature - below)


@lru_cache(4096)
def thermograph_of(value: int) -> Thermograph:
    """The thermograph of a value, given by its number in the arena."""
    walls = walls_of(value)
    # Coordinates recur, and to bring long ones to lowest terms takes time.
    exact = cache(partial(Fraction, denominator=1 << walls.exponent))
    mast = walls.temperature, walls.right[-1][1]

    def points(wall: tuple[tuple[int, int], ...], sign: int) -> Points:
        known = wall if wall[-1][0] == walls.temperature else (*wall, (walls.temperature, sign * mast[1]))
        return tuple((exact(at), exact(sign * here)) for at, here in known)

    return Thermograph(points(walls.left, -1), points(walls.right, 1))
