"""The entry point of the engine for Python: one kernel for all operations, since every kernel would hold, and compile, all of the code below it."""

from __future__ import annotations

from typing import Any

from ludarium.core.jit import kernel

from .arena import COUNT, TESTS, UNKNOWN, ZERO
from .canonical import canonical
from .comparison import compare, compare_with_tests
from .families import number_up_star
from .interning import intern_number, reindexed
from .sums import add, evaluate, negative

ADD, NEGATIVE, COMPARE, CANONICAL, NUMBER, NUMBER_UP_STAR, EVALUATE, REINDEX, TEST = range(9)


@kernel()
def operate(arena: Any, graph: Any, operation: Any, a: Any, b: Any, c: Any) -> Any:
    """Do one operation; its answer (a value, or 1 or 0), or ``GROW``, ``PAUSED`` or ``LARGE``.

    ``ADD`` a and b, the ``NEGATIVE`` of a, whether a <= b (``COMPARE``), the ``CANONICAL`` form of a game with ``a`` left and ``b`` right options in ``lists``,
    the ``NUMBER`` of ``a`` digits in ``lists``, ``NUMBER_UP_STAR`` from the number a with b ups and nimber c, ``EVALUATE`` a graph, ``REINDEX`` an arena whose
    index is new, make ``TEST`` games of all values there are.
    """
    answer = UNKNOWN
    if operation == ADD:
        answer = add(arena, 0, a, b)
    elif operation == NEGATIVE:
        answer = negative(arena, 0, a)
    elif operation == COMPARE:
        answer = compare(arena, a, b)
    elif operation == CANONICAL:
        answer = canonical(arena, 0, a, b)
    elif operation == NUMBER:
        answer = intern_number(arena, 0, a)
    elif operation == NUMBER_UP_STAR:
        answer = number_up_star(arena, 0, a, b, c)
    elif operation == EVALUATE:
        answer = evaluate(arena, graph)
    elif operation == REINDEX:
        answer = reindexed(arena)
    elif operation == TEST:
        arena.registers[TESTS] = arena.registers[COUNT] - ZERO
        for value in range(ZERO, arena.registers[COUNT]):
            compare_with_tests(arena, value)
        answer = arena.registers[TESTS]
    return answer
