"""What the orchestrator says of its work, through Python's ``logging``: a text and fields, for people or as JSON."""

from __future__ import annotations

import json
import logging
import sys
from datetime import datetime
from typing import Any

LOGGER = logging.getLogger("ludarium.netorcai")


def note(level: int, text: str, **fields: object) -> None:
    """Log a text with fields."""
    if LOGGER.isEnabledFor(level):
        LOGGER.log(level, text, extra={"fields": fields})


class _Stderr(logging.Handler):
    """Writes to what standard error is at the moment: a board in the terminal puts lines above itself."""

    def emit(self, record: logging.LogRecord) -> None:
        try:
            print(self.format(record), file=sys.stderr, flush=True)
        except Exception:  # noqa: BLE001  as every handler of Python's: a line that cannot be written must not end what it tells of
            self.handleError(record)


def log_to_stderr(level: int = logging.INFO, *, as_json: bool = False, name: str = LOGGER.name) -> None:
    """Log from now on.

    Args:
        level: of what is logged by ``name`` and what is below it; of everything else warnings are.
        as_json: one JSON object a line.
        name: a logger's; ``""`` for all.
    """
    handler = _Stderr()
    handler.setFormatter(JsonLines() if as_json else PlainLines())
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    logging.getLogger(name).setLevel(level)


def _fields(record: logging.LogRecord) -> dict[str, Any]:
    return getattr(record, "fields", {})


def _time(record: logging.LogRecord) -> datetime:
    return datetime.fromtimestamp(record.created).astimezone()


class PlainLines(logging.Formatter):
    """``12:30:01 INFO    Logged in  nickname=ann role=player``. What clients chose is quoted where it is more than a word."""

    def format(self, record: logging.LogRecord) -> str:
        fields = " ".join(f"{name}={_plain(value)}" for name, value in _fields(record).items())
        line = f"{_time(record):%H:%M:%S} {record.levelname:<7} {record.getMessage()}{'  ' if fields else ''}{fields}"
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


class JsonLines(logging.Formatter):
    """One JSON object a line: ``level``, ``msg``, ``time`` and the fields."""

    def format(self, record: logging.LogRecord) -> str:
        line = {"level": record.levelname.lower(), "msg": record.getMessage(), "time": _time(record).isoformat(timespec="milliseconds")}
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps({**_fields(record), **line}, sort_keys=True, default=str)


def _plain(value: object) -> str:
    text = str(value)
    return text if text.isprintable() and text and not set(text) & set(" =\"'") else json.dumps(text)
