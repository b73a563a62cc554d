"""Whether races on a set of tiles can be finished."""

from __future__ import annotations

import itertools
import random

import numpy as np

from ludarium.games.roboderby.options import Rules
from ludarium.games.roboderby.sheets.boards import Deal, deal_text
from ludarium.games.roboderby.sheets.tile_sets import load_tiles
from ludarium.games.roboderby.solo.board import start_marks
from ludarium.games.roboderby.solo.dice import solo_dice


def ways_told(tiles: str, players: int) -> str | None:
    """From how many starts no way leads a robot alone to its finish, in one line; None: from all that were tried one does.

    Tried are all orders of the tiles, each turned in one way that is the same whenever it is asked, from both edges and all marks.
    """
    tile_set, turns = load_tiles(tiles, players), random.Random(0)
    deals = [Deal(order, tuple(turns.choices(range(4), k=4))) for order in itertools.permutations(range(4))]
    found: list[bool] = []
    for deal in deals:
        rules = Rules(players=players, tiles=tiles, board=deal_text(tile_set, deal))
        effects = np.unique(solo_dice(rules.load_dice().commands).effects)
        found += [mark.course.has_way(effects) for mark in start_marks(rules)]
    tried = f"{len(found)} starts on {len(deals)} deals that were tried"
    if not any(found):
        return f"Nobody can finish: from none of {tried} a way leads to the finish."
    return f"From {len(found) - sum(found)} of {tried} no way leads to the finish." if not all(found) else None
