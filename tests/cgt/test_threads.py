"""Values in several threads at once, without the compiler, and within a bound on memory."""

from __future__ import annotations

import random
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from ludarium.cgt import Value
from ludarium.cgt.birthdays import born_by
from ludarium.cgt.engine.store import store
from ludarium.errors import TooLarge
from tests.cgt.born_by import as_game
from tests.conftest import USUAL_CACHE, Python

THREADS, SUMS = 6, 200


def work(seed: int) -> list[str]:
    """Sums of random values, and what there is to know about them."""
    values, chosen, found = born_by(2), random.Random(seed), []
    for _ in range(SUMS):
        value = Value.from_options(chosen.sample(values, 2), chosen.sample(values, 3)) + chosen.choice(values)
        found.append(
            f"{value} {value.outcome} {value.mean} {value.temperature} {value.reduced} {value.uptimal} {value.merkle64} {value <= -value}"
        )
    return found


def test_threads_find_what_one_finds() -> None:
    often = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(THREADS) as pool:
            together = list(pool.map(work, [*range(THREADS), *range(THREADS)]))
    finally:
        sys.setswitchinterval(often)
    assert together[:THREADS] == together[THREADS:] == [work(seed) for seed in range(THREADS)]


def test_equal_values_of_threads_are_one_object() -> None:
    def values(seed: int) -> dict[str, Value]:
        chosen = random.Random(99)
        made = [Value.from_options(chosen.sample(born_by(2), 3), chosen.sample(born_by(2), 3)) for _ in range(100)]
        random.Random(seed).shuffle(made)
        return {value.merkle64: value for value in made}

    with ThreadPoolExecutor(THREADS) as pool:
        first, *others = pool.map(values, range(THREADS))
    for other in others:
        assert other.keys() == first.keys()
        assert all(other[name] is value for name, value in first.items())


PROGRAM = """
from ludarium.cgt import Value
from ludarium.cgt.birthdays import born_by
values = born_by(2)
for one in values:
    for other in values:
        total = one + other
        print(total, total.outcome, total.mean, total.temperature, total.reduced, total.merkle64, one <= other)
small = [value for value in values if value.is_all_small]
print(*[Value.from_options([one], [other, "^*"]).atomic_weight for one in small for other in small])
"""


def test_the_same_code_runs_without_the_compiler(python: Python) -> None:
    plain, compiled = python(PROGRAM, NUMBA_DISABLE_JIT="1"), python(PROGRAM, NUMBA_CACHE_DIR=USUAL_CACHE)
    assert plain.stdout.count("\n") == 22 * 22 + 1
    assert plain.stdout == compiled.stdout


def test_a_bound_on_memory_ends_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    values = born_by(3)
    taken = sum(array.nbytes for array in store.arena)
    monkeypatch.setattr(store, "most_bytes", taken)
    chosen = random.Random(4)

    def without_end() -> None:
        while True:
            sum(chosen.choices(values, k=6), Value(0))

    with pytest.raises(TooLarge, match=r"^the values computed so far take \d+ MB; \d+ MB are allowed$"):
        without_end()
    monkeypatch.undo()
    one, other = values[-7], values[700]
    assert as_game((one + other) - other) == as_game(one)
