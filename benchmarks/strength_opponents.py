"""What each opponent that people can choose scores over the one before it, for two players on the default board.

``python -m benchmarks strength_opponents`` plays a few games of each two neighbours. The tables of the documentation come from::

    python -m benchmarks.strength_opponents hexabomb --games 400
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise

import ludarium
from ludarium.players import Opponent, opponents_of

from .harness import Row, at_least, shared
from .strength_hexabomb import interval

FEW = 20


def points(game: str, stronger: Opponent, weaker: Opponent, games: int) -> float:
    """The share of the points that the stronger one makes; they exchange seats."""
    match = ["match", game, stronger.spec, weaker.spec, "-n", str(games), "--workers", "1", "--seed", "1", "--json"]
    played = subprocess.run([sys.executable, "-m", "ludarium", *match], check=True, stdout=subprocess.PIPE)
    return json.loads(played.stdout)["players"][0]["points"] / games


def rows() -> Iterator[Row]:
    for game in ludarium.list_games():
        for weaker, stronger in pairwise(opponents_of(ludarium.game(game))):

            def made(game: str = game, weaker: Opponent = weaker, stronger: Opponent = stronger) -> float:
                return points(game, stronger, weaker, FEW)

            yield shared(f"{game}: {stronger.name}, {FEW} games", "of the points", made, weaker.name, at_least(value=0.5), seconds=10)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.strength_opponents", description="The steps between a game's opponents.")
    parser.add_argument("game", choices=ludarium.list_games())
    parser.add_argument("--games", type=int, default=400, help="of each two (400)")
    arguments = parser.parse_args()
    for weaker, stronger in pairwise(opponents_of(ludarium.game(arguments.game))):
        share = points(arguments.game, stronger, weaker, arguments.games)
        low, high = interval(round(share * arguments.games), arguments.games)
        print(f"{stronger.name} over {weaker.name}: {100 * share:.0f} % ({100 * low:.0f} to {100 * high:.0f})", flush=True)


if __name__ == "__main__":
    main()
