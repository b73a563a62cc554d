"""What other pages may show of this server: a game in a frame, only to be watched, and pictures of positions. See "On other pages" in ``docs/protocol.md``."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import FastAPI, Query, Request, Response
from fastapi.responses import HTMLResponse
from fastapi.templating import Jinja2Templates

from ludarium.core.drawing import board_alone
from ludarium.core.game import Action, Game, State
from ludarium.core.png import png
from ludarium.core.registry import game_class, game_without_files
from ludarium.core.sight import Sight
from ludarium.errors import ProtocolError

from .games import Games
from .lobby.pages import first_drawing
from .sessions import Sessions
from .table.messages import LIMIT, checked_ply
from .visitors.desk import Desk

Size = Annotated[int, Query(ge=16, le=2000, description="the width in pixels")]
Seat = Annotated[int, Query(ge=0, description="who sits at the bottom")]
Ply = Annotated[int | None, Query(ge=0, description="the number of the position; the latest if left out")]
Kind = Literal["svg", "png"]


DRAWN: dict[int | str, dict[str, Any]] = {
    200: {
        "content": {
            "image/svg+xml": {"schema": {"type": "string"}},
            "image/png": {"schema": {"type": "string", "contentMediaType": "image/png"}},
        }
    }
}
"""The description of a picture."""


def add_sharing(app: FastAPI, sessions: Games, templates: Jinja2Templates) -> None:
    """Pictures of any position are drawn where games can be made."""
    desk = sessions.desk if isinstance(sessions, Sessions) else Desk()

    @app.get("/embed/{id}", include_in_schema=False)
    async def embed(request: Request, id: str) -> HTMLResponse:
        course = (await sessions.find(id, request.scope["visitor"])).course
        shown = {"game_id": id, "game": course.game, "drawing": first_drawing(course)[0]}
        return templates.TemplateResponse(request, "embed.html", shown)

    @app.get(
        "/api/games/{id}/picture.{kind}", response_class=Response, responses=DRAWN, summary="A position of a game, as who watches knows it"
    )
    async def picture_of_game(request: Request, id: str, kind: Kind, ply: Ply = None, size: Size = 480, seat: Seat = 0) -> Response:
        visitor = request.scope["visitor"]
        sight = Sight((await sessions.find(id, visitor)).course, None)
        shown = sight.ply if ply is None else checked_ply(ply, sight.ply)
        state, last = sight.state(shown), sight.action(shown)
        return await desk.do(visitor, lambda: _picture(state, kind, size, seat, last))

    if isinstance(sessions, Sessions):

        @app.get(
            "/api/positions/{id}.{kind}",
            response_class=Response,
            responses=DRAWN,
            summary="A picture of any position; further keys are options of the game",
        )
        async def picture_of_position(
            request: Request, id: str, kind: Kind, position: Annotated[str, Query(max_length=LIMIT)], size: Size = 480, seat: Seat = 0
        ) -> Response:
            options = {name: value for name, value in request.query_params.items() if name not in ("position", "size", "seat")}
            await sessions.warming.ready(id)
            return await desk.do(request.scope["visitor"], lambda: _picture(_parsed(id, position, options), kind, size, seat))


def _parsed(id: str, position: str, options: dict[str, str]) -> State:
    game: Game = game_without_files(id, {**game_class(id).options_in(position), **options})
    return game.parse(position)


def _picture(state: State, kind: Kind, size: int, seat: int, last: Action | None = None) -> Response:
    if seat >= state.game.players:
        raise ProtocolError("bad_message", f"seat: the seats are 0 to {state.game.players - 1}, not {seat}")
    drawing = state.svg(size=size, last=last, seat=seat)
    headers = {"Cross-Origin-Resource-Policy": "cross-origin"}
    if kind == "png":
        return Response(png(board_alone(drawing), size), media_type="image/png", headers=headers)
    return Response(drawing, media_type="image/svg+xml", headers=headers)
