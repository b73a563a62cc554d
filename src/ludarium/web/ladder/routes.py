"""The routes of ladders: for bots, programs and people."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Hashable
from typing import Any

from fastapi import FastAPI, Request, Response, WebSocket
from fastapi.templating import Jinja2Templates

from ludarium.arena.store import competition_of
from ludarium.errors import ProtocolError
from ludarium.web.competitions.kept_pages import KeptPages
from ludarium.web.competitions.routes import Key, Number
from ludarium.web.visitors.limits import Limits

from .ladders import Ladders
from .socket import serve_bot
from .submitting import add_submissions
from .views import bot_view, ladder_view

NOT_YET = 5.0
"""Seconds after which a page that is not there yet looks again."""


def add_ladders(app: FastAPI, ladders: Ladders, limits: Limits, templates: Jinja2Templates) -> None:
    """Let bots join ladders, and people look at them."""
    pages = KeptPages()

    @app.get("/api/ladder", summary="The ladders of this server")
    async def all_ladders() -> list[dict[str, Any]]:
        return ladders.listed()

    @app.get("/api/ladder/{game}", summary="A ladder: its table, what is played, the newest games")
    async def ladder(game: str) -> dict[str, Any]:
        return ladders.room(game).as_json()

    @app.websocket("/api/ladder/{game}")
    async def bot(websocket: WebSocket, game: str) -> None:
        await serve_bot(websocket, ladders, game, limits)

    if ladders.takes_submissions:
        add_submissions(app, ladders)

    async def answer(request: Request, template: str, shown: Any, view: Callable[[], dict[str, Any]], *part: Hashable) -> Response:
        """A page, made anew when what is ``shown`` has changed."""

        def make(known: Hashable) -> tuple[Hashable, str | None]:
            version = hashlib.sha256(json.dumps(shown).encode()).digest()
            return version, None if version == known else templates.get_template(template).render(view())

        page = await pages.get((template, *part), make, request.scope["visitor"])
        return page.answer(request)

    @app.get("/ladder/{game}", include_in_schema=False)
    async def page(request: Request, game: str) -> Response:
        shown = ladders.room(game).as_json()
        address = str(request.url.replace(query="", fragment=""))  # as whoever reads it reaches this server
        more = {"address": address, "submit": ladders.takes_submissions}
        return await answer(request, "ladder.html", shown, lambda: {**ladder_view(shown), **more}, game, address)

    @app.get("/ladder/{game}/{name}", include_in_schema=False)
    async def bot_page(request: Request, game: str, name: str, against: Number = None, before: Key = None) -> Response:
        kept, shown = ladders.room(game).ladder, ladders.room(game).as_json()
        entrant = kept.entrant_of(name)
        called = name if entrant is None else kept.name_of(entrant)
        own = next((row for row in shown["table"] if row["name"] == called), None)
        if entrant is None or own is None:
            wait = 0.0 if entrant is None else NOT_YET
            problem = "no bot on this ladder is called" if entrant is None else "no game has been rated yet of"
            raise ProtocolError("no_such_page", f"{problem} '{name[:80]}'", wait)

        def view() -> dict[str, Any]:
            row = competition_of(kept.database, kept.id)
            assert row is not None
            return bot_view(shown, kept.database, row, called, against, before)

        return await answer(request, "ladder_player.html", own, view, game, called, against, before)
