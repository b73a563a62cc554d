"""``ludarium perft``: count lines of play."""

from __future__ import annotations

import json
import time
from typing import Annotated

import typer

from .common import GameName, GameOptions, chosen_position, whole_number
from .live_line import LiveLine

MOST = 100


def command(
    game: GameName,
    depth: Annotated[int, typer.Argument(metavar="DEPTH", parser=whole_number(0, MOST), help="How many actions long.")],
    text: Annotated[
        str | None, typer.Option("--position", metavar="TEXT", help="Count from this position instead of the initial one.")
    ] = None,
    divide: Annotated[bool, typer.Option("--divide", help="Count for each first action by itself.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    options: GameOptions = None,
) -> None:
    """Count the positions after exactly DEPTH actions, along every line of play.

    Limits on a game's length and repetition are not looked at. The counts are known, so they check the rules and measure their speed.
    """
    from ludarium.search.perft import perft, perft_divide

    state = chosen_position(game, options, text)
    perft(state, min(depth, 1))  # loads or compiles the code, which is not to be timed
    with LiveLine() as line:

        def progress(leaves: int) -> None:
            line.show(f"{leaves:,} leaves so far")

        started = time.perf_counter()
        parts = {action.text: count for action, count in perft_divide(state, depth, progress).items()} if divide else {}
        leaves = sum(parts.values()) if divide else perft(state, depth, progress)
        seconds = time.perf_counter() - started
    rate = round(leaves / max(seconds, 1e-9))
    if as_json:
        print(json.dumps({"leaves": leaves, "leaves_per_second": rate} | ({"divide": parts} if divide else {})))
        return
    width = max((len(text) for text in parts), default=0)
    for name, count in parts.items():
        print(f"{name:<{width}}  {count:>15,}")
    print(f"{leaves:,} leaves at depth {depth} in {seconds:.3f} s, {rate:,} a second")
