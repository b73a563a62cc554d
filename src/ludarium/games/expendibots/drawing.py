"""Pictures of Expendibots positions: SVG for pages and notebooks, coloured text for terminals.

A stack is a robot: White's heads are round with one aerial, Black's are square with two. A single robot has eyes, a stack shows its height.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ludarium.core.drawing import Palette, svg_element, whose_turn

from .notation import square_name

if TYPE_CHECKING:
    from rich.text import Text

    from ludarium.core.game import Action, State

SQUARE = 20
"""Side of a square in the drawing's own units."""

CRATER = "M10 2l1.6 4.4 4.2-2.6-1.4 4.6 4 1.6-4 1.7 1.5 4.6-4.3-2.5L10 18l-1.6-4.2-4.3 2.5 1.5-4.6-4-1.7 4-1.6-1.4-4.6 4.2 2.6z"

LAYERS = 3
"""At most so many robots are drawn below the top one; the number tells the rest."""

_PALETTE = Palette(
    "xb",
    {
        "light": ("#ebe7d8", "#566a60"),
        "dark": ("#a3b8a8", "#40524a"),
        "ink": ("#2f3d36", "#eef1e8"),
        "last": ("#d9a400", "#9fd3ff"),
        "last-edge": ("#7a5200", "#b9e0ff"),
        "white": ("#fffdf6", "#f6f1e2"),
        "white-edge": ("#39424b", "#14181c"),
        "white-face": ("#33506b", "#2b465f"),
        "black": ("#3a4048", "#1d2125"),
        "black-edge": ("#0d0f11", "#dcbf85"),
        "black-face": ("#f4b73f", "#f4b73f"),
        "black-text": ("#15181b", "#15181b"),
        "crater": ("#4a3b32", "#17130f"),
    },
)
THEMES = _PALETTE.themes(
    {
        "Wood": {"light": ("#f3e3c3", "#7a5f42"), "dark": ("#d6b485", "#5b442d"), "ink": ("#3a2a14", "#f6ecda")},
        "Slate": {"light": ("#e6ebf1", "#5b6b7c"), "dark": ("#aebccb", "#414f5e"), "ink": ("#22303d", "#eef3f8")},
    }
)
_STYLE = _PALETTE.schemes + _PALETTE.rules(Path(__file__).with_name("drawing.css"))


def svg(state: State, *, size: int, last: Action | None, seat: int) -> str:
    """Every square is a group with ``data-pick`` (its name) and ``aria-label`` (what stands there)."""
    side = 8 * SQUARE
    heights = [int(height) for height in state.record.board]
    squares = "".join(_square_svg(square, heights[square], _mark(square, last), seat) for square in _reading_order(seat))
    content = f"{squares}{_blast_zone(last, seat)}{_coordinates(seat)}"
    return svg_element("xb", size, (0, 0, side, side), f"{state.game.title}, {whose_turn(state)}", _STYLE, content)


def _reading_order(seat: int) -> list[int]:
    """Squares from the top left to the bottom right, as the player of a seat sees them."""
    squares = [8 * rank + file for rank in range(7, -1, -1) for file in range(8)]
    return squares if seat == 0 else squares[::-1]


def _corner(square: int, seat: int) -> tuple[int, int]:
    file, rank = square & 7, square >> 3
    return (SQUARE * file, SQUARE * (7 - rank)) if seat == 0 else (SQUARE * (7 - file), SQUARE * rank)


def _square_svg(square: int, height: int, mark: str, seat: int) -> str:
    x, y = _corner(square, seat)
    shade = "" if (square + (square >> 3)) & 1 else 'class="xb-d" '
    return (
        f'<g data-pick="{square_name(square)}" transform="translate({x} {y})" role="img" aria-label="{_label(square, height)}">'
        f'<rect {shade}width="{SQUARE}" height="{SQUARE}"/>{mark}{_stack_svg(height)}</g>'
    )


def _label(square: int, height: int) -> str:
    if height == 0:
        return f"{square_name(square)}, empty"
    owner = "white" if height > 0 else "black"
    return f"{square_name(square)}, {'one ' + owner + ' token' if abs(height) == 1 else f'{owner} stack of {abs(height)}'}"


def _stack_svg(height: int) -> str:
    if height == 0:
        return ""
    below = min(abs(height) - 1, LAYERS)
    middle = 11 - below * 0.7
    body = _round_robot(middle, below) if height > 0 else _square_robot(middle, below)
    body_class, face_class, text_class = ("xb-w", "xb-v", "xb-x") if height > 0 else ("xb-b", "xb-u", "xb-y")
    if abs(height) == 1:
        face = f'<path class="{face_class} xb-e" d="M7.4 10.4h0M12.6 10.4h0"/>'
    else:
        narrow = ' textLength="8.6" lengthAdjust="spacingAndGlyphs"' if abs(height) > 9 else ""
        face = (
            f'<rect class="{face_class}" stroke-width="0" x="5" y="{middle - 4.1:g}" width="10" height="8.2" rx="2.6"/>'
            f'<text class="{text_class}" x="10" y="{middle + 3.05:g}"{narrow}>{abs(height)}</text>'
        )
    return f'<g data-piece=""><path class="{body_class}" d="{body}"/>{face}</g>'


def _round_robot(middle: float, below: int) -> str:
    layers = "".join(f"M3.6 {middle + 1.4 * k:g}v1.4a6.4 6.4 0 0 0 12.8 0v-1.4" for k in range(below))
    aerial = f"M10 {middle - 6.4:g}v-1.2m-.7-.7a.7.7 0 0 1 1.4 0a.7.7 0 0 1-1.4 0"
    return f"M3.6 {middle:g}a6.4 6.4 0 0 0 12.8 0a6.4 6.4 0 0 0-12.8 0{layers}{aerial}"


def _square_robot(middle: float, below: int) -> str:
    layers = "".join(f"M16.1 {middle + 4.1 + 1.4 * k:g}v1.4q0 2-2 2h-8.2q-2 0-2-2v-1.4" for k in range(below))
    aerials = f"M7 {middle - 6.1:g}l-1-1.9M13 {middle - 6.1:g}l1-1.9"
    return f"M3.9 {middle - 4.1:g}q0-2 2-2h8.2q2 0 2 2v8.2q0 2-2 2h-8.2q-2 0-2-2z{layers}{aerials}"


def _mark(square: int, last: Action | None) -> str:
    """What the last action left on a square: a dashed frame where tokens came from, a full one where they went, a crater."""
    name = square_name(square)
    if last is None or name not in _squares_of(last):
        return ""
    if last.text.endswith("!"):
        return f'<path class="xb-c" d="{CRATER}"/>'
    origin = " xb-o" if name == last.text[-5:-3] else ""
    return f'<rect class="xb-m{origin}" x=".5" y=".5" width="{SQUARE - 1}" height="{SQUARE - 1}"/>'


def _blast_zone(last: Action | None, seat: int) -> str:
    """The frame around the squares that a boom reached at once."""
    if last is None or not last.text.endswith("!"):
        return ""
    x, y = _corner("abcdefgh".index(last.text[0]) + 8 * int(last.text[1]) - 8, seat)
    left, top = max(x - SQUARE, 0) + 0.6, max(y - SQUARE, 0) + 0.6
    right, bottom = min(x + 2 * SQUARE, 8 * SQUARE) - 0.6, min(y + 2 * SQUARE, 8 * SQUARE) - 0.6
    return f'<path class="xb-z" d="M{left:g} {top:g}H{right:g}V{bottom:g}H{left:g}z"/>'


def _coordinates(seat: int) -> str:
    ranks = "87654321" if seat == 0 else "12345678"
    files = "abcdefgh" if seat == 0 else "hgfedcba"
    texts = [f'<text x="1.9" y="{SQUARE * row + 4.4:g}">{rank}</text>' for row, rank in enumerate(ranks)]
    texts += [f'<text x="{SQUARE * column + 18.1:g}" y="{8 * SQUARE - 1.5:g}">{file}</text>' for column, file in enumerate(files)]
    return f'<g class="xb-k" aria-hidden="true">{"".join(texts)}</g>'


def board(state: State, *, last: Action | None, seat: int) -> Text:
    """Eight ranks with coordinates; a stack is its owner's letter and, above one token, its height. Brackets mark the last action."""
    from rich.text import Text

    marked = _squares_of(last)
    text = Text()
    for index, square in enumerate(_reading_order(seat)):
        if index % 8 == 0:
            text.append(f" {(square >> 3) + 1} ", "dim")
        text.append(*_cell(int(state.record.board[square]), (square + (square >> 3)) & 1, square_name(square) in marked))
        if index % 8 == 7:
            text.append("\n")
    text.append("   " + "".join(f" {file}   " for file in ("abcdefgh" if seat == 0 else "hgfedcba")), "dim")
    text.append(f"\n{whose_turn(state)}")
    return text


def _cell(height: int, light: int, marked: bool) -> tuple[str, str]:
    """Five columns of one square and their style. The characters alone tell everything; colours only help."""
    content = "·" if height == 0 else ("W" if height > 0 else "B") + (str(abs(height)) if abs(height) > 1 else "")
    background = "grey42" if marked else ("grey35" if light else "grey27")
    colour = "bold bright_white" if height > 0 else "bold orange1" if height < 0 else "grey62"
    cell = f"[{content}]" if marked else f" {content}"
    return f"{cell:<5}", f"{colour} on {background}"


def _squares_of(action: Action | None) -> set[str]:
    if action is None:
        return set()
    return {action.text[:2]} if action.text.endswith("!") else {action.text[-5:-3], action.text[-2:]}
