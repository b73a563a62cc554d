"""What requests bring besides their address."""

from __future__ import annotations

from typing import Any

from fastapi import Request
from pydantic import BaseModel
from starlette.requests import ClientDisconnect

from ludarium.errors import ProtocolError

from .table.messages import LIMIT


class Refusal(BaseModel):
    code: str
    message: str


REFUSALS: dict[int | str, dict[str, Any]] = {status: {"model": Refusal} for status in (400, 403, 404, 413, 429, 503)}


def described(model: type[BaseModel]) -> dict[str, Any]:
    """How a request's body is described; it is read by hand, no further than it may be long."""
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": model.model_json_schema()}}}}


async def body_of(request: Request, most: int = LIMIT) -> bytes:
    """The request's body, read no further than it may be long.

    Raises:
        ProtocolError: ``too_large`` or ``bad_message``.
    """
    body = bytearray()
    try:
        async for part in request.stream():
            body += part
            if len(body) > most:
                raise ProtocolError("too_large", f"that is too long: at most {most:,} bytes are taken")
    except ClientDisconnect:
        raise ProtocolError("bad_message", "the request ended within its body") from None
    return bytes(body)
