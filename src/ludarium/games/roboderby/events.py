"""What happens when actions are carried out, thing by thing, in words and as data that a page can show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ludarium.core.game import Action, Event, Game, State
from ludarium.core.jit import kernel
from ludarium.core.rules import CHANCE

from .drawing.mats import content_label, register_svg
from .execution.flags import INVERTED
from .execution.movement import BELT
from .execution.trace import KINDS, empty_log
from .notation.program_text import face_text, slot_text
from .rules import carry_out_actions, carry_out_chance
from .sheets.faces import CMT, COMMANDS, DIRECTIONS, MEANINGS, WAYS
from .sheets.tiles import LETTERS
from .tables import COMMAND, LOCKED, NOOP, NOT_HERE

SLOTS = ("empty", "command", "no-op", "locked")


@kernel()
def _trace(tables: Any, states: Any, joint: Any, outcome: Any, log: Any) -> None:
    """Carry out an outcome of chance, or where that is negative, the actions in ``joint``, with a log."""
    if outcome >= 0:
        carry_out_chance(tables, states[0], outcome, log)
    else:
        carry_out_actions(tables, states[0], joint, log)


Row = list[int]
"""Of a log: a kind, a robot, and four numbers."""


def events_of(state: State, actions: Mapping[int, Action]) -> tuple[Event, ...]:
    """What happens in public when these actions are played: nothing while programs are made, and then the whole turn, up to a roll-off if there is one."""
    states = state.copy_records()
    return told(state.game, states[0], carried_out(state.game, states, actions))


def carried_out(game: Game, states: Any, actions: Mapping[int, Action]) -> list[Row]:
    """Carry actions or an outcome of chance out in ``states[0]``; what happened, as it stands in a log. Without any, programs that are all locked in run."""
    joint, log = np.full((game.players, 1), -1, np.int64), empty_log()
    for player, action in actions.items():
        if player != CHANCE:
            joint[player] = action.index
    _trace(game.tables, states, joint, actions[CHANCE].index if CHANCE in actions else -1, log)
    return log[1 : log[0, 0]].tolist()


def told(game: Game, record: Any, rows: Iterable[Row]) -> tuple[Event, ...]:
    """Rows of a log in words. ``data`` has ``kind`` always, and ``robot`` where it is about one; squares are numbers, headings 0 N to 3 W."""
    names = [f"{name} ({LETTERS[letter]})" for name, letter in zip(game.player_names, record.letter[: game.players].tolist(), strict=True)]
    return tuple(_event(game.tables, names, KINDS[row[0]], row[1], row[2:]) for row in rows)


def _event(tables: Any, names: list[str], kind: str, robot: int, numbers: list[int]) -> Event:
    about = {} if kind in ("register", "salvo", "beam", "end-of-turn") else {"robot": robot}
    text, data = _told(tables, names, kind, robot, *numbers)
    return Event(text, {"kind": kind, **about, **data})


def _told(tables: Any, names: list[str], kind: str, robot: int, *numbers: int) -> tuple[str, dict[str, Any]]:
    """The words, and the data that only this kind has."""
    name = names[robot]
    match kind, *numbers:
        case "program", *contents:
            slots = [(content // 100, content // 10 % 10, content % 10) for content in contents]
            registers = [
                {"die": die, "face": face, "slot": SLOTS[slot], **_content(tables, robot, die, face, slot)} for die, face, slot in slots
            ]
            return f"{name} has programmed {' '.join(slot_text(tables, *slot) for slot in slots)}", {"registers": registers}
        case "register", register, *_:
            return f"Register {register + 1}", {"register": register + 1}
        case "order", die, face, slot, flags:
            text = face_text(tables, die, face)
            priority = int(tables.priorities[die - 1, face - 1])
            what = f"NO-OP ({text})" if slot == NOOP else f"{text}, locked" if slot == LOCKED else text
            inverted = bool(flags & INVERTED)
            data = {"die": die, "face": face, "slot": SLOTS[slot], "priority": priority, "inverted": inverted}
            return f"{name}, priority {priority}: {what}{', inverted' if inverted else ''}", data
        case "roll-off", die, face, priority, _:
            return f"{name} rolls {priority} in the roll-off", {"die": die, "face": face, "priority": priority}
        case "move", origin, target, direction, _:
            return f"{name} moves {WAYS[direction]}", {"from": origin, "to": target, "direction": direction}
        case "push", origin, target, direction, by:
            return f"{names[by]} pushes {name} {WAYS[direction]}", {"from": origin, "to": target, "direction": direction, "by": by}
        case "carry", origin, target, direction, _:
            return f"A belt carries {name} {WAYS[direction]}", {"from": origin, "to": target, "direction": direction}
        case "turn", before, after, *_:
            turning = ("", "right", "around", "left")[(after - before) & 3]
            return f"{name} turns {turning} to face {WAYS[after]}", {"from": before, "heading": after}
        case "bump", square, direction, wall, _:
            pushed = "" if wall == square else " with what it pushes"
            return f"{name} is stopped by a wall{pushed}", {"at": square, "direction": direction, "wall": wall}
        case "fall", origin, target, direction, by:
            where = "off the board" if target == NOT_HERE else "into a pit"
            data = {"from": origin, "to": None if target == NOT_HERE else target, "direction": direction}
            if by == robot:
                return f"{name} falls {where}", data
            if by == BELT:
                return f"A belt carries {name} {where}", data | {"belt": True}
            return f"{names[by]} pushes {name} {where}", data | {"by": by}
        case "hack", target, command, *_:
            doing = "comments out" if command == CMT else "inverts"
            return f"{name} {doing} the command of {names[target]}", {"target": target, "command": COMMANDS[command]}
        case "waste", command, *_:
            return f"{name}: {MEANINGS[command]} hits nobody", {"command": COMMANDS[command]}
        case "skip", *_:
            return f"{name} does nothing: the command is commented out", {}
        case "idle", *_:
            return f"{name} does nothing", {}
        case "salvo", turn, *_:
            return "Lasers at the end of the turn", {"turn": turn}
        case "fire", square, direction, passed, target:
            squares = [square + int(tables.step[direction]) * number for number in range(1, passed + 1)]
            data = {"from": square, "direction": direction, "squares": squares}
            if target < 0:
                return f"{name} fires {WAYS[direction]}", data
            return f"{name} fires {WAYS[direction]} and hits {names[target]}", data | {"target": target}
        case "beam", square, direction, passed, target:
            squares = [square + int(tables.step[direction]) * number for number in range(passed + 1)]
            return f"A laser of the board hits {names[target]}", {"direction": direction, "squares": squares, "target": target}
        case "damage", health, hits, *_:
            return f"{name} has health {health}", {"health": health, "hits": hits}
        case "scrap", square, *_:
            return f"{name} is scrap", {"at": square}
        case "lock" | "unlock", register, die, face, was_noop:
            content = f": {face_text(tables, die, face)}" if die else ", empty"
            locked = f"locked{content}{', no NO-OP any more' if was_noop else ''}" if kind == "lock" else "unlocked"
            data = _content(tables, robot, die, face, LOCKED if kind == "lock" else COMMAND)
            return f"{name}: register {register + 1} is {locked}", {"register": register + 1, "die": die, "face": face, **data}
        case "heal", health, *_:
            return f"{name} is repaired to health {health}", {"health": health}
        case "respawn", square, heading, *_:
            return f"{name} starts again, heading {DIRECTIONS[heading]}", {"to": square, "heading": heading}
        case "shutdown", *_:
            return f"{name} shuts down", {}
        case "finish", rank, *_:
            return f"{name} finishes, place {rank}", {"rank": rank}
        case _:
            return f"Turn {numbers[0]} is over", {"turn": numbers[0]}


def _content(tables: Any, robot: int, die: int, face: int, slot: int) -> dict[str, str]:
    """A register as it is drawn in a square of 20 by 20, and in words; nothing for an empty one."""
    if not die:
        return {"drawing": "", "label": ""}
    return {"drawing": register_svg(tables, robot, die, face, slot), "label": content_label(tables, die, face, slot)}
