"""The organiser's routes."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Depends, FastAPI, Request
from fastapi.responses import HTMLResponse
from fastapi.security import HTTPBearer
from fastapi.templating import Jinja2Templates
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from ludarium.web.bodies import body_of
from ludarium.web.description import described
from ludarium.web.table.messages import checked, parse_object
from ludarium.web.visitors.bans import LONGEST

from .organiser import Organiser


def _either(given: str, missing: str) -> dict[str, Any]:
    return {"properties": {given: {"type": "string"}, missing: {"type": "null"}}, "required": [given]}


class BanWished(BaseModel):
    model_config = ConfigDict(json_schema_extra={"oneOf": [_either("address", "name"), _either("name", "address")]})

    address: str | None = None
    name: str | None = None
    hours: float = Field(json_schema_extra={"minimum": 0, "maximum": LONGEST})


class GameMeant(BaseModel):
    game: str


class NameMeant(BaseModel):
    name: str


class LineMeant(BaseModel):
    game: str
    by: int
    text: str


_BAN, _GAME, _NAME, _LINE = TypeAdapter(BanWished), TypeAdapter(GameMeant), TypeAdapter(NameMeant), TypeAdapter(LineMeant)


BEARER = HTTPBearer(scheme_name="organiser", description="The organiser's token, which lies in the server's data folder", auto_error=False)
"""Describes the header; :meth:`.Organiser.check` reads it."""


def add_order(app: FastAPI, organiser: Organiser, templates: Jinja2Templates) -> None:
    """Let the organiser keep order. Every answer tells how things stand then."""

    async def check(request: Request) -> None:
        organiser.check(request.headers.get("authorization", ""), request.scope["visitor"])

    routes = APIRouter(prefix="/api/organiser", dependencies=[Depends(check), Depends(BEARER)])

    @app.get("/organiser", include_in_schema=False)
    async def page(request: Request) -> HTMLResponse:
        return templates.TemplateResponse(request, "organiser.html")

    @routes.get("", summary="List games, clients, chat messages and bans")
    async def look() -> dict[str, Any]:
        return organiser.as_json()

    @routes.post("/ban", summary="Ban an address or a name", openapi_extra=described(BanWished))
    async def ban(request: Request) -> dict[str, Any]:
        wished = checked(_BAN, parse_object(await body_of(request)), "ban")
        organiser.ban(wished.address, wished.name, wished.hours)
        return organiser.as_json()

    @routes.post("/close", summary="Close a game", openapi_extra=described(GameMeant))
    async def close(request: Request) -> dict[str, Any]:
        await organiser.close(checked(_GAME, parse_object(await body_of(request)), "close").game)
        return organiser.as_json()

    @routes.post("/remove-name", summary="Remove a name", openapi_extra=described(NameMeant))
    async def remove_name(request: Request) -> dict[str, Any]:
        organiser.remove_name(checked(_NAME, parse_object(await body_of(request)), "remove-name").name)
        return organiser.as_json()

    @routes.post("/remove-line", summary="Remove a line of chat", openapi_extra=described(LineMeant))
    async def remove_line(request: Request) -> dict[str, Any]:
        line = checked(_LINE, parse_object(await body_of(request)), "remove-line")
        organiser.remove_line(line.game, line.by, line.text)
        return organiser.as_json()

    app.include_router(routes)
