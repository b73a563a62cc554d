"""RoboDerby's players: legal under every option, repeatable, never stalled, and strong."""

from __future__ import annotations

import random
from typing import Any

import pytest

import ludarium
from ludarium.arena import play_game
from ludarium.core.timeline import Timeline
from roboderby_play import options_at_random


def texts_of(timeline: Timeline) -> list[dict[int, str]]:
    return [{player: action.text for player, action in step.actions.items()} for step in timeline.steps]


def forfeits(timeline: Timeline) -> list[Any]:
    return [event for event in timeline.events if event["event"] == "forfeit"]


@pytest.mark.parametrize("seed", range(8))
def test_every_action_is_legal_under_every_option(seed: int) -> None:
    choice = random.Random(seed)
    options = options_at_random(choice)
    game = ludarium.game("roboderby", **options)
    timeline = play_game(game, [choice.choice(("greedy", "random")) for _ in range(game.players - 1)] + ["greedy"], seed=seed)
    assert timeline.is_over, options
    assert not forfeits(timeline), options


def test_equal_seeds_give_equal_games() -> None:
    game = ludarium.game("roboderby")
    first, again, other = (texts_of(play_game(game, ["greedy", "greedy"], seed=seed)) for seed in (3, 3, 4))
    assert first == again != other


def test_greedy_shuts_down_when_it_is_damaged() -> None:
    game = ludarium.game("roboderby", board="first-lap", marks="fixed")
    player = ludarium.players.parse_player("greedy", game).make(game, 0)
    for health in range(1, 7):
        records = game.start(seed=0).copy_records()
        records[0].health[0] = health
        state = ludarium.core.game.State(game, records)
        assert player.choose(state, 0).text == ("shutdown" if health <= 3 else "run")
