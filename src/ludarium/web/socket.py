"""The WebSocket of one client, from its first message to its end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from ludarium.errors import LudariumError, ProtocolError

from .games import Games
from .pulse import Pulse
from .table.client import Client
from .table.messages import Code, Join, Ping, error_of, parse_message
from .table.session import Session
from .visitors.codes import Codes, OneSeat, code_message
from .visitors.visitor import Visitor

REFUSED = 1008
TOO_LARGE = 1009
FLUSH = 5.0
"""Seconds for the last messages to a client that is being closed."""


async def play(websocket: WebSocket, sessions: Games, id: str, codes: Codes) -> None:
    """Serve one socket until either side closes it."""
    client = Client(websocket.scope["visitor"])
    await converse(websocket, client, partial(_talk, websocket, sessions, id, client, codes))


async def converse(websocket: WebSocket, client: Client, talk: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Accept a socket and send it what waits for its client, until either side closes it; ``talk`` reads, once somebody is there."""
    await websocket.accept()
    pump, reader = asyncio.create_task(client.pump(websocket)), asyncio.create_task(talk())
    try:
        await asyncio.wait({pump, reader}, return_when=asyncio.FIRST_COMPLETED)
        if client.closing and not pump.done():
            await asyncio.wait({pump}, timeout=FLUSH)
    finally:
        pump.cancel()
        reader.cancel()
        for result in await asyncio.gather(pump, reader, return_exceptions=True):
            if isinstance(result, Exception) and not isinstance(result, WebSocketDisconnect):
                raise result


async def _talk(websocket: WebSocket, sessions: Games, id: str, client: Client, codes: Codes) -> None:
    """Read messages until the client is gone or is to be closed."""
    session = await _first_message(websocket, sessions, id, client)
    if session is None:
        return
    pulse = Pulse(client, sessions.limits.silence, asyncio.get_running_loop())
    try:
        while not client.closing:
            text = await next_text(websocket)
            if text is None or client.closing:
                return
            pulse.hear()
            async with websocket.scope["turn"]:
                try:
                    message = parse_message(text)
                    if isinstance(message, Ping):
                        pulse.answer(message)
                    elif isinstance(message, Code):
                        seat, visitor = session.seat_of(client), websocket.scope["visitor"]
                        code = codes.make(OneSeat(id, seat.number, str(seat.token)), visitor, lambda: client.tell(type="code", code=None))
                        client.tell(**code_message(code, websocket.headers.get("origin")))
                    else:
                        session.handle(client, message)
                except LudariumError as problem:
                    _refuse(client, problem)
                await asyncio.sleep(0)  # a client with much to say lets the others speak in between
    finally:
        pulse.stop()
        session.leave(client)


async def _first_message(websocket: WebSocket, sessions: Games, id: str, client: Client) -> Session | None:
    try:
        if sessions.clients >= sessions.limits.clients:
            raise ProtocolError(
                "busy", f"{sessions.limits.clients} clients are connected, which is all that this server serves; try again later"
            )
        visitor = websocket.scope["visitor"]
        session = await sessions.find(id, visitor)
        try:
            text = await asyncio.wait_for(next_text(websocket), sessions.limits.join)
        except TimeoutError:
            raise ProtocolError("not_joined", f"no 'join' came within {sessions.limits.join:g} seconds") from None
        if text is None:
            return None
        message = parse_message(text)
        if not isinstance(message, Join):
            raise ProtocolError("not_joined", "the first message is a 'join'")
        session = await sessions.find(id, visitor)  # it may have left the memory meanwhile
        name, refusal = _name_of(message, sessions, visitor)
        client.name = name or ""
        session.join(client, message, name)
        if refusal is not None:
            _refuse(client, refusal)  # whoever has lost a name plays on without one
    except LudariumError as problem:
        _refuse(client, problem)
        client.close(REFUSED, "refused")
        return None
    return session


def _name_of(message: Join, sessions: Games, visitor: Visitor) -> tuple[str | None, ProtocolError | None]:
    """Who joins, if they have a name here; or why they have none.

    Raises:
        ProtocolError: ``banned``.
    """
    if message.name is None or sessions.people is None:
        return None, None
    try:
        return sessions.people.check(message.name, message.key or "", visitor), None
    except ProtocolError as problem:
        if problem.code == "banned":
            raise
        return None, problem


async def next_text(websocket: WebSocket) -> str | None:
    """The next message, None once the client is gone."""
    event = await websocket.receive()
    if event["type"] == "websocket.disconnect":
        return None
    text = event.get("text")
    return text if text is not None else "binary data"


def _refuse(client: Client, problem: LudariumError) -> None:
    error = error_of(problem)
    client.tell(type="error", **error)
    if error["code"] == "too_large":
        client.close(TOO_LARGE, "too large")
