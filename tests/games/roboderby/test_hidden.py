"""What players of RoboDerby may know: with screens, nobody's dice and program before all are locked in; and draws of what is hidden fit what is known."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

import ludarium
from ludarium.core.game import State
from ludarium.core.random import generator_from
from ludarium.games.roboderby.game import RoboDerby
from tests.games.roboderby.belt_tiles import BELT_TILES
from tests.games.roboderby.play import options_at_random, phase_of, play_some, step_at_random

OPTIONS = [
    {},
    {"players": 3, "reroll": "any"},
    {"players": 4, "variant": "s-race", "hack_targets": "chosen-one"},
    {"shutdown_declare": "seat-order", "vicious_shutdown": "on"},
    {"tiles": BELT_TILES, "players": 3},
]


def words_of(options: dict[str, Any]) -> str:
    return " ".join(f"{name}={'belts' if value == BELT_TILES else value}" for name, value in options.items()) or "defaults"


def as_seen(state: State, viewer: int | None, *, drawn: bool = True) -> dict[str, Any]:
    """All that somebody gets to see of a state; without the drawings, which take long, on request."""
    seen = state.seen_by(viewer)
    view: dict[str, Any] = {"state": seen, "text": seen.text, "to move": seen.to_move, "facts": state.game.facts(seen)}
    if drawn:
        view |= {"drawing": seen.svg(seat=viewer or 0), "board": str(seen)}
    if viewer is not None:
        view["observation"] = state.observation(viewer).tobytes(), seen.observation(viewer).tobytes()
        if state.to_move != (ludarium.CHANCE,):
            view["actions"] = state.actions(viewer), seen.actions(viewer)
    return view


def programming_begins(options: dict[str, Any], seed: int, turns: int) -> State:
    """The first state of some turn in which dice are to be rolled."""
    choice = random.Random(seed)
    state = RoboDerby(**options).start(seed=seed)
    while int(state.record.turn) <= turns or phase_of(state) != "program":
        state = state.play(step_at_random(state, choice))
        assert not state.is_over
    return state


def programmed_by(state: State, viewer: int, own: int, others: int, stops: int) -> Iterator[State]:
    """States of the programming of one turn: the viewer's dice and choices come from the seed ``own``, everybody else's from ``others``.

    ``stops`` decides, whatever the seeds, whether somebody's dice have to fall, and who acts next: everybody else places one or two dice and never locks in.
    """
    mine, theirs = random.Random(own), random.Random(others)
    order = random.Random(stops)
    while phase_of(state) == "program":
        if state.to_move == (ludarium.CHANCE,):
            player = min(robot for robot in range(state.game.players) if int(state.record.rolling[robot]))
            bits = (mine if player == viewer else theirs).getrandbits(40)
            state = state.play(state.sample_chance(generator_from(bits)))
        else:
            yield state
            movers = [player for player in state.to_move if player == viewer or _may_go_on(state, player)]
            if not movers or (viewer in movers and _open(state, viewer) == 1):
                return
            player = order.choice(movers)
            source = mine if player == viewer else theirs
            state = state.play({player: source.choice([one for one in state.actions(player) if not one.text.startswith("roll")])})


def _open(state: State, player: int) -> int:
    return sum(int(slot) == 0 for slot in state.record.register_slot[player])


def _may_go_on(state: State, player: int) -> bool:
    return _open(state, player) > 1


@pytest.mark.parametrize("options", OPTIONS, ids=words_of)
def test_states_that_differ_in_hidden_things_look_the_same(options: dict[str, Any]) -> None:
    """The same turn, with the viewer's dice and placements the same and everybody else's different."""
    compared = different = 0
    for seed in range(3):
        begin = programming_begins(options, seed, turns=seed)
        for viewer in begin.to_move if begin.to_move != (ludarium.CHANCE,) else range(begin.game.players):
            first = programmed_by(begin, viewer, seed, 100 + seed, seed)
            second = programmed_by(begin, viewer, seed, 200 + seed, seed)
            for one, other in zip(first, second, strict=True):
                drawn = compared % 10 == 0
                assert as_seen(one, viewer, drawn=drawn) == as_seen(other, viewer, drawn=drawn)
                compared += 1
                different += one != other
    assert different > compared / 2 > 3


def test_how_many_dice_somebody_has_placed_is_hidden() -> None:
    state = programming_begins({}, 4, 1)
    while state.to_move == (ludarium.CHANCE,):
        state = state.play(state.sample_chance(generator_from(4)))
    placed_one = state.play({1: state.actions(1)[0]})
    placed_two = placed_one.play({1: placed_one.actions(1)[0]})
    for viewer in (0, None):
        assert as_seen(state, viewer) == as_seen(placed_one, viewer) == as_seen(placed_two, viewer)
    assert as_seen(placed_one, 1) != as_seen(placed_two, 1)


def test_what_is_declared_is_hidden_until_all_have_declared() -> None:
    state = RoboDerby(players=3).start(seed=1)
    run, shutdown = state.play({1: "run"}), state.play({1: "shutdown"})
    for viewer in (0, 2, None):
        assert as_seen(run, viewer) == as_seen(shutdown, viewer)
        assert not run.is_public
    assert run.seen_by(1) != shutdown.seen_by(1)
    done = [one.play({0: "run", 2: "run"}) for one in (run, shutdown)]
    assert done[0].seen_by(0) != done[1].seen_by(0)


def test_in_seat_order_everybody_hears_what_is_declared() -> None:
    state = RoboDerby(players=3, shutdown_declare="seat-order").start(seed=1)
    assert state.to_move == (0,)
    state = state.play("shutdown")
    assert state.to_move == (1,)
    assert state.is_public
    assert state.seen_by(2) == state


def test_without_screens_nothing_is_hidden() -> None:
    game = RoboDerby(screens="off", shutdown_declare="seat-order", players=3)
    for state in play_some(game.start(seed=3), random.Random(3), 120):
        assert state.is_public
        assert state.seen_by(None) == state.seen_by(0) == state


@pytest.mark.parametrize("options", OPTIONS, ids=words_of)
def test_everything_is_public_between_programming(options: dict[str, Any]) -> None:
    """Left-over dice and locked dice included."""
    seen = set()
    for state in play_some(RoboDerby(**options).start(seed=5), random.Random(5), 250):
        phase = phase_of(state)
        if phase not in ("program", "shutdown"):
            assert state.is_public
            assert state.seen_by(0) == state
            seen.add(phase)
    if options.get("hack_targets"):
        assert "hack" in seen


@pytest.mark.parametrize("options", OPTIONS, ids=words_of)
def test_a_draw_of_what_is_hidden_fits_what_is_known(options: dict[str, Any]) -> None:
    choice = random.Random(6)
    drawn_otherwise = 0
    for number, state in enumerate(play_some(RoboDerby(**options).start(seed=6), choice, 160)):
        for viewer in (*range(state.game.players), None):
            drawn = state.resample(viewer, generator_from(number))
            assert drawn.seen_by(viewer) == state.seen_by(viewer)
            assert drawn.to_move == state.to_move
            assert drawn == state.seen_by(viewer).resample(viewer, generator_from(number)), "the draw knows nothing that is hidden"
            if viewer is not None:
                assert (drawn.observation(viewer) == state.observation(viewer)).all()
                assert state.to_move == (ludarium.CHANCE,) or drawn.actions(viewer) == state.actions(viewer)
            drawn_otherwise += drawn != state
            if number % 10 == 0 and not state.is_over:
                assert len(play_some(drawn, random.Random(number), 30)) > 1
    assert drawn_otherwise > 20


def test_draws_of_hidden_dice_differ_and_all_faces_come() -> None:
    """Another player has rolled and placed nothing that one knows of: every die may show every face, wherever it lies."""
    state = programming_begins({}, 2, 1)
    while state.to_move == (ludarium.CHANCE,):
        state = state.play(state.sample_chance(generator_from(2)))
    faces = set()
    generator = generator_from(9)
    for _ in range(400):
        drawn = state.resample(0, generator).record
        faces |= {(die, int(face)) for die, face in enumerate(drawn.dice[1]) if face}
        faces |= {(int(die) - 1, int(face)) for die, face in zip(drawn.register_die[1], drawn.register_face[1], strict=True) if die}
    assert faces == {(die, face) for die in range(5) for face in range(1, 7)}


def test_draws_of_a_hidden_declaration_run_as_often_as_they_shut_down() -> None:
    """Others see neither, so each is as likely as the other; who has not declared yet still has both."""
    game, generator = RoboDerby(players=3), generator_from(5)
    for declared in ("run", "shutdown"):
        state = game.start(seed=1).play({1: declared})
        ran = 0
        for _ in range(400):
            drawn = state.resample(0, generator)
            assert drawn.actions(2) == state.actions(2)
            ran += drawn == game.start(seed=1).play({1: "run"})
        assert abs(ran - 200) < 50, "five standard deviations"


def test_random_options_hide_alike() -> None:
    """Under any options, what is drawn for somebody is what that somebody sees."""
    choice = random.Random(11)
    for number in range(6):
        game = RoboDerby(**options_at_random(choice))
        for state in play_some(game.start(seed=number), choice, 60)[::3]:
            for viewer in (0, game.players - 1, None):
                other = state.resample(viewer, generator_from(number))
                assert as_seen(other, viewer, drawn=False) == as_seen(state, viewer, drawn=False)
