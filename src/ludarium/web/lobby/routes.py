"""The routes of the lobby: what there is to choose and what goes on, and games that are made or opened."""

from __future__ import annotations

from typing import Annotated

from fastapi import FastAPI, Query, Request
from fastapi.responses import HTMLResponse, JSONResponse
from fastapi.templating import Jinja2Templates
from pydantic import BaseModel
from starlette.concurrency import run_in_threadpool

from ludarium.core.drawing import board_alone
from ludarium.core.registry import game_without_files
from ludarium.errors import LudariumError
from ludarium.web.addresses import at
from ludarium.web.bodies import body_of
from ludarium.web.competitions import Store
from ludarium.web.description import described
from ludarium.web.ladder import Ladders
from ludarium.web.opened import LONGEST
from ludarium.web.sessions import Sessions
from ludarium.web.table.messages import error_of, parse_object
from ludarium.web.table.new_game import Wish
from ludarium.web.table.session import Session

from .game_of_the_day import GameOfTheDay
from .on_show import OnShow
from .pages import dealt, lobby_game, lobby_games, with_deal


class SeatMade(BaseModel):
    player: int
    name: str
    token: str
    link: str


class GameMade(BaseModel):
    id: str
    watch: str
    seats: list[SeatMade]


class RecordOpened(BaseModel):
    id: str
    watch: str


def add_lobby(
    app: FastAPI, sessions: Sessions, templates: Jinja2Templates, store: Store | None, ladders: Ladders | None, day: GameOfTheDay | None
) -> None:
    """Where games are made."""
    warming = sessions.warming
    games = lobby_games(sessions.offers)

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

    @app.post("/api/lobby/{id}/seats", include_in_schema=False)
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

    example = {"game": games[0]["id"], "players": ["human"] * len(games[0]["player_names"])} if games else None

    @app.post("/api/games", status_code=201, summary="Make a game", openapi_extra=described(Wish, example))
    async def make_game(request: Request) -> GameMade:
        return _made(await sessions.create(parse_object(await body_of(request)), request.scope["visitor"]))

    text = {"schema": {"type": "string"}, **({"example": games[0]["start"]} if games else {})}

    @app.post(
        "/api/opened",
        status_code=201,
        summary="Look at a record or a position",
        openapi_extra={"requestBody": {"required": True, "content": {"text/plain": text}}},
    )
    async def open_record(request: Request) -> RecordOpened:
        session = await sessions.opened.open(await body_of(request, LONGEST), request.scope["visitor"])
        return RecordOpened(id=session.id, watch=at(f"/game/{session.id}"))


def _made(session: Session) -> GameMade:
    watch = at(f"/game/{session.id}")
    people = [seat for seat in session.play.seats if seat.token]
    seats = [SeatMade(player=seat.number, name=seat.name, token=str(seat.token), link=f"{watch}#{seat.token}") for seat in people]
    return GameMade(id=session.id, watch=watch, seats=seats)
