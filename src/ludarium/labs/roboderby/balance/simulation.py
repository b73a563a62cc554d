"""Whole games for the report: what is kept of each game, and batches of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import ExitStack

import numpy as np

from ludarium.arena.games import GamePlan
from ludarium.arena.play import ask, player_seed
from ludarium.core.game import State
from ludarium.core.random import generator_from
from ludarium.core.rules import CHANCE
from ludarium.games.roboderby.bots.greedy import command_distances
from ludarium.games.roboderby.bots.greedy_player import GreedyPlayer
from ludarium.games.roboderby.bots.scratch import make_scratch
from ludarium.games.roboderby.execution.trace import empty_log
from ludarium.games.roboderby.game import RoboDerby
from ludarium.games.roboderby.tables import ROBOTS, are_placed
from ludarium.players import Player, PlayerSpec, never

from .counting import OVER, TURN_OVER, Counts, play_turn, unturned_squares
from .drama import Drama

GAME_FACTS = ("turns", "lead changes", "settled", "arrears", "halfway", "lost")
"""What is kept of every game: how many turns it took, the drama, see :class:`.drama.Drama`, and how many robots no way led to the finish from their start."""

SEAT_FACTS = ("player", "letter", "rank")
"""And of every seat: which of the players sat there, the robot's letter from 0, its place (0: it did not finish)."""

Specs = Sequence[PlayerSpec]


class Interrupted(Exception):
    """The game is not wanted any more."""


def play_game(
    game: RoboDerby, specs: Specs, seed: int, number: int, counts: Counts, interrupted: Callable[[], bool] = never
) -> list[int] | None:
    """Play game ``number`` (from 0) of a seed, the same that ``ludarium match`` plays, and add to ``counts`` what happens in it.

    Returns:
        The facts of the game and then of each seat, in a row; None if it was interrupted, and then ``counts`` are of no use.

    Raises:
        PlayerFailed: a player did not play.
    """
    seats = GamePlan.at(range(len(specs)), number).seats
    game_seed = int(generator_from(seed, number)[0] >> 11)
    with ExitStack() as open_players:
        players = [specs[player].make(game, player_seed(game_seed, seat)) for seat, player in enumerate(seats)]
        for player in players:
            open_players.callback(player.close)
        try:
            table = _Table(game, players, game_seed, interrupted)
            return table.play(counts, seats)
        except Interrupted:
            return None


class _Table:
    """One game: its state, its players and their random numbers."""

    def __init__(self, game: RoboDerby, players: Sequence[Player], game_seed: int, interrupted: Callable[[], bool]) -> None:
        self.game, self.players, self.interrupted = game, players, interrupted
        self.chance = generator_from(game_seed, 0)
        self.greedy = sum(1 << seat for seat, player in enumerate(players) if type(player) is GreedyPlayer)
        self.generators = np.stack([generator_from(player_seed(game_seed, seat)) for seat in range(len(players))])

    def play(self, counts: Counts, seats: Sequence[int]) -> list[int]:
        game, tables = self.game, self.game.tables
        states = self._laid_board().copy_records()
        solos = [command_distances(tables, states[0], seat) for seat in range(game.players)]
        by_robot = tuple(solos[min(robot, len(solos) - 1)] for robot in range(ROBOTS))
        joint = np.full((game.players, 1), -1, np.int64)
        left = np.array([solo.lap_value for solo in solos])
        drama = Drama(left)
        scratch, log, unturned = make_scratch(), empty_log(), unturned_squares(tables.size)
        astray = np.zeros(game.players, np.int64)
        given = 0
        while True:
            asked = play_turn(
                tables,
                states,
                given,
                joint,
                self.greedy,
                by_robot,
                scratch,
                self.generators,
                self.chance,
                log,
                unturned,
                astray,
                counts,
                left,
            )
            given = 0
            if asked == OVER:
                break
            if self.interrupted():
                raise Interrupted
            if asked == TURN_OVER:
                drama.add(left)
            else:
                given = asked
                self._ask(State(game, states.copy()), joint, asked)
        end = states[0]
        ranks = [int(rank) for rank in end.rank[: game.players]]
        facts = [int(end.turn), *drama.facts(ranks), sum(math.isinf(solo.lap_value) for solo in solos)]
        for seat, player in enumerate(seats):
            facts += [player, int(end.letter[seat]), ranks[seat]]
        return facts

    def _laid_board(self) -> State:
        """The state in which the robots have come to their marks."""
        state = self.game.start()
        while not are_placed(state.record):
            if state.to_move == (CHANCE,):
                state = state.play(state.sample_chance(self.chance))
            else:
                state = state.play({seat: ask(self.players[seat], state, seat, self.interrupted)[0] for seat in state.to_move})
        return state

    def _ask(self, state: State, joint: np.ndarray, asked: int) -> None:
        for seat, player in enumerate(self.players):
            if asked >> seat & 1:
                action, _ = ask(player, state, seat, self.interrupted)
                joint[seat, 0] = action.index
        if self.interrupted():  # an interrupted thought is no choice
            raise Interrupted
