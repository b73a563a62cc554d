"""What reports and pages have in common: the macros of ``parts.html``, the styles of ``parts.css``, and what these are given.

A template takes the macros with ``{% from "parts.html" import players_table %}``; its environment needs :data:`FOLDER` among its loader's folders and
:data:`FILTERS` among its filters. The styles want the colours ``--ground``, ``--ink``, ``--soft`` and ``--line`` of whoever uses them.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from .table import cell_text, duration, plain
from .words import day, moment, sentence

FOLDER = Path(__file__).parent
"""Of the templates and styles."""

MOST_CROSSED = 60
"""Players of a cross table that anybody can still read."""

HALVES = {0.0: "0", 0.5: "½", 1.0: "1"}


@dataclass(frozen=True)
class GameLine:
    """A game as a list of games shows it."""

    number: int
    """From 1."""
    address: str | None
    """What opens it."""
    players: tuple[str, ...]
    """By seat."""
    returns: tuple[float, ...]
    reason: str
    forfeits: tuple[tuple[str, str], ...]
    """The players who lost by their conduct, with the reasons."""
    plies: int
    problem: str | None = None
    """Why it has no whole record."""
    out: tuple[int, ...] = ()
    """The seats of players who failed or left."""
    options: str = ""
    """Its options, where not all games have the same."""


def styles() -> Markup:
    """Those of a page that needs nothing else: with the house's typeface."""
    font = b64encode((FOLDER.parents[1] / "web" / "static" / "figtree.woff2").read_bytes()).decode()
    face = f'@font-face {{ font-family: Figtree; src: url("data:font/woff2;base64,{font}") format("woff2"); font-weight: 300 900; }}\n'
    return Markup(face + "".join((FOLDER / name).read_text(encoding="utf-8") for name in ("report.css", "parts.css")))


class Ended(Protocol):
    """A game with the players who forfeited or left it, by seat."""

    @property
    def forfeits(self) -> Mapping[int, str]: ...
    @property
    def out(self) -> Mapping[int, int]: ...


def seats_out(game: Ended) -> tuple[int, ...]:
    """Return the seats of the players who failed or left."""
    return tuple(sorted(game.forfeits.keys() | game.out.keys()))


def scored(returns: Sequence[float], out: Sequence[int] = ()) -> str:
    """Return the points by seat, with a mark behind those of players who were out: ``1–0†``."""
    points = [(1 + value) / 2 for value in returns]
    return "–".join((HALVES.get(point) or plain(point)) + OUT * (seat in out) for seat, point in enumerate(points))


OUT = "†"
"""Marks players who were out."""

FILTERS: dict[str, Callable[..., Any]] = {
    "plain": plain,
    "cell": cell_text,
    "scored": scored,
    "duration": duration,
    "day": day,
    "moment": moment,
    "sentence": sentence,
}


def template(file: Path, filters: Mapping[str, Callable[..., Any]] = FILTERS) -> Template:
    """The template of a page that is written to a file; it finds others in its folder, and fails where something is not given."""
    pages = Environment(
        loader=FileSystemLoader(file.parent), autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined
    )
    pages.filters |= filters
    return pages.get_template(file.name)
