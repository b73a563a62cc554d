"""Edge cases of games that a program must play, and what it does wrong in them, in words."""

from .checks import check_bot
from .report import Finding, Report

__all__ = ["Finding", "Report", "check_bot"]
