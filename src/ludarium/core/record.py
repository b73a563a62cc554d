"""Game records on disk: JSON Lines, a header and then an event a line, written as the game goes.

A crash loses at most the line being written. Reading drops an incomplete last line with a notice and refuses any other damage.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

from ludarium.errors import BadOption, BadRecord, LudariumError, store_errors

from .game import Game
from .registry import game as game_of
from .timeline import Event, Timeline

FORMAT = 1

LONGEST = 2**28
"""Bytes that a record has at most."""

OPTIONAL = {"files", "partial"}
"""Keys that a header may be without."""

_BARE_TIME = re.compile(r"(?<=[:,]time=)[^,a-z]+(?![^,])")
"""A time without its unit in a player's spec, as older records have it: it was taken for seconds."""


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


@dataclass(frozen=True)
class Header:
    """A record's first line: the game with the behaviour version and options it was played by, the seed, the players' names, the time (UTC).

    ``files`` has the SHA-256 digest of every file that an option names, by the option's name. ``partial`` says that the game was running and what was
    secret then is left out.
    """

    game: str
    version: int
    options: dict[str, Any]
    seed: int | None
    players: list[str]
    time: str = field(default_factory=_now)
    format: int = FORMAT
    files: dict[str, str] = field(default_factory=dict[str, str])
    partial: bool = False

    @classmethod
    def of(cls, game: Game, players: Sequence[str], seed: int | None = None) -> Header:
        """The header of a game that begins.

        Raises:
            BadOption: a file that an option names cannot be read any more.
        """
        return cls(game.id, game.version, dict(game.options), seed, list(players), files=_digests(game))

    def as_json(self) -> dict[str, Any]:
        """The line as it is written: ``files`` and ``partial`` only where there is something to say."""
        return {name: value for name, value in asdict(self).items() if value or name not in OPTIONAL}


def _digests(game: Game) -> dict[str, str]:
    named = {option.name: game.options[option.name] for option in game.option_list if option.names_file(game.options[option.name])}
    try:
        return {name: hashlib.sha256(Path(path).read_bytes()).hexdigest() for name, path in named.items()}
    except OSError as problem:
        raise BadOption(f"{problem.filename} cannot be read: {problem.strerror}") from None


class Recorder(AbstractContextManager["Recorder"]):
    """Writes one record, a line an event, each flushed as it comes. Hand :meth:`write` to ``Timeline.listen``. A context manager."""

    def __init__(self, path: Path, header: Header) -> None:
        """Create the file.

        Raises:
            StoreError: it exists already or cannot be created.
        """
        self.path = path
        with self._errors():
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("x", encoding="utf-8", errors="replace", newline="\n")
        self.write(header.as_json())

    def write(self, event: Event) -> None:
        """Write one line.

        Raises:
            StoreError: the disk does not take it.
        """
        with self._errors():
            self._file.write(json.dumps(event, ensure_ascii=False, separators=(",", ":")) + "\n")
            self._file.flush()

    def close(self) -> None:
        """Close the file.

        Raises:
            StoreError: the disk does not take what was written last.
        """
        with self._errors():
            self._file.close()

    def _errors(self) -> AbstractContextManager[None]:
        return store_errors(f"the record {self.path} cannot be written")

    def __exit__(self, *error: object) -> None:
        self.close()


@dataclass(frozen=True)
class Record:
    """A record as read: its header, its events, and a notice if an incomplete last line was dropped."""

    source: str
    header: Header
    events: list[Event]
    notice: str | None

    def replay(self) -> Timeline:
        """Play the record through the rules; one that is partial, up to what was secret.

        Raises:
            BadRecord: the rules disagree with it; the message names the line.
        """
        try:
            game = game_of(self.header.game, **self.header.options)
            digests = _digests(game) if self.header.files else {}
        except BadOption as problem:
            raise BadRecord(f"{self.source}, line 1: {problem}") from None
        for name, digest in self.header.files.items():
            if digests.get(name) != digest:
                raise BadRecord(f"{self.source}, line 1: {name}={game.options.get(name)} has changed since this game was played")
        if self.header.version != game.version and not game.plays_like(self.header.version):
            raise BadRecord(
                f"{self.source}, line 1: played by version {self.header.version} of the rules of {game.id}; these are version {game.version}"
            )
        if len(self.header.players) != game.players:
            raise BadRecord(f"{self.source}, line 1: {len(self.header.players)} players, but {game.title} has {game.players} seats")
        timeline: Timeline | None = None
        ended = False
        for number, event in enumerate(self.events, start=2):
            try:
                if ended:
                    raise BadRecord("nothing comes after the end")
                if timeline is not None:
                    timeline.apply(event)
                elif event.get("event") == "start":
                    timeline = Timeline(game.parse(str(event.get("position"))))
                else:
                    raise BadRecord("the first event is 'start'")
                ended = event["event"] == "end"
            except LudariumError as problem:
                if self.header.partial and timeline is not None:
                    break
                raise BadRecord(f"{self.source}, line {number}: {problem}") from None
        return timeline or Timeline(game.start())


def read_record(path: Path) -> Record:
    """Read a record without playing it.

    Raises:
        BadRecord: the file cannot be read, its header is torn or wrong, or a line other than an incomplete last one is damaged.
    """
    try:
        data = _read(path)
    except OSError as problem:
        raise BadRecord(f"{path}: {problem.strerror}") from None
    source = path.name
    if len(data) > LONGEST:
        raise BadRecord(f"{source}: more than {LONGEST:,} bytes, which no game record has")
    if not data:
        raise BadRecord(f"{source}: an empty file is no game record")
    complete = data.endswith(b"\n")
    lines = data.removesuffix(b"\n").split(b"\n")
    events: list[Event] = []
    notice = None
    for number, line in enumerate(lines, start=1):
        try:
            events.append(read_object(line))
        except (ValueError, RecursionError):
            if number == len(lines) and not complete and number > 1:
                notice = f"{source}: the last line is incomplete and was dropped (a game that was cut off)"
            else:
                raise BadRecord(f"{source}, line {number}: not a JSON object: {line[:60]!r}") from None
    header = _read_header(source, events[0])
    if header.partial:
        notice = f"{source}: the game was still running; what was secret then is left out, so it is shown only as far as nothing was"
    return Record(source, header, events[1:], notice)


def _read(path: Path) -> bytes:
    """A file's bytes, as many as tell whether it is too long. A pipe is read while somebody writes to it, and one that nobody writes to is empty."""
    with os.fdopen(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)), "rb") as file:
        if os.name == "posix":
            os.set_blocking(file.fileno(), True)
        return file.read(LONGEST + 1)


def read_object(text: bytes) -> dict[str, Any]:
    """The JSON object of a text in UTF-8.

    Raises:
        ValueError: it is none, or has what nobody writes: numbers beyond all bounds, a key twice, halves of characters (``UnicodeError``).
        RecursionError: it is nested too deep.
    """
    value = json.loads(text.decode("utf-8"), parse_constant=_refuse, object_pairs_hook=_distinct)
    if not isinstance(value, dict):
        raise ValueError
    json.dumps(value, ensure_ascii=False, allow_nan=False).encode("utf-8")
    return cast("dict[str, Any]", value)


def _refuse(constant: str) -> None:
    raise ValueError(constant)


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise ValueError
    return result


def _read_header(source: str, values: Event) -> Header:
    where = f"{source}, line 1"
    if values.get("format") != FORMAT:
        raise BadRecord(f"{where}: not a Ludarium record of format {FORMAT}")
    if set(values) | OPTIONAL != set(Header.__dataclass_fields__):
        raise BadRecord(f"{where}: a header has the keys {', '.join(Header.__dataclass_fields__)}")
    from pydantic import TypeAdapter, ValidationError  # takes a while, which only who reads a record has to wait for

    try:
        header = TypeAdapter(Header).validate_json(json.dumps(values), strict=True)
    except ValidationError as problem:
        name = str(problem.errors()[0]["loc"][0])
        raise BadRecord(f"{where}: '{name}' cannot be {str(values[name])[:40]!r}") from None
    return replace(header, players=[_BARE_TIME.sub(r"\g<0>s", player) for player in header.players])
