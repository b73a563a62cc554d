"""What hexabomb tells of a turn, against what the states before and after it say."""

from __future__ import annotations

import re

import ludarium
from ludarium.core.rules import CHANCE
from ludarium.testing.random_games import play_at_random


def test_a_turn_is_told_in_words() -> None:
    state, turns = ludarium.game("hexabomb", reception="fixed").start(), list[list[str]]()
    walk = '{"id":1,"movement":"move","direction":"x+"}'
    for message in (f'[{{"id":0,"movement":"bomb","bomb_delay":2,"bomb_range":2}},{walk}]', "[]", "[]"):
        actions = {0: message, 1: "[]"}
        turns.append([event.text for event in state.events(actions)])
        state = state.play(actions)
    assert turns == [
        ["Blue's #0 dropped a bomb at -4,1, delay 2, range 2", "Blue painted 1 cell"],
        [],
        ["Blue's bomb took 5 cells, Blue's #0 and Blue's #2"],
    ]


def test_what_is_told_of_a_turn_is_what_happened_and_nothing_before_it() -> None:
    killed = 0
    for seed in range(2):
        timeline = play_at_random(ludarium.game("hexabomb").start(), seed, 60)
        for before, step in zip((step.state for step in timeline.steps), timeline.steps[1:], strict=False):
            events = before.events(step.actions)
            if CHANCE not in step.actions:
                assert events == ()
                continue
            texts = [event.text for event in events if event.data["kind"] == "explosion"]
            told = [int(name) for text in texts for name in re.findall(r"'s #(\d+)", text)]
            lived, lives = (state.record.revive_delay[: state.game.tables.characters] < 0 for state in (before, step.state))
            assert sorted(told) == [who for who in range(len(lived)) if lived[who] and not lives[who]]
            assert bool(texts) == bool(step.state.record.exploded)
            killed += len(told)
    assert killed > 2
