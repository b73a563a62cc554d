"""Turns of a game with everything counted that happens in them, compiled."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludarium.core.jit import compiled, kernel, subroutine
from ludarium.core.rules import CHANCE, sample_chance, to_move
from ludarium.games.roboderby.actions import ROLL, SAY_RUN
from ludarium.games.roboderby.bots.greedy import greedy_action
from ludarium.games.roboderby.execution.flags import COMMENTED, INVERTED
from ludarium.games.roboderby.execution.movement import BELT
from ludarium.games.roboderby.execution.trace import KIND, KINDS
from ludarium.games.roboderby.rules import carry_out_actions, carry_out_chance
from ludarium.games.roboderby.sheets.dice import DICE, FACES
from ludarium.games.roboderby.sheets.faces import CMT, HACKS
from ludarium.games.roboderby.solo.tables import turns_after
from ludarium.games.roboderby.tables import COMMAND, FINISHED, NOOP, NOT_HERE, PHASE, REGISTERS

USES = ("command", "no-op", "locked")
"""What a die is in a program."""

CAUSES = (
    "drove into a pit",
    "was hacked into a pit",
    "was jostled into a pit",
    "was pushed into a pit",
    "was carried into a pit",
    "drove off",
    "was hacked off",
    "was jostled off",
    "was pushed off",
    "was carried off",
    "was shot",
    "was shot by the board",
)
"""How robots are destroyed; off the board they fall where its edges are pits. Whom lasers of the board scrap together with a robot's was shot."""

DROVE, HACKED, JOSTLED, PUSHED, CARRIED = range(5)
"""The first causes: how a robot comes into a pit. So many further are those of coming off the board.

Those of the first three fall by a die of their own: as they have programmed it; after one of their dice was commented out or inverted in this turn, perhaps
that very one; after another robot pushed them or held them up in this turn, or a hit had a NO-OP executed. Of the latter two the last counts.
"""

OFF_THE_EDGE, SHOT, SHOT_BY_BOARD = 5, 10, 11

SINGLES = ("rolls again", "roll-offs", "hits", "damage", "comments", "inversions", "late comments", "late inversions")
"""What else is counted: re-rolls, ties that dice decided, robots' lasers that hit one, health lost, hacks of each kind that hit a die, and that hit none."""

ROLLS_AGAIN, ROLL_OFFS, HITS, HEALTH_LOST, HACKS_LANDED, HACKS_WASTED = 0, 1, 2, 3, 4, 6

OVER, TURN_OVER = 0, -2
"""What :func:`play_turn` returns when nobody has to be asked."""


class Counts(NamedTuple):
    """Sums over games. Squares are those of the tiles as their files draw them, however they were dealt and turned."""

    placed: np.ndarray  # int64[5, 6, 3]: dice in programs, by die, face and use
    rows: np.ndarray  # int64[kinds]: what happened, by the kinds of trace.py
    singles: np.ndarray  # int64[8]: see SINGLES
    deaths: np.ndarray  # int64[causes, tiles, squares]: on the pit, before the edge, or where the wreck stood
    visits: np.ndarray  # int64[tiles, squares]: how often a robot came onto the square


def empty_counts(size: int) -> Counts:
    """Counts for tiles with so many squares a side."""
    shapes = ((DICE, FACES, len(USES)), (len(KINDS),), (len(SINGLES),), (len(CAUSES), 4, size * size), (4, size * size))
    return Counts(*(np.zeros(shape, np.int64) for shape in shapes))


def unturned_squares(size: int) -> np.ndarray:
    """``int64[4, size²]``: by a dealt tile's clockwise quarter turns and a square of it, the square as the tile's file draws it."""
    squares = np.arange(size * size, dtype=np.int64).reshape(size, size)
    return np.stack([np.rot90(squares, -turns).ravel() for turns in range(4)])


@kernel()
def play_turn(
    tables: Any,
    states: Any,
    given: Any,
    joint: Any,
    greedy: Any,
    solos: Any,
    scratch: Any,
    generators: Any,
    chance: Any,
    log: Any,
    unturned: Any,
    astray: Any,
    counts: Any,
    left: Any,
) -> Any:
    """Play ``states[0]`` until the next turn begins, the game is over, or somebody has to be asked.

    Args:
        given: the players (bits) whose actions stand in ``joint`` (``int64[players, 1]``): those whom the last call asked for, else 0.
        greedy: the players (bits) for whom the compiled greedy player decides, each with its own of ``generators`` (``uint64[players, 1]``).
        solos: what greedy knows of each of four robots' courses.
        chance: ``uint64[1]``, the dice's generator.
        log: scratch, see :mod:`..trace`.
        unturned: see :func:`unturned_squares`.
        astray: ``int64[robots]``, of zeros before the first turn: what has disturbed each robot's program in this turn (HACKED, JOSTLED), and from bit 5 on
            which dice were NO-OPs when they were locked.
        left: ``float64[players]``, filled when a turn is over: how many commands each robot has before it.

    Returns:
        OVER, TURN_OVER, or the players (bits) to ask.
    """
    state = states[0]
    turn = int(state.turn)
    while int(state.turn) == turn:
        mask = to_move(tables, state)
        if mask == 0:
            return OVER
        log[0, 0] = 1
        if mask == CHANCE:
            if int(state.phase) == PHASE.ROLL_OFF:
                counts.singles[ROLL_OFFS] += 1
            carry_out_chance(tables, state, sample_chance(tables, state, chance), log)
        else:
            asked = mask & ~greedy
            if asked & ~given != 0:
                return asked
            given = 0
            _choose(tables, state, mask, joint, greedy, solos, scratch, generators, counts)
            carry_out_actions(tables, state, joint, log)
        _count(tables, state, log, unturned, astray, counts)
    for robot in range(tables.players):
        left[robot] = _commands_left(state, robot, solos[robot])
    return TURN_OVER


@compiled
def _choose(tables: Any, state: Any, mask: Any, joint: Any, greedy: Any, solos: Any, scratch: Any, generators: Any, counts: Any) -> None:
    """Add greedy's choices to those in ``joint``, and count who rolls again."""
    for player in range(tables.players):
        if (mask >> player) & 1 == 0:
            joint[player, 0] = -1
            continue
        if (greedy >> player) & 1:
            joint[player, 0] = greedy_action(tables, state, player, solos[player], scratch, generators[player])
        if int(state.phase) == PHASE.PROGRAM and ROLL <= joint[player, 0] < SAY_RUN:
            counts.singles[ROLLS_AGAIN] += 1


@compiled
def _commands_left(state: Any, robot: Any, solo: Any) -> Any:
    if int(state.status[robot]) == FINISHED:
        return 0.0
    if int(state.square[robot]) == NOT_HERE:
        return solo.lap_value
    return turns_after(solo, int(state.square[robot]), int(state.heading[robot]), int(state.lap[robot]))


@subroutine
def _count(tables: Any, state: Any, log: Any, unturned: Any, astray: Any, counts: Any) -> None:
    """Add what stands in a log."""
    shot = 0  # the robots (bits) that robots' lasers have just hit
    for row in range(1, log[0, 0]):
        kind = log[row, 0]
        counts.rows[kind] += 1
        if kind == KIND.PROGRAM:
            for register in range(REGISTERS):
                _count_placed(log[row, 2 + register], counts)
        elif kind == KIND.ORDER:
            _note_order(tables, log[row, 1], log[row, 2], log[row, 3], log[row, 4], log[row, 5], astray)
        elif kind == KIND.BUMP:
            if log[row, 4] != log[row, 2]:
                _disturb(astray, log[row, 1], JOSTLED)
        elif kind == KIND.LOCK:
            astray[log[row, 1]] |= log[row, 5] << (4 + log[row, 3])
        elif kind == KIND.END_OF_TURN:
            astray[:] = 0
        elif kind in (KIND.REGISTER, KIND.SALVO):
            shot = 0
        elif kind in (KIND.MOVE, KIND.PUSH, KIND.CARRY):
            _count_square(tables, state, log[row, 3], unturned, counts.visits)
            if kind == KIND.PUSH:
                _disturb(astray, log[row, 1], JOSTLED)
        elif kind == KIND.FALL:
            cause = _cause_of_fall(log[row, 1], log[row, 5], astray)
            if log[row, 3] == NOT_HERE:
                _count_square(tables, state, log[row, 2], unturned, counts.deaths[cause + OFF_THE_EDGE])
            else:
                _count_square(tables, state, log[row, 3], unturned, counts.deaths[cause])
        elif kind == KIND.SCRAP:
            cause = SHOT if (shot >> log[row, 1]) & 1 else SHOT_BY_BOARD
            _count_square(tables, state, log[row, 2], unturned, counts.deaths[cause])
        elif kind == KIND.FIRE:
            if log[row, 5] >= 0:
                counts.singles[HITS] += 1
                shot |= 1 << log[row, 5]
        elif kind == KIND.DAMAGE:
            counts.singles[HEALTH_LOST] += log[row, 3]
        elif kind == KIND.HACK:
            counts.singles[HACKS_LANDED + log[row, 3] - HACKS[0]] += 1
        elif kind == KIND.WASTE:
            counts.singles[HACKS_WASTED + log[row, 2] - HACKS[0]] += 1


@compiled
def _note_order(tables: Any, robot: Any, die: Any, face: Any, slot: Any, flags: Any, astray: Any) -> None:
    """Note whether a robot's die does something else than was programmed."""
    if (astray[robot] >> (4 + die)) & 1:
        _disturb(astray, robot, JOSTLED)
    changes = flags & INVERTED if slot == NOOP and flags & COMMENTED == 0 and tables.noop_inverts == 1 else 0
    if slot != NOOP and tables.commands[die - 1, face - 1] < CMT:
        changes = flags & (COMMENTED | INVERTED)
    if changes != 0:
        _disturb(astray, robot, HACKED)


@compiled
def _disturb(astray: Any, robot: Any, cause: Any) -> None:
    astray[robot] = (astray[robot] & ~15) | cause


@compiled
def _cause_of_fall(robot: Any, by: Any, astray: Any) -> Any:
    return CARRIED if by == BELT else PUSHED if by != robot else astray[robot] & 15


@compiled
def _count_placed(content: Any, counts: Any) -> None:
    """Count a register of a program: 100 * die + 10 * face + slot."""
    die, face, slot = content // 100, content // 10 % 10, content % 10
    if die != 0:
        use = 0 if slot == COMMAND else 1 if slot == NOOP else 2
        counts.placed[die - 1, face - 1, use] += 1


@compiled
def _count_square(tables: Any, state: Any, square: Any, unturned: Any, into: Any) -> None:
    column, row = square % tables.width, square // tables.width
    for place in range(4):
        inside_column = column - tables.place_column[place] * tables.size
        inside_row = row - tables.place_row[place] * tables.size
        if 0 <= inside_column < tables.size and 0 <= inside_row < tables.size:
            inside = unturned[int(state.rotation[place]), inside_row * tables.size + inside_column]
            into[int(state.tile[place]), inside] += 1
