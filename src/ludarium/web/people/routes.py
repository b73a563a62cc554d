"""The routes of people with names: for their browsers, and for whoever looks at what they have played."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse
from fastapi.templating import Jinja2Templates
from pydantic import BaseModel, TypeAdapter

import ludarium
from ludarium.arena.ladder.names import RESERVED
from ludarium.core.registry import game_class
from ludarium.errors import BadOption, ProtocolError
from ludarium.players import opponents_of
from ludarium.web.addresses import at
from ludarium.web.bodies import body_of
from ludarium.web.description import described
from ludarium.web.table.messages import checked, parse_object
from ludarium.web.visitors.codes import Codes, NameOpened, code_message
from ludarium.web.visitors.desk import Desk

from .people import People
from .played import Field, Played

SHOWN_FIELDS, SHOWN_NAMES = 8, 20

_POOLS = {"people": "against people", "bots": "against bots"}


class NameWished(BaseModel):
    name: str
    key: str | None = None


_WISH, _OWN = TypeAdapter(NameWished), TypeAdapter(NameOpened)


def add_people(app: FastAPI, people: People, desk: Desk, codes: Codes, templates: Jinja2Templates) -> None:
    """Let people have names."""
    rating = asyncio.Lock()

    @app.post("/api/people", summary="Take a free name, or say that one is yours", openapi_extra=described(NameWished))
    async def take(request: Request) -> NameOpened:
        wish, visitor = checked(_WISH, parse_object(await body_of(request)), "name"), request.scope["visitor"]
        name, key = await desk.do(visitor, lambda: people.take(wish.name, wish.key, visitor))
        return NameOpened(name=name, key=key)

    @app.post("/api/people/code", summary="A code for another device", openapi_extra=described(NameOpened))
    async def code(request: Request) -> dict[str, Any]:
        own, visitor = checked(_OWN, parse_object(await body_of(request)), "name"), request.scope["visitor"]
        opened = NameOpened(name=people.check(own.name, own.key, visitor), key=own.key)
        return code_message(codes.make(opened, visitor), request.headers.get("origin"))

    async def table_of(field: Field, request: Request) -> list[dict[str, Any]]:
        """How those with names stand in a field, the best first."""
        async with rating:
            found = await desk.do(request.scope["visitor"], lambda: people.played.ratings(field))
        rows = [
            {
                "name": name,
                "rating": found[name].rating,
                "low": found[name].low,
                "high": found[name].high,
                "games": own.games,
                "wins": own.win,
                "draws": own.draw,
                "losses": own.loss,
                "streak": own.streak,
                "best_streak": own.best_streak,
            }
            for name in sorted(people.played.names_in(field), key=lambda name: (-found[name].rating if name in found else 0, name))
            if name in found and people.names.find(name) and (own := people.played.records(name)[field])
        ]
        return rows

    async def shown_person(name: str, request: Request) -> dict[str, Any]:
        found = people.names.find(name)
        if found is None:
            raise ProtocolError("no_such_page", f"nobody is called '{name[:80]}' here")
        fields = [(field, await table_of(field, request)) for field in people.played.records(found)]
        rows = [
            {"game": field.game, "title": field.in_words, "pool": field.pool, **row, "rank": place, "of": len(table)}
            for field, table in fields
            for place, row in enumerate(table, 1)
            if row["name"] == found
        ]
        games = [_listed(played, found, people) for played in people.played.latest(found)]
        return {"name": found, "ratings": rows, "games": games}

    @app.get("/api/people/{name}", summary="Show a player's ratings and latest games")
    async def person(request: Request, name: str) -> dict[str, Any]:
        return await shown_person(name, request)

    @app.get("/people", include_in_schema=False)
    async def all_people(request: Request) -> HTMLResponse:
        tables = [(field, await table_of(field, request)) for field in people.played.fields[:SHOWN_FIELDS]]
        shown = [{"title": field.in_words, "pool": _POOLS[field.pool], "rows": table[:SHOWN_NAMES]} for field, table in tables if table]
        return templates.TemplateResponse(request, "people.html", {"tables": shown})

    @app.get("/people/{name}", include_in_schema=False)
    async def person_page(request: Request, name: str) -> HTMLResponse:
        return templates.TemplateResponse(request, "person.html", {**await shown_person(name, request), "pools": _POOLS})


def _listed(played: Played, name: str, people: People) -> dict[str, Any]:
    """A game in the list of somebody's. Who has been removed is not named any more."""
    own = played.names.index(name)
    others = [
        _seated(called, player, played.game, people)
        for seat, (called, player) in enumerate(zip(played.names, played.players, strict=True))
        if seat != own
    ]
    return {
        "id": played.id,
        "watch": at(f"/game/{played.id}"),
        "title": played.title,
        "against": others,
        "result": played.result(own),
        "reason": played.reason.removeprefix("adjudicated: "),
        "pool": played.pool,
        "finished": datetime.fromtimestamp(played.finished, UTC).isoformat(timespec="seconds"),
    }


def _seated(name: str | None, player: str, game: str, people: People) -> dict[str, str | None]:
    found = name and people.names.find(name)
    if name is not None:
        return {"name": found or "a name that was removed", "page": found and at(f"/people/{quote(found, safe='')}")}
    try:
        known = opponents_of(game_class(game))
    except BadOption:  # which is not installed any more
        known = ()
    return {"name": next((one.name for one in known if one.spec == player), player), "page": None}


def reserved_names(games: Iterable[str]) -> set[str]:
    """What nobody may be called, for it is what somebody else is called at a table."""
    names = set[str](RESERVED)
    for game in games:
        with suppress(BadOption):  # one that is broken has its reason where games are listed
            names |= {one.name for one in opponents_of(game_class(game))}
            names |= set(ludarium.game(game).player_names)
    return names
