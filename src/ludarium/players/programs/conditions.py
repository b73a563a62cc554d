"""Under which conditions programs play."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from .sandbox import Choice


@dataclass(frozen=True)
class Allowance:
    """What players may take in a game, as a class is measured in its own process; None: whatever they like."""

    seconds: float | None = None
    """Processor time of a class; its import is not counted."""
    megabytes: float | None = None
    """By how much a player's virtual memory may grow after its import; what one leaves is the others'."""

    def too_large(self, grown: Sequence[float]) -> int | None:
        """Who has grown most (megabytes, one a player), if all together have grown by more than they may."""
        if self.megabytes is None or sum(grown) <= self.megabytes * len(grown):
            return None
        return max(range(len(grown)), key=grown.__getitem__)


UNLIMITED = Allowance()


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
    allowance: Allowance = UNLIMITED


USUAL = Conditions()
