"""The players' colours, which stay apart for colour-blind eyes (M. Okabe and K. Ito's palette), and a mark for each that needs no colour at all."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["PAINTS", "Paint", "paint_of"]


@dataclass(frozen=True, slots=True)
class Paint:
    """How one player's cells and characters look.

    ``fill`` and ``edge`` are colours for light and dark surroundings; ``motif`` are strokes in a cell of radius 10: where each begins, from the middle, and
    the rest of its path in relative steps; ``terminal`` is a colour of Rich.
    """

    name: str
    fill: tuple[str, str]
    edge: tuple[str, str]
    motif: tuple[tuple[float, float, str], ...]
    terminal: str


_DOT = "a1 1 0 1 0 2 0a1 1 0 1 0-2 0"

PAINTS = (
    Paint(
        "Blue", ("#4b9fd3", "#0f6aa6"), ("#05456d", "#9fd4f7"), ((-5.5, -5.5, "h11"), (-7, 0, "h14"), (-5.5, 5.5, "h11")), "dodger_blue1"
    ),
    Paint(
        "Orange",
        ("#eeb33b", "#b57d00"),
        ("#6b4700", "#ffdf9a"),
        tuple((x, y, _DOT) for x, y in ((-4.5, -5), (2.5, -5), (-7, 0), (-1, 0), (5, 0), (-4.5, 5), (2.5, 5))),
        "orange1",
    ),
    Paint(
        "Green",
        ("#3dbb98", "#00795a"),
        ("#00412f", "#8ff0d3"),
        ((-6.5, 2, "l8.5-8.5"), (-4.5, 5.5, "l10-10"), (-1, 7.5, "l8.5-8.5")),
        "spring_green3",
    ),
    Paint(
        "Red",
        ("#e2814a", "#a94a00"),
        ("#5e2a00", "#ffc09c"),
        ((-6, -3, "l9 9"), (-3, -6, "l9 9"), (-6, 3, "l9-9"), (-3, 6, "l9-9")),
        "red1",
    ),
    Paint(
        "Sky",
        ("#a5d8f3", "#4487ab"),
        ("#1d5877", "#d9f1ff"),
        ((-6.5, -2, "l8.5 8.5"), (-4.5, -5.5, "l10 10"), (-1, -7.5, "l8.5 8.5")),
        "light_sky_blue1",
    ),
    Paint(
        "Yellow", ("#f3ea72", "#9a9112"), ("#605a00", "#fff9b8"), ((-6, -1.5, "l3-3l3 3l3-3l3 3"), (-6, 4.5, "l3-3l3 3l3-3l3 3")), "yellow1"
    ),
    Paint("Pink", ("#dfa4c4", "#93507a"), ("#5f2547", "#ffd3ea"), ((-5, 0, "a5 5 0 0 0 10 0a5 5 0 0 0-10 0"),), "plum2"),
    Paint("Grey", ("#a7a7a7", "#6a6a6a"), ("#3c3c3c", "#e2e2e2"), ((-4.5, -6, "v12"), (0, -7.5, "v15"), (4.5, -6, "v12")), "grey70"),
)


def paint_of(player: int) -> Paint:
    """The paint of a player; after eight players they come again."""
    return PAINTS[player % len(PAINTS)]
