"""The WebSocket of one bot, from its first message to its end."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from functools import partial
from typing import Literal

from pydantic import TypeAdapter
from starlette.concurrency import run_in_threadpool
from starlette.websockets import WebSocket

from ludarium.core.event_loop import call_in_loop
from ludarium.errors import LudariumError, PlayerFailed, ProtocolError, StoreError
from ludarium.players.programs import messages
from ludarium.players.programs.program import LONGEST_START, Program
from ludarium.web.socket import REFUSED, converse, next_text
from ludarium.web.table.client import Client
from ludarium.web.table.messages import WholeNumber, checked, error_of, parse_object
from ludarium.web.visitors.limits import Limits
from ludarium.web.visitors.visitor import Visitor

from .ladders import Ladders
from .limits import BOTS
from .link import BotLink
from .room import Bot, Room

log = logging.getLogger("ludarium.web")


@dataclass(frozen=True)
class Join:
    """A bot's first message."""

    type: Literal["join"]
    protocol: WholeNumber
    name: str
    key: str | None = None


_JOIN = TypeAdapter(Join)


async def serve_bot(websocket: WebSocket, ladders: Ladders, game: str, limits: Limits) -> None:
    """Serve one socket until either side closes it."""
    client = Client(websocket.scope["visitor"])
    await converse(websocket, client, partial(_talk, websocket, ladders, game, limits, client))


async def _talk(websocket: WebSocket, ladders: Ladders, game: str, limits: Limits, client: Client) -> None:
    try:
        joined = await _joined(websocket, ladders, game, limits, client)
    except LudariumError as problem:
        client.tell(type="refused", **_refusal(problem))
        client.close(REFUSED, "refused")
        return
    if joined is None or not await _greeted(websocket, joined[0]):
        return
    bot, room = joined
    room.enter(bot)
    try:
        while (text := await next_text(websocket)) is not None and not client.closing:
            async with websocket.scope["turn"]:
                if not bot.link.hear(text):
                    bot.quit("it sent many messages that nobody had asked for", REFUSED, come_back=False)
                await asyncio.sleep(0)  # one with much to say lets others speak in between
    finally:
        room.leave(bot)


async def _joined(websocket: WebSocket, ladders: Ladders, game: str, limits: Limits, client: Client) -> tuple[Bot, Room] | None:
    """A bot that has said who it is, and where it wants to play; None if it is gone.

    Raises:
        LudariumError: it may not.
    """
    visitor: Visitor = websocket.scope["visitor"]
    try:
        text = await asyncio.wait_for(next_text(websocket), limits.join)
    except TimeoutError:
        raise ProtocolError("not_joined", f"no 'join' came within {limits.join:g} seconds") from None
    if text is None:
        return None
    ladders.joins.count_address(visitor.address)
    room = ladders.room(game)
    join = checked(_JOIN, parse_object(text), "join")
    if join.protocol != messages.PROTOCOL:
        raise ProtocolError("bad_version", f"this server speaks version {messages.PROTOCOL}, not {str(join.protocol)[:40]}")
    if room.ladder.entrant_of(join.name) is None:
        ladders.joins.count_new_name(visitor.address)
    entrant, name, key = await run_in_threadpool(room.ladder.join, join.name, join.key)
    ladders.joins.count_name(name)
    room.check(entrant, visitor.address, BOTS * limits.people)
    client.tell(type="joined", name=name, key=key)
    loop = asyncio.get_running_loop()
    link = BotLink(partial(call_in_loop, loop, client.send), ladders.limits.unasked)
    return Bot(entrant, name, client, link, loop.time()), room


def _refusal(problem: LudariumError) -> dict[str, str]:
    if isinstance(problem, StoreError):
        log.error("%s", problem)
        return {"code": "cannot_store", "reason": "the server's disk does not take a new name; try again later"}
    error = error_of(problem)
    return {"code": error["code"], "reason": error["message"]}


async def _greeted(websocket: WebSocket, bot: Bot) -> bool:
    """Whether a bot has answered the greeting as it should. If not, it is told so."""
    bot.client.send(messages.encoded(messages.HELLO).decode().rstrip())
    try:
        text = await asyncio.wait_for(next_text(websocket), LONGEST_START)
        if text is not None:
            bot.program = Program(bot.link, messages.read_ready(text.encode("utf-8", "replace")))
        return text is not None
    except TimeoutError:
        bot.quit(f"it did not answer 'hello' within {LONGEST_START:g} seconds", REFUSED, come_back=False)
    except PlayerFailed as problem:
        bot.quit(str(problem), REFUSED, come_back=False)
    return False
