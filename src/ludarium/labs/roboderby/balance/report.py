"""The report as one HTML page that needs nothing else, or as Markdown with pictures beside it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from ludarium.core.writing import write_text
from ludarium.errors import store_errors
from ludarium.games.roboderby.notation.program_text import whole_face_text
from ludarium.games.roboderby.sheets.dice import DICE, FACES

from .findings import Findings
from .heat import heat_svg
from .plots import PLOT_STYLE, commands_plot, deaths_plot, lead_plot, length_plot, points_plot
from .summary import heading, summary

FOLDER = Path(__file__).parent

TEXTS = {
    "title": "RoboDerby: Express, the balance",
    "means": "Means of a game, where nothing else is said.",
    "heat_note": "The squares are those of the tiles, however they were turned and dealt.",
    "faces_note": "Dice and faces: how often each stood in 100 programs, as a command · as a NO-OP · locked.",
    "method": (
        "Every game has its own deal, dice and letters, all drawn from the seed. Players take turns on the seats. A point is for coming in before an "
        "opponent, half a point for sharing the place; with more opponents it is the mean. Intervals hold the true value in 95 % of all such reports "
        "(Wilson’s interval, for points a little wide). The lead is measured by the commands that a robot alone would need to its finish, as the greedy "
        "player counts them. Whoever plays better or worse than these players will see other numbers."
    ),
}


def write_report(out: Path, found: Sequence[Findings], wanted: int) -> None:
    """Write the report in the form that the file's ending says: ``.html``, or ``.md`` with its pictures in a folder beside it.

    Raises:
        StoreError: it cannot be written.
    """
    if out.suffix == ".html":
        write_text(out, html_report(found, wanted))
        return
    folder = out.with_name(f"{out.stem}-pictures")
    with store_errors(f"{folder} cannot be made a folder for the pictures"):
        folder.mkdir(exist_ok=True)
    for number, one in enumerate(found, start=1):
        for name, svg in pictures(one).items():
            write_text(folder / f"{number}-{name}.svg", _alone(svg))
    write_text(out, markdown_report(found, wanted, folder.name))


def pictures(found: Findings) -> dict[str, str]:
    """All plots and maps as SVG, by name."""
    if found.count == 0:
        return {}
    drawn = {"length": length_plot(found)}
    if found.is_race:
        drawn |= {"points": points_plot(found), "lead": lead_plot(found)}
    drawn |= {"deaths": deaths_plot(found), "commands": commands_plot(found)}
    deaths, visits = found.counts.deaths.sum(axis=0), found.counts.visits
    drawn["where-destroyed"] = heat_svg(found, 100 * deaths / found.count, "Robots destroyed on each square, in 100 games")
    drawn["traffic"] = heat_svg(found, visits / found.count, "Robots that came onto each square, in a game")
    return drawn


def _alone(svg: str) -> str:
    """A plot with its style, for a file of its own."""
    return re.sub(r"^(<svg [^>]*>)", rf"\1<style>{PLOT_STYLE}</style>", svg, count=1) if 'class="plot"' in svg else svg


def html_report(found: Sequence[Findings], wanted: int) -> str:
    """The page."""
    styles = Markup((FOLDER / "report.css").read_text(encoding="utf-8") + PLOT_STYLE)
    return _filled("report.html", found, wanted, styles=styles)


def markdown_report(found: Sequence[Findings], wanted: int, folder: str) -> str:
    """The page as Markdown; ``folder`` has the pictures."""
    return _filled("report.md.jinja", found, wanted, folder=folder)


def _filled(template: str, found: Sequence[Findings], wanted: int, **more: str) -> str:
    pages = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=select_autoescape(),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=StrictUndefined,
    )
    pages.filters["row"] = _row
    columns = [one.rules.tiles if len(found) > 1 else "" for one in found]
    return pages.get_template(template).render(
        TEXTS | more, found=found, wanted=wanted, columns=columns, summary=summary(found), heading=heading, pictures=pictures, faces=_faces
    )


def _faces(found: Findings) -> list[list[tuple[str, str]]]:
    """By die, its faces with how often each stood in 100 programs, as a command, as a NO-OP and locked."""
    tables, shares = found.series.game.tables, 100 * found.counts.placed / max(1, found.programs)
    return [
        [(whole_face_text(tables, die + 1, face + 1), " · ".join(f"{share:.1f}" for share in shares[die, face])) for face in range(FACES)]
        for die in range(DICE)
    ]


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
