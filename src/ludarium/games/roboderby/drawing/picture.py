"""Pictures of RoboDerby as SVG: the board with its robots, and below it the mats with registers and dice."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from ludarium.core.drawing import svg_element

from ..actions import TARGET
from ..sheets.tiles import LETTERS
from ..tables import ACTIVE, PHASE, are_placed
from .colours import GROUND, PIECES, style
from .ground import MARGIN, aim_svg, cells_svg, ground_svg, middle
from .icons import SIDE
from .mats import LARGE, SMALL, WIDTH, from_seat, large_mat, small_mat
from .robots import robot_svg

if TYPE_CHECKING:
    from ludarium.core.game import Action, State

_STYLE = style(GROUND, PIECES)


def svg(state: State, *, size: int, last: Action | None, seat: int) -> str:
    """Squares have ``data-square``, robots ``data-robot`` and a group whose ``transform`` is their place, mats ``data-mat``, ``data-register``, ``data-die``.

    Above the squares lie cells with ``data-cell``, which the keyboard reaches.
    The mat of ``seat`` comes first and is large; its dice, registers and buttons have ``data-pick``.
    """
    tables, record = state.game.tables, state.record
    width = SIDE * tables.width + 2 * MARGIN
    board_height = SIDE * tables.height + 2 * MARGIN
    robots = [robot for robot in range(tables.players) if are_placed(record) and int(record.square[robot]) >= 0]
    aims = "".join(aim_svg(state, robot) for robot in robots if int(record.status[robot]) == ACTIVE)
    targets = _targets(state)
    pieces = "".join(_piece(state, robot, robot in targets) for robot in robots)
    mats, height = _mats(state, last, seat, width, board_height)
    content = f'{ground_svg(state)}{cells_svg(state)}<g aria-hidden="true">{aims}</g>{pieces}{mats}'
    board = (-MARGIN, -MARGIN, width, board_height)
    return svg_element("rd", size, (-MARGIN, -MARGIN, width, height), _headline(state), _STYLE, content, board=board)


def _targets(state: State) -> set[int]:
    """The robots among which somebody chooses whom a hack hits."""
    if int(state.record.phase) != PHASE.HACK:
        return set()
    return {cast(int, action.index) - TARGET for action in state.actions()}


def _piece(state: State, robot: int, is_target: bool) -> str:
    drawn = robot_svg(state, robot, *middle(state.game.tables, int(state.record.square[robot])))
    letter = LETTERS[int(state.record.letter[robot])]
    return f'<g data-pick="robot {letter}" role="img" aria-label="the hack hits {letter}">{drawn}</g>' if is_target else drawn


def _mats(state: State, last: Action | None, seat: int, width: int, top: int) -> tuple[str, float]:
    """The mats, scaled to the board's width, and how high all becomes."""
    scale = (width - 4) / WIDTH
    y = float(top - MARGIN)
    parts: list[str] = []
    for number, player in enumerate(from_seat(state.game.tables, seat)):
        mat, high = (large_mat(state, player, last), LARGE) if number == 0 else (small_mat(state, player), SMALL)
        parts.append(f'<g data-beside="0 0 {WIDTH} {high}" transform="translate({2 - MARGIN} {y:g}) scale({scale:.4g})">{mat}</g>')
        y += high * scale
    return "".join(parts), y + MARGIN


def _headline(state: State) -> str:
    if state.is_over:
        return f"{state.game.title}: {state.game.reason(state)}"
    return f"{state.game.title}, turn {int(state.record.turn)}"
