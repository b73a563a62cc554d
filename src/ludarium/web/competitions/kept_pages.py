"""Pages that are made once for all who read them, and anew when there is something new on them."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

from starlette.requests import Request
from starlette.responses import Response

from ludarium.errors import LudariumError, StoreError
from ludarium.web.visitors.desk import Desk
from ludarium.web.visitors.visitor import Visitor

from .store import unreadable

LOOK = 0.5
"""Seconds after which it is looked again whether there is something new."""
SHARE = 5
"""A page is not made anew before so many times have passed as making it took: what is written all the time shall not take the whole processor."""
PATIENCE = 0.02
"""Seconds that a reader of an older page waits for the newer one."""
MOST, MOST_BYTES = 1000, 64_000_000
"""Pages that are kept, and bytes of all of them."""

Make = Callable[[Hashable], tuple[Hashable, str | None]]
"""Given the version that is kept (None: none is), looks for the present one; with a page, unless that is the same. Done in a thread."""


@dataclass(frozen=True)
class Page:
    """A page of some version, as it is sent."""

    version: Hashable
    plain: bytes
    packed: bytes
    tag: str

    @classmethod
    def of(cls, version: Hashable, text: str) -> Page:
        plain = text.encode("utf-8", "replace")
        return cls(version, plain, gzip.compress(plain, 6, mtime=0), f'"{hashlib.sha256(plain).hexdigest()[:20]}"')

    def answer(self, request: Request) -> Response:
        """To whoever has it already, only that."""
        headers = {"ETag": self.tag, "Vary": "Accept-Encoding"}
        if self.tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        if "gzip" in request.headers.get("accept-encoding", ""):
            return Response(self.packed, headers={**headers, "Content-Encoding": "gzip"}, media_type="text/html")
        return Response(self.plain, headers=headers, media_type="text/html")


@dataclass
class _Kept:
    page: Page | None = None
    problem: LudariumError | None = None
    next_look: float = float("-inf")
    task: asyncio.Task[None] | None = field(default=None, repr=False)


class KeptPages:
    """The pages that were read last. All methods run on the event loop."""

    def __init__(self) -> None:
        self._desk = Desk()
        self._kept: OrderedDict[Hashable, _Kept] = OrderedDict()

    async def get(self, key: Hashable, make: Make, visitor: Visitor) -> Page:
        """The page of a key: the newest one, or one that is a little older while the newest one is made.

        Raises:
            LudariumError: as ``make``.
        """
        kept = self._kept.setdefault(key, _Kept())
        self._kept.move_to_end(key)
        if kept.task is None and time.monotonic() >= kept.next_look:
            kept.task = asyncio.create_task(self._renew(kept, make, visitor))
        task = kept.task
        if task is not None:
            await asyncio.wait({task}, timeout=PATIENCE if kept.page else None)
            if task.done():
                task.result()  # raises what nobody expected, for the log
        if kept.problem is not None:
            if kept.page is None:
                self._kept.pop(key, None)
            raise kept.problem
        assert kept.page is not None
        return kept.page

    async def _renew(self, kept: _Kept, make: Make, visitor: Visitor) -> None:
        begun = time.monotonic()
        known = kept.page.version if kept.page else None

        def work() -> Page | None:
            version, text = make(known)
            return None if text is None else Page.of(version, text)

        try:
            kept.page = await self._desk.do(visitor, work) or kept.page
            kept.problem = None
        except StoreError as problem:
            kept.problem = unreadable(problem)
        except LudariumError as problem:
            kept.problem = problem
        finally:
            kept.task = None
            now = time.monotonic()
            kept.next_look = now + max(LOOK, SHARE * (now - begun))
            self._make_room()

    def _make_room(self) -> None:
        """Forget the pages that nobody has read for longest."""
        sizes = {key: len(one.page.plain) + len(one.page.packed) if one.page else 0 for key, one in self._kept.items()}
        size = sum(sizes.values())
        for key in list(self._kept)[:-1]:
            if len(self._kept) <= MOST and size <= MOST_BYTES:
                break
            del self._kept[key]
            size -= sizes[key]
