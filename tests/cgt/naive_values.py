"""Short partizan games a second time, by their definitions alone: a game is a pair of frozen sets, its Left and its Right options.

Nothing here knows the engine. Everything recurses, so that it is for small games only. The sections named are those of Siegel's Combinatorial Game Theory.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

Game = tuple[frozenset["Game"], frozenset["Game"]]

ZERO: Game = (frozenset(), frozenset())


def game(left: object = (), right: object = ()) -> Game:
    """The game with these options."""
    return frozenset(left), frozenset(right)  # type: ignore[call-overload]


@cache
def at_most(a: Game, b: Game) -> bool:
    """Whether a <= b: no Left option of a is at least b, and no Right option of b is at most a (section II.1)."""
    return not any(at_most(b, option) for option in a[0]) and not any(at_most(option, a) for option in b[1])


def equal(a: Game, b: Game) -> bool:
    return at_most(a, b) and at_most(b, a)


@cache
def added(a: Game, b: Game) -> Game:
    """The sum, in no particular form."""
    return (
        frozenset([*[added(option, b) for option in a[0]], *[added(a, option) for option in b[0]]]),
        frozenset([*[added(option, b) for option in a[1]], *[added(a, option) for option in b[1]]]),
    )


@cache
def negative(a: Game) -> Game:
    return frozenset(map(negative, a[1])), frozenset(map(negative, a[0]))


@cache
def birthday(a: Game) -> int:
    return 1 + max((birthday(option) for side in a for option in side), default=-1)


@cache
def canonical(a: Game) -> Game:
    """The canonical form: the options' canonical forms, less the dominated ones, the reversible ones bypassed, as often as that changes something (II.2)."""
    left, right = set(map(canonical, a[0])), set(map(canonical, a[1]))
    while True:
        left = {one for one in left if not any(one != other and at_most(one, other) for other in left)}
        right = {one for one in right if not any(one != other and at_most(other, one) for other in right)}
        now: Game = (frozenset(left), frozenset(right))
        back = next(((option, reply) for option in left for reply in option[1] if at_most(reply, now)), None)
        if back is not None:
            left = (left - {back[0]}) | back[1][0]
            continue
        back = next(((option, reply) for option in right for reply in option[0] if at_most(now, reply)), None)
        if back is None:
            return now
        right = (right - {back[0]}) | back[1][1]


def dominated_or_reversible(a: Game) -> list[Game]:
    """The options of a game, or of a game within, that a canonical form must not have."""
    left, right = a
    found = [
        one for one in left if any(one != other and at_most(one, other) for other in left) or any(at_most(reply, a) for reply in one[1])
    ]
    found += [
        one for one in right if any(one != other and at_most(other, one) for other in right) or any(at_most(a, reply) for reply in one[0])
    ]
    return found + [worse for option in (*left, *right) for worse in dominated_or_reversible(option)]


@cache
def integer(n: int) -> Game:
    return ZERO if n == 0 else game([integer(n - 1)]) if n > 0 else game((), [integer(n + 1)])


@cache
def number(x: Fraction) -> Game:
    """A dyadic number: ``m/2^k = {(m−1)/2^k | (m+1)/2^k}`` for odd m (II.1)."""
    if x.denominator == 1:
        return integer(x.numerator)
    step = Fraction(1, x.denominator)
    return game([number(x - step)], [number(x + step)])


@cache
def nimber(n: int) -> Game:
    smaller = [nimber(size) for size in range(n)]
    return game(smaller, smaller)


UP = game([ZERO], [nimber(1)])


@cache
def number_of(a: Game) -> Fraction | None:
    """The number that a canonical form is, None if it is none."""
    below, above = [number_of(one) for one in a[0]], [number_of(one) for one in a[1]]
    if None in below or None in above or len(below) > 1 or len(above) > 1:
        return None
    if not below or not above:
        return Fraction(0) if below == above else below[0] + 1 if below else above[0] - 1  # type: ignore[operator]
    assert below[0] is not None
    assert above[0] is not None
    return (below[0] + above[0]) / 2 if below[0] < above[0] else None


@cache
def stops(a: Game) -> tuple[Fraction, Fraction]:
    """The Left and the Right stop of a canonical form (II.3)."""
    own = number_of(a)
    if own is not None:
        return own, own
    return max(stops(one)[1] for one in a[0]), min(stops(one)[0] for one in a[1])


@cache
def temperature(a: Game) -> Fraction:
    """The temperature of a canonical form: the first multiple of ``2^−birthday`` at which the scaffolds meet (II.5).

    Every day can halve the step at which a wall bends, and no more.
    """
    if not a[0] or not a[1]:
        return Fraction(-1)
    step, at = Fraction(1, 1 << birthday(a)), Fraction(-1)
    while _scaffolds(a, at)[0] > _scaffolds(a, at)[1]:
        at += step
    return at


@cache
def _scaffolds(a: Game, at: Fraction) -> tuple[Fraction, Fraction]:
    return max(walls(one, at)[1] for one in a[0]) - at, min(walls(one, at)[0] for one in a[1]) + at


@cache
def walls(a: Game, at: Fraction) -> tuple[Fraction, Fraction]:
    """The Left and the Right wall of a canonical form's thermograph at a temperature that is a multiple of ``2^−birthday`` from −1 on."""
    if not a[0] or not a[1]:
        own = number_of(a)
        assert own is not None
        return own, own
    return _scaffolds(a, min(at, temperature(a)))


def mean(a: Game) -> Fraction:
    return walls(a, temperature(a))[0]


@cache
def times_up(a: Game) -> Game:
    """Norton's product of a canonical form and ↑, in canonical form (II.7): integers are repeated, other games take ``⇑*`` for every move."""
    if not a[0] or not a[1]:
        own = number_of(a)
        assert own is not None
        step, total = UP if own > 0 else negative(UP), ZERO
        for _ in range(abs(int(own))):
            total = canonical(added(total, step))
        return total
    more = added(added(UP, UP), nimber(1))
    return canonical(
        game([added(times_up(one), more) for one in a[0]], [added(times_up(one), negative(more)) for one in a[1]]),
    )


def weighs(a: Game, weight: Game, remote: int) -> bool:
    """Whether the difference of an all-small game and ``weight·↑`` lies between ``↓`` and ``↑`` beside a star that is remote from it (II.7)."""
    difference, bound = added(a, negative(times_up(weight))), added(UP, nimber(remote))
    return at_most(difference, bound) and at_most(negative(bound), difference)


@cache
def ordinal_sum(a: Game, b: Game) -> Game:
    return game([*a[0], *[ordinal_sum(a, one) for one in b[0]]], [*a[1], *[ordinal_sum(a, one) for one in b[1]]])


@cache
def heated(a: Game, by: Game) -> Game:
    """A canonical form heated, in canonical form (II.5): numbers stay what they are."""
    if number_of(a) is not None:
        return a
    return canonical(game([added(heated(one, by), by) for one in a[0]], [added(heated(one, by), negative(by)) for one in a[1]]))


@cache
def cooled(a: Game, by: Fraction) -> Game:
    """A canonical form cooled, in canonical form (II.5): where the tax makes it a number at a lower temperature, that number."""
    if not a[0] or not a[1]:
        return a
    if temperature(a) < by:
        return number(mean(a))
    tax = number(by)
    return canonical(game([added(cooled(one, by), negative(tax)) for one in a[0]], [added(cooled(one, by), tax) for one in a[1]]))


def differs_infinitesimally(a: Game, b: Game) -> bool:
    return stops(canonical(added(a, negative(b)))) == (0, 0)
