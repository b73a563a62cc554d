"""Time controls and clocks."""

from __future__ import annotations

import pytest

from ludarium.arena import TimeControl, time_controls
from ludarium.arena.clocks import Clocks
from ludarium.errors import BadOption, PlayerTimeout


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("60", TimeControl(60)),
        ("60+0.5", TimeControl(60, 0.5)),
        ("10m+5s", TimeControl(600, 5)),
        ("1.5h", TimeControl(5400)),
        ("2/action", TimeControl(2, is_per_action=True)),
        ("200ms/action", TimeControl(0.2, is_per_action=True)),
        ("14.5d/action", TimeControl(1_252_800, is_per_action=True)),
        ("30d+1.25", TimeControl(2_592_000, 1.25)),
    ],
)
def test_reading(text: str, expected: TimeControl) -> None:
    assert TimeControl.parse(text) == expected
    assert TimeControl.parse(str(expected)) == expected


@pytest.mark.parametrize(
    "text", ["", "0", "-1", "60+", "60+x", "2/move", "nan", "1e9", "8760h", "60+0.5/action", "60,10", "1,2,3", "60 + 1"]
)
def test_what_is_none(text: str) -> None:
    with pytest.raises(BadOption) as problem:
        time_controls(text, 4)
    assert f"'{text.partition(',')[0]}" in str(problem.value)


@pytest.mark.parametrize("text", ["0", "31d", "60+31d"])
def test_what_is_out_of_bounds_is_told_them(text: str) -> None:
    with pytest.raises(BadOption, match="above 0, up to 30d"):
        TimeControl.parse(text)


def test_one_for_all_or_one_a_player() -> None:
    assert time_controls("60", 3) == (TimeControl(60),) * 3
    assert time_controls("60,10+1", 2) == (TimeControl(60), TimeControl(10, 1))


def test_a_clock_for_the_game() -> None:
    clocks = Clocks([TimeControl(10, 2), TimeControl(10)])
    clocks.charge(0, 4)
    assert clocks.time_left(0).seconds == 8
    assert clocks.time_left(1).seconds == 10
    clocks.charge(1, 10.05)
    assert clocks.time_left(1).seconds == 0
    with pytest.raises(PlayerTimeout, match=r"timeout: 8.060 s of time used, 8.000 s were left"):
        clocks.charge(0, 8.06)


def test_a_clock_for_each_action() -> None:
    clocks = Clocks([TimeControl(1, is_per_action=True)])
    for _ in range(3):
        clocks.charge(0, 1.04)
        assert clocks.time_left(0).seconds == 1
    with pytest.raises(PlayerTimeout):
        clocks.charge(0, 1.06)


def test_shares_last_for_the_game() -> None:
    clocks = Clocks([TimeControl(10)])
    for _ in range(200):
        clocks.charge(0, clocks.share(0))
