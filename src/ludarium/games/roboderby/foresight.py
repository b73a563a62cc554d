"""Where a program so far leads its robot, alone on the board."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ludarium.core.game import Event, State
from ludarium.errors import IllegalAction

from .events import Row, carried_out, told
from .execution.trace import KIND
from .sheets.faces import WAYS
from .tables import ACTIVE, COMMAND, EMPTY, FINISHED, NOOP, NOT_HERE, PHASE, REGISTERS


def foresee(state: State, player: int, actions: Sequence[str]) -> tuple[Event, ...]:
    """What the registers that are filled, and those that dice (``3``, ``3n``) are put into, would do if nobody else were there; the last event says where
    that leads. Once all are filled, the end of the turn with it. Nothing but while programs are made.

    Raises:
        IllegalAction: dice are placed that do not lie in the hand, or for which no register is open.
    """
    record = state.record
    if int(record.phase) != PHASE.PROGRAM or int(record.status[player]) != ACTIVE:
        return ()
    states = state.copy_records()
    mine = states[0]
    for text in actions:
        _place(mine, player, text)
    filled = sum(slot != EMPTY for slot in mine.register_slot[player].tolist())
    for other in range(state.game.players):
        if other != player:
            mine.status[other] = FINISHED
            mine.square[other] = NOT_HERE
    mine.rolling[:] = 0
    mine.ready[player] = 1
    for register in range(filled, REGISTERS):  # the rules execute whole programs; what these do is not told
        mine.register_die[player, register] = mine.register_face[player, register] = 1
        mine.register_slot[player, register] = NOOP
    rows = _until(carried_out(state.game, states, {}), filled)
    return (*told(state.game, mine, rows), _end(state, player, rows))


def _place(record: Any, player: int, text: str) -> None:
    """Put a die into the next register."""
    found = re.fullmatch(r"([1-5])(n?)", text)
    slots = record.register_slot[player].tolist()
    if not found or EMPTY not in slots or not record.dice[player, int(found[1]) - 1]:
        raise IllegalAction(
            f"'{text}' cannot be planned here: a plan is dice in the hand, such as 3, or 3n as a NO-OP, at most one an open register"
        )
    register, die = slots.index(EMPTY), int(found[1])
    record.register_die[player, register] = die
    record.register_face[player, register] = record.dice[player, die - 1]
    record.register_slot[player, register] = NOOP if found[2] else COMMAND
    record.dice[player, die - 1] = 0


def _until(rows: list[Row], filled: int) -> list[Row]:
    """What the first registers do; of a whole program also what comes at the end of the turn."""
    last = (KIND.REGISTER, filled) if filled < REGISTERS else (KIND.END_OF_TURN, None)
    end = next(at for at, (kind, _, *numbers) in enumerate(rows) if kind == last[0] and last[1] in (None, numbers[0]))
    return [row for row in rows[:end] if row[0] != KIND.PROGRAM]


def _end(state: State, player: int, rows: list[Row]) -> Event:
    """Where the robot is after this, in words, and as ``square`` (None where it is on none) and ``heading``."""
    tables, record = state.game.tables, state.record
    start = square = int(record.square[player])
    heading, fate = int(record.heading[player]), ""
    for kind, _, *numbers in rows:
        if kind in (KIND.MOVE, KIND.CARRY):
            square = numbers[1]
        elif kind == KIND.TURN:
            heading = numbers[1]
        elif kind == KIND.FALL:
            square, fate = numbers[1], "off the board" if numbers[1] == NOT_HERE else "into a pit"
        elif kind == KIND.SCRAP:
            fate = fate or "to the scrapyard"
        elif kind == KIND.FINISH:
            fate = "to the finish"
    data = {"kind": "leads", "robot": player, "square": None if fate else square, "heading": heading}
    if fate:
        return Event(f"Alone, this leads {fate}", data)
    down, across = square // tables.width - start // tables.width, square % tables.width - start % tables.width
    ways = [(abs(down), WAYS[0 if down < 0 else 2]), (abs(across), WAYS[1 if across > 0 else 3])]
    far = " and ".join(f"{count} {way}" for count, way in ways if count)
    where = f"leads {far}, to tile {int(record.lap_tiles[square]) + 1}" if far else "ends where it begins"
    return Event(f"Alone, this {where}, facing {WAYS[heading]}", data)
