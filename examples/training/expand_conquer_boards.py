"""Random boards of Expand and Conquer, one a line: ``python expand_conquer_boards.py 1000 7 --seed 1 > boards.txt``."""

import argparse
import random


def random_board(chance: random.Random, side: int, share: float) -> str:
    """Stones of both colours on a share of the squares each; who moves first is drawn, too."""
    stones = max(1, round(share * side * side))
    squares = list("O" * stones + "X" * stones + "*" * (side * side - 2 * stones))
    chance.shuffle(squares)
    return "|".join("".join(squares[row * side : (row + 1) * side]) for row in range(side)) + " " + chance.choice("LR")


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("count", type=int)
    arguments.add_argument("side", type=int)
    arguments.add_argument("--share", type=float, default=0.1)
    arguments.add_argument("--seed", type=int, default=1)
    given = arguments.parse_args()
    chance = random.Random(given.seed)
    for _ in range(given.count):
        print(random_board(chance, given.side, given.share))
