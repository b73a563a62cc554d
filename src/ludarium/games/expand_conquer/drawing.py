"""Pictures of Expand and Conquer positions: SVG for pages and notebooks, coloured text for terminals.

A group is one body: Left's are blue and round with a ring on every stone, Right's are red and angular with a cross. Groups that cannot expand are pale.
Pointing at a group shows the squares that it would fill.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ludarium.core.drawing import Palette, svg_element, whose_turn

from .notation import cell_text
from .rules import liberties_in, squares_in

if TYPE_CHECKING:
    from rich.text import Text

    from ludarium.core.game import Action, State

SQUARE = 20
"""Side of a square in the drawing's own units."""

LEAST = 5
"""A drawing is as wide as so many squares at least, and at least as wide as high: a column of 32 squares stays on the page."""

MOST_NAMED = 12
"""A group's squares are told one by one, to who does not see them, where they are so many at most."""

_PALETTE = Palette(
    "xc",
    {
        "ground": ("#dfe6e3", "#11171b"),
        "square": ("#f7f9f8", "#2a343a"),
        "dot": ("#9fb0ab", "#62727b"),
        "ink": ("#4d5d5a", "#a9bac2"),
        "left": ("#0b63b5", "#5aabf5"),
        "right": ("#c23a0c", "#ff8f66"),
        "mark": ("#ffffff", "#0d1417"),
        "last": ("#ffe08a", "#6b5510"),
        "last-edge": ("#8a6100", "#ffd54a"),
    },
)
THEMES = _PALETTE.themes(
    {
        "Sand": {
            "ground": ("#e6dcc6", "#1b1712"),
            "square": ("#fbf6ea", "#3a332a"),
            "dot": ("#a89a7c", "#8d8170"),
            "ink": ("#5c4f38", "#cbbfa8"),
        },
        "Slate": {
            "ground": ("#cfd8e3", "#0e141b"),
            "square": ("#eef2f7", "#263241"),
            "dot": ("#8597ab", "#6d8199"),
            "ink": ("#435266", "#a9bbcf"),
        },
    }
)
_STYLE = _PALETTE.schemes + _PALETTE.rules(Path(__file__).with_name("drawing.css"))


class Group(NamedTuple):
    """Stones of one colour that hang together, in reading order, and the empty squares beside them."""

    owner: int
    stones: list[int]
    liberties: list[int]


def groups_of(state: State) -> list[Group]:
    """All groups, in the order of their first squares."""
    tables, record = state.game.tables, state.record
    stones: dict[int, list[int]] = {}
    for cell, owner in enumerate(record.board[: tables.cells].tolist()):
        if owner:
            stones.setdefault(int(record.group[cell]), []).append(cell)
    return [Group(int(record.board[first]), cells, liberties_in(tables, record, first)) for first, cells in stones.items()]


def svg(state: State, *, size: int, last: Action | None) -> str:
    """Every empty square and every group is an element with ``data-pick`` (its name) and ``aria-label`` (what is there), every square a ``data-cell``."""
    tables = state.game.tables
    text = min(9.0, 4.6 + 0.14 * max(tables.rows, tables.columns))
    margin = round(2 * text)
    right, bottom = margin + SQUARE * tables.columns, margin + SQUARE * tables.rows
    width = max(right, bottom, margin + SQUARE * LEAST) + 4
    left = (width - 4 - right) / 2
    height = bottom + 4
    added = set(squares_in(state.record.added)) if last is not None else set[int]()
    mover = state.to_move[0] if state.to_move else None
    marks = [_empty_svg(state, cell, mover) for cell, owner in enumerate(state.record.board[: tables.cells]) if owner == 0]
    marks += [_group_svg(tables, group, added) for group in groups_of(state)]
    content = (
        f'<rect class="xc-g" width="{width:g}" height="{height:g}" rx="3"/>'
        f'<g transform="translate({left + margin:g} {margin})">{_coordinates(tables, text)}{"".join(marks)}</g>'
    )
    classes = "xc" if mover is None else f"xc xc-{mover}"
    return svg_element(classes, size, (0, 0, width, height), f"{state.game.title}, {whose_turn(state)}", _STYLE, content)


def _corner(tables: Any, cell: int) -> tuple[int, int]:
    row, column = divmod(cell, tables.columns)
    return SQUARE * column, SQUARE * row


def _empty_svg(state: State, cell: int, mover: int | None) -> str:
    """An empty square: a dot, or a plus where the player to move may place a stone."""
    tables = state.game.tables
    x, y = _corner(tables, cell)
    placing = mover is not None and tables.all_small and int(state.record.apart[mover][cell >> 6]) >> (cell & 63) & 1
    sign = "M10 7.6v4.8M7.6 10h4.8" if placing else "M10 10h0"
    label = f", {state.game.player_names[mover]} may place a stone" if placing and mover is not None else ""
    name = cell_text(cell, tables.columns)
    return (
        f'<g data-pick="{name}" data-cell="{name}" transform="translate({x} {y})" role="img" aria-label="{name}, empty{label}">'
        f'<rect class="xc-s" width="{SQUARE}" height="{SQUARE}" rx="2"/><path class="xc-d" d="{sign}"/></g>'
    )


def _group_svg(tables: Any, group: Group, added: set[int]) -> str:
    """A group's squares, those of the last action marked, its body, a ring or a cross a stone, and hidden what it would fill.

    The first child is the group's first square: marks and the keyboard's ring go there.
    """
    first, *others = group.stones
    squares = "".join(_square_path(tables, cell) for cell in others)
    fresh = "".join(_square_path(tables, cell, 0.9) for cell in group.stones if cell in added)
    frames = "".join(_square_path(tables, cell, 4.4) for cell in group.stones if cell in added)
    body = "".join(_body_path(tables, cell, set(group.stones)) for cell in group.stones)
    signs = "".join(_sign_path(tables, cell, group.owner) for cell in group.stones)
    would = "".join(f"M{x + 10} {y + 10}h0" for x, y in (_corner(tables, cell) for cell in group.liberties))
    x, y = _corner(tables, first)
    name = cell_text(first, tables.columns)
    cells = "".join(_cell_svg(tables, group, cell) for cell in group.stones) if others else ""
    alone = "" if others else f' data-cell="{name}"'
    return (
        f'<g data-pick="{name}"{alone} class="xc-{"lr"[group.owner - 1]}{"" if group.liberties else " xc-z"}" role="img" '
        f'aria-label="{_label(tables, group, first)}"><rect class="xc-s" x="{x}" y="{y}" width="{SQUARE}" height="{SQUARE}" rx="2"/>'
        + (f'<path class="xc-s" d="{squares}"/>' if squares else "")
        + (f'<path class="xc-n" d="{fresh}"/>' if fresh else "")
        + f'<path class="xc-b" d="{body}"/><path class="xc-m" d="{signs}"/>'
        + (f'<path class="xc-f" d="{frames}"/>' if frames else "")
        + (f'<path class="xc-v" d="{would}"/>' if would else "")
        + f"{cells}</g>"
    )


def _cell_svg(tables: Any, group: Group, cell: int) -> str:
    """One square of a group of several, for the keyboard and for screen readers."""
    x, y = _corner(tables, cell)
    place = f'class="xc-c" x="{x}" y="{y}" width="{SQUARE}" height="{SQUARE}"'
    return f'<rect data-cell="{cell_text(cell, tables.columns)}" {place} role="img" aria-label="{_label(tables, group, cell)}"/>'


def _label(tables: Any, group: Group, cell: int) -> str:
    name, count, empty = cell_text(cell, tables.columns), len(group.stones), len(group.liberties)
    stones = "one stone" if count == 1 else f"group of {count} stones"
    if 1 < count <= MOST_NAMED:
        stones += f": {' '.join(cell_text(cell, tables.columns) for cell in group.stones)}"
    filling = f"fills {empty} {'square' if empty == 1 else 'squares'}" if empty else "cannot expand"
    return f"{name}, {('Left', 'Right')[group.owner - 1]}, {stones}, {filling}"


def _square_path(tables: Any, cell: int, inset: float = 0) -> str:
    x, y = _corner(tables, cell)
    side = SQUARE - 2 * inset
    return f"M{x + inset:g} {y + inset:g}h{side:g}v{side:g}h-{side:g}z"


def _body_path(tables: Any, cell: int, stones: set[int]) -> str:
    """A stone with its bridges to the right and down, and across where four stones leave a gap between them."""
    x, y = _corner(tables, cell)
    right = (cell + 1) % tables.columns != 0 and cell + 1 in stones
    down = cell + tables.columns in stones
    across = right and down and cell + tables.columns + 1 in stones
    start = f"M{x + 10} {y + 10}"
    path = start + (f"h{SQUARE}" if right else "h0")
    if down:
        path += f"{start}v{SQUARE}"
    if across:
        path += f"M{x + SQUARE} {y + SQUARE}h0"
    return path


def _sign_path(tables: Any, cell: int, owner: int) -> str:
    x, y = _corner(tables, cell)
    if owner == 1:
        return f"M{x + 6.6:g} {y + 10}a3.4 3.4 0 0 0 6.8 0a3.4 3.4 0 0 0-6.8 0"
    return f"M{x + 7} {y + 7}l6 6m0-6l-6 6"


def _coordinates(tables: Any, text: float) -> str:
    columns = "".join(f'<text x="{SQUARE * column + 10}" y="{-text * 0.45:.3g}">{column}</text>' for column in range(tables.columns))
    rows = "".join(f'<text x="{-text:.3g}" y="{SQUARE * row + 10 + text * 0.36:.4g}">{row}</text>' for row in range(tables.rows))
    return f'<g class="xc-k" font-size="{text:g}" aria-hidden="true">{columns}{rows}</g>'


def board(state: State, *, last: Action | None) -> Text:
    """The rows with coordinates; ``O`` Left, ``X`` Right, ``·`` empty. An apostrophe follows the stones of the last action."""
    from rich.text import Text

    tables = state.game.tables
    added = set(squares_in(state.record.added)) if last is not None else set[int]()
    pale = {stone for group in groups_of(state) if not group.liberties for stone in group.stones}
    text = Text()
    if tables.columns > 10:
        text.append("   " + "".join(f"{column // 10 or ' '} " for column in range(tables.columns)).rstrip() + "\n", "dim")
    text.append("   " + " ".join(str(column % 10) for column in range(tables.columns)) + "\n", "dim")
    for cell, owner in enumerate(map(int, state.record.board[: tables.cells])):
        if cell % tables.columns == 0:
            text.append(f"{cell // tables.columns:>2} ", "dim")
        style = ("dim", "dodger_blue1", "orange_red1")[owner] + ("" if cell in pale or not owner else " bold")
        text.append("·OX"[owner] + ("'" if cell in added else " "), style + (" reverse" if cell in added else ""))
        if (cell + 1) % tables.columns == 0:
            text.append("\n")
    text.append(whose_turn(state))
    return text
