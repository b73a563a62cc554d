"""A program that writes a match to a store until it is killed: ``python -m tests.arena.store.killed STORE RECORDS GAMES [TOLD]``.

It goes on where it was killed before, and writes the number of every game that it is told is safe, a line each, to the file TOLD or standard output.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import ludarium
from ludarium.arena import GamePlan, GameResult, Openings
from ludarium.arena.games import GameJob
from ludarium.arena.store import Competition, Database, Entrant, Writer, begin, competitions, entrants_of, open_database, resume
from ludarium.arena.terms import FREE
from ludarium.core.game import Game
from ludarium.players import never

GAME = ludarium.game("tic-tac-toe")
PLAYERS = ("random", "random", "greedy")
SEED = 5
SEATS = ((0, 1), (2, 0), (1, 2), (1, 0), (0, 2), (2, 1))


def plans(games: int) -> list[GamePlan]:
    return [GamePlan(number, number // len(SEATS), SEATS[number % len(SEATS)]) for number in range(games)]


def job(records: Path | None) -> GameJob:
    return GameJob((GAME,), PLAYERS, SEED, Openings(), records, FREE)


def begin_match(database: Database, name: str, game: Game, entrants: Sequence[Entrant]) -> Competition:
    return begin(database, name, "match", game, entrants)


def write(store: str, records: Path, games: int, told: int) -> None:
    with open_database(store) as database:
        begin_or_resume = resume if competitions(database) else begin_match
        competition = begin_or_resume(database, "cup", GAME, entrants_of(PLAYERS))
        done = {result.number for result in competition.finished_games()}
        play = job(records)

        def tell(results: Sequence[GameResult]) -> None:
            os.write(told, b"".join(b"%d\n" % result.number for result in results))

        with Writer(competition, tell) as writer:
            for plan in plans(games):
                if plan.number not in done:
                    play.undo(plan)
                    result = play(plan, never)
                    assert result is not None
                    writer.add(result)
        competition.finish()


if __name__ == "__main__":
    write(
        sys.argv[1],
        Path(sys.argv[2]),
        int(sys.argv[3]),
        os.open(sys.argv[4], os.O_WRONLY | os.O_APPEND | os.O_CREAT) if len(sys.argv) > 4 else 1,
    )
