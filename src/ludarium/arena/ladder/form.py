"""The latest games of everybody, by which those who take part are rated: what somebody was a thousand games ago says little of what it is."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Sequence

from ludarium.arena.ratings import Result
from ludarium.arena.store.curves import WINDOW


class LatestGames:
    """Games by number, oldest first."""

    def __init__(self, seats: int, window: int = WINDOW) -> None:
        self._window = window
        self._games: dict[int, Result] = {}
        self._counts_for = Counter[int]()
        """For how many who played it a game is among their latest."""
        self._of = defaultdict[int, deque[int]](deque)
        """The numbers of everybody's latest games."""
        self._sat = defaultdict[int, list[int]](lambda: [0] * seats)

    def add(self, number: int, seats: tuple[int, ...], returns: tuple[float, ...]) -> None:
        """A game that was played after all others."""
        self._games[number] = seats, returns
        self._counts_for[number] = len(seats)
        for seat, entrant in enumerate(seats):
            self._sat[entrant][seat] += 1
            own = self._of[entrant]
            own.append(number)
            if len(own) > self._window:
                self._forget(own.popleft())

    def _forget(self, number: int) -> None:
        self._counts_for[number] -= 1
        if not self._counts_for[number]:
            del self._games[number], self._counts_for[number]

    def results(self) -> list[Result]:
        """Those that count."""
        return list(self._games.values())

    def met(self, entrant: int, games: int) -> list[int]:
        """Whom somebody met in so many latest games, once for each."""
        return [other for number in list(self._of[entrant])[-games:] for other in self._games[number][0] if other != entrant]

    def sat(self, entrant: int) -> Sequence[int]:
        """How often somebody sat at each seat."""
        return self._sat[entrant]
