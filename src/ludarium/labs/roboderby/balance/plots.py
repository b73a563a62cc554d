"""The report's plots, drawn with Matplotlib, as SVG that follows light and dark surroundings."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from html import escape
from importlib.util import find_spec
from typing import Any, cast

import numpy as np

from ludarium.errors import LudariumError

from .findings import Findings

INK, SOFT, LINE, PAPER, FIRST, SECOND, THIRD = (f"#0{number}0{number}0{number}" for number in range(1, 8))
"""Stand for the colours until :func:`_svg` puts variables in their place."""

_COLOURS = {
    "ink": (INK, "#1c2226", "#e6ebee"),
    "soft": (SOFT, "#57636b", "#a3b0b8"),
    "line": (LINE, "#d3d8d8", "#39434a"),
    "paper": (PAPER, "#fdfdfb", "#15191c"),
    "first": (FIRST, "#2b7fc0", "#57a9e8"),
    "second": (SECOND, "#efa93a", "#f0b04a"),
    "third": (THIRD, "#b3412f", "#ef8672"),
}
"""By name: what stands for it, and what it is in light and in dark surroundings."""

_LIGHT, _DARK = (";".join(f"--plot-{name}:{colours[scheme]}" for name, colours in _COLOURS.items()) for scheme in (1, 2))

PLOT_STYLE = f".plot{{{_LIGHT}}}@media(prefers-color-scheme:dark){{.plot{{{_DARK}}}}}"
"""What a page with plots needs once."""

_SETTINGS: dict[str, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "roboderby",
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "text.color": INK,
    "axes.edgecolor": SOFT,
    "axes.labelcolor": SOFT,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "xtick.color": SOFT,
    "ytick.color": SOFT,
    "grid.color": LINE,
    "hatch.color": PAPER,
    "hatch.linewidth": 1.4,
}

MOST_BARS, FEW, RARE = 40, 8, 99.5
"""Bars of a histogram, those that it has at least if there are so many numbers, and the share of games in % beyond which they share the last bar."""

USES = (("as a command", FIRST, ""), ("as a NO-OP", SECOND, "////"), ("locked", THIRD, "xxxx"))
"""Of dice: colours, and hatches that tell them apart without colours."""


def check_matplotlib() -> None:
    """Say before long work that its drawings cannot be made.

    Raises:
        LudariumError: Matplotlib is not installed.
    """
    if find_spec("matplotlib") is None:
        raise LudariumError("Matplotlib is not installed: pip install 'ludarium[plot]'")


def length_plot(found: Findings) -> str:
    """How many games took how many turns."""
    turns = found.fact("turns")
    title = f"Turns of a game: mean {turns.mean():.1f}, median {np.median(turns):g}"
    return _histogram(turns, "turns", title)


def lead_plot(found: Findings) -> str:
    """How often the lead changed."""
    changes = found.fact("lead changes")
    return _histogram(changes, "lead changes", f"Lead changes in a game: mean {changes.mean():.2f}")


def _histogram(values: np.ndarray, label: str, title: str) -> str:
    """Bars for whole numbers; where they are many, several of them share a bar. The last bar has all that are larger, which few are."""
    low, high = int(values.min()), int(values.max())
    last = min(high, max(low + FEW, int(np.percentile(values, RARE, method="inverted_cdf"))))
    width = -(-(last - low + 1) // MOST_BARS)
    starts = np.arange(low, last + 1, width)
    shares = 100 * np.histogram(np.minimum(values, last), np.append(starts, starts[-1] + width))[0] / len(values)
    open_end = last < high

    def draw(axes: Any) -> None:
        axes.bar(starts, shares, width=0.86 * width, align="edge" if width > 1 else "center", color=FIRST)
        if open_end:
            middle = starts[-1] + (0.43 * width if width > 1 else 0.0)
            axes.annotate(f"{starts[-1]}–{high}", (middle, shares[-1]), (0, 4), textcoords="offset points", ha="center", fontsize=9)
        axes.set_xlabel(label if width == 1 else f"{label} ({width} to a bar)")
        axes.set_ylabel("% of the games")
        axes.grid(axis="y")
        axes.xaxis.get_major_locator().set_params(integer=True)

    return _svg(draw, 5.4, 2.7, title)


def points_plot(found: Findings) -> str:
    """Points by letter, seat and player, with 95 % intervals."""
    names = ["letter", "seat", *(["player"] if len(set(found.series.players)) > 1 else [])]
    rows = [(label, one) for name in names for label, one in zip(found.labels(name), found.points_by(name), strict=True)]

    def draw(axes: Any) -> None:
        heights = list(range(len(rows)))[::-1]
        axes.axvline(50, color=SOFT, linewidth=1, linestyle=(0, (4, 3)))
        for height, (_, one) in zip(heights, rows, strict=True):
            axes.plot([100 * one.low, 100 * one.high], [height, height], color=FIRST, linewidth=3, solid_capstyle="butt")
            axes.plot([100 * one.value], [height], "o", color=FIRST, markersize=7)
            axes.annotate(
                f"{100 * one.value:.1f} %", (100 * one.value, height), (0, 7), textcoords="offset points", ha="center", fontsize=9
            )
        axes.set_yticks(heights, [label for label, _ in rows])
        axes.set_ylim(-0.6, len(rows) - 0.3)
        reach = max(2.0, *(max(abs(100 * one.low - 50), abs(100 * one.high - 50)) for _, one in rows)) * 1.15
        axes.set_xlim(max(0.0, 50 - reach), min(100.0, 50 + reach))
        axes.set_xlabel("points, % of those to be had, with 95 % intervals")
        axes.grid(axis="x")
        axes.tick_params(axis="y", length=0)

    return _svg(draw, 5.4, 1.0 + 0.42 * len(rows), "Points by letter and seat")


def commands_plot(found: Findings) -> str:
    """How often each command stands in a program."""
    placed = {name: 100 * numbers / max(1, found.programs) for name, numbers in found.placed.items()}
    return _bars(placed, USES, "dice in 100 programs", "Dice in programs, by command")


def deaths_plot(found: Findings) -> str:
    """How robots are destroyed."""
    deaths = {cause: np.array([100 * number / found.count]) for cause, number in found.deaths.items()}
    return _bars(deaths, (("", THIRD, ""),), "robots in 100 games", "Robots destroyed, by cause")


def _bars(rows: dict[str, np.ndarray], parts: Sequence[tuple[str, str, str]], label: str, title: str) -> str:
    """A bar a row, of parts one after another: what each part is, its colour and its hatch."""

    def draw(axes: Any) -> None:
        heights = np.arange(len(rows))[::-1]
        so_far = np.zeros(len(rows))
        for number, (part, colour, hatch) in enumerate(parts):
            lengths = np.array([row[number] for row in rows.values()])
            axes.barh(heights, lengths, left=so_far, color=colour, hatch=hatch, edgecolor=PAPER, linewidth=0, height=0.72, label=part)
            so_far += lengths
        for height, whole in zip(heights, so_far, strict=True):
            text = f"{whole:.0f}" if len(parts) > 1 else f"{whole:.1f}"
            axes.annotate(text, (whole, height), (4, 0), textcoords="offset points", va="center", fontsize=9)
        axes.set_yticks(heights, list(rows))
        axes.set_xlabel(label)
        axes.grid(axis="x")
        axes.margins(x=0.09)
        axes.set_xlim(left=0)
        axes.tick_params(axis="y", length=0)
        if len(parts) > 1:
            axes.legend(frameon=False, loc="best", labelcolor=INK)

    return _svg(draw, 5.4, 0.9 + 0.31 * len(rows), title)


def _svg(draw: Any, width: float, height: float, title: str) -> str:
    """What ``draw`` draws on axes, so many inches large, with variables for colours. ``title`` is what is read out."""
    import matplotlib as mpl
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    with cast(Any, mpl).rc_context(_SETTINGS):
        figure = Figure(figsize=(width, height), layout="constrained")
        figure.patch.set_visible(False)
        axes: Any = figure.add_subplot()
        axes.patch.set_visible(False)
        draw(axes)
        axes.set_title(title, loc="left", fontsize=11)
        written = io.StringIO()
        canvas: Any = FigureCanvasSVG(figure)
        canvas.print_svg(written, metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    text = written.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>\s*", "", text, flags=re.DOTALL)
    text = re.sub(r"<!--.*?-->\s*", "", text, flags=re.DOTALL)
    text = re.sub(r'<g id="[^"]*"', "<g", text)
    text = re.sub(r"'DejaVu Sans'", "system-ui, 'DejaVu Sans', sans-serif", text)
    for name, (sentinel, _, _) in _COLOURS.items():
        text = text.replace(sentinel, f"var(--plot-{name})")
    return text.replace("<svg ", f'<svg class="plot" role="img" aria-label="{escape(title, quote=True)}" ', 1)
