"""What a store is asked for."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, Table, and_, exists, func, or_, select, tuple_

from ludarium.arena.conduct import Conduct
from ludarium.arena.standings import DRAW, LOSS, WIN
from ludarium.errors import BadOption, StoreError, one_of

from . import schema
from .adding import CHUNK, counts
from .competitions import find, rows_of
from .database import Database
from .rows import CompetitionRow, Pair, Rating, StoredGame, Total, Voiding

RESULTS = {"win": WIN, "draw": DRAW, "loss": LOSS}
FORFEIT = "forfeit"

Key = tuple[int, int]


@dataclass(frozen=True)
class Search:
    """Which games are wanted: all that agree with everything that is said."""

    player: str | None = None
    """Its name or spec."""
    game: str | None = None
    result: str | None = None
    """``win``, ``draw``, ``loss`` or ``forfeit``, of the player if one is named, else of anybody."""
    opening: str | None = None
    """The position that they began from, or how its text begins."""
    competition: str | None = None
    """Its name, or its id."""
    entrant: int | None = None
    """The number of one who takes part in the competition; then no player is named."""
    opponent: int | None = None
    """The number of another one, who sat at the same board."""
    against: str | None = None
    """The name or spec of another player at the same board."""
    voided: bool | None = False
    """True for voided games, False for games that count, None for all."""

    def __post_init__(self) -> None:
        """Raises: BadOption: no such result, an entrant of no competition, or an opponent of nobody."""
        if self.opponent is not None and self.entrant is None:
            raise BadOption(f"opponent {self.opponent} is one of an entrant; name that one too")
        if self.entrant is not None and (self.competition is None or self.player is not None):
            raise BadOption(f"entrant {self.entrant} is a number in a competition; name that one, and no player")
        if self.result is not None and self.result not in (*RESULTS, FORFEIT):
            raise BadOption(f"result {one_of(self.result, (*RESULTS, FORFEIT))}")


ALL = Search()


def search_games(database: Database, search: Search = ALL, *, before: str | None = None, limit: int = 50) -> list[StoredGame]:
    """A page of games, the newest competition's last game first.

    Args:
        before: the key of the last game of the page before.

    Raises:
        BadOption: no key.
        StoreError: no such competition or player, or the database fails.
    """
    after = None if before is None else key_of(before)
    with database.reading() as connection:
        keys = set[Key]()
        for query in _queries(connection, search, database.name):
            first, second = query.selected_columns
            if after is not None:
                query = query.where(tuple_(first, second) < tuple_(*after))
            keys |= {(row[0], row[1]) for row in connection.execute(query.order_by(first.desc(), second.desc()).limit(limit))}
        return _games(connection, sorted(keys, reverse=True)[:limit])


def key_of(text: str) -> Key:
    """Return the competition's id and the number that a game's key names.

    Raises:
        BadOption: it is no key.
    """
    competition, colon, number = text.partition(":")
    if not (colon and all(one.isascii() and one.isdigit() and len(one) < 10 for one in (competition, number))):
        raise BadOption(f"'{text[:80]}' is not the key of a game; write COMPETITION:NUMBER, such as 1:17")
    return int(competition), int(number)


def _queries(connection: Connection, search: Search, name: str) -> list[Select[Any, Any]]:
    """Of the wanted games' keys: one, or one for each version of the player, whose games each have their order in the index."""
    games, seats, starts = schema.games, schema.seats, schema.starts
    same = and_(games.c.competition == seats.c.competition, games.c.number == seats.c.number)
    conditions: list[ColumnElement[bool]] = []
    if search.opponent is not None:
        theirs = seats.alias()
        at_board = and_(theirs.c.competition == seats.c.competition, theirs.c.number == seats.c.number)
        conditions.append(exists().where(at_board, theirs.c.entrant == search.opponent))
    if search.against is not None:
        conditions.append(_is_at_board(connection, search, name))
    if search.competition is not None:
        found = _competition(connection, search.competition, name)
        conditions.append((games if search.player is None and search.entrant is None else seats).c.competition == found.id)
        if search.entrant is not None:
            conditions.append(seats.c.entrant == search.entrant)
    if search.voided is not None:
        is_counted = counts(games if search.player is None and search.entrant is None else seats)
        conditions.append(~is_counted if search.voided else is_counted)
    if search.game is not None:
        conditions.append(games.c.game == search.game)
    if search.opening is not None:
        begun = select(starts.c.id).where(func.substr(starts.c.position, 1, len(search.opening)) == search.opening)
        conditions.append(games.c.start.in_(begun))
    result = (
        None
        if search.result is None
        else seats.c.forfeit.is_not(None)
        if search.result == FORFEIT
        else seats.c.result == RESULTS[search.result]
    )
    if search.player is None and search.entrant is None:
        if result is not None:
            conditions.append(exists().where(same, result))
        return [select(games.c.competition, games.c.number).where(*conditions)]
    query = select(seats.c.competition, seats.c.number).distinct()
    if result is not None:
        conditions.append(result)
    if search.game is not None or search.opening is not None:
        query = query.join(games, same)
    return [query.where(seats.c.player == player, *conditions) for player in _players(connection, search, name)]


def _is_at_board(connection: Connection, search: Search, name: str) -> ColumnElement[bool]:
    """Return the condition that the second player of a search has another seat than the first."""
    own = schema.games if search.player is None and search.entrant is None else schema.seats
    theirs = schema.seats.alias()
    at_board = [theirs.c.competition == own.c.competition, theirs.c.number == own.c.number]
    if own is schema.seats:
        at_board.append(theirs.c.seat != own.c.seat)
    found = _players(connection, Search(player=search.against), name)
    return exists().where(*at_board, theirs.c.player.in_(found))


def _players(connection: Connection, search: Search, name: str) -> list[int]:
    players, entrants = schema.players, schema.entrants
    query = select(players.c.id).where(or_(players.c.name == search.player, players.c.spec == search.player))
    if search.entrant is not None:
        of_competition = entrants.c.competition == _competition(connection, search.competition or "", name).id
        query = select(entrants.c.player).where(of_competition, entrants.c.number == search.entrant)
    found = list(connection.execute(query).scalars())
    if not found:
        wanted = f"'{search.player}'" if search.entrant is None else f"of number {search.entrant}"
        raise StoreError(f"the store {name} has no games of a player {wanted}; 'ludarium store list' names those that it has")
    return found


def _games(connection: Connection, keys: Sequence[Key]) -> list[StoredGame]:
    games, seats, starts, players, competitions = schema.games, schema.seats, schema.starts, schema.players, schema.competitions
    voided = schema.voided
    found: dict[Key, StoredGame] = {}
    for begin in range(0, len(keys), CHUNK):
        numbers: defaultdict[int, list[int]] = defaultdict(list)
        for competition, number in keys[begin : begin + CHUNK]:
            numbers[competition].append(number)

        def wanted(table: Table, numbers: dict[int, list[int]] = numbers) -> ColumnElement[bool]:
            return or_(*(and_(table.c.competition == one, table.c.number.in_(some)) for one, some in numbers.items()))

        seated: defaultdict[Key, list[tuple[str, float]]] = defaultdict(list)
        forfeits: defaultdict[Key, dict[int, str]] = defaultdict(dict)
        out: defaultdict[Key, dict[int, int]] = defaultdict(dict)
        query = select(seats.c.competition, seats.c.number, seats.c.seat, players.c.name, seats.c.returns, seats.c.forfeit, seats.c.out)
        for row in connection.execute(query.join(players, players.c.id == seats.c.player).where(wanted(seats)).order_by(seats.c.seat)):
            seated[row.competition, row.number].append((row.name, row.returns))
            if row.forfeit is not None:
                forfeits[row.competition, row.number][row.seat] = row.forfeit
            if row.out is not None:
                out[row.competition, row.number][row.seat] = row.out
        voidings: defaultdict[Key, list[Voiding]] = defaultdict(list)
        for row in connection.execute(select(voided).where(wanted(voided)).order_by(voided.c.time)):
            by = None if row.expelled == schema.DIRECTLY else row.expelled
            voidings[row.competition, row.number].append(Voiding(row.time, row.reason, by))
        query = (
            select(games, starts.c.options, starts.c.position, competitions.c.name)
            .join(starts, starts.c.id == games.c.start)
            .join(competitions, competitions.c.id == games.c.competition)
            .where(wanted(games))
        )
        for row in connection.execute(query):
            key = (row.competition, row.number)
            names, returns = zip(*seated[key], strict=True)
            found[key] = StoredGame(
                key=f"{row.competition}:{row.number}",
                competition=row.name,
                number=row.number,
                round=row.round,
                game=row.game,
                options=json.loads(row.options),
                opening=row.position,
                seed=None if row.seed is None else int(row.seed),
                players=names,
                returns=returns,
                reason=row.reason,
                forfeits=forfeits[key],
                out=out[key],
                plies=row.plies,
                digest=row.digest,
                started=row.started,
                finished=row.finished,
                record=Path(row.record) if row.record else None,
                record_digest=row.record_digest,
                voided=tuple(voidings[key]),
            )
    return [found[key] for key in keys]


def competitions(database: Database) -> list[CompetitionRow]:
    """All, the oldest first."""
    with database.reading() as connection:
        return list(rows_of(connection))


def latest_competitions(database: Database, *, before: int | None = None, limit: int = 50) -> list[CompetitionRow]:
    """The newest first; those that were begun before the one of an id."""
    ids = schema.competitions.c.id
    newest = select(ids).where(*(() if before is None else (ids < before,))).order_by(ids.desc()).limit(limit)
    with database.reading() as connection:
        wanted = list(connection.execute(newest).scalars())
        return list(rows_of(connection, ids.in_(wanted)))[::-1]


def competition_of(database: Database, id: int) -> CompetitionRow | None:
    """The competition of an id, whatever others are called."""
    with database.reading() as connection:
        return next(rows_of(connection, schema.competitions.c.id == id), None)


def game_of(database: Database, key: str) -> StoredGame | None:
    """The game of a key.

    Raises:
        BadOption: no key.
    """
    games, (competition, number) = schema.games, key_of(key)
    with database.reading() as connection:
        there = connection.execute(select(games.c.number).where(games.c.competition == competition, games.c.number == number)).first()
        return None if there is None else _games(connection, [(competition, number)])[0]


def find_competition(database: Database, wanted: str) -> CompetitionRow:
    """The competition of a name or an id.

    Raises:
        StoreError: there is none, or the database fails.
    """
    with database.reading() as connection:
        return _competition(connection, wanted, database.name)


def _competition(connection: Connection, wanted: str, name: str) -> CompetitionRow:
    found = find(connection, wanted)
    if found is None and wanted.isascii() and wanted.isdigit() and len(wanted) < 10:
        found = next(rows_of(connection, schema.competitions.c.id == int(wanted)), None)
    if found is None:
        raise StoreError(f"the store {name} has no competition '{wanted}'; 'ludarium store list' names those that it has")
    return found


def totals(database: Database, competition: int | None = None) -> list[Total]:
    """What came of a competition's games, by entrant; or of all games, by player, who has most of them first."""
    players, entrants = schema.players, schema.entrants
    kept = [entrants.c.wins, entrants.c.draws, entrants.c.losses, entrants.c.points + entrants.c.byes, entrants.c.byes]
    kept += [entrants.c[name] for name in schema.CONDUCT]
    who = (players.c.name, players.c.spec, players.c.version)
    if competition is not None:
        query = select(*who, *kept).where(entrants.c.competition == competition).order_by(entrants.c.number)
    else:
        sums = [func.sum(one) for one in kept]
        query = select(*who, *sums).group_by(players.c.id, *who).order_by((sums[0] + sums[1] + sums[2]).desc(), players.c.id)
    with database.reading() as connection:
        rows = connection.execute(query.join_from(entrants, players, entrants.c.player == players.c.id))
        found: list[tuple[Any, ...]] = [tuple(row) for row in rows]
        return [Total(*row[:8], conduct=Conduct(*map(int, row[8:]))) for row in found]


def cross_table(database: Database, competition: int) -> list[Pair]:
    """Who did how against whom, by entrant and opponent; each pair once; those who never met are left out."""
    pairs = schema.pairs
    query = select(pairs.c.entrant, pairs.c.opponent, pairs.c.wins, pairs.c.draws, pairs.c.losses)
    with database.reading() as connection:
        rows = connection.execute(query.where(pairs.c.competition == competition).order_by(pairs.c.entrant, pairs.c.opponent))
        return [Pair(*row) for row in rows]


def points_by_options(database: Database, competition: int) -> list[tuple[dict[str, Any], dict[int, tuple[float, int]]]]:
    """Return for each set of options the points and games of each entrant, in games that count. This reads all games of the competition."""
    games, seats, starts = schema.games, schema.seats, schema.starts
    found: defaultdict[str, dict[int, tuple[float, int]]] = defaultdict(dict)
    query = (
        select(starts.c.options, seats.c.entrant, func.sum((1 + seats.c.returns) / 2), func.count())
        .select_from(seats)
        .join(games, and_(games.c.competition == seats.c.competition, games.c.number == seats.c.number))
        .join(starts, starts.c.id == games.c.start)
        .where(seats.c.competition == competition, counts(seats))
        .group_by(starts.c.options, seats.c.entrant)
    )
    with database.reading() as connection:
        for options, entrant, points, number in connection.execute(query):
            found[options][entrant] = round(points, 6), number
    return [(json.loads(options), points) for options, points in found.items()]


def latest_results(database: Database, competition: int, each: int) -> list[tuple[int, tuple[int, ...], tuple[float, ...]]]:
    """Return a competition's games that count and are among the latest ``each`` of a player, the oldest first: number, and by seat entrants and returns."""
    seats, entrants = schema.seats, schema.entrants
    here = seats.c.competition == competition
    numbers = set[int]()
    seated: defaultdict[int, list[tuple[int, float]]] = defaultdict(list)
    with database.reading() as connection:
        players = list(connection.execute(select(entrants.c.player).where(entrants.c.competition == competition)).scalars())
        for player in players:
            latest = select(seats.c.number).where(seats.c.player == player, here, counts(seats)).order_by(seats.c.number.desc()).limit(each)
            numbers.update(connection.execute(latest).scalars())
        wanted = sorted(numbers)
        for begin in range(0, len(wanted), CHUNK):
            query = select(seats.c.number, seats.c.entrant, seats.c.returns).where(here, seats.c.number.in_(wanted[begin : begin + CHUNK]))
            for number, entrant, returns in connection.execute(query.order_by(seats.c.number, seats.c.seat)):
                seated[number].append((entrant, returns))
    return [(number, tuple(entrant for entrant, _ in seated[number]), tuple(returns for _, returns in seated[number])) for number in wanted]


def last_number(database: Database, competition: int) -> int:
    """Return the highest number of a competition's games, whether they count or not; −1 if it has none."""
    games = schema.games
    with database.reading() as connection:
        found = connection.execute(select(func.max(games.c.number)).where(games.c.competition == competition)).scalar()
    return -1 if found is None else int(found)


def rating_history(database: Database, competition: int, entrant: int | None = None) -> list[Rating]:
    """The curves of ratings over time: of all who take part in a competition, or of one of them, the oldest first.

    The newest is that of the latest games, when the competition has stopped; while it goes on, there may have been more games since.
    """
    ratings = schema.ratings
    chosen = () if entrant is None else (ratings.c.entrant == entrant,)
    return _ratings(
        database, select(*_RATING).where(ratings.c.competition == competition, *chosen).order_by(ratings.c.time, ratings.c.entrant)
    )


def current_ratings(database: Database, competition: int) -> dict[int, Rating]:
    """The newest rating of everybody who takes part in a competition and has one, by number."""
    ratings = schema.ratings
    newest = select(func.max(ratings.c.id)).where(ratings.c.competition == competition).group_by(ratings.c.entrant)
    return {rating.entrant: rating for rating in _ratings(database, select(*_RATING).where(ratings.c.id.in_(newest)))}


_RATING = [schema.ratings.c[field.name] for field in fields(Rating)]


def _ratings(database: Database, query: Select[Any, *tuple[Any, ...]]) -> list[Rating]:
    with database.reading() as connection:
        return [Rating(*row) for row in connection.execute(query)]
