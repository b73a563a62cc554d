"""What is told of a game that is over."""

from __future__ import annotations

from pathlib import Path

import pytest

import ludarium
from ludarium.core.game import State
from ludarium.core.timeline import Timeline
from ludarium.players import estimate_of
from ludarium.web.table import summary
from ludarium.web.table.summary import TurningPoint, turning_point
from tests.web.live import Live


def played(game: str, *actions: str, **options: object) -> list[State]:
    timeline = Timeline(ludarium.game(game, **options).start())
    for action in actions:
        timeline.act({timeline.state.to_move[0]: timeline.state.action(action)})
    return [step.state for step in timeline.steps]


GAME = played("tic-tac-toe", "b2", "a2", "a1", "c3", "b1", "a3", "b3")  # which X wins


def scripted(*worths: float):
    """An estimate that knows what each position of that game is worth to X."""
    return lambda state: (worths[GAME.index(state)], -worths[GAME.index(state)])


def test_a_game_turns_where_most_changes_for_the_winner() -> None:
    worths = (0, 0.1, 0.2, 0.1, 0.8, 0.7, 0.9)
    assert turning_point(GAME, 0, scripted(*worths)) == TurningPoint(4, 0.1, 0.8)
    assert turning_point(GAME, 1, scripted(*worths)) is None  # 0.1 is not much
    assert turning_point(GAME, None, scripted(*worths)) is None
    assert turning_point(GAME, 0, None) is None


def test_looking_is_bounded_in_time_and_coarse_at_first(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = iter(range(100))
    worths = (0, 0, 0, 0, 0, 1, 1)
    assert turning_point(GAME, 0, scripted(*worths), lambda: float(next(seconds))) is None  # it ended before anything was seen
    monkeypatch.setattr(summary, "COARSE", 3)
    looked: list[int] = []

    def estimate(state: State) -> tuple[float, ...]:
        looked.append(GAME.index(state))
        return scripted(*worths)(state)

    assert turning_point(GAME, 0, estimate) == TurningPoint(5, 0, 1)
    assert sorted(looked) == [0, 3, 4, 5, 6]  # the last one's worth is its returns


@pytest.mark.parametrize("game", ["expendibots", "expand-conquer", "hexabomb"])
def test_estimates_are_of_all_players(game: str) -> None:
    state = ludarium.game(game).start()
    estimate = estimate_of(state.game)
    assert estimate is not None
    worth = estimate(state)
    assert len(worth) == state.game.players
    assert sum(worth) == 0
    assert max(worth) < 0.6


def test_a_player_alone_has_an_estimate() -> None:
    game = ludarium.game("hexabomb", map="tiny2", players=1)
    estimate = estimate_of(game)
    assert estimate is not None
    (worth,) = estimate(game.start())
    assert -1 <= worth <= 1


def test_it_is_told_once_it_is_found(tmp_path: Path) -> None:
    start = "......../......../......../......../......../B(2)......./......../W......W b 1"
    with Live(tmp_path) as live:
        made = live.make("human", "human", position=start)
        tokens = [seat["token"] for seat in made["seats"]]
        with live.join(made["id"], tokens[0]) as white, live.join(made["id"], tokens[1]) as black:
            assert white.position["summary"] is None
            black.act("2a3-a2")
            white.until(lambda message: message.get("ply") == 1)
            white.act("a1!")
            told = white.until(lambda message: message.get("summary") is not None)
            assert told["summary"]["lines"] == ["Longest chain: 2 stacks, with move 2", "Tokens left: White 1, Black 0"]
            assert told["summary"]["turning_point"]["ply"] == 1
            black.send(type="ahead")  # which somebody does who has not heard of the end yet
            assert black.receive("ahead")["actions"] == []
