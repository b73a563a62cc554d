"""All positions that can be reached under a compiled ruleset, as a graph to be evaluated."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ludarium.core.jit import compiled, kernel, subroutine
from ludarium.errors import TooLarge

from ..engine.store import Graph
from .compiled import MOST_MOVES, MOST_PARTS, MOST_WORDS, moves, normal_position, parts, words_in

FINISHED, FULL, PAUSED = range(3)
NODES, WORDS_END, POOL_END, DEPTH, EMITTED, BEGUN, MOVED = range(7)
SLICE = 1 << 13
"""Positions expanded between two looks at the clock and at Ctrl-C."""

PER_NODE = ("nodes", "starts", "emitted")

FIRST_SIZE, LEAST_SIZE = 1 << 16, 1 << 12
"""Nodes that there is room for at first."""

BYTES_A_NODE = 256
"""What the arrays below take for each node that there is room for, roughly."""


class Exploration(NamedTuple):
    """What is known of the graph so far."""

    words: np.ndarray  # uint64[...]: representatives of components, one after the other
    nodes: np.ndarray  # int64[nodes]: where each one's words begin
    index: np.ndarray  # int32[4 * nodes]: nodes by hash, plus one
    starts: np.ndarray  # int64[nodes]: where a node's options begin in ``pool``, 0 before it is expanded
    pool: np.ndarray  # int32[...]: see Graph
    order: np.ndarray  # int64[nodes]: every node after those that its options name
    emitted: np.ndarray  # bool[nodes]: whether it stands in ``order``
    stack: np.ndarray  # int32[...]: nodes to visit
    moves: np.ndarray  # uint64[MOST_MOVES, MOST_WORDS]
    parts: np.ndarray  # uint64[MOST_PARTS, MOST_WORDS]
    normal: np.ndarray  # uint64[2, MOST_WORDS]
    registers: np.ndarray  # int64[7]


def new_exploration(size: int) -> Exploration:
    return Exploration(
        words=np.zeros(8 * size, np.uint64),
        nodes=np.zeros(size, np.int64),
        index=np.zeros(4 * size, np.int32),
        starts=np.zeros(size, np.int64),
        pool=np.zeros(32 * size + 2 * MOST_MOVES * (MOST_PARTS + 1), np.int32),
        order=np.zeros(size, np.int64),
        emitted=np.zeros(size, np.bool_),
        stack=np.zeros(4 * size + 2 * MOST_MOVES * MOST_PARTS, np.int32),
        moves=np.zeros((MOST_MOVES, MOST_WORDS), np.uint64),
        parts=np.zeros((MOST_PARTS, MOST_WORDS), np.uint64),
        normal=np.zeros((2, MOST_WORDS), np.uint64),
        registers=np.zeros(7, np.int64),
    )


def _grown(work: Exploration) -> Exploration:
    """The same with four times the room. The index, which is not copied, is filled by the kernel."""
    larger = new_exploration(4 * len(work.nodes))
    nodes, words, pool, depth, emitted = (int(one) for one in work.registers[: EMITTED + 1])
    used = {"words": words, "pool": pool, "stack": depth, "order": emitted, "registers": MOVED} | dict.fromkeys(PER_NODE, nodes)
    for name, count in used.items():
        getattr(larger, name)[:count] = getattr(work, name)[:count]
    larger.registers[MOVED] = 1
    return larger


@compiled
def _place(work: Any, position: Any) -> Any:
    """Where a position stands in the index, or the free place for it."""
    count = words_in(position)
    mixed = np.uint64(0)
    for word in range(count):
        mixed = (mixed ^ position[word]) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(32)
    at = np.int64(mixed & np.uint64(len(work.index) - 1))
    while True:
        node = int(work.index[at]) - 1
        if node < 0:
            return at
        start = work.nodes[node]
        same = True
        for word in range(count):
            if work.words[start + word] != position[word]:
                same = False
                break
        if same:
            return at
        at = (at + 1) & (len(work.index) - 1)


@subroutine
def _term(tables: Any, work: Any, part: Any) -> Any:
    """The term (twice the node, plus one for its negative) of a component, which becomes a node if it is new; −1 when there is no room."""
    sign = normal_position(tables, part, work.normal)
    normal = work.normal[0]
    place = _place(work, normal)
    node = int(work.index[place]) - 1
    if node < 0:
        registers = work.registers
        node = registers[NODES]
        start = registers[WORDS_END]
        if node >= len(work.nodes) or start + MOST_WORDS > len(work.words):
            return -1
        for word in range(words_in(normal)):
            work.words[start + word] = normal[word]
        work.nodes[node] = start
        work.index[place] = node + 1
        registers[NODES] = node + 1
        registers[WORDS_END] = start + words_in(normal)
    return 2 * node + sign


@subroutine
def write_terms(tables: Any, work: Any, position: Any) -> Any:
    """Write the sum that a position is to the pool: how many terms, and the terms, sorted, without those that cancel; False when there is no room."""
    count = parts(tables, position, work.parts)
    start = work.registers[POOL_END] + 1
    kept = 0
    for part in range(count):
        term = _term(tables, work, work.parts[part])
        if term < 0:
            return False
        place = start + kept
        while place > start and int(work.pool[place - 1]) > term:
            work.pool[place] = int(work.pool[place - 1])
            place -= 1
        work.pool[place] = term
        kept += 1
        other = place - 1 if term & 1 else place + 1
        if start <= other < start + kept and int(work.pool[other]) == term ^ 1:
            kept -= 2
            for behind in range(min(place, other), start + kept):
                work.pool[behind] = int(work.pool[behind + 2])
    work.pool[start - 1] = kept
    work.registers[POOL_END] = start + kept
    return True


@subroutine
def expand(tables: Any, work: Any, node: Any) -> Any:
    """Write a node's options to the pool; False when there is no room."""
    registers = work.registers
    start = registers[POOL_END]
    if start + 2 + 2 * MOST_MOVES * (MOST_PARTS + 1) > len(work.pool):
        return False
    registers[POOL_END] = start + 2
    for player in range(2):
        count = moves(tables, work.words[work.nodes[node] :], player, work.moves)
        work.pool[start + player] = count
        for move in range(count):
            if not write_terms(tables, work, work.moves[move]):
                registers[POOL_END] = start
                return False
    work.starts[node] = start
    return True


@kernel()
def explore_on(tables: Any, work: Any, root: Any, budget: Any) -> Any:
    """Expand up to ``budget`` positions; ``FINISHED``, ``PAUSED``, or ``FULL``: go on with larger arrays.

    Where ``registers[BEGUN]`` is 0, the terms of the root are written to the end of the pool first.
    """
    registers, stack, pool = work.registers, work.stack, work.pool
    if registers[MOVED] == 1:
        for node in range(registers[NODES]):
            work.index[_place(work, work.words[work.nodes[node] :])] = node + 1
        registers[MOVED] = 0
    if registers[BEGUN] == 0:
        start = registers[POOL_END]
        if start + 1 + MOST_PARTS > len(pool) or not write_terms(tables, work, root):
            return FULL
        for at in range(int(pool[start])):
            stack[at] = int(pool[start + 1 + at]) >> 1
        registers[DEPTH] = int(pool[start])
        registers[BEGUN] = 1
    while registers[DEPTH] > 0:
        depth = registers[DEPTH]
        node = int(stack[depth - 1])
        if work.emitted[node]:
            registers[DEPTH] = depth - 1
            continue
        if work.starts[node] != 0:
            work.emitted[node] = True
            work.order[registers[EMITTED]] = node
            registers[EMITTED] += 1
            registers[DEPTH] = depth - 1
            continue
        if budget <= 0:
            return PAUSED
        budget -= 1
        if depth + 2 * MOST_MOVES * MOST_PARTS > len(stack) or not expand(tables, work, node):
            return FULL
        at = work.starts[node]
        options = int(pool[at]) + int(pool[at + 1])
        at += 2
        for _ in range(options):
            for place in range(at + 1, at + 1 + int(pool[at])):
                other = int(pool[place]) >> 1
                if not work.emitted[other]:
                    stack[depth] = other
                    depth += 1
            at += 1 + int(pool[at])
        registers[DEPTH] = depth
    return FINISHED


def explore(
    tables: Any,
    roots: Sequence[np.ndarray],
    most_bytes: int,
    progress: Callable[[int, int | None], None] | None = None,
    followers: Sequence[np.ndarray] = (),
) -> tuple[Graph, list[list[int]], list[list[int] | None]]:
    """One graph for several positions (``uint64[MOST_WORDS]`` each), the terms of each, and those of positions that can be reached from them.

    None stands for the terms of a follower that the graph lacks: a component and its negative leave nothing to explore.

    Raises:
        TooLarge: it would take more than ``most_bytes``.
    """
    size = FIRST_SIZE
    while size > LEAST_SIZE and BYTES_A_NODE * size > most_bytes:
        size >>= 1
    work = new_exploration(size)
    starts: list[int] = []
    known: list[bool] = []
    for number, position in enumerate((*roots, *followers)):
        starts.append(int(work.registers[POOL_END]))
        work.registers[BEGUN] = 0
        while (answer := explore_on(tables, work, position, SLICE if number < len(roots) else 0)) != FINISHED:
            if answer == FULL:
                if 4 * BYTES_A_NODE * len(work.nodes) > most_bytes:
                    raise TooLarge(
                        f"more than {int(work.registers[NODES]):,} positions can be reached; they take more than the {most_bytes >> 20} MB allowed"
                    )
                work = _grown(work)
            elif number >= len(roots):
                break
            elif progress is not None:
                progress(int(work.registers[NODES]), None)
        known.append(answer == FINISHED)
    nodes = int(work.registers[NODES])
    terms = [work.pool[start + 1 : start + 1 + int(work.pool[start])].tolist() for start in starts]
    theirs = [one if there else None for one, there in zip(terms, known, strict=True)][len(roots) :]
    pool = work.pool[: int(work.registers[POOL_END])].copy()
    emitted = int(work.registers[EMITTED])  # fewer than all where a component and its negative cancel
    return Graph(work.order[:emitted].copy(), work.starts[:nodes].copy(), pool, np.zeros(nodes, np.int64)), terms[: len(roots)], theirs
