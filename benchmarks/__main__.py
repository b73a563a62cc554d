"""``python -m benchmarks [NAME …] [--list] [--out FILE]``: measure, print a table; exit with 1 if a target is missed or a row failed, with 130 after Ctrl-C."""

from __future__ import annotations

import argparse
import importlib
import json
import math
import pkgutil
import platform
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

import benchmarks

from .harness import Result, Row, Target, measure

__all__ = ["main"]

RESULTS = Path(__file__).parents[1] / "build" / "benchmarks.jsonl"

NO_BENCHMARKS = ("__main__", "harness", "kept", "seat")

ONLY_WHEN_NAMED = (
    "crowd",
    "overtime_long",
    "pages",
    "seats_hexabomb",
    "strength_expand_conquer",
    "strength_hexabomb",
    "strength_opponents",
    "strength_roboderby",
    "training",
)
"""What takes so long that all together would not end within a quarter of an hour."""

WIDTH_OF_A_FILE = 180


def all_benchmarks() -> list[str]:
    found = (module.name for module in pkgutil.iter_modules(benchmarks.__path__) if not module.ispkg)
    return sorted(name for name in found if name not in NO_BENCHMARKS)


def usual_benchmarks() -> list[str]:
    return [name for name in all_benchmarks() if name not in ONLY_WHEN_NAMED]


def main(words: Sequence[str] | None = None) -> int:
    names, usual, more = all_benchmarks(), ", ".join(usual_benchmarks()), ", ".join(ONLY_WHEN_NAMED)
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure Ludarium against references in the same run.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which: {usual} (default: all these); only when named: {more}")
    parser.add_argument("--list", action="store_true", help="say what would be measured and how long it would take")
    parser.add_argument(
        "--out", type=Path, default=RESULTS, metavar="FILE", help="add every result to this file, JSON Lines, when it is there"
    )
    arguments = parser.parse_args(words)
    for name in arguments.names:
        if name not in names:
            parser.error(f"'{name}' is not one of: {', '.join(names)}")

    width = None if sys.stdout.isatty() else WIDTH_OF_A_FILE
    console = Console(width=width, markup=False, highlight=False, soft_wrap=True)
    try:
        rows = [(name, row) for name in arguments.names or usual_benchmarks() for row in rows_of(name)]
        known = {**seconds_taken(RESULTS), **seconds_taken(arguments.out)}
        expected = [known.get((name, row.name), row.seconds) for name, row in rows]
        console.print(f"{len(rows)} rows, about {minutes(sum(expected))} min. Results go to {arguments.out}. Only when named: {more}")
        if arguments.list:
            for (name, row), seconds in zip(rows, expected, strict=True):
                console.print(f"{minutes(seconds):>6}  {name}: {row.name}")
            return 0
        return measure_all(console, rows, expected, arguments.out)
    except KeyboardInterrupt:
        return 130
    except OSError as problem:
        parser.error(f"{arguments.out}: {problem.strerror}")


def measure_all(console: Console, rows: Sequence[tuple[str, Row]], expected: Sequence[float], out: Path) -> int:
    """Measure rows, each with the name of its benchmark; the exit code. Whatever ends this early, results are in the file and printed up to there."""
    about = {"run": time.strftime("%Y-%m-%dT%H:%M:%S%z"), "python": platform.python_version(), "machine": platform.machine()}
    results: list[Result] = []
    out.parent.mkdir(parents=True, exist_ok=True)
    try:
        with out.open("a", encoding="utf-8", buffering=1) as file:
            for number, (name, row) in enumerate(rows):
                console.print(f"{minutes(sum(expected[number:])):>6} min left · {name}: {row.name} … ", end="", style="dim")
                result = measure(row)
                results.append(result)
                file.write(json.dumps({**about, "benchmark": name, **as_json(result)}, ensure_ascii=False) + "\n")
                console.print(f"failed: {result.failure}" if result.failure else f"{result.ratio:.2f} × {row.reference}", style="dim")
    except KeyboardInterrupt:
        console.print("interrupted")
        raise
    finally:
        if results:
            show(console, results)
    return int(not all(result.is_met for result in results))


def rows_of(name: str) -> list[Row]:
    """The rows of a benchmark; of one that cannot even tell them, a row that fails for that reason."""
    try:
        return list(importlib.import_module(f"benchmarks.{name}").rows())
    except Exception as problem:  # noqa: BLE001  whatever it is, it is this benchmark's alone: the others are measured all the same
        reason = problem

    def fail() -> float:
        raise reason

    return [Row(name, "", fail, "", fail, seconds=0.0)]


def seconds_taken(file: Path) -> dict[tuple[str, str], float]:
    """How long rows took when they were measured the last time, by benchmark and name."""
    found: dict[tuple[str, str], float] = {}
    for line in file.read_text(encoding="utf-8", errors="replace").splitlines() if file.is_file() else []:
        try:
            result = json.loads(line)
            if not result["failure"]:
                found[result["benchmark"], result["name"]] = result["seconds"]
        except (ValueError, LookupError, TypeError):  # the torn line of a run that was killed, or no result at all
            continue
    return found


def as_json(result: Result) -> dict[str, Any]:
    """A result as it stands in a file: figures that could not be measured are null, and so is what a row without a target has of it."""
    row, figures = result.row, {"value": result.value, "reference_value": result.reference_value, "ratio": result.ratio}
    return {
        "name": row.name,
        "unit": row.unit,
        "reference": row.reference,
        **{name: figure if math.isfinite(figure) else None for name, figure in figures.items()},
        "target": in_words(row.target) or None,
        "met": result.is_met if row.target else None,
        "failure": result.failure or None,
        "seconds": round(result.seconds, 2),
    }


def show(console: Console, results: Sequence[Result]) -> None:
    """Print the table, and under it why rows failed."""
    table = Table(title="Benchmarks")
    for heading in ("measured", "value", "reference", "its value", "ratio", "target", ""):
        table.add_column(heading, justify="left" if heading in ("measured", "reference") else "right")
    for result in results:
        row = result.row
        met = Text("failed" if result.failure else "met" if result.is_met else "missed", "green" if result.is_met else "red")
        value, reference_value = (
            f"{number(figure)} {row.unit}" if number(figure) else "" for figure in (result.value, result.reference_value)
        )
        ratio = f"{result.ratio:.2f}" if math.isfinite(result.ratio) else ""
        table.add_row(
            row.name, value, row.reference, reference_value, ratio, in_words(row.target), met if row.target or result.failure else ""
        )
    console.print(table, soft_wrap=False)
    for failure in dict.fromkeys(result.failure for result in results if result.failure):
        names = "; ".join(result.row.name for result in results if result.failure == failure)
        console.print(f"failed: {failure} ({names})", style="red")


def minutes(seconds: float) -> str:
    return f"{round(seconds) // 60}:{round(seconds) % 60:02}"


def number(value: float) -> str:
    for factor, letter in ((1e6, " M"), (1e3, " k")):
        if value >= factor:
            return f"{value / factor:.3g}{letter}"
    return f"{value:.3g}" if math.isfinite(value) else ""


def in_words(target: Target | None) -> str:
    if target is None:
        return ""
    bounds = [f"{number(bound)}{sign}" for bound, sign in ((target.ratio, " ×"), (target.value, "")) if bound is not None]
    return f"{target.bound} {', '.join(bounds)}"


if __name__ == "__main__":
    sys.exit(main())
