"""The routes of competitions."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from typing import Annotated, Any

from fastapi import FastAPI, Query, Request, Response
from fastapi.templating import Jinja2Templates

from ludarium.arena.store import CompetitionRow, Database
from ludarium.errors import ProtocolError
from ludarium.web.addresses import at

from .kept_pages import KeptPages
from .store import Store
from .views import competition_view, games_view, listed, player_view

A_PAGE = 50
"""Competitions of a page."""

View = Callable[[Database, CompetitionRow], dict[str, Any]]
Number = Annotated[int | None, Query(ge=0, lt=10**9)]
Key = Annotated[str | None, Query(pattern=r"^[0-9]{1,9}:[0-9]{1,9}$")]


def add_competitions(app: FastAPI, store: Store, templates: Jinja2Templates) -> None:
    """Show the competitions of a store. The templates' loader has the folder of the reports."""
    pages = KeptPages()

    def listing(before: int | None, known: Hashable) -> tuple[Hashable, str | None]:
        found = store.latest(before, A_PAGE + 1)
        if found == known:
            return found, None
        rows = found[:A_PAGE]
        older = at(f"/competitions?before={rows[-1].id}") if len(found) > A_PAGE else None
        return found, templates.get_template("competitions.html").render(competitions=[listed(row) for row in rows], older=older)

    def shown(id: int, template: str, view: View, known: Hashable) -> tuple[Hashable, str | None]:
        database, row = store.opened(), store.competition(id) if id < 10**9 else None
        if database is None or row is None:
            raise ProtocolError("no_such_page", f"there is no competition {id}")
        if row == known:
            return row, None
        given = view(database, row)
        return row if given.get("is_newest", True) else None, templates.get_template(template).render(given)

    async def answer(request: Request, id: int, template: str, view: View, *part: Hashable) -> Response:
        page = await pages.get((template, id, *part), partial(shown, id, template, view), request.scope["visitor"])
        return page.answer(request)

    @app.get("/competitions", include_in_schema=False)
    async def competitions(request: Request, before: Number = None) -> Response:
        page = await pages.get(("/competitions", before), partial(listing, before), request.scope["visitor"])
        return page.answer(request)

    @app.get("/competitions/{id:int}", include_in_schema=False)
    async def competition(request: Request, id: int) -> Response:
        return await answer(request, id, "competition.html", competition_view)

    @app.get("/competitions/{id:int}/games", include_in_schema=False)
    async def games(request: Request, id: int, before: Key = None) -> Response:
        return await answer(request, id, "competition_games.html", partial(games_view, before=before), before)

    @app.get("/competitions/{id:int}/players/{name:path}", include_in_schema=False)
    async def player(request: Request, id: int, name: str, number: Number = None, against: Number = None, before: Key = None) -> Response:
        view = partial(player_view, name=name, number=number, against=against, before=before)
        return await answer(request, id, "competition_player.html", view, name, number, against, before)
