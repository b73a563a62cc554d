"""A whole turn in one line: what everybody programmed, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from ludarium.core.game import Action, State
from ludarium.core.rules import CHANCE

from .actions import ROLL
from .events import carried_out, told
from .sheets.faces import DIRECTIONS, WAYS
from .tables import EMPTY, NOT_HERE, PHASE, SHUT_DOWN

WORDS = ("", "1", "2", "3", "left", "right", "shift left", "shift right", "U-turn", "back", "comment", "invert")
"""Commands by number, as they are called in a row."""

_PLACES = ("", "first", "second", "third", "fourth")


def line_of(state: State, actions: Mapping[int, Action]) -> str:
    """``Turn 2: Blue 3, left, no-op, 2 — shoves Orange · Orange 1, 1, back, right — falls into a pit``. Nothing for steps that only lead to a turn.

    A turn that stops, for a roll-off or a choice, has a line for each part.
    """
    record, game = state.record, state.game
    phase = int(record.phase)
    if phase == PHASE.EDGE and CHANCE not in actions:
        return f"{game.player_names[0]} starts from the {WAYS[DIRECTIONS.index(actions[0].text.split()[-1])]}"
    if phase not in (PHASE.SHUTDOWN, PHASE.PROGRAM, PHASE.HACK, PHASE.ROLL_OFF) or (
        phase == PHASE.PROGRAM and not _run_now(state, actions)
    ):
        return ""
    states = state.copy_records()
    rows = carried_out(game, states, actions)
    happened = [event.data for event in told(game, states[0], rows)]
    kinds = [data["kind"] for data in happened]
    if "register" not in kinds and phase in (PHASE.SHUTDOWN, PHASE.PROGRAM):
        return ""
    deeds = _deeds(state, states[0], happened)
    programs = {data["robot"]: _program(game.tables, data["registers"]) for data in happened if data["kind"] == "program"}
    begins = bool(programs) or phase in (PHASE.SHUTDOWN, PHASE.PROGRAM)
    parts: list[str] = []
    for robot, name in enumerate(game.player_names):
        is_down = begins and int(record.status[robot]) == SHUT_DOWN
        does = "is shut down" if is_down else programs.get(robot, "")
        if does or deeds[robot]:
            parts.append(" ".join(filter(None, (name, does, "— " * bool(does and deeds[robot]) + ", ".join(deeds[robot])))))
    more = "" if "end-of-turn" in kinds else " …"
    return f"Turn {int(record.turn)}{'' if begins else ', further'}: {' · '.join(parts) or 'nothing more'}{more}"


def _run_now(state: State, actions: Mapping[int, Action]) -> bool:
    """Whether the last programs are locked in by these actions."""
    last = [player for player, action in actions.items() if player != CHANCE and cast(int, action.index) < ROLL]
    slots = state.record.register_slot
    return set(last) == set(state.to_move) and all(slots[player].tolist().count(EMPTY) == 1 for player in last)


def _program(tables: Any, registers: list[dict[str, Any]]) -> str:
    def word(die: int, face: int, slot: str) -> str:
        return "no-op" if slot == "no-op" else "empty" if not die else WORDS[int(tables.commands[die - 1, face - 1])]

    return ", ".join(word(each["die"], each["face"], each["slot"]) for each in registers)


def _deeds(state: State, after: Any, happened: list[Any]) -> list[list[str]]:
    """By robot, what it did to others and what became of it; each once."""
    names = state.game.player_names
    deeds: list[dict[str, str]] = [{} for _ in names]
    others: list[dict[str, list[str]]] = [{} for _ in names]  # by what is done to them
    for data in happened:
        match data:
            case {"kind": "push", "robot": int(robot), "by": int(by)}:
                others[by].setdefault("shoves", []).append(names[robot])
            case {"kind": "fall", "robot": robot, "to": to}:
                deeds[robot]["fall"] = "falls off the board" if to in (None, NOT_HERE) else "falls into a pit"
            case {"kind": "hack", "robot": int(robot), "target": int(target), "command": command}:
                others[robot].setdefault("comments out" if command == "CMT" else "inverts", []).append(names[target])
            case {"kind": "damage", "robot": robot, "health": health}:
                deeds[robot]["damage"] = f"burnt to health {health}"
            case {"kind": "scrap", "robot": robot}:
                deeds[robot]["damage"] = "burnt to scrap"
            case {"kind": "finish", "robot": robot, "rank": rank}:
                deeds[robot]["lap"] = f"finishes {_PLACES[rank]}"
            case {"kind": "end-of-turn"}:
                break  # what begins then is the next turn
            case _:
                pass
    for robot, laps in enumerate(after.lap[: len(names)].tolist()):
        if not state.game.tables.s_race and laps > int(state.record.lap[robot]) >= 0 and "fall" not in deeds[robot]:
            deeds[robot].setdefault("lap", f"reaches tile {laps + 1}" if laps < len(_PLACES) - 1 else "is round")
    return [[*(f"{does} {_joined(whom)}" for does, whom in to.items()), *own.values()] for to, own in zip(others, deeds, strict=True)]


def _joined(names: list[str]) -> str:
    """``Blue, Green and Pink``, each once."""
    *first, last = dict.fromkeys(names)
    return f"{', '.join(first)} and {last}" if first else last
