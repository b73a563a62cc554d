"""How often hexabomb's players win: bomber over random, and search over bomber.

The one that is measured sits at one seat, the other at all the others; seats and maps take turns, and a game is won by the strictly highest score.
Where a map has places for more than two, ``--duels`` lets only two play. Beside the share of games won stands its 95 % interval.

``python -m benchmarks strength_hexabomb`` plays a few games. The whole measurement can be stopped and gone on with::

    python -m benchmarks.strength_hexabomb search bomber --games 100 --results strength.jsonl
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import ludarium
from ludarium.arena import play_game

from .harness import Row, at_least, shared
from .kept import games_so_far

MAPS = ("tiny2", "glade2", "garden3", "lair4", "meadow4", "star6")
PAIRS = (("bomber", "random", 30, 1.0), ("search:sims=300", "bomber", 12, 0.8))
"""What ``rows`` measures: player, opponent, games, and the share of them that has to be won."""


@dataclass(frozen=True)
class Setting:
    """What is measured."""

    player: str
    opponent: str
    duels: bool
    seed: int


@dataclass(frozen=True)
class Played:
    """One game."""

    number: int
    map: str
    seat: int
    score: int
    best_other: int

    @property
    def won(self) -> bool:
        return self.score > self.best_other


def play(setting: Setting, number: int) -> Played:
    """Play the game of a number, which decides its map, its seat and its seed."""
    name = MAPS[number % len(MAPS)]
    game = ludarium.game("hexabomb", map=name, players=2 if setting.duels else None)
    seat = number // len(MAPS) % game.players
    specs = [setting.player if one == seat else setting.opponent for one in range(game.players)]
    scores = play_game(game, specs, seed=setting.seed + number).state.record.score[: game.players].tolist()
    own = scores.pop(seat)
    return Played(number, name, seat, own, max(scores))


def interval(won: int, games: int) -> tuple[float, float]:
    """The 95 % interval of a share of games won (Wilson 1927)."""
    z, share = 1.96, won / games
    middle, width = share + z * z / (2 * games), z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return (middle - width) / (1 + z * z / games), (middle + width) / (1 + z * z / games)


def rows() -> Iterator[Row]:
    for player, opponent, games, target in PAIRS:

        def won(setting: Setting = Setting(player, opponent, False, 0), games: int = games) -> float:
            return sum(play(setting, number).won for number in range(games)) / games

        yield shared(f"{player} at one seat, {len(MAPS)} maps", "of the games", won, opponent, at_least(value=target), seconds=10)


def report(games: Sequence[Played]) -> str:
    """The share of games won with its interval, and how many were won on each map."""
    won = sum(game.won for game in games)
    low, high = interval(won, len(games))
    by_map = {name: [game.won for game in games if game.map == name] for name in MAPS}
    details = ", ".join(f"{name} {sum(found)}/{len(found)}" for name, found in by_map.items() if found)
    return f"{won} of {len(games)} won, {100 * won / len(games):.0f} % ({100 * low:.0f} to {100 * high:.0f}): {details}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.strength_hexabomb", description="How often one player wins over another.")
    parser.add_argument("player", nargs="?", default="search", help="the one at one seat (search)")
    parser.add_argument("opponent", nargs="?", default="bomber", help="the one at all the others (bomber)")
    parser.add_argument("--games", type=int, default=24)
    parser.add_argument("--duels", action="store_true", help="two players on every map")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--results", type=Path, help="JSON Lines: what stands there is not played again")
    arguments = parser.parse_args()
    setting = Setting(arguments.player, arguments.opponent, arguments.duels, arguments.seed)
    for games in games_so_far(arguments.results, setting, Played, play, arguments.games):
        print(f"\r{report(games)}", end="", flush=True)
    print()


if __name__ == "__main__":
    main()
