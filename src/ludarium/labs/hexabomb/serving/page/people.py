"""People at the page of a networked game: each is a client of the orchestrator like any program, which may be waited for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ludarium.core.clock import Clock, Timer
from ludarium.netorcai.connection import address_of
from ludarium.netorcai.inside import InsideClient
from ludarium.netorcai.messages import PLAYER, SPECIAL_PLAYER
from ludarium.netorcai.orchestrator import Orchestrator

from .feed import Asked, Choice, FromPage, Leave, Present, Seated, Sit, ToPage, Unseated

MARGIN = 0.03
"""Seconds before the end of a turn at which orders that were chosen but not sent are sent."""


class People:
    """All of them. ``tell`` is given what the page is to know."""

    def __init__(self, orchestrator: Orchestrator, clock: Clock, tell: Callable[[ToPage], None], *, wait: bool) -> None:
        """``wait``: turns wait for people who are at the page."""
        self.orchestrator = orchestrator
        self.clock = clock
        self.tell = tell
        self.wait = wait
        self.turns_played = 0
        self._people: dict[str, _Person] = {}

    def __bool__(self) -> bool:
        """Whether there is anybody."""
        return bool(self._people)

    def take(self, wish: FromPage) -> None:
        """Do what the page says of a person. One that is not there any more is not a mistake: messages cross each other."""
        if isinstance(wish, Sit):
            if wish.person not in self._people:
                self._people[wish.person] = person = _Person(self, wish)
                person.log_in(wish)
            return
        person = self._people.get(wish.person)
        if person is None:
            return
        if isinstance(wish, Leave):
            self.forget(wish.person)
            person.client.leave()
        elif isinstance(wish, Present):
            person.be_here(wish.is_here)
        else:
            person.choose(wish)

    def forget(self, name: str) -> None:
        self._people.pop(name).stop()

    def who_is(self, address: str) -> str:
        """The person that the orchestrator knows by an address, "" for none."""
        return next((name for name, person in self._people.items() if person.address == address), "")

    def turn_begins(self, turns_played: int) -> None:
        """Tell those who are awaited how long they have. Those who are not there let it pass."""
        self.turns_played = turns_played
        for person in self._people.values():
            person.ask()

    def all_leave(self) -> None:
        """The page is gone."""
        for name in tuple(self._people):
            self.take(Leave(name))


class _Person:
    """One of them; see :class:`ludarium.netorcai.inside.Insider`."""

    def __init__(self, people: People, wish: Sit) -> None:
        self.client: InsideClient
        self.address = address_of(wish.address)
        self._people = people
        self._name = wish.person
        self._is_here = True
        self._chosen: Choice | None = None
        self._timer: Timer | None = None

    def log_in(self, wish: Sit) -> None:
        role = SPECIAL_PLAYER if wish.is_special else PLAYER
        people = self._people
        self.client = InsideClient(people.orchestrator, people.clock, self, nickname=wish.nickname, role=role, address=wish.address)

    # What the orchestrator says.

    def logged_in(self) -> None:
        self._people.tell(Seated(self._name))

    def started(self, player_id: int) -> None:
        self._let_wait()

    def turn(self, number: int) -> None:
        self.ask()

    def kicked(self, reason: str) -> None:
        self._people.tell(Unseated(self._name, reason))
        self._people.forget(self._name)

    # What the person does.

    def be_here(self, is_here: bool) -> None:
        self._is_here = is_here
        self._let_wait()
        self.ask()

    def choose(self, chosen: Choice) -> None:
        self._chosen = chosen
        if chosen.is_sent and self.client.turn_number is not None:
            self._answer(chosen.orders)
        else:
            self._wake_in_time()

    # What follows.

    def ask(self) -> None:
        """Answer the TURN that waits for it, if there is one, or tell the person that it does."""
        number = self.client.turn_number
        if number is None:
            return
        chosen = self._chosen
        if chosen is not None and chosen.is_sent and chosen.turns > number:
            self._answer(chosen.orders)  # given when this TURN was late already: an old one had to be answered first
        elif not self._is_here:
            self._answer([])
        else:
            self._people.tell(Asked(self._name, number + 1, self._time_left()))
            self._wake_in_time()

    def _answer(self, orders: list[dict[str, Any]]) -> None:
        self.stop()
        self.client.answer(orders)

    def _let_wait(self) -> None:
        self._people.orchestrator.wait_for(self.client.connection, self._people.wait and self._is_here)

    def _time_left(self) -> float | None:
        return self._people.orchestrator.time_left(self.client.connection)

    def _wake_in_time(self) -> None:
        """Send what was chosen so far before the turn ends."""
        self.stop()
        left = self._time_left()
        if self._draft() is not None and left is not None:
            self._timer = self._people.clock.call_later(max(0.0, left - MARGIN), self._send_draft)

    def _send_draft(self) -> None:
        self._timer = None
        draft = self._draft()
        if draft is not None and self.client.turn_number is not None:
            self._answer(draft.orders)

    def _draft(self) -> Choice | None:
        """What was chosen in the present position and not sent."""
        chosen = self._chosen
        return chosen if chosen is not None and not chosen.is_sent and chosen.turns == self._people.turns_played else None

    def stop(self) -> None:
        """Let no timer run any more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
