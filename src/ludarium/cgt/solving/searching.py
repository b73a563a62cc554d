"""Who wins a sum of components: depth-first proof-number search (A. Nagai, "Df-pn algorithm for searching AND/OR trees", 2002) over rows.

A position's *proof number* is how many positions must at least be shown to be won or lost before it is shown that its mover wins; its *disproof number*
counts for a loss. The search goes where the least is missing, keeps both numbers in a table, and so can stop at any time and go on later.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludarium.core.bits import count_bits
from ludarium.core.jit import compiled, kernel, subroutine
from ludarium.core.rules import generic

from ..positions.exploration import POOL_END, expand, write_terms
from .rows import (
    ASKED,
    COUNT,
    DISPROOF,
    FIRST,
    MOST_TERMS,
    NIMBER,
    NUMBER,
    ONE,
    PLACED,
    PROOF,
    SEARCHED,
    UNSEEN,
    UPS,
    VALUES,
    WANTED,
    add_term,
    add_value,
    decided,
    key_of,
    negate,
)

DECIDED, PAUSED, FULL, GROW, ASK, VALUE_THEM, CROWDED = range(7)
"""Why the search stops: it is decided; the work allowed is done; the graph has no more room; an array of the search is too small; Python is to expand the
node ``ASKED``, or to value the nodes ``wanted``; a sum has too many terms. Calling again goes on from what the table knows."""

ENDLESS = 1 << 30
"""The number that says that it cannot be shown."""

KEY, BEGIN, END, PROOF_LIMIT, DISPROOF_LIMIT, CHOSEN, WORK = range(7)
FRAME_WORDS = 7
"""A position on the line that is searched: its key, where its children are, the numbers at which to leave it, the child that is searched, positions searched
below."""

CHILD_KEY, SOURCE, WHERE, CHILD_PROOF, CHILD_DISPROOF = range(5)
CHILD_WORDS = 5
"""A move that does not lose at once: the key after it, the term moved in (or ``IN_UPS``, ``IN_NUMBER``), the option, and the opponent's numbers."""

IN_UPS, IN_NUMBER = -1, -2
NIMBER_BITS = 20

SQUARES_A_STEP = 4
"""A position that was never searched is taken to be the harder to decide the more squares it has. This decides a third more all-small boards in the same
time as to take all for equal does."""

BUCKET = 4
"""Entries of the table that share a place; the one with the least work behind it gives way."""


class PythonTables(NamedTuple):
    """Stands for rules in Python, which the search asks for a node's options."""

    version: int


@generic
def open_node(tables: Any, work: Any, node: Any) -> int:
    """Write a node's options to the pool; ``DECIDED`` when it is done, ``FULL`` or ``ASK`` when it is not."""
    ...


@open_node.implement(object)
def open_compiled_node(tables: Any, work: Any, node: Any) -> Any:
    return DECIDED if expand(tables, work, node) else FULL


@open_node.implement(PythonTables)
def open_python_node(tables: Any, work: Any, node: Any) -> Any:
    return ASK


@generic
def write_sum(tables: Any, work: Any, position: Any) -> bool:
    """Write the terms that a position is the sum of to the pool; whether there was room."""
    ...


@write_sum.implement(object)
def write_compiled_sum(tables: Any, work: Any, position: Any) -> Any:
    return write_terms(tables, work, position)


@write_sum.implement(PythonTables)
def write_python_sum(tables: Any, work: Any, position: Any) -> Any:
    return True


@subroutine
def _make_child(tables: Any, work: Any, search: Any, depth: Any, source: Any, where: Any) -> None:
    """Write the row after a move, the players exchanged, behind that of the position at a depth."""
    row, out = search.rows[depth], search.rows[depth + 1]
    for place in range(COUNT, FIRST):
        out[place] = row[place]
    kept = FIRST
    for place in range(FIRST, FIRST + row[COUNT]):
        if place != source:
            out[kept] = row[place]
            kept += 1
    out[COUNT] = kept - FIRST
    if source == IN_UPS:
        out[UPS] = (where >> NIMBER_BITS) - ENDLESS
        out[NIMBER] = where & ((1 << NIMBER_BITS) - 1)
    elif source == IN_NUMBER:
        out[NUMBER] = where
    else:
        term = row[source]
        if term >= VALUES:
            add_value(search, out, int(search.options[where]), term & 1)
        else:
            for place in range(where + 1, where + 1 + int(work.pool[where])):
                add_term(tables, work, search, out, int(work.pool[place]) ^ (term & 1))
    negate(search, out)


@compiled
def _entry(search: Any, key: Any) -> Any:
    """Where in the table a key stands, or −1."""
    first = np.int64(key >> np.uint64(1)) & (len(search.table) - BUCKET)
    for at in range(first, first + BUCKET):
        if search.table[at, 0] == key:
            return at
    return -1


@subroutine
def _keep(search: Any, key: Any, proof: Any, disproof: Any, work: Any) -> None:
    """Write what is known of a position to the table."""
    at = _entry(search, key)
    if at < 0:
        first = np.int64(key >> np.uint64(1)) & (len(search.table) - BUCKET)
        at = first
        for other in range(first + 1, first + BUCKET):
            if search.table[other, 2] < search.table[at, 2]:
                at = other
    else:
        work += np.int64(search.table[at, 2])
    search.table[at, 0] = key
    search.table[at, 1] = np.uint64(proof << 32 | disproof)
    search.table[at, 2] = np.uint64(work)


@compiled
def _size_of(work: Any, row: Any) -> Any:
    """How many squares a row's components have; a value counts as one."""
    total = 0
    for place in range(FIRST, FIRST + row[COUNT]):
        term = row[place]
        total += 1 if term >= VALUES else count_bits(work.words[work.nodes[term >> 1] + 1])
    return total


@subroutine
def _consider(tables: Any, work: Any, search: Any, depth: Any, source: Any, where: Any) -> Any:
    """Look at a move: 1 if it wins at once, else 0; a move that is not seen to lose becomes a child."""
    _make_child(tables, work, search, depth, source, where)
    row = search.rows[depth + 1]
    seen = decided(search, row)
    if seen != 0:
        return 1 if seen < 0 else 0
    key = key_of(search, row)
    proof = disproof = 1 + _size_of(work, row) // SQUARES_A_STEP
    at = _entry(search, key)
    if at >= 0:
        proof, disproof = np.int64(search.table[at, 1] >> np.uint64(32)), np.int64(search.table[at, 1] & np.uint64(0xFFFFFFFF))
        if disproof == 0:
            return 1
        if proof == 0:
            return 0
    frame = search.frames[depth]
    end = frame[END]
    for other in range(frame[BEGIN], end):
        if search.children[other, CHILD_KEY] == np.int64(key):
            return 0
    child = search.children[end]
    child[CHILD_KEY] = np.int64(key)
    child[SOURCE] = source
    child[WHERE] = where
    child[CHILD_PROOF] = proof
    child[CHILD_DISPROOF] = disproof
    frame[END] = end + 1
    return 0


@subroutine
def _enter(tables: Any, work: Any, search: Any, depth: Any) -> Any:
    """Find the moves of the position at a depth; ``DECIDED`` if one wins at once, ``PAUSED`` if none does, or why it cannot be told."""
    row, frame, pool = search.rows[depth], search.frames[depth], work.pool
    ups, nimber = row[UPS], row[NIMBER]
    if depth + 2 >= len(search.rows) or frame[END] + nimber + 4 >= len(search.children):
        return GROW
    if row[COUNT] > MOST_TERMS // 2:
        return CROWDED
    for place in range(FIRST, FIRST + row[COUNT]):
        term = row[place]
        if term >= VALUES:
            continue
        node = term >> 1
        if search.seen[node] == WANTED or search.seen[node] == UNSEEN:  # a node that nobody had room to ask for
            return VALUE_THEM
        if work.starts[node] == 0:
            opened = open_node(tables, work, node)
            if opened != DECIDED:
                search.registers[ASKED] = node
                return opened
    if ups < 0:  # n·↓ + *k is {(n − 1)·↓ + *(k xor 1) | 0}
        if _consider(tables, work, search, depth, IN_UPS, (ENDLESS + ups + 1) << NIMBER_BITS | (nimber ^ 1)) == 1:
            return DECIDED
    else:  # n·↑ + *k is {0 | …}, and ↑* is {0, * | 0}
        choices = nimber if ups == 0 else (2 if ups == 1 and nimber == 1 else 1)
        for smaller in range(choices):
            if _consider(tables, work, search, depth, IN_UPS, ENDLESS << NIMBER_BITS | smaller) == 1:
                return DECIDED
    for place in range(FIRST, FIRST + row[COUNT]):
        term = row[place]
        if place > FIRST and row[place - 1] == term:
            continue
        if term >= VALUES:
            game = search.values[(term - VALUES) >> 1]
            first, count = int(game.left), int(game.left_count)
            if term & 1:
                first, count = first + count, int(game.right_count)
            if frame[END] + count >= len(search.children):
                return GROW
            for at in range(first, first + count):
                if _consider(tables, work, search, depth, place, at) == 1:
                    return DECIDED
            continue
        at = work.starts[term >> 1]
        left = int(pool[at])
        options = left + int(pool[at + 1])
        at += 2
        if frame[END] + options >= len(search.children):
            return GROW
        for option in range(options):
            if (option < left) == (term & 1 == 0) and _consider(tables, work, search, depth, place, at) == 1:
                return DECIDED
            at += 1 + int(pool[at])
    # A move in a number is needed only if all the rest is equal to a number (number avoidance theorem); one value is none.
    number = row[NUMBER]
    if number != 0 and (row[COUNT] > 1 or row[FIRST] < VALUES):
        step = number & -number
        if step >= ONE:
            step = ONE if number > 0 else 0
        if step != 0 and _consider(tables, work, search, depth, IN_NUMBER, number - step) == 1:
            return DECIDED
    return PAUSED


@compiled
def _place(tables: Any, work: Any, search: Any, position: Any, terms: Any, player: Any, plus: Any) -> Any:
    """Add a position to the row of the root, which begins with a value; False when there is no room for it."""
    if terms == 0:
        terms = work.registers[POOL_END]
        if terms + 64 > len(work.pool) or not write_sum(tables, work, position):
            return False
    row = search.rows[0]
    if search.registers[PLACED] == 0:
        for place in range(FIRST):
            row[place] = 0
        add_value(search, row, plus, player)
    for place in range(terms + 1, terms + 1 + int(work.pool[terms])):
        add_term(tables, work, search, row, int(work.pool[place]) ^ player)
    return True


@kernel()
def search_on(tables: Any, work: Any, search: Any, position: Any, terms: Any, player: Any, plus: Any, budget: Any) -> Any:
    """Search whether ``player``, who is to move in a sum of positions and a value, wins: ``budget`` positions at most. ``DECIDED``, or why not.

    Where ``registers[PLACED]`` is not 1, the position is added to the sum first (if ``terms`` is not 0, its terms stand in the pool from there on), and with
    a negative budget that is all. ``registers`` then say how the player is known to win or to lose: 0 in ``PROOF`` or in ``DISPROOF``.
    """
    rows, frames, children, registers = search.rows, search.frames, search.children, search.registers
    if registers[PLACED] != 1:
        if rows[0, COUNT] > MOST_TERMS // 2 and registers[PLACED] != 0:
            return CROWDED
        if not _place(tables, work, search, position, terms, player, plus):
            return FULL
        registers[PLACED] = -1 if budget < 0 else 1
        if budget < 0:
            return PAUSED
    seen = decided(search, rows[0])
    registers[PROOF] = 0 if seen > 0 else ENDLESS
    registers[DISPROOF] = 0 if seen < 0 else ENDLESS
    if seen != 0:
        return DECIDED
    depth = 0
    frames[0, KEY] = np.int64(key_of(search, rows[0]))
    frames[0, BEGIN] = 0
    frames[0, PROOF_LIMIT] = ENDLESS
    frames[0, DISPROOF_LIMIT] = ENDLESS
    entering = True
    while True:
        frame = frames[depth]
        proof = np.int64(ENDLESS)
        disproof = np.int64(0)
        second = np.int64(ENDLESS)
        chosen = np.int64(-1)
        entered = PAUSED
        if entering:
            frame[END] = frame[BEGIN]
            frame[WORK] = 1
            if budget <= 0:
                return PAUSED
            budget -= 1
            registers[SEARCHED] += 1
            entered = _enter(tables, work, search, depth)
            if entered == DECIDED:
                proof = np.int64(0)
                disproof = np.int64(ENDLESS)
            elif entered != PAUSED:
                return entered
        if entered == PAUSED:
            for at in range(frame[BEGIN], frame[END]):
                missing = children[at, CHILD_DISPROOF]
                if missing < proof:
                    second = proof
                    proof = missing
                    chosen = at
                elif missing < second:
                    second = missing
                disproof = min(disproof + children[at, CHILD_PROOF], ENDLESS - 1)
            if proof == 0:
                disproof = np.int64(ENDLESS)
            elif proof >= ENDLESS:
                proof = np.int64(ENDLESS)
                disproof = np.int64(0)
        if proof >= frame[PROOF_LIMIT] or disproof >= frame[DISPROOF_LIMIT]:
            _keep(search, np.uint64(frame[KEY]), proof, disproof, frame[WORK])
            if depth == 0:
                registers[PROOF] = proof
                registers[DISPROOF] = disproof
                return DECIDED
            depth -= 1
            at = frames[depth, CHOSEN]
            children[at, CHILD_PROOF] = proof
            children[at, CHILD_DISPROOF] = disproof
            frames[depth, WORK] += frame[WORK]
            entering = False
            continue
        frame[CHOSEN] = chosen
        child = children[chosen]
        below = frames[depth + 1]
        below[KEY] = child[CHILD_KEY]
        below[BEGIN] = frame[END]
        below[PROOF_LIMIT] = frame[DISPROOF_LIMIT] - disproof + child[CHILD_PROOF]
        below[DISPROOF_LIMIT] = min(frame[PROOF_LIMIT], second + 1 + second // 4)
        _make_child(tables, work, search, depth, child[SOURCE], child[WHERE])
        depth += 1
        entering = True
