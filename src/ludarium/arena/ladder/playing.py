"""One game of a ladder, played by the judge."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ludarium.arena.games import GamePlan, GameResult, result_of
from ludarium.arena.play import play_game
from ludarium.arena.terms import Terms
from ludarium.core.game import Game
from ludarium.core.record import Header, Recorder
from ludarium.core.timeline import Timeline
from ludarium.errors import StoreError
from ludarium.players import PlayerKind, PlayerSpec
from ludarium.players.programs.player import Lender, ProgramPlayer

SEED_BITS = 53
"""Of a game's seed: as many as every language's numbers hold."""


@dataclass(frozen=True)
class Told:
    """The players of a game as the judge describes them to bots. Lists have an item for each seat."""

    names: Sequence[str]
    ratings: Sequence[float | None]
    ranks: Sequence[int | None]
    is_hidden: bool
    """True if a bot sees only its own name until the result."""

    def before(self, seat: int) -> dict[str, Any]:
        """Return the extra keys of the ``game`` message for the bot at a seat."""
        return {
            name: [value if number == seat or not self.is_hidden else None for number, value in enumerate(values)]
            for name, values in self._everything.items()
        }

    def after(self) -> dict[str, Any]:
        """Return the extra keys of the ``result`` message, which are the same for all bots."""
        return self._everything if self.is_hidden else {}

    @property
    def _everything(self) -> dict[str, Sequence[Any]]:
        return {"names": self.names, "ratings": self.ratings, "ranks": self.ranks}


def play(
    game: Game,
    plan: GamePlan,
    names: Sequence[str],
    lenders: Sequence[Lender],
    told: Told,
    terms: Terms,
    record: Path,
    *,
    on_begin: Callable[[Timeline, Header], None],
    keep: Callable[[GameResult], None],
    interrupted: Callable[[], bool],
) -> GameResult | None:
    """Play a game between lent players, by seat, and write its record; return None if it was interrupted, which leaves the record without an end.

    Players draw from another seed than dice, so that nobody finds the dice by the seed that it is told.

    Args:
        told: what bots learn of each other.
        on_begin: told the timeline before anything is played, and what the record says first.
        keep: called with the result before the players are told; they wait until it returns.

    Raises:
        StoreError: the record cannot be begun, and nothing was played.
    """
    seed, dice_seed = secrets.randbits(SEED_BITS), secrets.randbits(SEED_BITS)
    header = Header.of(game, names, seed, dice_seed)
    recorder = Recorder(record, header)
    started = time.time()

    def begin(timeline: Timeline) -> None:
        timeline.pack()
        on_begin(timeline, header)

    result: GameResult | None = None

    def end(timeline: Timeline) -> None:
        nonlocal result
        problem = None
        try:
            recorder.close()
        except StoreError as failed:
            problem = str(failed)
        if found := result_of(plan, timeline, problem):
            result = replace(found, record=record, seed=seed, started=started, finished=time.time())
            keep(result)

    try:
        play_game(
            game,
            [_lent(name, lender, told, seat) for seat, (name, lender) in enumerate(zip(names, lenders, strict=True))],
            seed=seed,
            dice_seed=dice_seed,
            terms=terms,
            listeners=[recorder.write],
            on_begin=begin,
            on_end=end,
            interrupted=interrupted,
        )
    finally:
        with suppress(StoreError):  # reported in the result
            recorder.close()
    return result


def _lent(name: str, lender: Lender, told: Told, seat: int) -> PlayerSpec:
    def make(game: Game, options: Mapping[str, Any], seed: int) -> ProgramPlayer:
        return ProgramPlayer(lender, seed, told.before(seat), told.after())

    kind = PlayerKind(name, "plays on a ladder", (), make)
    return PlayerSpec(name, kind, {}, is_program=True)
