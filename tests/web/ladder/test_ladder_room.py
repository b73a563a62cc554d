"""A ladder's room without sockets and without time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest

import ludarium
from ludarium.arena.games import GamePlan, GameResult
from ludarium.arena.ladder import Ladder
from ludarium.errors import ProtocolError
from ludarium.web.ladder import LadderLimits
from ludarium.web.ladder.link import BotLink
from ludarium.web.ladder.room import Bot, Room
from ludarium.web.table.client import Client
from tests.arena.ladder.test_ladder import ladder_of
from tests.netorcai.lab import HandClock


class Loop(HandClock):
    """An event loop whose time is moved by hand."""

    call_soon_threadsafe = HandClock.call_soon


class Connected(Client):
    """Keeps what it is told."""

    def __init__(self) -> None:
        super().__init__()
        self.reasons: list[str] = []

    def tell(self, **message: Any) -> None:
        self.reasons.append(message["reason"])


class Judge:
    """Ends every game at once: a draw, unless somebody has gone."""

    def __init__(self, ladder: Ladder) -> None:
        self._ladder = ladder
        self.plans: list[GamePlan] = []
        self.gone: int | None = None

    def __call__(self, game: partial[GameResult | None]) -> Future[GameResult | None]:
        plan: GamePlan = game.args[0]
        self.plans.append(plan)
        self._ladder._latest.add(plan.number, plan.seats, (0.0, 0.0))
        played = Future[GameResult | None]()
        lost = self.gone if self.gone in plan.seats else None
        forfeits = {} if lost is None else {plan.seats.index(lost): "crash: it has gone"}
        played.set_result(
            GameResult(plan, (0.0, 0.0), "a draw" if lost is None else "X forfeited (crash: it has gone)", forfeits, 5, "", None)
        )
        return played


class Lab:
    """A room, with a clock and a judge."""

    def __init__(self, ladder: Ladder, limits: LadderLimits) -> None:
        self.ladder, self.loop, self.judge = ladder, Loop(), Judge(ladder)
        self.room = Room(ladder, limits, cast("Any", self.loop), cast("Any", self.judge), lambda: None)
        self.room.is_ready = True

    def enter(self, name: str) -> Bot:
        entrant = self.ladder.entrant_of(name)
        entrant = self.ladder.join(name, None)[0] if entrant is None else entrant
        self.room.check(entrant, "here", 9)
        bot = Bot(entrant, name, Connected(), BotLink(lambda text: None, 8), self.loop.time())
        self.room.enter(bot)
        return bot

    def games(self, seconds: float) -> int:
        """That are played in such a time."""
        before, until = len(self.judge.plans), self.loop.now + seconds
        while self.loop.now < until:
            while self.room.begin_one():
                self.loop.advance()
            self.loop.advance(10.0)
        return len(self.judge.plans) - before


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Lab]:
    with ladder_of(tmp_path, ludarium.game("tic-tac-toe")) as (ladder, _):
        yield Lab(ladder, LadderLimits(at_once=10, pace=60.0))


def test_a_bot_has_some_games_at_once_and_then_one_now_and_then(lab: Lab) -> None:
    for name in ("Ann", "Ben", "Cleo"):
        lab.enter(name)
    assert 15 <= lab.games(10.0) <= 20
    assert 3 * 60 / 2 <= lab.games(3600.0) <= 3 * 60
    assert {frozenset(plan.seats) for plan in lab.judge.plans} == {frozenset(two) for two in ((0, 1), (0, 2), (1, 2))}
    lab.judge.plans.clear()
    lab.enter("Dan")
    lab.games(10.0)
    assert Counter(seat for plan in lab.judge.plans for seat in plan.seats)[3] >= 10  # whoever is new meets the others at once
    assert lab.games(24 * 3600.0) <= 4 * (24 * 60 + 10)


def test_who_waits_is_told_why_once(lab: Lab) -> None:
    """Else nothing but a dark terminal says that a bot has played its games, or that it is alone."""
    ann = lab.enter("Ann")
    lab.room.tell_waiting()
    ben = lab.enter("Ben")
    lab.room.tell_waiting()
    lab.games(10.0)
    for _ in range(2):
        lab.room.tell_waiting()
    assert isinstance(ann.client, Connected)
    assert isinstance(ben.client, Connected)
    held = "all who are here have played their 10 games at once, and have one more every 60 s"
    assert ann.client.reasons == ["1 more bot must come before a game can begin", held]
    assert ben.client.reasons == [held]


def test_a_name_that_has_neither_played_nor_is_here_is_not_in_the_table(lab: Lab) -> None:
    """Else a few lines of a program fill it."""
    lab.ladder.join("Cleo", None)
    ann = lab.enter("Ann")
    assert [row["name"] for row in lab.room.as_json()["table"]] == ["Ann"]
    lab.room.leave(ann)
    assert lab.room.as_json()["table"] == []


def test_who_goes_in_every_game_is_taken_off(lab: Lab) -> None:
    """As programs do that crash. Whoever does it again after that is taken off at once, until it has played a game to its end."""

    def lose() -> None:
        ben = lab.enter("Ben")
        lab.judge.gone = ben.entrant
        assert lab.room.begin_one()
        lab.room.leave(ben)
        lab.loop.advance()

    lab.enter("Ann")
    for times, word in ((3, "3"), (1, "4")):
        for _ in range(times):
            lose()
        with pytest.raises(ProtocolError, match=rf"{word} games in a row lost .*\(crash: it has gone\); it may come again in 60 s"):
            lab.enter("Ben")
        lab.loop.advance(60.0)
    lab.judge.gone = None
    ben = lab.enter("Ben")
    assert lab.room.begin_one()
    lab.loop.advance()
    lab.room.leave(ben)
    for _ in range(2):
        lose()
    assert lab.enter("Ben").entrant in lab.room.bots
