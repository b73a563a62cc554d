"""How often RoboDerby's players win: planner over greedy, racer over planner, and both over random play, which nobody may stall against.

Games come in pairs: the same deal, letters and dice, with the seats swapped. A game is won by who finishes in an earlier turn; the same turn is a draw. Beside
the points (a draw is half a one) stands their 95 % interval, from the means of pairs; beside the turns, how many games met the turn limit.

``python -m benchmarks strength_roboderby`` plays a few games. The whole measurement can be stopped and gone on with::

    python -m benchmarks.strength_roboderby racer planner --games 400 --results strength.jsonl
"""

from __future__ import annotations

import argparse
import math
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import ludarium
from ludarium.arena import play_game
from ludarium.core.options import parse_assignments
from ludarium.errors import LudariumError

from .harness import Row, at_least, shared
from .kept import games_so_far

PAIRS = (("planner", "greedy", 40, 0.6), ("racer:sims=400", "planner", 20, 0.7))
"""What ``rows`` measures: player, opponent, games, and the share of the points that it has to make."""


@dataclass(frozen=True)
class Setting:
    """What is measured. Only so many ``boards`` are dealt where that is not 0; after them the first one comes again, with other dice."""

    player: str
    opponent: str
    boards: int = 0
    seed: int = 0
    options: dict[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True)
class Played:
    """One game. ``points`` are the player's: 1, 0.5 or 0."""

    number: int
    points: float
    turns: int
    finished: bool
    forfeited: bool


def play(setting: Setting, number: int) -> Played:
    """Play the game of a number. Numbers ``2n`` and ``2n + 1`` are a pair."""
    game = ludarium.game("roboderby", **setting.options)
    pair = number // 2
    start = game.start(seed=1_000_000 * setting.seed + (pair % setting.boards if setting.boards else pair))
    seats = [setting.player, setting.opponent]
    seat = number % 2
    timeline = play_game(game, seats[::-1] if seat else seats, start=start, seed=1_000_000 * setting.seed + pair)
    outcome = timeline.outcome
    assert outcome is not None
    forfeited = any(event["event"] == "forfeit" for event in timeline.events)
    turns = int(timeline.state.record.turn)
    finished = bool((timeline.state.record.rank[: game.players] > 0).any())
    return Played(number, (1 + outcome.returns[seat]) / 2, turns, finished, forfeited)


def rows() -> Iterator[Row]:
    for player, opponent, games, target in PAIRS:

        def points(setting: Setting = Setting(player, opponent), games: int = games) -> float:
            return statistics.mean(play(setting, number).points for number in range(games))

        yield shared(f"{player}, mirrored pairs", "of the points", points, opponent, at_least(value=target), seconds=60)


def report(games: Sequence[Played]) -> str:
    """Wins, draws and losses, the points with their interval, and how long the games were."""
    won, drawn, lost = (sum(game.points == points for game in games) for points in (1, 0.5, 0))
    pairs = [
        (first.points + second.points) / 2
        for first, second in zip(games[::2], games[1::2], strict=False)
        if second.number == first.number + 1
    ]
    points = statistics.mean(game.points for game in games)
    width = 1.96 * statistics.stdev(pairs) / math.sqrt(len(pairs)) if len(pairs) > 1 else 1.0
    turns = sorted(game.turns for game in games)
    unfinished, forfeits = (sum(found) for found in ([not game.finished for game in games], [game.forfeited for game in games]))
    return (
        f"{len(games)} games: {won} won, {drawn} drawn, {lost} lost, {100 * points:.1f} % (± {100 * width:.1f}); turns: mean {statistics.mean(turns):.2f}, "
        f"median {statistics.median(turns):g}, most {turns[-1]}; without a finisher {unfinished}, forfeited {forfeits}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.strength_roboderby", description="How often one player wins over another.")
    parser.add_argument("player", nargs="?", default="racer", help="(racer)")
    parser.add_argument("opponent", nargs="?", default="planner", help="(planner)")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--boards", type=int, default=0, help="deal only so many boards (another one for each pair)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("-o", "--option", action="append", default=[], help="an option of the game, key=value")
    parser.add_argument("--results", type=Path, help="JSON Lines: what stands there is not played again")
    parser.add_argument("--quiet", action="store_true", help="print the last line only")
    arguments = parser.parse_args()
    try:
        options = parse_assignments(arguments.option)
    except LudariumError as problem:
        parser.error(str(problem))
    setting = Setting(arguments.player, arguments.opponent, arguments.boards, arguments.seed, options)
    games: list[Played] = []
    for games in games_so_far(arguments.results, setting, Played, play, arguments.games):
        if not arguments.quiet:
            print(f"\r{report(games)}", end="", flush=True)
    print(f"\r{report(games)}")


if __name__ == "__main__":
    main()
