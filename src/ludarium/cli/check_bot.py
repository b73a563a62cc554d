"""``ludarium check-bot``: what a bot does wrong, in words."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludarium.errors import BadOption, printable

from .common import GameName, GameOptions, chosen_position, screen
from .terms import Sandbox, TimeControl, check_bots

if TYPE_CHECKING:
    from ludarium.arena.bot_checks import Finding, Report

WRONG = 1
"""The exit code of a bot that does something wrong."""

MOST_ERRORS = 8
"""Lines of a bot's standard error that are shown."""


def command(
    game: GameName,
    bot: Annotated[
        str, typer.Argument(metavar="BOT", help="A program: ./mybot.py, or 'cmd:COMMAND LINE'; or ws://HOST:PORT, where one listens.")
    ],
    options: GameOptions = None,
    time_control: TimeControl = None,
    sandbox: Sandbox = "auto",
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Play a bot through edge cases, and say what it does wrong with the line that it sent.

    It exits with 1 if something is wrong. "Bots in any language" in the documentation describes what is right.
    """
    from ludarium.arena import time_controls
    from ludarium.arena.bot_checks import check_bot
    from ludarium.players.programs import Conditions, is_bot
    from ludarium.players.programs.bots import bot_of

    played = chosen_position(game, options, None).game
    if not is_bot(bot):
        raise BadOption(
            f"'{bot}' is no program; write ./{bot} for a file of that name, 'cmd:COMMAND LINE', class:PACKAGE or ws://HOST:PORT"
        )
    controls = () if time_control is None else time_controls(time_control, played.players)
    found = bot_of(bot, Path.cwd(), played.id)
    conditions = Conditions(sandbox=sandbox)
    check_bots([bot], conditions, played.id)
    report = check_bot(played, found, controls=controls, conditions=conditions, on_finding=_ignore if as_json else _shower())
    if as_json:
        print(json.dumps(report.as_json()))
    else:
        _conclude(report)
    if report.failed:
        raise typer.Exit(WRONG)


def _ignore(finding: Finding) -> None:
    pass


def _shower() -> Callable[[Finding], None]:
    """What shows findings as they come; what is wrong again is shown once."""
    from rich.text import Text

    faults: dict[str, str] = {}

    def show(finding: Finding) -> None:
        mark = Text("✓ ", "green") if finding.passed else Text("✗ ", "bold red")
        first = finding.check if finding.passed else faults.setdefault(finding.words, finding.check)
        words = finding.words if first == finding.check else f'the same as in "{first}"'
        screen().print(mark, Text(f"{finding.check}: ", "bold"), Text(words), sep="", soft_wrap=True)
        if finding.passed or first != finding.check:
            return
        said = [("it was told", _cut(finding.asked)), ("it sent", finding.sent), ("right is", finding.right)]
        said += [("its errors", printable(line)) for line in finding.errors.splitlines()[-MOST_ERRORS:]]
        for what, line in said:
            if line:
                screen().print(Text(f"    {what:<13}", "dim"), Text(line), sep="", soft_wrap=True)

    return show


def _cut(line: str) -> str:
    return line if len(line) <= 200 else f"{line[:200]} … ({len(line):,} characters; --json has all of them)"


def _milliseconds(seconds: float) -> str:
    return f"{seconds * 1000:,.0f} ms" if seconds >= 0.01 else f"{seconds * 1000:.2g} ms"


def _conclude(report: Report) -> None:
    made = len(report.findings)
    if report.seconds and report.median_seconds is not None and report.worst_seconds is not None:
        times = f"half of them within {_milliseconds(report.median_seconds)}, the slowest in {_milliseconds(report.worst_seconds)}"
        screen().print(f"  {len(report.seconds):,} answers, {times}", soft_wrap=True)
    if lines := report.errors.splitlines():
        screen().print(f"  {len(lines):,} lines on its standard error, the last: {printable(lines[-1][:200])}", soft_wrap=True)
    if report.not_made:
        screen().print(f"  checks that wait until this is mended: {len(report.not_made)}", soft_wrap=True)
    if report.failed:
        screen().print(
            f"{report.failed} of {made} checks failed. docs/bots.md describes what is right.",
            style="bold red",
            soft_wrap=True,
        )
    else:
        screen().print(f"All is well: {made} checks of {report.bot} in {report.game.title}.", style="bold green", soft_wrap=True)
