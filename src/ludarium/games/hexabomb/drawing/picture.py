"""Pictures of hexabomb as SVG: hexagons to scale, characters, bombs with the lines that they will reach, this turn's explosions, scores and shares of cells."""

from __future__ import annotations

from functools import cache
from html import escape
from typing import TYPE_CHECKING, Any

from ludarium.core.drawing import Palette, svg_element

from ..tables import ALIVE, place_name
from .colours import PAINTS, paint_of
from .order_drawing import ORDER_RULES, orders_svg

if TYPE_CHECKING:
    from ludarium.core.game import State

RADIUS = 10
"""From the middle of a hexagon to its corners, in the drawing's own units."""
HALF_WIDTH = 8.66
HEXAGON = "m0-9.6 8.3 4.8v9.6l-8.3 4.8-8.3-4.8v-9.6z"
INSIDE = "m0-7.6 6.6 3.8v7.6l-6.6 3.8-6.6-3.8v-7.6z"
WHOLE = "M0-9.6 8.3-4.8v9.6L0 9.6-8.3 4.8v-9.6z"

_COLOURS = {
    "neutral": ("#c6d0d7", "#2c343a"),
    "line": ("#9fadb6", "#444e56"),
    "rim": ("#eceff1", "#2c343a"),
    "ink": ("#263038", "#e6edf2"),
    "token": ("#ffffff", "#f4f7f9"),
    "number": ("#14191d", "#14191d"),
    "bomb": ("#22272b", "#0b0d0f"),
    "blast": ("#d0021b", "#ffd21f"),
}
"""Colours by name, for light and for dark surroundings, from which neutral cells stand out so that a hole is no cell; the players' come after them."""

_PALETTE = Palette("hb", _COLOURS)
_paint = _PALETTE.paint

THEMES = _PALETTE.themes(
    {
        "Sand": {"neutral": ("#d8ccb4", "#38312a"), "line": ("#b0a283", "#544b40"), "rim": ("#f3ecdd", "#38312a")},
        "Moss": {"neutral": ("#c3d2c0", "#26342c"), "line": ("#98ad94", "#415247"), "rim": ("#e9f0e6", "#26342c")},
    }
)

_RULES = (
    f".hb-n{{{_paint('fill', 'neutral')};{_paint('stroke', 'line')}}}",
    ".hb-c{stroke-width:.7}",
    ".hb-h{fill:transparent}",
    ".hb-m{fill:none;stroke-width:1.5;stroke-linecap:round;stroke-linejoin:round;opacity:.42}",
    f".hb-x{{fill:none;{_paint('stroke', 'blast')};stroke-width:1.7;stroke-dasharray:3.2 1.6}}",
    f".hb-y{{fill:none;{_paint('stroke', 'rim')};stroke-width:2.6}}",
    ".hb-l{fill:none;stroke-width:1.1;stroke-dasharray:.1 2.6;stroke-linecap:round}",
    f".hb-t{{{_paint('fill', 'token')};stroke-width:1.8}}",
    ".hb-w{stroke-width:1.1;stroke-dasharray:1.6 1}",
    f".hb-b{{{_paint('fill', 'bomb')};stroke-width:1.2}}",
    f".hb-d{{fill:none;{_paint('stroke', 'ink')};stroke-width:1.1;stroke-linecap:round}}",
    f".hb text{{font-family:Figtree,system-ui,sans-serif;font-weight:700;text-anchor:middle;{_paint('fill', 'ink')}}}",
    f".hb .hb-i{{font-size:6.6px;{_paint('fill', 'number')};pointer-events:none}}",
    ".hb .hb-j{font-size:5px;fill:#fff;pointer-events:none}",
    f".hb .hb-g{{font-size:4.8px;{_paint('fill', 'number')};pointer-events:none}}.hb .hb-k{{{_paint('stroke', 'number')}}}",
    ".hb .hb-p{text-anchor:start;font-weight:600}",
    *ORDER_RULES,
)


@cache
def _style(players: int) -> str:
    """The style sheet with the paints of so many players."""
    paints = {f"{kind}{number}": pair for number, one in enumerate(PAINTS[:players]) for kind, pair in (("f", one.fill), ("e", one.edge))}
    palette = Palette("hb", _COLOURS | paints)
    edges = [palette.paint("stroke", f"e{number}") for number in range(len(paints) // 2)]
    owned = [f".hb-f{number}{{{palette.paint('fill', f'f{number}')};{edge}}}.hb-e{number}{{{edge}}}" for number, edge in enumerate(edges)]
    return "".join((palette.schemes, *owned, *_RULES))


def svg(state: State, *, size: int) -> str:
    """Cells are groups with ``data-pick`` and ``data-cell`` ``q,r``, characters in them groups with ``#`` and their number; labels say what is there."""
    tables, record = state.game.tables, state.record
    left, top, width, height = _frame(tables)
    panel, panel_height = _panel(state, left, top + height, width)
    total = height + panel_height
    bombs = {int(cell): number for number, cell in enumerate(record.bomb_cell[: int(record.bombs)])}
    lying: dict[int, list[int]] = {}
    for character in range(tables.characters):
        if int(record.revive_delay[character]) != ALIVE:
            lying.setdefault(int(record.position[character]), []).append(character)
    cells = "".join(_cell_svg(state, cell, bombs.get(cell), lying.get(cell, [])) for cell in range(tables.cells))
    orders = f'<g aria-hidden="true" pointer-events="none">{arrows}</g>' if (arrows := orders_svg(tables, record, _middle)) else ""
    ground = f'<g aria-hidden="true">{_paints(tables, record)}{_explosions(tables, record)}{_lines(tables, record)}</g>'
    whole = f'{ground}{cells}{orders}<g data-beside="{left:g} {top + height:g} {width:g} {panel_height:g}">{panel}</g>'
    return svg_element(
        "hb", size, (left, top, width, total), _headline(state), _style(tables.players), whole, board=(left, top, width, height)
    )


def _middle(tables: Any, cell: int) -> tuple[float, float]:
    q, r = int(tables.q[cell]), int(tables.r[cell])
    return round(HALF_WIDTH * (2 * q + r), 2), 1.5 * RADIUS * r


def _frame(tables: Any) -> tuple[float, float, float, float]:
    """The left and upper edge of the board, its width and height."""
    across, down = zip(*(_middle(tables, cell) for cell in range(tables.cells)), strict=True)
    left, top = min(across) - HALF_WIDTH - 1, min(down) - RADIUS - 1
    return left, top, max(across) + HALF_WIDTH + 1 - left, max(down) + RADIUS + 1 - top


def _paints(tables: Any, record: Any) -> str:
    """All cells, those of one colour as one path with their motifs as another."""
    layers: list[str] = []
    for colour in range(tables.players + 1):
        middles = [_middle(tables, cell) for cell in range(tables.cells) if int(record.colour[cell]) == colour]
        if not middles:
            continue
        look = f"hb-f{(colour - 1) % len(PAINTS)}" if colour else "hb-n"
        layers.append(f'<path class="hb-c {look}" d="{"".join(f"M{x:g} {y:g}{HEXAGON}" for x, y in middles)}"/>')
        if colour:
            path = "".join(f"M{x:g} {y:g}{paint_of(colour - 1).motif}" for x, y in middles)
            layers.append(f'<path class="hb-m hb-e{(colour - 1) % len(PAINTS)}" d="{path}"/>')
    return "".join(layers)


def _cell_svg(state: State, cell: int, bomb: int | None, lying: list[int]) -> str:
    tables, record = state.game.tables, state.record
    x, y = _middle(tables, cell)
    living = int(record.occupant[cell]) - 1
    things = "".join(_dead_svg(state, character, place) for place, character in enumerate(lying))
    if living >= 0:
        things += _living_svg(state, living, bomb is not None)
    if bomb is not None:
        things += _bomb_svg(record, bomb, living >= 0)
    name = place_name(tables, cell)
    label = name + escape(_cell_label(state, cell, bomb, living))
    return (
        f'<g data-pick="{name}" data-cell="{name}" transform="translate({x:g} {y:g})" role="img" aria-label="{label}">'
        f'<path class="hb-h" data-shape="" d="{WHOLE}"/>{things}</g>'
    )


def _cell_label(state: State, cell: int, bomb: int | None, living: int) -> str:
    record, names = state.record, state.game.player_names
    colour = int(record.colour[cell])
    label = f", {names[colour - 1] if colour else 'neutral'}"
    if living >= 0:
        label += f", #{living} of {names[int(state.game.tables.owner[living])]}"
    if bomb is not None:
        owner = names[int(record.bomb_colour[bomb]) - 1]
        label += f", bomb of {owner}, delay {int(record.bomb_delay[bomb])}, range {int(record.bomb_range[bomb])}"
    return label + (", exploded" if record.blast[cell] else "")


def _living_svg(state: State, character: int, aside: bool) -> str:
    """A disc with the character's number, and a dot for each bomb that it carries; to the upper left when it stands on a bomb."""
    look = f"hb-t hb-e{int(state.game.tables.owner[character]) % len(PAINTS)}"
    carried = int(state.record.bomb_count[character])
    dots = "".join(f"M{(2 * place - carried + 1) * 1.6:g} 4.1h0" for place in range(carried))
    dots = f'<path class="hb-d hb-k" style="stroke-width:2" d="{dots}"/>' if dots else ""
    move = ' transform="translate(-2.2 -2.4) scale(.82)"' if aside else ""
    return (
        f'<g data-pick="#{character}" data-piece="" role="img" aria-label="{_character_label(state, character)}"><g{move}>'
        f'<circle class="{look}" r="6.6"/><text class="hb-i" y="{1.3 if carried else 2.3:g}">{character}</text>{dots}</g></g>'
    )


def _dead_svg(state: State, character: int, place: int) -> str:
    """A cross and the character's number, with a dot for each turn until it may be revived; several on one cell stand one above the other."""
    tables, delay = state.game.tables, int(state.record.revive_delay[character])
    dots = "".join(f"M{(2 * turn - delay + 1) * 1.5:g} 4.9h0" for turn in range(0 if tables.special else delay))
    dots = f'<path class="hb-d" style="stroke-width:1.8" d="{dots}"/>' if dots else ""
    return (
        f'<g data-pick="#{character}" role="img" aria-label="{_character_label(state, character)}" transform="translate(0 {3 - 6.4 * (place % 2):g})">'
        f'<rect class="hb-t hb-w hb-e{int(tables.owner[character]) % len(PAINTS)}" x="-6.4" y="-3" width="12.8" height="6" rx="3"/>'
        f'<path class="hb-d hb-k" d="M-4.4-1.5l3 3m0-3l-3 3"/><text class="hb-g" x="2.2" y="1.7">{character}</text>{dots}</g>'
    )


def _character_label(state: State, character: int) -> str:
    tables, record = state.game.tables, state.record
    delay, carried = int(record.revive_delay[character]), int(record.bomb_count[character])
    life = "alive" if delay == ALIVE else f"dead, may revive in {delay} turn{'s' * (delay != 1)}" if delay else "dead, may revive"
    if delay != ALIVE and tables.special:
        life = "dead"
    return escape(
        f"character {character} of {state.game.player_names[int(tables.owner[character])]}, {life}, {carried} bomb{'s' * (carried != 1)}"
    )


def _bomb_svg(record: Any, bomb: int, aside: bool) -> str:
    """A black disc with its owner's edge and its delay; how far it reaches is drawn as lines."""
    move = "translate(3.4 3.6) scale(.72)" if aside else "translate(0 .6)"
    delay = int(record.bomb_delay[bomb])
    return (
        f'<g transform="{move}"><path class="hb-d" d="M2.6-4.2q1.4-2.6 3.6-2"/>'
        f'<circle class="hb-b hb-e{(int(record.bomb_colour[bomb]) - 1) % len(PAINTS)}" r="5.2"/><text class="hb-j" y="1.8">{delay}</text></g>'
    )


def _lines(tables: Any, record: Any) -> str:
    """Dotted lines over all that each bomb would reach."""
    paths: list[str] = []
    for bomb in range(int(record.bombs)):
        cell = int(record.bomb_cell[bomb])
        x, y = _middle(tables, cell)
        steps = ""
        for direction in range(6):
            target, reach = cell, 0
            while reach < int(record.bomb_range[bomb]) and tables.neighbour[target, direction] >= 0:
                target, reach = int(tables.neighbour[target, direction]), reach + 1
            if reach:
                end_x, end_y = _middle(tables, target)
                steps += f"M{x:g} {y:g}L{end_x:g} {end_y:g}"
        paths.append(f'<path class="hb-l hb-e{(int(record.bomb_colour[bomb]) - 1) % len(PAINTS)}" d="{steps}"/>' if steps else "")
    return "".join(paths)


def _explosions(tables: Any, record: Any) -> str:
    """A dashed frame inside every cell that exploded on the last turn, on a lighter or darker one so that it shows on every colour."""
    exploded = [cell for cell in range(tables.cells) if record.blast[cell]]
    path = "".join(f"M{x:g} {y:g}{INSIDE}" for x, y in (_middle(tables, cell) for cell in exploded))
    return f'<path class="hb-y" d="{path}"/><path class="hb-x" d="{path}"/>' if path else ""


def _panel(state: State, left: float, top: float, width: float) -> tuple[str, float]:
    """Scores and the share of cells under the board, and how high that is."""
    game, tables, record = state.game, state.game.tables, state.record
    row, bar = max(width / 17, 9), max(width / 40, 5)
    columns = 2 if width > 110 else 1
    size = row * 0.62
    shares, at = "", left + 1
    for player in [*range(tables.players), -1]:
        cells = int(record.cell_count[player]) if player >= 0 else tables.cells - int(record.cell_count[: tables.players].sum())
        part = (width - 2) * cells / tables.cells
        look = f"hb-f{player % len(PAINTS)}" if player >= 0 else "hb-n"
        name = game.player_names[player] if player >= 0 else "neutral"
        shares += f'<rect class="hb-c {look}" x="{at:.2f}" y="{top + 2:g}" width="{part:.2f}" height="{bar:.2f}"><title>{escape(name)}: {cells}</title></rect>'
        at += part
    lines = ""
    for player in range(tables.players):
        x = left + 2 + (player % columns) * width / columns
        y = top + bar + 3 + row * (player // columns + 0.5)
        score = "" if player < tables.special else f": {int(record.score[player]):,}"
        share = 100 * int(record.cell_count[player]) / tables.cells
        scale = size / 20
        lines += (
            f'<g transform="translate({x + size * 0.5:.2f} {y:.2f}) scale({scale:.3f})"><path class="hb-c hb-f{player % len(PAINTS)}" d="{WHOLE}"/>'
            f'<path class="hb-m hb-e{player % len(PAINTS)}" d="M0 0{paint_of(player).motif}"/></g>'
            f'<text class="hb-p" font-size="{size:.2f}" x="{x + size * 1.2:.2f}" y="{y + size * 0.35:.2f}">'
            f"{escape(game.player_names[player])}{score} · {share:.0f} %</text>"
        )
    rows = -(-tables.players // columns)
    y = top + bar + 3 + row * (rows + 0.5)
    # Why somebody has won is longer than many boards are wide.
    headline = f"{tables.turns} turns were played" if state.is_over else _headline(state)
    lines += f'<text class="hb-p" font-size="{size:.2f}" x="{left + 2:.2f}" y="{y + size * 0.35:.2f}">{escape(headline)}</text>'
    return f'<g aria-hidden="true">{shares}{lines}</g>', bar + 5 + row * (rows + 1)


def _headline(state: State) -> str:
    if state.is_over:
        return state.game.reason(state)
    return f"Turn {int(state.record.turn) + 1} of {state.game.tables.turns}" + (", orders given" if state.record.waiting else "")
