"""Games that a long measurement has played already, so that it can be stopped and gone on with."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

__all__ = ["kept_games"]

Played = TypeVar("Played")


def kept_games(file: Path, setting: Any, played: type[Played]) -> dict[int, Played]:
    """The games of a setting in a file of results, by number: a line each, ``{"setting": …, "game": …}``, the fields of the two dataclasses."""
    found: dict[int, Played] = {}
    for line in file.read_text().splitlines() if file.exists() else []:
        entry = json.loads(line)
        if entry["setting"] == asdict(setting):
            found[entry["game"]["number"]] = played(**entry["game"])
    return found
