"""Whether a seat of hexabomb's maps is better than another: equal players play each other, and the wins of every seat are counted.

``python -m benchmarks seats_hexabomb`` plays some games on each map. The table of the documentation comes from::

    python -m benchmarks.seats_hexabomb --games 4000

A seat's share of the games that somebody won stands with its 95 % interval; p is how often seats that are equally good differ at least so much (chi-squared).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

import ludarium
from ludarium.core.jit import kernel
from ludarium.core.random import generator_from, random_below
from ludarium.core.rules import copy_state
from ludarium.games.hexabomb.bots.deciding import EVERYBODY, decide
from ludarium.games.hexabomb.bots.scratch import make_scratch
from ludarium.games.hexabomb.maps import load_map, map_names
from ludarium.games.hexabomb.turn import play_orders
from ludarium.search import playouts

from .harness import Row, at_least
from .strength_hexabomb import interval

GAMES = 600
SLICE = 100
"""Games that one call of the kernel plays."""

PLAYERS = {"random": None, "painter": 0, "bomber": 1}
"""The players whose games are counted, and whether they drop bombs when they choose what to do."""

UNLIKELY = 0.001
"""A benchmark of many maps fails where equal seats would differ so much less often than this."""


@dataclass(frozen=True)
class Seats:
    """What games of one player against itself came to."""

    map: str
    mode: str
    player: str
    wins: tuple[int, ...]
    """Of each seat; games that nobody won are not counted. The special player of sudden death is no seat."""
    games: int

    @property
    def decided(self) -> int:
        return sum(self.wins)

    @property
    def p(self) -> float:
        """The chance that equal seats differ at least so much."""
        from scipy.stats import chi2  # which comes with OpenSpiel and may be missing

        expected = self.decided / len(self.wins)
        return float(chi2.sf(sum((won - expected) ** 2 / expected for won in self.wins), len(self.wins) - 1)) if expected else 1.0


@kernel()
def play_games(tables: Any, states: Any, bombs: Any, scratch: Any, generator: Any, games: Any, wins: Any) -> None:
    """Play games with the same player at all seats, the special one being hunter, and count the wins of each.

    Args:
        states: three records: the start, the game, and one to work in.
        scratch: as for one player; what lives on in it is kept by character.
        wins: ``int64[players]``, to which is added.
    """
    state = states[1]
    for _ in range(games):
        copy_state(tables, states[0], state)
        for character in range(tables.characters):
            scratch.escape[character, 0] = -1
        while int(state.turn) < tables.turns:
            decide(tables, states[1:2], states[2:], EVERYBODY, bombs, scratch, generator)
            for character in range(tables.characters):
                state.orders[character] = scratch.orders[character]
            play_orders(tables, state, random_below(generator, len(tables.reception)))
        best, winner = -1, -1
        for player in range(tables.special, tables.players):
            score = int(state.score[player])
            if score == best:
                winner = -1
            elif score > best:
                best, winner = score, player
        if winner >= 0:
            wins[winner] += 1


def count(name: str, mode: str, player: str, games: int, seed: int = 0) -> Seats:
    """Play games on a map with all its places taken."""
    game = ludarium.game("hexabomb", map=name, mode=mode)
    bombs = PLAYERS[player]
    if bombs is None:
        return Seats(name, mode, player, playouts(game.start(), games, seed).wins, games)
    states = np.zeros(3, game.dtype)
    states[:1] = game.start().copy_records()
    scratch, generator = make_scratch(game.tables), generator_from(seed)
    wins = np.zeros(game.players, np.int64)
    for done in range(0, games, SLICE):
        play_games(game.tables, states, bombs, scratch, generator, min(SLICE, games - done), wins)
    return Seats(name, mode, player, tuple(wins[game.tables.special :].tolist()), games)


def settings() -> Iterator[tuple[str, str, str]]:
    """Map, mode and player: every map with every player, then sudden death where there is a place for the special player."""
    for name in map_names():
        for player in PLAYERS:
            yield name, "classic", player
    # In sudden death painter and bomber play alike, and random players die so early that hardly a game is decided.
    for name in map_names():
        if load_map(name).special:
            yield name, "sudden-death", "bomber"


def rows() -> Iterator[Row]:
    for setting in settings():
        name, target = f"p of equal seats: {', '.join(setting)}", at_least(value=UNLIKELY)
        yield Row(name, "", lambda setting=setting: count(*setting, GAMES).p, "what is unlikely", lambda: UNLIKELY, target, rounds=1)


def line(seats: Seats) -> str:
    """A line of the documentation's table."""
    shares: list[str] = []
    for won in seats.wins:
        low, high = interval(won, seats.decided)
        shares.append(f"{100 * won / seats.decided:.1f} ({100 * low:.1f} to {100 * high:.1f})")
    return f"| `{seats.map}` | {seats.mode} | {seats.player} | {', '.join(shares)} | {seats.games - seats.decided} | {seats.p:.2g} |"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.seats_hexabomb", description="Wins by seat of equal players, map by map.")
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    for setting in settings():
        print(line(count(*setting, arguments.games, arguments.seed)), flush=True)


if __name__ == "__main__":
    main()
