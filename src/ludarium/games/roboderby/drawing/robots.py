"""Robots from above: shape and colour say whose it is, a nose and eyes where it heads, the letter which mark it races for, lamps how healthy it is."""

from __future__ import annotations

from typing import Any

from ..sheets.faces import DIRECTIONS, WAYS
from ..sheets.tiles import LETTERS
from ..tables import ACTIVE, FULL_HEALTH, SHUT_DOWN, WRECK
from .colours import PAINTS
from .words import square_words

_NOSE = "M-6-4.2-.8-9.8q.8-.8 1.6 0L6-4.2z"


def _robot_label(state: Any, robot: int) -> str:
    """A robot in words."""
    record = state.record
    name = f"{state.game.player_names[robot]}, {PAINTS[robot].shape} with the letter {LETTERS[int(record.letter[robot])]}"
    name += f", {square_words(state.game.tables, int(record.square[robot]))}"
    status = int(record.status[robot])
    if status == WRECK:
        return f"{name}: a wreck"
    asleep = ", shut down" if status == SHUT_DOWN else ""
    return f"{name}, heading {WAYS[int(record.heading[robot])]}, health {int(record.health[robot])} of {FULL_HEALTH}{asleep}"


def robot_svg(state: Any, robot: int, x: float, y: float) -> str:
    """A robot on the board around a place: the group moves, the group in it with ``data-heading`` turns."""
    record = state.record
    status = int(record.status[robot])
    heading = int(record.heading[robot])
    letter = LETTERS[int(record.letter[robot])]
    lamps = lamps_svg(-6.6, 7.7, 1.8, 1.5, int(record.health[robot])) if status != WRECK else ""
    return (
        f'<g data-robot="{robot}" data-piece="robot-{robot}" transform="translate({x:g} {y:g})" role="img" aria-label="{_robot_label(state, robot)}">'
        f'<g data-heading="{DIRECTIONS[heading]}" transform="rotate({90 * heading})">{body_svg(robot, status)}{lamps}</g>{_on_top(status, letter)}</g>'
    )


def body_svg(robot: int, status: int = ACTIVE) -> str:
    """The body alone, heading north around the origin, without its letter."""
    if status == WRECK:
        return f'<path class="rd-body rd-dead rd-s{robot}" d="{PAINTS[robot].body}"/>'
    eyes = "".join(f'<circle class="rd-eye" cx="{x}" cy="-4.4" r="1.1"/>' for x in (-3.5, 3.5))
    return f'<path class="rd-nose" d="{_NOSE}"/><path class="rd-body rd-f{robot}" d="{PAINTS[robot].body}"/>{eyes}'


def _on_top(status: int, letter: str) -> str:
    text = f'<text class="rd-letter" x="0" y="3.2">{letter}</text>'
    if status == WRECK:
        return f'<path class="rd-cross" d="M-4-3.6 4 4.4M4-3.6-4 4.4"/>{text}'
    if status == SHUT_DOWN:  # the sign of a power switch
        return (
            f'{text}<circle class="rd-moon" cx="6" cy="-6" r="3.5"/><g transform="translate(6 -6) scale(.62)">'
            '<path class="rd-sleep" d="M-2-2.2a3 3 0 1 0 4 0M0-3.6v3"/></g>'
        )
    return text


def lamps_svg(x: float, y: float, width: float, height: float, health: int) -> str:
    """Six lamps in a row from a place on, each so wide and high, as many lit as there is health."""
    lit = "rd-on" if health > 2 else "rd-low"
    step, rim = 1.25 * width, min(1.0, width / 3)
    plate = f'x="{x - rim:g}" y="{y - rim:g}" width="{step * FULL_HEALTH - width / 4 + 2 * rim:g}" height="{height + 2 * rim:g}" rx="1.2"'
    lamps = "".join(
        f'<rect class="{lit if lamp < health else "rd-off"}" x="{x + lamp * step:g}" y="{y:g}" width="{width:g}" height="{height:g}"/>'
        for lamp in range(FULL_HEALTH)
    )
    return f'<g class="rd-lamps"><rect class="rd-plate" {plate}/>{lamps}</g>'
