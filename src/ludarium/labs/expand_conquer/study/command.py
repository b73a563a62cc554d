"""``ludarium expand-conquer study``: the paper's statements computed anew, and what lies beyond it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludarium.cli.common import check_writable, notices, path_option, screen, typed_number, whole_number
from ludarium.cli.signals import stop_signal
from ludarium.core.options import Option
from ludarium.core.writing import write_text
from ludarium.errors import LudariumError

if TYPE_CHECKING:
    from .statement import Statement

MOST_MINUTES = 7 * 24 * 60

minutes = typed_number(Option("", "number", None, "", minimum=0, maximum=MOST_MINUTES))


def command(
    out: Annotated[Path | None, path_option("FILE", "Write a report (HTML) too.", "--out")] = None,
    limit: Annotated[
        float, typer.Option("--limit", metavar="MINUTES", parser=minutes, help="The time for going beyond the paper; 0 for none.")
    ] = 1.0,
    memory: Annotated[
        int, typer.Option("--memory", metavar="MB", parser=whole_number(1, 1 << 20), help="The memory that each answer may take.")
    ] = 2048,
    data: Annotated[Path | None, path_option("DIR", "Where results are kept.", show_default="ludarium in the user's data folder")] = None,
) -> None:
    """Check the statements of the game's paper, and go beyond it.

    Every statement of the paper is computed anew. Then come the games g_n
    of its section 4.1, the empty boards of conjecture 5.1 and symmetric
    starts, from easy to hard, for as long as the limit says. What was found
    is kept, so that the next study goes further. Ctrl-C ends it with the
    results so far.
    """
    from ludarium.core.data_folder import data_folder

    from .conclusions import conclusions
    from .course import HOW_MANY, answer_easy_questions, go_further, statements
    from .notebook import Notebook
    from .report import report
    from .tables import print_tables

    say = partial(notices().print, soft_wrap=True)
    notebook = Notebook((data or data_folder()) / "expand-conquer" / "study.jsonl")
    if out is not None:
        check_writable(out)
    for notice in notebook.notices:
        say(f"notice: {notice}")
    failure: LudariumError | None = None
    with stop_signal() as stopped:
        found: list[Statement] = []
        with _status() as progress:
            for statement in statements(stopped):
                found.append(statement)
                progress(f"statement {len(found)}: {statement.place}")
            progress("small boards")
            try:
                answer_easy_questions(notebook, memory << 20, stopped)
                if limit:
                    go_further(notebook, seconds=60 * limit, most_bytes=memory << 20, stopped=stopped, progress=progress, say=say)
                notebook.close()
            except LudariumError as problem:  # which takes nothing from what is found
                failure = problem
        cut = len(found) < HOW_MANY
        found += conclusions(notebook)
        print_tables(screen(), found, notebook, cut=cut)
        if out is not None:
            write_text(out, report(found, notebook, cut=cut))
            say(f"The report is {out}.")
    if failure is not None:
        raise failure
    stopped.exit_if_stopped()


@contextmanager
def _status() -> Generator[Callable[[str], None]]:
    """What is being done, in one line of the terminal that changes; elsewhere nothing."""
    if not sys.stderr.isatty():
        yield lambda what: None
        return
    with notices().status("starting", spinner="dots") as status:
        yield status.update
