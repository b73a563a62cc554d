"""How much the strongest player of Expand and Conquer scores over Monte Carlo tree search with the same time a turn, on random starts of 8×8.

A *random start* has on every square a stone with a given probability, of either colour with equal probability, and nothing else; Left begins in those of even
number, Right in the others. Each start is played twice, from both sides, because most starts are won by one colour whoever begins. The score is the
share of games won, with a 95 % interval in which the starts count as independent, not the games.

``python -m benchmarks strength_expand_conquer`` plays a few short games. The whole measurement takes hours and can be stopped and gone on with::

    python -m benchmarks.strength_expand_conquer --starts 100 --time 1 --variant all-small --results strength.jsonl
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import ludarium
from ludarium.arena import play_game
from ludarium.arena.elo import elo_difference
from ludarium.core.game import Game
from ludarium.players import parse_player

from .harness import Row, at_least, shared
from .kept import games_so_far

SIDE = 8
VARIANTS = ("normal", "all-small")
STONES = 0.5
FEW_STONES = 0.15
PLAYER, OPPONENT = "perfect", "mcts"


@dataclass(frozen=True)
class Setting:
    """What is measured."""

    variant: str
    stones: float
    """The probability of a stone on a square."""
    seconds: float
    """A turn, for both players."""
    seed: int


@dataclass(frozen=True)
class Pair:
    """A start that was played from both sides."""

    number: int
    board: str
    first: str
    won: int
    """Games of the two that the player won."""


def random_start(setting: Setting, number: int) -> Game:
    """The game that begins with a random start; one in which who begins cannot move is drawn again."""
    chance = random.Random(f"{setting.seed} {number}")
    while True:
        squares = [chance.choice("OX") if chance.random() < setting.stones else "*" for _ in range(SIDE * SIDE)]
        board = "|".join("".join(squares[row : row + SIDE]) for row in range(0, SIDE * SIDE, SIDE))
        game = ludarium.game("expand-conquer", start=board, variant=setting.variant, first="LR"[number % 2])
        if not game.start().is_over:
            return game


def play_pair(setting: Setting, number: int) -> Pair:
    """Play one start from both sides."""
    game = random_start(setting, number)
    won = 0
    for seat in range(2):
        names = [OPPONENT, OPPONENT]
        names[seat] = PLAYER
        played = play_game(game, [parse_player(f"{name}:time={setting.seconds}s", game) for name in names], seed=setting.seed + number)
        assert played.outcome is not None
        won += played.outcome.winner == seat
    return Pair(number, game.options["start"], game.options["first"], won)


def warm_up(variant: str) -> None:
    """Compile what is not in the cache yet, outside of any game that counts."""
    play_pair(Setting(variant, STONES, 0.01, 0), 0)


def score(pairs: Sequence[Pair]) -> tuple[float, float, float]:
    """The share of games won, and the bounds of its 95 % interval: a start counts as one game, drawn if each side won once."""
    wins, draws, losses = (sum(pair.won == count for pair in pairs) for count in (2, 1, 0))
    found = elo_difference(wins, draws, losses)
    low, high = (end if bound is None else 1 / (1 + 10 ** (-bound / 400)) for end, bound in ((0.0, found.low), (1.0, found.high)))
    return (wins + draws / 2) / len(pairs), low, high


def rows() -> Iterator[Row]:
    for variant in VARIANTS:

        def won(variant: str = variant) -> float:
            warm_up(variant)
            return score([play_pair(Setting(variant, STONES, 0.05, 0), number) for number in range(10)])[0]

        name = f"{PLAYER} on 10 random {variant} starts of 8×8, both sides, 0.05 s a turn"
        yield shared(name, "of the games", won, OPPONENT, at_least(value=0.5), seconds=20)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.strength_expand_conquer", description=f"{PLAYER} against {OPPONENT}.")
    parser.add_argument("--variant", choices=VARIANTS, default=VARIANTS[0])
    parser.add_argument("--stones", type=float, default=STONES, help=f"probability of a stone on a square ({STONES}; {FEW_STONES} for few)")
    parser.add_argument("--starts", type=int, default=100)
    parser.add_argument("--time", type=float, default=1.0, help="seconds a turn for both players (1)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--results", type=Path, help="JSON Lines: what stands there is not played again")
    arguments = parser.parse_args()
    setting = Setting(arguments.variant, arguments.stones, arguments.time, arguments.seed)
    pairs: list[Pair] = []
    warm_up(setting.variant)
    for pairs in games_so_far(arguments.results, setting, Pair, play_pair, arguments.starts):
        share, low, high = score(pairs)
        print(f"\r{len(pairs)} starts: {100 * share:.1f} % ({100 * low:.1f} to {100 * high:.1f})", end="", flush=True)
    both, none = (sum(pair.won == count for pair in pairs) for count in (2, 0))
    print(f"; of {len(pairs)} starts, {both} were won from both sides, {none} lost from both, the others won by one colour")


if __name__ == "__main__":
    main()
