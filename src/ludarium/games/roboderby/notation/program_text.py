"""Programs in words: ``F2 L NOOP(R) CMT``, with locked registers in brackets: ``F2 L [U] [R]``."""

from __future__ import annotations

from typing import Any

from ..sheets.faces import COMMANDS
from ..tables import EMPTY, LOCKED, NOOP, REGISTERS


def face_text(dice: Any, die: int, face: int) -> str:
    """The command on a face (die and face from 1)."""
    return COMMANDS[int(dice.commands[die - 1, face - 1])]


def whole_face_text(dice: Any, die: int, face: int) -> str:
    """A face as files of dice have it, ``F2 21`` or ``R 3*``: command, priority and laser. ``dice`` are a set or a game's tables; die and face from 1."""
    star = "*" if dice.lasers[die - 1, face - 1] else ""
    return f"{face_text(dice, die, face)} {dice.priorities[die - 1, face - 1]}{star}"


def slot_text(tables: Any, die: int, face: int, slot: int) -> str:
    """One register; ``-`` is an empty one."""
    text = face_text(tables, die, face) if die else "-"
    if slot == EMPTY:
        return "-"
    return f"NOOP({text})" if slot == NOOP else f"[{text}]" if slot == LOCKED else text


def program_text(tables: Any, record: Any, player: int) -> str:
    """What is in a player's registers."""
    fields = (record.register_die, record.register_face, record.register_slot)
    return " ".join(slot_text(tables, *(int(field[player, register]) for field in fields)) for register in range(REGISTERS))
