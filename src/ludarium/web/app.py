"""The routes: pages, ``POST /api/games``, records, sockets."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable
from importlib.metadata import version
from math import ceil
from typing import Annotated, Any

from fastapi import FastAPI, Query, Request, Response, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, HTMLResponse, JSONResponse
from fastapi.staticfiles import StaticFiles
from fastapi.templating import Jinja2Templates
from pydantic import BaseModel, TypeAdapter
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware

import ludarium
from ludarium.arena.reports.parts import FOLDER as REPORTS
from ludarium.core.drawing import board_alone
from ludarium.core.registry import game_without_files
from ludarium.errors import LudariumError, ProtocolError

from .bodies import REFUSALS, Refusal, body_of, described
from .bundles import STATIC
from .competitions import Store, add_competitions
from .competitions.record_play import RecordPlay
from .faces import face_of
from .ladder import Ladders
from .ladder.routes import add_ladders
from .lobby.game_of_the_day import GameOfTheDay
from .lobby.on_show import OnShow
from .lobby.pages import dealt, first_drawing, lobby_game, lobby_games, with_deal
from .opened import LONGEST
from .organiser.organiser import Organiser
from .organiser.routes import add_order
from .page_files import KeptFiles, of_game, page_templates, part_of_page
from .people.routes import add_people
from .sessions import Games, Sessions
from .sharing import add_sharing
from .socket import play
from .table.messages import checked, error_of, parse_object
from .table.new_game import Wish
from .table.renderings import as_json
from .table.seats import in_words
from .table.session import Session
from .visitors.bans import Bans
from .visitors.codes import LONGEST_ORIGIN, Codes, NameOpened, SeatOpened, for_camera
from .visitors.guard import Guard

log = logging.getLogger("ludarium.web")

_STATUS = {
    "not_organiser": 403,
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


class SeatMade(BaseModel):
    player: int
    name: str
    token: str
    link: str


class GameMade(BaseModel):
    id: str
    watch: str
    seats: list[SeatMade]


class CodeTyped(BaseModel):
    code: str


class RecordOpened(BaseModel):
    id: str
    watch: str


_CODE = TypeAdapter(CodeTyped)

_TEXT: dict[str, Any] = {"requestBody": {"required": True, "content": {"text/plain": {"schema": {"type": "string"}}}}}


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
    app = FastAPI(title="Ludarium", version=version("ludarium"), docs_url=None, redoc_url=None)
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
        again = {"Retry-After": str(ceil(problem.wait))} if isinstance(problem, ProtocolError) and problem.wait else None
        if request.scope["path"].startswith("/api/"):  # the URL may be none: its host is whatever was sent
            return JSONResponse(error, _STATUS.get(error["code"], 400), again)
        status = _STATUS.get(error["code"], 404)
        return templates.TemplateResponse(request, "missing.html", {"message": error["message"], "gone": status == 404}, status, again)

    @app.exception_handler(RequestValidationError)
    def wrong_query(request: Request, problem: Exception) -> Response:
        assert isinstance(problem, RequestValidationError)
        first = problem.errors()[0]
        given = "" if first["input"] is None else f"; given: {str(first['input'])[:80]!r}"
        return refuse(request, ProtocolError("bad_message", f"'{first['loc'][-1]}': {first['msg']}{given}"))

    @app.exception_handler(HTTPException)
    def missing(request: Request, problem: Exception) -> Response:
        assert isinstance(problem, HTTPException)
        if request.url.path.startswith("/api/") or problem.status_code != 404:
            return JSONResponse({"code": "bad_message", "message": problem.detail}, problem.status_code, problem.headers)
        return templates.TemplateResponse(request, "missing.html", {"message": "There is no such page", "gone": True}, 404)

    def competition_address(id: str) -> str:
        return (ladders and ladders.address_of(int(id))) or f"/competitions/{id}"

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
            "lobby": lobby is not None,
            "record": isinstance(session.play, RecordPlay),
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

    @app.get("/api/games/{id}/record", responses={404: {"model": Refusal}}, summary="Download a game's record so far (JSON Lines)")
    async def record(request: Request, id: str) -> Response:
        session = await sessions.find(id, request.scope["visitor"])
        name = f"{session.course.game.id}-{id.replace(':', '-')}.jsonl"
        text = "".join(f"{as_json(line)}\n" for line in session.play.record())
        headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
        return Response(text, media_type="application/jsonl", headers=headers)

    @app.websocket("/api/games/{id}/socket")
    async def socket(websocket: WebSocket, id: str) -> None:
        await play(websocket, sessions, id, codes)

    @app.get("/api/games/{id}/socket", include_in_schema=False)
    async def no_socket(request: Request, id: str) -> None:
        if "sec-websocket-key" in request.headers:
            log.warning("a WebSocket came without its Upgrade header, which the proxy in between has to pass on")
        raise HTTPException(426, "this is the address of a WebSocket", {"Upgrade": "websocket"})

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

    @app.post(
        "/api/codes",
        responses=REFUSALS,
        summary="Open a seat or a name with a code from another device",
        openapi_extra=described(CodeTyped),
    )
    async def open_seat(request: Request) -> SeatOpened | NameOpened:
        visitor = request.scope["visitor"]
        opened = codes.use(checked(_CODE, parse_object(await body_of(request)), "code").code, visitor)
        if isinstance(opened, NameOpened):
            return opened
        seat = (await sessions.find(opened.game, visitor)).play.seats[opened.seat]
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

    add_sharing(app, sessions, templates)
    if store is not None:
        add_competitions(app, store, templates)
    if lobby is not None:
        _add_lobby(app, lobby, templates, store, ladders, day)
        if lobby.people is not None:
            add_people(app, lobby.people, lobby.desk, codes, templates)
        if bans is not None and token is not None:
            add_order(app, Organiser(lobby, bans, token), templates)
    if ladders is not None:
        add_ladders(app, ladders, sessions.limits, templates)
    return app


def _add_lobby(
    app: FastAPI, sessions: Sessions, templates: Jinja2Templates, store: Store | None, ladders: Ladders | None, day: GameOfTheDay | None
) -> None:
    """Where games are made."""
    warming = sessions.warming
    games = lobby_games(sessions.offers, deal=False)

    async def deal_where_possible() -> None:
        for number, game in enumerate(games):
            if game["undealt"] and warming.is_ready(game["id"]):
                games[number] = await run_in_threadpool(with_deal, game, sessions.offers)

    @app.get("/", include_in_schema=False)
    async def lobby(request: Request) -> HTMLResponse:
        await deal_where_possible()
        shown = {
            "games": games,
            "competitions": store is not None and await run_in_threadpool(store.has_any),
            "ladders": ladders.listed() if ladders else [],
            "people": sessions.people is not None,
        }
        return templates.TemplateResponse(request, "index.html", shown)

    on_show = OnShow(sessions, day)

    @app.get("/api/lobby/now", summary="What goes on that anybody may watch or join")
    async def now(
        request: Request,
        have: Annotated[str, Query(max_length=100)] = "",
        own: Annotated[str, Query(max_length=400)] = "",
        ladder: str | None = None,
    ) -> JSONResponse:
        shown = on_show.now(have.split(",")) if ladder is None else on_show.of_ladder(ladder, have.split(","))
        if own:
            shown["turns"] = sessions.turns(own.split(","), request.scope["visitor"])
        return JSONResponse(shown, headers={"Cache-Control": "no-store"})

    @app.post("/api/lobby/{id}", include_in_schema=False)
    async def seats(request: Request, id: str) -> JSONResponse:
        """What the form for a new game shows once its rules were chosen, which are the request's body: perhaps that they do not fit together."""
        options = parse_object(await body_of(request))
        await warming.ready(id)
        try:
            shown = await sessions.desk.do(request.scope["visitor"], lambda: lobby_game(game_without_files(id, options), sessions.offers))
        except LudariumError as problem:
            return JSONResponse({"problem": error_of(problem)["message"]})
        form = templates.get_template("seats.html").render(game=shown)
        return JSONResponse({"seats": form, "players": shown["player_names"], "start": shown["start"], "picture": shown["thumbnail"]})

    @app.post("/api/lobby/{id}/deal", include_in_schema=False)
    async def deal(request: Request, id: str) -> JSONResponse:
        """A board as chance lays it by the rules that are the request's body, which a game may start from."""
        options = parse_object(await body_of(request))
        await warming.ready(id)
        try:
            state = await sessions.desk.do(request.scope["visitor"], lambda: dealt(game_without_files(id, options)))
        except LudariumError as problem:
            return JSONResponse({"problem": error_of(problem)["message"]})
        laid = state != state.game.start()  # not where all that chance begins with is hidden
        sessions.dealt.append(state.text)
        return JSONResponse(
            {"position": state.text, "picture": board_alone(state.svg(size=480)), "laid": laid}, headers={"Cache-Control": "no-store"}
        )

    @app.get("/api/lobby/{id}/picture", include_in_schema=False)
    async def picture(id: str) -> JSONResponse:
        """A game's picture in the lobby, as soon as the board can be dealt. People who choose a game need not wait for this."""
        await warming.rules(id)
        await deal_where_possible()
        return JSONResponse({"picture": next((game["thumbnail"] for game in games if game["id"] == id), None)})

    @app.get("/api/lobby/{id}/waits", include_in_schema=False)
    async def waits(id: str) -> JSONResponse:
        """Whether somebody who chose this game waits for machine code."""
        return JSONResponse({"waits": not warming.is_ready(id, bots=True)})

    @app.get("/api/thinking", include_in_schema=False)
    async def thinking() -> JSONResponse:
        """What somebody may want to know who waits for a bot."""
        return JSONResponse({"thoughts": sessions.thinkers.thoughts, "at_once": sessions.thinkers.at_once})

    @app.post("/api/games", status_code=201, responses=REFUSALS, summary="Make a game", openapi_extra=described(Wish))
    async def make_game(request: Request) -> GameMade:
        return _made(await sessions.create(parse_object(await body_of(request)), request.scope["visitor"]))

    @app.post("/api/opened", status_code=201, responses=REFUSALS, summary="Look at a record or a position", openapi_extra=_TEXT)
    async def open_record(request: Request) -> RecordOpened:
        session = await sessions.opened.open(await body_of(request, LONGEST), request.scope["visitor"])
        return RecordOpened(id=session.id, watch=f"/game/{session.id}")


def _made(session: Session) -> GameMade:
    watch = f"/game/{session.id}"
    people = [seat for seat in session.play.seats if seat.token]
    seats = [SeatMade(player=seat.number, name=seat.name, token=str(seat.token), link=f"{watch}#{seat.token}") for seat in people]
    return GameMade(id=session.id, watch=watch, seats=seats)
