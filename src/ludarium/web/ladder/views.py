"""What the templates of ladders are given.

``ladder.html``
    ``ladder``: as programs get it, see ``docs/ladder.md``; ``rows``: of its table, with ``elo``, ``state`` (where it is) and ``address``; ``games``: the newest
    :class:`~ludarium.arena.reports.parts.GameLine`.
``ladder_player.html``
    as ``competition_player.html``, and ``row`` of the ladder's table.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from urllib.parse import quote

from ludarium.arena.reports.parts import GameLine
from ludarium.arena.reports.table import signed
from ludarium.arena.store import CompetitionRow, Database
from ludarium.web.addresses import at
from ludarium.web.competitions.views import listed, player_view

NEWEST = 15
"""Games that the page of a ladder shows."""


def ladder_view(ladder: dict[str, Any]) -> dict[str, Any]:
    """For ``ladder.html``."""
    return {
        "ladder": ladder,
        "rows": [_row(ladder, row) for row in ladder["table"]],
        "games": [_line(game) for game in ladder["newest"][:NEWEST]],
    }


def _row(ladder: dict[str, Any], row: dict[str, Any]) -> dict[str, Any]:
    elo = "" if row["rating"] is None else f"{signed(row['rating'])} ± {(row['high'] - row['low']) / 2:.0f}"
    return {**row, "elo": elo, "address": at(f"/ladder/{ladder['game']}/{quote(row['name'], safe='')}")}


def _line(game: dict[str, Any]) -> GameLine:
    players = tuple(game["players"])
    forfeits = tuple((players[int(seat)], why) for seat, why in game["forfeits"].items())
    return GameLine(game["number"], game["replay"], players, tuple(game["returns"]), game["reason"], forfeits, game["plies"])


def bot_view(
    ladder: dict[str, Any], database: Database, row: CompetitionRow, name: str, against: int | None, before: str | None
) -> dict[str, Any]:
    """For ``ladder_player.html``.

    Raises:
        ProtocolError: ``no_such_page``: there is no such bot.
    """
    address = at(f"/ladder/{ladder['game']}")
    shown = player_view(database, row, name, None, against, before, replace(listed(row), address=address, players=address))
    ranks = {one["name"]: one["rank"] or "–" for one in ladder["table"]}
    places = {one["name"]: place for place, one in enumerate(ladder["table"])}
    results = sorted(
        (replace(one, rank=ranks.get(one.name, "–")) for one in shown["results"]), key=lambda one: places.get(one.name, len(places))
    )
    found = next(_row(ladder, one) for one in ladder["table"] if one["name"] == name)
    return {**shown, "results": results, "row": found, "ladder": ladder}
