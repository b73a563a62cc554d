"""The walls of thermographs in whole numbers (Siegel, Combinatorial Game Theory, section II.5; Winning Ways, chapter 6).

A wall is a tuple of points (temperature, value) from temperature −1 up to where it becomes vertical for good. All coordinates are multiples of 1/2**exponent.
Right walls go up or stand still as the temperature rises, and left walls go down or stand still; left walls are kept negated, so that both kinds only rise, by
1 a degree, and one function serves Left's maximum and Right's minimum.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

from ..engine.store import store
from ..memo import unsettled

Wall = tuple[tuple[int, int], ...]

USUAL_EXPONENT = 8
"""Finer walls than this are rare; one exponent for all others saves bringing them to the same."""

KEPT_EXPONENT = 64
"""Walls finer than this are not kept: their coordinates are long."""


class Walls(NamedTuple):
    """Both walls of a thermograph, and the temperature."""

    exponent: int
    left: Wall  # negated
    right: Wall
    temperature: int


_kept: dict[int, Walls] = store.memo()


def walls_of(value: int) -> Walls:
    """The walls of a value, given by its number in the store."""
    found: dict[int, Walls] = {}
    for follower, (left, right) in unsettled(value, _kept):
        if left:
            lefts, rights = ([found.get(one) or _kept[one] for one in side] for side in (left, right))
            found[follower] = _walls_between(lefts, rights)
        else:
            found[follower] = _walls_of_number(store.number_of(follower))
    _kept.update((one, walls) for one, walls in found.items() if walls.exponent <= KEPT_EXPONENT)
    return found.get(value) or _kept[value]


def value_at(wall: Wall, temperature: int) -> int:
    """Where a wall stands at a temperature."""
    before, value = wall[0]
    for after, higher in wall[1:]:
        if temperature <= after:
            return value + (temperature - before) * (higher != value)
        before, value = after, higher
    return value


def _walls_of_number(number: Fraction) -> Walls:
    """The walls of a number; for an integer there is only a mast."""
    exponent = max(USUAL_EXPONENT, number.denominator.bit_length() - 1)
    unit = 1 << exponent
    scaled = number.numerator * (unit // number.denominator)
    return Walls(exponent, _number_wall(-scaled, unit), _number_wall(scaled, unit), -_step(scaled, unit))


def _number_wall(value: int, unit: int) -> Wall:
    """The right wall of a number, in its units.

    A number that is an odd multiple of a step has temperature minus that step. Below it Right moves to the number a step higher; where that one is no longer
    cold, Left answers by moving to another one, which is cold for a while; and so on.
    """
    at = -_step(value, unit)
    points = [(at, value)]
    while at > -unit:
        warmer = -_step(value - at, unit)
        value += warmer - at
        points.append((warmer, value))
        at = -_step(value, unit)
        if at < warmer:
            points.append((at, value))
    return tuple(reversed(points))


def _step(value: int, unit: int) -> int:
    """The coarsest step, up to 1, that a number is a multiple of."""
    return min(value & -value, unit) if value else unit


def _walls_between(lefts: list[Walls], rights: list[Walls]) -> Walls:
    """The walls of a value from those of its options.

    Left moves to the highest of her options' right walls and pays the temperature, Right likewise; where these scaffolds meet, the mast begins.
    """
    exponent = max(max(one.exponent for one in lefts), max(one.exponent for one in rights))
    best = _highest({_finer(one.right, exponent - one.exponent) for one in lefts})
    worst = _highest({_finer(one.left, exponent - one.exponent) for one in rights})
    meeting = _meeting(best, worst)
    if meeting is None:
        exponent, best, worst = exponent + 1, _finer(best, 1), _finer(worst, 1)
        meeting = _meeting(best, worst)
        assert meeting is not None
    return Walls(exponent, _taxed(best, meeting), _taxed(worst, meeting), meeting)


def _finer(wall: Wall, bits: int) -> Wall:
    return tuple([(at << bits, value << bits) for at, value in wall]) if bits else wall


def _highest(walls: Iterable[Wall]) -> Wall:
    """The maximum of walls."""
    remaining = iter(walls)
    best = next(remaining)
    for wall in remaining:
        if best[0][1] >= wall[-1][1]:
            continue
        best = wall if wall[0][1] >= best[-1][1] else _higher(best, wall)
    return best


def _values(wall: Wall, times: list[int]) -> list[int]:
    """Where a wall stands at rising temperatures, the first of which is −1."""
    values: list[int] = []
    place, last = 0, len(wall) - 1
    start, value = wall[0]
    rises = last > 0 and wall[1][1] != value
    for at in times:
        while place < last and at >= wall[place + 1][0]:
            place += 1
            start, value = wall[place]
            rises = place < last and wall[place + 1][1] != value
        values.append(value + at - start if rises else value)
    return values


def _higher(one: Wall, other: Wall) -> Wall:
    """The maximum of two walls."""
    times = sorted({at for at, _ in one} | {at for at, _ in other})
    ones, others = _values(one, times), _values(other, times)
    points: list[tuple[int, int]] = []
    before = 0
    for at, a, b in zip(times, ones, others, strict=True):
        if points and (before < 0 < a - b or a - b < 0 < before):  # the higher one stands still and the lower one rises up to it
            points.append((points[-1][0] + abs(before), points[-1][1]))
        points.append((at, a if a >= b else b))
        before = a - b
    return _without_straight_points(points)


def _without_straight_points(points: list[tuple[int, int]]) -> Wall:
    """A wall without the points at which nothing bends."""
    kept = points[:1]
    rises = None
    for point, after in zip(points[1:], [*points[2:], None], strict=True):
        rises = point[1] != kept[-1][1]
        if rises != (after is not None and after[1] != point[1]):
            kept.append(point)
    return tuple(kept)


def _meeting(best: Wall, worst: Wall) -> int | None:
    """The first temperature at which the scaffolds, ``best − t`` and ``t − worst``, meet; None if that needs one more binary place."""
    times = sorted({at for at, _ in best} | {at for at, _ in worst})
    previous, apart = times[0], 0
    for at, a, b in zip(times, _values(best, times), _values(worst, times), strict=True):
        now = a + b - 2 * at
        if now == 0 or (now < 0 and at == previous):
            return at
        if now < 0:
            return _when_gone(previous, apart, (apart - now) // (at - previous))
        previous, apart = at, now
    return _when_gone(previous, apart, 2)


def _when_gone(at: int, apart: int, speed: int) -> int | None:
    """When a distance is gone that shrinks by ``speed`` a degree."""
    return None if apart % speed else at + apart // speed


def _taxed(wall: Wall, meeting: int) -> Wall:
    """The wall that a mover's scaffold makes up to the meeting, negated: the temperature less what the opponent leaves."""
    points = [(at, at - value) for at, value in wall if at < meeting]
    end = meeting - value_at(wall, meeting)
    if not points or points[-1][1] != end:
        points.append((meeting, end))
    return tuple(points)
