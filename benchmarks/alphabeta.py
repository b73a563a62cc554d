"""Alpha-beta on one core, in nodes (actions applied) a second of processor time, beside what one core plays at random without any search or evaluation."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import ludarium
from ludarium.core.game import State
from ludarium.search import alphabeta, playouts

from .harness import Row, at_least, compare

NODES = 3_000_000
PLAYOUTS = 8_000

POSITIONS = {
    "the start": "BB.BB.BB/BB.BB.BB/......../......../......../......../WW.WW.WW/WW.WW.WW w 0",
    "an opening": "BB.BB(2).../BB.B..BB/......W./....B(2).../......W./......../WW.WW..W/WW..W(2)..W w 8",
    "a middlegame": "BB.BB(2).../...B..BB/.W.W..W./.B..B.../......W./.B..B.../WW(2).W...W/WW.....W w 16",
    "an endgame": "......../......../......../....B.../.B....W./......../...W...W/.......W w 24",
}


def processor_rate(work: Callable[[], int]) -> float:
    """How much work a second of processor time, which other programs on the machine do not use up."""
    start = time.process_time()
    done = work()
    return done / (time.process_time() - start)


def rows() -> Iterator[Row]:
    game = ludarium.game("expendibots")
    start = game.start()

    def search(state: State) -> int:
        return alphabeta(state, nodes=NODES).nodes

    def play() -> int:
        return playouts(start, PLAYOUTS).plies

    for name, text in POSITIONS.items():
        state = game.parse(text)
        yield compare(
            f"alpha-beta from {name} of Expendibots",
            "nodes/s",
            lambda state=state: processor_rate(lambda: search(state)),
            "random playouts from the start, plies/s",
            lambda: processor_rate(play),
            at_least(value=5_000_000),
        )
