"""Games between random players, with their course kept and every choice checked, against their rules' kernels called one after the other from Python."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator

import numpy as np

import ludarium
from ludarium.arena import match, play_game
from ludarium.core import faces
from ludarium.core.random import generator_from
from ludarium.core.rules import CHANCE

from .harness import Row, at_least, rate

PLIES = 3000
MATCH = 500
GAMES = ("expendibots", "expand-conquer", "hexabomb", "roboderby")


def rows() -> Iterator[Row]:
    for id in GAMES:
        game = ludarium.game(id)
        yield Row(
            f"play_game of {game.title}, random players",
            "plies/s",
            lambda game=game: rate(lambda: played(game), time.thread_time),
            "its kernels called from Python",
            lambda game=game: rate(lambda: stepped(game), time.thread_time),
            at_least(ratio=0.25),
        )
    yield Row(
        "a match of Expendibots, random players, one process",
        "games/s",
        lambda: rate(matched, time.thread_time),
        "play_game alone",
        lambda: rate(played_games, time.thread_time),
        at_least(value=2000),
    )


def matched() -> int:
    return len(match(ludarium.game("expendibots"), ["random", "random"], games=MATCH, seed=1).games)


def played_games() -> int:
    game = ludarium.game("expendibots")
    for seed in range(MATCH):
        play_game(game, ["random", "random"], seed=seed)
    return MATCH


def played(game: ludarium.Game) -> int:
    plies = seed = 0
    while plies < PLIES:
        plies += play_game(game, ["random"] * game.players, seed=seed).ply
        seed += 1
    return plies


def stepped(game: ludarium.Game) -> int:
    """The same without states: whose turn it is, what is legal in each slot, a choice, a copy, a step."""
    tables, size = game.tables, game.dimensions
    choice, generator = random.Random(0), generator_from(0)
    out, joint = np.zeros(size.max_actions, np.int64), np.zeros((game.players, size.slots), np.int64)
    records, plies = game.start().copy_records(), 0
    while plies < PLIES:
        movers = faces.to_move_face(tables, records)
        if not movers:
            records = game.start().copy_records()
            continue
        plies += 1
        records = np.frombuffer(bytearray(records.tobytes()), game.dtype)
        if movers == CHANCE:
            faces.apply_chance_face(tables, records, faces.sample_chance_face(tables, records, generator))
            continue
        for player in range(game.players):
            for slot in range(size.slots if movers >> player & 1 else 0):
                joint[player, slot] = out[choice.randrange(faces.legal_actions_face(tables, records, player, slot, out))]
        faces.apply_actions_face(tables, records, joint)
    return plies
