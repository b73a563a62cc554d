"""What happens when actions are carried out, thing by thing, in words and as data that a page can show."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

import numpy as np

from ludarium.core.game import Action, Event, State
from ludarium.core.jit import kernel
from ludarium.core.rules import CHANCE

from .drawing.mats import register_svg
from .execution.flags import INVERTED
from .execution.movement import BELT
from .execution.trace import KINDS, empty_log
from .notation.program_text import face_text, slot_text
from .rules import carry_out_actions, carry_out_chance
from .sheets.faces import COMMANDS, DIRECTIONS, MEANINGS, WAYS
from .sheets.tiles import LETTERS
from .tables import COMMAND, LOCKED, NOOP, NOT_HERE

__all__ = ["events_of"]

SLOTS = ("empty", "command", "no-op", "locked")

Row = list[int]
Told = tuple[str, dict[str, Any]]


@kernel()
def trace(tables: Any, states: Any, joint: Any, outcome: Any, log: Any) -> None:
    """Carry out an outcome of chance, or where that is negative, the actions in ``joint``, with a log."""
    if outcome >= 0:
        carry_out_chance(tables, states[0], outcome, log)
    else:
        carry_out_actions(tables, states[0], joint, log)


def events_of(state: State, actions: Mapping[int, Action]) -> tuple[Event, ...]:
    """What happens in public when these actions are played: nothing while programs are made, and then the whole turn, up to a roll-off if there is one."""
    game, log = state.game, empty_log()
    states = state.copy_records()
    joint = np.full((game.players, 1), -1, np.int64)
    for player, action in actions.items():
        if player != CHANCE:
            joint[player] = action.index
    trace(game.tables, states, joint, actions[CHANCE].index if CHANCE in actions else -1, log)
    letters = [LETTERS[letter] for letter in states[0].letter[: game.players].tolist()]
    teller = _Teller(game.tables, [f"{name} ({letter})" for name, letter in zip(game.player_names, letters, strict=True)])
    return tuple(teller.event(row) for row in log[1 : log[0, 0]].tolist())


class _Teller:
    """Puts the rows of a log into words. ``data`` has ``kind`` always, and ``robot`` where it is about one; squares are numbers, headings 0 N to 3 W."""

    def __init__(self, tables: Any, names: list[str]) -> None:
        self.tables, self.names = tables, names

    def event(self, row: Row) -> Event:
        kind, robot, *numbers = row
        tell = cast("Callable[[int, Row], Told]", getattr(self, f"tell_{KINDS[kind].replace('-', '_')}"))
        text, data = tell(robot, numbers)
        about = {} if KINDS[kind] in ("register", "salvo", "beam", "end-of-turn") else {"robot": robot}
        return Event(text, {"kind": KINDS[kind], **about, **data})

    def tell_program(self, robot: int, row: Row) -> Told:
        contents = [(content // 100, content // 10 % 10, content % 10) for content in row]
        words = " ".join(slot_text(self.tables, *content) for content in contents)
        registers = [
            {"die": die, "face": face, "slot": SLOTS[slot], "drawing": self._drawing(robot, die, face, slot)}
            for die, face, slot in contents
        ]
        return f"{self.names[robot]} has programmed {words}", {"registers": registers}

    def tell_register(self, robot: int, row: Row) -> Told:
        return f"Register {row[0] + 1}", {"register": row[0] + 1}

    def tell_order(self, robot: int, row: Row) -> Told:
        die, face, slot, flags = row
        text = face_text(self.tables, die, face)
        priority = int(self.tables.priorities[die - 1, face - 1])
        what = f"NO-OP ({text})" if slot == NOOP else f"{text}, locked" if slot == LOCKED else text
        inverted = bool(flags & INVERTED)
        data = {"die": die, "face": face, "slot": SLOTS[slot], "priority": priority, "inverted": inverted}
        return f"{self.names[robot]}, priority {priority}: {what}{', inverted' if inverted else ''}", data

    def tell_roll_off(self, robot: int, row: Row) -> Told:
        die, face, priority, _ = row
        return f"{self.names[robot]} rolls {priority} in the roll-off", {"die": die, "face": face, "priority": priority}

    def tell_move(self, robot: int, row: Row) -> Told:
        return f"{self.names[robot]} moves {WAYS[row[2]]}", {"from": row[0], "to": row[1], "direction": row[2]}

    def tell_push(self, robot: int, row: Row) -> Told:
        text = f"{self.names[row[3]]} pushes {self.names[robot]} {WAYS[row[2]]}"
        return text, {"from": row[0], "to": row[1], "direction": row[2], "by": row[3]}

    def tell_carry(self, robot: int, row: Row) -> Told:
        return f"A belt carries {self.names[robot]} {WAYS[row[2]]}", {"from": row[0], "to": row[1], "direction": row[2]}

    def tell_turn(self, robot: int, row: Row) -> Told:
        turning = ("", "right", "around", "left")[(row[1] - row[0]) & 3]
        return f"{self.names[robot]} turns {turning} to face {WAYS[row[1]]}", {"from": row[0], "heading": row[1]}

    def tell_bump(self, robot: int, row: Row) -> Told:
        who = "" if row[2] == row[0] else " with what it pushes"
        return f"{self.names[robot]} is stopped by a wall{who}", {"at": row[0], "direction": row[1], "wall": row[2]}

    def tell_fall(self, robot: int, row: Row) -> Told:
        origin, target, direction, by = row
        where = "off the board" if target == NOT_HERE else "into a pit"
        data = {"from": origin, "to": None if target == NOT_HERE else target, "direction": direction}
        if by == robot:
            return f"{self.names[robot]} falls {where}", data
        if by == BELT:
            return f"A belt carries {self.names[robot]} {where}", data | {"belt": True}
        return f"{self.names[by]} pushes {self.names[robot]} {where}", data | {"by": by}

    def tell_hack(self, robot: int, row: Row) -> Told:
        doing = "comments out" if COMMANDS[row[1]] == "CMT" else "inverts"
        return f"{self.names[robot]} {doing} the command of {self.names[row[0]]}", {"target": row[0], "command": COMMANDS[row[1]]}

    def tell_waste(self, robot: int, row: Row) -> Told:
        return f"{self.names[robot]}: {MEANINGS[row[0]]} hits nobody", {"command": COMMANDS[row[0]]}

    def tell_skip(self, robot: int, row: Row) -> Told:
        return f"{self.names[robot]} does nothing: the command is commented out", {}

    def tell_idle(self, robot: int, row: Row) -> Told:
        return f"{self.names[robot]} does nothing", {}

    def tell_salvo(self, robot: int, row: Row) -> Told:
        return "Lasers at the end of the turn", {"turn": row[0]}

    def tell_fire(self, robot: int, row: Row) -> Told:
        square, direction, passed, target = row
        step = int(self.tables.step[direction])
        hit = f" and hits {self.names[target]}" if target >= 0 else ""
        squares = [square + step * number for number in range(1, passed + 1)]
        found = {"target": target} if target >= 0 else {}
        return f"{self.names[robot]} fires {WAYS[direction]}{hit}", {"from": square, "direction": direction, "squares": squares, **found}

    def tell_beam(self, robot: int, row: Row) -> Told:
        square, direction, passed, target = row
        step = int(self.tables.step[direction])
        squares = [square + step * number for number in range(passed + 1)]
        return f"A laser of the board hits {self.names[target]}", {"direction": direction, "squares": squares, "target": target}

    def tell_damage(self, robot: int, row: Row) -> Told:
        return f"{self.names[robot]} has health {row[0]}", {"health": row[0], "hits": row[1]}

    def tell_scrap(self, robot: int, row: Row) -> Told:
        return f"{self.names[robot]} is scrap", {"at": row[0]}

    def tell_lock(self, robot: int, row: Row) -> Told:
        register, die, face, was_noop = row
        what = f": {face_text(self.tables, die, face)}" if die else ", empty"
        live = ", no NO-OP any more" if was_noop else ""
        return f"{self.names[robot]}: register {register + 1} is locked{what}{live}", self._register(robot, row, LOCKED)

    def tell_unlock(self, robot: int, row: Row) -> Told:
        return f"{self.names[robot]}: register {row[0] + 1} is unlocked", self._register(robot, row, COMMAND)

    def _register(self, robot: int, row: Row, slot: int) -> dict[str, Any]:
        register, die, face, *_ = row
        return {"register": register + 1, "die": die, "face": face, "drawing": self._drawing(robot, die, face, slot)}

    def _drawing(self, robot: int, die: int, face: int, slot: int) -> str:
        """A register as it is drawn in a square of 20 by 20; nothing for an empty one."""
        return register_svg(self.tables, robot, die, face, slot) if die else ""

    def tell_heal(self, robot: int, row: Row) -> Told:
        return f"{self.names[robot]} is repaired to health {row[0]}", {"health": row[0]}

    def tell_respawn(self, robot: int, row: Row) -> Told:
        return f"{self.names[robot]} starts again, heading {DIRECTIONS[row[1]]}", {"to": row[0], "heading": row[1]}

    def tell_shutdown(self, robot: int, row: Row) -> Told:
        return f"{self.names[robot]} shuts down", {}

    def tell_finish(self, robot: int, row: Row) -> Told:
        return f"{self.names[robot]} finishes, place {row[0]}", {"rank": row[0]}

    def tell_end_of_turn(self, robot: int, row: Row) -> Told:
        return f"Turn {row[0]} is over", {"turn": row[0]}
