"""The routes of submitted bots, for their owners."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from fastapi import FastAPI, Header, Query, Request, Response
from fastapi.responses import PlainTextResponse
from starlette.concurrency import run_in_threadpool

from ludarium.arena.submissions import MAX_UPLOAD, too_large
from ludarium.web.bodies import body_of

from .ladders import Ladders

Key = Annotated[str, Header(alias="Ludarium-Key", description="The key of the name.")]
NewKey = Annotated[str | None, Header(alias="Ludarium-Key", description="The key of the name; none for a free name, which gets one.")]
Name = Annotated[str, Query(description="The bot's name on the ladder.")]
File = Annotated[str, Query(description="The file's name; .zip, .tar.gz and .tgz are archives.")]

_BODY = {"requestBody": {"required": True, "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}}}


def add_submissions(app: FastAPI, ladders: Ladders) -> None:
    """Add routes with which owners of names upload bots, and read their versions and logs."""

    @app.post("/api/ladder/{game}/submissions", status_code=201, summary="Upload a version of a bot", openapi_extra=_BODY)
    async def submit(request: Request, game: str, name: Name, file: File, key: NewKey = None) -> dict[str, Any]:
        hosting = ladders.hosting(game)
        declared = request.headers.get("content-length", "")
        if declared.isdecimal() and int(declared) > MAX_UPLOAD:
            raise too_large()
        return await hosting.submit(name, key, file, request.scope["visitor"], partial(body_of, request, MAX_UPLOAD))

    @app.get("/api/ladder/{game}/submissions", summary="The versions of a name's submitted bot, for its owner")
    async def versions(game: str, name: Name, key: Key, response: Response) -> dict[str, Any]:
        response.headers["Cache-Control"] = "no-store"
        return ladders.hosting(game).versions(name, key)

    @app.get(
        "/api/ladder/{game}/submissions/{number}/log",
        response_class=PlainTextResponse,
        summary="What a version wrote to its standard error, for its owner",
    )
    async def log(game: str, number: int, name: Name, key: Key) -> PlainTextResponse:
        text = await run_in_threadpool(ladders.hosting(game).log_of, name, key, number)
        return PlainTextResponse(text, headers={"Cache-Control": "no-store"})
