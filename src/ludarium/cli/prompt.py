"""Reading a line from a person, with history and completion where the terminal has them."""

from __future__ import annotations

import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager

from ludarium.errors import BadNotation

from .common import screen


def ask_line(prompt: str, words: Sequence[str], commands: Sequence[str] = ()) -> str | None:
    """Return a line as typed, without spaces around it; None at the end of input. The tab key completes ``words``, and ``commands`` at a line's start."""
    if sys.stdin.isatty():
        complete(words, commands)
    try:
        line = input(prompt)
    except EOFError:
        print()
        return None
    if "\0" in line and not sys.stdin.isatty():
        raise BadNotation("standard input is UTF-16 text; save it as UTF-8")
    return line.strip()


def complete(words: Sequence[str], commands: Sequence[str] = ()) -> None:
    """Let the tab key complete these words wherever a line is read from now on, and these commands where it starts."""
    try:
        import readline
    except ImportError:  # a Python that was built without it
        return

    def completed(typed: str, number: int) -> str | None:
        known = words if readline.get_begidx() else [*words, *commands]
        found = [word for word in known if word.startswith(typed)]
        return found[number] if number < len(found) else None

    readline.set_completer(completed)
    readline.set_completer_delims(" \t;")
    readline.parse_and_bind("bind ^I rl_complete" if "libedit" in (readline.__doc__ or "") else "tab: complete")


@contextmanager
def alone(name: str) -> Generator[None]:
    """Give the terminal to one of several people: what stands on the screen meanwhile is gone afterwards, and so are the lines that were typed.

    Elsewhere than in a terminal nothing is hidden.
    """
    if not (screen().is_terminal and sys.stdin.isatty()):
        yield
        return
    ask_line(f"{name} alone looks at the screen now. Press Enter. ", ())
    screen().set_alt_screen(True)
    try:
        yield
    finally:
        screen().set_alt_screen(False)
        _forget()


def _forget() -> None:
    try:
        import readline
    except ImportError:  # a Python that was built without it
        return
    readline.clear_history()
