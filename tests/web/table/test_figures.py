"""Numbers that take long to compute are sent when they are known, and hold nothing up."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from ludarium.core.game import State
from ludarium.core.show import Show
from ludarium.web.table.figures import Figures
from tests.core.test_cores import stood_back_from
from tests.tiny_games.cups import Cups
from tests.web.live import Live


class Counted(Cups):
    """Cups whose figures wait until they may be computed; those of the first position fail."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.asked: list[State] = []
        self.may = threading.Event()
        self.niceness = 0

    def make_show(self) -> Show:
        return Show(figures=self.figures)

    def figures(self, state: State) -> Mapping[str, float]:
        self.asked.append(state)
        self.niceness = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
        assert self.may.wait(20)
        if len(self.asked) == 1:
            raise ZeroDivisionError("no")
        return {"number": float(len(self.asked))}


def test_of_positions_that_come_meanwhile_the_last_is_computed(caplog: pytest.LogCaptureFixture) -> None:
    game = Counted()
    texts = ("0 0 N2 S5 0 0 0 0 0 0", "0 0 N3 S5 0 0 0 0 0 0", "0 0 N4 S5 0 0 0 0 0 0")
    states = [game.parse(text) for text in texts]

    async def look() -> Mapping[str, float]:
        told = asyncio.Event()
        figures = Figures(told.set)
        for state in (states[0], states[0], states[1], states[2]):
            figures.look_at(state)
        assert figures.found == {}
        game.may.set()
        await asyncio.wait_for(told.wait(), 20)
        return figures.found

    assert asyncio.run(look()) == {"number": 2.0}
    assert game.asked == [states[0], states[2]]
    usual = os.getpriority(os.PRIO_PROCESS, os.getpid())
    assert game.niceness == (stood_back_from(usual) if sys.platform == "linux" else usual)
    assert "figures of test-cups: ZeroDivisionError: no" in caplog.text


def test_games_without_figures_are_asked_for_none() -> None:
    figures = Figures(lambda: pytest.fail("told of nothing"))
    figures.look_at(Cups().start(seed=1))  # without an event loop
    assert figures.found == {}


def test_the_par_of_a_race_alone_is_told_while_it_goes_on(tmp_path: Path) -> None:
    with Live(tmp_path) as live:
        options = {"players": 1, "board": "first-lap", "marks": "fixed"}
        made = live.make("human", game="roboderby", options=options, seed=1)
        with live.join(made["id"], made["seats"][0]["token"]) as blue:
            blue.until(lambda position: "par" in position["figures"])
            assert blue.position["figures"]["par"] == pytest.approx(5.861936579, abs=1e-3)
            assert blue.position["figures"]["turns to go"] == blue.position["figures"]["par"]
            blue.act("run")
            blue.until(lambda position: len(position["actions"]) > 2)
            assert blue.position["figures"]["par"] == pytest.approx(5.861936579, abs=1e-3)
            blue.send(type="look", ply=0)
            assert blue.until(lambda position: position["ply"] == 0)["figures"] == {}
