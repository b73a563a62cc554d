"""Values that nobody holds are forgotten, and nothing that was remembered of them stays behind."""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any

import ludarium.cgt
from ludarium.cgt import Value
from ludarium.cgt.engine.arena import COUNT
from ludarium.cgt.engine.store import store
from ludarium.cgt.forgetting import forget
from ludarium.cgt.values import _known


def _use(value: Value) -> tuple[Any, ...]:
    """Ask for all that is remembered."""
    weight = Value("{^|{0|*,-2}}").atomic_weight if value.is_infinitesimal else None
    return (
        str(value),
        value.braces,
        value.unicode,
        value.merkle64,
        value.stops,
        value.mean,
        value.thermograph,
        value.uptimal,
        weight,
        -value + value,
    )


def _remembered() -> dict[str, int]:
    """Sizes of everything at the top of a module that grows while values are used."""
    sizes: dict[str, int] = {}
    for found in pkgutil.walk_packages(ludarium.cgt.__path__, "ludarium.cgt."):
        module = importlib.import_module(found.name)
        for name, thing in vars(module).items():
            if isinstance(thing, dict | list) and not name.startswith("__") and thing is not _known:
                sizes[f"{found.name}.{name}"] = len(thing)
            elif hasattr(thing, "cache_info") and getattr(thing, "__module__", "") == found.name:
                sizes[f"{found.name}.{name}"] = thing.cache_info().currsize
    return sizes | {name: len(thing) for name, thing in vars(store).items() if isinstance(thing, dict)}


def test_what_is_held_stays_and_the_rest_goes() -> None:
    forget()
    held = Value("{3/8||^3*,2|-1}")
    before = held.merkle64, str(held), -held
    kept = int(store.arena.registers[COUNT])
    assert len([str(Value(f"{{{number}|*{number % 7}}}") + held) for number in range(3000)]) == 3000
    assert store.arena.registers[COUNT] > kept + 3000
    forget()
    assert store.arena.registers[COUNT] <= kept
    texts = [str(Value(f"{{{number}|*{number % 7}}}") + held) for number in range(50)]
    forget()
    assert texts == [str(Value(f"{{{number}|*{number % 7}}}") + held) for number in range(50)]
    assert (held.merkle64, str(held), -held) == before
    assert Value(before[1]) is held


def test_every_memory_is_known() -> None:
    """A new one that :mod:`ludarium.cgt.forgetting` does not empty would remember another value's result."""
    _use(Value("{1|{^<2>|*3}}"))
    forget()
    before = _remembered()
    for text in ("{7|^[3]*,v<2>}", "{2^*|*5||-3}", "+-{3,{5|2}}", "{0|*,{*|v3}}", "{^|{0|*,-2}}", f"{{0|*,1/{2**1080}}}"):
        _use(Value(text))
    forget()
    assert _remembered() == before
