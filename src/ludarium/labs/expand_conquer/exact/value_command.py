"""``ludarium expand-conquer value``: the exact value of boards."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from ludarium.cli.common import check_writable, path_option
from ludarium.core.writing import write_text
from ludarium.errors import BadOption

from .arguments import AS_JSON, BOARDS, LIMIT, VARIANT, memory_option

LONGEST_TITLE = 48
"""Characters of a value that a drawing can show."""


def command(
    boards: Annotated[list[str] | None, BOARDS] = None,
    variant: Annotated[str, VARIANT] = "normal",
    as_json: Annotated[bool, AS_JSON] = False,
    cgsuite: Annotated[bool, typer.Option("--cgsuite", help="Print the value only, as CGSuite accepts it.")] = False,
    thermograph: Annotated[Path | None, path_option("FILE", "Draw the thermograph into this SVG file too.", "--thermograph")] = None,
    batch: Annotated[
        str | None,
        typer.Option(
            "--batch", metavar="FILE", help='Read lines {"board": …, "variant": …} (- reads standard input), write one JSON object each.'
        ),
    ] = None,
    memory: Annotated[int | None, memory_option(1, "half of the machine's, 4096 at most", "What a computation may take.")] = None,
    limit: Annotated[float | None, LIMIT] = None,
) -> None:
    """Print the exact value of a board, what it is the sum of, and what both players can do.

    Boards have up to 64 squares. Several of them, or boards joined by +, are added. The rows of a board may also stand on lines of their own.
    """
    if batch is not None:
        _refuse_beside("--batch", {"a board": boards, "--json": as_json, "--cgsuite": cgsuite, "--thermograph": thermograph})
        from .value_batch import run

        run(batch, variant, memory, limit)
        return
    if cgsuite:
        _refuse_beside("--cgsuite", {"--json": as_json})
    if not boards:
        raise typer.BadParameter("no board: give one such as 'X*O*O|****O', or lines of JSON with --batch FILE")
    from ludarium.cgt.engine.store import store
    from ludarium.cgt.summary import short_text
    from ludarium.games.expand_conquer.boards import read_boards

    from .analysis import analyse, json_object
    from .estimate import estimate
    from .progress import Watch, announcement, most_bytes

    wanted = read_boards(boards)
    allowed = most_bytes(memory)
    if thermograph is not None:
        check_writable(thermograph)
    notice = announcement(estimate(wanted, variant == "all-small"), allowed)
    with Watch(limit, notice) as watch, store.at_most_bytes(allowed):
        analysis = analyse(wanted, variant, with_options=not cgsuite, progress=watch, most_bytes=allowed)
        drawing = None if thermograph is None else analysis.value.thermograph.svg(title=short_text(analysis.value, LONGEST_TITLE))
        if as_json:
            text = json.dumps(json_object(analysis), ensure_ascii=False)
        elif cgsuite:
            from ludarium.cgt.cgsuite import cgsuite_text

            text = cgsuite_text(analysis.value)
        else:
            from .value_report import report

            text = report(analysis)
    print(text)
    if thermograph is not None and drawing is not None:
        write_text(thermograph, drawing)


def _refuse_beside(option: str, others: dict[str, object]) -> None:
    for name, given in others.items():
        if given:
            raise BadOption(f"{option} does not go together with {name}")
