"""Games for three and more go on when a player leaves."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

import ludarium
from ludarium.arena.joining.told import Told
from ludarium.core.game import Game, Outcome
from ludarium.core.leaving import RESIGNED, played_for
from ludarium.core.random import generator_from
from ludarium.core.rules import CHANCE
from ludarium.core.sight import Sight
from ludarium.core.timeline import Timeline
from ludarium.errors import IllegalAction
from ludarium.players.programs.messages import News, encoded, turn
from tests.tiny_games.heap import Heap


def take(timeline: Timeline, *numbers: int) -> None:
    for number in numbers:
        (player,) = timeline.to_move
        timeline.act({player: number})


def repeated(timeline: Timeline) -> Timeline:
    """Return the same game, as its record tells it."""
    start, *events = map(json.dumps, timeline.events)
    again = Timeline(timeline.game.parse(json.loads(start)["position"]))
    for event in events:
        again.apply(json.loads(event))
    return again


def test_the_others_play_on_and_the_player_who_left_is_last() -> None:
    timeline = Timeline(Heap().start())
    take(timeline, 1)
    timeline.resign(1)
    assert (timeline.is_over, timeline.out, timeline.forfeits, timeline.to_move) == (False, {1: 2}, {}, (2,))
    while not timeline.is_over:
        take(timeline, 1)
    moves = [(next(iter(step.actions)), step.is_leaving) for step in timeline.steps[1:]]
    assert moves[:5] == [(0, False), (1, True), (1, False), (2, False), (0, False)]
    assert timeline.outcome is not None
    assert timeline.outcome.returns[1] == -1.0
    if (last := moves[-1][0]) != 1:
        assert (timeline.outcome.winner, sorted(timeline.outcome.returns)) == (last, [-1.0, 0.0, 1.0])
    again = repeated(timeline)
    assert (again.state, again.outcome, again.out, again.forfeits) == (timeline.state, timeline.outcome, {1: 2}, {})


def test_the_last_player_has_won_and_the_later_ones_beat_the_earlier() -> None:
    timeline = Timeline(Heap().start())
    timeline.forfeit(2, "crash: it fell")
    take(timeline, 1)
    timeline.resign(0)
    assert timeline.outcome == Outcome((0.0, 1.0, -1.0), 1, "second is the last player")
    assert timeline.forfeits == {2: "crash: it fell"}
    assert repeated(timeline).outcome == timeline.outcome


@pytest.mark.parametrize(
    ("reasons", "expected"),
    [
        ({0: RESIGNED, 1: "timeout: too late"}, Outcome((-0.5, -0.5, 1.0), 2, "third is the last player")),
        ({0: "crash: a", 1: "crash: b", 2: "crash: c"}, Outcome((0.0, 0.0, 0.0), None, "all players have left")),
    ],
)
def test_players_who_leave_at_the_same_time_share_a_place(reasons: dict[int, str], expected: Outcome) -> None:
    timeline = Timeline(Heap().start())
    timeline.leave(reasons)
    assert timeline.outcome == expected
    assert timeline.forfeits == {player: reason for player, reason in reasons.items() if reason != RESIGNED}
    assert timeline.events[1] == {"event": "out", "players": {str(player): reason for player, reason in reasons.items()}}


def test_what_is_refused_changes_nothing() -> None:
    timeline = Timeline(Heap().start())
    timeline.resign(2)
    before = list(timeline.events)
    for call, said in (
        (lambda: timeline.resign(2), "third has left already"),
        (lambda: timeline.leave({0: RESIGNED, 3: RESIGNED}), "unknown player 3; players are 0 to 2"),
        (lambda: timeline.act({2: 1}), "third has left the game"),
        (lambda: timeline.take_back(1), "a player has left since"),
        (lambda: timeline.leave({}), "no player leaves"),
    ):
        with pytest.raises(IllegalAction, match=said):
            call()
    assert (timeline.events, timeline.out) == (before, {2: 1})
    two = Timeline(ludarium.game("expendibots").start())
    with pytest.raises(IllegalAction, match="lose the game when they leave it"):
        two.leave({0: RESIGNED})
    two.resign(0)
    assert two.is_over


def test_a_record_of_before_ends_with_a_resignation() -> None:
    timeline = Timeline(Heap().start())
    timeline.apply({"event": "resign", "player": 1})
    assert timeline.outcome == Outcome((0.5, -1.0, 0.5), None, "second resigned")
    timeline.apply({"event": "end", "returns": [0.5, -1.0, 0.5], "reason": "second resigned"})


@pytest.mark.parametrize("players", [{"x": "y"}, {"7": "resigned"}, {"0": 3}, [0], {}])
def test_an_event_that_is_none(players: object) -> None:
    with pytest.raises(IllegalAction):
        Timeline(Heap().start()).apply({"event": "out", "players": players})


GAMES: list[Game[Any, Any]] = [
    Heap(),
    ludarium.game("hexabomb", map="lair4", players=4, turns=12),
    ludarium.game("roboderby", players=3),
    ludarium.game("roboderby", players=4, hack_targets="chosen-one"),
    ludarium.game("roboderby", players=4, start_edge="choose"),
]


@pytest.mark.parametrize("game", GAMES, ids=range(len(GAMES)))
@pytest.mark.parametrize("seed", range(4))
def test_players_may_leave_at_any_time(game: Game[Any, Any], seed: int) -> None:
    """The position can be written and read then, those who left are never asked, and the record repeats the game."""
    dice, choice = generator_from(seed), random.Random(seed)
    timeline = Timeline(game.start())
    leaving = {choice.randrange(60) for _ in range(game.players - 2)} if seed else {0}
    while not timeline.is_over and timeline.ply < 200:
        if timeline.ply in leaving and len(timeline.out) < game.players - 2:
            gone = [player for player in range(game.players) if player not in timeline.out]
            timeline.leave({choice.choice(gone): "crash: it fell"})
        elif timeline.to_move == (CHANCE,):
            timeline.act({CHANCE: timeline.state.sample_chance(dice)})
        else:
            slots = range(game.dimensions.slots)
            chosen = {player: tuple(choice.choice(timeline.state.legal(player, slot)) for slot in slots) for player in timeline.to_move}
            timeline.act({player: orders if len(slots) > 1 else orders[0] for player, orders in chosen.items()})
        assert timeline.is_over or not set(timeline.to_move) & timeline.out.keys()
        assert game.parse(timeline.state.text) == timeline.state
    again = repeated(timeline)
    assert (again.state, again.outcome, again.out) == (timeline.state, timeline.outcome, timeline.out)
    for player in (*range(game.players), None):
        sight = Sight(timeline, player)
        lines = [sight.step_text(ply) for ply in range(1, sight.ply + 1)]
        assert sum("is out (crash: it fell)" in line for line in lines) == len(timeline.out)


def test_a_draw_is_one_of_those_who_stayed() -> None:
    timeline = Timeline(Heap().start())
    timeline.resign(1)
    timeline.draw("enough")
    assert timeline.outcome == Outcome((0.5, -1.0, 0.5), None, "adjudicated: enough")
    assert repeated(timeline).outcome == timeline.outcome


def test_what_is_played_for_a_player_who_left_is_not_its_own() -> None:
    timeline = Timeline(ludarium.game("hexabomb", map="garden3", turns=4).start())
    timeline.leave({1: "crash: it fell"})
    while not timeline.is_over:
        if timeline.to_move == (CHANCE,):
            timeline.act({CHANCE: timeline.state.sample_chance(generator_from(1))})
        else:
            timeline.act({player: played_for(timeline.state, player, 0) for player in timeline.to_move})
    assert any(1 in step.actions and not step.is_leaving for step in timeline.steps)
    assert [timeline.has_acted(player) for player in range(3)] == [True, False, True]


def test_a_judge_elsewhere_tells_who_left() -> None:
    """A course that is told is the timeline's own: also of a game that hides things, as far as the seat may know it."""
    for game in (Heap(), ludarium.game("hexabomb", map="garden3", turns=4), ludarium.game("roboderby", players=3, turn_limit=2)):
        timeline, generator, choose = Timeline(game.start()), generator_from(4), random.Random(4)
        told, news = Told(game.start(), 0), News(Sight(timeline, 0))
        for number in range(30):
            if timeline.is_over:
                break
            if number == 2:
                timeline.leave({1: "crash: it fell"})
            elif timeline.to_move == (CHANCE,):
                timeline.act({CHANCE: timeline.state.sample_chance(generator)})
            else:
                timeline.act({player: played_for(timeline.state, player, choose.getrandbits(20)) for player in timeline.to_move})
            told.hear(json.loads(encoded(turn(timeline.state.seen_by(0), 0, news, None, ()))))
            assert told.state.seen_by(0).text == timeline.state.seen_by(0).text
        assert set(told.out) == {1}
        assert told.state.to_move == () or 1 not in told.to_move
        if game.secrets is None:
            assert any(step.is_leaving for step in told.steps)
