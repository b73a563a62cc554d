"""Alpha-beta on one core, in nodes (actions applied) a second of processor time, beside what one core plays at random without any search or evaluation."""

from __future__ import annotations

import functools
import time
from collections.abc import Iterator

import ludarium
from ludarium.core.game import State
from ludarium.search import alphabeta, playouts

from .harness import Row, at_least, rate

NODES = 3_000_000
PLAYOUTS = 8_000

POSITIONS = {
    "the start": "BB.BB.BB/BB.BB.BB/......../......../......../......../WW.WW.WW/WW.WW.WW w 0",
    "an opening": "BB.BB(2).../BB.B..BB/......W./....B(2).../......W./......../WW.WW..W/WW..W(2)..W w 8",
    "a middlegame": "BB.BB(2).../...B..BB/.W.W..W./.B..B.../......W./.B..B.../WW(2).W...W/WW.....W w 16",
    "an endgame": "......../......../......../....B.../.B....W./......../...W...W/.......W w 24",
}


def rows() -> Iterator[Row]:
    game = ludarium.game("expendibots")
    start = game.start()

    def search(state: State) -> float:
        return rate(lambda: alphabeta(state, nodes=NODES).nodes, time.process_time)

    def play() -> float:
        return rate(lambda: playouts(start, PLAYOUTS).plies, time.process_time)

    for name, text in POSITIONS.items():
        ours = functools.partial(search, game.parse(text))
        yield Row(
            f"alpha-beta from {name} of Expendibots", "nodes/s", ours, "random playouts from the start, plies/s", play, at_least(value=5e6)
        )
