"""The games of a competition: which are to be played, and one after the other played, in any process."""

from __future__ import annotations

import functools
import hashlib
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from ludarium.core.game import Game
from ludarium.core.random import generator_from
from ludarium.core.record import Header, Recorder, read_record
from ludarium.core.timeline import Event, Timeline
from ludarium.errors import BadRecord, PlayerFailed, StoreError, escaped, store_errors
from ludarium.players import PlayerSpec
from ludarium.players.programs import Conditions

from .openings import Openings
from .play import header_of, play_game, program, seat_player
from .terms import Terms
from .warm_up import SEAT, first_turns, warm_up

MOST_OPTION_SETS = 64
"""Option sets of a competition."""

OF_ROUNDS = 1 << 40
"""Names the streams of random numbers that rounds have, beside those of games, which have their numbers."""


@dataclass(frozen=True, order=True)
class GamePlan:
    """A game that is to be played."""

    number: int
    """From 0."""
    round: int
    """Games of a round have the same opening, deal and dice."""
    seats: tuple[int, ...]
    """Which player sits at each seat."""
    option_set: int = 0
    """The number of the game's options among the option sets of the competition."""

    @classmethod
    def at(cls, table: Sequence[int], game: int, before: int = 0, option_set: int = 0) -> GamePlan:
        """A game of a table, from 0, after so many of others: its players go on by one seat a game, and in a round each sits once at each seat."""
        seats = len(table)
        return cls(before + game, game // seats, tuple(table[(seat - game) % seats] for seat in range(seats)), option_set)

    @property
    def record_name(self) -> str:
        """The name of the file that has its record."""
        return f"game-{self.number + 1:04}.jsonl"


@dataclass(frozen=True)
class GameResult:
    """How one game ended."""

    plan: GamePlan
    returns: tuple[float, ...]
    """By seat, in [−1, 1]."""
    reason: str
    forfeits: Mapping[int, str]
    """The reasons of those who lost by their own conduct, by seat, the first one first."""
    plies: int
    digest: str
    """Equal for games of equal actions."""
    unrecorded: str | None
    """Why it has no whole record, where it should have one."""
    record: Path | None = field(default=None, compare=False)
    seed: int | None = field(default=None, compare=False)
    opening: str = field(default="", compare=False)
    """The position that it began from."""
    started: float | None = field(default=None, compare=False)
    """In seconds since 1970, as ``finished``."""
    finished: float | None = field(default=None, compare=False)
    out: Mapping[int, int] = field(default_factory=dict[int, int])
    """The players who left a game for three or more, by seat, with the number of the state in which they were out."""
    thinking: Mapping[int, tuple[int, float]] = field(default_factory=dict[int, tuple[int, float]], compare=False)
    """By seat the number of actions whose time is known, and the seconds that they took together."""
    failed_start: str = field(default="", compare=False)
    """See :func:`failed_start`."""

    @property
    def number(self) -> int:
        return self.plan.number

    @property
    def forfeited(self) -> tuple[int, ...]:
        """The players who lost by their own conduct."""
        return tuple(self.plan.seats[seat] for seat in self.forfeits)

    def return_of(self, player: int) -> float:
        """The return of one of those who sat there."""
        return self.returns[self.plan.seats.index(player)]


@dataclass(frozen=True)
class GameJob:
    """All that a process needs to know to play any game of a competition."""

    games: tuple[Game, ...]
    """One for each option set of the competition."""
    players: tuple[str, ...]
    seed: int
    openings: Openings
    records: Path | None
    terms: Terms

    @property
    def game(self) -> Game:
        """The game with the first option set."""
        return self.games[0]

    def record_of(self, plan: GamePlan) -> Path | None:
        return self.records / plan.record_name if self.records else None

    def warm_up(self) -> None:
        for game in self.games:
            turns = first_turns(game, self.openings.start(game, 0, self.seed))
            for spec in _specs_of(game, self.players, self.terms.programs):
                if turns and not spec.is_program:
                    with (
                        suppress(PlayerFailed),
                        closing(seat_player(Timeline(turns[0]), spec, SEAT, 0)) as player,
                    ):  # the game shows it as a forfeit
                        warm_up(player, turns)

    def __call__(self, plan: GamePlan, interrupted: Callable[[], bool]) -> GameResult | None:
        """None if it was interrupted."""
        if self.terms.time:
            _warm_up_here(self)  # nobody loads its machine code at the expense of its clock
        game = self.games[plan.option_set]
        specs = _specs_of(game, self.players, self.terms.programs)
        players = [specs[player] for player in plan.seats]
        seed, dice_seed = self._seeds(plan)
        problems: list[str] = []
        started = time.time()
        start, opening = self.openings.begin(game, plan.round, dice_seed)
        with self._recorded(plan, header_of(game, players, seed, dice_seed), problems) as listeners:
            timeline = play_game(
                game,
                players,
                start=start,
                opening=opening,
                seed=seed,
                dice_seed=dice_seed,
                log=self.record_of(plan),
                terms=self.terms.seated(plan.seats),
                listeners=listeners,
                interrupted=interrupted,
            )
        result = result_of(plan, timeline, problems[0] if problems else None)
        if result is None:
            return None
        failed = failed_start(timeline, players, is_match=len(self.players) == game.players)
        return replace(result, record=self.record_of(plan), seed=seed, started=started, finished=time.time(), failed_start=failed)

    def _seeds(self, plan: GamePlan) -> tuple[int, int]:
        """What players draw from, and dice."""
        return int(generator_from(self.seed, plan.number)[0] >> 11), int(generator_from(self.seed, OF_ROUNDS, plan.round)[0] >> 11)

    def recorded(self, plan: GamePlan) -> GameResult | None:
        """The result of a game that has been played, as its record says; None where there is no record of that game to its end."""
        path = self.record_of(plan)
        if path is None or not path.exists():
            return None
        try:
            record = read_record(path)
            game = self.games[plan.option_set]
            specs = _specs_of(game, self.players, self.terms.programs)
            header = header_of(game, [specs[player] for player in plan.seats], *self._seeds(plan))
            is_this_game = record.is_finished and replace(record.header, time="") == replace(header, time="")
            result = result_of(plan, record.replay()) if is_this_game else None
            started = datetime.fromisoformat(record.header.time).timestamp()
        except (BadRecord, ValueError):
            return None
        return result and replace(result, record=path, seed=header.seed, started=started, finished=path.stat().st_mtime)

    @contextmanager
    def _recorded(self, plan: GamePlan, header: Header, problems: list[str]) -> Generator[list[Callable[[Event], None]]]:
        """What listens to a game and writes its record. The game is more important: why that cannot be done is added to ``problems``."""
        path, recorder = self.record_of(plan), None
        try:
            recorder = Recorder(path, header) if path else None
        except StoreError as problem:
            problems.append(str(problem))
        yield [recorder.write] if recorder else []
        try:
            if recorder:
                recorder.close()
        except StoreError as problem:
            problems.append(str(problem))

    def name(self, plan: GamePlan) -> str:
        return f"game {plan.number + 1}"

    def undo(self, plan: GamePlan) -> None:
        if (record := self.record_of(plan)) is not None:
            with store_errors(f"{record} cannot be removed"):
                record.unlink(missing_ok=True)


def forfeit_lines(game: GameResult, names: Sequence[str]) -> list[str]:
    """Return a line for each player of a game who lost by its conduct.

    Args:
        names: the names of the competition's players.
    """
    why = game.forfeits if len(game.returns) > 2 else dict.fromkeys(game.forfeits, game.reason)
    return [f"game {game.number + 1}: {names[game.plan.seats[seat]]} lost by forfeit: {reason}" for seat, reason in why.items()]


@functools.lru_cache(maxsize=1)
def _warm_up_here(job: GameJob) -> None:
    """Once in every process."""
    job.warm_up()


@functools.lru_cache(maxsize=MOST_OPTION_SETS)
def _specs_of(game: Game, players: tuple[str, ...], conditions: Conditions) -> tuple[PlayerSpec, ...]:
    """The players, read once in every process."""
    return tuple(program(player, game, conditions) for player in players)


def failed_start(timeline: Timeline, players: Sequence[PlayerSpec], *, is_match: bool) -> str:
    """Return the reason why a program did not start, or in a match ended before its first action; empty if none did.

    In a tournament one that starts and ends then loses its games, and the others play on.
    """
    if timeline.has_begun and not is_match:
        return ""
    for seat, reason in timeline.forfeits.items():
        # And not what a program gives as its own reason.
        is_end = not timeline.has_begun or reason.startswith(f"crash: {escaped(players[seat].text)} ")
        if players[seat].is_program and is_end and not timeline.has_acted(seat):
            return reason
    return ""


def result_of(plan: GamePlan, timeline: Timeline, unrecorded: str | None = None) -> GameResult | None:
    """How a game went, but for its times; None for a game that was cut off."""
    if timeline.outcome is None:
        return None
    actions = repr([[(seat, action.index) for seat, action in step.actions.items()] for step in timeline.steps])
    return GameResult(
        plan,
        timeline.outcome.returns,
        timeline.outcome.reason,
        dict(timeline.forfeits),
        timeline.ply,
        hashlib.sha256(actions.encode()).hexdigest(),
        unrecorded,
        opening=timeline.steps[0].state.text,
        out=dict(timeline.out),
        thinking=dict(timeline.thinking),
    )
