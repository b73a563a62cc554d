"""Games made of games, all by their numbers in the arena: multiples, cooled, heated and reduced ones, ordinal sums.

All but multiples go through the followers of a canonical form from the simplest on.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import islice

from ludarium.errors import TooLarge

from .engine.arena import ZERO
from .engine.store import store
from .engine.structure import closed_form, exact_number, is_number, options
from .followers import all_followers, birthday_of_number, numbers_before
from .memo import unsettled
from .numbers import MOST_PLACES, value_of_number
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
    tax = store.number(degrees)
    gain = store.negative(tax)
    cooled: dict[int, int] = {}
    for follower, (left, right) in unsettled(value, cooled, fractions=degrees < 0):
        walls = walls_of(follower)
        if not left or not right:
            cooled[follower] = follower
        elif walls.temperature < degrees * (1 << walls.exponent):
            cooled[follower] = store.number(Fraction(walls.right[-1][1], 1 << walls.exponent))
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
    """``G : H = {G^L, G : H^L | G^R, G : H^R}`` (CGT, section II.1), G in canonical form: the sum depends on the form.

    Raises:
        TooLarge: H has more followers than can be listed.
    """
    if is_number(first) and is_number(second):
        return value_of_number(_ordinal_sum_of_numbers(store.number_of(first), store.number_of(second)))
    lefts, rights = options(first)
    sums: dict[int, int] = {}
    for follower in all_followers(second):
        left, right = options(follower)
        sums[follower] = store.canonical([*lefts, *[sums[one] for one in left]], [*rights, *[sums[one] for one in right]])
    return sums[second]


def _ordinal_sum_of_numbers(first: Fraction, second: Fraction) -> Fraction:
    """Both sign expansions one after the other: an integer grows as long as the sign is its own, and then every sign counts half of the one before."""
    if not first or not second or (first.denominator == 1 and (first > 0) == (second > 0)):
        return first + second
    days = birthday_of_number(second)
    if days > MOST_PLACES:
        raise TooLarge(f"this ordinal sum has more than {MOST_PLACES:,} binary places")
    half, before, total = Fraction(1, 2 * first.denominator), Fraction(0), first
    for number in islice(numbers_before(second), 1, None):
        total += half if number > before else -half
        half, before = half / 2, number
    return total


def reduced(value: int) -> int:
    """The reduced canonical form: of all values at an infinitesimal distance, the simplest.

    As J. P. Grossman and A. N. Siegel found (Reductions of partizan games, 2009): heat by ``*``, then read ``x*`` as ``x`` everywhere in the canonical form.
    """
    heated = heat(value, store.number_up_star(ZERO, 0, 1))
    found: dict[int, int] = {}
    for follower, (left, right) in unsettled(heated, found):
        form = closed_form(follower)
        if form is not None and form[1] == 0 and form[2] <= 1:
            found[follower] = follower if form[2] == 0 else store.number(form[0])
        else:
            found[follower] = store.canonical([found[one] for one in left], [found[one] for one in right])
    return found[heated]
