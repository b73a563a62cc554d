"""A store and the records of its games. Records are the truth: they are imported, and what the store says of games is checked against them."""

from __future__ import annotations

import os
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, insert, select, tuple_, update

from ludarium.arena.games import GamePlan, GameResult, result_of
from ludarium.core.record import parse_record, read_bytes, read_object, record_digest, record_lines
from ludarium.core.writing import replace_file
from ludarium.errors import BadRecord, StoreError, store_errors
from ludarium.players import never

from . import schema
from .adding import Rules, add_games, options_text, recount, replace_game
from .competitions import LADDER, Competition, enter, find, mark_interrupted
from .curves import remake_of
from .database import Database
from .queries import ALL, Search, competitions, search_games
from .rows import CompetitionRow, Entrant, StoredGame

IMPORTED = "records"
"""The kind of a competition of imported games: each folder is one."""

AT_ONCE = 200
"""Records that are imported in one transaction, or checked in a row."""


@dataclass(frozen=True)
class Imported:
    """What came of records that were to be imported."""

    games: int
    known: int
    """The store had them already."""
    unfinished: int
    refused: tuple[str, ...]
    """Why files are no records of games, a line each."""


@dataclass(frozen=True)
class Checked:
    """What a look at the whole store has found."""

    games: int
    records: int
    problems: tuple[str, ...]
    repaired: int
    """How many of the problems are no longer."""
    interrupted: tuple[str, ...]
    """The competitions that were said to be running and that nobody plays any more; they are marked as interrupted."""


@dataclass(frozen=True)
class Exported:
    """What came of records that were to be copied."""

    games: int
    missing: tuple[str, ...]
    """Why others were not, a line each."""


@dataclass(frozen=True)
class _Read:
    """A finished game, as its record says."""

    path: Path
    digest: str
    rules: Rules
    players: tuple[str, ...]
    seed: int | None
    started: float
    finished: float
    """When the record was last written to."""
    result: GameResult

    def planned(self, plan: GamePlan) -> GameResult:
        result = replace(self.result, plan=plan, record=self.path)
        return replace(result, seed=self.seed, started=self.started, finished=self.finished)


@dataclass(frozen=True)
class _File:
    """A file that was read once: its digest is that of what is parsed."""

    path: Path
    data: bytes
    written: float

    @classmethod
    def of(cls, path: Path) -> _File:
        """Read a file. Raises: BadRecord."""
        try:
            return cls(path.absolute(), read_bytes(path), path.stat().st_mtime)
        except OSError as problem:
            raise BadRecord(f"{path}: {problem.strerror}") from None

    @property
    def digest(self) -> str:
        return record_digest(self.data)


def _read(file: _File) -> _Read | None:
    """Return the game of a record, None for one that was not finished. Raises: BadRecord."""
    path = file.path
    record = parse_record(path.name, file.data)
    timeline = record.replay()
    header = record.header
    result = result_of(GamePlan(0, 0, tuple(range(len(header.players)))), timeline)
    if result is None or not record.is_finished:
        return None
    rules = Rules(header.game, options_text(header.options))
    try:
        started = datetime.fromisoformat(header.time).timestamp()
    except ValueError:
        raise BadRecord(f"{path.name}, line 1: 'time' cannot be {header.time[:40]!r}") from None
    return _Read(path, file.digest, rules, tuple(header.players), header.seed, started, max(started, file.written), result)


def record_files(paths: Iterable[Path]) -> list[Path]:
    """Files, and all ``*.jsonl`` below folders.

    Raises:
        StoreError: there is no such file or folder.
    """
    found: list[Path] = []
    for path in paths:
        if not path.exists():
            raise StoreError(f"there is no file or folder {path}")
        if path.is_dir():  # whatever of it can be read, also where others change it meanwhile
            found += sorted(Path(folder, name) for folder, _, names in os.walk(path) for name in names if name.endswith(".jsonl"))
        else:
            found.append(path)
    return found


def import_records(
    database: Database,
    files: Sequence[Path],
    *,
    on_file: Callable[[], None] = lambda: None,
    interrupted: Callable[[], bool] = never,
) -> Imported:
    """Add the games of records. Those of a folder become one competition, which is called as the folder; importing it again adds what is new.

    Every record is played through the rules. What was imported before an interruption stays, and is known the next time.

    Raises:
        StoreError: the database fails.
    """
    games = known = unfinished = 0
    refused: list[str] = []
    folders: defaultdict[Path, list[Path]] = defaultdict(list)
    for file in files:
        folders[file.absolute().parent].append(file.absolute())
    for folder, all_files in folders.items():
        competition: CompetitionRow | None = None
        for some in _in_groups(all_files):
            read: list[_File] = []
            for path in some:
                try:
                    read.append(_File.of(path))
                except BadRecord as problem:
                    refused.append(str(problem))
            with database.reading() as connection:
                there = _known(connection, {file.digest for file in read})
            new: list[_Read] = []
            for file in read:
                if interrupted():
                    break
                on_file()
                if (file.digest, file.path.name) in there:
                    known += 1
                    continue
                try:
                    game = _read(file)
                except BadRecord as problem:
                    refused.append(str(problem))
                    continue
                if game is None:
                    unfinished += 1
                else:
                    new.append(game)
            if new:
                competition, added = database.write(lambda connection, folder=folder, new=new: _add(connection, folder, new))
                games += added
            if interrupted():
                break
        if competition is not None:
            remake_of(database, competition)
        if interrupted():
            break
    return Imported(games, known, unfinished, tuple(refused))


def _in_groups(files: Sequence[Path]) -> Iterator[Sequence[Path]]:
    return (files[begin : begin + AT_ONCE] for begin in range(0, len(files), AT_ONCE))


def _known(connection: Connection, digests: set[str]) -> set[tuple[str, str]]:
    """The digests and file names of records that the store has: a folder may have been moved, and two games of a match may be the same, line for line."""
    games = schema.games
    rows = connection.execute(select(games.c.record_digest, games.c.record).where(games.c.record_digest.in_(digests)))
    return {(row.record_digest, Path(row.record).name) for row in rows if row.record}


def _add(connection: Connection, folder: Path, read: Sequence[_Read]) -> tuple[CompetitionRow, int]:
    """The competition of a folder, and how many games were added to it."""
    name = str(folder)[-schema.LONGEST_NAME :]
    competition = find(connection, name)
    if competition is None:
        row = {"name": name, "kind": IMPORTED, "game": read[0].rules.game, "config": "", "status": "finished", "games": 0}
        connection.execute(insert(schema.competitions), row | {"created": read[0].started})
        competition = find(connection, name)
        assert competition is not None
    elif competition.kind != IMPORTED:
        raise StoreError(f"the store has a {competition.kind} '{name}', which the folder's records would be mixed with")
    there = _known(connection, {game.digest for game in read})  # again, for another import may have come between
    read = [game for game in read if (game.digest, game.path.name) not in there]
    numbers = _numbers(connection, competition.id, [game.path for game in read])
    entrants = _entrants(connection, competition.id, read)
    added = 0
    by_rules: defaultdict[Rules, list[tuple[GameResult, str | None]]] = defaultdict(list)
    for game in read:
        number = numbers[game.path]
        seats = tuple(entrants[one] for one in _occurrences(game.players))
        by_rules[game.rules].append((game.planned(GamePlan(number, number // len(seats), seats)), game.digest))
    for rules, results in by_rules.items():
        added += add_games(connection, competition.id, rules, results)
    if read:
        times = {
            "created": min(competition.created, *(game.started for game in read)),
            "finished": max(competition.finished or 0.0, *(game.finished for game in read)),
        }
        connection.execute(update(schema.competitions).where(schema.competitions.c.id == competition.id).values(times))
    return competition, added


def _number_of(path: Path) -> int | None:
    named = re.fullmatch(r"game-0*([1-9]\d{0,8})", path.stem)
    return int(named[1]) - 1 if named else None


def _numbers(connection: Connection, competition: int, paths: Sequence[Path]) -> dict[Path, int]:
    """``game-0007.jsonl`` is number 6 as long as nothing else is, and what has another name gets the next numbers."""
    games = schema.games
    taken = set(connection.execute(select(games.c.number).where(games.c.competition == competition)).scalars())
    numbers: dict[Path, int] = {}
    for path in paths:
        if (number := _number_of(path)) is not None and number not in taken:
            numbers[path] = number
            taken.add(number)
    following = max(taken, default=-1) + 1
    for path in paths:
        if path not in numbers:
            numbers[path] = following
            following += 1
    return numbers


def _occurrences(players: Iterable[str]) -> list[tuple[str, int]]:
    """Who plays, by seat; the same spec at a second seat is somebody else."""
    seen = Counter[str]()
    found: list[tuple[str, int]] = []
    for player in players:
        found.append((player, seen[player]))
        seen[player] += 1
    return found


def _entrants(connection: Connection, competition: int, read: Sequence[_Read]) -> dict[tuple[str, int], int]:
    """The numbers of those who play, who are entered if need be."""
    players, entrants = schema.players, schema.entrants
    query = select(players.c.name, entrants.c.number).join(entrants, entrants.c.player == players.c.id)
    rows = list(connection.execute(query.where(entrants.c.competition == competition).order_by(entrants.c.number)))
    numbers = {one: row.number for one, row in zip(_occurrences(row.name for row in rows), rows, strict=True)}
    for one in (one for game in read for one in _occurrences(game.players)):
        if one not in numbers:
            numbers[one] = len(numbers)
            enter(connection, competition, numbers[one], [Entrant(one[0], one[0])])
    return numbers


def take_up_records(competition: Competition, folder: Path, *, write: bool = True) -> list[Path]:
    """Add the finished games that a folder has records of and the competition lacks, because the server was killed.

    File names give the games' numbers, and names in the records give the entrants.

    Args:
        write: False only finds the games.

    Returns:
        Their records.

    Raises:
        StoreError: the database fails.
    """
    games = schema.games
    with competition.database.reading() as connection:
        there = set(connection.execute(select(games.c.number).where(games.c.competition == competition.id)).scalars())
    entrants = {entrant.name: number for number, entrant in enumerate(competition.entrants())}
    found: list[GameResult] = []
    for path in record_files([folder]) if folder.is_dir() else ():
        number = _number_of(path)
        if number is None or number in there:
            continue
        try:
            read = _read(_File.of(path))
        except BadRecord:  # the game was interrupted, perhaps within a line
            continue
        if read is not None and read.rules in competition.rules and entrants.keys() >= set(read.players):
            found.append(read.planned(GamePlan(number, number, tuple(entrants[name] for name in read.players))))
    if write:
        for some in range(0, len(found), AT_ONCE):
            competition.add(found[some : some + AT_ONCE])
    return [result.record for result in found if result.record is not None]


def check_store(
    database: Database,
    *,
    repair: bool = False,
    on_game: Callable[[], None] = lambda: None,
    interrupted: Callable[[], bool] = never,
) -> Checked:
    """Compare the store with the records of its games, and what is counted with what there is to count.

    Args:
        repair: whether to read changed games again from their records, correct the counts, and add missing games to ladders.

    Raises:
        StoreError: the database fails.
    """
    problems = [f"the database is damaged: {damage}" for damage in database.damage()]
    games = records = repaired = 0
    for game in _all_games(database, Search(voided=None)):
        if interrupted():
            break
        on_game()
        games += 1
        if game.record is None:
            continue
        records += 1
        if problem := _disagreement(game, game.record):
            problems.append(f"game {game.key}: {problem}")
            repaired += repair and _repaired(database, game, game.record)
    for row in () if interrupted() else competitions(database):
        if row.kind == LADDER:
            missing = _missing(database, row, repair=repair)
            problems += [f"competition {row.id}: it lacks the game of {record}" for record in missing]
            repaired += repair and len(missing)
        with database.reading() as connection:
            wrong = recount(connection, row.id, write=False)
        if wrong:
            problems.append(f"competition {row.id}: {', '.join(wrong)}")
            if repair:
                database.write(lambda connection, id=row.id: recount(connection, id, write=True))
                repaired += 1
    interrupted_ones: list[str] = []
    with suppress(StoreError):  # one that may only be read can be checked all the same
        interrupted_ones = mark_interrupted(database)
    return Checked(games, records, tuple(problems), repaired, tuple(interrupted_ones))


def _missing(database: Database, row: CompetitionRow, *, repair: bool) -> list[Path]:
    """Return the records of finished games that a ladder lacks; nothing for a running ladder, whose latest games are being written."""
    latest = search_games(database, Search(competition=row.name, voided=None), limit=1)
    if not latest or latest[0].record is None:
        return []
    rules = Rules(row.game, options_text(latest[0].options))
    with ExitStack() as last:
        is_ours = True
        with suppress(StoreError):  # a read-only store can be checked, too
            is_ours = last.enter_context(database.claimed(row.id))
        return take_up_records(Competition(database, row.id, row.name, rules), latest[0].record.parent, write=repair) if is_ours else []


def _all_games(database: Database, search: Search) -> Iterator[StoredGame]:
    page = search_games(database, search, limit=AT_ONCE)
    while page:
        yield from page
        page = search_games(database, search, before=page[-1].key, limit=AT_ONCE)


def _disagreement(game: StoredGame, path: Path) -> str | None:
    """What the record says otherwise."""
    try:
        data = read_bytes(path)
    except OSError as problem:
        return f"its record {path} cannot be read: {problem.strerror}"
    if record_digest(data) != game.record_digest:
        return f"its record {path} has changed since"
    lines = record_lines(data).splitlines()
    header, start, end = (read_object(line) for line in (lines[0], lines[1], lines[-1]))
    told: list[tuple[str, Any, Any]] = [
        ("game", header["game"], game.game),
        ("options", header["options"], game.options),
        ("seed", header["seed"], game.seed),
        ("opening", start["position"], game.opening),
        ("returns", end["returns"], list(game.returns)),
    ]
    wrong = [what for what, recorded, stored in told if recorded != stored]
    return f"its record {path} has other {' and '.join(wrong)}" if wrong else None


def _repaired(database: Database, game: StoredGame, path: Path) -> bool:
    """Whether the game could be taken anew from its record."""
    try:
        read = _read(_File.of(path))
    except BadRecord:
        return False
    if read is None or len(read.players) != len(game.players):
        return False
    competition = int(game.key.partition(":")[0])

    def work(connection: Connection) -> bool:
        seats, games = schema.seats, schema.games
        here = (competition, game.number)
        elsewhere = select(games.c.record).where(
            games.c.record_digest == read.digest, tuple_(games.c.competition, games.c.number) != tuple_(*here)
        )
        if str(read.path) in connection.execute(elsewhere).scalars():  # it is another game's record now
            return False
        query = select(seats.c.entrant).where(seats.c.competition == competition, seats.c.number == game.number).order_by(seats.c.seat)
        plan = GamePlan(game.number, game.round, tuple(connection.execute(query).scalars()))
        replace_game(connection, competition, read.rules, read.planned(plan), read.digest)
        recount(connection, competition, write=True)
        return True

    return database.write(work)


def export_records(database: Database, folder: Path, search: Search = ALL, *, interrupted: Callable[[], bool] = never) -> Exported:
    """Copy the records of games into a folder, in one below it for each competition, as ``game-0001.jsonl`` and so on. What is there already stays.

    Raises:
        BadOption, StoreError: as :func:`search_games`; or the folder cannot be written to, or has other files of these names.
    """
    games = 0
    missing: list[str] = []
    for game in _all_games(database, search):
        if interrupted():
            break
        try:
            if game.record is None:
                raise BadRecord("it has no record")
            record = _File.of(game.record)
            if record.digest != game.record_digest:
                raise BadRecord(f"its record {game.record} has changed since")
        except BadRecord as problem:
            missing.append(f"game {game.key}: {problem}")
            continue
        name = re.sub(r"[^\w.-]+", "-", game.competition).strip("-.")[-80:]
        target = folder / f"{game.key.partition(':')[0]}-{name}" / f"game-{game.number + 1:04}.jsonl"
        with store_errors(f"{target} cannot be written"):
            target.parent.mkdir(parents=True, exist_ok=True)
            if not target.exists():
                replace_file(target, record.data)
            elif _File.of(target).digest != game.record_digest:
                raise StoreError(f"{target} is another game's; name an empty folder")
        games += 1
    return Exported(games, tuple(missing))
