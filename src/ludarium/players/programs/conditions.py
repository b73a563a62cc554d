"""Under which conditions programs play."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from .sandbox import Choice


@dataclass(frozen=True)
class Conditions:
    """The same for all programs of a match."""

    ponder: bool = False
    """Whether programs may go on between their turns; else they are stopped, so that whoever is to move has the processor."""
    memory: int = 2048
    """Megabytes that a program and all that it has started may take together."""
    processes: int = 64
    """How many processes a program may have."""
    folder: Path | None = None
    """From where programs are named, and where command lines run; None: from here."""
    sandbox: Choice = "auto"
    """Whether programs are kept from everything but their game: where that can be done, or certainly, or not at all."""
    hidden: tuple[Path, ...] = ()
    """What programs in a sandbox do not see, although it lies in their folder: records."""


USUAL = Conditions()
