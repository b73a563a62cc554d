"""Text that people write or upload: UTF-8 as editors on any system save it."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from ludarium.errors import BadNotation, LudariumError

MAX_BYTES = 2**28
"""Default size limit of text files."""

BLANK = b" \t\r\n"

_NEWLINE = re.compile(rb"\r\n?")
_OTHER_ENCODINGS = (
    ("UTF-32", re.compile(rb"\xff\xfe\0\0|\0\0\xfe\xff|[^\0]\0\0\0|\0\0\0[^\0]", re.DOTALL)),
    ("UTF-16", re.compile(rb"\xff\xfe|\xfe\xff|([^\0]\0){2}|(\0[^\0]){2}", re.DOTALL)),
)
"""First bytes of other encodings: a byte order mark, or an ASCII character padded with zero bytes (RFC 4627, section 3)."""

Refusal = Callable[[str], LudariumError]
"""Makes the error for a message: usually a class of errors."""


def read_user_text(path: Path, refusal: Refusal = BadNotation, max_bytes: int = MAX_BYTES, *, is_filled: bool = False) -> str:
    """Read a text file as :func:`decode_user_text` does.

    Args:
        path: the file; messages name it in full.
        refusal: makes the error for a message, such as ``BadNotation``.
        max_bytes: the size above which the file is refused.
        is_filled: refuse a file that is empty or blank.

    Returns:
        The text, with ``\\n`` as its only newline.

    Raises:
        OSError: the system cannot read the file.
        LudariumError: what ``refusal`` makes: the file is too large or not UTF-8, or the path has a zero byte.
    """
    if "\0" in str(path):
        raise refusal(f"{path} names no file")
    with path.open("rb") as file:
        data = file.read(max_bytes + 1)
    if len(data) > max_bytes:
        raise refusal(f"{path} has more than {max_bytes:,} bytes")
    return decode_user_text(data, str(path), refusal, is_filled=is_filled)


def decode_user_text(data: bytes, name: str, refusal: Refusal = BadNotation, *, is_filled: bool = False) -> str:
    """Decode UTF-8, with or without a byte order mark and with any newlines.

    Args:
        data: what stands in a file, or was uploaded.
        name: what messages call it, such as ``"openings.txt"``.
        refusal: makes the error for a message, such as ``BadNotation``.
        is_filled: refuse a text that is empty or blank.

    Returns:
        The text, with ``\\n`` as its only newline.

    Raises:
        LudariumError: what ``refusal`` makes. The message names the encoding, or the first line that is not UTF-8.
    """
    refuse_other_encodings(data, name, refusal)
    data = plain_bytes(data)
    if is_filled and not data.strip(BLANK):
        raise refusal(f"{name} is empty")
    try:
        return data.decode()
    except UnicodeDecodeError as problem:
        raise refusal(not_utf_8(name, data.count(b"\n", 0, problem.start) + 1)) from None


def user_lines(chunks: Iterable[bytes], name: str) -> Iterator[bytes]:
    """Yield the lines of a stream as they come, without newlines and byte order mark. Decode each with :func:`decode_line`.

    Args:
        chunks: the stream in pieces that end with ``\\n``, such as a binary file.
        name: what messages call the stream.

    Raises:
        BadNotation: the stream is UTF-16 or UTF-32.
    """
    for number, chunk in enumerate(chunks):
        if number == 0:
            refuse_other_encodings(chunk, name)
            chunk = chunk.removeprefix(codecs.BOM_UTF8)
        yield from chunk.splitlines()


def decode_line(line: bytes) -> str:
    """Decode a line of a stream.

    Raises:
        BadNotation: it is not UTF-8.
    """
    try:
        return line.decode()
    except UnicodeDecodeError:
        raise BadNotation("this is not UTF-8 text; save the file as UTF-8") from None


def plain_text(text: str) -> str:
    """Return decoded text without a byte order mark and with ``\\n`` as its only newline."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def plain_bytes(data: bytes) -> bytes:
    """Return the bytes of a text without a byte order mark and with ``\\n`` as their only newline."""
    data = data.removeprefix(codecs.BOM_UTF8)
    return _NEWLINE.sub(b"\n", data) if b"\r" in data else data


def refuse_other_encodings(data: bytes, name: str, refusal: Refusal = BadNotation) -> None:
    """Raise what ``refusal`` makes if a text begins as UTF-16 or UTF-32 does."""
    for encoding, beginning in _OTHER_ENCODINGS:
        if beginning.match(data):
            raise refusal(f"{name} is {encoding} text; save it as UTF-8")


def not_utf_8(name: str, line: int) -> str:
    """Return the message about the first line of a text that is not UTF-8. Lines count from 1."""
    return f"{name}: line {line} is not UTF-8 text; save the file as UTF-8"
