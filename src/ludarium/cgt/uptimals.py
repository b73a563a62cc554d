"""Uptimals: a number plus multiples of ↑, ↑², ↑³, … plus a nimber (CGT, section II.4).

``↑ⁿ = {0 | * − ↑ − ↑² − … − ↑ⁿ⁻¹}`` is infinitesimal compared with ``↑ⁿ⁻¹``; CGSuite writes it ``^<n>``, and ``^[n]`` for the sum ``↑ + ↑² + … + ↑ⁿ``.
"""

from __future__ import annotations

from fractions import Fraction

from ludarium.errors import TooLarge

from .engine.arena import ZERO
from .engine.store import store
from .engine.structure import closed_form, options
from .literals import Uptimal
from .numbers import value_of_nimber, value_of_number
from .transforms import multiple

MOST_POWER = 256
"""The largest n of ``↑ⁿ``: it has n followers, and each takes a sum of the ones before."""


def value_of_power(power: int) -> int:
    """``↑ⁿ``, by its number in the arena.

    Raises:
        TooLarge: n is beyond :data:`MOST_POWER`.
    """
    return _built(power)[0][power]


def value_of_powers(power: int) -> int:
    """``↑ + ↑² + … + ↑ⁿ``, by its number in the arena.

    Raises:
        TooLarge: n is beyond :data:`MOST_POWER`.
    """
    return _built(power)[1][power]


def value_of_uptimal(form: Uptimal) -> int:
    """What a sum of a number, ups and a nimber is worth."""
    at = store.add(value_of_number(form.number), value_of_nimber(form.nimber))
    for power, count in enumerate(form.ups, start=1):
        at = store.add(at, multiple(value_of_power(power), count))
    return at


_powers: dict[int, int] = store.memo()
_sums: dict[int, int] = store.memo()


def _built(most: int) -> tuple[dict[int, int], dict[int, int]]:
    if most > MOST_POWER:
        raise TooLarge(f"the uptimal of order {most} is too large; orders go up to {MOST_POWER}")
    with store.lock:
        star = store.number_up_star(ZERO, 0, 1)
        for power in range(len(_sums) + 1, most + 1):
            before = _sums.get(power - 1, ZERO)
            _powers[power] = store.canonical([ZERO], [store.add(star, store.negative(before))])
            _sums[power] = store.add(before, _powers[power])
    return _powers, _sums


_found: dict[int, Uptimal | None] = store.memo()
"""What is known of values without a closed form."""


def uptimal_at(at: int) -> Uptimal | None:
    """The uptimal that a value is by its number in the arena, None if it is none."""
    form = closed_form(at)
    if form is not None:
        return _of_closed_form(*form)
    if at not in _found:
        for follower in structured_followers(at):
            if follower not in _found:
                _found[follower] = _recognised(follower)
    return _found[at]


def structured_followers(at: int) -> list[int]:
    """The positions, options first, that are reached without passing a number plus ups plus nimber, and are none themselves."""
    if closed_form(at) is not None:
        return []
    seen, waiting, found = {at}, [at], [at]
    while waiting:
        left, right = options(waiting.pop())
        for option in (*left, *right):
            if option not in seen:
                seen.add(option)
                if closed_form(option) is None:
                    waiting.append(option)
                    found.append(option)
    return sorted(found)


def _of_closed_form(number: Fraction, ups: int, nimber: int) -> Uptimal:
    return Uptimal(number, (ups,) if ups else (), nimber)


def _known(at: int) -> Uptimal | None:
    form = closed_form(at)
    return _found[at] if form is None else _of_closed_form(*form)


def _recognised(at: int) -> Uptimal | None:
    """The uptimal that a value is, when those of its options are known.

    The move of Right from ``↑ⁿ`` subtracts ``↑ + … + ↑ⁿ`` and adds ``*``; Left's from ``−↑ⁿ`` the other way round. One of these moves is an option of the
    canonical form of every uptimal that has a closed form only as an uptimal, so that adding it back to the options finds it.
    """
    lefts, rights = options(at)
    known = [_known(option) for option in (*lefts, *rights)]
    if not lefts or not rights or None in known or len({one.number for one in known if one is not None}) > 1:
        return None
    longest = 1 + max(len(one.ups) for one in known if one is not None)
    star = store.number_up_star(ZERO, 0, 1)
    for place, (option, form) in enumerate(zip((*lefts, *rights), known, strict=True)):
        if form is None or longest > MOST_POWER:
            return None
        sign = -1 if place < len(lefts) else 1
        for power in range(1, longest + 1):
            step = value_of_powers(power)
            back = store.add(star, step if sign > 0 else store.negative(step))
            if store.add(option, back) == at:
                return _incremented(form, sign, power)
    return None


def _incremented(form: Uptimal, sign: int, power: int) -> Uptimal:
    ups = [*form.ups, *[0] * (power - len(form.ups))]
    ups[:power] = [count + sign for count in ups[:power]]
    while ups and not ups[-1]:
        ups.pop()
    return Uptimal(form.number, tuple(ups), form.nimber ^ 1)
