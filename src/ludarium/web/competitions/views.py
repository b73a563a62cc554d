"""What the templates of competitions are given.

``competitions.html``
    ``competitions``: :class:`Listed` ones, the newest first; ``older``: the address of those before, or None.
``competition.html``
    ``shown``: a :class:`Listed`; ``facts``; ``latest``: when the last game ended; ``table``: a :class:`~ludarium.arena.reports.stored.StoredTable`; ``rows``:
    its rows as anybody may see them; ``seats`` and ``seat_names``; ``games``: the newest :class:`~ludarium.arena.reports.parts.GameLine`; ``older``;
    ``address`` of a row's player; ``met``: of two ranks' games.
``competition_games.html``
    ``shown``, ``seat_names``, ``games``, ``older``.
``competition_player.html``
    ``shown``, ``row``: of the table; ``entrant``: a number; ``results``: :class:`Against` everybody it met; ``curve``: of its rating, or None;
    ``against``: the opponent to whom ``games`` are limited, or None; ``seat_names``, ``games``, ``older``.

Where there is a table, ``is_newest`` says whether the page need not be made anew before the competition changes. All of it is looked up in threads.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import ludarium
from ludarium.arena.reports.curve import rating_curve
from ludarium.arena.reports.option_sets import options_text, set_names, sets_of_row, shared_options
from ludarium.arena.reports.parts import GameLine, seats_out
from ludarium.arena.reports.stored import StoredTable
from ludarium.arena.reports.table import Cell, Row
from ludarium.arena.store import CompetitionRow, Database, Search, StoredGame, expulsions, rating_history, search_games
from ludarium.arena.store.records import IMPORTED
from ludarium.core.game import Game
from ludarium.errors import LudariumError, ProtocolError
from ludarium.players.programs import is_program
from ludarium.web.addresses import at

from .kept_tables import table_of

NEWEST, A_PAGE = 20, 100
"""Games that the page of a competition shows, and those of games alone."""

STATES = {"running": "under way", "interrupted": "interrupted", "finished": "finished"}


@dataclass(frozen=True)
class Listed:
    """A competition in words."""

    row: CompetitionRow
    title: str
    """Of the game."""
    games: str
    """How many have been played, of how many."""
    state: str
    address: str
    players: str
    """What the address of a player's page begins with."""

    @property
    def name(self) -> str:
        """Of a folder of records without where it is."""
        return Path(self.row.name).name if self.row.kind == IMPORTED else self.row.name

    @property
    def is_over(self) -> bool:
        return self.state == STATES["finished"]


@dataclass(frozen=True)
class Against:
    """What a player made against another one."""

    rank: int
    name: str
    address: str
    """Of the games of the two."""
    cell: Cell


def listed(row: CompetitionRow) -> Listed:
    planned = row.settings.get("games")
    most = "at most " if row.kind == "sprt" else ""
    of_all = f" of {most}{planned:,}" if isinstance(planned, int) and planned > row.games else ""
    plural = "" if row.games == 1 and not of_all else "s"
    address = at(f"/competitions/{row.id}")
    return Listed(
        row, _title(row.game), f"{row.games:,}{of_all} game{plural}", STATES.get(row.status, row.status), address, f"{address}/players"
    )


def competition_view(database: Database, row: CompetitionRow) -> dict[str, Any]:
    """For ``competition.html``."""
    shown = listed(row)
    games, older = _page(database, Search(competition=row.name), None, NEWEST, f"{shown.address}/games")
    game, seats = _game_of(games), len(games[0].players) if games else 2
    table, is_newest = table_of(database, row, seats)
    addresses = _addresses(shown, table)
    rows = table.rows

    def address(of: Row) -> str:
        return addresses[table.ranking[of.rank - 1]]

    def met(one: int, other: int) -> str:
        return f"{address(rows[one - 1])}{'&' if '?' in address(rows[one - 1]) else '?'}against={table.ranking[other - 1]}"

    return {
        "is_newest": is_newest,
        "shown": shown,
        "facts": _facts(shown, games) | _left_out(database, row),
        "latest": _latest(games),
        "table": table,
        "rows": [_public(one) for one in rows],
        "seats": seats,
        "seat_names": game.player_names if game else (),
        "games": _lines(row, games),
        "older": older,
        "address": address,
        "met": met,
    }


def games_view(database: Database, row: CompetitionRow, before: str | None) -> dict[str, Any]:
    """For ``competition_games.html``."""
    shown = listed(row)
    games, older = _page(database, Search(competition=row.name), before, A_PAGE, f"{shown.address}/games")
    game = _game_of(games)
    return {"shown": shown, "seat_names": game.player_names if game else (), "games": _lines(row, games), "older": older}


def player_view(
    database: Database,
    row: CompetitionRow,
    name: str,
    number: int | None,
    against: int | None,
    before: str | None,
    shown: Listed | None = None,
) -> dict[str, Any]:
    """For ``competition_player.html``. ``number`` is the entrant's, where its name says too little; ``shown`` the competition, if it has other addresses.

    Raises:
        ProtocolError: ``no_such_page``: there is no such player.
    """
    shown = shown or listed(row)
    newest = search_games(database, Search(competition=row.name), limit=1)
    game = _game_of(newest)
    table, is_newest = table_of(database, row, len(newest[0].players) if newest else 2)
    named = [entrant for entrant, one in enumerate(table.entrants) if one.name == name]
    entrant = number if number is not None else named[0] if named else -1
    if not 0 <= entrant < len(table.entrants) or (against is not None and not 0 <= against < len(table.entrants)):
        raise ProtocolError("no_such_page", f"'{shown.name}' has no such player")
    addresses = _addresses(shown, table)
    here = addresses[entrant]
    joint = "&" if "?" in here else "?"
    search = Search(competition=row.name, entrant=entrant, opponent=against)
    filtered = here if against is None else f"{here}{joint}against={against}"
    games, older = _page(database, search, before, A_PAGE, filtered)
    results = [
        Against(rank, table.entrants[other].name, f"{here}{joint}against={other}#games", (float(table.points[entrant, other]), int(met)))
        for rank, other in enumerate(table.ranking, 1)
        if (met := table.games[entrant, other])
    ]
    return {
        "is_newest": is_newest,
        "shown": shown,
        "row": _public(table.rows[table.ranking.index(entrant)]),
        "here": here,
        "results": results,
        "curve": rating_curve(rating_history(database, row.id, entrant)),
        "against": None if against is None else table.entrants[against].name,
        "seat_names": game.player_names if game else (),
        "games": _lines(row, games),
        "older": older,
    }


def _public(row: Row) -> Row:
    """Without where a program is on the organiser's computer."""
    return replace(row, spec="a program") if is_program(row.spec) else row


def _addresses(shown: Listed, table: StoredTable) -> list[str]:
    """Of the entrants' pages. By name; by number too where a name is several players', or would be no part of an address."""
    names = Counter(one.name for one in table.entrants)
    return [
        f"{shown.players}/{quote(one.name, safe='')}"
        if names[one.name] == 1 and one.name not in (".", "..")
        else f"{shown.players}/?number={number}"
        for number, one in enumerate(table.entrants)
    ]


def _lines(row: CompetitionRow, games: Sequence[StoredGame]) -> list[GameLine]:
    sets = sets_of_row(row)
    names = set_names(sets) if sets else []
    return [
        GameLine(
            game.number + 1,
            at(f"/game/{game.key}") if game.record and game.record_digest else None,
            game.players,
            game.returns,
            game.reason,
            tuple((game.players[seat], why) for seat, why in game.forfeits.items()),
            game.plies,
            out=seats_out(game),
            options=next((name for one, name in zip(sets, names, strict=True) if one == game.options), ""),
        )
        for game in games
    ]


def _page(database: Database, search: Search, before: str | None, size: int, address: str) -> tuple[list[StoredGame], str | None]:
    """Return a page of games and the address of the older ones, None if there are none. ``address`` is that of a page without ``before``."""
    found = search_games(database, search, before=before, limit=size + 1)
    games = found[:size]
    return games, f"{address}{'&' if '?' in address else '?'}before={games[-1].key}" if len(found) > size else None


def _facts(shown: Listed, games: Sequence[StoredGame]) -> dict[str, str]:
    sets = sets_of_row(shown.row) or [game.options for game in games[:1]]
    options = options_text(shared_options(sets)) if sets else ""
    several = {"Options": "; ".join(set_names(sets))} if len(sets) > 1 else {}
    return {
        "Game": shown.title + (f" ({options})" if options else ""),
        **several,
        "Kind": shown.row.kind,
        "Players": f"{shown.row.players:,}",
        "Played": f"{shown.games}, {shown.state}",
    }


def _left_out(database: Database, row: CompetitionRow) -> dict[str, str]:
    """Return the expelled players and voided games of a competition, with reasons."""
    expelled = "; ".join(f"{one.name} ({one.reason})" for one in expulsions(database, row.id))
    facts = {"Voided": f"{row.voided:,} game{'' if row.voided == 1 else 's'}" if row.voided else "", "Expelled": expelled}
    return {name: text for name, text in facts.items() if text}


def _latest(games: Sequence[StoredGame]) -> float | None:
    """When the last of these games ended, in seconds since 1970."""
    times = [game.finished for game in games if game.finished is not None]
    return max(times, default=None)


@lru_cache(100)
def _title(game: str) -> str:
    try:
        return ludarium.game(game).title
    except LudariumError:  # it is not installed any more
        return game


def _game_of(games: Sequence[StoredGame]) -> Game | None:
    """What was played, where it is installed and its options are what they were."""
    try:
        return ludarium.game(games[0].game, **games[0].options) if games else None
    except LudariumError:
        return None
