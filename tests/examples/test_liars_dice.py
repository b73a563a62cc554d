"""The example with hidden dice: its rules by hand-made cases, and who may know what when."""

from __future__ import annotations

import itertools
from math import prod

import numpy as np
import pytest

import ludarium
from ludarium.core.game import State
from ludarium.core.random import generator_from
from ludarium.core.sight import Sight
from ludarium.core.timeline import Timeline
from ludarium.errors import BadNotation, IllegalAction
from ludarium.testing.random_games import play_at_random


def position(text: str, **options: int | str) -> State:
    return ludarium.game("liars-dice", players=len(text.split()) - 2, **options).parse(text)


def texts(state: State) -> list[str]:
    return [action.text for action in state.actions()]


def test_any_bid_may_be_the_first_and_there_is_nothing_to_call_a_lie() -> None:
    state = position("1:4 2:13 - N")
    assert texts(state) == [f"{number}x{face}" for number in (1, 2, 3) for face in range(1, 7)]
    with pytest.raises(IllegalAction, match="'liar' is not legal here"):
        state.play("liar")


def test_a_bid_is_higher_by_its_dice_or_with_as_many_by_its_face() -> None:
    state = position("1:4 2:13 N2x4 E")
    assert texts(state) == ["liar", "2x5", "2x6", *(f"3x{face}" for face in range(1, 7))]
    with pytest.raises(IllegalAction, match="'1x6' is not higher than the last bid, 2x4"):
        state.play("1x6")
    with pytest.raises(IllegalAction, match="'4x1' is not legal here"):
        state.play("4x1")
    assert texts(state.play("3x6")) == ["liar"]


@pytest.mark.parametrize(
    ("ones", "bid", "after"),
    [
        ("wild", "3x5", "3=155 1=25 E3x5 S"),  # 1, 5, 5, 5: true, and who called is to begin
        ("wild", "4x5", "3=155 1=25 E4x5 S"),
        ("wild", "5x5", "2=155 2=25 E5x5 E"),  # one too many
        ("plain", "3x5", "3=155 1=25 E3x5 S"),
        ("plain", "4x5", "2=155 2=25 E4x5 E"),
        ("wild", "2x1", "2=155 2=25 E2x1 E"),  # ones stand for other faces, others not for ones
        ("wild", "1x1", "3=155 1=25 E1x1 S"),
    ],
)
def test_a_challenge_costs_the_bidder_or_the_caller_a_die(ones: str, bid: str, after: str) -> None:
    state = position(f"3:155 2:25 N{bid} E", ones=ones)
    assert state.play("liar").text == _seats(after)


def _seats(text: str) -> str:
    """The cases above are written with the bidder as E and the other as S."""
    return text.translate(str.maketrans("ES", "NE"))


def test_the_dice_lie_open_until_the_next_are_rolled() -> None:
    lifted = position("3:155 2:25 N5x5 E").play("liar")
    assert lifted.is_public
    assert lifted.to_move == (ludarium.CHANCE,)
    rolling = lifted.play("26")
    assert rolling.text == "2:26 2= - N"
    assert rolling.seen_by(1).text == "2:?? 2= - N"
    assert rolling.play("44").text == "2:26 2:44 - N"
    with pytest.raises(BadNotation, match="'261' is no roll of 2 dice"):
        lifted.play("261")


def test_who_has_no_dice_is_passed_over() -> None:
    state = position("1:3 1:4 2:56 - N").play("2x3").play("liar")
    assert state.text == "out1=3 1=4 2=56 N2x3 E"
    state = state.play("6").play("11")
    assert state.text == "out1 1:6 2:11 - E"
    assert state.play("1x2").play("1x3").to_move == (1,)


def test_the_last_one_with_dice_wins() -> None:
    state = position("1:3 1:4 N1x4 E")
    assert state.play("liar").returns == (1.0, -1.0)
    state = position("1:3 1:4 N2x4 E")
    end = state.play("liar").outcome
    assert end is not None
    assert end.returns == (-1.0, 1.0)
    assert end.reason == "East is the last with dice"


@pytest.mark.parametrize(
    ("text", "returns"),
    [
        ("out1 1:4 1:5 S2x5 E", (-1, 1, 0)),
        ("1:4 out2 1:5 out1 N1x4 S", (1, -1 / 3, 1 / 3, -1)),
    ],
)
def test_returns_tell_the_order_in_which_players_were_out(text: str, returns: tuple[float, ...]) -> None:
    end = position(text).play("liar")
    assert end.is_over
    assert end.returns == pytest.approx(returns)


def test_rolls_have_the_probabilities_of_dice() -> None:
    state = ludarium.game("liars-dice").start()
    for roll, probability in state.outcomes():
        assert probability == pytest.approx(len(set(itertools.permutations(roll.text))) / 6**3)
    generator = generator_from(5)
    drawn = [state.sample_chance(generator).text for _ in range(4000)]
    assert drawn.count("123") / 4000 == pytest.approx(6 / 216, abs=0.01)
    assert sum("6" in roll for roll in drawn) / 4000 == pytest.approx(1 - prod([5 / 6] * 3), abs=0.03)


def test_a_draw_of_what_is_hidden_changes_the_others_dice_only() -> None:
    state = position("3:155 2:25 1:6 N1x5 E")
    generator = generator_from(1)
    drawn = [state.resample(1, generator) for _ in range(200)]
    assert {other.text.split()[1] for other in drawn} == {"2:25"}
    assert len({other.text.split()[0] for other in drawn}) > 30
    assert len({other.text.split()[2] for other in drawn}) == 6
    assert not np.array_equal(state.observation(0), state.observation(1))


@pytest.mark.parametrize(
    "text",
    [
        "4:1234 3:123 - N",
        "3:321 3:123 - N",
        "3:12 3:123 - N",
        "3:12? 3:123 - N",
        "3:123 3= N1x1 E",
        "3= 3:123 - N",
        "3= 2= - N",
        "3=123 3=123 N1x1 E",
        "3:123 3:123 N7x1 E",
        "3:123 3:123 S1x1 E",
        "out1 out2 - N",
        "out2 3:123 - N",
        "3=123 out1=4 N1x1 E",
        "2:12 out1 - N",
        "out3 1:4 out2 out1=2 E1x4 W",
    ],
)
def test_a_position_that_cannot_arise_is_refused(text: str) -> None:
    with pytest.raises(BadNotation):
        position(text)


def test_every_position_of_larger_games_is_read_back() -> None:
    for options in ({"players": 3}, {"players": 4, "dice": 5, "ones": "plain"}):
        game = ludarium.game("liars-dice", **options)
        timeline = play_at_random(game.start(), 4)
        assert sorted(timeline.state.returns) == pytest.approx(np.linspace(-1, 1, game.players))
        for step in timeline.steps:
            assert game.parse(step.state.text) == step.state
            for player in (*range(game.players), None):
                seen = step.state.seen_by(player)
                assert game.parse(seen.text) == seen


def test_dice_open_with_the_challenge_and_bids_at_once() -> None:
    timeline = Timeline(ludarium.game("liars-dice", players=3, dice=1).start())
    sights = [Sight(timeline, viewer) for viewer in (0, 1, 2, None)]

    def lists() -> list[list[str]]:
        return [[sight.step_text(ply) for ply in range(1, sight.ply + 1)] for sight in sights]

    for roll in "235":
        timeline.act({ludarium.CHANCE: roll})
    rolls = ["North: 2", "East: 3", "South: 5"]
    closed = ["North rolls", "East rolls", "South rolls"]
    own = [[*closed[:seat], rolls[seat], *closed[seat + 1 :]] for seat in range(3)]
    assert lists() == [*own, closed]
    timeline.act({0: "1x5"})
    timeline.act({1: "2x5"})
    bids = ["North: 1x5", "East: 2x5"]
    assert lists() == [[*seen, *bids] for seen in (*own, closed)]
    assert all(not sight.events(ply) for sight in sights for ply in range(sight.ply + 1))
    timeline.act({2: "liar"})
    assert lists() == [[*rolls, *bids, "South: liar"]] * 4
    for seat, sight in enumerate(sights):
        assert sight.opened(6) == range(2 if seat == 0 else 1, 7)
        assert [event.text for event in sight.events(6)] == [
            "North shows 2",
            "East shows 3",
            "South shows 5",
            "1 die counts for East's 2x5: East loses a die",
            "East is out",
        ]
    timeline.act({ludarium.CHANCE: "6"})
    assert [sight.step_text(7) for sight in sights] == ["North: 6", *["North rolls"] * 3]
    assert [sight.open_ply for sight in sights] == [7, 6, 6, 6]
