"""Records and positions that visitors bring along to look at: in memory only, as long as somebody looks or there is room."""

from __future__ import annotations

import secrets
from collections import OrderedDict

import ludarium
from ludarium.core.record import Header, Record, parse_record
from ludarium.core.registry import game_class, game_without_files
from ludarium.core.timeline import Timeline
from ludarium.core.user_text import decode_user_text, plain_bytes, refuse_other_encodings
from ludarium.errors import BadNotation, BadOption, ProtocolError
from ludarium.players import HUMAN

from .competitions.record_play import RecordPlay
from .compiling.warming import Warming
from .table.renderings import Renderings
from .table.session import Session
from .visitors.desk import Desk
from .visitors.visitor import Visitor

LONGEST = 2**20
"""Bytes that somebody may bring along."""
MOST, MOST_OF_ADDRESS = 40, 10
"""How many are in memory, and how many that came from one address."""


class Opened:
    """All methods run on the event loop."""

    def __init__(self, warming: Warming, desk: Desk) -> None:
        self._warming = warming
        self._desk = desk
        self._renderings = Renderings()
        self._sessions: OrderedDict[str, tuple[Session, str]] = OrderedDict()
        """With the addresses that they came from."""

    @property
    def clients(self) -> int:
        return sum(len(session.clients) for session, _ in self._sessions.values())

    @property
    def in_memory(self) -> list[Session]:
        return [session for session, _ in self._sessions.values()]

    def find(self, id: str) -> Session | None:
        if id not in self._sessions:
            return None
        self._sessions.move_to_end(id)
        return self._sessions[id][0]

    async def open(self, text: bytes, visitor: Visitor) -> Session:
        """What a record or a position shows, once it has been checked by the rules.

        Raises:
            BadRecord, BadNotation: it is none, or a wrong one; the message says in one line what is wrong with it.
            ProtocolError: ``busy`` or ``too_many``.
        """
        refuse_other_encodings(text, "the file")
        is_record = _is_record(plain_bytes(text))
        if is_record:
            record = await self._desk.do(visitor, lambda: parse_record("the record", text))
            await self._warming.ready(record.header.game)
            timeline = await self._desk.do(visitor, lambda: record.replay(game_without_files))
        else:
            ready = [id for id in ludarium.list_games() if self._warming.is_ready(id)]
            timeline = await self._desk.do(visitor, lambda: _position(text, ready))
            header = Header.of(timeline.game, [HUMAN] * timeline.game.players)
            record = Record("the position", header, timeline.events, None)
        self._make_room(visitor)
        id = f"opened-{secrets.token_urlsafe(9)}"
        play = RecordPlay(record, timeline, record.header.players)
        if not is_record:
            play.cut = ""  # a position has no end to come to
        session = Session(id, play, self._renderings)
        self._sessions[id] = session, visitor.address
        return session

    def _make_room(self, visitor: Visitor) -> None:
        own = [id for id, (_, address) in self._sessions.items() if address == visitor.address]
        if len(own) >= MOST_OF_ADDRESS:
            self._drop_one(own, "too_many")
        elif len(self._sessions) >= MOST:
            self._drop_one(list(self._sessions), "busy")

    def _drop_one(self, among: list[str], code: str) -> None:
        """The one that nobody looks at and that was opened or looked for longest ago."""
        alone = next((id for id in among if not self._sessions[id][0].clients), None)
        if alone is None:
            raise ProtocolError(code, f"{len(among)} records are being looked at already; close one of them first", 60)
        self._sessions.pop(alone)[0].close("others needed the place; open the record again")

    def close(self, reason: str) -> None:
        for session, _ in self._sessions.values():
            session.close(reason)
        self._sessions.clear()


def _is_record(text: bytes) -> bool:
    """Positions may be JSON too, but in one line and without a format."""
    text = text.strip()
    return text.startswith(b"{") and (b"\n" in text or b'"format"' in text)


def _position(text: bytes, games: list[str]) -> Timeline:
    """At the position that a text is in one of the games; options that it does not tell are the usual ones."""
    line = decode_user_text(text, "the file").strip()
    if not line:
        raise BadNotation("this is empty; open a game record, or a position in one line")
    for id in games:
        try:
            return Timeline(game_without_files(id, game_class(id).options_in(line)).parse(line))
        except (BadNotation, BadOption):
            continue
    titles = [game_class(id).title for id in games]
    shown = line if len(line) <= 60 else f"{line[:60]}…"
    raise BadNotation(f"{shown!r} is neither a record of a game nor a position of {', '.join(titles) or 'one: no game is ready yet'}")
