"""Positions and moves in the order in which they can be evaluated."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludarium.core.jit import compiled, kernel

FINISHED, PAUSED, LOOP = range(3)
UNSEEN, ON_THE_WAY, DONE = range(3)
DEPTH, EMITTED, POOL_END, NEXT, LOOPED = range(5)


class Moves(NamedTuple):
    """Moves of positions whose numbers are 0, 1, 2, …, of which the first ones are to be put in order and the others have no moves that are known."""

    moves: np.ndarray  # int32[moves]: Left's moves and Right's from each position in turn, as numbers of sums
    ends: np.ndarray  # int64[2 * positions + 1]: 0, and where each of these lists ends
    terms: np.ndarray  # int32[terms]: positions that each sum consists of, in turn
    starts: np.ndarray  # int64[sums + 1]: where each of these lists begins, and the end of the last one


class Walk(NamedTuple):
    """A walk along lines of moves, as far as it is."""

    seen: np.ndarray  # int8[positions]
    positions: np.ndarray  # int32[positions]: those on the way
    moves: np.ndarray  # int64[positions]: which move is to be followed next from each of these
    terms: np.ndarray  # int64[positions]: which term of the move
    registers: np.ndarray  # int64[5]: positions on the way, in order, places used in the pool; the next start; where a loop was found


def new_walk(count: int) -> Walk:
    """A walk that begins."""
    return Walk(
        seen=np.zeros(count, np.int8),
        positions=np.zeros(count, np.int32),
        moves=np.zeros(count, np.int64),
        terms=np.zeros(count, np.int64),
        registers=np.zeros(5, np.int64),
    )


@compiled
def _begin(given: Any, work: Any, position: Any) -> None:
    """Put a position on the way."""
    depth = work.registers[DEPTH]
    first = given.ends[2 * position]
    work.seen[position] = ON_THE_WAY
    work.positions[depth] = position
    work.moves[depth] = first
    work.terms[depth] = given.starts[int(given.moves[first])] if first < given.ends[2 * position + 2] else 0
    work.registers[DEPTH] = depth + 1


@compiled
def _finish(graph: Any, given: Any, work: Any) -> None:
    """Take the latest position off the way and put it in order."""
    registers, pool = work.registers, graph.pool
    registers[DEPTH] -= 1
    position = int(work.positions[registers[DEPTH]])
    work.seen[position] = DONE
    graph.order[registers[EMITTED]] = position
    registers[EMITTED] += 1
    at = registers[POOL_END]
    graph.starts[position] = at
    begin, middle, end = given.ends[2 * position], given.ends[2 * position + 1], given.ends[2 * position + 2]
    pool[at] = middle - begin
    pool[at + 1] = end - middle
    at += 2
    for move in range(begin, end):
        sum_ = int(given.moves[move])
        pool[at] = given.starts[sum_ + 1] - given.starts[sum_]
        at += 1
        for term in range(given.starts[sum_], given.starts[sum_ + 1]):
            pool[at] = 2 * int(given.terms[term])
            at += 1
    registers[POOL_END] = at


@kernel()
def walk(graph: Any, given: Any, work: Any, budget: Any) -> Any:
    """Go on; ``FINISHED``, ``PAUSED`` after ``budget`` terms, or ``LOOP``: a line of moves comes back to the position ``registers[LOOPED]``.

    Fills ``order``, ``starts`` and ``pool`` of the graph.
    """
    registers = work.registers
    count = len(graph.order)
    while budget > 0:
        if registers[DEPTH] == 0:
            while registers[NEXT] < count and int(work.seen[registers[NEXT]]) != UNSEEN:
                registers[NEXT] += 1
            if registers[NEXT] == count:
                return FINISHED
            _begin(given, work, registers[NEXT])
        at = registers[DEPTH] - 1
        end = given.ends[2 * int(work.positions[at]) + 2]
        move, term = work.moves[at], work.terms[at]
        onward = -1
        while move < end and onward < 0:
            if term == given.starts[int(given.moves[move]) + 1]:
                move += 1
                if move < end:
                    term = given.starts[int(given.moves[move])]
                continue
            other = int(given.terms[term])
            term += 1
            budget -= 1
            if other < count and int(work.seen[other]) != DONE:
                onward = other
        work.moves[at], work.terms[at] = move, term
        if onward < 0:
            _finish(graph, given, work)
        elif int(work.seen[onward]) == ON_THE_WAY:
            registers[LOOPED] = onward
            return LOOP
        else:
            _begin(given, work, onward)
        budget -= 1
    return PAUSED
