"""What ``ludarium match --store`` does with its results."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from datetime import datetime

from ludarium.arena import GameResult
from ludarium.arena.store import Writer, begin, entrants_of, open_database
from ludarium.arena.store.schema import LONGEST_NAME
from ludarium.core.game import Game
from ludarium.errors import StoreError


class KeptMatch(AbstractContextManager["KeptMatch"]):
    """Has results written to the store, which is opened at once. The match begins there with its first result, so that one that is refused leaves nothing."""

    def __init__(self, game: Game, players: Sequence[str], games: int, seed: int, on_safe: Callable[[GameResult], None]) -> None:
        self._game = game
        self._players = players
        self._config = json.dumps({"options": dict(game.options), "games": games, "seed": seed})
        self._on_safe = on_safe
        self._games = games
        self._writer: Writer | None = None
        self._database = open_database()
        self._not_kept = ""
        begun = datetime.now().isoformat(" ", "seconds")
        self.name = f"{begun} {game.id}, seed {seed}: {' - '.join(players)}"[:LONGEST_NAME]

    def add(self, result: GameResult) -> None:
        """Have a result written soon."""
        if self._writer is None:
            self._competition = begin(self._database, self.name, "match", self._game, entrants_of(self._players), self._config)
            self._writer = Writer(self._competition, self._tell)
        self._writer.add(result)

    def _tell(self, results: Sequence[GameResult]) -> None:
        for result in results:
            self._games -= 1
            self._on_safe(result)

    def has_failed(self) -> bool:
        """Whether nothing is written any more."""
        return self._writer is not None and self._writer.problem is not None

    def raise_problem(self) -> None:
        """Raises: StoreError: not all results are in the store."""
        if self._not_kept:
            raise StoreError(self._not_kept)

    def __exit__(self, *error: object) -> None:
        try:
            if self._writer is not None:
                self._writer.close()
                if not self._games:
                    self._competition.finish()
        except StoreError as problem:
            self._not_kept = str(problem)
        self._database.close()
