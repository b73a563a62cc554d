"""Messages as bytes: a size of 32 bits, little-endian, then as many bytes of UTF-8 JSON, which end with a line feed that counts."""

from __future__ import annotations

import struct

from ludarium.errors import ProtocolError

FIRST_LIMIT = 2**10 - 1
"""Bytes that the first message of a connection has at most."""
LIMIT = 2**24 - 1
"""Bytes that every later message has at most."""

_SIZE = struct.Struct("<I")


def frame(text: bytes) -> bytes:
    """A message ready to be sent: size, text, line feed."""
    return b"%b%b\n" % (_SIZE.pack(len(text) + 1), text)


class Deframer:
    """Cuts what arrives into messages, however it was split on the way. A line feed at the end is not demanded."""

    def __init__(self, first_limit: int = LIMIT) -> None:
        self._limit = first_limit
        self._first = first_limit != LIMIT
        self._waiting = bytearray()

    def feed(self, data: bytes | memoryview) -> None:
        """Take what arrived."""
        self._waiting += data

    def next(self) -> bytes | None:
        """The content of the next message, None while it is not complete.

        Raises:
            ProtocolError: its size is beyond the limit. Nothing after it can be read.
        """
        if len(self._waiting) < _SIZE.size:
            return None
        (size,) = _SIZE.unpack_from(self._waiting)
        if size > self._limit:
            which = "of first message " if self._first else ""
            raise ProtocolError(
                "too_large", f"Received message size {which}is too big: {size} does not fit in {self._limit.bit_length()} bits"
            )
        end = _SIZE.size + size
        if len(self._waiting) < end:
            return None
        content = bytes(self._waiting[_SIZE.size : end])
        del self._waiting[:end]
        self._limit, self._first = LIMIT, False
        return content
