"""Keeps a competition in a store from its beginning to its end, over as many interruptions as there may be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path

from ludarium.arena.games import GameResult
from ludarium.arena.ratings import Ratings
from ludarium.core.game import Game
from ludarium.core.pickling import Unpicklable
from ludarium.core.stopping import done_at_a_forced_end
from ludarium.errors import StoreError, printable

from .competitions import begin, find_alike, resume, unused_name
from .curves import RatingCurves
from .database import open_database
from .rows import Entrant
from .writer import Writer


class Scorekeeper(Unpicklable, AbstractContextManager["Scorekeeper"]):
    """Writes a competition's games, and now and then its ratings, to a store. A context manager; one that is left without a game leaves nothing there."""

    send_instead = "send results to the process that has it"

    def __init__(
        self,
        kind: str,
        name: str,
        game: Game | Sequence[Game],
        entrants: Sequence[Entrant],
        config: str,
        *,
        store: str | Path | None = None,
        resumed: bool = False,
        on_safe: Callable[[GameResult], None] | None = None,
    ) -> None:
        """Begin a competition, or take up again the newest one that was begun alike.

        Args:
            name: what to call it; if another one has that name, a number follows.
            game: as for :func:`.competitions.begin`.
            config: whatever says how it is played. Competitions of the same kind, game and config are alike.
            store: as for :func:`.open_database`.
            resumed: whether one that was begun alike goes on.
            on_safe: called with every result that is on the disk, in the thread that writes.

        Raises:
            StoreError: the store fails, another program plays this competition, or its players are others now.
        """
        self._on_safe = on_safe
        self._problem = ""
        with ExitStack() as opened:
            database = opened.enter_context(open_database(store))
            alike = find_alike(database, kind, (game if isinstance(game, Game) else game[0]).id, config) if resumed else None
            self.is_new = alike is None
            """Whether it begins, for nothing is there that it could go on with."""
            if alike is None:
                self._competition = begin(database, unused_name(database, printable(name)), kind, game, entrants, config)
            else:
                self._competition = resume(database, alike, game, entrants, config)
            opened.callback(self._competition.discard_empty)
            opened.enter_context(done_at_a_forced_end(self._competition.discard_empty))
            opened.enter_context(done_at_a_forced_end(self._competition.interrupt))
            self._curves = opened.enter_context(RatingCurves(self._competition, len(entrants)))
            self._writer = opened.enter_context(Writer(self._competition, self._tell))
            self.before = tuple(self._competition.finished_games())
            """The games that were finished before, in order of their numbers."""
            self.games = len(self.before)
            """How many of its games are in the store."""
            self._curves.begin(self.before)
            self._opened = opened.pop_all()

    def add(self, result: GameResult) -> None:
        """Have a result written soon."""
        self._writer.add(result)

    def restore(self, result: GameResult) -> None:
        """Have a result of the past written, which only its record knew. Where these are many, the ratings over time are made anew in the end."""
        self._curves.restored += 1
        self._writer.add(result)

    def give_byes(self, points: Sequence[float]) -> None:
        """Say how many points each entrant has without a game.

        Raises:
            StoreError: the store fails.
        """
        self._competition.give_byes(dict(enumerate(points)))

    def rate(self, ratings: Ratings | None) -> None:
        """Say what the entrants' ratings are after all games; else they are computed."""
        self._curves.last = ratings

    def finish(self) -> None:
        """Nothing more is to be played: the competition will be marked as finished, not as interrupted."""
        self._writer.is_over = True

    @property
    def name(self) -> str:
        """What the store calls it."""
        return self._competition.name

    @property
    def number(self) -> int:
        """Its number in the store, which is part of its page's address."""
        return self._competition.id

    def has_failed(self) -> bool:
        """Whether nothing is written any more."""
        return self._writer.problem is not None

    def raise_problem(self) -> None:
        """Raises: StoreError: not all is in the store, as turned out when this was left."""
        if self._problem:
            raise StoreError(self._problem)

    def _tell(self, results: Sequence[GameResult]) -> None:
        self.games += len(results)
        for result in results:
            if self._on_safe is not None:
                self._on_safe(result)
        self._curves.add(results)

    def __exit__(self, *error: object) -> None:
        try:
            self._opened.close()
        except StoreError as problem:
            self._problem = self._writer.loss or str(problem)
