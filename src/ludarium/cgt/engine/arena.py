"""Where values are kept: arrays that grow, in which every value has a number and no two numbers are equal games.

A value is its row in ``values`` and its options' numbers in ``options``. Options are kept before the values that have them, so that numbers are in topological
order. Of a value that is a number only the digits are kept, in ``numbers``.
Number 0 is a place for the game whose canonical form is being computed.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

TEMPORARY = 0
"""The number of the game whose canonical form is being computed."""

ZERO = 1
"""The number of the value 0, the first that is made."""

UNKNOWN, GROW, PAUSED, LARGE = -1, -2, -3, -4
"""Answers that are no result: not known at once; an array is full (``NEEDED`` says which) or the work allowed is done, where calling again goes on; a
number has an integer part of more than 62 bits."""

ABSENT = -1
"""In ``nimber``: not a number plus ups plus a nimber. In ``negative``: not computed yet. In ``left_number``: no option leads to a stop."""

COUNT, OPTIONS_END, WORK, NEEDED, SERIAL, TESTS, DONE, NUMBERS_END, FOUND = range(9)
"""Registers: values kept, options kept, work left, the array that is full, a name for the temporary game, test games, nodes evaluated, digits kept, and how
often something was found that memos keep."""

VALUES, OPTIONS, FRAMES, CALLS, LISTS, NUMBERS = range(6)
"""Values of ``NEEDED``."""

MOST_TESTS = 64

VALUE = np.dtype(
    (
        np.record,
        [
            ("left_stop", np.float64),  # exact; NaN where it does not fit
            ("right_stop", np.float64),
            ("low", np.uint64),  # bit i: test game i <= this one
            ("high", np.uint64),  # bit i: this one <= test game i
            ("left", np.int32),  # where its left options begin; the right ones stand behind them
            ("left_count", np.int32),
            ("right_count", np.int32),
            ("left_number", np.int32),  # the left stop as a value; a number's is itself
            ("right_number", np.int32),  # the right one; of a number, where in ``numbers`` its digits are
            ("negative", np.int32),  # the number of its negative
            ("ups", np.int32),  # of a number plus ups plus a nimber, this many ups
            ("nimber", np.int32),  # and this nimber
        ],
    )
)


class Arena(NamedTuple):
    """The arrays. Sizes are powers of two; every one may be replaced by a longer copy."""

    values: np.ndarray  # VALUE[values]
    options: np.ndarray  # int32[options]
    index: np.ndarray  # int32[2 * values]: values by the hash of their options
    comparisons: np.ndarray  # int64[entries]: answers of <= already found; newer ones replace older ones
    sums: np.ndarray  # int64[2 * entries]: pairs already added, and their sums
    frames: np.ndarray  # int64[frames]: the stack of a comparison
    calls: np.ndarray  # int64[calls]: the stack of a sum
    numbers: np.ndarray  # int64[...]: of each number how many digits it has, and the digits, see digits.py
    lists: np.ndarray  # int64[lists]: options of games that are being made
    tests: np.ndarray  # uint64[2 * MOST_TESTS]: the left and the right options of test games, as sets of test games
    registers: np.ndarray  # int64[16]


def new_arena() -> Arena:
    """A small empty arena."""
    registers = np.zeros(16, np.int64)
    registers[COUNT] = ZERO
    registers[SERIAL] = 1 << 30
    values = np.zeros(1 << 12, VALUE)
    values["negative"] = ABSENT
    return Arena(
        values=values,
        options=np.zeros(1 << 14, np.int32),
        index=np.zeros(1 << 13, np.int32),
        comparisons=np.zeros(1 << 16, np.int64),
        sums=np.zeros(1 << 15, np.int64),
        frames=np.zeros(1 << 12, np.int64),
        calls=np.zeros(1 << 10, np.int64),
        numbers=np.zeros(1 << 10, np.int64),
        lists=np.zeros(1 << 14, np.int64),
        tests=np.zeros(2 * MOST_TESTS, np.uint64),
        registers=registers,
    )


LARGEST_MEMO = 1 << 22


def grown(arena: Arena, reindex: Any) -> Arena:
    """The same arena with twice the room in the array that was full; ``reindex`` is the kernel that fills a new ``index``."""
    needed = int(arena.registers[NEEDED])
    if needed != VALUES:
        name = {OPTIONS: "options", FRAMES: "frames", CALLS: "calls", LISTS: "lists", NUMBERS: "numbers"}[needed]
        return arena._replace(**{name: _doubled(getattr(arena, name))})
    larger = arena._replace(values=_doubled(arena.values), index=np.zeros(2 * len(arena.index), np.int32))
    larger.values["negative"][len(arena.values) :] = ABSENT
    if len(arena.comparisons) < LARGEST_MEMO:  # memos start anew: what they held is found again by need
        larger = larger._replace(comparisons=np.zeros(2 * len(arena.comparisons), np.int64), sums=np.zeros(2 * len(arena.sums), np.int64))
    reindex(larger)
    return larger


def shortened(arena: Arena, last: int, reindex: Any) -> Arena:
    """The same arena without the values after ``last``, and no longer than need be; ``reindex`` as for :func:`grown`."""
    count = last + 1
    kept = arena.values[:count]
    is_number = kept["left_number"] == np.arange(count)
    for side in (
        "left_count",
        "right_count",
    ):  # options of numbers are written when they are wanted, so that they may be later than the number
        kept[side][is_number] = 0
    end = int((kept["left"] + kept["left_count"] + kept["right_count"])[~is_number].max(initial=0))
    digits = kept["right_number"][is_number]
    shorter = new_arena()
    size = len(shorter.values)
    while size < 2 * count:
        size *= 2
    times = size // len(shorter.values)
    values = np.zeros(size, VALUE)
    values[:count] = kept
    values["negative"][values["negative"] > last] = ABSENT
    values["negative"][count:] = ABSENT
    options = np.zeros(max(len(shorter.options), 1 << (2 * end - 1).bit_length()), np.int32)
    options[:end] = arena.options[:end]
    memo = min(times * len(shorter.comparisons), LARGEST_MEMO)
    registers = arena.registers.copy()
    registers[COUNT], registers[OPTIONS_END] = count, end
    registers[NUMBERS_END] = int((digits + 1 + arena.numbers[digits]).max(initial=0))
    shorter = arena._replace(
        values=values,
        options=options,
        index=np.zeros(2 * size, np.int32),
        comparisons=np.zeros(memo, np.int64),
        sums=np.zeros(memo // 2, np.int64),
        registers=registers,
    )
    reindex(shorter)
    return shorter


def _doubled(array: np.ndarray) -> np.ndarray:
    longer = np.zeros(2 * len(array), array.dtype)
    longer[: len(array)] = array
    return longer
