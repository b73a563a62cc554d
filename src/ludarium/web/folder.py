"""Games on disk: ``games/ID.jsonl`` is a game's record, ``games/ID.seats.json`` the tokens of its seats and the
seconds of a turn, readable by their owner only."""

from __future__ import annotations

import json
import logging
import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ludarium.core.record import Header, Recorder, read_record
from ludarium.core.timeline import Event, Timeline
from ludarium.errors import BadRecord, StoreError, store_errors

log = logging.getLogger("ludarium.web")


def default_folder() -> Path:
    """``ludarium`` in the user's data folder."""
    if "XDG_DATA_HOME" in os.environ:
        return Path(os.environ["XDG_DATA_HOME"]) / "ludarium"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "ludarium"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "ludarium"
    return Path.home() / ".local" / "share" / "ludarium"


@dataclass(frozen=True)
class Kept:
    """What is kept of a game."""

    header: Header
    timeline: Timeline
    tokens: dict[int, str]
    """By seat."""
    clock: float | None
    """Seconds of a turn."""


class Folder:
    """The data folder of a server. Ids are checked by the caller: they name files."""

    def __init__(self, path: Path) -> None:
        """Create the folder if need be.

        Raises:
            StoreError: it cannot be written to.
        """
        self.games = path / "games"
        self._played = set[str]()
        probe = self.games / f".probe-{os.getpid()}"
        with store_errors(f"the data folder {path} cannot be written to"):
            self.games.mkdir(parents=True, exist_ok=True, mode=0o700)
            probe.touch()
            probe.unlink()

    def _record(self, id: str) -> Path:
        return self.games / f"{id}.jsonl"

    def _seats(self, id: str) -> Path:
        return self.games / f"{id}.seats.json"

    def holds(self, id: str) -> bool:
        return self._seats(id).is_file()

    def create(self, id: str, kept: Kept) -> Writer:
        """Start a game's files.

        Raises:
            StoreError: they cannot be written.
        """
        with store_errors(f"the game cannot be written to {self.games}"):
            with os.fdopen(os.open(self._seats(id), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
                json.dump({"tokens": kept.tokens, "clock": kept.clock}, file)
            return Writer(Recorder(self._record(id), kept.header), kept.timeline)

    def header(self, id: str) -> Header:
        """What a game's record says first of it.

        Raises:
            BadRecord: it is damaged.
        """
        return read_record(self._record(id)).header

    def open(self, id: str) -> tuple[Kept, Writer]:
        """Take up a game again where its record ends; an incomplete last line is dropped.

        Raises:
            BadRecord: its files are damaged, or of other rules than today's.
            StoreError: its record cannot be continued.
        """
        path = self._record(id)
        record = read_record(path)
        timeline = record.replay()
        try:
            seats = json.loads(self._seats(id).read_text("utf-8"))
            tokens = {int(seat): str(token) for seat, token in seats["tokens"].items()}
            clock = None if seats.get("clock") is None else float(seats["clock"])
        except (OSError, ValueError, LookupError, AttributeError, TypeError) as problem:
            raise BadRecord(f"{self._seats(id).name}: {problem}") from None
        before = path.with_suffix(".before")
        path.replace(before)
        try:
            writer = Writer(Recorder(path, record.header), timeline)
        except (OSError, StoreError) as problem:
            before.replace(path)
            raise StoreError(f"the record {path} cannot be continued: {problem}") from None
        before.unlink()
        return Kept(record.header, timeline, tokens, clock), writer

    def unplayed(self, before: float) -> list[str]:
        """The games in which nobody has done anything, and whose records were written before a time (as of ``time.time``). One that cannot be read is none."""
        ids: list[str] = []
        for path in self.games.glob("*.jsonl"):
            with suppress(OSError, BadRecord):
                if path.stem not in self._played and self.holds(path.stem) and path.stat().st_mtime < before:
                    record = read_record(path)
                    if record.notice is None and all(event.get("event") in ("start", "chance") for event in record.events):
                        ids.append(path.stem)
                    else:
                        self._played.add(path.stem)
        return ids

    def delete(self, ids: Iterable[str], before: float) -> None:
        """Delete games whose records were written before a time, as far as the system lets it."""
        for id in ids:
            with suppress(OSError):
                if self._record(id).stat().st_mtime < before:
                    self._seats(id).unlink()
                    self._record(id).unlink()


class Writer:
    """Writes a timeline's events. A full disk ends the record, not the game."""

    def __init__(self, recorder: Recorder, timeline: Timeline) -> None:
        self._recorder = recorder
        self._works = True
        timeline.listen(self._write)

    def _write(self, event: Event) -> None:
        if self._works:
            try:
                self._recorder.write(event)
            except StoreError as problem:
                self._works = False
                log.error("%s; the game goes on without it", problem)

    def close(self) -> None:
        """Close the file. Later events are not written."""
        self._works = False
        with suppress(StoreError):  # of which has been told already
            self._recorder.close()
