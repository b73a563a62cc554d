"""The games of a long measurement, kept in a file as they are played, so that it can be stopped and gone on with."""

from __future__ import annotations

import json
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
    two dataclasses.
    """
    lines = file.read_text(encoding="utf-8").splitlines() if file and file.exists() else []
    entries = [entry for entry in map(json.loads, lines) if entry["setting"] == asdict(setting)]
    kept = {entry["game"]["number"]: played(**entry["game"]) for entry in entries}
    games: list[Played] = []
    for number in range(count):
        games.append(kept[number] if number in kept else play(setting, number))
        if file and number not in kept:
            with file.open("a", encoding="utf-8") as results:
                results.write(json.dumps({"setting": asdict(setting), "game": asdict(games[-1])}) + "\n")
        yield games
