"""Tables of people alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest

import ludarium
from ludarium.arena import TimeControl
from ludarium.core.record import Header
from ludarium.core.timeline import Timeline
from ludarium.errors import BadOption
from ludarium.web.table.hosting import Hosting
from ludarium.web.table.local_play import LocalPlay
from ludarium.web.table.renderings import Renderings
from ludarium.web.table.seats import Seat
from ludarium.web.table.session import Session
from ludarium.web.table.thinking import Thinker, Thinkers
from ludarium.web.visitors.visitor import Visitor
from tests.web.table.sitting import Time


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def sit(time: Time) -> Iterator[Callable[..., Session]]:
    """Makes a session of people alone."""
    thinkers = Thinkers(1)
    changed = list[int]()

    async def no_bot(_: int, spec: str, __: Visitor) -> tuple[str, Thinker]:
        raise BadOption(f"{spec}: only people sit at this table")

    def make(game: ludarium.Game, clock: str | None = None, host: int | None = None) -> Session:
        names = enumerate(game.player_names)
        seats = [Seat(number, name, "human", f"token-{number}", is_host=number == host) for number, name in names]
        header = Header.of(game, ["human"] * game.players, 1)
        generator = np.array([5], np.uint64)
        start = Timeline(game.start())
        play = LocalPlay(header, start, seats, generator, thinkers, time_control=clock and TimeControl.parse(clock), clock=time)
        hosting = Hosting("x", play, keep_seat=changed.append, make_bot=no_bot, do=lambda work: None, clock=time)
        return Session("x", play, Renderings(), hosting=hosting, clock=time)

    yield make
    thinkers.close()
