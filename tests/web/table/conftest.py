"""Tables of people alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest

import ludarium
from ludarium.arena import TimeControl
from ludarium.core.record import Header
from ludarium.core.timeline import Timeline
from ludarium.web.table.local_play import LocalPlay
from ludarium.web.table.renderings import Renderings
from ludarium.web.table.seats import Seat
from ludarium.web.table.session import Session
from ludarium.web.table.thinking import Thinkers
from tests.web.table.sitting import Time


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def sit(time: Time) -> Iterator[Callable[..., Session]]:
    """Makes a session of people alone."""
    thinkers = Thinkers(1)

    def make(game: ludarium.Game, clock: str | None = None) -> Session:
        seats = [Seat(number, name, "human", f"token-{number}") for number, name in enumerate(game.player_names)]
        header = Header.of(game, ["human"] * game.players, 1)
        generator = np.array([5], np.uint64)
        start = Timeline(game.start())
        play = LocalPlay(header, start, seats, generator, thinkers, time_control=clock and TimeControl.parse(clock), clock=time)
        return Session("x", play, Renderings(), clock=time)

    yield make
    thinkers.close()
