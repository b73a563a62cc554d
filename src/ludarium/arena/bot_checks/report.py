"""What has been found out about a bot."""

from __future__ import annotations

import statistics
from dataclasses import asdict, dataclass, field
from typing import Any

from ludarium.core.game import Game


@dataclass(frozen=True)
class Finding:
    """What came of one check."""

    check: str
    passed: bool
    words: str
    """What was seen, or what is wrong."""
    sent: str = ""
    """The bot's line that is wrong, cut after 200 characters; empty where there is none."""
    right: str = ""
    """What would have been right."""
    asked: str = ""
    """The judge's last line before."""
    errors: str = ""
    """What the bot wrote to its standard error meanwhile, if something is wrong."""


@dataclass
class Report:
    """All that was found."""

    game: Game
    bot: str
    name: str = ""
    """What the bot calls itself."""
    findings: list[Finding] = field(default_factory=list[Finding])
    not_made: list[str] = field(default_factory=list[str])
    """Checks that were not made after the bot had failed too often."""
    seconds: list[float] = field(default_factory=list[float])
    """How long each answer to a turn took."""
    errors: str = ""
    """What it wrote to its standard error."""

    @property
    def failed(self) -> int:
        """How many checks found something wrong."""
        return sum(not finding.passed for finding in self.findings)

    @property
    def median_seconds(self) -> float | None:
        """Of its answers; None if there were none."""
        return statistics.median(self.seconds) if self.seconds else None

    @property
    def worst_seconds(self) -> float | None:
        return max(self.seconds, default=None)

    def as_json(self) -> dict[str, Any]:
        return {
            "game": self.game.id,
            "options": dict(self.game.options),
            "bot": self.bot,
            "name": self.name,
            "passed": not self.failed,
            "checks": [asdict(finding) for finding in self.findings],
            "not_made": self.not_made,
            "answers": {"count": len(self.seconds), "median": self.median_seconds, "worst": self.worst_seconds},
            "errors": self.errors,
        }
