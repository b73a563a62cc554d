"""Games on disk: ``games/ID.jsonl`` is a game's record, ``games/ID.seats.json`` the tokens of its seats and the
time control, the points of the games before, the id of the rematch, people's names, return codes and the host, readable by their owner only;
``ladders`` and ``people`` are the affair of these."""

from __future__ import annotations

import json
import logging
import os
import threading
from collections.abc import Callable, Generator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from ludarium.arena.clocks import TimeControl
from ludarium.core.lines import LineFile, sync_folder
from ludarium.core.locks import lock
from ludarium.core.record import Header, Recorder, read_record
from ludarium.core.timeline import Timeline
from ludarium.core.writing import write_text
from ludarium.errors import BadRecord, StoreError, store_errors
from ludarium.web.table.new_game import Lobby
from ludarium.web.table.seat_clocks import runs_unattended
from ludarium.web.table.seats import Seat
from ludarium.web.table.series import Series

log = logging.getLogger("ludarium.web")

_LOBBY = TypeAdapter[Lobby](Lobby)


@dataclass(frozen=True)
class Kept:
    """What is kept of a game."""

    header: Header
    timeline: Timeline
    tokens: dict[int, str]
    """By seat."""
    time_control: TimeControl | None
    series: Series | None = None
    """None: of an older game."""
    next: str | None = None
    """The id of its rematch."""
    taken: frozenset[int] = frozenset()
    """The seats whose first tokens have been replaced."""
    lobby: Lobby = "private"
    names: Mapping[int, str] = field(default_factory=dict[int, str])
    """The names of people, by seat."""
    is_usual: bool = False
    """Whether nobody chose where it starts or what chance brings."""
    paused_at: int | None = None
    """The position in which its players have agreed on a pause."""
    is_played_apart: bool = True
    """Whether each player has chosen for one seat, and no bot for a person."""
    host: int | None = None
    """The host's seat."""
    codes: Mapping[int, str] = field(default_factory=dict[int, str])
    """Return codes, by seat."""
    dead: Mapping[int, tuple[str, ...]] = field(default_factory=dict[int, tuple[str, ...]])
    """Digests of tokens that open a seat no more, by seat."""
    substitutes: Mapping[int, str] = field(default_factory=dict[int, str])
    """Specs of bots that play for people, by seat."""


class Folder:
    """The data folder of a server. Ids are checked by the caller: they name files."""

    def __init__(self, path: Path) -> None:
        """Create the folder if need be.

        Raises:
            StoreError: it cannot be written to.
        """
        self.games = path / "games"
        self.ladders = path / "ladders"
        self.people = path / "people"
        self._path = path
        self._played = set[str]()
        self._changing = threading.Lock()
        probe = self.games / f".probe-{os.getpid()}"
        with store_errors(f"the data folder {path} cannot be written to"):
            self.games.mkdir(parents=True, exist_ok=True, mode=0o700)
            probe.touch()
            probe.unlink()
            for folder in (path.parent, path):
                sync_folder(folder)
            for before in self.games.glob("*.before"):  # a whole record, left by an older server that was killed while it wrote it anew
                before.replace(before.with_suffix(".jsonl"))

    @contextmanager
    def claimed(self) -> Generator[None]:
        """Keeps other servers out meanwhile: two would each write their own end of the same record.

        Raises:
            StoreError: another server is there already, or the folder cannot be written to.
        """
        with store_errors(f"the data folder {self._path} cannot be written to"):
            opened = (self._path / "lock").open("wb")
        with opened as file:
            try:
                if not lock(file):
                    raise StoreError(f"another server keeps its games in {self._path}; stop it, or name another folder with --data")
            except OSError as problem:  # some network folders know no locks
                log.warning("nothing keeps a second server out of %s: %s", self._path, problem)
            yield

    def _record(self, id: str) -> Path:
        return self.games / f"{id}.jsonl"

    def _seats(self, id: str) -> Path:
        return self.games / f"{id}.seats.json"

    def holds(self, id: str) -> bool:
        return self._seats(id).is_file()

    def create(self, id: str, kept: Kept) -> Recorder:
        """Write a game's files and flush them to the disk. The recorder has all events so far.

        Raises:
            StoreError: the disk does not take them. None is left behind.
        """
        try:
            recorder = Recorder(self._record(id), kept.header)
            try:
                for event in kept.timeline.events:
                    recorder.write(event)
                recorder.sync()
                seats = self._seats(id)
                with store_errors(f"{seats} cannot be written"), closing(LineFile(seats, os.O_CREAT | os.O_EXCL, 0o600)) as file:
                    series = kept.series and asdict(kept.series)
                    file.add(
                        {
                            "tokens": kept.tokens,
                            "clock": kept.time_control and str(kept.time_control),
                            "series": series,
                            "taken": sorted(kept.taken),
                            "lobby": kept.lobby,
                            "names": dict(kept.names),
                            "usual": kept.is_usual,
                            "one_for_two": not kept.is_played_apart,
                            "host": kept.host,
                            "codes": dict(kept.codes),
                            "dead": dict(kept.dead),
                            "substitutes": dict(kept.substitutes),
                        }
                    )
                    file.sync()
                    sync_folder(self.games)
                if recorder.problem:
                    raise StoreError(f"{recorder.path} cannot be written: {recorder.problem}")
            except BaseException:
                self.discard(id, recorder)
                raise
        except StoreError as problem:  # which names files
            log.error("a new game cannot be kept: %s", problem)
            raise StoreError("the server's disk does not take a new game; try again later") from None
        return recorder

    def discard(self, id: str, recorder: Recorder) -> None:
        """Remove a game's files."""
        with suppress(StoreError):
            recorder.close()
        for path in (self._seats(id), recorder.path):
            path.unlink(missing_ok=True)

    def header(self, id: str) -> Header:
        """What a game's record says first of it.

        Raises:
            BadRecord: it is damaged.
        """
        return read_record(self._record(id)).header

    def timeline(self, id: str) -> Timeline:
        """How a game has gone.

        Raises:
            BadRecord: its record is damaged, or of other rules than today's.
        """
        return read_record(self._record(id)).replay()

    def open(self, id: str) -> tuple[Kept, Recorder]:
        """Take up a game again where its record ends; an incomplete last line is dropped. The recorder has all events so far.

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
            control = _time_control(seats.get("clock"))
            told = seats.get("series")
            series = None if told is None else Series(int(told["game"]), tuple(float(points) for points in told["points"]))
            following = None if seats.get("next") is None else str(seats["next"])
            taken = frozenset(int(seat) for seat in seats.get("taken", ()))
            lobby = _LOBBY.validate_python(seats.get("lobby", "private"))
            names, codes, substitutes = (
                {int(seat): str(text) for seat, text in seats.get(key, {}).items() if text} for key in ("names", "codes", "substitutes")
            )
            dead = {int(seat): tuple(map(str, digests)) for seat, digests in seats.get("dead", {}).items()}
            host = None if seats.get("host") is None else int(seats["host"])
            paused_at = None if seats.get("paused") is None else int(seats["paused"])
        except (OSError, ValueError, LookupError, AttributeError, TypeError) as problem:
            raise BadRecord(f"{self._seats(id).name}: {problem}") from None
        is_usual = seats.get("usual") is True
        kept = Kept(
            record.header,
            timeline,
            tokens,
            control,
            series,
            following,
            taken,
            lobby,
            names,
            is_usual,
            paused_at,
            not seats.get("one_for_two"),
            host,
            codes,
            dead,
            substitutes,
        )
        return kept, Recorder(path, record)

    def lead_on(self, id: str, next: str) -> None:
        """Keep with a game which one is its rematch.

        Raises:
            StoreError: the disk does not take it.
        """
        self._change(id, lambda seats: {**seats, "next": next})

    def keep_seat(self, id: str, seat: Callable[[], Seat]) -> None:
        """Keep with a game what opens a seat of a person, and who plays it.

        Args:
            seat: returns the seat as it is; it is called when the file is changed, so the latest of several changes is kept.

        Raises:
            StoreError: the disk does not take it.
        """

        def changed(seats: dict[str, Any]) -> dict[str, Any]:
            now = seat()
            number = str(now.number)
            others = {int(one) for one in seats.get("taken", ())} - {now.number}
            values = {
                "tokens": now.token,
                "names": now.nickname,
                "codes": now.code,
                "dead": list(now.dead),
                "substitutes": now.substitute,
            }
            by_seat = {key: {**seats.get(key, {}), number: value} for key, value in values.items()}
            return {**seats, **by_seat, "taken": sorted({*others, *([now.number] if now.is_taken else [])})}

        self._change(id, changed)

    def pause(self, id: str, ply: int | None) -> None:
        """Keep with a game in which position it pauses; None: it goes on.

        Raises:
            StoreError: the disk does not take it.
        """
        self._change(id, lambda seats: {**seats, "paused": ply})

    def note_one_for_two(self, id: str) -> None:
        """Keep with a game that somebody has chosen for two seats.

        Raises:
            StoreError: the disk does not take it.
        """
        self._change(id, lambda seats: {**seats, "one_for_two": True})

    def _change(self, id: str, changed: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
        """Keep something else with a game than its record. Several threads may do so."""
        with self._changing:
            with store_errors(f"{self._seats(id)} cannot be written"):
                seats = json.loads(self._seats(id).read_text("utf-8"))
            write_text(self._seats(id), json.dumps(changed(seats)) + "\n")

    def by_correspondence(self, most: int) -> list[str]:
        """The games whose time runs while nobody is there, and which go on: those that were played last. One that cannot be read is none."""
        found: list[tuple[float, str]] = []
        for path in self.games.glob("*.seats.json"):
            id = path.name.removesuffix(".seats.json")
            with suppress(OSError, ValueError, LookupError, AttributeError, TypeError, BadRecord):
                seats = json.loads(path.read_text("utf-8"))
                if runs_unattended(_time_control(seats["clock"]), len(seats["tokens"])) and not read_record(self._record(id)).is_finished:
                    found.append((self._record(id).stat().st_mtime, id))
        return [id for _, id in sorted(found, reverse=True)[:most]]

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

    def delete(self, id: str, before: float) -> None:
        """Delete a game whose record was written before a time, if the system lets it."""
        with suppress(OSError):
            if self._record(id).stat().st_mtime < before:
                self._seats(id).unlink()
                self._record(id).unlink()


def _time_control(kept: object) -> TimeControl | None:
    """Older games have seconds of a turn as a number."""
    if isinstance(kept, float | int):
        return TimeControl(float(kept), is_per_action=True)
    return None if kept is None else TimeControl.parse(str(kept))
