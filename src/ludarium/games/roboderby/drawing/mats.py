"""The players' mats: who, how healthy and how far; the four registers with their dice; the dice in hand."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ludarium.core.jit import plain

from ..execution.damage import SHUTDOWN_REPAIR
from ..notation.state_text import lap_text
from ..phases.turn import declaring
from ..sheets.dice import DICE
from ..sheets.faces import COMMANDS, MEANINGS
from ..sheets.tiles import LETTERS
from ..tables import ACTIVE, EMPTY, FINISHED, FULL_HEALTH, LEFT, LOCKED, NOOP, OFF_BOARD, PHASE, REGISTERS, SHUT_DOWN, WRECK, are_placed
from .icons import die_label, die_svg, face_down_svg, padlock_svg
from .robots import body_svg, lamps_svg

if TYPE_CHECKING:
    from ludarium.core.game import Action

WIDTH = 240
"""Of a mat, in units of its own."""

LARGE, SMALL = 86, 29
"""How high a mat is: that of the player who looks, and the others'."""

_RIBBON = '<path class="rd-ribbon" d="M.2 4q0-3.8 3.8-3.8h12q3.8 0 3.8 3.8v1.8H.2z"/><text class="rd-noop" x="10" y="4.9">NO-OP</text> '
_STRIKE = '<path class="rd-strike" d="M3.6 18.2 16.4 6.4"/>'

_LOCK = padlock_svg(0.7, 12.5)

_ORDINALS = ("", "1st", "2nd", "3rd", "4th")


def from_seat(tables: Any, seat: int) -> list[int]:
    """All players from a seat on."""
    first = seat if seat < tables.players else 0
    return [(first + number) % tables.players for number in range(tables.players)]


def is_programming(state: Any, player: int) -> bool:
    """Whether a player is at its dice: it has not shut down and not locked in."""
    record = state.record
    return int(record.phase) == PHASE.PROGRAM and int(record.status[player]) == ACTIVE and not record.ready[player]


def progress(state: Any, player: int) -> str:
    """Where a player is in the race, in a few words."""
    record, tables = state.record, state.game.tables
    status = int(record.status[player])
    if status == FINISHED:
        return f"finished {_ORDINALS[int(record.rank[player])]}"
    if status == LEFT:
        return "has left"
    if status in (WRECK, OFF_BOARD):
        return "a wreck" if status == WRECK else "off the board"
    if status == SHUT_DOWN:
        return "shut down"
    if not are_placed(record):
        return ""
    if tables.s_race:
        return "to the star"
    return lap_text(int(record.lap[player]))


def _robot(state: Any, player: int, x: float, y: float, scale: float) -> str:
    letter = f'<text class="rd-letter" y="3.2">{LETTERS[int(state.record.letter[player])]}</text>' if are_placed(state.record) else ""
    status = int(state.record.status[player])
    return f'<g transform="translate({x:g} {y:g}) scale({scale:g})">{body_svg(player, status)}{letter}</g>'


def _panel(player: int, height: int) -> str:
    return (
        f'<rect class="rd-mat" x=".4" y=".4" width="{WIDTH - 0.8:g}" height="{height - 2.8:g}" rx="4"/>'
        f'<rect class="rd-g{player}" x="1.6" y="3" width="2.4" height="{height - 8}" rx="1.2"/>'
    )


def large_mat(state: Any, player: int, last: Action | None) -> str:
    """The mat of the player who looks, two rows high: its dice (``d1`` to ``d5``), registers (``r1`` to ``r4``) and buttons (``roll``, ``run``, ``shutdown``)
    can be picked."""
    record = state.record
    health = int(record.health[player])
    name = state.game.player_names[player]
    parts = [
        _panel(player, LARGE),
        _robot(state, player, 18, 18.5, 1.25),
        f'<text class="rd-name" x="34" y="13" font-size="9.5">{name}</text>',
        lamps_svg(35, 17, 6, 5, health) if are_placed(record) else "",
        f'<text class="rd-fact" x="34" y="34" font-size="8.4">{progress(state, player)}</text>',
    ]
    registers = [(98 + 35 * register, 3.6) for register in range(REGISTERS)]
    parts += [_register(state, player, register, x, y, 1.62, last) for register, (x, y) in enumerate(registers)]
    parts += [_die_in_hand(state, player, die, 63 + 35 * (die - 1), 43, 1.62, True) for die in range(1, DICE + 1)]
    if is_programming(state, player) and record.placed[player] and not record.rolling[player]:
        parts.append(_button("roll", "re-roll the remaining dice", "re-roll", 46, 27))
    if plain(declaring)(tables := state.game.tables, record) >> player & 1 and int(record.phase) == PHASE.SHUTDOWN:
        repair = min(SHUTDOWN_REPAIR, FULL_HEALTH - health) if not tables.vicious else SHUTDOWN_REPAIR
        parts.append(_button("run", "run this turn", "run", 43, 17))
        parts.append(_button("shutdown", f"shut down this turn, repair {repair}", "shut down", 62, 17))
    return f'<g data-mat="{player}" role="group" aria-label="mat of {name}">{"".join(parts)}</g>'


def _button(pick: str, label: str, text: str, y: int, height: int) -> str:
    size = ' style="font-size:7.6px"' if len(text) > 8 else ""
    return (
        f'<g data-pick="{pick}" role="img" aria-label="{label}"><rect class="rd-button" x="8" y="{y}" width="48" height="{height}" rx="6"/>'
        f'<text class="rd-push"{size} x="32" y="{y + height / 2 + 3.1:g}">{text}</text></g>'
    )


def small_mat(state: Any, player: int) -> str:
    """Another player's mat, one row high."""
    record = state.record
    name = state.game.player_names[player]
    parts = [
        _panel(player, SMALL),
        _robot(state, player, 14, 13.4, 0.95),
        f'<text class="rd-name" x="25" y="9" font-size="7.6">{name}</text>',
        lamps_svg(26, 12.4, 4, 3, int(record.health[player])) if are_placed(record) else "",
        f'<text class="rd-fact" x="25" y="24" font-size="7">{progress(state, player)}</text>',
    ]
    parts += [_register(state, player, register, 80.5 + 20.6 * register, 3.4, 0.98, None, small=True) for register in range(REGISTERS)]
    parts += [_die_in_hand(state, player, die, 166 + 14.4 * (die - 1), 6.2, 0.7, False) for die in range(1, DICE + 1)]
    return f'<g data-mat="{player}" role="group" aria-label="mat of {name}">{"".join(parts)}</g>'


def _register(state: Any, player: int, register: int, x: float, y: float, scale: float, last: Action | None, small: bool = False) -> str:
    """A register with what is in it, in a square of 20 by 20 scaled."""
    tables, record = state.game.tables, state.record
    slot, die, face = (int(field[player, register]) for field in (record.register_slot, record.register_die, record.register_face))
    now = int(record.phase) in (PHASE.HACK, PHASE.ROLL_OFF) and int(record.register) == register
    label = f"register r{register + 1}: "
    if die and face:
        parts = [register_svg(tables, player, die, face, slot)]
        label += content_label(tables, die, face, slot)
    elif slot == EMPTY and is_face_down(state, player):
        parts = [_plate(slot), f'<g transform="translate(1 1) scale(.9)">{face_down_svg(player)}</g>']
        label += "face down"
    else:
        is_next = not small and _is_next(state, player, register)
        parts = [_plate(slot, is_next), f'<text class="rd-reg" x="10" y="12.6" font-size="7">r{register + 1}</text>']
        parts += [_LOCK] if slot == LOCKED else []
        label += "locked and empty" if slot == LOCKED else "empty"
    if now:
        parts.append('<rect class="rd-now" x="-.6" y="-.6" width="21.2" height="21.2" rx="4.4"/>')
    if last is not None and die and int(record.phase) == PHASE.PROGRAM and re.fullmatch(rf"{die}n?", last.text):
        parts.append('<rect class="rd-new" x="-.4" y="-.4" width="20.8" height="20.8" rx="4.2"/>')
    pick = "" if small else f' data-pick="r{register + 1}"'
    return f'<g{pick} data-register="{register + 1}" transform="translate({x:g} {y:g}) scale({scale:g})" role="img" aria-label="{label}">{"".join(parts)}</g>'


def content_label(tables: Any, die: int, face: int, slot: int) -> str:
    """What lies in a register, in words."""
    if slot == NOOP:
        command = int(tables.commands[die - 1, face - 1])
        return f"NO-OP, {tables.priorities[die - 1, face - 1]}, {MEANINGS[command]} ({COMMANDS[command]})"
    return f"{'locked, ' if slot == LOCKED else ''}{die_label(tables, die, face)}"


def register_svg(tables: Any, player: int, die: int, face: int, slot: int) -> str:
    """A register with a die in it that can be seen, in a square of 20 by 20."""
    where = 'class="rd-faint" transform="translate(2.9 5) scale(.71)"' if slot == NOOP else 'transform="translate(1 1) scale(.9)"'
    below, above = {NOOP: (_RIBBON, _STRIKE), LOCKED: ("", _LOCK)}.get(slot, ("", ""))
    return f"{_plate(slot)}{below}<g {where}>{die_svg(tables, player, die, face)}</g>{above}"


def _plate(slot: int, is_next: bool = False) -> str:
    """What a register is without its die."""
    name = "rd-bar" if slot == LOCKED else "rd-slot rd-open" if is_next else "rd-slot"
    return f'<rect class="{name}" x=".2" y=".2" width="19.6" height="19.6" rx="3.8"/>'


def _is_next(state: Any, player: int, register: int) -> bool:
    """Whether the next die goes into this register."""
    slots = [int(slot) for slot in state.record.register_slot[player]]
    return is_programming(state, player) and EMPTY in slots and slots.index(EMPTY) == register


def is_face_down(state: Any, player: int) -> bool:
    """Whether a program has been locked in that is not to be seen yet."""
    record = state.record
    return int(record.phase) == PHASE.PROGRAM and bool(record.ready[player]) and int(record.status[player]) == ACTIVE


def _die_in_hand(state: Any, player: int, die: int, x: float, y: float, scale: float, large: bool) -> str:
    """The place of a die in hand: the die, a die face down, one that is being rolled, or nothing if it lies in a register."""
    tables, record = state.game.tables, state.record
    face = int(record.dice[player, die - 1])
    content, label = '<rect class="rd-hand" x="2" y="2" width="16" height="16" rx="3"/>', "in a register"
    if face:
        content, label = die_svg(tables, player, die, face), die_label(tables, die, face)
    elif die in [int(one) for one in record.register_die[player]]:
        pass
    elif is_programming(state, player) and int(record.rolling[player]) >> (die - 1) & 1:
        content, label = f'<g class="rd-faint">{face_down_svg(player)}</g>', "to be rolled"
    elif is_programming(state, player):
        content, label = face_down_svg(player), "not to be seen"
    else:
        label = "not to be seen" if is_face_down(state, player) else "not rolled"
    pick = f' data-pick="d{die}"' if large and face else ""
    place = f'transform="translate({x:g} {y:g}) scale({scale:g})"'
    number = (
        f'<g {place}><text class="rd-reg" x="10" y="24.2" font-size="4.6">{die}</text></g>' if large else ""
    )  # what is pressed is called by its face
    return f'<g{pick} data-die="{die}" {place} role="img" aria-label="die {die}: {label}">{content}</g>{number}'
