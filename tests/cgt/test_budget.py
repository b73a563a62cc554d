"""The engine looks up again and again from long work: at Ctrl-C, at the clock, at memory. What lies between two looks is counted in comparisons."""

from __future__ import annotations

from typing import Any

import pytest

from ludarium.cgt import Value
from ludarium.cgt.engine import store as module
from ludarium.cgt.engine.arena import PAUSED, WORK
from tests.conftest import Python

COUNTED = """
from ludarium.cgt import Value
from ludarium.cgt.engine import comparison, store as module
from ludarium.cgt.engine.arena import PAUSED, WORK

Value("^")
module.FIRST_SLICE, module.LONG_SLICE = 100, 400
made, looks, decide, operate = 0, [], comparison.decide, module.operate

def counting(arena, a, b):
    global made
    made += 1
    return decide(arena, a, b)

def looked_at(arena, *rest):
    global made
    made, allowed = 0, int(arena.registers[WORK])
    answer = operate(arena, *rest)
    looks.append((allowed, made, answer == PAUSED))
    return answer

comparison.decide, module.operate = counting, looked_at
print(sum((Value(f"+-{3 ** size}") for size in range(8)), Value(0)).stops)
print(sum(paused for _, _, paused in looks), max(allowed for allowed, _, _ in looks), max(done - allowed for allowed, done, _ in looks))
"""


def test_every_comparison_counts(python: Python) -> None:
    run = python(COUNTED, NUMBA_DISABLE_JIT="1")
    assert run.stderr == ""
    stops, looks = run.stdout.splitlines()
    assert stops == "(Fraction(1640, 1), Fraction(-1640, 1))"
    pauses, longest, beyond = map(int, looks.split())
    assert pauses > 20
    assert longest <= 400
    assert beyond < 50


def test_a_long_sum_looks_up_as_often_as_a_short_one(monkeypatch: pytest.MonkeyPatch) -> None:
    allowed: list[int] = []
    operate = module.operate

    def until_enough(arena: Any, *rest: Any) -> int:
        work = int(arena.registers[WORK])
        answer = operate(arena, *rest)
        if answer == PAUSED:
            allowed.append(work)
            if len(allowed) == 8:
                raise KeyboardInterrupt
        return int(answer)

    terms = [Value(f"{{{3**size}|{2**size}||{-size}|{-(5**size)}}}") for size in range(1, 14)]
    monkeypatch.setattr(module, "operate", until_enough)
    with pytest.raises(KeyboardInterrupt):
        sum(terms, Value(0))
    assert len(allowed) == 8
    assert max(allowed) <= module.LONG_SLICE
    monkeypatch.undo()
    assert terms[0] - terms[0] is Value(0)
