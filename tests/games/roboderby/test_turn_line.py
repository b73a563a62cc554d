"""The list of moves: a line for each turn, once it is open."""

from __future__ import annotations

import json
import random
import re
from typing import Any

import pytest

import ludarium
from ludarium.core.registry import game_file
from ludarium.core.sight import Sight
from ludarium.core.timeline import Timeline
from ludarium.games.roboderby.sheets.faces import COMMANDS
from ludarium.games.roboderby.turn_line import WORDS
from tests.games.roboderby.play import phase_of, step_at_random


def played(seed: int, **options: Any) -> Timeline:
    choice, course = random.Random(seed), Timeline(ludarium.game("roboderby", **options).start())
    while not course.is_over:
        course.act(step_at_random(course.state, choice))
    return course


@pytest.mark.parametrize("hack_targets", ["all-others", "chosen-one"])
def test_every_turn_has_a_line(hack_targets: str) -> None:
    course = played(4, players=3, turn_limit=24, hack_targets=hack_targets)
    sight = Sight(course, 0)
    lines = [line for line in map(sight.line, range(1, sight.ply + 1)) if line]
    turns = [int(found[1]) for line in lines if (found := re.match(r"Turn (\d+): ", line))]
    assert turns == list(range(1, int(course.state.record.turn) + 1))
    assert [line.endswith(" …") for line in lines[:-1]] == [", further: " in line for line in lines[1:]]
    every = " ".join(lines)
    for deed in (
        "shoves",
        "falls into a pit",
        "burnt to health",
        "comments out",
        "inverts",
        "is shut down",
        "reaches tile 2",
        "no-op",
        "shift left",
    ):
        assert deed in every
    assert hack_targets == "chosen-one" or " and " in every
    assert not any(word in every for word in ("priority", "F1", "CMT"))


def test_a_turn_in_words() -> None:
    robots = [
        {"heading": "E", "health": 6, "lap": 0, "letter": "A", "square": [1, 1], "status": "active"},
        {"heading": "N", "health": 6, "lap": 0, "letter": "B", "square": [2, 1], "status": "active"},
    ]
    fields = {
        "deal": "start pits cross walls @ 0 0 0 0",
        "dice": [[0, 0, 0, 0, 2], [0, 0, 0, 5, 0]],
        "phase": "program",
        "programming": ["ready", ""],
        "registers": [["1:2", "2:2n", "3:2n", "4:2n"], ["1:2n", "2:2n", "3:2n", ""]],
        "robots": robots,
        "rules": {"board": "first-lap", "marks": "fixed"},
        "start_edge": "N",
        "turn": 7,
    }
    state = ludarium.game("roboderby", board="first-lap", marks="fixed").parse(json.dumps(fields))
    course = Timeline(state)
    course.act({1: "4n"})
    line = Sight(course, None).line(1)
    assert line.startswith("Turn 7: Blue ")
    assert " — shoves Orange" in line


def test_what_is_closed_has_no_line_yet() -> None:
    choice, course = random.Random(1), Timeline(ludarium.game("roboderby").start())
    seen = set[str]()
    while int(course.state.record.turn) < 4:
        course.act(step_at_random(course.state, choice))
        if phase_of(course.state) == "program":
            watcher = Sight(course, None)
            for ply in range(watcher.open_ply + 1, watcher.ply + 1):
                assert watcher.line(ply) == ""
                seen |= set(re.sub("Blue|Orange", "Somebody", watcher.step_text(ply)).split(", "))
    assert seen == {"Somebody rolls behind a screen", "Somebody programs behind a screen"}


def test_the_page_calls_commands_as_lines_of_turns_do() -> None:
    page = game_file("roboderby", "page_words.js")
    assert page is not None
    (table,) = re.findall("const COMMANDS = {(.*?)}", page.read_text(encoding="utf-8"))
    assert dict(re.findall(r'(\w+): "(.*?)"', table)) == dict(zip(COMMANDS[1:], WORDS[1:], strict=True))
