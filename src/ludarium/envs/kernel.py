"""Many games stepped at once as compiled code: each goes on until somebody outside has to choose.

What a game of the batch needs is written only when it is changed: the legal actions of who chooses, as a list and as bits, and what that player sees.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludarium.core.bits import lowest_bit
from ludarium.core.jit import compiled, kernel
from ludarium.core.random import random_below
from ludarium.core.rules import (
    CHANCE,
    apply_actions,
    apply_chance,
    clear_observation,
    copy_state,
    legal_actions,
    observe,
    random_action,
    returns,
    sample_chance,
    to_move,
)
from ludarium.search.one_ply import add_scores

OUTSIDE, RANDOM, GREEDY, ASKED = range(4)
"""Who chooses for a seat: who steps the batch; compiled code; or Python, which is asked for it meanwhile."""

CHOOSING, ASKING, OVER, BEGUN = range(4)
"""How a game stands: OUTSIDE is to choose, a player that is ASKED, or nobody; or it has only just begun. What is to be read is written while it is CHOOSING or
OVER, and cleared before it goes on."""

DRAWN = -1
"""Instead of a seat: it is drawn for each game."""
ALL = -2
"""Instead of a seat: those of all players, one after the other where they act together."""


class Games(NamedTuple):
    """The games of a batch: n of them, P players, S slots, M ``max_actions``, A ``action_space``."""

    states: np.ndarray  # the game's dtype[n]
    first: np.ndarray  # the game's dtype[1]: how each of them begins
    generators: np.ndarray  # uint64[n, 1]
    seats: np.ndarray  # int64[n]: OUTSIDE's, or ALL
    movers: np.ndarray  # int64[n]: who is to choose, while a game is CHOOSING or ASKING
    status: np.ndarray  # int8[n]
    joint: np.ndarray  # int64[n, P, S]: what has been chosen for the next change of the position
    chosen: np.ndarray  # int64[n]: by whom, as a mask of players
    legal: np.ndarray  # int32[n, S, M]: the legal actions of who is to choose
    counts: np.ndarray  # int32[n, S]: how many
    bits: np.ndarray  # uint8[n, S, ceil(A / 8)]: the same, the lowest bit of a byte first
    observations: np.ndarray  # float32[n, ...]: what the mover sees; of a game that is over, what the seat sees
    returns: np.ndarray  # float64[n, P]: of games that are over; zeros before


class Scratch(NamedTuple):
    """Room for one thread."""

    states: np.ndarray  # the game's dtype[3]
    joint: np.ndarray  # int64[P, S]
    actions: np.ndarray  # int64[M]
    others: np.ndarray  # int64[M]
    values: np.ndarray  # float64[P]
    scores: np.ndarray  # float64[M]


@compiled
def _choose_greedily(tables: Any, scratch: Any, state: Any, player: Any, hidden: Any, samples: Any, generator: Any) -> Any:
    """One of the actions after which the evaluation is best, as the player ``greedy`` chooses."""
    copy_state(tables, state, scratch.states[0])
    count = legal_actions(tables, state, player, 0, scratch.actions)
    for index in range(count):
        scratch.scores[index] = 0.0
    add_scores(
        tables,
        scratch.states,
        player,
        hidden,
        samples,
        generator,
        scratch.joint,
        scratch.actions,
        scratch.others,
        scratch.values,
        scratch.scores,
    )
    best = 0
    equals = 1
    for index in range(1, count):
        if scratch.scores[index] > scratch.scores[best]:
            best = index
            equals = 1
        elif scratch.scores[index] == scratch.scores[best]:
            equals += 1
            if random_below(generator, equals) == 0:
                best = index
    return scratch.actions[best]


@compiled
def _advance(tables: Any, games: Any, scratch: Any, kinds: Any, greedy: Any, hidden: Any, samples: Any, at: Any) -> None:
    """Play one game on until OUTSIDE or somebody ASKED is to choose, or until it is over."""
    state = games.states[at]
    generator = games.generators[at]
    seat = games.seats[at]
    joint = games.joint[at]
    while True:
        mask = to_move(tables, state)
        if mask == 0:
            games.status[at] = OVER
            games.movers[at] = max(seat, 0)
            returns(tables, state, games.returns[at])
            return
        if mask == CHANCE:
            apply_chance(tables, state, sample_chance(tables, state, generator))
            continue
        missing = mask & ~games.chosen[at]
        while missing != 0:
            player = lowest_bit(missing)
            missing &= missing - 1
            kind = OUTSIDE if player == seat or seat == ALL else kinds[player]
            if kind in (OUTSIDE, ASKED):
                games.status[at] = CHOOSING if kind == OUTSIDE else ASKING
                games.movers[at] = player
                return
            if greedy is not None and kind == GREEDY:
                joint[player, 0] = _choose_greedily(tables, scratch, state, player, hidden, samples, generator)
            else:
                for slot in range(joint.shape[1]):
                    joint[player, slot] = random_action(tables, state, player, slot, generator, scratch.actions)
            games.chosen[at] |= 1 << player
        apply_actions(tables, state, joint)
        games.chosen[at] = 0


@compiled
def _clear(tables: Any, games: Any, at: Any) -> None:
    """Clear what has been written of the position, as long as it stands."""
    if games.status[at] in (CHOOSING, OVER):
        for slot in range(games.counts.shape[1]):
            for index in range(games.counts[at, slot]):
                games.bits[at, slot, games.legal[at, slot, index] >> 3] = 0
        clear_observation(tables, games.states[at], games.movers[at], games.observations[at])


@compiled
def _write(tables: Any, games: Any, scratch: Any, at: Any) -> None:
    """Write what the mover may do and sees; where the game is over, that nothing may be done and what the seat sees."""
    state = games.states[at]
    mover = games.movers[at]
    over = games.status[at] == OVER
    for slot in range(games.counts.shape[1]):
        bits = games.bits[at, slot]
        legal = games.legal[at, slot]
        count = 0 if over else legal_actions(tables, state, mover, slot, scratch.actions)
        games.counts[at, slot] = count
        for index in range(count):
            action = scratch.actions[index]
            legal[index] = action
            bits[action >> 3] |= np.uint8(1 << (action & 7))
    observe(tables, state, mover, games.observations[at])


@kernel()
def begin_games(tables: Any, games: Any, seat: Any, which: Any, first: Any, last: Any) -> None:
    """Set those games from ``first`` to ``last`` to their beginning that ``which`` (``bool[n]``) names; nobody has moved, and nothing is written.

    ``seat`` is OUTSIDE's, or DRAWN or ALL.
    """
    for at in range(first, last):
        if which[at]:
            _clear(tables, games, at)
            copy_state(tables, games.first[0], games.states[at])
            games.chosen[at] = 0
            games.returns[at] = 0.0
            games.status[at] = BEGUN
            games.seats[at] = random_below(games.generators[at], games.returns.shape[1]) if seat == DRAWN else seat


@kernel()
def leave_games(tables: Any, games: Any, which: Any, after: Any) -> None:
    """Replace the positions of the games that ``which`` (``bool[n]``) names by ``after[0]``. Nothing is written."""
    for at in range(len(which)):
        if which[at]:
            _clear(tables, games, at)
            copy_state(tables, after[0], games.states[at])
            games.status[at] = BEGUN


@kernel()
def find_legal(status: Any, counts: Any, bits: Any, actions: Any, ranks: Any, legal: Any) -> None:
    """Write into ``legal`` (``bool[n]``) in which games ``actions`` (``int64[n, S]``) can be chosen; in none that is over. The others are fields of ``Games``.

    ``ranks``: actions are places in the lists of legal actions.
    """
    for at in range(len(actions)):
        legal[at] = status[at] == CHOOSING
        for slot in range(actions.shape[1]):
            action = actions[at, slot]
            if action < 0:
                legal[at] = False
            elif ranks:
                legal[at] &= action < counts[at, slot]
            else:
                legal[at] &= action < 8 * bits.shape[2] and bits[at, slot, action >> 3] >> (action & 7) & 1 == 1


@kernel()
def choose(movers: Any, legal: Any, joint: Any, chosen: Any, actions: Any, ranks: Any, which: Any) -> None:
    """Note what the movers of the games of ``which`` (``bool[n]``) have chosen: ``actions`` as for :func:`find_legal`. The others are fields of ``Games``."""
    for at in range(len(actions)):
        if which[at]:
            mover = movers[at]
            for slot in range(actions.shape[1]):
                action = actions[at, slot]
                joint[at, mover, slot] = legal[at, slot, action] if ranks else action
            chosen[at] |= 1 << mover


@kernel()
def play_on(
    tables: Any, games: Any, scratch: Any, kinds: Any, greedy: Any, hidden: Any, samples: Any, which: Any, first: Any, last: Any
) -> None:
    """Play those games from ``first`` to ``last`` on that ``which`` (``bool[n]``) names, and write what stands then.

    Args:
        kinds: ``int64[P]``: who chooses for each seat that is not OUTSIDE's.
        greedy: None where no seat is GREEDY, so that games without an evaluation need none; else True.
        hidden, samples: of the looks ahead of GREEDY.
    """
    for at in range(first, last):
        if which[at]:
            _clear(tables, games, at)
            _advance(tables, games, scratch, kinds, greedy, hidden, samples, at)
            if games.status[at] != ASKING:
                _write(tables, games, scratch, at)
