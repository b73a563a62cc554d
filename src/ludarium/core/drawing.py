"""What drawings have in common: colours for light and for dark surroundings, and the SVG element around everything."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .show import Themes
    from .state import State


class Palette:
    """Colours by name, a pair each for light and for dark surroundings, as custom properties that a drawing's style sheet sets and uses."""

    def __init__(self, name: str, colours: Mapping[str, tuple[str, str]]) -> None:
        """``name`` is the class of the drawing's element, and what the custom properties' names begin with."""
        self._name, self._colours = name, colours

    def paint(self, kind: str, name: str) -> str:
        """A property (``fill``, ``stroke``) with its colour, first plainly for programs that know no custom properties."""
        return f"{kind}:{self._colours[name][0]};{kind}:var(--{self._name}-{name})"

    @property
    def schemes(self) -> str:
        """The rules that set the colours: the dark ones where the system or the page asks for them."""
        name = self._name
        light, dark = (";".join(f"--{name}-{colour}:{pair[scheme]}" for colour, pair in self._colours.items()) for scheme in (0, 1))
        return (
            f".{name}{{{light}}}@media(prefers-color-scheme:dark){{:root:not([data-theme=light]) .{name},.{name}:root{{{dark}}}}}"
            f"[data-theme=dark] .{name}{{{dark}}}"
        )

    def themes(self, themes: Mapping[str, Mapping[str, tuple[str, str]]]) -> Themes:
        """Further looks of the drawing by name, each with the colours that are other ones in it."""
        return {theme: {f"--{self._name}-{colour}": pair for colour, pair in colours.items()} for theme, colours in themes.items()}

    def rules(self, *sheets: Path) -> str:
        """The rules of CSS files, which name colours as ``fill:var(--NAME-floor)``, without comments and line ends."""
        text = "".join(re.sub(r" */\*.*?\*/|\n", "", sheet.read_text(encoding="utf-8")) for sheet in sheets)
        return re.sub(rf"(fill|stroke):var\(--{self._name}-([a-z0-9-]+)\)", lambda found: self.paint(found[1], found[2]), text)


def whose_turn(state: State) -> str:
    """Who is to move, or why the game is over."""
    if not state.to_move:
        return state.game.reason(state)
    return f"{' and '.join(state.game.player_names[player] for player in state.to_move)} to move"


def board_alone(drawing: str) -> str:
    """A drawing without what it has beside its board, which comes last in it: as wide, and as high as the board then is."""
    if (found := re.search(r' data-board="([^"]+)"', drawing)) is None:
        return drawing
    head, _, _ = drawing.partition("<g data-beside=")
    return re.sub(r' height="\d+" viewBox="[^"]+"', f' viewBox="{found[1]}"', head, count=1) + "</svg>"


def svg_element(
    classes: str,
    size: int,
    box: tuple[float, float, float, float],
    label: str,
    style: str,
    content: str,
    *,
    role: str = "group",
    board: tuple[float, float, float, float] | None = None,
) -> str:
    """A whole drawing.

    Args:
        size: its width in pixels.
        box: left, top, width and height in the drawing's own units.
        label: what is read out; any text.
        style: the style sheet.
        board: of a drawing with elements that say with ``data-beside`` (a box of their own) that pages show them beside the board: the box of what is left.
        role: ``group`` where elements in it have labels of their own, ``img`` where it is one picture.
    """
    left, top, width, height = box
    alone = f' data-board="{" ".join(f"{number:g}" for number in board)}"' if board else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{classes}" width="{size}" height="{round(size * height / width)}" '
        f'viewBox="{left:g} {top:g} {width:g} {height:g}" role="{role}" aria-label="{escape(label)}"{alone}><style>{style}</style>{content}</svg>'
    )
