"""Games made of games, all by their numbers in the arena: multiples, cooled, heated and reduced ones, ordinal sums.

All but multiples go through the followers of a canonical form from the simplest on.
"""

from __future__ import annotations

from fractions import Fraction

from .engine.arena import ZERO
from .engine.store import store
from .engine.structure import closed_form, exact_number, followers, options
from .memo import unsettled
from .thermography.walls import walls_of


def multiple(value: int, times: int) -> int:
    """The sum of so many copies (of the negative, below 0)."""
    total, power, left = ZERO, value if times >= 0 else store.negative(value), abs(times)
    while left:
        if left & 1:
            total = store.add(total, power)
        left >>= 1
        if left:
            power = store.add(power, power)
    return total


def cool(value: int, degrees: Fraction) -> int:
    """``G_t = {G^L_t − t | G^R_t + t}``, except where a lower temperature made it a number up to an infinitesimal: that number (CGT, section II.5).

    Integers stay what they are at every temperature. ``degrees`` is a dyadic number from −1 on.
    """
    tax = store.value_of(degrees)
    gain = store.negative(tax)
    cooled: dict[int, int] = {}
    for follower, (left, right) in unsettled(value, cooled):
        walls = walls_of(follower)
        if not left or not right:
            cooled[follower] = follower
        elif walls.temperature < degrees * (1 << walls.exponent):
            cooled[follower] = store.value_of(Fraction(walls.right[-1][1], 1 << walls.exponent))
        else:
            cooled[follower] = store.canonical(
                [store.add(cooled[one], gain) for one in left], [store.add(cooled[one], tax) for one in right]
            )
    return cooled[value]


def heat(value: int, gain: int) -> int:
    """``{heated G^L + t | heated G^R − t}``, numbers unchanged (CGT, section II.5); t, the gain, may be any value."""
    tax = store.negative(gain)
    heated: dict[int, int] = {}
    for follower, (left, right) in unsettled(value, heated):
        if exact_number(follower) is not None:
            heated[follower] = follower
        else:
            heated[follower] = store.canonical(
                [store.add(heated[one], gain) for one in left], [store.add(heated[one], tax) for one in right]
            )
    return heated[value]


def ordinal_sum(first: int, second: int) -> int:
    """``G : H = {G^L, G : H^L | G^R, G : H^R}`` (CGT, section II.1), G in canonical form: the sum depends on the form."""
    lefts, rights = options(first)
    sums: dict[int, int] = {}
    for follower in followers(second):
        left, right = options(follower)
        sums[follower] = store.canonical([*lefts, *[sums[one] for one in left]], [*rights, *[sums[one] for one in right]])
    return sums[second]


def reduced(value: int) -> int:
    """The reduced canonical form: of all values at an infinitesimal distance, the simplest.

    As J. P. Grossman and A. N. Siegel found (Reductions of partizan games, 2009): heat by ``*``, then read ``x*`` as ``x`` everywhere in the canonical form.
    """
    heated = heat(value, store.number_up_star(ZERO, 0, 1))
    found: dict[int, int] = {}
    for follower, (left, right) in unsettled(heated, found):
        form = closed_form(follower)
        if form is not None and form[1] == 0 and form[2] <= 1:
            found[follower] = follower if form[2] == 0 else store.value_of(form[0])
        else:
            found[follower] = store.canonical([found[one] for one in left], [found[one] for one in right])
    return found[heated]
