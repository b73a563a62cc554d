"""Bots that players upload to a server: unpacking, versions, the check before a version plays, and the upload."""

from .checking import Submitted, check_start, ready_command, submitted_bot
from .unpacking import MAX_UPLOAD, too_large, unpack
from .versions import Version, Versions, trim_log

__all__ = [
    "MAX_UPLOAD",
    "Submitted",
    "Version",
    "Versions",
    "check_start",
    "ready_command",
    "submitted_bot",
    "too_large",
    "trim_log",
    "unpack",
]
