"""Contracts on the rules: how games go, what states are, chance, observations."""

from __future__ import annotations

import math
import pickle
import random
from typing import Any

import numpy as np

from ludarium.core.jit import kernel
from ludarium.core.leaving import RESIGNED
from ludarium.core.random import generator_from
from ludarium.core.rules import clear_observation, copy_state, leave, observe
from ludarium.core.timeline import Timeline
from ludarium.errors import BadNotation, IllegalAction

from .contracts import Played, at_dice, contract, refused
from .random_games import play_at_random, play_on_at_random, random_step

THROWS = 250
"""Draws in which every likely outcome falls."""


@contract()
def games_begin_run_and_end(played: Played) -> None:
    """A game begins with somebody to move and ends after finitely many steps; until then returns are zeros, then they lie in [−1, 1] (for two players
    their sum is 0), with a reason in one line, and nothing can be played any more."""
    game = played.game
    zeros = (0.0,) * game.players
    start = game.start()
    assert start.outcome is None and start.winner is None and start.returns == zeros and not start.is_over, "the start is over"
    assert game.start() == start, "two starts differ"
    for timeline in played.games:
        assert timeline.is_over, f"a game of random choices has not ended after {timeline.ply:,} steps: {timeline.state!r}"
        for step in timeline.steps[:-1]:
            assert step.state.to_move and step.state.outcome is None, f"a game goes on after its end: {step.state!r}"
            assert step.state.returns == zeros, f"a running game has the returns {step.state.returns}: {step.state!r}"
        end = timeline.state
        assert end.to_move == () and end.actions() == () and end.outcomes() == [], f"somebody may act after the end: {end!r}"
        outcome = end.outcome
        assert outcome is not None and outcome.returns == end.returns and outcome.winner == end.winner, (
            f"the outcome {outcome} is not the state's"
        )
        assert all(-1 <= value <= 1 for value in end.returns), f"returns {end.returns} are not in [−1, 1]"
        assert game.players != 2 or sum(end.returns) == 0, f"the returns of two players, {end.returns}, do not sum to 0"
        assert outcome.winner is None or end.returns[outcome.winner] == max(end.returns), f"the winner has not the best of {end.returns}"
        assert outcome.reason and "\n" not in outcome.reason, f"the reason {outcome.reason!r} is not one line"
        for attempt in ({0: 0}, 0, "nonsense"):
            refused((IllegalAction, BadNotation), end.play, attempt)


@contract(lambda game: game.players > 2)
def players_may_leave(played: Played) -> None:
    """A player who leaves never moves again and ranks behind all who stay. The position can be written and read back, and the others can play on."""
    game, choice = played.game, random.Random(5)
    for state in played.many_of_one_game:
        if state.is_over:
            continue
        player = choice.randrange(game.players)
        timeline = Timeline(state)
        timeline.leave({player: RESIGNED})
        text = timeline.state.text
        assert game.parse(text).text == text, f"the position after player {player} has left is not read back: {timeline.state!r}"
        play_on_at_random(timeline, choice, 300)
        assert all(player not in step.state.to_move for step in timeline.steps[1:]) or not leave.implemented_for(game.tables), (
            f"player {player}, who has left, is to move: {state!r}"
        )
        outcome = timeline.outcome
        assert outcome is None or outcome.returns[player] == -1, f"player {player}, who has left, is not the last in {outcome}: {state!r}"


@contract()
def the_same_seed_gives_the_same_game(played: Played) -> None:
    """Chance and choices drawn with a seed give the same events and states again."""
    seed, first = played.seeds[0], played.games[0]
    again = play_at_random(played.game.start(seed), seed)
    assert again.events == first.events, "the events of two games with one seed differ"
    assert [step.state for step in again.steps] == [step.state for step in first.steps], "the states of two games with one seed differ"


@contract()
def playing_makes_a_new_state(played: Played) -> None:
    """Playing changes nothing of a state that exists, always leads to another one, and nobody can write into a state's record."""
    for timeline in played.games:
        before = [pickle.dumps(step.state) for step in timeline.steps]
        choice = random.Random(2)
        for step, remembered in zip(timeline.steps[:-1], before, strict=False):
            state = step.state
            assert state.play(random_step(state, choice)) != state, f"after a step the state is what it was: {state!r}"
            assert pickle.dumps(state) == remembered, f"playing changed the state in which it was done: {state!r}"
        states = [step.state for step in timeline.steps]
        assert len(set(states)) == len(states), "two states of a game are equal; a history belongs to a state, or at least a count of steps"
    start = played.game.start()
    name = played.game.dtype.names[0] if played.game.dtype.names else ""
    field = start.record[name]
    refused(ValueError, start.record.__setitem__, name, 0, naming="read-only")
    if isinstance(field, np.ndarray):
        refused(ValueError, field.fill, 1, naming="read-only")
    assert start == played.game.start(), "a state that was written into has changed"


@contract()
def games_and_states_are_values(played: Played) -> None:
    """Games and states are equal, hashed and pickled by what they are: a game made again, played again by the same indices, has the same states."""
    game = played.game
    again = type(game)(**game.options)
    assert again == game and hash(again) == hash(game), "a game made again with the same options is another one"
    assert pickle.loads(pickle.dumps(game)) == game, "an unpickled game is another one"
    for timeline in played.games:
        first = timeline.steps[0].state
        replayed = again.start() if first == again.start() else first
        for step in timeline.steps[1:]:
            replayed = replayed.play({player: action.index for player, action in step.actions.items()})
            copy = pickle.loads(pickle.dumps(step.state))
            for other in (replayed, copy):
                assert other == step.state and hash(other) == hash(step.state), (
                    f"played or pickled again, this is another state: {step.state!r}"
                )
            assert copy.to_move == step.state.to_move, f"an unpickled state has another player to move: {step.state!r}"
    assert game.start() != "a state"


@contract()
def equal_states_have_equal_bytes(played: Played) -> None:
    """``copy_state`` copies everything into a zeroed record: bytes that are not in use are zero."""
    for state in played.positions:
        target = np.zeros(1, played.game.dtype)
        _copy_state_face(played.game.tables, state.copy_records(), target)
        assert target.tobytes() == state.copy_records().tobytes(), f"a copy has other bytes than the state: {state!r}"


@contract()
def observations_have_their_shape(played: Played) -> None:
    """What is observed is ``float32`` of the shape that the dimensions say, finite, and the same each time."""
    shape = played.game.dimensions.observation_shape
    for state in played.positions:
        for player in range(played.game.players):
            seen = state.observation(player)
            assert seen.shape == shape and seen.dtype == np.float32, f"an observation is {seen.dtype}{seen.shape}, not float32{shape}"
            assert np.isfinite(seen).all(), f"what player {player} observes is not finite: {state!r}"
            assert (seen == state.observation(player)).all(), f"what player {player} observes changes: {state!r}"


@contract(lambda game: clear_observation.implemented_for(game.tables))
def cleared_observations_take_others(played: Played) -> None:
    """Whatever ``clear_observation`` leaves of an observation, any other one can be written over it."""
    game = played.game
    out = np.zeros(game.dimensions.observation_shape, np.float32)
    for state in played.positions:
        for player in range(game.players):
            _observe_and_clear_face(game.tables, state.copy_records(), player, out, False)
            assert (out == state.observation(player)).all(), (
                f"what player {player} observes keeps some of an earlier observation: {state!r}"
            )
            _observe_and_clear_face(game.tables, state.copy_records(), player, out, True)


@contract()
def chance_has_probabilities(played: Played) -> None:
    """At dice the outcomes are at most ``max_outcomes``, with positive probabilities that sum to 1; what is drawn is one of them, and not always the same;
    elsewhere nothing falls."""
    for state in (*played.positions, *played.many_of_one_game):
        outcomes = state.outcomes()
        if not at_dice(state):
            assert outcomes == [], f"dice fall where none are to fall: {state!r}"
            refused(IllegalAction, state.sample_chance, np.zeros(1, np.uint64), naming="no dice")
            continue
        probabilities = [probability for _, probability in outcomes]
        assert math.isclose(sum(probabilities), 1, rel_tol=1e-6), f"probabilities sum to {sum(probabilities)}: {state!r}"
        assert min(probabilities) > 0, f"an outcome has the probability {min(probabilities)}: {state!r}"
        assert len(outcomes) <= played.game.dimensions.max_outcomes, f"there are {len(outcomes)} outcomes: {state!r}"
        for action, _ in outcomes[:: max(1, len(outcomes) // 100)]:
            assert state.action(action.text) == action, f"the outcome {action.text!r} is not read back: {state!r}"
        generator = generator_from(1)
        drawn = {state.sample_chance(generator).index for _ in range(THROWS)}
        others = drawn - {action.index for action, _ in outcomes}
        assert not others, f"{others} are drawn, which are no outcomes: {state!r}"
        never = [action.text for action, probability in outcomes if probability > 0.1 and action.index not in drawn]
        assert not never and (len(drawn) > 1 or len(outcomes) == 1), f"{THROWS} draws give only {drawn}: {state!r}"


@kernel()
def _observe_and_clear_face(tables: Any, states: Any, player: Any, out: Any, clear: Any) -> None:
    if clear:
        clear_observation(tables, states[0], player, out)
    else:
        observe(tables, states[0], player, out)


@kernel()
def _copy_state_face(tables: Any, states: Any, out: Any) -> None:
    copy_state(tables, states[0], out[0])
