"""The games of a long measurement, kept in a file as they are played, so that it can be stopped and gone on with."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

__all__ = ["games_so_far"]

Played = TypeVar("Played")


def games_so_far(
    file: Path | None, setting: Any, played: type[Played], play: Callable[[Any, int], Played], count: int
) -> Iterator[list[Played]]:
    """The games of a setting with the numbers below ``count``: first one of them, then two, and so on.

    Those that stand in the file are not played again, and the others are added to it: a line each, ``{"setting": …, "game": …}``, the fields of the
    two dataclasses. An incomplete last line, as a crash leaves it, is dropped. Another line that is none of these ends the program, which says where it stands.
    """
    kept = _read(file, asdict(setting), played) if file and file.exists() else {}
    games: list[Played] = []
    for number in range(count):
        games.append(kept[number] if number in kept else play(setting, number))
        if file and number not in kept:
            with file.open("a", encoding="utf-8") as results:
                results.write(json.dumps({"setting": asdict(setting), "game": asdict(games[-1])}) + "\n")
        yield games


def _read(file: Path, setting: dict[str, Any], played: type[Played]) -> dict[int, Played]:
    kept: dict[int, Played] = {}
    *lines, torn = file.read_bytes().split(b"\n")
    for number, line in enumerate(lines, start=1):
        try:
            entry = json.loads(line)
            if entry["setting"] == setting:
                kept[entry["game"]["number"]] = played(**entry["game"])
        except (ValueError, LookupError, TypeError):
            said = f"not a game as this benchmark keeps them now: {line.decode(errors='replace')[:60]!r}; name another file to begin anew"
            sys.exit(f"error: {file}, line {number}: {said}")
    os.truncate(file, file.stat().st_size - len(torn))
    return kept
