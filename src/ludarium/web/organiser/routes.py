"""The organiser's routes."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse
from fastapi.templating import Jinja2Templates
from pydantic import BaseModel, TypeAdapter

from ludarium.web.bodies import REFUSALS, body_of, described
from ludarium.web.table.messages import checked, parse_object

from .organiser import Organiser


class BanWished(BaseModel):
    address: str | None = None
    name: str | None = None
    hours: float


class GameMeant(BaseModel):
    game: str


class NameMeant(BaseModel):
    name: str


class LineMeant(BaseModel):
    game: str
    by: int
    text: str


_BAN, _GAME, _NAME, _LINE = TypeAdapter(BanWished), TypeAdapter(GameMeant), TypeAdapter(NameMeant), TypeAdapter(LineMeant)


def add_order(app: FastAPI, organiser: Organiser, templates: Jinja2Templates) -> None:
    """Let the organiser keep order. Every answer tells how things stand then."""

    async def wish(request: Request) -> dict[str, Any]:
        organiser.check(request.headers.get("authorization", ""), request.scope["visitor"])
        return parse_object(await body_of(request))

    @app.get("/organiser", include_in_schema=False)
    async def page(request: Request) -> HTMLResponse:
        return templates.TemplateResponse(request, "organiser.html")

    @app.get("/api/organiser", responses=REFUSALS, summary="Games, who is there, what was said, bans")
    async def look(request: Request) -> dict[str, Any]:
        organiser.check(request.headers.get("authorization", ""), request.scope["visitor"])
        return organiser.as_json()

    @app.post("/api/organiser/ban", responses=REFUSALS, summary="Ban an address or a name", openapi_extra=described(BanWished))
    async def ban(request: Request) -> dict[str, Any]:
        wished = checked(_BAN, await wish(request), "ban")
        organiser.ban(wished.address, wished.name, wished.hours)
        return organiser.as_json()

    @app.post("/api/organiser/close", responses=REFUSALS, summary="Close a game", openapi_extra=described(GameMeant))
    async def close(request: Request) -> dict[str, Any]:
        await organiser.close(checked(_GAME, await wish(request), "close").game)
        return organiser.as_json()

    @app.post("/api/organiser/remove-name", responses=REFUSALS, summary="Remove a name", openapi_extra=described(NameMeant))
    async def remove_name(request: Request) -> dict[str, Any]:
        organiser.remove_name(checked(_NAME, await wish(request), "remove-name").name)
        return organiser.as_json()

    @app.post("/api/organiser/remove-line", responses=REFUSALS, summary="Remove a line of chat", openapi_extra=described(LineMeant))
    async def remove_line(request: Request) -> dict[str, Any]:
        line = checked(_LINE, await wish(request), "remove-line")
        organiser.remove_line(line.game, line.by, line.text)
        return organiser.as_json()
