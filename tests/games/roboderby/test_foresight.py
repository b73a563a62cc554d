"""Where a program so far leads: what the rules do with it where nobody else is, and nothing of others."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

import ludarium
from ludarium.core.game import State
from ludarium.errors import IllegalAction
from ludarium.games.roboderby.foresight import foresee
from tests.games.roboderby.belt_tiles import BELT_TILES
from tests.games.roboderby.play import phase_of, play_some, step_at_random

EDGES = {"pit_edges": "on", "turn_limit": 12}


def programs(options: dict[str, Any], seed: int, most: int) -> Iterator[State]:
    """Positions of a random game in which dice are placed."""
    choice = random.Random(seed)
    for state in play_some(ludarium.game("roboderby", **options).start(seed=seed), choice, most):
        if phase_of(state) == "program" and state.to_move != (ludarium.CHANCE,):
            yield state


CASES = [(EDGES, "fall"), ({"tiles": BELT_TILES}, "carry"), ({"variant": "s-race", "vicious_shutdown": "on"}, "bump")]


@pytest.mark.parametrize(("options", "kind"), CASES, ids=["pits around", "belts", "S"])
def test_a_whole_program_leads_where_it_does_when_it_is_played(options: dict[str, Any], kind: str) -> None:
    choice, happened = random.Random(1), list[str]()
    for state in programs({"players": 1, **options}, 3, 150):
        record, plan, before, now = state.record, list[str](), state, state
        dice = [die for die in range(1, 6) if record.dice[0, die - 1]]
        for die in choice.sample(dice, sum(slot == 0 for slot in record.register_slot[0].tolist())):
            plan.append(f"{die}{choice.choice(['', '', 'n'])}")
            before, now = now, now.play(plan[-1])
        *foreseen, leads = foresee(state.seen_by(0), 0, plan)
        played = [event for event in before.events(plan[-1]) if event.data["kind"] != "program"]
        kinds = [event.data["kind"] for event in played]
        assert foreseen == played[: kinds.index("end-of-turn")]
        if leads.data["square"] is not None:
            assert (now.record.square[0], now.record.heading[0]) == (leads.data["square"], leads.data["heading"])
        else:
            assert {"fall", "scrap", "finish"} & set(kinds)
        happened += kinds
    assert happened.count("end-of-turn") > 15
    assert kind in happened


def test_a_program_so_far_leads_as_far_as_its_last_die() -> None:
    told = set[str]()
    for state in programs({"board": "first-lap", "players": 1, "turn_limit": 12}, 2, 120):
        steps = [foresee(state, 0, plan) for plan in ([], *([action.text] for action in state.actions(0) if action.text[0].isdigit()))]
        filled = sum(slot != 0 for slot in state.record.register_slot[0].tolist())
        for plan, events in enumerate(steps):
            registers = [event.data["register"] for event in events if event.data["kind"] == "register"]
            assert registers == list(range(1, filled + (plan > 0) + 1))
            told.add(events[-1].text)
    assert {"Alone, this ends where it begins, facing south", "Alone, this leads 1 south, to tile 1, facing south"} <= told


def test_nobody_else_is_there() -> None:
    for state in programs({"players": 4, "board": "first-lap"}, 4, 120):
        for player in state.to_move:
            events = foresee(state.seen_by(player), player, [])
            assert {event.data["robot"] for event in events if "robot" in event.data} == {player}
            assert events == foresee(state, player, [])  # which the others' programs do not change


def test_what_cannot_be_planned() -> None:
    state = next(programs({"players": 1}, 1, 50))
    for plan in (["6"], ["1", "1"], ["1", "2", "3", "4", "5"], ["roll"], [""]):
        with pytest.raises(IllegalAction, match="cannot be planned here"):
            foresee(state, 0, plan)
    declaring = ludarium.game("roboderby", board="first-lap").start(seed=1)
    while phase_of(declaring) != "shutdown":
        declaring = declaring.play(step_at_random(declaring, random.Random(1)))
    assert foresee(declaring, 0, ["1"]) == ()
