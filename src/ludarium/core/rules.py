"""The functions that are the rules of a game, declared once and implemented by every game.

A *generic function* is declared here as a stub. A game registers its implementation for the class of its *tables*, a ``NamedTuple`` of arrays and
numbers that never change during a game::

    @legal_actions.implement(ExpendibotsTables)
    def expendibots_legal_actions(tables, state, player, slot, out): ...

Compiled code that calls ``legal_actions(tables, state, player, slot, out)`` gets that implementation at compile time, without a call through a
pointer; in plain Python mode the call looks at ``type(tables)``.

Shapes and types used throughout:

``state``
    one record of the game's structured dtype. Unused bytes are zero, so that equal states have equal bytes.
``player``, ``slot``, action
    64-bit integers from 0. A player of a *flat* game chooses in slot 0; where a player gives a vector of orders, each order has a slot.
``joint``
    ``int64[players, slots]``: what each player who is to move chose in each slot. Other entries are not read. Where players act independently
    (``Game.independent``), −1 in the slots of one who is to move says that this player does not act yet.
``out``
    an array to write into, large enough.
``generator``
    ``uint64[1]``, see :mod:`ludarium.core.random`.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, Generic, ParamSpec, Protocol, TypeVar, cast

import numba
from numba.extending import overload

from .jit import INNER, JIT, compiled
from .random import random_below

CHANCE = -1
"""What ``to_move`` answers when dice are to fall, and the player number of chance."""

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result", covariant=True)

_RESULTS: dict[str, str] = {"int": "int64", "float": "float64", "None": "", "bool": "boolean"}
_classes_by_name: dict[str, type] = {}
_generics_by_name: dict[str, str] = {}


class Rule(Protocol[Parameters, Result]):
    """What :func:`generic` makes of a stub: a function to call, in compiled code and in Python, that games implement as :class:`GenericFunction` says."""

    implementations: dict[type, Callable[..., Any]]
    implement: Callable[[type], Callable[[Callable[..., Any]], Callable[..., Any]]]
    implemented_for: Callable[[Any], bool]

    def __call__(self, *args: Parameters.args, **kwargs: Parameters.kwargs) -> Result: ...


class GenericFunction(Generic[Parameters, Result]):
    """A stub whose implementation is chosen by the class of its first argument, the tables."""

    def __init__(self, stub: Callable[Parameters, Result]) -> None:
        self.name = stub.__name__
        self.parameters = tuple(inspect.signature(stub).parameters)
        annotation = stub.__annotations__.get("return")
        self.result = annotation.__name__ if isinstance(annotation, type) else str(annotation)
        if self.result not in _RESULTS:
            raise TypeError(f"{self.name}: the result of a generic function is annotated with one of {', '.join(_RESULTS)}")
        self.implementations: dict[type, Callable[..., Any]] = {}
        if self.parameters[0] != "tables":
            raise TypeError(f"{self.name}: the first parameter of a generic function is 'tables'")
        module = _generics_by_name.setdefault(self.name, stub.__module__)
        if module != stub.__module__:
            raise TypeError(f"a generic function named {self.name} exists already, in {module}; machine code is found by that name")

    def implement(self, tables_class: type) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Register the implementation for a tables class; for ``object``, what games do that have none of their own.

        Raises:
            TypeError: the parameters differ from the stub's, this class has an implementation already, or another tables class has the same name
                (machine code in Numba's cache is found by that name).
        """

        def register(function: Callable[..., Any]) -> Callable[..., Any]:
            if tuple(inspect.signature(function).parameters) != self.parameters:
                raise TypeError(f"{function.__name__}: the parameters of {self.name} are ({', '.join(self.parameters)})")
            known = _classes_by_name.setdefault(tables_class.__name__, tables_class)
            if known is not tables_class:
                raise TypeError(f"a tables class named {known.__name__} exists already, in {known.__module__}; these names are unique")
            if tables_class in self.implementations:
                raise TypeError(f"{self.name} is implemented for {tables_class.__name__} already")
            function.__qualname__ = f"{self.name}__{tables_class.__name__}"
            self.implementations[tables_class] = compiled(function)
            return self.implementations[tables_class]

        return register

    def implemented_for(self, tables: Any) -> bool:
        """Whether the game of these tables implements this function (some are optional)."""
        return type(tables) in self.implementations

    def of(self, tables_class: type) -> Callable[..., Any]:
        found = self.implementations.get(tables_class) or self.implementations.get(object)
        if found is None:
            raise TypeError(f"{self.name} is not implemented for {tables_class.__name__}")
        return found


def generic(stub: Callable[Parameters, Result]) -> Rule[Parameters, Result]:
    """Declare a generic function. Its annotated result is one of ``int`` (64 bits), ``float``, ``bool`` and ``None``."""
    function = GenericFunction(stub)
    arguments = ", ".join(function.parameters)
    namespace: dict[str, Any] = {"__name__": __name__, "function": function, "type_of": type}
    exec(f"def {function.name}({arguments}):\n    return function.of(type_of(tables))({arguments})\n", namespace)
    face = namespace[function.name]
    face.__doc__, face.__module__, face.__annotations__ = stub.__doc__, stub.__module__, stub.__annotations__
    face.implement = function.implement
    face.implemented_for = function.implemented_for
    face.implementations = function.implementations
    if JIT:
        exec(f"def choose({arguments}):\n    return chosen(tables)\n", namespace)
        namespace["chosen"] = functools.partial(_typed_call, function)
        overload(face, jit_options=cast(Any, INNER))(namespace["choose"])
    return face


def _typed_call(function: GenericFunction[Any, Any], tables_type: Any) -> Callable[..., Any] | None:
    """A function that calls the implementation for a Numba tables type and fixes the type of its result."""
    if not isinstance(tables_type, numba.types.NamedTuple | numba.types.NamedUniTuple):
        return None
    tables_class: type = cast(Any, tables_type).instance_class
    arguments = ", ".join(function.parameters)
    call = f"implementation({arguments})"
    kind = _RESULTS[function.result]
    body = f"return {kind}({call})" if kind else call
    name = f"{function.name}__{tables_class.__name__}__call"
    namespace: dict[str, Any] = {"__name__": __name__, "implementation": function.of(tables_class)}
    if kind:
        namespace[kind] = getattr(numba.types, kind)
    exec(f"def {name}({arguments}):\n    {body}\n", namespace)
    return namespace[name]


@generic
def to_move(tables: Any, state: Any) -> int:
    """Who acts now: a bit mask of players (several bits: together), ``CHANCE`` at dice, 0 when the game is over."""
    ...


@generic
def legal_actions(tables: Any, state: Any, player: Any, slot: Any, out: Any) -> int:
    """Write a player's legal actions (``int64``, distinct, in a fixed order) for one slot into ``out``; how many there are."""
    ...


@generic
def apply_actions(tables: Any, state: Any, joint: Any) -> None:
    """Change the state by what every player who is to move chose (``joint``). Legality is the caller's business."""
    ...


@generic
def returns(tables: Any, state: Any, out: Any) -> None:
    """Write every player's return (``float64[players]``, −1 to 1, zero-sum for two players) of a finished game; zeros before."""
    ...


@generic
def outcomes(tables: Any, state: Any, player: Any, memory: Any, out: Any) -> int:
    """Write how the game ends for the player to move after each legal action, if both play perfectly from there, into ``out`` (``int8``): 1 won, 0 drawn,
    −1 lost, in the order of ``legal_actions``; how many actions there are, or −1 for positions that it cannot tell of. Optional.

    ``memory`` (``uint64[2^k]``, k at least 14, zeros before the first call) is what it needs to search, and what it remembers for other positions of the same
    game."""
    ...


@generic
def copy_state(tables: Any, source: Any, target: Any) -> None:
    """Copy a state. Games with much room in their records copy what is in use of it; the target's unused bytes are not cleared."""
    ...


def copy_record(source: Any, target: Any) -> None:
    """Copy all fields of a record into another one of the same dtype, in compiled code or in Python."""
    for name in source.dtype.names:
        target[name] = source[name]


def _copy_of_fields(source: Any, target: Any) -> Callable[..., Any]:
    """What Numba compiles for a type of records: loops over the fields' elements, which become copies of memory."""
    lines = ["def copy(source: Any, target: Any):"]  # the same parameters as here, which Numba compares
    for name in source.dtype.names:
        shape = source.dtype[name].shape
        lines += [f"{' ' * axis} for i{axis} in range({length}):" for axis, length in enumerate(shape)]
        element = f"{name}[{', '.join(f'i{axis}' for axis in range(len(shape)))}]" if shape else name
        lines.append(f"{' ' * len(shape)} target.{element} = source.{element}")
    namespace: dict[str, Any] = {"__name__": __name__}
    exec("\n".join(lines), namespace)
    return namespace["copy"]


if JIT:
    overload(copy_record, jit_options=cast(Any, INNER))(_copy_of_fields)


@copy_state.implement(object)
def copy_whole_state(tables: Any, source: Any, target: Any) -> None:
    copy_record(source, target)


@generic
def observe(tables: Any, state: Any, player: Any, out: Any) -> None:
    """Write what a player may know into ``out`` (``float32``, of the game's observation shape): zeros, or what ``clear_observation`` has left."""
    ...


@generic
def clear_observation(tables: Any, state: Any, player: Any, out: Any) -> None:
    """Optional: take out of ``out`` what ``observe`` wrote of this state for this player, so that it is fit for any other observation of these tables.

    What every observation has in common, or fills over, may stay. Games whose observations are large and mostly zeros save writing all these again.
    """
    ...


@clear_observation.implement(object)
def clear_whole_observation(tables: Any, state: Any, player: Any, out: Any) -> None:
    flat = out.reshape(-1)
    for index in range(flat.size):
        flat[index] = 0.0


@generic
def sample_chance(tables: Any, state: Any, generator: Any) -> int:
    """Draw an outcome of the dice that are to fall, by its probability. The state does not change. Games without chance leave it out."""
    ...


@sample_chance.implement(object)
def no_sample_chance(tables: Any, state: Any, generator: Any) -> Any:
    return 0


@generic
def apply_chance(tables: Any, state: Any, outcome: Any) -> None:
    """Change the state by an outcome of the dice. Games without chance leave it out."""
    ...


@apply_chance.implement(object)
def no_apply_chance(tables: Any, state: Any, outcome: Any) -> None:
    pass


@generic
def chance_outcomes(tables: Any, state: Any, outcomes: Any, probabilities: Any) -> int:
    """Write all outcomes (``int64``) of the dice and their probabilities (``float64``, sum 1); how many there are."""
    ...


@generic
def conceal(tables: Any, state: Any, player: Any) -> None:
    """Blank what a player may not know; player −1 is somebody who only watches, and may know what everybody knows.

    Who is to move, and what this player may do, stay as they are. Games without hidden information leave it out.
    """
    ...


@conceal.implement(object)
def no_conceal(tables: Any, state: Any, player: Any) -> None:
    pass


@generic
def resample_hidden(tables: Any, state: Any, player: Any, generator: Any) -> None:
    """Replace what a player (−1: who only watches) may not know by a draw that agrees with what that player knows.

    The draw may not depend on what is hidden: of a concealed state it is the same. Games without hidden information leave it out.
    """
    ...


@resample_hidden.implement(object)
def no_resample_hidden(tables: Any, state: Any, player: Any, generator: Any) -> None:
    pass


@generic
def leave(tables: Any, state: Any, player: Any) -> None:
    """Optional: change a running state by a player's leaving, after which the player is never to move. The others play on.

    Without it, a default or random action is played for the player. Players who left rank behind all others in any case.
    """
    ...


@generic
def evaluate(tables: Any, state: Any, player: Any) -> int:
    """Optional: how good a running game is for a player to move or not, in hundredths of the game's unit, between −20,000 and 20,000."""
    ...


@generic
def tactical_actions(tables: Any, state: Any, player: Any, out: Any) -> int:
    """Optional: write the legal actions that a search must look at before it trusts ``evaluate`` (captures, explosions); how many."""
    ...


@generic
def random_action(tables: Any, state: Any, player: Any, slot: Any, generator: Any, scratch: Any) -> int:
    """Optional: draw one of a player's legal actions, each with the same probability, faster than by listing them all.

    ``scratch`` has room for the list (``int64``, at least ``max_actions``).
    """
    ...


@random_action.implement(object)
def random_action_from_list(tables: Any, state: Any, player: Any, slot: Any, generator: Any, scratch: Any) -> Any:
    return scratch[random_below(generator, legal_actions(tables, state, player, slot, scratch))]


@generic
def position_key(tables: Any, state: Any) -> int:
    """Optional: a 64-bit hash of all that decides the future of a game but its history and its age."""
    ...


UNKNOWN = 1 << 20
"""What ``known_ending`` answers where it does not know."""


@generic
def known_ending(tables: Any, endgames: Any, state: Any) -> int:
    """Optional: how a running game ends if nobody errs: the player to move wins with the n-th action from here (n) or loses (−n), it is drawn (0), or UNKNOWN.

    ``endgames`` is what ``Game.make_endgames`` provides: a ``NamedTuple`` of arrays and numbers.
    """
    ...


@compiled
def is_over(tables: Any, state: Any) -> bool:
    """Whether the game has ended: nobody is to move."""
    return to_move(tables, state) == 0
