"""Atomic weights (Siegel, Combinatorial Game Theory, section II.7; Winning Ways, chapter 8).

g is the atomic weight of G when G differs from g·↑ (Norton's product) by less than play can notice beside a remote star. It is computed by the rule for
all-small games, ``{weights of G^L − 2 | weights of G^R + 2}`` with care for integers. For these the rule is a theorem. In other games a number may be
threatened: a positive one exceeds every multiple of ↑, so that it weighs more than all else there. The result then counts when it passes a test of the
definition that David Wolfe proposed for CGSuite: ``|G − g·↑| <= ↑* + kite``, where the kite is a remote star with −1 on top (an ordinal sum).
"""

from __future__ import annotations

import math

from ludarium.errors import NoAtomicWeight

from .engine.arena import ZERO
from .engine.store import store
from .engine.structure import closed_form, is_all_small
from .followers import birthday
from .memo import unsettled
from .numbers import number_text

LEAST_REMOTE = 2
"""The smallest star used as a remote one is 2 to this power."""

LEAST_HEAVY, MOST_HEAVY = 256, 1 << 40
"""The least weight of a positive number, and the most: no value has more ups."""

_candidates: dict[int, dict[int, int]] = store.memo()
"""Weights of followers, by what a number weighs."""

_shifted: dict[tuple[int, int], int] = store.memo()
"""Weights from which 2 was taken, or to which it was added."""

_reached: dict[int, int] = store.memo()
"""Results of :func:`_largest_not_reaching`: few weights, needed for many followers."""

_bits: dict[int, int] = store.memo()
_multiples: dict[int, int] = store.memo()


def atomic_weight(value: int) -> int:
    """The atomic weight of a value, both by their numbers in the arena.

    Raises:
        NoAtomicWeight: the value is no infinitesimal, or not atomic.
    """
    form = closed_form(value)
    if form is not None and not form[0]:
        return store.number(form[1])
    left, right = store.stops(value)
    if left or right:
        raise NoAtomicWeight(
            f"no atomic weight: only infinitesimals have one, and play stops here at {number_text(left)} or {number_text(right)}"
        )
    weight = _candidate(value)
    if not is_all_small(value) and not _differs_little(value, weight):
        raise NoAtomicWeight("no atomic weight: the value is infinitesimal but beside no multiple of ↑")
    return weight


def _candidate(value: int) -> int:
    """The only weight that a value can have."""
    heavy = _heavy(value)
    weights = _candidates.setdefault(heavy, {})
    for follower, (left, right) in unsettled(value, weights):
        form = closed_form(follower)
        if form is not None:
            number, ups, _ = form
            weights[follower] = store.number(ups + heavy * ((number > 0) - (number < 0)))
            continue
        lefts = list({_two_from(weights[one], -2): None for one in left})
        rights = list({_two_from(weights[one], 2): None for one in right})
        weight = store.canonical(lefts, rights)
        weight_form = closed_form(weight)
        if weight_form is not None and weight_form[1:] == (0, 0) and weight_form[0].denominator == 1:
            weight = _integer_weight(follower, lefts, rights, weight)
        weights[follower] = weight
    return weights[value]


def _two_from(weight: int, two: int) -> int:
    found = _shifted.get((weight, two))
    if found is None:
        found = _shifted[weight, two] = store.add(weight, store.number(two))
    return found


def _heavy(value: int) -> int:
    """What a positive number weighs: more than other followers do, and the same for most values, so that weights can be kept."""
    return max(LEAST_HEAVY, min(MOST_HEAVY, 4 << birthday(value).bit_length()))


def _integer_weight(value: int, lefts: list[int], rights: list[int], simplest: int) -> int:
    """Of the integers that fit between options: the largest if the value exceeds a remote star, the smallest if it falls short of it, else the simplest."""
    star = store.number_up_star(ZERO, 0, _remote(value))
    if store.at_most(star, value):
        return store.number(min(_largest_not_reaching(one) for one in rights))
    if store.at_most(value, star):
        return store.number(max(-_largest_not_reaching(store.negative(one)) for one in lefts))
    return simplest


def _largest_not_reaching(value: int) -> int:
    """The largest integer that is not at least this value."""
    found = _reached.get(value)
    if found is None:
        stop = store.stops(value)[0]
        found = math.floor(stop)
        if found == stop and store.at_most(value, store.number(found)):
            found -= 1
        _reached[value] = found
    return found


def _remote(*values: int) -> int:
    """A power of two larger than every nimber among the values' followers."""
    return 1 << max(LEAST_REMOTE, *map(_nimber_bits, values))


def _nimber_bits(value: int) -> int:
    """How many bits the largest nimber among a value's followers has."""
    for follower, (left, right) in unsettled(value, _bits):
        form = closed_form(follower)
        own = 0 if form is None else form[2].bit_length()
        _bits[follower] = max((own, *[_bits[option] for option in (*left, *right)]))
    return _bits[value]


def _differs_little(value: int, weight: int) -> bool:
    """Whether a value differs from the multiple of ↑ by at most ``↑* + kite``."""
    difference = store.add(value, store.negative(_times_up(weight)))
    size = _remote(difference, value)
    kite = [store.number_up_star(ZERO, 0, nimber) for nimber in range(size + 1)]
    bound = store.add(store.number_up_star(ZERO, 1, 1), store.canonical(kite[:-1], kite))
    return store.at_most(difference, bound) and store.at_most(store.negative(bound), difference)


def _times_up(value: int) -> int:
    """Norton's product of a value and ↑: ``{G^L·↑ + ⇑* | G^R·↑ − ⇑*}``, and for an integer so many ups (Winning Ways, chapter 8)."""
    more, less = store.number_up_star(ZERO, 2, 1), store.number_up_star(ZERO, -2, 1)
    for follower, (left, right) in unsettled(value, _multiples, fractions=True):
        if left and right:
            _multiples[follower] = store.canonical(
                [store.add(_multiples[one], more) for one in left], [store.add(_multiples[one], less) for one in right]
            )
        else:
            form = closed_form(follower)
            assert form is not None
            _multiples[follower] = store.number_up_star(ZERO, form[0].numerator, 0)
    return _multiples[value]
