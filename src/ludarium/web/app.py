"""The application: the routes that belong to no room, and those of every room."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable
from importlib.metadata import version
from math import ceil
from typing import Any, cast

from fastapi import FastAPI, Request, Response, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, HTMLResponse, JSONResponse
from fastapi.staticfiles import StaticFiles
from pydantic import BaseModel, TypeAdapter
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import Match, Route

import ludarium
from ludarium.arena.reports.parts import FOLDER as REPORTS
from ludarium.core.png import GROUND
from ludarium.errors import LudariumError, ProtocolError
from ludarium.web.addresses import at, inner

from .bodies import body_of
from .bundles import STATIC
from .competitions import Store, add_competitions
from .competitions.record_play import RecordPlay
from .description import DescribedApp, described
from .faces import face_of
from .games import Games
from .ladder import Ladders
from .ladder.routes import add_ladders
from .lobby.game_of_the_day import GameOfTheDay
from .lobby.pages import first_drawing, opponents_shown
from .lobby.routes import add_lobby
from .organiser.organiser import Organiser
from .organiser.routes import add_order
from .page_files import KeptFiles, of_game, page_templates, part_of_page, static
from .people.routes import add_people
from .sessions import Sessions
from .sharing import add_sharing
from .socket import play
from .table.messages import checked, error_of, parse_object
from .table.renderings import as_json
from .table.seats import in_words
from .visitors.bans import Bans
from .visitors.codes import LONGEST_ORIGIN, Codes, NameOpened, SeatOpened, for_camera
from .visitors.guard import Guard

log = logging.getLogger("ludarium.web")

_STATUS = {
    "not_organiser": 401,
    "bad_host": 403,
    "bad_origin": 403,
    "banned": 403,
    "no_such_page": 404,
    "no_such_game": 404,
    "no_such_ladder": 404,
    "too_large": 413,
    "too_many": 429,
    "busy": 503,
    "cannot_store": 503,
}


class CodeTyped(BaseModel):
    code: str
    table: str | None = None
    """The game of which it is a return code; None: a code that another device shows."""


class JsonLines(Response):
    media_type = "application/jsonl"


_CODE = TypeAdapter(CodeTyped)


def make_app(
    sessions: Games,
    *,
    loopback_only: bool = True,
    names: Iterable[str] = (),
    store: Store | None = None,
    ladders: Ladders | None = None,
    day: GameOfTheDay | None = None,
    bans: Bans | None = None,
    token: str | None = None,
) -> FastAPI:
    """The application of a server whose games are ``sessions``. Where these cannot make games, what ``/`` shows is the caller's affair.

    ``store``: whose competitions anybody may see; None shows none. ``day``: what the lobby shows even if nobody plays.
    ``token``: the organiser's, who may ban.
    """

    lobby = sessions if isinstance(sessions, Sessions) else None
    app = DescribedApp(title="Ludarium", version=version("ludarium"), docs_url=None, redoc_url=None)
    app.add_middleware(GZipMiddleware, minimum_size=1_000)  # drawings are mostly repetition
    app.add_middleware(
        Guard,
        refuse=lambda request, problem: refuse(request, problem),
        loopback_only=loopback_only,
        names=names,
        open_at_once=sessions.limits.connections_of_address,
        bans=bans,
    )
    app.mount("/static", StaticFiles(directory=STATIC))
    app.mount("/kept", KeptFiles(directory=STATIC))
    templates = page_templates(REPORTS)
    codes = Codes(sessions.limits.people, time.monotonic)

    @app.exception_handler(LudariumError)
    def refuse(request: Request, problem: Exception) -> Response:
        assert isinstance(problem, LudariumError)
        error = error_of(problem)
        headers = {"Retry-After": str(ceil(problem.wait))} if isinstance(problem, ProtocolError) and problem.wait else {}
        if error["code"] == "not_organiser":
            headers["WWW-Authenticate"] = "Bearer"
        if inner(request.scope["path"]).startswith("/api/"):  # the URL may be none: its host is whatever was sent
            return JSONResponse(error, _STATUS.get(error["code"], 400), headers)
        status = _STATUS.get(error["code"], 404)
        wait = ceil(problem.wait) if isinstance(problem, ProtocolError) else 0
        told = {"message": error["message"], "gone": status == 404 and not wait, "wait": wait, "status": status}
        return templates.TemplateResponse(request, "missing.html", told, status, headers)

    @app.exception_handler(RequestValidationError)
    def wrong_query(request: Request, problem: Exception) -> Response:
        assert isinstance(problem, RequestValidationError)
        first = problem.errors()[0]
        given = "" if first["input"] is None else f"; given: {str(first['input'])[:80]!r}"
        return refuse(request, ProtocolError("bad_message", f"'{first['loc'][-1]}': {first['msg']}{given}"))

    @app.exception_handler(HTTPException)
    def missing(request: Request, problem: Exception) -> Response:
        assert isinstance(problem, HTTPException)
        if problem.status_code == 405:  # Starlette names the method of the first route of a path alone
            routes = [route for route in app.routes if isinstance(route, Route)]
            paths = [route.path for route in routes if route.matches(request.scope)[0] != Match.NONE]
            if methods := {method for route in routes if route.path in paths[:1] for method in route.methods or ()}:
                problem.headers = {"Allow": ", ".join(sorted(methods))}
        if inner(request.scope["path"]).startswith("/api/") or problem.status_code != 404:
            return JSONResponse({"code": "bad_message", "message": problem.detail}, problem.status_code, problem.headers)
        return templates.TemplateResponse(
            request, "missing.html", {"message": "there is no such page", "gone": True, "wait": 0, "status": 404}, 404
        )

    def competition_address(id: str) -> str:
        return (ladders and ladders.address_of(int(id))) or at(f"/competitions/{id}")

    @app.get("/game/{id}", include_in_schema=False)
    async def game_page(request: Request, id: str) -> HTMLResponse:
        session = await sessions.find(id, request.scope["visitor"])
        game = session.course.game
        drawing, ratio = first_drawing(session.course)
        shown = {
            "game_id": id,
            "game": game,
            "drawing": drawing,
            "ratio": ratio,
            "names": [seat.name if seat.token else seat.nickname or in_words(game, seat.spec) for seat in session.play.seats],
            "module": of_game(game.id, "page.js"),
            "style": of_game(game.id, "page.css"),
            "orders": game.orders is not None,
            "bots": opponents_shown(game, lobby.offers) if lobby and any(seat.is_host for seat in session.play.seats) else [],
            "lobby": lobby is not None,
            "record": isinstance(session.play, RecordPlay),
            "cut": session.play.cut if isinstance(session.play, RecordPlay) else "",
            "competition": competition_address(id.partition(":")[0]) if ":" in id else None,
        }
        return templates.TemplateResponse(request, "game.html", shown)

    @app.get("/games/{id}/{name}", include_in_schema=False)
    @app.get("/games/{id}/{version}/{name}", include_in_schema=False)
    async def file_of_game(id: str, name: str, version: str | None = None) -> Response:
        answer = part_of_page(id, version, name) if id in ludarium.list_games() else None
        if answer is None:
            raise HTTPException(404)
        return answer

    @app.get("/faces/{game}/{name:path}.svg", include_in_schema=False)
    async def face(game: str, name: str) -> Response:
        return Response(face_of(game, name), media_type="image/svg+xml", headers={"Cache-Control": "max-age=86400"})

    @app.get("/api/games/{id}/record", response_class=JsonLines, summary="Download a game's record so far (JSON Lines)")
    async def record(request: Request, id: str) -> JsonLines:
        session = await sessions.find(id, request.scope["visitor"])
        name = f"{session.course.game.id}-{id.replace(':', '-')}.jsonl"
        text = "".join(f"{as_json(line)}\n" for line in session.play.record())
        headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
        return JsonLines(text, headers=headers)

    @app.websocket("/api/games/{id}/socket")
    async def socket(websocket: WebSocket, id: str) -> None:
        await play(websocket, sessions, id, codes)

    @app.get("/api/games/{id}/socket", include_in_schema=False)
    async def no_socket(request: Request, id: str) -> None:
        if "sec-websocket-key" in request.headers:
            log.warning("a WebSocket came without its Upgrade header, which the proxy in between has to pass on")
        raise HTTPException(426, "this is the address of a WebSocket", {"Upgrade": "websocket"})

    @app.get("/manifest.webmanifest", include_in_schema=False)
    async def manifest() -> JSONResponse:
        """Return what a phone needs to put the pages on its home screen."""
        icons = [
            {"src": static("icon.svg"), "sizes": "any", "type": "image/svg+xml"},
            {"src": static("icon-512.png"), "sizes": "512x512", "type": "image/png"},
        ]
        start = at("/")
        shown = {"name": "Ludarium", "short_name": "Ludarium", "start_url": start, "scope": start, "display": "minimal-ui", "icons": icons}
        return JSONResponse({**shown, "background_color": GROUND, "theme_color": GROUND}, media_type="application/manifest+json")

    @app.get("/favicon.ico", include_in_schema=False)
    async def icon() -> FileResponse:
        """Where browsers look whose page names none, such as a picture."""
        return FileResponse(STATIC / "icon.svg", headers={"Cache-Control": "max-age=86400"})

    @app.get("/design", include_in_schema=False)
    async def design_page(request: Request) -> HTMLResponse:
        return templates.TemplateResponse(request, "design.html")

    @app.get("/continue", include_in_schema=False)
    async def continue_page(request: Request) -> HTMLResponse:
        return templates.TemplateResponse(request, "continue.html")

    @app.post("/api/codes", summary="Open a seat or a name with a code from another device", openapi_extra=described(CodeTyped))
    async def open_seat(request: Request) -> SeatOpened | NameOpened:
        visitor = request.scope["visitor"]
        asked = checked(_CODE, parse_object(await body_of(request)), "code")
        if asked.table is not None:
            session = await sessions.find(asked.table, visitor)
            of_seats = {seat.number: seat.code for seat in session.play.seats if seat.code}
            seat = session.play.seats[codes.seat_with(asked.code, session.id, of_seats, visitor)]
            if any(client.seat == seat.number for client in session.clients):
                raise ProtocolError("here", f"{seat.name}'s player is here; close the other window, or ask it for another device's code")
            return SeatOpened(game=session.id, player=seat.number, name=seat.name, token=str(seat.token))
        opened = codes.use(asked.code, visitor)
        if isinstance(opened, NameOpened):
            return opened
        seat = (await sessions.find(opened.game, visitor)).play.seats[opened.seat]
        if seat.token != opened.token:
            raise ProtocolError("bad_token", "this code is not good any more: the seat has a new link")
        return SeatOpened(game=opened.game, player=opened.seat, name=seat.name, token=str(seat.token))

    @app.post("/api/qr", include_in_schema=False)
    async def link_for_camera(request: Request) -> dict[str, str]:
        """A link drawn for a camera. It comes as the body, for it may open a seat, and addresses are logged."""
        link = (await body_of(request, LONGEST_ORIGIN)).decode(errors="replace")
        if not link:
            raise ProtocolError("bad_message", "the body is the link that is to be drawn")
        return {"qr": await run_in_threadpool(for_camera, link)}  # some 20 ms for the longest

    @app.get("/competitions/parts.css", include_in_schema=False)
    async def styles_of_tables() -> FileResponse:
        """Of what the reports draw too."""
        return FileResponse(REPORTS / "parts.css", media_type="text/css")

    def menu() -> list[tuple[str, str]]:
        """The pages to which all others lead, with their titles."""
        pages = [("Games", "/")]
        if store is not None:
            pages.append(("Competitions", "/competitions"))
        pages += [(f"Ladder of {one['title']}", f"/ladder/{one['game']}") for one in (ladders.listed() if ladders else ())]
        if lobby is not None and lobby.people is not None:
            pages.append(("People", "/people"))
        return [*pages, ("Continue here", "/continue")]

    if lobby is not None:
        cast("dict[str, Any]", templates.env.globals)["menu"] = menu
    add_sharing(app, sessions, templates)
    if store is not None:
        add_competitions(app, store, templates)
    if lobby is not None:
        add_lobby(app, lobby, templates, store, ladders, day)
        if lobby.people is not None:
            add_people(app, lobby.people, lobby.desk, codes, templates)
        if bans is not None and token is not None:
            add_order(app, Organiser(lobby, bans, token), templates)
    if ladders is not None:
        add_ladders(app, ladders, sessions.limits, templates)
    return app
