"""What requests bring besides their address."""

from __future__ import annotations

from fastapi import Request
from starlette.requests import ClientDisconnect

from ludarium.errors import ProtocolError

from .table.messages import LIMIT


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
