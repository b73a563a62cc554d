"""``python -m benchmarks [NAME …] [--json]``: measure, print a table, exit with 1 if a target is missed."""

from __future__ import annotations

import argparse
import importlib
import json
import pkgutil
import platform
import sys
from typing import Any

from rich.console import Console
from rich.table import Table

import benchmarks

from .harness import Row, Target

__all__ = ["main"]


def benchmark_names() -> tuple[str, ...]:
    found = (module.name for module in pkgutil.iter_modules(benchmarks.__path__) if not module.ispkg)
    return tuple(sorted(name for name in found if name not in ("__main__", "harness", "kept")))


def main() -> int:
    names = benchmark_names()
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure Ludarium against references in the same run.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which: {', '.join(names)} (default: all)")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of the table")
    arguments = parser.parse_args()
    for name in arguments.names:
        if name not in names:
            parser.error(f"'{name}' is not one of: {', '.join(names)}")

    console = Console(stderr=arguments.json)
    rows: list[Row] = []
    for name in arguments.names or names:
        with console.status(f"measuring {name}"):
            for row in importlib.import_module(f"benchmarks.{name}").rows():
                rows.append(row)
                if not arguments.json:
                    console.print(f"[dim]{row.name}: {row.ratio:.2f} × {row.reference}[/dim]")
    if arguments.json:
        json.dump(
            {"python": platform.python_version(), "machine": platform.machine(), "rows": [row.as_json() for row in rows]},
            sys.stdout,
            indent=1,
        )
        print()
    else:
        console.print(table(rows))
    return int(not all(row.is_met for row in rows))


def table(rows: list[Row]) -> Table:
    result = Table(title="Benchmarks")
    for heading in ("measured", "value", "reference", "its value", "ratio", "target", ""):
        result.add_column(heading, justify="left" if heading in ("measured", "reference") else "right")
    for row in rows:
        met = "" if row.target is None else "[green]met[/green]" if row.is_met else "[red]missed[/red]"
        ratio = f"{row.ratio:.2f}"
        figures = (
            f"{number(row.value)} {row.unit}",
            row.reference,
            f"{number(row.reference_value)} {row.unit}",
            ratio,
            in_words(row.target),
        )
        result.add_row(row.name, *figures, met)
    return result


def number(value: float) -> str:
    for factor, letter in ((1e6, " M"), (1e3, " k")):
        if value >= factor:
            return f"{value / factor:.3g}{letter}"
    return f"{value:.3g}"


def in_words(target: Target | None) -> Any:
    if target is None:
        return ""
    return f"{target.bound} {number(target.number)}" + (" ×" if target.of == "ratio" else "")


if __name__ == "__main__":
    sys.exit(main())
