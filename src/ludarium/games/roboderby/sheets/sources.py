"""Where dice and tiles come from: a shipped name, a file, or the text itself; and how an error says where something is wrong."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import Any

from ludarium.core.options import is_content
from ludarium.core.user_text import plain_text, read_user_text
from ludarium.errors import BadOption, one_of

LARGEST_FILE = 100_000
"""Bytes; many times what dice or tiles can need."""


def shipped(*names: str) -> Any:
    """A file or folder of what is shipped, by the names on the way to it."""
    return resources.files("ludarium.games.roboderby").joinpath("data", *names)


def shipped_names(kind: str, suffix: str) -> tuple[str, ...]:
    """The names of what is shipped of a kind (``dice`` or ``tiles``), sorted."""
    return tuple(sorted(entry.name.removesuffix(suffix) for entry in shipped(kind).iterdir() if entry.name.endswith(suffix)))


def read_source(source: str, kind: str, suffix: str) -> tuple[str, str]:
    """A name for messages, and the text: of a shipped name, of a file's path, or the source itself where it is no name.

    Raises:
        BadOption: there is no such name or file, or it cannot be read as text.
    """
    if is_content(source):
        return kind, plain_text(source)
    if source in shipped_names(kind, suffix):
        return source, shipped(kind).joinpath(f"{source}{suffix}").read_text(encoding="utf-8")
    return Path(source).name, _text_of_file(source, kind, suffix)


def _text_of_file(source: str, kind: str, suffix: str) -> str:
    path = Path(source)
    try:
        if not source.strip() or not path.exists():
            raise BadOption(f"{kind}: there is no file {source}, and as a shipped name {one_of(source, shipped_names(kind, suffix))}")
        if not path.is_file():
            raise BadOption(f"{kind}: {source} is not a file")
        return read_user_text(path, lambda said: BadOption(f"{kind}: {said}"), LARGEST_FILE, is_filled=True)
    except OSError as problem:
        raise BadOption(f"{kind}: {source} cannot be read: {problem.strerror}") from None


def wrong_at(name: str, line: int, column: int, said: str) -> BadOption:
    """The error for a place in a text; lines and columns count from 1."""
    return BadOption(f"{name}, line {line}, column {column}: {said}")
