"""Sums of components as rows of numbers, for searching: values that are known are merged, what cancels is gone, and many sums are decided at a glance.

A row belongs to the player to move, who is always called Left: a sum in which Right is to move is searched as its negative. It holds how many terms there
are, a number (in units of ``1/ONE``), ups, a nimber, and the terms, sorted. A term is a component that is searched (twice its node, plus one for its
negative) or a value that is no number plus ups plus a nimber (``VALUES`` plus twice the lesser of its and its negative's number, plus one for the latter).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludarium.core.bits import count_bits
from ludarium.core.jit import compiled, subroutine
from ludarium.core.rules import generic

from ..engine.arena import ABSENT
from ..positions.compiled import words_in

COUNT, NUMBER, UPS, NIMBER, FIRST = range(5)
"""Places in a row."""

MOST_TERMS = 120
"""The most terms of a row; a position has no more components than squares."""

VALUES = 1 << 40

ONE = 1 << 40
"""The unit of numbers. One that is no multiple of its inverse, or very large, remains a term."""

LARGEST = 1 << 20

UNSEEN, OPEN, WANTED, NOTHING = range(4)
"""What is known of a node: nothing; that it is searched; that its value is asked for; that it is 0."""

WANTED_COUNT, VALUED_SQUARES, SEARCHED, ASKED, PROOF, DISPROOF, PLACED = range(7)
"""Registers: nodes whose values are asked for, the most squares of such components, positions searched, the node that Python is to expand, what is
known of the root, and whether its row is written: 1, or −1 in part."""

TEST_UPS, TEST_NIMBERS = 4, 4
"""The sums of ups and nimbers that ``tests`` has: −4 to 4 ups, nimbers below 4."""


class Search(NamedTuple):
    """What a search works with, beside the graph of components."""

    values: np.ndarray  # the engine's values
    options: np.ndarray  # and their options
    tests: np.ndarray  # int64[2 * TEST_UPS + 1, TEST_NIMBERS]: which test game of the engine ups and a nimber are, −1 for none
    results: np.ndarray  # int64[nodes]: numbers of values, 0 where none is known
    seen: np.ndarray  # int8[nodes]: UNSEEN, OPEN, WANTED, NOTHING
    hashes: np.ndarray  # uint64[nodes]
    bounds: np.ndarray  # float64[nodes, 2]: what the Left stop does not exceed, what the Right stop reaches
    wanted: np.ndarray  # int64[...]: nodes whose values are asked for
    rows: np.ndarray  # int64[depth, FIRST + MOST_TERMS]
    frames: np.ndarray  # int64[depth, ...], see searching.py
    children: np.ndarray  # int64[..., ...], see searching.py
    table: np.ndarray  # uint64[entries, 3], see searching.py
    registers: np.ndarray  # int64[8]


@generic
def at_a_glance(tables: Any, position: Any, out: Any) -> int:
    """1 if a component is seen to be 0; else 0, with bounds of its stops in ``out`` (``float64[2]``: Left's is at most, Right's at least that)."""
    ...


@at_a_glance.implement(object)
def nothing_at_a_glance(tables: Any, position: Any, out: Any) -> Any:
    out[0] = np.inf
    out[1] = -np.inf
    return 0


@compiled
def _mix(bits: Any) -> Any:
    """64 bits mixed."""
    mixed = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))


@subroutine
def _look_at(tables: Any, work: Any, search: Any, node: Any) -> None:
    """See a component for the first time: its hash, its bounds, and whether its value is to be computed."""
    start = work.nodes[node]
    position = work.words[start:]
    mixed = np.uint64(0)
    for word in range(words_in(position)):
        mixed = _mix(mixed ^ position[word]) + np.uint64(0x9E3779B97F4A7C15)
    search.hashes[node] = mixed
    if at_a_glance(tables, position, search.bounds[node]) == 1:
        search.seen[node] = NOTHING
        return
    if count_bits(position[1]) > search.registers[VALUED_SQUARES]:
        search.seen[node] = OPEN
    elif search.registers[WANTED_COUNT] < len(search.wanted):  # else it is seen again, when there is room
        search.seen[node] = WANTED
        search.wanted[search.registers[WANTED_COUNT]] = node
        search.registers[WANTED_COUNT] += 1


@compiled
def _insert(row: Any, term: Any, opposite: Any) -> None:
    """Add a term, or remove the one that cancels it."""
    end = FIRST + row[COUNT]
    for place in range(FIRST, end):
        if row[place] == opposite:
            for behind in range(place, end - 1):
                row[behind] = row[behind + 1]
            row[COUNT] -= 1
            return
    place = end
    while place > FIRST and row[place - 1] > term:
        row[place] = row[place - 1]
        place -= 1
    row[place] = term
    row[COUNT] += 1


@subroutine
def add_value(search: Any, row: Any, value: Any, sign: Any) -> None:
    """Add a value, or with sign 1 its negative, to a row that has room."""
    game = search.values[value]
    negative = int(game.negative)
    nimber = int(game.nimber)
    if nimber != ABSENT:
        units = game.left_stop * ONE
        if abs(units) < LARGEST * ONE and units == np.floor(units):
            row[NUMBER] += -np.int64(units) if sign else np.int64(units)
            row[UPS] += -int(game.ups) if sign else int(game.ups)
            row[NIMBER] ^= nimber
            return
    if negative == value:
        _insert(row, VALUES + 2 * value, VALUES + 2 * value)
        return
    if negative != ABSENT and negative < value:
        value = negative
        sign ^= 1
    term = VALUES + 2 * value + sign
    _insert(row, term, term ^ 1)


@subroutine
def add_term(tables: Any, work: Any, search: Any, row: Any, term: Any) -> None:
    """Add a component (a term of the graph) to a row that has room."""
    node = term >> 1
    if search.seen[node] == UNSEEN:
        _look_at(tables, work, search, node)
    if search.seen[node] == NOTHING:
        return
    if search.results[node] > 0:
        add_value(search, row, search.results[node], term & 1)
    else:
        _insert(row, term, term ^ 1)


@compiled
def negate(search: Any, row: Any) -> None:
    """Exchange the players. Terms stay sorted, since a term and its negative are never there at once."""
    row[NUMBER] = -row[NUMBER]
    row[UPS] = -row[UPS]
    for place in range(FIRST, FIRST + row[COUNT]):
        term = row[place]
        if term < VALUES or int(search.values[(term - VALUES) >> 1].negative) != (term - VALUES) >> 1:
            row[place] = term ^ 1


@subroutine
def key_of(search: Any, row: Any) -> Any:
    """64 bits for a row; they do not depend on the numbers of nodes."""
    key = _mix(np.uint64(row[NUMBER]) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(row[UPS] * 0x10001 + row[NIMBER]))
    for place in range(FIRST, FIRST + row[COUNT]):
        term = row[place]
        if term < VALUES:
            key += _mix(search.hashes[term >> 1] + np.uint64(term & 1))
        else:
            key += _mix(np.uint64(term))
    return key | np.uint64(1)


@subroutine
def decided(search: Any, row: Any) -> Any:
    """1 if Left, to move, is seen to win, −1 if she is seen to lose, else 0.

    With no terms there is a number, ups and a nimber (Siegel, section II.4). Left wins if her stop is positive and loses if it is negative; the stop of a sum
    is at most the sum of the Left stops and at least that of one Left stop and all other Right stops (section II.3).
    """
    count, ups, nimber = row[COUNT], row[UPS], row[NIMBER]
    if count == 0:
        if row[NUMBER] != 0:
            return 1 if row[NUMBER] > 0 else -1
        if ups == 0:
            return 1 if nimber != 0 else -1
        return 1 if ups > 0 or (ups == -1 and nimber == 1) else -1
    upper = lower = row[NUMBER] / ONE
    gain = 0.0
    for place in range(FIRST, FIRST + count):
        term = row[place]
        if term < VALUES:
            left, right = search.bounds[term >> 1, 0], search.bounds[term >> 1, 1]
        else:
            game = search.values[(term - VALUES) >> 1]
            left, right = game.left_stop, game.right_stop
        if term & 1:
            left, right = -right, -left
        upper += left
        lower += right
        if term >= VALUES:
            gain = max(gain, left - right)
    if upper < 0.0:
        return -1
    if lower + gain > 0.0:
        return 1
    if count == 1 and row[FIRST] >= VALUES and row[NUMBER] == 0 and abs(ups) <= TEST_UPS and nimber < TEST_NIMBERS:
        term = row[FIRST] - VALUES
        test = search.tests[TEST_UPS + (ups if term & 1 else -ups), nimber]
        if test >= 0:
            game = search.values[term >> 1]
            known = game.low if term & 1 else game.high
            return -1 if (known >> np.uint64(test)) & np.uint64(1) != np.uint64(0) else 1
    return 0
