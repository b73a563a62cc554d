"""Reading a line from a person, with history and completion where the terminal has them."""

from __future__ import annotations

import sys
from collections.abc import Sequence

__all__ = ["ask_line"]


def ask_line(prompt: str, words: Sequence[str]) -> str | None:
    """A line as typed, without spaces around it; None at the end of input. The tab key completes ``words``."""
    if sys.stdin.isatty():
        _offer(words)
    try:
        return input(prompt).strip()
    except EOFError:
        print()
        return None


def _offer(words: Sequence[str]) -> None:
    try:
        import readline
    except ImportError:  # Windows
        return

    def complete(typed: str, number: int) -> str | None:
        found = [word for word in words if word.startswith(typed)]
        return found[number] if number < len(found) else None

    readline.set_completer(complete)
    readline.set_completer_delims(" \t")
    readline.parse_and_bind("bind ^I rl_complete" if "libedit" in (readline.__doc__ or "") else "tab: complete")
