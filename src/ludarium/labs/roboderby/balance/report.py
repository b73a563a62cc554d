"""The report as one HTML page that needs nothing else, or as Markdown with pictures beside it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from html import escape
from pathlib import Path

from ludarium.cli.common import write_text
from ludarium.errors import store_errors
from ludarium.games.roboderby.notation.program_text import whole_face_text
from ludarium.games.roboderby.sheets.dice import DICE, FACES

from .findings import Findings
from .heat import heat_svg
from .plots import PLOT_STYLE, commands_plot, deaths_plot, lead_plot, length_plot, points_plot
from .summary import heading, summary

__all__ = ["html_report", "markdown_report", "pictures", "write_report"]

TITLE = "RoboDerby: Express, the balance"

METHOD = (
    "Every game has its own deal, dice and letters, all drawn from the seed. Players take turns on the seats. A point is for coming in before an opponent, "
    "half a point for sharing the place; with more opponents it is the mean. Intervals hold the true value in 95 % of all such reports (Wilson’s interval, "
    "for points a little wide). The lead is measured by the commands that a robot alone would need to its finish, as the greedy player counts them. Whoever "
    "plays better or worse than these players will see other numbers."
)

MEANS = "Means of a game, where nothing else is said."

HEAT_NOTE = "The squares are those of the tiles, however they were turned and dealt."


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
    played = "".join(f"<li>{escape(heading(one, wanted))}</li>" for one in found)
    columns = "".join(f'<th scope="col" class="number">{escape(one.rules.tiles) if len(found) > 1 else ""}</th>' for one in found)
    head = f"<thead><tr><th></th>{columns}<th></th></tr></thead>\n"
    rows = "".join(_summary_row(*line) for line in summary(found))
    table = _framed("Summary", f'<table class="summary">{head}<tbody>\n{rows}</tbody></table>')
    sections = "".join(_section(one, several=len(found) > 1) for one in found)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{TITLE}</title>\n<style>{_own_style()}{PLOT_STYLE}</style>\n</head>\n<body>\n"
        f'<h1>{TITLE}</h1>\n<ul class="played">{played}</ul>\n<h2>Summary</h2>\n<p>{MEANS}</p>\n'
        f"{table}{sections}<h2>How it was measured</h2>\n<p>{METHOD}</p>\n</body>\n</html>\n"
    )


def _summary_row(name: str, texts: Sequence[str], note: str) -> str:
    cells = "".join(f'<td class="number">{escape(text)}</td>' for text in texts)
    return f'<tr><th scope="row">{escape(name)}</th>{cells}<td class="note">{escape(note)}</td></tr>\n'


def _section(found: Findings, *, several: bool) -> str:
    drawn = pictures(found)
    if not drawn:
        return ""
    title = f"<h2>{escape(found.title)}</h2>\n" if several else "<h2>Pictures</h2>\n"
    plots = "".join(f"<figure>{svg}</figure>\n" for svg in drawn.values() if 'class="plot"' in svg)
    maps = "".join(f"<figure>{svg}</figure>\n" for svg in drawn.values() if 'class="plot"' not in svg)
    return f'{title}<div class="plots">{plots}</div>\n<p>{HEAT_NOTE}</p>\n<div class="maps">{maps}</div>\n{_faces(found)}'


def _face_rows(found: Findings) -> list[list[str]]:
    """A row a die: its faces with how often each stood in 100 programs, as a command, as a NO-OP and locked."""
    tables, programs = found.series.game.tables, max(1, found.programs)
    rows: list[list[str]] = []
    for die in range(DICE):
        cells = [str(die + 1)]
        for face in range(FACES):
            numbers = " · ".join(f"{100 * number / programs:.1f}" for number in found.counts.placed[die, face])
            cells.append(f"{whole_face_text(tables, die + 1, face + 1)}: {numbers}")
        rows.append(cells)
    return rows


def _faces(found: Findings) -> str:
    head = "".join(f'<th scope="col">{face}</th>' for face in range(1, FACES + 1))
    rows = "".join(f'<tr><th scope="row">{cells[0]}</th>{"".join(_face(cell) for cell in cells[1:])}</tr>\n' for cells in _face_rows(found))
    return _framed(
        "Dice and faces",
        '<table class="faces"><caption>Dice and faces: how often each stood in 100 programs, as a command · as a NO-OP · locked</caption>'
        f'<thead><tr><th scope="col">die</th>{head}</tr></thead>\n<tbody>\n{rows}</tbody></table>',
    )


def _framed(name: str, table: str) -> str:
    """A table in a frame in which it scrolls where the page is narrower, by keys too."""
    return f'<div class="frame" role="region" aria-label="{name}" tabindex="0">{table}</div>\n'


def _face(cell: str) -> str:
    name, numbers = cell.split(": ")
    return f"<td><b>{escape(name)}</b><br>{numbers}</td>"


@cache
def _own_style() -> str:
    return Path(__file__).with_name("report.css").read_text(encoding="utf-8")


def markdown_report(found: Sequence[Findings], wanted: int, folder: str) -> str:
    """The page as Markdown; ``folder`` has the pictures."""
    lines = [
        f"# {TITLE}",
        "",
        *(f"- {heading(one, wanted)}" for one in found),
        "",
        "## Summary",
        "",
        MEANS,
        "",
    ]
    columns = [one.rules.tiles if len(found) > 1 else "" for one in found]
    lines += [_row(["", *columns, ""]), _row(["---", *("--:" for _ in found), "---"])]
    lines += [_row([name, *texts, note]) for name, texts, note in summary(found)]
    for number, one in enumerate(found, start=1):
        lines += ["", f"## {one.title}", ""]
        lines += [f"![{name.replace('-', ' ')}]({folder}/{number}-{name}.svg)\n" for name in pictures(one)]
        lines += [HEAT_NOTE, "", "Dice and faces: how often each stood in 100 programs, as a command · as a NO-OP · locked.", ""]
        lines += [_row(["die", *map(str, range(1, FACES + 1))]), _row(["---"] * (FACES + 1)), *(_row(cells) for cells in _face_rows(one))]
    return "\n".join([*lines, "", "## How it was measured", "", METHOD, ""])


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
