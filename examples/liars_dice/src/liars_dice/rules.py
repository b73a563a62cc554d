"""The rules of Liar's Dice as compiled functions.

Action 0 calls the last bid a lie. Bids count from 1 in their order: 1 is one die of face 1, 6 is one of face 6, 7 is two of face 1.
A chance node rolls the dice under one player's cup; an outcome is a row of the tables' ``rolls``.
"""

from __future__ import annotations

import math
from itertools import combinations_with_replacement
from typing import Any, NamedTuple

import numpy as np

from ludarium.core.jit import compiled
from ludarium.core.random import random_unit
from ludarium.core.rules import (
    CHANCE,
    apply_actions,
    apply_chance,
    chance_outcomes,
    conceal,
    legal_actions,
    observe,
    resample_hidden,
    returns,
    sample_chance,
    to_move,
)

__all__ = ["DTYPE", "FACES", "LIAR", "MOST_DICE", "MOST_PLAYERS", "LiarsDiceTables", "challenge", "make_tables", "next_to_roll"]

MOST_PLAYERS, MOST_DICE, FACES = 4, 5, 6
LIAR = 0

DTYPE = np.dtype(
    (
        np.record,
        [
            ("dice", np.int8, (MOST_PLAYERS, FACES)),  # by player: how many show each face; all 0 where they are not known
            ("left", np.int8, (MOST_PLAYERS,)),  # dice that a player has for the next roll
            ("rolled", np.int8, (MOST_PLAYERS,)),  # whether they lie under the cup; the cups of a round that is over are lifted
            ("place", np.int8, (MOST_PLAYERS,)),  # 1 for who was out of dice first, 0 for who has some
            ("bid", np.int8),  # the last one; 0: none
            ("bidder", np.int8),
            ("turn", np.int8),
        ],
    )
)


class LiarsDiceTables(NamedTuple):
    """What never changes during a game."""

    players: int
    dice: int  # that each player begins with
    wild: bool  # whether ones count as every face
    rolls: np.ndarray  # int64[rolls, 6]: how many dice show each face, for one die, for two, …
    chances: np.ndarray  # float64[rolls]: the probability of each among those with as many dice
    first: np.ndarray  # int64[dice + 2]: the first roll of so many dice


def make_tables(players: int, dice: int, *, wild: bool) -> LiarsDiceTables:
    rolls: list[list[int]] = []
    first = [0, 0]
    for number in range(1, dice + 1):
        faces = combinations_with_replacement(range(FACES), number)
        rolls += [[roll.count(face) for face in range(FACES)] for roll in faces]
        first.append(len(rolls))
    chances = [math.factorial(sum(roll)) / math.prod(map(math.factorial, roll)) / FACES ** sum(roll) for roll in rolls]
    return LiarsDiceTables(players, dice, wild, np.array(rolls, np.int64), np.array(chances), np.array(first, np.int64))


@to_move.implement(LiarsDiceTables)
def liars_dice_to_move(tables: Any, state: Any) -> Any:
    playing = 0
    for player in range(tables.players):
        playing += int(state.left[player]) > 0
    if playing == 1:
        return 0
    return CHANCE if next_to_roll(tables, state) < tables.players else 1 << int(state.turn)


@compiled
def next_to_roll(tables: Any, state: Any) -> Any:
    """The first player with dice that do not lie under the cup yet; the number of players if there is none."""
    for player in range(tables.players):
        if int(state.left[player]) > 0 and not int(state.rolled[player]):
            return player
    return tables.players


@legal_actions.implement(LiarsDiceTables)
def liars_dice_legal_actions(tables: Any, state: Any, player: Any, slot: Any, out: Any) -> Any:
    """Calling a lie, then all higher bids of at most as many dice as there are."""
    dice = 0
    for other in range(tables.players):
        dice += int(state.left[other])
    bid = int(state.bid)
    count = 0
    if bid > 0:
        out[0] = LIAR
        count = 1
    for higher in range(bid + 1, FACES * dice + 1):
        out[count] = higher
        count += 1
    return count


@apply_actions.implement(LiarsDiceTables)
def liars_dice_apply_actions(tables: Any, state: Any, joint: Any) -> None:
    player = int(state.turn)
    action = joint[player, 0]
    if action == LIAR:
        _, loser = challenge(tables, state)
        state.left[loser] = int(state.left[loser]) - 1
        if int(state.left[loser]) == 0:
            _give_place(tables, state, loser)
        for other in range(tables.players):
            state.rolled[other] = 0
        state.turn = loser if int(state.left[loser]) > 0 else _next_player(tables, state, loser)
    else:
        state.bid = action
        state.bidder = player
        state.turn = _next_player(tables, state, player)


@compiled
def challenge(tables: Any, state: Any) -> Any:
    """How many dice there are of those that were bid, and who loses a die when the bid is called a lie."""
    bid = int(state.bid) - 1
    face = bid % FACES
    count = 0
    for player in range(tables.players):
        count += int(state.dice[player, face])
        if tables.wild and face > 0:
            count += int(state.dice[player, 0])
    return count, int(state.bidder) if count < bid // FACES + 1 else int(state.turn)


@compiled
def _give_place(tables: Any, state: Any, loser: Any) -> None:
    out = 0
    for player in range(tables.players):
        out += int(state.left[player]) == 0
    state.place[loser] = out


@compiled
def _next_player(tables: Any, state: Any, player: Any) -> Any:
    """Who follows a player among those with dice."""
    following = (player + 1) % tables.players
    while int(state.left[following]) == 0:
        following = (following + 1) % tables.players
    return following


@compiled
def _draw(tables: Any, dice: Any, generator: Any) -> Any:
    """A roll of so many dice."""
    rest = random_unit(generator)
    roll = tables.first[dice]
    while roll + 1 < tables.first[dice + 1] and rest >= tables.chances[roll]:
        rest -= tables.chances[roll]
        roll += 1
    return roll


@sample_chance.implement(LiarsDiceTables)
def liars_dice_sample_chance(tables: Any, state: Any, generator: Any) -> Any:
    return _draw(tables, int(state.left[next_to_roll(tables, state)]), generator)


@chance_outcomes.implement(LiarsDiceTables)
def liars_dice_chance_outcomes(tables: Any, state: Any, outcomes: Any, probabilities: Any) -> Any:
    dice = int(state.left[next_to_roll(tables, state)])
    first = tables.first[dice]
    count = tables.first[dice + 1] - first
    for roll in range(count):
        outcomes[roll] = first + roll
        probabilities[roll] = tables.chances[first + roll]
    return count


@apply_chance.implement(LiarsDiceTables)
def liars_dice_apply_chance(tables: Any, state: Any, outcome: Any) -> None:
    """Put the dice under the next cup. With the first one, what lay open since the round before is gone."""
    roller = next_to_roll(tables, state)
    begins = True
    for player in range(tables.players):
        begins = begins and not int(state.rolled[player])
    if begins:
        state.bid = 0
        state.bidder = 0
        for player in range(tables.players):
            for face in range(FACES):
                state.dice[player, face] = 0
    _put(tables, state, roller, outcome)
    state.rolled[roller] = 1


@compiled
def _put(tables: Any, state: Any, player: Any, roll: Any) -> None:
    for face in range(FACES):
        state.dice[player, face] = tables.rolls[roll, face]


@conceal.implement(LiarsDiceTables)
def liars_dice_conceal(tables: Any, state: Any, player: Any) -> None:
    """A cup that is down and has no dice is one that cannot be looked under."""
    for other in range(tables.players):
        if other != player and int(state.rolled[other]):
            for face in range(FACES):
                state.dice[other, face] = 0


@resample_hidden.implement(LiarsDiceTables)
def liars_dice_resample_hidden(tables: Any, state: Any, player: Any, generator: Any) -> None:
    """Bids say nothing for certain, so that every roll of the others can be."""
    for other in range(tables.players):
        if other != player and int(state.rolled[other]):
            _put(tables, state, other, _draw(tables, int(state.left[other]), generator))


@returns.implement(LiarsDiceTables)
def liars_dice_returns(tables: Any, state: Any, out: Any) -> None:
    """The mean over the opponents: 1 for each who was out of dice earlier, −1 for each later."""
    over = to_move(tables, state) == 0
    for player in range(tables.players):
        total = 0
        if over:
            for other in range(tables.players):
                if other != player:
                    total += 1 if _lasted(tables, state, player) > _lasted(tables, state, other) else -1
        out[player] = total / (tables.players - 1)


@compiled
def _lasted(tables: Any, state: Any, player: Any) -> Any:
    place = int(state.place[player])
    return place if place > 0 else tables.players


@observe.implement(LiarsDiceTables)
def liars_dice_observe(tables: Any, state: Any, player: Any, out: Any) -> None:
    """Own dice by face; from the own seat on, how many dice each player has; the bid's number of dice, its face, and who made it, as ones among zeros."""
    for face in range(FACES):
        out[face] = int(state.dice[player, face])
    for step in range(tables.players):
        out[FACES + step] = int(state.left[(player + step) % tables.players])
    bid = int(state.bid)
    if bid > 0:
        out[10] = (bid + FACES - 1) // FACES
        out[11 + (bid - 1) % FACES] = 1
        out[17 + (int(state.bidder) - player) % tables.players] = 1
