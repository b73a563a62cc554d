"""The players' colours, which stay apart for colour-blind eyes (M. Okabe and K. Ito's palette), and a mark for each that needs no colour at all."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Paint:
    """How one player's cells and characters look.

    ``fill`` and ``edge`` are colours for light and dark surroundings; ``motif`` is a path from the middle of a cell of radius 10, in relative steps alone;
    ``terminal`` is a colour of Rich.
    """

    name: str
    fill: tuple[str, str]
    edge: tuple[str, str]
    motif: str
    terminal: str


_DOT = "a1 1 0 1 0 2 0a1 1 0 1 0-2 0"
_DOTS = _DOT.join(("m-4.5-5", "m7 0", "m-9.5 5", "m6 0", "m6 0", "m-9.5 5", "m7 0", ""))

PAINTS = (
    Paint("Blue", ("#4b9fd3", "#0f6aa6"), ("#05456d", "#9fd4f7"), "m-5.5-5.5h11m-12.5 5.5h14m-12.5 5.5h11", "dodger_blue1"),
    Paint("Orange", ("#eeb33b", "#b57d00"), ("#6b4700", "#ffdf9a"), _DOTS, "orange1"),
    Paint("Green", ("#3dbb98", "#00795a"), ("#00412f", "#8ff0d3"), "m-6.5 2l8.5-8.5m-6.5 12l10-10m-6.5 12l8.5-8.5", "spring_green3"),
    Paint("Red", ("#e2814a", "#a94a00"), ("#5e2a00", "#ffc09c"), "m-6-3l9 9m-6-12l9 9m-12 0l9-9m-6 12l9-9", "red1"),
    Paint("Sky", ("#a5d8f3", "#4487ab"), ("#1d5877", "#d9f1ff"), "m-6.5-2l8.5 8.5m-6.5-12l10 10m-6.5-12l8.5 8.5", "light_sky_blue1"),
    Paint("Yellow", ("#f3ea72", "#9a9112"), ("#605a00", "#fff9b8"), "m-6-1.5l3-3l3 3l3-3l3 3m-12 6l3-3l3 3l3-3l3 3", "yellow1"),
    Paint("Pink", ("#dfa4c4", "#93507a"), ("#5f2547", "#ffd3ea"), "m-5 0a5 5 0 0 0 10 0a5 5 0 0 0-10 0", "plum2"),
    Paint("Grey", ("#a7a7a7", "#6a6a6a"), ("#3c3c3c", "#e2e2e2"), "m-4.5-6v12m4.5-13.5v15m4.5-13.5v12", "grey70"),
)


def paint_of(player: int) -> Paint:
    """The paint of a player; after eight players they come again."""
    return PAINTS[player % len(PAINTS)]
