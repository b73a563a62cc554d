"""Games made of games: cooled, heated, reduced, and ordinal sums. All go through the followers of a canonical form from the simplest on."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from ludarium.errors import BadNotation

from .engine.arena import ZERO
from .engine.large import value_of
from .engine.store import store
from .engine.structure import closed_form, followers, options
from .memo import unsettled
from .thermography.walls import walls_of

if TYPE_CHECKING:
    from .values import Value

__all__ = ["cool", "heat", "ordinal_sum", "reduced"]


def cool(value: Value, temperature: int | Fraction | Value) -> Value:
    """``G_t = {G^L_t − t | G^R_t + t}``, except where a lower temperature made it a number up to an infinitesimal: that number (CGT, section II.5).

    Integers stay what they are at every temperature.

    Raises:
        BadNotation: no dyadic number from −1 on.
    """
    from .values import Value, _value

    degrees = Value(temperature).number
    if degrees is None or degrees < -1:
        raise BadNotation(f"{temperature} is no temperature to cool to: that is a number from -1 on")
    tax = Value(degrees)._at
    gain = store.negative(tax)
    cooled: dict[int, int] = {}
    for follower, (left, right) in unsettled(value._at, cooled):
        walls = walls_of(follower)
        if not left or not right:
            cooled[follower] = follower
        elif walls.temperature < degrees * (1 << walls.exponent):
            cooled[follower] = value_of(store, Fraction(walls.right[-1][1], 1 << walls.exponent))
        else:
            cooled[follower] = store.canonical(
                [store.add(cooled[one], gain) for one in left], [store.add(cooled[one], tax) for one in right]
            )
    return _value(cooled[value._at])


def heat(value: Value, temperature: int | Fraction | Value) -> Value:
    """``{heated G^L + t | heated G^R − t}``, numbers unchanged (CGT, section II.5); t may be any value.

    Raises:
        BadNotation: a temperature that is no value.
    """
    from .values import Value, _value

    gain = Value(temperature)._at
    return _value(_heated(value._at, gain))


def _heated(value: int, gain: int) -> int:
    tax = store.negative(gain)
    heated: dict[int, int] = {}
    for follower, (left, right) in unsettled(value, heated):
        if _is_number(follower):
            heated[follower] = follower
        else:
            heated[follower] = store.canonical(
                [store.add(heated[one], gain) for one in left], [store.add(heated[one], tax) for one in right]
            )
    return heated[value]


def _is_number(value: int) -> bool:
    game = store.arena.values[value]
    return int(game.nimber) == 0 and int(game.ups) == 0


def ordinal_sum(first: Value, second: Value) -> Value:
    """``G : H = {G^L, G : H^L | G^R, G : H^R}`` (CGT, section II.1), G in canonical form: the sum depends on the form."""
    from .values import _value

    lefts, rights = options(first._at)
    sums: dict[int, int] = {}
    for follower in followers(second._at):
        left, right = options(follower)
        sums[follower] = store.canonical([*lefts, *[sums[one] for one in left]], [*rights, *[sums[one] for one in right]])
    return _value(sums[second._at])


def reduced(value: Value) -> Value:
    """The reduced canonical form: of all values at an infinitesimal distance, the simplest.

    As J. P. Grossman and A. N. Siegel found (Reductions of partizan games, 2009): heat by ``*``, then read ``x*`` as ``x`` everywhere in the canonical form.
    """
    from .values import _value

    heated = _heated(value._at, store.number_up_star(ZERO, 0, 1))
    found: dict[int, int] = {}
    for follower, (left, right) in unsettled(heated, found):
        form = closed_form(follower)
        if form is not None and form[1] == 0 and form[2] <= 1:
            found[follower] = follower if form[2] == 0 else value_of(store, form[0])
        else:
            found[follower] = store.canonical([found[one] for one in left], [found[one] for one in right])
    return _value(found[heated])
