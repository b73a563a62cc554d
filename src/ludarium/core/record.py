"""Game records on disk: JSON Lines, a header and then an event a line, written as the game goes.

A crash loses at most the line being written. Reading drops an incomplete last line with a notice and refuses any other damage.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

from ludarium.errors import BadOption, BadRecord, LudariumError, StoreError, escaped, store_errors

from .game import Game
from .lines import LineFile
from .pickling import Unpicklable
from .registry import game as game_of
from .registry import game_module
from .timeline import Event, Timeline
from .user_text import BLANK, not_utf_8, plain_bytes, refuse_other_encodings
from .writing import replace_file

FORMAT = 3
"""Earlier ones differ in nothing but what players are called, see :func:`called_today`."""

LONGEST = 2**28
"""Bytes that a record has at most."""

MOST_UNFLUSHED = 1000
"""Lines after which a record is flushed to the disk where nobody asks for it."""

OPTIONAL = {"dice_seed", "files", "partial", "programs"}
"""Keys that a header may be without."""

_BARE_TIME = re.compile(r"(?<=[:,]time=)[^,a-z]+(?![^,])")
"""A time without its unit in a player's spec: it was taken for seconds."""


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
    dice_seed: int | None = None
    """What dice drew from, where that is another one: games with the same dice have it in common."""
    programs: dict[str, str] = field(default_factory=dict[str, str])
    """Path of a player's program, by seat, if the player's spec names it through a symbolic link."""

    @classmethod
    def of(
        cls, game: Game, players: Sequence[str], seed: int | None = None, dice_seed: int | None = None, targets: Sequence[str] = ()
    ) -> Header:
        """Return the header of a new game.

        Args:
            players: the names of the players.
            targets: the path of each player's program, where a symbolic link leads to it; else ''.

        Raises:
            BadOption: a file that an option names cannot be read any more.
        """
        return cls(
            game.id,
            game.version,
            dict(game.options),
            seed,
            [escaped(player) for player in players],
            files=_digests(game),
            dice_seed=dice_seed,
            programs={str(seat): escaped(target) for seat, target in enumerate(targets) if target},
        )

    def as_json(self) -> dict[str, Any]:
        """The line as it is written: what is optional only where there is something to say."""
        return {name: value for name, value in asdict(self).items() if name not in OPTIONAL or value not in (None, False, {})}


def _digests(game: Game) -> dict[str, str]:
    named = {option.name: game.options[option.name] for option in game.option_list if option.names_file(game.options[option.name])}
    try:
        return {name: hashlib.sha256(Path(path).read_bytes()).hexdigest() for name, path in named.items()}
    except OSError as problem:
        raise BadOption(f"{problem.filename} cannot be read: {problem.strerror}") from None


class Recorder(Unpicklable, AbstractContextManager["Recorder"]):
    """Writes one record, a line an event, each at once. Hand :meth:`write` to ``Timeline.listen``. A context manager.

    What the disk does not take waits in memory, and is tried again with every further event, by :meth:`retry` and by :meth:`close`. The methods may be called
    from several threads.
    """

    send_instead = "send its path"

    def __init__(self, path: Path, begun: Header | Record) -> None:
        """Create the file of a new record, or continue a record read from it. Drop an incomplete last line and changes by an editor.

        Raises:
            StoreError: the file exists already or cannot be created, and nothing is left behind; or there is none to go on with.
        """
        self.path = path
        self.problem: str | None = None
        """Why the disk did not take all lines: at the last attempt, or since the last :meth:`sync`."""
        is_new = isinstance(begun, Header)
        with self._errors():
            if is_new:
                path.parent.mkdir(parents=True, exist_ok=True)
            elif (lines := record_lines(data := read_bytes(path))) != data:
                replace_file(path, lines)
            self._file = LineFile(path, os.O_CREAT | os.O_EXCL if is_new else 0)
        self._lines: list[Mapping[str, Any]] = []
        """Those that are not known to be on the disk. The first of them are written."""
        self._written = 0
        self._flushed = self._file.end
        """Where the first of them begins."""
        self._lock = threading.Lock()
        self._syncing = threading.Lock()
        for line in [begun.as_json()] if is_new else begun.events[self._file.lines - 1 :]:  # the last one may have had no line feed
            self.write(line)
        if is_new and self.problem:
            with self._errors():
                self._file.close()
                path.unlink()
            raise StoreError(f"the record {path} cannot be written: {self.problem}")

    @property
    def is_flushed(self) -> bool:
        """Whether there is nothing to :meth:`sync`."""
        return not self._written

    def write(self, event: Mapping[str, Any]) -> None:
        """Write one line. Now and then this takes as long as a :meth:`sync`."""
        with self._lock:
            self._lines.append(event)
            self._write()
        if self._written >= MOST_UNFLUSHED:
            self.sync()

    def retry(self) -> None:
        """Write what waits."""
        with self._lock:
            self._write()

    def _write(self) -> None:
        try:
            while self._written < len(self._lines):
                self._file.add(self._lines[self._written])
                self._written += 1
        except OSError as problem:
            self.problem = problem.strerror

    def sync(self) -> None:
        """Flush to the disk what is written. Where that fails, it is written anew later, for the system may have dropped it."""
        with self._syncing:
            with self._lock:
                written, end = self._written, self._file.end
            try:
                self._file.sync()
            except OSError as problem:
                with self._lock:
                    self.problem = problem.strerror
                    self._file.go_back(self._flushed)
                    self._written = 0
                return
            with self._lock:
                del self._lines[:written]
                self._written -= written
                self._flushed = end
                if len(self._lines) == self._written:
                    self.problem = None

    def close(self) -> None:
        """Close the file.

        Raises:
            StoreError: the disk did not take all lines, and the record ends early.
        """
        with self._syncing, self._lock:
            self._write()
            missing = len(self._lines) - self._written
            with self._errors():
                self._file.close()
        if missing:
            raise StoreError(f"the record {self.path} ends early, without the last {missing} lines: {self.problem}")

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
    renamed: Mapping[str, str] = field(default_factory=dict[str, str])
    """Player specs of the file, where the header has them in other words: those of today."""

    @property
    def is_finished(self) -> bool:
        """Whether it says how the game ended."""
        return bool(self.events) and self.events[-1].get("event") == "end"

    @property
    def cut(self) -> str:
        """A sentence for people about a record without an end; empty if it has one."""
        if self.is_finished or not self.events:
            return ""
        if self.header.partial:
            return "The game was still running when this record was made. What was secret then is left out."
        return "This record was cut: it has no end, as after a power failure. It is shown as far as it goes."

    def replay(self, make: Callable[[str, Mapping[str, Any]], Game] | None = None) -> Timeline:
        """Play the record through the rules; one that is partial, up to what was secret.

        Args:
            make: makes the game of an id and options, if not every one that is installed here may be made (:func:`~.registry.game_without_files`).

        Raises:
            BadRecord: the rules disagree with it; the message names the line.
        """
        try:
            game = make(self.header.game, self.header.options) if make else game_of(self.header.game, **self.header.options)
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
        data = read_bytes(path)
    except OSError as problem:
        raise BadRecord(f"{path}: {problem.strerror}") from None
    return parse_record(path.name, data)


def parse_record(source: str, data: bytes) -> Record:
    """Read the bytes of a record, which is called ``source`` in messages, without playing it.

    Raises:
        BadRecord: as :func:`read_record`.
    """
    if len(data) > LONGEST:
        raise BadRecord(f"{source}: more than {LONGEST:,} bytes, which no game record has")
    refuse_other_encodings(data, source, BadRecord)
    data = record_lines(data)
    if not data:
        raise BadRecord(f"{source} is empty; a game record begins with a line about the game")
    complete = data.endswith(b"\n")
    lines = data.removesuffix(b"\n").split(b"\n")
    events: list[Event] = []
    notice = None
    for number, line in enumerate(lines, start=1):
        try:
            events.append(read_object(line))
        except (ValueError, RecursionError) as problem:
            if number == len(lines) and not complete and number > 1:
                notice = f"{source}: the last line is incomplete and was dropped (a game that was cut off)"
            elif isinstance(problem, UnicodeDecodeError):
                raise BadRecord(not_utf_8(source, number)) from None
            else:
                raise BadRecord(f"{source}, line {number}: not a JSON object: {line[:60]!r}") from None
    header = _read_header(source, events[0])
    renamed: dict[str, str] = {}
    if header.format < FORMAT:
        players = [called_today(player, header.game, header.format) for player in header.players]
        renamed = {was: now for was, now in zip(header.players, players, strict=True) if was != now}
        header = replace(header, players=players, format=FORMAT)
    if header.partial:
        notice = f"{source}: the game was still running; what was secret then is left out, so it is shown only as far as nothing was"
    return Record(source, header, events[1:], notice, renamed)


def record_lines(data: bytes) -> bytes:
    """Return the bytes of a record as :class:`Recorder` writes them: without a byte order mark, other newlines than ``\\n`` and empty lines at the end."""
    data = plain_bytes(data)
    whole = data.rstrip(BLANK)
    return whole + b"\n" if whole and b"\n" in data[len(whole) :] else whole


def record_digest(data: bytes) -> str:
    """Return the SHA-256 digest of a record's lines, the same however an editor saved them."""
    return hashlib.sha256(record_lines(data).removesuffix(b"\n") + b"\n").hexdigest()


def called_today(spec: str, game: str, format: int) -> str:
    """What a player is called today who was called ``spec`` in records of a format. In format 1 times had no units; what options meant that mean something
    else now, the game's ``players.py`` says (``FORMER_OPTIONS``: by the last format in which they did, and by player, today's text by the former one). A game
    that is not installed says nothing."""
    player, colon, options = spec.partition(":")
    if not colon:
        return spec
    try:
        former: Mapping[int, Mapping[str, Mapping[str, str]]] = getattr(game_module(game, "players"), "FORMER_OPTIONS", {})
    except BadOption:
        former = {}
    meant: dict[str, str] = {}
    for last in sorted(former, reverse=True):
        if last >= format:
            meant |= former[last].get(player, {})
    if meant:
        spec = f"{player}:{','.join(meant.get(option, option) for option in options.split(','))}"
    return _BARE_TIME.sub(r"\g<0>s", spec) if format == 1 else spec


def read_bytes(path: Path) -> bytes:
    """Read a record's bytes, at most one more than the limit. A pipe without a writer is empty.

    Raises:
        OSError: it cannot be read.
    """
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
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
    if values.get("format") not in range(1, FORMAT + 1):
        raise BadRecord(f"{where}: not a Ludarium record of format 1 to {FORMAT}")
    if set(values) | OPTIONAL != set(Header.__dataclass_fields__):
        raise BadRecord(f"{where}: a header has the keys {', '.join(Header.__dataclass_fields__)}")
    from pydantic import TypeAdapter, ValidationError  # takes a while, which only who reads a record has to wait for

    try:
        return TypeAdapter(Header).validate_json(json.dumps(values), strict=True)
    except ValidationError as problem:
        name = str(problem.errors()[0]["loc"][0])
        raise BadRecord(f"{where}: '{name}' cannot be {str(values[name])[:40]!r}") from None
