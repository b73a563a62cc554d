"""What the lobby tells of games that go on, and to whom."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from ludarium.core.sight import Sight
from ludarium.web.lobby.game_of_the_day import REST, STEP, GameOfTheDay, _wish
from ludarium.web.lobby.on_show import BOARDS, OnShow
from ludarium.web.visitors.limits import Limits
from tests.web.live import Live


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    with Live(tmp_path) as live:
        yield live


def now(live: Live, have: str = "", own: str = "") -> dict[str, Any]:
    return live.http.get("/api/lobby/now", params={"have": have, "own": own}).raise_for_status().json()


def ids(shown: list[dict[str, Any]]) -> list[str]:
    return [game["id"] for game in shown]


def test_nobody_is_shown_who_did_not_say_so(live: Live) -> None:
    people = live.make("human", "human", game="tic-tac-toe")
    against_a_bot = live.make("human", "random", game="tic-tac-toe")
    hidden = live.make("human", "random", game="tic-tac-toe", lobby="private")
    told = live.make("human", "human", game="tic-tac-toe", lobby="watched")
    made = (people, against_a_bot, hidden, told)
    with live.join(people["id"]), live.join(against_a_bot["id"]), live.join(hidden["id"]), live.join(told["id"]):
        shown = now(live)
    assert ids(shown["games"]) == [against_a_bot["id"], told["id"]]
    assert not any(seat["token"] in str(shown) for one in made for seat in one["seats"])
    assert shown["invitations"] == []
    assert shown["day"] is None


def test_boards_are_sent_when_they_have_changed(live: Live) -> None:
    made = live.make("human", "human", game="tic-tac-toe", lobby="watched")
    with live.join(made["id"], made["seats"][0]["token"]) as player:
        (board,) = now(live)["games"]
        assert board["svg"].startswith("<svg ")
        assert (board["moves"], board["result"], board["watching"]) == (0, None, 0)
        (again,) = now(live, f"00000000,{board['tag']}")["games"]
        assert "svg" not in again
        assert now(live, own=",".join([*["x" * 12] * 19, made["id"]]))["turns"] == {made["id"]: [0]}
        player.act("b2")
        player.receive("position")
        assert now(live, own=made["id"])["turns"] == {made["id"]: [1]}
        (later,) = now(live, board["tag"])["games"]
        assert (later["moves"], later["tag"] == board["tag"]) == (1, False)
        assert "svg" in later
        player.send(type="resign")
        player.until(lambda position: position["outcome"])
        shown = now(live, own=made["id"])
    assert (shown["games"], shown["turns"]) == ([], {made["id"]: None})
    assert [(one["id"], one["result"]["winner"]) for one in shown["ended"]] == [(made["id"], 1)]


def test_whose_turn_it_is_in_games_that_rest_on_the_disk_is_looked_up(tmp_path: Path) -> None:
    with Live(tmp_path) as live:
        going, over = (live.make("human", "human", game="tic-tac-toe") for _ in range(2))
        for made, played in ((going, {"type": "act", "ply": 0, "action": "b2"}), (over, {"type": "resign"})):
            with live.join(made["id"], made["seats"][0]["token"]) as player:
                player.send(**played)
                player.receive("position")
    own = f"{going['id']},{over['id']},{'x' * 12}"
    with Live(tmp_path) as live:
        while len(turns := now(live, own=own)["turns"]) < 2:
            pass
        assert turns == {going["id"]: [1], over["id"]: None}
        with live.join(going["id"], going["seats"][1]["token"]) as player:
            player.act("a1")
            player.receive("position")
            assert now(live, own=own)["turns"] == {going["id"]: [0], over["id"]: None}


def test_there_is_room_for_so_many_boards(live: Live) -> None:
    made = [live.make("human", "human", game="tic-tac-toe", lobby="watched") for _ in range(BOARDS + 1)]
    with ExitStack() as joined:
        for one in made:
            joined.enter_context(live.join(one["id"]))
        assert ids(now(live)["games"]) == ids(made)[1:]  # the oldest first, in which nothing has happened for longest


def test_what_is_hidden_from_who_watches_is_not_drawn(live: Live) -> None:
    made = live.make("human", "human", game="liars-dice", lobby="watched", seed=1)
    with live.join(made["id"]) as watcher, live.join(made["id"], made["seats"][0]["token"]) as player:
        (board,) = now(live)["games"]
        state = Sight(live.sessions.in_memory[0].course, None).latest
        assert board["svg"] == state.svg(size=240, last=Sight(live.sessions.in_memory[0].course, None).action(board["moves"]))
        assert player.position["text"] != watcher.position["text"] == state.text


def test_a_free_seat_goes_to_the_first_who_takes_it(live: Live) -> None:
    made = live.make("human", "human", game="tic-tac-toe", lobby="open", clock=30)
    assert now(live)["invitations"] == []  # nobody waits there
    own, other = (seat["token"] for seat in made["seats"])
    with live.join(made["id"], own) as maker:  # as programs do, which keep their first token
        (invitation,) = now(live)["invitations"]
        assert (invitation["id"], invitation["clock"], invitation["options"]) == (made["id"], "30/action", {})
        assert invitation["seats"] == [{"name": "O", "link": f"/game/{made['id']}#{other}"}]
        with live.join(made["id"], other, new_token="t" * 22) as taker:
            assert taker.welcome["you"] == 1
            assert now(live)["invitations"] == []
            maker.receive("players")
        assert now(live)["invitations"] == []  # who has taken it may come back


def test_who_may_come_outlives_the_server(tmp_path: Path) -> None:
    with Live(tmp_path) as live:
        made = live.make("human", "human", game="tic-tac-toe", lobby="open")
    with Live(tmp_path) as live, live.join(made["id"], made["seats"][0]["token"]):
        assert ids(now(live)["invitations"]) == [made["id"]]
        answer = live.http.post("/api/games", json={"game": "tic-tac-toe", "players": ["human", "human"], "lobby": "everybody"})
        assert (answer.status_code, answer.json()["code"]) == (400, "bad_message")
        assert "lobby" in answer.json()["message"]


def test_the_game_of_the_day_is_played_once_and_shown_again(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludarium.list_games", lambda: ["tic-tac-toe"])
    today, time = [date(2026, 1, 20)], [0.0]
    day = GameOfTheDay(live.sessions, lambda: today[0], lambda: time[0])
    shown = OnShow(live.sessions, day)

    def look() -> dict[str, Any]:
        async def wait() -> dict[str, Any]:
            while (told := shown.now(())["day"]) is None:
                await asyncio.sleep(0)
            return told

        return asyncio.run_coroutine_threadsafe(wait(), live.loop()).result(30)

    first = look()
    assert [player["kind"] for player in first["players"]] == ["bot", "bot"]
    with live.join(first["id"]) as watcher:
        last = watcher.until(lambda position: position["outcome"])["ply"]
    seen: list[int] = []
    for step in range(last + REST + 2):
        time[0] = step * STEP
        seen.append(look()["moves"])
    assert seen == [*range(last), *[last] * (REST + 1), 0]
    assert look()["result"]["reason"]
    assert look()["id"] == first["id"]
    assert now(live)["games"] == now(live)["ended"] == []  # it is not counted among those of visitors
    today[0] += timedelta(days=1)
    assert look()["id"] != first["id"]
    today[0] -= timedelta(days=1)
    assert (look()["id"], look()["moves"]) == (first["id"], 0)


def test_the_game_of_the_day_is_between_equals() -> None:
    opponents = [{"spec": spec} for spec in ("human", "random", "1", "2", "3", "4", "5")]
    game = {"id": "some", "player_names": ("White", "Black"), "opponents": opponents}
    pairs = [_wish(game, random.Random(day))["players"] for day in range(100)]
    assert {abs(int(white) - int(black)) for white, black in pairs} == {1}
    assert len({tuple(pair) for pair in pairs}) == 8
    assert sorted(_wish({**game, "player_names": "ABCDEF"}, random.Random(1))["players"])[:1] == ["1"]
    assert _wish({**game, "opponents": opponents[:2]}, random.Random(1))["players"] == ["random", "random"]


def test_a_house_that_is_full_has_no_game_of_the_day(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with Live(tmp_path, Limits(games=1, pace=0.0)) as live:
        made = live.make("human", "human", game="tic-tac-toe")
        shown = OnShow(live.sessions, GameOfTheDay(live.sessions, lambda: date(2026, 1, 20)))

        async def look() -> None:
            while not caplog.records:
                assert shown.now(())["day"] is None
                await asyncio.sleep(0)
            for _ in range(100):
                assert shown.now(())["day"] is None
                await asyncio.sleep(0)

        with live.join(made["id"]) as watcher:
            asyncio.run_coroutine_threadsafe(look(), live.loop()).result(30)
            assert watcher.position["ply"] == 0
        assert [record.getMessage()[:38] for record in caplog.records] == ["there is no game of the day at the mom"]
