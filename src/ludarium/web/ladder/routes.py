"""The routes of ladders: for bots, programs and people."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI, Request, WebSocket
from fastapi.responses import HTMLResponse
from fastapi.templating import Jinja2Templates

from ludarium.web.limits import Limits

from .ladders import Ladders
from .socket import serve_bot


def add_ladders(app: FastAPI, ladders: Ladders, limits: Limits, templates: Jinja2Templates) -> None:
    @app.get("/api/ladder", summary="The ladders of this server")
    async def all_ladders() -> list[dict[str, Any]]:
        return ladders.listed()

    @app.get("/api/ladder/{game}", summary="A ladder: its table, what is played, the newest games")
    async def ladder(game: str) -> dict[str, Any]:
        return ladders.room(game).as_json()

    @app.websocket("/api/ladder/{game}")
    async def bot(websocket: WebSocket, game: str) -> None:
        await serve_bot(websocket, ladders, game, limits)

    @app.get("/ladder/{game}", include_in_schema=False)
    async def page(request: Request, game: str) -> HTMLResponse:
        return templates.TemplateResponse(request, "ladder.html", {"ladder": ladders.room(game).as_json()})
