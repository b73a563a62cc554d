"""A built-in player as a bot by the protocol of ``docs/bots.md``, so that players of two versions of Ludarium can be matched::

    git worktree add ../before 5466db0
    ludarium sprt expendibots "cmd:python benchmarks/seat.py alphabeta:time=10ms" \
        "cmd:env PYTHONPATH=../before/src python benchmarks/seat.py alphabeta:time=10ms" --sandbox off --elo1 20 --games 5000 --openings FILE

Its times are processor times: other programs on the machine take nothing of them. ``python benchmarks/seat.py --openings N`` prints N positions to start
from, the same ones always: each is six random plies of Expendibots away from its start, without an explosion. With ``--within SCORE`` only those are kept that
alpha-beta of this version judges at most so many hundredths of a token away from even, after 30,000 positions.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Iterator
from itertools import islice

import ludarium
from ludarium.core.game import State
from ludarium.players import parse_player
from ludarium.search import alphabeta, mcts

for search in (alphabeta, mcts):
    search.__kwdefaults__["clock"] = time.thread_time  # players name none, in whichever version

PLIES = 6

JUDGED = 30_000
"""Nodes."""


def serve(spec: str) -> None:
    """Answer on the standard output, for one game after the other."""
    game = ludarium.game("expendibots")
    state = game.start()
    player = parse_player(spec, game).make(game, 0)
    player.choose(state, 0)  # loads machine code
    for line in sys.stdin:
        message = json.loads(line)
        answer = None
        if message["type"] == "hello":
            answer = {"type": "ready", "name": spec, "send": []}
        elif message["type"] == "game":
            game = ludarium.game(message["game"], **message["options"])
            state = game.parse(message["position"])
            player = parse_player(spec, game).make(game, message["seed"])
        elif message["type"] == "turn":
            for event in message["events"]:
                state = state.play(*event["actions"].values())
            answer = {"type": "action", "action": player.choose(state, state.to_move[0]).index}
        if answer is not None:
            print(json.dumps(answer), flush=True)


def openings(chance: random.Random, within: int | None) -> Iterator[State]:
    """Without end; the balanced ones, if it is said how far from even they may be."""
    while True:
        state = ludarium.game("expendibots").start()
        for _ in range(PLIES):
            state = state.play(chance.choice([action for action in state.actions(state.to_move[0]) if not action.text.endswith("!")]))
        if within is None or abs(alphabeta(state, nodes=JUDGED).score) <= within:
            yield state


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="A built-in player as a bot that counts processor time.")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("spec", nargs="?", help="the player, such as alphabeta:time=10ms")
    what.add_argument("--openings", type=int, metavar="N", help="print so many positions to start from")
    parser.add_argument("--within", type=int, metavar="SCORE", help="of these only balanced ones, in hundredths of a token")
    arguments = parser.parse_args()
    if arguments.spec is not None:
        serve(arguments.spec)
    else:
        for state in islice(openings(random.Random(2026), arguments.within), arguments.openings):
            print(state.text)
