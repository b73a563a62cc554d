"""What the lobby tells of the games that go on; see "What goes on" in ``docs/protocol.md``."""

from __future__ import annotations

import zlib
from collections.abc import Collection
from typing import Any
from weakref import WeakKeyDictionary

from ludarium.core.drawing import board_alone
from ludarium.core.sight import Sight
from ludarium.core.state import State
from ludarium.web.addresses import at
from ludarium.web.sessions import Sessions
from ludarium.web.table.seats import players_json
from ludarium.web.table.session import Session

from .game_of_the_day import GameOfTheDay

BOARDS, INVITATIONS, ENDED = 6, 12, 8
"""How many of each are shown at most."""
SIZE = 240
"""Of a board, in pixels."""


class OnShow:
    """Composes it as data. A board is drawn once for all who look, when its position has changed."""

    def __init__(self, sessions: Sessions, day: GameOfTheDay | None = None) -> None:
        self._sessions = sessions
        self._day = day
        self._drawn: WeakKeyDictionary[Session, tuple[State, str, str]] = WeakKeyDictionary()

    def now(self, have: Collection[str]) -> dict[str, Any]:
        """All of it that is everybody's; without the drawings whose tags somebody has."""
        held = self._sessions.in_memory
        watched = sorted((one for one in held if one.lobby != "private"), key=lambda one: one.last_used, reverse=True)
        going = [one for one in watched if not one.course.is_over and one.clients and not one.free_seats][:BOARDS]
        ladders = self._sessions.others.in_memory if self._sessions.others else []
        boards = [*(one for one in held if one in going), *(one for one in ladders if not one.course.is_over)][:BOARDS]
        shown = self._day.look() if self._day else None
        return {
            "day": self._board(*shown, have) if shown else None,
            "games": [self._board(one, Sight(one.course, None).ply, have) for one in boards],
            "invitations": [_invitation(one) for one in reversed(held) if one.free_seats][:INVITATIONS],
            "ended": [_line(one) for one in watched if one.course.is_over][:ENDED],
        }

    def of_ladder(self, game: str, have: Collection[str]) -> dict[str, Any]:
        """The boards of a game's ladder alone."""
        going = [one for one in self._sessions.others.in_memory if not one.course.is_over] if self._sessions.others else []
        boards = [one for one in going if one.course.game.id == game][:BOARDS]
        return {"games": [self._board(one, Sight(one.course, None).ply, have) for one in boards]}

    def _board(self, session: Session, ply: int, have: Collection[str]) -> dict[str, Any]:
        sight = Sight(session.course, None)
        state = sight.state(ply)
        drawn = self._drawn.get(session)
        if drawn is None or drawn[0] != state:
            svg = board_alone(state.svg(size=SIZE, last=sight.action(ply)))
            drawn = self._drawn[session] = state, svg, f"{zlib.crc32(svg.encode()):08x}"
        _, svg, tag = drawn
        watching = sum(client.seat is None for client in session.clients)
        return {**_line(session), "watching": watching, "moves": ply, "tag": tag, **({} if tag in have else {"svg": svg})}


def _line(session: Session) -> dict[str, Any]:
    outcome = session.course.outcome
    return {
        "id": session.id,
        "title": session.course.game.title,
        "players": players_json(session.course.game, session.play.seats, {client.seat for client in session.clients}),
        "result": outcome and {"winner": outcome.winner, "returns": list(outcome.returns), "reason": outcome.reason},
    }


def _invitation(session: Session) -> dict[str, Any]:
    game = session.course.game
    usual = {option.name: option.default for option in game.option_list}
    return {
        "id": session.id,
        "title": game.title,
        "clock": session.play.time_control and str(session.play.time_control),
        "options": {name: str(value)[:100] for name, value in game.options.items() if value != usual.get(name)},
        "by": [seat.nickname for seat in session.play.seats if seat.nickname],
        "seats": [{"name": seat.name, "link": at(f"/game/{session.id}#{seat.token}")} for seat in session.free_seats],
    }
