"""RoboDerby's compiled rules beside a plain engine that was written from the rules alone: whole turns of random games under random options."""

from __future__ import annotations

import itertools
import random
from collections import Counter

import pytest

import ludarium
from ludarium.core.game import State
from ludarium.games.roboderby.game import RoboDerby
from tests.games.roboderby.naive_rules import NaiveTurn, RollOffNeeded
from tests.games.roboderby.play import options_at_random, phase_of, step_at_random

CROWDED = "start pits walls cross @ 0 90 0 180"
TIES = """
[[die]]
faces = ["F1 3", "F2 3", "F3 2*", "L 1", "R 1*", "CMT 4"]
[[die]]
faces = ["F1 3", "F2 3*", "L 1*", "R 1", "SL 2*", "INV 4"]
[[die]]
faces = ["F1 3*", "F2 3", "L 1", "R 1", "SR 2", "CMT 2"]
[[die]]
faces = ["F1 3", "F2 2", "F3 2", "SL 2*", "SR 2*", "REV 3*"]
[[die]]
faces = ["F1 3", "F1 2*", "L 4", "CMT 0", "U 1*", "INV 3*"]
"""
"""Dice with few priorities, so that there are many roll-offs, and with hacks that come late."""


def tiles_at_random(choice: random.Random, size: int) -> str:
    """A tile set full of belts, with pits, walls and lasers too. The edges of the start tile are left to marks."""
    last = size - 1
    marks = {(1, 0): "A", (last - 1, 0): "B", (last, 1): "A", (last, last - 1): "B"}
    marks |= {(last - x, last - y): letter for (x, y), letter in marks.items()}
    texts = []
    for name in ("start", "two", "three", "four"):
        places = list(itertools.product(range(size), range(size), "NESW"))
        lines = [f"name: {name}", *(f"laser: {x},{y},{way}" for x, y, way in choice.sample(places, choice.choice((0, 1, 1, 2)))), ""]
        for y in range(size):
            row = choice.choices(".O^>v<", (3, 1, 4, 4, 4, 4), k=size)
            if name == "start":
                row = [marks.get((x, y), "." if {x, y} & {0, last} else square) for x, square in enumerate(row)]
            lines.append("+" + "".join(_wall(choice, "-") + "+" for _ in row))
            lines.append("".join(_wall(choice, "|") + square for square in row))
        texts.append("\n".join([*lines, "+ " * size + "+"]))
    return "\n\n".join(texts)


def _wall(choice: random.Random, wall: str) -> str:
    return wall if choice.random() < 0.08 else " "


def scattered(state: State, choice: random.Random, reach: int) -> State:
    """At the start of a turn: robots elsewhere, close together, some about to finish, and some damaged if no dice lie on their mats.

    ``reach``: how many columns and rows they are at most from a square in their middle.
    """
    records = state.copy_records()
    record, tables = records[0], state.game.tables
    floor = [square for square in range(tables.squares) if int(record.kinds[square]) not in (0, 2)]
    column, row = choice.randrange(1, tables.width - 1), choice.randrange(1, tables.height - 1)
    near = [square for square in floor if max(abs(square % tables.width - column), abs(square // tables.width - row)) <= reach]
    racing = [player for player in range(state.game.players) if int(record.square[player]) >= 0]
    if len(near) < len(racing):
        return state
    squares = choice.sample(near, len(racing))
    for place, player in enumerate(racing):
        goal = int(record.finish[player])
        home = choice.random() < 0.1 and goal not in squares
        squares[place] = goal if home else squares[place]
        record.square[player] = squares[place]
        record.heading[player] = choice.randrange(4)
        if not record.register_die[player].any() and int(record.health[player]) == 6:
            record.health[player] = choice.choice((5, 6, 6))
        if state.game.options["variant"] == "lap":
            record.lap[player] = 4 if home else int(record.lap_tiles[squares[place]])
    return State(state.game, records)


def compare(before: State, after: State, roll_offs: list[dict[str, int]], asked: set[str] | None) -> Counter[str]:
    """The plain engine from a state in which everybody has locked in: the same roll-off comes next, or the same robots stand at the next turn's start.

    Returns what belts and lasers of the board have done.
    """
    naive = NaiveTurn(before, list(roll_offs))
    if asked is not None:
        with pytest.raises(RollOffNeeded) as needed:
            naive.play()
        assert needed.value.letters == asked
        return naive.happened
    naive.play()
    assert naive.is_over == after.is_over
    if not naive.is_over:
        naive.begin_next()
    there = NaiveTurn(after, [])
    for ours, theirs in zip(naive.robots, there.robots, strict=True):
        if ours.status == "finished":
            assert (theirs.status, theirs.rank) == ("finished", ours.rank)
        else:
            assert theirs.told() == ours.told()
    return naive.happened


def locked_in(state: State, choices: dict[int, ludarium.core.game.Action]) -> State:
    """The state as it is when the last die was placed, before anything is carried out: the placement is written by hand."""
    records = state.copy_records()
    record = records[0]
    for player, action in choices.items():
        die = int(action.text[0]) - 1
        register = next(register for register in range(4) if int(record.register_slot[player, register]) == 0)
        record.register_die[player, register], record.register_face[player, register] = die + 1, record.dice[player, die]
        record.register_slot[player, register] = 2 if action.text.endswith("n") else 1
    return State(state.game, records)


def play_turns(game: RoboDerby, seed: int, turns: int, happened: Counter[str], reach: int = 2) -> None:
    choice = random.Random(seed)
    state = game.start(seed=seed)
    before: State | None = None
    roll_offs: list[dict[str, int]] = []
    while not state.is_over and int(state.record.turn) <= turns:
        if phase_of(state) == "shutdown" and not state.record.declared.any() and choice.random() < 0.8:
            state = scattered(state, choice, reach)
        step = step_at_random(state, choice)
        actions = {player: state.action(one, player) for player, one in step.items()}
        after = state.play(actions)
        if phase_of(state) == "program" and ludarium.CHANCE not in actions and _executes(state, after):
            before, roll_offs = locked_in(state, actions), []
        if phase_of(state) == "roll-off":
            (action,) = actions.values()
            roll_offs.append({letter: int(priority) for letter, _, priority in (word.partition(":") for word in action.text.split())})
        if before is not None and phase_of(after) != "program":
            asked = None
            if phase_of(after) == "roll-off":
                happened["roll-off"] += 1
                asked = {word[0] for word in after.outcomes()[0][0].text.split()}
            if asked is not None or after.is_over or int(after.record.turn) == int(before.record.turn) + 1:
                done = compare(before, after, roll_offs, asked)
                happened["compared"] += 1
                if asked is None:
                    happened.update(done)
                if asked is None:
                    happened["finished"] += after.is_over
                    before = None
        state = after


def _executes(state: State, after: State) -> bool:
    """Whether the step locked in the last program."""
    return phase_of(after) != "program" or int(after.record.turn) != int(state.record.turn)


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_turns_end_as_the_plain_engine_says(players: int, scale: int) -> None:
    happened: Counter[str] = Counter()
    choice = random.Random(players)
    for number in range(40 * scale):
        options = options_at_random(choice, players=players, board=choice.choice(("random", CROWDED)), turn_limit=40)
        options["dice"] = choice.choice(("stand-in", TIES))
        if options["hack_targets"] == "chosen-one" and players > 2:
            options["hack_targets"] = "next-seat"  # whom a hack hits is asked in the middle of the turn: cases have that
        play_turns(RoboDerby(**options), number, 8, happened)
    assert happened["compared"] > 100
    if players > 1:
        assert happened["roll-off"] > 10


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_belts_and_lasers_do_what_the_plain_engine_says(players: int, scale: int) -> None:
    """Boards full of belts, drawn anew for each game."""
    happened: Counter[str] = Counter()
    choice = random.Random(100 + players)
    for number in range(60 * scale):
        options = options_at_random(choice, players=players, turn_limit=40)
        options["tiles"] = tiles_at_random(choice, choice.choice((4, 6)) if players < 3 else 6)
        options["dice"] = choice.choice(("stand-in", TIES))
        if options["hack_targets"] == "chosen-one" and players > 2:
            options["hack_targets"] = "next-seat"
        play_turns(RoboDerby(**options), number, 8, happened, reach=choice.choice((1, 2)))
    assert happened["compared"] > 100
    assert min(happened[what] for what in ("carried", "carried to destruction", "wreck on a belt", "hit by the board")) > 0
    if players > 1:
        assert min(happened[what] for what in ("shut down on a belt", "meetings", "kept back by a robot", "carried after another")) > 0
