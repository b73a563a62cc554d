"""The way in and the ways out: errors of one line, exit codes."""

from __future__ import annotations

import codecs
import errno
import functools
import io
import os
import sys
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import typer

from ludarium.core.compiling import Notice, on_build, on_compile
from ludarium.errors import LudariumError, escaped, printable

from . import INTERRUPTED
from .common import USAGE_ERROR

REFUSED = 2
READER_GONE = 1
"""As Typer and Rich exit when the reader of a pipe leaves."""

UNWRITABLE = (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EBADF)
"""What writing fails with on a disk that takes no more, and on a standard output that was closed when the program started."""

UNREACHABLE = (errno.EACCES, errno.ENAMETOOLONG)
"""What looking for a file fails with in a folder that nobody lets us enter, and where its name is too long."""

COMPLETING = "_LUDARIUM_COMPLETE"
"""The variable by which a shell asks how a line may go on."""


ESCAPED = "ludarium-escaped"
"""Name of the error handler of the standard streams."""


def _escape(problem: UnicodeError) -> tuple[str | bytes, int]:
    """Encode undecodable bytes of file names as ``\\xff``, other characters with backslashreplace."""
    if isinstance(problem, UnicodeEncodeError) and (byte := escaped(problem.object[problem.start])) != problem.object[problem.start]:
        return byte, problem.start + 1
    return codecs.backslashreplace_errors(problem)


codecs.register_error(ESCAPED, _escape)


def start(arguments: Sequence[str]) -> int:
    """Run one command as the whole work of this process; the exit code."""
    _open_what_is_closed()
    warnings.showwarning = functools.partial(_show_warning, warnings.showwarning)
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            is_file = stream is sys.stdin and not stream.isatty()
            stream.reconfigure(encoding="utf-8-sig" if is_file else None, errors="backslashreplace" if stream is sys.stdin else ESCAPED)
    return run(arguments)


def run(arguments: Sequence[str]) -> int:
    """Run one command; the exit code."""
    from .app import app

    on_compile.append(_say_compiling)
    on_build.append(_say_building)
    try:
        code = typer.main.get_command(app)(
            args=list(arguments) or ["--help"], prog_name="ludarium", standalone_mode=False, obj=list(arguments)
        )
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except LudariumError as problem:
        return _refuse(str(problem))
    except USAGE_ERROR as problem:
        return _refuse(problem.format_message())
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except BrokenPipeError:
        _forget_output()
        return READER_GONE
    except OSError as problem:
        if problem.errno in UNREACHABLE and problem.filename is not None:
            return _refuse(printable(f"{problem.filename}: {problem.strerror}"))
        if problem.errno not in UNWRITABLE:
            raise
        _forget_output()
        reason = "it is closed" if problem.errno == errno.EBADF else problem.strerror
        return _refuse(f"the output cannot be written: {reason}")
    finally:
        on_compile.remove(_say_compiling)
        on_build.remove(_say_building)


def _open_what_is_closed() -> None:
    """Python has None for a stream that was closed when the program started. Results that have nowhere to go are an error; notices are not."""
    nothing = Path(os.devnull)
    sys.stdin = sys.stdin or nothing.open(encoding="utf-8")
    sys.stdout = sys.stdout or os.fdopen(os.open(nothing, os.O_RDONLY), "w", encoding="utf-8")  # writing to it fails
    sys.stderr = sys.stderr or nothing.open("w", encoding="utf-8")


def _show_warning(usual: Callable[..., None], message: Warning | str, category: type[Warning], *where: Any) -> None:
    """Print a notice as one line, without the place in the source. Show other warnings as usual."""
    if issubclass(category, Notice):
        print(f"notice: {printable(str(message))}", file=sys.stderr)
    else:
        usual(message, category, *where)


def _forget_output() -> None:
    """What could not be written is not tried again when the process ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _refuse(message: str) -> int:
    if COMPLETING not in os.environ:  # a shell asks in the middle of a line
        print(f"error: {' '.join(message.split())}", file=sys.stderr)
    return REFUSED


_said: list[str] = []


def _say_compiling(name: str) -> None:
    if not _said:
        _said.append(name)
        print("compiling for this computer; this happens once …", file=sys.stderr, flush=True)


_built: set[str] = set()


def _say_building(spec: str) -> None:
    if spec not in _built:
        _built.add(spec)
        print(f"building {printable(spec)} …", file=sys.stderr, flush=True)
