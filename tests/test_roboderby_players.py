"""RoboDerby's players: legal under every option, repeatable, never stalled, and strong."""

from __future__ import annotations

import random
from typing import Any

import pytest

import ludarium
from ludarium.arena import play_game
from ludarium.core.game import Game, State
from ludarium.core.random import generator_from
from ludarium.core.timeline import Timeline
from ludarium.games.roboderby.solo import Racer
from ludarium.games.roboderby.tables import LOCKED
from ludarium.players import parse_player
from roboderby_play import options_at_random

PLAYERS = ("greedy", "planner", "racer:sims=40", "random")


def texts_of(timeline: Timeline) -> list[dict[int, str]]:
    return [{player: action.text for player, action in step.actions.items()} for step in timeline.steps]


def solve_both(game: Game) -> None:
    """Have the board in the cache, so that the players know it from the beginning."""
    for robot in range(game.players):
        Racer.of(game.tables, placed(game).record, robot)


def placed(game: Game, seed: int = 0) -> State:
    """The first turn of a game."""
    state, generator = game.start(seed=seed), generator_from(seed)
    while state.to_move == (ludarium.CHANCE,):
        state = state.play(state.sample_chance(generator))
    return state


def forfeits(timeline: Timeline) -> list[Any]:
    return [event for event in timeline.events if event["event"] == "forfeit"]


@pytest.mark.parametrize("seed", range(8))
def test_every_action_is_legal_under_every_option(seed: int) -> None:
    choice = random.Random(seed)
    options = options_at_random(choice)
    game = ludarium.game("roboderby", **options)
    timeline = play_game(game, [choice.choice(PLAYERS) for _ in range(game.players)], seed=seed)
    assert timeline.is_over, options
    assert not forfeits(timeline), options


@pytest.mark.parametrize("player", ["greedy", "planner", "racer:sims=50"])
def test_equal_seeds_give_equal_games(player: str) -> None:
    game = ludarium.game("roboderby", board="first-lap")
    solve_both(game)
    first, again, other = (texts_of(play_game(game, [player, player], seed=seed)) for seed in (3, 3, 4))
    assert first == again != other


def test_greedy_shuts_down_when_it_is_damaged() -> None:
    game = ludarium.game("roboderby", board="first-lap", marks="fixed")
    player = parse_player("greedy", game).make(game, 0)
    for health in range(1, 7):
        records = placed(game).copy_records()
        records[0].health[0] = health
        state = State(game, records)
        assert player.choose(state, 0).text == ("shutdown" if health <= 3 else "run")


@pytest.mark.parametrize("options", [{}, {"reroll": "any"}, {"variant": "s-race"}, {"lap_logic": "checkpoints"}])
def test_alone_the_planner_is_the_optimal_racer(options: dict[str, Any]) -> None:
    """Each choice in a solo race is one that no other choice is better than, by the exact values."""
    game = ludarium.game("roboderby", players=1, board="first-lap", **options)
    racer = Racer.of(game.tables, placed(game).record, 0)
    player, generator, state, chosen = parse_player("planner", game).make(game, 5), generator_from(5), placed(game), 0
    while not state.is_over:
        if state.to_move == (ludarium.CHANCE,):
            state = state.play(state.sample_chance(generator))
            continue
        action = player.choose(state, 0)
        if action.text == "shutdown" or action.text == "run":
            assert action.text == "run"
        else:
            values = {choice.text: choice.value for choice in racer.choices_in(state.record, 0)}
            assert values[action.text] <= min(values.values()) + 1e-9
            chosen += 1
        state = state.play(action)
    assert chosen >= 8
    assert state.returns == (1.0,)


def test_the_planner_repairs_itself_where_locks_cost_more_than_a_turn() -> None:
    """Far from the finish with three registers locked it shuts down; with one locked that does it no harm, a turn from the finish, it runs on."""
    game = ludarium.game("roboderby", board="first-lap")
    state = placed(game)
    for health, wanted in ((6, "run"), (5, "run"), (2, "shutdown"), (1, "shutdown")):
        records = state.copy_records()
        records[0].health[0] = health
        for register in range(max(0, health - 1), 4):
            records[0].register_slot[0, register] = LOCKED
            records[0].register_die[0, register] = 1 + register
            records[0].register_face[0, register] = 6 if register == 0 else 4
        assert parse_player("planner", game).make(game, 0).choose(State(game, records), 0).text == wanted, health


def test_the_planner_shuts_down_at_most_twice_in_a_row() -> None:
    """Whatever somebody who keeps shooting at it does."""
    game = ludarium.game("roboderby", board="first-lap")
    player = parse_player("planner", game).make(game, 0)
    said: list[str] = []
    for turn in range(1, 10):
        records = placed(game).copy_records()
        records[0].turn, records[0].health[0] = turn, 1
        for register in range(4):
            records[0].register_slot[0, register], records[0].register_die[0, register], records[0].register_face[0, register] = (
                LOCKED,
                1 + register,
                4,
            )
        said.append(player.choose(State(game, records), 0).text)
    assert "shutdown" in said
    assert "shutdown shutdown shutdown" not in " ".join(said)
    assert said.count("run") == 3


@pytest.mark.slow
def test_nobody_stalls_against_random_play() -> None:
    """Some hundred short races on a few boards; random play blocks, shoots and hacks without any sense."""
    for board in ("first-lap", "furnace"):
        game = ludarium.game("roboderby", board=board)
        for number in range(40):
            seats = ["planner", "random"] if number % 2 else ["random", "planner"]
            timeline = play_game(game, seats, seed=number)
            assert not forfeits(timeline)
            assert timeline.state.winner == seats.index("planner")
            assert timeline.state.record.turn < game.tables.turn_limit
