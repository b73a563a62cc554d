"""``ludarium submit``: upload a bot to a ladder, whose server builds and runs it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from ludarium.errors import BadOption, printable

from .common import number_option, screen


def command(
    url: Annotated[str, typer.Argument(metavar="URL", help="The address of the ladder's page: http://HOST:8000/ladder/GAME.")],
    bot: Annotated[
        Path | None,
        typer.Argument(metavar="FILE", help="The bot: a program, a source file, or an archive (.zip, .tar.gz); none lists the versions."),
    ] = None,
    *,
    name: Annotated[str, typer.Option(metavar="NAME", help="Name of the bot on the ladder.")],
    key: Annotated[
        str | None, typer.Option(metavar="KEY", help="The key of the name.", show_default="the one that was kept when the name was new")
    ] = None,
    log: Annotated[bool, typer.Option("--log", help="Print the standard error of the newest version.")] = False,
    version: Annotated[
        int | None, number_option(1, 1_000_000, "With --log: print that of this version.", "--version", show_default="the newest")
    ] = None,
) -> None:
    """Upload a bot to a ladder, whose server builds it, checks it and lets it play.

    The first submission under a name gets its key, which is kept for the next time.
    """
    from ludarium.arena.joining import ladder_of
    from ludarium.arena.submissions.sending import Submitter

    if bot is not None and log:
        raise BadOption("--log prints the log of a version that was submitted; leave out the file")
    if version is not None and not log:
        raise BadOption("--version chooses the version for --log")
    submitter = Submitter(ladder_of(url), name, key)
    if bot is not None:
        number = submitter.submit(bot, _say)
        _say(f"version {number} is uploaded; the server checks it")
        checked = submitter.checked(number)
        _say(_line(checked))
        if checked["state"] == "refused":
            raise BadOption(f"version {number} does not play; 'ludarium submit {url} --name {name} --log' prints its log")
        return
    versions = submitter.versions()
    if log:
        typer.echo(_printable_lines(submitter.log(version or max((one["number"] for one in versions), default=1))), nl=False)
        return
    for one in versions:
        _say(_line(one))


def _printable_lines(text: str) -> str:
    """Return a text of several lines without control characters."""
    return "".join(f"{printable(line)}\n" for line in text.replace("\t", "    ").splitlines())


def _line(version: dict[str, Any]) -> str:
    reason = version.get("reason")
    return printable(f"version {version['number']} ({version.get('file')}): {version['state']}{f': {reason}' if reason else ''}")


def _say(line: str) -> None:
    screen().print(line, soft_wrap=True)
    screen().file.flush()
