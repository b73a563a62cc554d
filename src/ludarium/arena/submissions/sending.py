"""Client of a server's routes for submissions."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

from ludarium.arena.joining import Ladder
from ludarium.arena.joining.keys import keep_key, kept_key
from ludarium.errors import BadOption, LudariumError, ProtocolError, printable, store_errors

from .unpacking import MAX_UPLOAD

MAX_SECONDS = 30.0
"""Time limit of a request."""

MAX_ANSWER = 4_000_000
"""Size limit of an answer in bytes."""

PAUSE = 0.5
"""Seconds between two requests for the state of a version."""

BEING_CHECKED = ("waiting", "building")

Versions = list[dict[str, Any]]


class Submitter:
    """A name on a ladder, for its owner."""

    def __init__(self, ladder: Ladder, name: str, key: str | None) -> None:
        """Find the key of the name.

        Args:
            key: None: the one that was kept, if any.

        Raises:
            StoreError: the key cannot be read.
        """
        self._ladder = ladder
        self._name = name.encode(errors="replace").decode()
        self._given = key
        self._key = key.encode(errors="replace").decode() if key else kept_key(ladder, self._name)

    def submit(self, file: Path, say: Callable[[str], None]) -> int:
        """Upload a file; return the number of its version. The key of a new name is kept.

        Raises:
            BadOption: the file is not there or too long.
            ProtocolError: the server cannot be reached, or refuses it.
            StoreError: the file cannot be read.
        """
        if not file.is_file():
            raise BadOption(
                f"'{file}' is {'a folder; submit a file or an archive of it (.zip, .tar.gz)' if file.is_dir() else 'not a file'}"
            )
        with store_errors(f"{file} cannot be read"):
            size = file.stat().st_size
            if size > MAX_UPLOAD:
                raise BadOption(f"'{file}' has {size:,} bytes; the limit of an upload is {MAX_UPLOAD:,}")
            data = file.read_bytes()
        told = self._asked("", data, file=file.name)
        try:
            key, number = str(told["key"]), int(told["version"]["number"])
        except (TypeError, LookupError, ValueError):
            raise self._no_ladder() from None
        if key != self._key and self._given is None:
            try:
                say(f"the key of this name is kept in {keep_key(self._ladder, self._name, key)}")
            except LudariumError as problem:
                say(f"{problem}; next time, submit with --key {printable(key)}")
        self._key = key
        return number

    def versions(self) -> Versions:
        """Return the versions of the name, the newest first.

        Raises:
            ProtocolError: the server cannot be reached, or refuses to tell.
        """
        told = self._asked()
        try:
            found = told["versions"]
            return [{**one, "number": int(one["number"]), "state": str(one["state"])} for one in found]
        except (TypeError, LookupError, ValueError):
            raise self._no_ladder() from None

    def checked(self, number: int) -> dict[str, Any]:
        """Wait until a version has been checked, and return it.

        Raises:
            ProtocolError: as for :meth:`versions`.
        """
        while True:
            version = next((one for one in self.versions() if one["number"] == number), None)
            if version is None:
                raise self._no_ladder()
            if version["state"] not in BEING_CHECKED:
                return version
            time.sleep(PAUSE)  # between two requests, because the server does not report back

    def log(self, number: int) -> str:
        """Return the standard error of a version.

        Raises:
            ProtocolError: as for :meth:`versions`.
        """
        return self._read(f"/{number}/log").decode(errors="replace")

    def _asked(self, path: str = "", data: bytes | None = None, **query: str) -> Any:
        text = self._read(path, data, **query)
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            raise self._no_ladder() from None

    def _read(self, path: str, data: bytes | None = None, **query: str) -> bytes:
        url = f"http{self._ladder.socket.removeprefix('ws')}/submissions{path}?{urlencode({'name': self._name, **query})}"
        headers = {"Content-Type": "application/octet-stream"}
        if self._key is not None:
            headers["Ludarium-Key"] = self._key
        elif data is None:
            raise BadOption(f"no key of '{self._name}' is kept for {self._ladder}; give it with --key")
        try:
            with urlopen(Request(url, data, headers), timeout=MAX_SECONDS) as answer:
                return answer.read(MAX_ANSWER)
        except HTTPError as problem:
            raise self._refusal(problem) from None
        except (OSError, HTTPException, ValueError) as problem:  # ValueError: the key is not valid in a header
            reason = getattr(problem, "reason", problem)
            words = "no answer in time" if isinstance(reason, TimeoutError) else getattr(reason, "strerror", None) or reason
            raise ProtocolError("unreachable", f"{self._ladder} cannot be reached: {printable(str(words))}") from None

    def _refusal(self, problem: HTTPError) -> ProtocolError:
        try:
            told = json.loads(problem.read(MAX_ANSWER))
            code, reason = str(told["code"]), printable(str(told["message"]))[:500]
        except (OSError, HTTPException, ValueError, LookupError, TypeError, RecursionError):
            return self._no_ladder()
        if problem.code == 404 and code == "bad_message":
            return ProtocolError(code, f"{self._ladder} takes no submissions; its server is started without --submit")
        return ProtocolError(code, f"{self._ladder} refused: {reason}")

    def _no_ladder(self) -> ProtocolError:
        return ProtocolError("bad_message", f"{self._ladder} is not a ladder that takes submissions")
