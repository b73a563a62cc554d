"""The clocks of a game's seats, by one time control; who is to choose has a clock that runs. See "The clocks" in ``docs/protocol.md``."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ludarium.arena.clocks import Clocks, TimeControl
from ludarium.core.clock import Clock, Timer

SHORTEST, LONGEST = 1.0, 86_400.0
"""Seconds that a turn may be given as a number."""
LAG = 0.2
"""Seconds of a person's turn that its clock does not count: what messages need on their way. No more is forgiven, whatever a line is like."""
UNATTENDED = 3600.0
"""Seconds from which on a time is meant for people who come and go: it runs on while nobody is at the board."""
INSTANT = 1e-6
"""Seconds by which timers may be early."""


def runs_unattended(control: TimeControl | None, people: int) -> bool:
    """Whether several people play by correspondence: time runs on while nobody is at the board."""
    return control is not None and control.seconds >= UNATTENDED and people > 1


@dataclass(frozen=True)
class Countdown:
    """A turn's time: how many seconds it had, and how many are left."""

    seconds: float
    left: float


@dataclass(frozen=True)
class Shown:
    """What a seat's clock shows: to the seat itself, and to the others, for whom what happens in secret within a turn is left out."""

    left: float
    left_for_others: float
    running: bool


class _Told(Clocks):
    """What one thought is told. It is charged by who tells, and by no more than there is: a busy server makes nobody lose."""

    def charge(self, seat: int, used: float) -> None:
        pass


class SeatClocks:
    """Counts down the seats' time. Without a time control everybody has as long as they like."""

    def __init__(
        self,
        control: TimeControl | None,
        seats: int,
        people: Collection[int],
        on_end: Callable[[], None],
        clock: Clock,
        events: Iterable[Mapping[str, Any]] = (),
    ) -> None:
        """``on_end`` is called when the time of people is up, who are ``late`` then; programs are hurried by who asks them.

        ``events`` are those of the game so far: the time that was used in it stays used.
        """
        self.control = control
        self._people = set(people)
        self._on_end = on_end
        self._clock = clock
        self._left = [control.seconds if control else 0.0] * seats
        for event in events:
            for player, seconds in event.get("seconds", {}).items():
                self._take(int(player), seconds)
        self._at_first = list(self._left)
        self._in_turn = [0.0] * seats
        self._since: dict[int, float] = {}
        self._turn: object = None
        self._timer: Timer | None = None

    @property
    def is_running(self) -> bool:
        return bool(self._since)

    @property
    def runs_unattended(self) -> bool:
        """Whether time runs while nobody is at the board: where several people play by correspondence."""
        return runs_unattended(self.control, len(self._people))

    def run(self, turn: object, players: Collection[int]) -> None:
        """Let exactly these players' clocks run, in a turn, whatever names it."""
        if self.control is None:
            return
        now = self._clock.time()
        is_new = turn != self._turn
        for player in [player for player in self._since if is_new or player not in players]:
            self._stand(player, now)
        if is_new:
            self._turn = turn
            if self.control.is_per_action:
                self._left = [self.control.seconds] * len(self._left)
            self._at_first, self._in_turn = list(self._left), [0.0] * len(self._left)
        for player in players:
            self._since.setdefault(player, now)
        self._wind(now)

    def set_person(self, player: int, is_person: bool) -> None:
        """A bot begins to play for a person, or the person is back: the time that the bot took in this turn is not the person's."""
        if not is_person:
            self._people.discard(player)
            return
        self._people.add(player)
        if player in self._since:
            self._since[player] = self._clock.time()

    def pause(self) -> None:
        """Let all clocks stand; what has been used is used."""
        for player in list(self._since):
            self._stand(player, self._clock.time())
        self._wind(0.0)

    def charge(self, player: int, thought: float | None = None) -> float | None:
        """A player has chosen. Says how many seconds that took it: of a bot those that it ``thought``, of a person those since its clock ran but
        for the lag; None without a time control."""
        if self.control is None:
            return None
        now = self._clock.time()
        elapsed = now - self._since.pop(player, now)  # what the house does with the choice takes none of the player's time
        forgiven = LAG if self._in_turn[player] == 0 else 0.0
        self._in_turn[player] += elapsed
        used = max(0.0, elapsed - forgiven) if thought is None else thought
        self._take(player, used)
        return used

    @property
    def late(self) -> list[int]:
        """The people whose time is up."""
        now = self._clock.time()
        return [player for player in sorted(self._since) if player in self._people and self._end_of(player) <= now + INSTANT]

    def time_of(self, player: int) -> Clocks | None:
        """What a program is asked with."""
        if self.control is None:
            return None
        control = TimeControl(self._now_left(player), self.control.increment, self.control.is_per_action)
        return _Told((control,) * len(self._left))

    @property
    def countdown(self) -> Countdown | None:
        """The time of a turn that people have, None while none is counted or where they have it for the game."""
        lefts = [self._now_left(player) for player in self._since if player in self._people]
        if self.control is None or not self.control.is_per_action or not lefts:
            return None
        return Countdown(self.control.seconds, round(min(lefts), 2))

    @property
    def shown(self) -> list[Shown] | None:
        """By seat."""
        if self.control is None:
            return None
        now = self._clock.time()
        clocks: list[Shown] = []
        for player, left in enumerate(self._left):
            elapsed = now - self._since.get(player, now)
            others = self._at_first[player] - self._in_turn[player] - elapsed
            clocks.append(Shown(round(max(0.0, left - elapsed), 2), round(max(0.0, others), 2), player in self._since))
        return clocks

    def _take(self, player: int, seconds: float) -> None:
        assert self.control is not None
        self._left[player] = max(0.0, self._left[player] - seconds) + self.control.increment

    def _stand(self, player: int, now: float) -> None:
        elapsed = now - self._since.pop(player)
        self._in_turn[player] += elapsed
        self._left[player] = max(0.0, self._left[player] - elapsed)

    def _now_left(self, player: int) -> float:
        now = self._clock.time()
        return max(0.0, self._left[player] - (now - self._since.get(player, now)))

    def _end_of(self, player: int) -> float:
        forgiven = LAG if self._in_turn[player] == 0 else 0.0
        return self._since[player] + self._left[player] + forgiven

    def _wind(self, now: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        ends = [self._end_of(player) for player in self._since if player in self._people]
        if ends:
            self._timer = self._clock.call_later(max(0.0, min(ends) - now), self._ring)

    def _ring(self) -> None:
        self._timer = None
        self._on_end()
