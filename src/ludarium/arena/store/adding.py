"""Adds results to a store: the games, who sat where, and the kept counters, so that totals need not count a million games."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    FromClause,
    Integer,
    Select,
    Table,
    and_,
    bindparam,
    case,
    cast,
    delete,
    exists,
    func,
    insert,
    literal,
    select,
    update,
)

from ludarium.arena.conduct import Conduct
from ludarium.arena.games import GameResult
from ludarium.arena.standings import DRAW, LOSS, WIN, results
from ludarium.core.game import Game
from ludarium.core.lines import sync_folder
from ludarium.core.record import record_digest

from . import schema
from .rows import Entrant

CHUNK = 1000
"""Values that one statement asks for: databases take only so many."""

MOST_FLUSHING = 16
"""Records that are flushed at the same time: a disk flushes ten files in about the time of one."""


@dataclass(frozen=True)
class Rules:
    """What was played: the game's id, and its options as JSON."""

    game: str
    options: str

    @classmethod
    def of(cls, game: Game) -> Rules:
        return cls(game.id, options_text(game.options))


def options_text(options: Mapping[str, Any]) -> str:
    """Options as the store keeps them, equal for equal ones."""
    return json.dumps(dict(options), sort_keys=True, ensure_ascii=False)


def secured(results: Sequence[GameResult]) -> list[tuple[GameResult, str | None]]:
    """Flush the games' records to the disk; the results with the SHA-256 digests of those that are whole there."""
    with ThreadPoolExecutor(min(MOST_FLUSHING, len(results))) as threads:
        digests = list(threads.map(_flushed, results))
    for folder in {result.record.parent for result, digest in zip(results, digests, strict=True) if result.record and digest}:
        with suppress(OSError):
            sync_folder(folder)
    return list(zip(results, digests, strict=True))


def _flushed(result: GameResult) -> str | None:
    if result.record is not None and result.unrecorded is None:
        with suppress(OSError), result.record.open("rb") as file:
            os.fsync(file.fileno())
            return record_digest(file.read())
    return None


def counts(table: FromClause) -> ColumnElement[bool]:
    """Return the condition that the game of a row of ``games`` or ``seats`` counts: it was not voided."""
    voided = schema.voided
    return ~exists().where(voided.c.competition == table.c.competition, voided.c.number == table.c.number)


def hold(connection: Connection, competition: int) -> None:
    """Lock the counters of a competition until this transaction ends."""
    rows = schema.competitions
    connection.execute(select(rows.c.id).where(rows.c.id == competition).with_for_update())


def add_games(connection: Connection, competition: int, rules: Rules, secured: Sequence[tuple[GameResult, str | None]]) -> int:
    """Add games that the competition lacks, count those without expelled entrants, and return the number of added games."""
    numbered = {result.number: (result, digest) for result, digest in reversed(secured)}
    known = set(_found(connection, schema.games.c.number, list(numbered), schema.games.c.competition == competition))
    new = [numbered[number] for number in sorted(numbered.keys() - known)]
    if not new:
        return 0
    players = _players(connection, competition)
    starts = _starts(connection, rules, {result.opening for result, _ in new})
    hold(connection, competition)
    expelled = _expelled(connection, competition)
    counted = [result for result, _ in new if not expelled.keys() & set(result.plan.seats)]
    more = {"games": schema.competitions.c.games + len(counted)}
    connection.execute(update(schema.competitions).where(schema.competitions.c.id == competition).values(more))
    connection.execute(
        insert(schema.games), [_game_row(competition, rules.game, starts[result.opening], result, digest) for result, digest in new]
    )
    connection.execute(insert(schema.seats), [row for result, _ in new for row in _seat_rows(competition, players, result)])
    if counted:
        count(connection, competition, counted)
    if len(counted) < len(new):
        shared = {"competition": competition, "time": time.time()}
        voided = [(result.number, entrant) for result, _ in new for entrant in {*result.plan.seats} & expelled.keys()]
        rows = [shared | {"number": number, "expelled": entrant, "reason": expelled[entrant]} for number, entrant in voided]
        connection.execute(insert(schema.voided), rows)
    return len(new)


def _expelled(connection: Connection, competition: int) -> dict[int, str]:
    """Return the reasons for expulsions, by entrant."""
    table = schema.expelled
    return {row.entrant: row.reason for row in connection.execute(select(table).where(table.c.competition == competition))}


def _game_row(competition: int, game: str, start: int, result: GameResult, digest: str | None) -> dict[str, Any]:
    return {
        "competition": competition,
        "number": result.number,
        "round": result.plan.round,
        "game": game,
        "start": start,
        "seed": None if result.seed is None else str(result.seed),
        "reason": result.reason,
        "plies": result.plies,
        "digest": result.digest,
        "started": result.started,
        "finished": result.finished,
        "record": str(result.record.absolute()) if result.record and digest else None,
        "record_digest": digest,
    }


def _seat_rows(competition: int, players: Mapping[int, int], result: GameResult) -> list[dict[str, Any]]:
    return [
        {
            "competition": competition,
            "number": result.number,
            "seat": seat,
            "entrant": entrant,
            "player": players[entrant],
            "returns": returns,
            "result": outcome,
            "forfeit": result.forfeits.get(seat),
            "out": result.out.get(seat),
            "actions": conduct.actions,
            "microseconds": conduct.microseconds,
        }
        for seat, (entrant, returns, outcome) in enumerate(zip(result.plan.seats, result.returns, results(result.returns), strict=True))
        for conduct in [Conduct.of_seat(result.forfeits, result.thinking, seat)]
    ]


_COUNTERS = {WIN: "more_wins", DRAW: "more_draws", LOSS: "more_losses"}


def count(connection: Connection, competition: int, played: Sequence[GameResult]) -> None:
    """Add games to the counters of those who played them."""
    totals: defaultdict[int, dict[str, float]] = defaultdict(
        lambda: {"more_wins": 0, "more_draws": 0, "more_losses": 0, "more_points": 0.0}
    )
    conducts = defaultdict[int, Conduct](Conduct)
    pairs: defaultdict[tuple[int, int], dict[str, int]] = defaultdict(lambda: {"more_wins": 0, "more_draws": 0, "more_losses": 0})
    for game in played:
        for seat, (entrant, returns, outcome) in enumerate(zip(game.plan.seats, game.returns, results(game.returns), strict=True)):
            conducts[entrant] += Conduct.of_seat(game.forfeits, game.thinking, seat)
            totals[entrant][_COUNTERS[outcome]] += 1
            totals[entrant]["more_points"] += (1 + returns) / 2
            for opponent, theirs in zip(game.plan.seats, game.returns, strict=True):
                if opponent > entrant:
                    pairs[entrant, opponent][_COUNTERS[(returns > theirs) - (returns < theirs)]] += 1
    if len(pairs) > 0:
        keys = [{"c": competition, "e": entrant, "o": opponent} for entrant, opponent in sorted(pairs)]
        connection.execute(_NEW_PAIR, keys)
        connection.execute(_COUNT_PAIR, [key | pairs[key["e"], key["o"]] for key in keys])
    connection.execute(
        _COUNT_ENTRANT,
        [
            {"c": competition, "e": entrant} | totals[entrant] | {f"more_{name}": value for name, value in vars(conducts[entrant]).items()}
            for entrant in sorted(totals)
        ],
    )


def _more(table: Table, *names: str) -> dict[str, ColumnElement[Any]]:
    """So much more than there is."""
    return {name: table.c[name] + bindparam(f"more_{name}") for name in names}


_COUNT_ENTRANT = (
    update(schema.entrants)
    .where(schema.entrants.c.competition == bindparam("c"), schema.entrants.c.number == bindparam("e"))
    .values(_more(schema.entrants, "wins", "draws", "losses", "points", *schema.CONDUCT))
)
_THIS_PAIR = and_(
    schema.pairs.c.competition == bindparam("c"), schema.pairs.c.entrant == bindparam("e"), schema.pairs.c.opponent == bindparam("o")
)
_COUNT_PAIR = update(schema.pairs).where(_THIS_PAIR).values(_more(schema.pairs, "wins", "draws", "losses"))
_NEW_PAIR = insert(schema.pairs).from_select(
    schema.pairs.c.keys(),
    select(*(cast(bindparam(name), Integer) for name in ("c", "e", "o")), *(literal(0) for _ in range(3))).where(
        ~exists().where(_THIS_PAIR)
    ),
)


def replace_game(connection: Connection, competition: int, rules: Rules, result: GameResult, digest: str) -> None:
    """Put a game in the place of that of its number. Nothing is counted."""
    players = _players(connection, competition)
    start = _starts(connection, rules, {result.opening})[result.opening]
    games, seats = schema.games, schema.seats
    connection.execute(delete(seats).where(seats.c.competition == competition, seats.c.number == result.number))
    row = _game_row(competition, rules.game, start, result, digest)
    connection.execute(update(games).where(games.c.competition == competition, games.c.number == result.number).values(row))
    connection.execute(insert(schema.seats), _seat_rows(competition, players, result))


def recount(connection: Connection, competition: int, *, write: bool) -> list[str]:
    """Compare the counters of a competition with its games; what is wrong, in words, and with ``write`` mended."""
    games, entrants, pairs, seats = schema.games, schema.entrants, schema.pairs, schema.seats
    theirs = seats.alias()
    same_game = and_(theirs.c.competition == seats.c.competition, theirs.c.number == seats.c.number, theirs.c.entrant > seats.c.entrant)
    number = connection.execute(
        select(func.count()).select_from(games).where(games.c.competition == competition, counts(games))
    ).scalar_one()
    kept_number = connection.execute(select(schema.competitions.c.games).where(schema.competitions.c.id == competition)).scalar_one()
    here = and_(seats.c.competition == competition, counts(seats))
    counted = _counted(
        connection,
        select(
            seats.c.entrant,
            *_times(seats.c.result == WIN, seats.c.result == DRAW, seats.c.result == LOSS),
            func.sum((1 + seats.c.returns) / 2),
        )
        .where(here)
        .group_by(seats.c.entrant),
    )
    compared = (seats.c.returns > theirs.c.returns, seats.c.returns == theirs.c.returns, seats.c.returns < theirs.c.returns)
    met = _counted(
        connection,
        select(seats.c.entrant, theirs.c.entrant, *_times(*compared))
        .join(theirs, same_game)
        .where(here)
        .group_by(seats.c.entrant, theirs.c.entrant),
        2,
    )
    conducts, kept_conducts = _conducts(connection, here), _kept_conducts(connection, competition)
    counters = (entrants.c.wins, entrants.c.draws, entrants.c.losses, entrants.c.points)
    kept = _counted(connection, select(entrants.c.number, *counters).where(entrants.c.competition == competition))
    kept_pairs = _counted(connection, select(*list(pairs.c)[1:]).where(pairs.c.competition == competition), 2)
    all_counted = {entrant: counted.get(entrant, (0, 0, 0, 0.0)) for entrant in kept}
    wrong = [
        what
        for what, is_right in (
            (f"{kept_number} games are counted, {number} are there", kept_number == number),
            ("its players' totals are wrong", kept == all_counted),
            ("its cross table is wrong", kept_pairs == met),
            (
                "its players' forfeits or thinking times are wrong",
                kept_conducts == {entrant: conducts[entrant] for entrant in kept_conducts},
            ),
        )
        if not is_right
    ]
    if wrong and write:
        connection.execute(update(schema.competitions).where(schema.competitions.c.id == competition).values(games=number))
        for (entrant,), values in all_counted.items():
            mended = dict(zip(("wins", "draws", "losses", "points"), values, strict=True)) | vars(conducts[entrant])
            connection.execute(update(entrants).where(entrants.c.competition == competition, entrants.c.number == entrant).values(mended))
        connection.execute(delete(pairs).where(pairs.c.competition == competition))
        rows = [dict(zip(pairs.c.keys(), (competition, *key, *values), strict=True)) for key, values in met.items()]
        if rows:
            connection.execute(insert(pairs), rows)
    return wrong


def _conducts(connection: Connection, here: ColumnElement[bool]) -> defaultdict[int, Conduct]:
    """Return the conduct of entrants in the seats of a condition."""
    seats = schema.seats
    sums = (func.count(), func.sum(seats.c.actions), func.sum(seats.c.microseconds))
    found = defaultdict[int, Conduct](Conduct)
    for entrant, forfeit, games, actions, microseconds in connection.execute(
        select(seats.c.entrant, seats.c.forfeit, *sums).where(here).group_by(seats.c.entrant, seats.c.forfeit)
    ):
        found[entrant] += Conduct.of(forfeit, actions or 0, int(microseconds or 0), games)
    return found


def _kept_conducts(connection: Connection, competition: int) -> dict[int, Conduct]:
    entrants = schema.entrants
    query = select(entrants.c.number, *(entrants.c[name] for name in schema.CONDUCT)).where(entrants.c.competition == competition)
    return {number: Conduct(*values) for number, *values in connection.execute(query)}


def _times(*conditions: ColumnElement[bool]) -> list[ColumnElement[Any]]:
    """How often each holds."""
    return [func.sum(case((condition, 1), else_=0)) for condition in conditions]


def _counted(connection: Connection, query: Select[Any, *tuple[Any, ...]], keys: int = 1) -> dict[tuple[int, ...], tuple[float, ...]]:
    """By key, rounded as far as sums of points may differ by their order."""
    return {tuple(row[:keys]): tuple(round(float(value), 6) for value in row[keys:]) for row in connection.execute(query)}


def _players(connection: Connection, competition: int) -> dict[int, int]:
    """Whose row each entrant is."""
    query = select(schema.entrants.c.number, schema.entrants.c.player).where(schema.entrants.c.competition == competition)
    return {row.number: row.player for row in connection.execute(query)}


def _starts(connection: Connection, rules: Rules, openings: set[str]) -> dict[str, int]:
    digests = {opening: _digest(rules.game, rules.options, opening) for opening in openings}
    ids = _ids(connection, schema.starts, list(digests.values()))
    new = [
        {"game": rules.game, "options": rules.options, "position": opening, "digest": digest}
        for opening, digest in sorted(digests.items())
        if digest not in ids
    ]
    if new:
        connection.execute(insert(schema.starts), new)
        ids |= _ids(connection, schema.starts, [row["digest"] for row in new])
    return {opening: ids[digest] for opening, digest in digests.items()}


def player_id(connection: Connection, entrant: Entrant) -> int:
    """The row of a player, made if there is none."""
    digest = _digest(entrant.name, entrant.spec, entrant.version)
    if ids := _ids(connection, schema.players, [digest]):
        return ids[digest]
    row = {"name": entrant.name, "spec": entrant.spec, "version": entrant.version, "digest": digest}
    connection.execute(insert(schema.players), row)
    return _ids(connection, schema.players, [digest])[digest]


def _ids(connection: Connection, table: Table, digests: Sequence[str]) -> dict[str, int]:
    ids: dict[str, int] = {}
    for begin in range(0, len(digests), CHUNK):
        rows = select(table.c.digest, table.c.id).where(table.c.digest.in_(digests[begin : begin + CHUNK]))
        ids |= {row.digest: row.id for row in connection.execute(rows)}
    return ids


def _found(connection: Connection, column: ColumnElement[Any], values: Sequence[Any], where: ColumnElement[bool]) -> list[Any]:
    """Those of the values that a column has."""
    return [
        value
        for begin in range(0, len(values), CHUNK)
        for value in connection.execute(select(column).where(where, column.in_(values[begin : begin + CHUNK]))).scalars()
    ]


def _digest(*texts: str) -> str:
    return hashlib.sha256(json.dumps(texts).encode()).hexdigest()
