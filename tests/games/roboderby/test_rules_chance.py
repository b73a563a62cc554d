"""RoboDerby's dice: every chance node's probabilities sum to 1, are the right ones, and draws agree with them (rules 4, 7, 14 and 20)."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from math import sqrt

import pytest

import ludarium
from ludarium.core.game import State
from ludarium.core.random import generator_from
from ludarium.games.roboderby.game import RoboDerby
from tests.games.roboderby.case import Turn, read_case
from tests.games.roboderby.play import options_at_random, phase_of, play_some
from tests.games.roboderby.table import Hand, Table

SAMPLES = 3000


def test_probabilities_of_every_kind_of_chance_sum_to_one() -> None:
    """In games under all sorts of options; draws are among the outcomes, and every text names its outcome."""
    choice = random.Random(1)
    met: Counter[str] = Counter()
    for number in range(12):
        game = RoboDerby(**options_at_random(choice))
        for state in play_some(game.start(), choice, 150):
            if state.to_move != (ludarium.CHANCE,):
                continue
            phase = phase_of(state)
            met[phase] += 1
            if met[phase] > 6 and phase != "roll-off":
                continue
            outcomes = state.outcomes()
            assert 1 <= len(outcomes) <= game.dimensions.max_outcomes
            assert sum(probability for _, probability in outcomes) == pytest.approx(1)
            assert min(probability for _, probability in outcomes) > 0
            assert len({action.text for action, _ in outcomes}) == len(outcomes)
            assert state.sample_chance(generator_from(number)) in [action for action, _ in outcomes]
            for action, _ in outcomes[:: max(1, len(outcomes) // 5)]:
                assert state.action(action.text) == action
    assert set(met) == {"deal", "edge", "letters", "program", "roll-off"}


def agrees(state: State) -> bool:
    """Whether draws fall on every outcome (of few) about as often as they should: within five standard deviations."""
    generator = generator_from(7)
    drawn = Counter(state.sample_chance(generator).text for _ in range(SAMPLES))
    expected = {action.text: probability for action, probability in state.outcomes()}
    assert set(drawn) <= set(expected)
    return all(abs(drawn[text] - SAMPLES * p) <= 5 * sqrt(SAMPLES * p * (1 - p)) for text, p in expected.items())


def test_a_roll_of_five_dice() -> None:
    state = RoboDerby(board="start pits walls cross @ 0 0 0 0 N", marks="fixed").start(seed=1).play({0: "run", 1: "run"})
    outcomes = state.outcomes()
    assert len(outcomes) == 6**5
    assert all(probability == pytest.approx(1 / 7776) for _, probability in outcomes)
    texts = {" ".join(f"{die}:{face}" for die, face in enumerate(faces, start=1)) for faces in itertools.product(range(1, 7), repeat=5)}
    assert {action.text for action, _ in outcomes} == texts
    generator = generator_from(3)
    faces = Counter(word for _ in range(SAMPLES) for word in state.sample_chance(generator).text.split())
    assert len(faces) == 30
    assert all(abs(count - SAMPLES / 6) <= 5 * sqrt(SAMPLES * 5 / 36) for count in faces.values())


def test_a_re_roll_is_of_the_dice_that_are_left() -> None:
    state = RoboDerby(board="start pits walls cross @ 0 0 0 0 N", marks="fixed").start(seed=1).play({0: "run", 1: "shutdown"})
    state = state.play("1:1 2:2 3:3 4:4 5:5").play("2").play("4n").play("roll")
    assert len(state.outcomes()) == 216
    assert {action.text for action, _ in state.outcomes()} == {
        f"1:{one} 3:{three} 5:{five}" for one in range(1, 7) for three in range(1, 7) for five in range(1, 7)
    }
    state = state.play("1:6 3:6 5:6").play("3").play("roll")
    assert len(state.outcomes()) == 36
    assert agrees(state)


EQUAL_DICE = """Rule 20: A roll-off

dice:
F1 15, F2 7, F3 7, L 7, R 3*, CMT 3
F1 15, F2 7, F3 7, L 7, R 3*, CMT 3
F1 15, F2 7, F3 7, L 7, R 3*, CMT 3
F1 15, F2 7, F3 7, L 7, R 3*, CMT 3
F1 15, F2 7, F3 7, L 7, R 3*, CMT 3

robots:
A (2,3) E
B (4,3) W

turn:
A F1:15 NOOP NOOP NOOP
B F1:15 NOOP NOOP NOOP
"""


def test_a_roll_off_is_told_by_priorities() -> None:
    """Faces of one priority are one outcome: of six faces one has 15, three have 7, two have 3."""
    table = Table(read_case("roll-off", EQUAL_DICE))
    case = read_case("roll-off", EQUAL_DICE)
    (turn,) = case.events
    assert isinstance(turn, Turn)
    hands = {player: Hand(table, player, turn.players["AB"[player]]) for player in range(2)}
    table.play({0: "run", 1: "run"})
    for hand in hands.values():
        table.play(hand.roll([0, 1, 2, 3, 4]))
    for player, hand in hands.items():
        while player in table.state.to_move and phase_of(table.state) == "program":
            table.play({player: hand.choose()})
    state = table.state
    assert phase_of(state) == "roll-off"
    ways = {15: 1, 7: 3, 3: 2}
    expected = {f"A:{one} B:{two}": pytest.approx(ways[one] * ways[two] / 36) for one in ways for two in ways}
    assert {action.text: probability for action, probability in state.outcomes()} == expected
    assert agrees(state)
    again = state.play("A:7 B:7")
    assert phase_of(again) == "roll-off"
    assert int(again.record.turn) == int(state.record.turn)
    assert int(state.play("A:15 B:7").record.turn) == int(state.record.turn) + 1


def test_deals_and_edges_and_letters_are_drawn_evenly() -> None:
    deal = RoboDerby(rotate_tiles="none").start()
    assert agrees(deal)
    edge = deal.play(deal.outcomes()[0][0])
    assert phase_of(edge) == "edge"
    assert agrees(edge)
    letters = RoboDerby(board="start pits walls cross @ 0 0 0 0 N", players=4).start()
    assert agrees(letters)
