"""What the lobby's form shows: who can play by which rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from ludarium.web.pages import lobby_games

from .live import Live


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    with Live(tmp_path) as live:
        yield live


def test_the_seats_follow_the_rules_that_are_chosen(live: Live) -> None:
    shown = live.http.get("/api/lobby/hexabomb", params={"map": "garden3", "mode": "sudden-death"}).json()
    assert shown["players"] == ["Special", "Orange", "Green", "Red"]
    assert len(re.findall(r'<select id="sits-hexabomb-\d"', shown["seats"])) == 4
    assert 'value="hunter"' in shown["seats"]
    assert shown["picture"].startswith("<svg ")
    assert '"mode":"sudden-death"' in shown["start"]


@pytest.mark.parametrize(
    ("path", "problem"),
    [
        ("hexabomb?map=tiny2&players=3", "hexabomb: map tiny2: Too many players (3) for this map (max=2)."),
        ("hexabomb?colour=red", "hexabomb: option 'colour' is not one of: map"),
        ("nothing", "game 'nothing' is not one of"),
    ],
)
def test_rules_that_do_not_fit_together_are_said(live: Live, path: str, problem: str) -> None:
    answer = live.http.get(f"/api/lobby/{path}")
    assert answer.status_code == 200
    assert answer.json()["problem"].startswith(problem)


def test_a_clock_says_what_becomes_of_the_late() -> None:
    late = {game["id"]: game["late"] for game in lobby_games()}
    assert "orders given so far" in late["hexabomb"]
    assert "played for" in late["roboderby"]
    assert "loses" in late["expendibots"]
