"""``ludarium cgt``: a calculator of the values of games."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from ludarium.core.stopping import noticed
from ludarium.core.user_text import decode_line, user_lines
from ludarium.core.writing import write_text
from ludarium.errors import BadOption, LudariumError

from .common import notices, path_option, screen
from .ending import patient

if TYPE_CHECKING:
    from ludarium.cgt.calculator import Answer, Calculator

PROMPT = "cgt> "
LEAVE = ("quit", "exit")
MOST_LINES_OF_HISTORY = 1000

HELP = """\
Type a value or an expression, such as ^ + v*, 2.{3|1} - 1/2, +-{3,{5|2}} or *:1, a relation between two
(<= >= == != < > <| |>, and | for confused with), x := … to give a value a name, or a command before an expression.
_ is the last value. The end of the input (Ctrl-D) or quit leaves; Ctrl-C cancels a line.
"""


class Arguments(TyperCommand):
    """Reads expressions that begin with a minus, such as ``-1/2`` and ``-^``, as expressions."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        is_option = re.compile(r"-h|--([a-z].*)?", re.DOTALL)
        return super().parse_args(ctx, [f" {one}" if one.startswith("-") and not is_option.fullmatch(one) else one for one in args])


def command(
    expression: Annotated[
        list[str] | None,
        typer.Argument(metavar="EXPRESSION", show_default="a prompt", help="Such as '^ + v*', 'Tiny(2) < ^' or 'thermograph +-{3,{5|2}}'."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object for each expression.")] = False,
    svg: Annotated[Path | None, path_option("FILE", "Draw the thermograph into this SVG file.", "--svg")] = None,
) -> None:
    """Calculate with the exact values of games.

    Without an expression, lines are read from a prompt or from standard input; 'help' there lists the commands.
    """
    from ludarium.cgt.calculator import Calculator

    calculator = Calculator()
    if expression:
        answer = calculator.answer(" ".join(expression).strip())
        if svg is not None:
            _draw(answer, svg)
        if svg is None or as_json or answer.command != "thermograph":
            _show(answer, as_json)
    elif svg is not None:
        raise BadOption("--svg draws the thermograph of an expression: give one")
    elif sys.stdin.isatty():
        _talk(calculator, as_json)
    else:
        _read(calculator, as_json)


def _draw(answer: Answer, path: Path) -> None:
    from ludarium.cgt.summary import short_text

    if answer.value is None:
        raise BadOption("--svg draws the thermograph of a value, and a relation has none")
    write_text(path, answer.value.thermograph.svg(title=short_text(answer.value, 40)))


def _show(answer: Answer, as_json: bool) -> None:
    from .answers import answer_object, answer_text

    if as_json:
        print(json.dumps(answer_object(answer), ensure_ascii=False), flush=True)
    else:
        screen().print(answer_text(answer), soft_wrap=True)


def _answer(calculator: Calculator, line: str, as_json: bool) -> None:
    if line == "help":
        _help()
    elif line and not line.startswith("#"):
        _show(calculator.answer(line), as_json)


def _read(calculator: Calculator, as_json: bool) -> None:
    """Answer lines as they come, and go on after those that cannot be read."""
    failed = False
    for number, data in enumerate(user_lines(sys.stdin.buffer, "standard input"), start=1):
        try:
            line = decode_line(data).strip()
            if line in LEAVE:
                break
            _answer(calculator, line, as_json)
        except LudariumError as problem:
            failed = True
            print(f"error: line {number}: {problem}", file=sys.stderr)
    if failed:
        raise typer.Exit(2)


def _talk(calculator: Calculator, as_json: bool) -> None:
    """Answer lines that are typed at a prompt."""
    from ludarium.cgt.calculator import COMMANDS, FUNCTIONS

    from .prompt import ask_line

    patient.set()
    with _history():
        while True:
            try:
                line = ask_line(PROMPT, [*COMMANDS, *FUNCTIONS, "help", *LEAVE, *calculator.variables])
                if line is None or line in LEAVE:
                    return
                _answer(calculator, line, as_json)
            except LudariumError as problem:
                notices().print(f"error: {problem}", soft_wrap=True)
            except KeyboardInterrupt:
                noticed.clear()
                print()


def _help() -> None:
    from ludarium.cgt.calculator import COMMANDS, FUNCTIONS

    screen().print(HELP, soft_wrap=True)
    for name, meaning in COMMANDS.items():
        screen().print(f"  {name:<14} {meaning}", soft_wrap=True)
    calls = [f"{name}({'g,t'[: 2 * one.arguments - 1]})" for name, one in FUNCTIONS.items()]
    screen().print(f"\nWithin expressions: {', '.join(calls)}.", soft_wrap=True)


@contextmanager
def _history() -> Generator[None]:
    """While inside, what is typed is remembered, with what was typed before; the next time too."""
    try:
        import readline
    except ImportError:  # a Python that was built without it
        yield
        return
    from ludarium.core.data_folder import data_folder

    path = data_folder() / "cgt-history"
    readline.set_history_length(MOST_LINES_OF_HISTORY)
    if path.is_file():
        with _told_when_it_fails(path):
            readline.read_history_file(path)
    try:
        yield
    finally:
        with _told_when_it_fails(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            readline.write_history_file(path)


@contextmanager
def _told_when_it_fails(path: Path) -> Generator[None]:
    try:
        yield
    except OSError as problem:
        notices().print(f"notice: what was typed is not kept in {path}: {problem.strerror}", soft_wrap=True)
