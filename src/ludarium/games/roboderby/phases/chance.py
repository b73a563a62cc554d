"""What chance decides: deals, start edges, letters, rolls and roll-offs, each with its outcomes and their probabilities (rules 5, 7, 8, 14 and 20)."""

from __future__ import annotations

from typing import Any

from ludarium.core.jit import compiled
from ludarium.core.random import random_below
from ludarium.core.rules import chance_outcomes, sample_chance

from ..execution.registers import same_face_before, unused_die
from ..tables import PHASE, RoboDerbyTables
from .programming import ways_to_fall
from .setup import start_place


@compiled
def roller(tables: Any, state: Any) -> Any:
    """The robot whose dice are to be rolled now, −1 none."""
    for robot in range(tables.players):
        if int(state.rolling[robot]) != 0:
            return robot
    return -1


@sample_chance.implement(RoboDerbyTables)
def draw(tables: Any, state: Any, generator: Any) -> Any:
    """An outcome of what is to be drawn now, by its probability."""
    phase = int(state.phase)
    if phase == PHASE.PROGRAM:
        return random_below(generator, ways_to_fall(int(state.rolling[roller(tables, state)])))
    if phase == PHASE.ROLL_OFF:
        outcome = 0
        for place in range(int(state.next), int(state.next) + int(state.tied[int(state.next)])):
            die = unused_die(state, int(state.order[place]))
            outcome = 6 * outcome + same_face_before(tables, die, random_below(generator, 6))
        return outcome
    if phase == PHASE.DEAL:
        return _deal(tables, random_below(generator, _deals(tables)))
    if phase == PHASE.LETTERS:
        return random_below(generator, len(tables.letter_orders))
    return tables.outer_edges[start_place(state), random_below(generator, 2)]


@compiled
def _deals(tables: Any) -> Any:
    return len(tables.deals) * (256 if tables.rotate == 1 else 1)


@compiled
def _deal(tables: Any, number: Any) -> Any:
    """The outcome that is the deal of a number, all from 0 on."""
    return number if tables.rotate == 1 else number * 256


@chance_outcomes.implement(RoboDerbyTables)
def list_outcomes(tables: Any, state: Any, outcomes: Any, probabilities: Any) -> Any:
    """Write all outcomes and their probabilities; how many there are."""
    phase = int(state.phase)
    if phase == PHASE.ROLL_OFF:
        return _roll_off_outcomes(tables, state, outcomes, probabilities)
    if phase == PHASE.PROGRAM:
        count = ways_to_fall(int(state.rolling[roller(tables, state)]))
    elif phase == PHASE.DEAL:
        count = _deals(tables)
    elif phase == PHASE.LETTERS:
        count = len(tables.letter_orders)
    else:
        count = 2
    for number in range(count):
        if phase == PHASE.DEAL:
            outcomes[number] = _deal(tables, number)
        elif phase == PHASE.EDGE:
            outcomes[number] = tables.outer_edges[start_place(state), number]
        else:
            outcomes[number] = number
        probabilities[number] = 1.0 / count
    return count


@compiled
def _roll_off_outcomes(tables: Any, state: Any, outcomes: Any, probabilities: Any) -> Any:
    """Faces of one priority are one outcome, that of the first of them."""
    first = int(state.next)
    tied = int(state.tied[first])
    count = 0
    ways = 1
    for _ in range(tied):
        ways *= 6
    for outcome in range(ways):
        weight = 1
        code = outcome
        for back in range(tied):
            die = unused_die(state, int(state.order[first + tied - 1 - back]))
            face = code % 6
            code //= 6
            alike = 0
            for other in range(6):
                if same_face_before(tables, die, other) == face:
                    alike += 1
            weight *= alike
        if weight > 0:
            outcomes[count] = outcome
            probabilities[count] = weight / ways
            count += 1
    return count
