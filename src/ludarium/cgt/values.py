"""Values of short partizan games: :class:`Value`.

References: J. H. Conway, *On Numbers and Games* (ONAG); E. Berlekamp, J. Conway, R. Guy, *Winning Ways*; A. N. Siegel, *Combinatorial Game Theory* (CGT).
"""

from __future__ import annotations

import numbers
from collections.abc import Iterable
from fractions import Fraction
from functools import cmp_to_key
from typing import Any, Self
from weakref import WeakValueDictionary

from ludarium.errors import BadNotation, LudariumError

from . import transforms
from .atomic_weight import atomic_weight
from .engine.arena import ZERO
from .engine.store import store
from .engine.structure import closed_form, exact_number, followers, inner_hash, is_all_small, is_number, options
from .followers import all_followers, birthday, follower_count
from .literals import Uptimal
from .numbers import value_of_nimber, value_of_number
from .text.ordering import ordered_options
from .text.parser import parse
from .text.printing import braces_text, plain_text, unicode_text
from .thermography.thermograph import Thermograph, thermograph_of
from .uptimals import uptimal_at, value_of_uptimal

_known: WeakValueDictionary[int, Value] = WeakValueDictionary()


class Value:
    """The value of a short partizan game: what all games equal to it have in common, kept as their canonical form.

    Values are immutable, and equal values are one object: ``Value("{0|*}") is Value("^")``. Numbers and texts may stand for values: ``Value("^") + 1``,
    ``Value("^") < "1/2"``, ``Value("1/2") == 0.5``; a float counts for exactly what it is. Only ``==`` takes no text, since what is equal has to hash alike.

    ``a <= b``, ``a < b``, … compare for Left; ``a | b`` asks whether neither is at least the other (they are confused). This is no order to sort by, see
    :func:`ascending`.
    """

    __slots__ = ("__weakref__", "_at")
    _at: int

    def __new__(cls, of: Like | Uptimal = 0) -> Value:
        """The value of a text in CGSuite's notation, of a dyadic number, of an uptimal, or the same value.

        Raises:
            BadNotation: a text that is no value, or a number whose denominator is no power of two; the message points at the place.
        """
        if isinstance(of, Value):
            return of
        if isinstance(of, str):
            return _value(parse(of))
        return _value(value_of_uptimal(of) if isinstance(of, Uptimal) else value_of_number(of))

    @classmethod
    def from_options(cls, left: Iterable[Like], right: Iterable[Like]) -> Value:
        """The value of the game with these options, of which some may be dominated or reversible."""
        return _value(store.canonical([Value(one)._at for one in left], [Value(one)._at for one in right]))

    @classmethod
    def nimber(cls, size: int) -> Value:
        """``*size``: the Nim heap of ``size`` from 0 on (CGT, section I.4).

        Raises:
            BadNotation: a negative size.
        """
        return _value(value_of_nimber(size))

    @property
    def left_options(self) -> tuple[Value, ...]:
        """Left's options of the canonical form, in the order in which they are written."""
        return tuple(map(_value, ordered_options(self._at)[0]))

    @property
    def right_options(self) -> tuple[Value, ...]:
        """Right's options of the canonical form, in the order in which they are written."""
        return tuple(map(_value, ordered_options(self._at)[1]))

    @property
    def followers(self) -> tuple[Value, ...]:
        """All positions of the canonical form, itself included, every one after its own options.

        Raises:
            TooLarge: more than a million.
        """
        return tuple(map(_value, all_followers(self._at)))

    @property
    def follower_count(self) -> int:
        """How many positions the canonical form has, itself included."""
        return follower_count(self._at)

    @property
    def left_incentives(self) -> tuple[Value, ...]:
        """What Left gains by each of her options: ``G^L − G``."""
        return tuple(one - self for one in self.left_options)

    @property
    def right_incentives(self) -> tuple[Value, ...]:
        """What Right gains by each of his options: ``G − G^R``."""
        return tuple(self - one for one in self.right_options)

    @property
    def birthday(self) -> int:
        """The formal birthday: the height of the canonical form's tree."""
        return birthday(self._at)

    @property
    def outcome(self) -> str:
        """Who wins: ``L`` Left, ``R`` Right, ``N`` the next (first) player, ``P`` the previous (second) one."""
        left, right = store.at_most(ZERO, self._at), store.at_most(self._at, ZERO)
        return ("P" if right else "L") if left else ("R" if right else "N")

    @property
    def number(self) -> Fraction | None:
        """The number that this value is, None if it is none."""
        return exact_number(self._at)

    @property
    def number_up_star(self) -> tuple[Fraction, int, int] | None:
        """``(x, n, k)`` where the value is the number x plus n·↑ plus ``*k``, None elsewhere."""
        return closed_form(self._at)

    @property
    def is_number(self) -> bool:
        return self.number is not None

    @property
    def is_integer(self) -> bool:
        number = self.number
        return number is not None and number.denominator == 1

    @property
    def is_nimber(self) -> bool:
        form = self.number_up_star
        return form is not None and form[:2] == (0, 0)

    @property
    def is_number_up_star(self) -> bool:
        """Whether the value is a number plus ups (or downs) plus a nimber."""
        return self.number_up_star is not None

    @property
    def is_switch(self) -> bool:
        """Whether the value is ``{x|y}`` with numbers x >= y."""
        left, right = options(self._at)
        return not self.is_number and len(left) == len(right) == 1 and None not in map(exact_number, (*left, *right))

    @property
    def is_all_small(self) -> bool:
        """Whether in every position both players have an option or neither has (CGT, section II.4)."""
        return is_all_small(self._at)

    @property
    def is_infinitesimal(self) -> bool:
        """Whether the value lies between all negative and all positive numbers: both stops are 0."""
        return self.stops == (0, 0)

    @property
    def stops(self) -> tuple[Fraction, Fraction]:
        """The Left and the Right stop: the numbers reached when Left (Right) begins and both play until a number is reached (CGT, section II.3)."""
        return store.stops(self._at)

    @property
    def mean(self) -> Fraction:
        """The mean value: what many copies are worth, a copy (CGT, section II.5)."""
        return self.thermograph.mean

    @property
    def temperature(self) -> Fraction:
        """The temperature; that of the number m/2^k is −1/2^k (CGT, section II.5)."""
        return self.thermograph.temperature

    @property
    def thermograph(self) -> Thermograph:
        """The thermograph, exact."""
        return thermograph_of(self._at)

    def cool(self, temperature: Like) -> Value:
        """``G`` cooled by a number from −1 on: a move costs so much, down to where nobody wants to move (CGT, section II.5).

        Raises:
            BadNotation: no dyadic number from −1 on.
        """
        degrees = Value(temperature).number
        if degrees is None or degrees < -1:
            raise BadNotation(f"{temperature} is no temperature to cool to: that is a number from -1 on")
        return _value(transforms.cool(self._at, degrees))

    def heat(self, temperature: Like) -> Value:
        """``G`` heated by a value: a move earns so much, except in numbers (CGT, section II.5)."""
        return _value(transforms.heat(self._at, Value(temperature)._at))

    def ordinal_sum(self, other: Like) -> Value:
        """The ordinal sum ``self : other``, where a move in the first ends the second (CGT, section II.1); the first counts by its canonical form."""
        return _value(transforms.ordinal_sum(self._at, Value(other)._at))

    @property
    def reduced(self) -> Value:
        """The reduced canonical form: the simplest value at an infinitesimal distance (CGT, section II.6)."""
        return _value(transforms.reduced(self._at))

    @property
    def atomic_weight(self) -> Value:
        """The atomic weight (CGT, section II.7).

        Raises:
            NoAtomicWeight: the value is not atomic.
        """
        return _value(atomic_weight(self._at))

    @property
    def uptimal(self) -> Uptimal | None:
        """The value as a number plus ups of several orders plus a nimber, see :class:`.literals.Uptimal`; None if it is none."""
        return uptimal_at(self._at)

    @property
    def merkle64(self) -> str:
        """16 hexadecimal digits that depend on nothing but the canonical form's structure, in every process and on every machine."""
        return f"{inner_hash(self._at):016x}"

    @property
    def unicode(self) -> str:
        """The value in symbols: ``{0|⇑*}``, ``½``."""
        return unicode_text(self._at)

    @property
    def braces(self) -> str:
        """The value with nothing but braces, integers and ``*``."""
        return braces_text(self._at)

    def as_integer_ratio(self) -> tuple[int, int]:
        """Numerator and denominator of a number.

        Raises:
            BadNotation: the value is no number.
        """
        number = self.number
        if number is None:
            raise BadNotation(f"'{self}' is no number")
        return number.as_integer_ratio()

    def __int__(self) -> int:
        """An integer.

        Raises:
            BadNotation: the value is none; nothing is rounded.
        """
        if not self.is_integer:
            raise BadNotation(f"'{self}' is no integer")
        return self.as_integer_ratio()[0]

    def __float__(self) -> float:
        """The float nearest to a number.

        Raises:
            BadNotation: the value is no number.
        """
        above, below = self.as_integer_ratio()
        return above / below

    def __bool__(self) -> bool:
        return self._at != ZERO

    def __abs__(self) -> Value:
        """The value or its negative, whichever is at least 0.

        Raises:
            LudariumError: the value is confused with 0.
        """
        return self if _compared(self, Value(0)) >= 0 else -self

    def is_confused_with(self, other: Like) -> bool:
        """Whether neither is at least the other."""
        b = Value(other)._at
        return not store.at_most(self._at, b) and not store.at_most(b, self._at)

    def __add__(self, other: Like) -> Value:
        known = _operand(other)
        return NotImplemented if known is None else _value(store.add(self._at, known._at))

    def __radd__(self, other: Like) -> Value:
        known = _operand(other)
        return NotImplemented if known is None else known + self

    def __neg__(self) -> Value:
        return _value(store.negative(self._at))

    def __pos__(self) -> Self:
        return self

    def __sub__(self, other: Like) -> Value:
        known = _operand(other)
        return NotImplemented if known is None else self + -known

    def __rsub__(self, other: Like) -> Value:
        known = _operand(other)
        return NotImplemented if known is None else known - self

    def __mul__(self, times: int) -> Value:
        """The sum of so many copies (of the negative, below 0)."""
        if type(times) is not int:
            return NotImplemented
        return _value(transforms.multiple(self._at, times))

    __rmul__ = __mul__

    def __eq__(self, other: object) -> bool:
        if isinstance(other, int | Fraction | float):
            return self.number == other
        return self is other if isinstance(other, Value) else NotImplemented

    def __hash__(self) -> int:
        """That of the number where the value is one."""
        number = self.number
        return object.__hash__(self) if number is None else hash(number)

    def __le__(self, other: Like) -> bool:
        known = _operand(other)
        return NotImplemented if known is None else store.at_most(self._at, known._at)

    def __ge__(self, other: Like) -> bool:
        known = _operand(other)
        return NotImplemented if known is None else store.at_most(known._at, self._at)

    def __lt__(self, other: Like) -> bool:
        known = _operand(other)
        return NotImplemented if known is None else self is not known and self <= known

    def __gt__(self, other: Like) -> bool:
        known = _operand(other)
        return NotImplemented if known is None else self is not known and self >= known

    def __or__(self, other: Like) -> bool:
        known = _operand(other)
        return NotImplemented if known is None else self.is_confused_with(known)

    __ror__ = __or__

    def __str__(self) -> str:
        return plain_text(self._at)

    def __format__(self, specification: str) -> str:
        """As the text is."""
        return format(str(self), specification)

    def __repr__(self) -> str:
        return f'Value("{self}")'

    def __reduce__(self) -> Any:
        at = {one: place for place, one in enumerate(followers(self._at))}
        return _restored, (tuple(exact_number(one) or tuple(tuple(at[option] for option in side) for side in options(one)) for one in at),)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: Any) -> Self:
        return self


class _Number(Value):
    """A value that is a number, which Python may take for a rational one: ``Fraction(Value("1/2"))``."""

    __slots__ = ()

    @property
    def numerator(self) -> int:
        return self.as_integer_ratio()[0]

    @property
    def denominator(self) -> int:
        return self.as_integer_ratio()[1]


numbers.Rational.register(_Number)

Like = Value | str | int | Fraction | float
"""What may stand for a value."""


def _operand(other: object) -> Value | None:
    """What an operator may take, as a value; None for anything else."""
    if isinstance(other, Value):
        return other
    return Value(other) if isinstance(other, str | int | Fraction | float) else None


def _compared(one: Value, other: Value) -> int:
    """Below 0 if one is less than the other, 0 if both are equal, above 0 if it is greater."""
    if one.is_confused_with(other):
        raise LudariumError(f"'{one}' and '{other}' are confused: neither is at least the other")
    return (one > other) - (one < other)


_order = cmp_to_key(_compared)


def ascending(value: Value) -> Any:
    """The key to sort values by: ``sorted(values, key=ascending)``.

    Raises:
        LudariumError: when two are compared that are confused, and so have no order.
    """
    return _order(value)


def _value(at: int) -> Value:
    found = _known.get(at)
    if found is None:
        found = object.__new__(_Number if is_number(at) else Value)
        found._at = at
        found = _known.setdefault(at, found)
    return found


def _restored(structure: tuple[Fraction | tuple[tuple[int, ...], tuple[int, ...]], ...]) -> Value:
    """The value whose followers are these numbers or have these options, by their places."""
    made: list[int] = []
    for one in structure:
        if isinstance(one, Fraction):
            made.append(store.number(one))
        else:
            left, right = ([made[place] for place in side] for side in one)
            made.append(store.canonical(left, right))
    return _value(made[-1])
