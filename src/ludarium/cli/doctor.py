"""``ludarium doctor``: test this machine, and suggest repairs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from .common import notices, screen

if TYPE_CHECKING:
    from .findings import Finding

BROKEN = 1
"""The exit code of a machine that lacks something needed."""

MARKS = {"works": ("✓", "green"), "missing": ("–", "yellow"), "broken": ("✗", "bold red")}


def command(as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False) -> None:
    """Test what Ludarium uses on this machine, and suggest repairs.

    Exit with code 1 if something needed does not work. Optional parts may be missing.
    """
    with notices().status("Trying out this machine"):
        found = look()
    if as_json:
        print(json.dumps(described(found), ensure_ascii=False))
    else:
        show(found)
    if any(one.is_fatal for one in found):
        raise typer.Exit(BROKEN)


def look() -> list[Finding]:
    """Test this machine."""
    from .app import app
    from .findings import examine
    from .machine_probes import default_ports, machine_probes
    from .program_probes import no_traces, program_probes

    found = list(examine(machine_probes(lambda: default_ports(typer.main.get_command(app)))))
    with no_traces():
        return [*found, *examine(program_probes())]


def described(found: Sequence[Finding]) -> dict[str, object]:
    """Return the report as JSON."""
    findings = [
        {
            "section": one.section,
            "name": one.name,
            "state": one.state,
            "needed": one.needed,
            "detail": one.detail,
            "advice": one.advice or None,
        }
        for one in found
    ]
    return {"healthy": not any(one.is_fatal for one in found), "findings": findings}


def show(found: Sequence[Finding]) -> None:
    """Print the report, a line for each finding and one for each advice."""
    from rich.text import Text

    section = ""
    for one in found:
        if one.section != section:
            section = one.section
            screen().print(Text(f"{section[0].upper()}{section[1:]}", "bold"))
        mark, style = MARKS[one.state]
        screen().print(Text.assemble((f"  {mark} {one.state:<8}", style), (f"{one.name}: ", "bold"), one.detail), soft_wrap=True)
        if one.advice:
            screen().print(Text(f"      → {one.advice}", "cyan"), soft_wrap=True)
    fatal = [one.name for one in found if one.is_fatal]
    if fatal:
        screen().print(Text(f"Needed and not working: {', '.join(fatal)}.", "bold red"), soft_wrap=True)
    else:
        screen().print(Text("Everything needed works.", "bold green"))
