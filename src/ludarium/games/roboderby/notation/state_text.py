"""The text of a state: one line of compact JSON.

Always there are ``turn``, ``phase``, ``deal``, ``start_edge``, ``robots``, ``registers``, ``dice``, and ``rules`` (the options that are not the default).
``programming`` is there while players declare or program, ``execution`` while a turn waits for a roll-off or a hack's target.
"""

from __future__ import annotations

import json
from typing import Any

from ..execution.flags import FLAGS
from ..options import Rules
from ..sheets.boards import Deal, deal_text
from ..sheets.faces import DIRECTIONS
from ..sheets.tiles import LETTERS, TileSet
from ..tables import COMMAND, LEFT, LOCKED, NOOP, NOT_HERE, PHASE, PHASES, REGISTERS, UNKNOWN_DICE, RoboDerbyTables
from .action_text import UNSEEN, dice_of

KEYS = ("deal", "dice", "phase", "registers", "robots", "rules", "start_edge", "turn")

STATUSES = ("active", "shutdown", "wreck", "off-board", "finished", "left")
DECLARATIONS = ("", "run", "shutdown", UNSEEN)


def lap_text(lap: int) -> str:
    """Where on the lap somebody is who has entered that many tiles since the start, in a few words."""
    if lap >= 4:
        return "to the finish" if lap == 4 else "past the finish"
    return f"tile {lap + 1} of 4" if lap >= 0 else f"{-lap} tile{'s' if lap < -1 else ''} back"


def position_text(tables: RoboDerbyTables, tile_set: TileSet, rules: Rules, record: Any) -> str:
    """The text of a state."""
    players = range(tables.players)
    fields: dict[str, Any] = {
        "deal": deal_text(tile_set, Deal(tuple(record.tile.tolist()), tuple(record.rotation.tolist()))) if record.dealt else None,
        "dice": [record.dice[player].tolist() for player in players],
        "phase": PHASES[int(record.phase)],
        "registers": [[_register_text(record, player, register) for register in range(REGISTERS)] for player in players],
        "robots": [_robot(tables, record, player) for player in players] if record.turn else [],
        "rules": rules.differences(),
        "start_edge": DIRECTIONS[int(record.start_edge)] if record.dealt and record.start_edge >= 0 else None,
        "turn": int(record.turn),
    }
    phase = int(record.phase)
    if not record.turn and (left := [player for player in players if record.status[player] == LEFT]):
        fields["left"] = left
    if phase == PHASE.SHUTDOWN:
        fields["programming"] = [DECLARATIONS[int(record.declared[player])] for player in players]
    if phase == PHASE.PROGRAM:
        fields["programming"] = [_programming(record, player) for player in players]
    if phase in (PHASE.HACK, PHASE.ROLL_OFF):
        fields["execution"] = {
            "flags": [_flags(int(flags)) for flags in record.fate[: tables.players]],
            "next": int(record.next),
            "order": [LETTERS[int(record.letter[robot])] for robot in record.order[: int(record.count)].tolist()],
            "register": int(record.register) + 1,
            "tied": record.tied[: int(record.count)].tolist(),
        }
    if record.roll_offs:
        fields["roll_offs"] = int(record.roll_offs)
    return json.dumps(fields, separators=(",", ":"), sort_keys=True)


def _robot(tables: RoboDerbyTables, record: Any, player: int) -> dict[str, Any]:
    square = int(record.square[player])
    robot: dict[str, Any] = {
        "heading": DIRECTIONS[int(record.heading[player])],
        "health": int(record.health[player]),
        "lap": int(record.lap[player]),
        "letter": LETTERS[int(record.letter[player])],
        "square": None if square == NOT_HERE else [square % tables.width, square // tables.width],
        "status": STATUSES[int(record.status[player])],
    }
    return robot | ({"rank": int(record.rank[player])} if record.rank[player] else {})


def _register_text(record: Any, player: int, register: int) -> str:
    """``3:4`` die 3 with face 4 as a command, ``3:4n`` as a NO-OP, ``[3:4]`` locked, ``[]`` locked without a die, nothing where it is empty."""
    slot, die, face = (int(field[player, register]) for field in (record.register_slot, record.register_die, record.register_face))
    shown = f"{die}:{face}" if die else ""
    return {COMMAND: shown, NOOP: f"{shown}n", LOCKED: f"[{shown}]"}.get(slot, "")


def _programming(record: Any, player: int) -> str:
    """How far a player's programming is: ``ready``, ``roll 1 3`` (the dice that are to be rolled), ``placed`` (since the last roll), or nothing of these."""
    if record.ready[player]:
        return "ready"
    rolling = int(record.rolling[player])
    if rolling:
        return f"roll {UNSEEN}" if rolling == UNKNOWN_DICE else " ".join(["roll", *(str(die + 1) for die in dice_of(rolling))])
    return "placed" if record.placed[player] else ""


def _flags(flags: int) -> str:
    return " ".join(name for bit, name in enumerate(FLAGS) if flags >> bit & 1)
