"""The process of the page: a web server, and the pipe to the server of the game."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import cast

from fastapi import FastAPI, Request, Response, WebSocket
from fastapi.responses import FileResponse

from ludarium.core.event_loop import call_in_loop
from ludarium.web.app import make_app
from ludarium.web.page_files import page_templates
from ludarium.web.server import Server
from ludarium.web.visitors.guard import is_loopback

from ..board_game import game_on
from . import feed
from .room import Room

HERE = Path(__file__).parent


def serve_page(listener: socket.socket, pipe: Connection, setup: feed.Setup) -> None:
    """Serve the page until the other end of the pipe says that this was all, or is gone."""
    room = Room(setup, lambda message: _send(pipe, message))
    server: _PageServer

    def on_open() -> None:
        threading.Thread(target=_read, args=(pipe, asyncio.get_running_loop(), room, server), daemon=True).start()

    server = _PageServer(_make_room_app(room, setup), room, on_open)
    server.run(sockets=[listener])


class _PageServer(Server):
    """Leaves signals to the server of the game, which says when the page is to end."""

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        yield


def _make_room_app(room: Room, setup: feed.Setup) -> FastAPI:
    """The application: the pages of the web room, and the waiting room in the lobby's place."""
    app = make_app(room, loopback_only=is_loopback(setup.host))
    templates = page_templates(HERE)
    settings = setup.settings
    game = game_on(setup.board, settings.players, settings.special_players, settings.turns)
    picture = "" if game is None else game.start().svg(size=400)

    @app.get("/", include_in_schema=False)
    async def waiting_room(request: Request) -> Response:
        return templates.TemplateResponse(request, "room.html", {"picture": picture})

    @app.get("/room.js", include_in_schema=False)
    async def script() -> FileResponse:
        return FileResponse(HERE / "room.js", media_type="text/javascript", headers={"Cache-Control": "no-cache"})

    @app.get("/room.css", include_in_schema=False)
    async def style() -> FileResponse:
        return FileResponse(HERE / "room.css", media_type="text/css", headers={"Cache-Control": "no-cache"})

    @app.websocket("/api/room")
    async def socket(websocket: WebSocket) -> None:
        await room.wait(websocket)

    return app


def _send(pipe: Connection, message: feed.FromPage) -> None:
    with suppress(OSError):  # the server of the game is gone, which the thread that reads says as well
        pipe.send(message)


def _read(pipe: Connection, loop: asyncio.AbstractEventLoop, room: Room, server: Server) -> None:
    while True:
        try:
            batch = cast("list[feed.ToPage] | None", pipe.recv())
        except (EOFError, OSError):
            batch = None
        if batch is None:
            call_in_loop(loop, room.close, "the server of this game has ended")
            server.should_exit = True
            return
        call_in_loop(loop, room.take, batch)
