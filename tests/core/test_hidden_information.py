"""Games that hide things: what each player may know of their course, their records, and what programs are shown."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ludarium.arena import match, play_game
from ludarium.core.game import Action, Game, State
from ludarium.core.record import Header, Recorder, read_record
from ludarium.core.rules import CHANCE
from ludarium.core.sight import Sight
from ludarium.core.timeline import Timeline
from ludarium.errors import IllegalAction
from ludarium.players import Player, PlayerKind, PlayerSpec, never
from ludarium.testing.random_games import random_choice, random_step
from tests.tiny_games.cups import UNKNOWN, Cups
from tests.tiny_games.faulty import WithSecrets

NORTH, SOUTH, WATCHER = 0, 1, None


@pytest.fixture
def timeline() -> Timeline:
    """One round is over: 2 and 5. In the second one North has 3 and South has shaken a 4 and keeps a 6."""
    timeline = Timeline(Cups().start())
    for actions in ({CHANCE: "N2"}, {CHANCE: "S5"}, {0: "keep", 1: "keep"}):
        timeline.act(actions)
    for actions in ({CHANCE: "N3"}, {CHANCE: "S4"}, {1: "shake"}, {CHANCE: "S6"}, {1: "keep"}):
        timeline.act(actions)
    return timeline


def test_everything_is_open_up_to_the_latest_position_that_hides_nothing(timeline: Timeline) -> None:
    assert [Sight(timeline, player).open_ply for player in (NORTH, SOUTH, WATCHER)] == [4, 3, 3]
    assert [Sight(timeline, WATCHER).is_open(ply) for ply in range(9)] == [True] * 4 + [False] * 5
    for player in (NORTH, SOUTH, WATCHER):
        sight = Sight(timeline, player)
        assert [sight.state(ply) for ply in range(4)] == [step.state for step in timeline.steps[:4]]
        assert [sight.step_text(ply) for ply in range(1, 4)] == ["N2", "S5", "keep, keep"]
        assert [event.text for event in sight.events(3)] == ["the cups are lifted: 2 and 5"]
        assert sight.events(0) == sight.events(1) == ()


def test_later_each_player_knows_its_own(timeline: Timeline) -> None:
    north, south, watcher = (Sight(timeline, player) for player in (NORTH, SOUTH, WATCHER))
    assert north.latest.record.dice.tolist() == [3, UNKNOWN]
    assert south.latest.record.dice.tolist() == [UNKNOWN, 6]
    assert watcher.latest.record.dice.tolist() == [UNKNOWN, UNKNOWN]
    assert north.step_text(6) == watcher.step_text(6) == "South thinks"
    assert south.step_text(6) == "shake"
    assert north.step_text(7) == watcher.step_text(7) == "a cup is shaken"
    assert south.step_text(7) == "S6"
    assert north.actions(6) == watcher.actions(6) == {}
    assert north.action(6) is None
    assert str(south.action(6)) == "shake"
    timeline.act({0: "keep"})
    assert north.open_ply == watcher.open_ply == 9
    assert [north.step_text(ply) for ply in range(4, 10)] == ["N3", "S4", "shake", "S6", "keep", "keep"]
    assert north.state(7).record.dice.tolist() == [3, 6]
    assert [dict(event.data) for event in watcher.events(9)] == [{"kind": "lift", "dice": [3, 6]}]


def test_a_position_that_hides_nothing_opens_those_before_it(timeline: Timeline) -> None:
    north, south = Sight(timeline, NORTH), Sight(timeline, SOUTH)
    assert (north.opened(3), south.opened(3)) == (range(2, 4), range(1, 4)), "one's own die is no news"
    assert list(north.opened(0)) == list(north.opened(8)) == []
    timeline.act({0: "keep"})
    assert (north.opened(9), south.opened(9)) == (range(5, 10), range(4, 10))
    timeline.act({CHANCE: "N3"})
    timeline.resign(0)
    assert south.opened(10) == range(10, 11), "the end opens what nobody had seen"
    assert list(north.opened(10)) == []


def test_what_several_chose_together_is_known_to_each_in_part() -> None:
    timeline = Timeline(Cups().start())
    for actions in ({CHANCE: "N2"}, {CHANCE: "S5"}, {0: "shake", 1: "keep"}):
        timeline.act(actions)
    assert Sight(timeline, WATCHER).open_ply == 0
    assert Sight(timeline, NORTH).step_text(3) == "shake, South thinks"
    assert Sight(timeline, SOUTH).step_text(3) == "North thinks, keep"
    assert Sight(timeline, WATCHER).step_text(3) == "North thinks, South thinks"
    assert Sight(timeline, NORTH).action(3) is None


def test_a_game_that_is_over_is_open(timeline: Timeline) -> None:
    timeline.resign(SOUTH)
    sight = Sight(timeline, WATCHER)
    assert sight.open_ply == sight.ply == timeline.ply == 8
    assert sight.latest == timeline.state
    assert sight.recorded(timeline.events) == timeline.events


def test_a_course_may_begin_with_something_hidden() -> None:
    timeline = Timeline(Cups().parse("0 0 N3 S5 0 0 0 0 0 0"))
    sight = Sight(timeline, NORTH)
    assert sight.open_ply == -1
    assert sight.state(0).text == "0 0 N3 S? 0 0 0 0 0 0"
    assert sight.recorded(timeline.events) == [{"event": "start", "position": "0 0 N3 S? 0 0 0 0 0 0"}]
    timeline.act({0: "keep", 1: "keep"})
    assert sight.open_ply == 1
    assert sight.opened(1) == range(1, 2)
    assert sight.recorded(timeline.events) == timeline.events


def test_the_record_of_a_running_game_says_only_that_something_happened(timeline: Timeline) -> None:
    def recorded(player: int | None) -> list[Any]:
        return Sight(timeline, player).recorded(timeline.events)

    timeline.act({0: "shake"}, {0: 2.5})
    assert recorded(WATCHER)[:4] == timeline.events[:4]
    assert recorded(WATCHER)[4:] == [
        *[{"event": "chance", "outcome": None}] * 2,
        {"event": "action", "actions": {"1": None}},
        {"event": "chance", "outcome": None},
        {"event": "action", "actions": {"1": None}},
        {"event": "action", "actions": {"0": None}, "seconds": {}},
    ]
    assert recorded(NORTH)[4]["outcome"] == "N3"
    assert recorded(NORTH)[-1] == {"event": "action", "actions": {"0": "shake"}, "seconds": {"0": 2.5}}
    timeline.act({CHANCE: "N1"})
    timeline.act({0: "keep"})
    assert recorded(WATCHER) == timeline.events


@pytest.mark.usefixtures("cups")
def test_a_record_of_a_running_game_is_played_as_far_as_it_is_open(timeline: Timeline, tmp_path: Path) -> None:
    path = tmp_path / "cups.jsonl"
    with Recorder(path, replace(Header.of(timeline.game, ["one", "two"]), partial=True)) as recorder:
        for event in Sight(timeline, WATCHER).recorded(timeline.events):
            recorder.write(event)
    record = read_record(path)
    assert record.notice is not None
    assert "still running" in record.notice
    assert [step.state for step in record.replay().steps] == [step.state for step in timeline.steps[:4]]


def test_a_step_of_which_nothing_is_seen_is_in_no_record_even_where_all_before_it_is_open() -> None:
    timeline = Timeline(WithSecrets(secrets="Unheard").start())
    timeline.act({CHANCE: "N2"})
    assert Sight(timeline, SOUTH).ply == 0
    assert Sight(timeline, SOUTH).recorded(timeline.events) == timeline.events[:1]
    assert Sight(timeline, NORTH).recorded(timeline.events) == timeline.events


def test_nothing_is_taken_back(timeline: Timeline) -> None:
    before = list(timeline.events)
    with pytest.raises(IllegalAction, match="Cups are not taken back"):
        timeline.take_back(1)
    assert timeline.events == before


@pytest.mark.usefixtures("cups")
def test_choices_of_some_players_replay(tmp_path: Path) -> None:
    choice = random.Random(3)
    game = Cups()
    timeline = Timeline(game.start())
    path = tmp_path / "cups.jsonl"
    with Recorder(path, Header.of(game, ["one", "two"])) as recorder:
        timeline.listen(recorder.write)
        while not timeline.is_over:
            movers = timeline.state.to_move
            if movers == (CHANCE,):
                timeline.act(random_step(timeline.state, choice))
            else:
                player = choice.choice(movers)
                timeline.act({player: random_choice(timeline.state, player, choice)})
    replayed = read_record(path).replay()
    assert replayed.events == timeline.events
    assert [step.state for step in replayed.steps] == [step.state for step in timeline.steps]
    assert any(len(step.actions) == 1 and CHANCE not in step.actions for step in timeline.steps)


class Spy(Player):
    """Keeps everything it is shown, and shakes its cup for anything below 4."""

    seen: list[tuple[int, State]]

    def __init__(self, game: Game, options: dict[str, Any], seed: int) -> None:
        pass

    def choose(self, state: State, player: int, interrupted: Callable[[], bool] = never) -> Action:
        self.seen.append((player, state))
        return state.actions(player)[-1 if state.record.dice[player] < 4 else 0]


def test_programs_are_shown_what_their_seats_may_know() -> None:
    Spy.seen = []
    spy = PlayerSpec("spy", PlayerKind("spy", "a player for tests", (), Spy), {})
    timeline = play_game(Cups(rounds=9), [spy, spy], seed=5)
    assert timeline.outcome is not None
    assert "forfeited" not in timeline.outcome.reason
    assert len(Spy.seen) >= 18
    for player, state in Spy.seen:
        assert state == state.seen_by(player)
        assert state.record.dice[1 - player] == UNKNOWN
        assert 1 <= state.record.dice[player] <= 6


@pytest.mark.usefixtures("cups")
def test_matches_of_such_games() -> None:
    result = match(Cups(), ["random", "random"], games=6, seed=4)
    assert len(result.games) == 6
    assert result.games == match(Cups(), ["random", "random"], games=6, seed=4).games


@pytest.mark.usefixtures("cups")
@pytest.mark.parametrize("spec", ["greedy", "mcts:sims=200"])
def test_players_of_all_games_win_there(spec: str) -> None:
    better, _ = match(Cups(rounds=9), [spec, "random"], games=60, seed=4).standings
    assert better.points >= 36
