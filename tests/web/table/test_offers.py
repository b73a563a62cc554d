"""Players whom the organiser names: programs that others may play against and nobody else may name."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psutil
import pytest

import ludarium
from ludarium.errors import BadNotation, BadOption
from ludarium.players.programs import Conditions, pool
from ludarium.web.table.offers import Offers, read_offers
from tests.players.programs.bots import eventually, write_bot
from tests.web.live import Live

STARTED = "open('started', 'a').write(f'{os.getpid()}\\n')\n"

DIES_ONCE = """
if os.path.exists('died'):
    for message in turns(): act(message)
for message in turns():
    open('died', 'w').close()
    sys.exit(f'no idea in {os.getcwd()}')
"""

TELLS_TIME = """
for message in turns():
    open('clocks', 'a').write(json.dumps(message['clock']) + chr(10))
    act(message)
"""

AT_ONCE = 2
FREE = Conditions(sandbox="off")


class Served:
    def __init__(self, live: Live, folder: Path) -> None:
        self.live = live
        self.folder = folder

    def started(self, bot: str) -> list[int]:
        path = self.folder / bot / "started"
        return [int(line) for line in path.read_text().split()] if path.exists() else []

    def over(self, id: str) -> list[dict[str, Any]]:
        """The record of a game, when it is over."""
        with self.live.join(id) as watcher:
            watcher.until(lambda position: position["outcome"] is not None)
        return [json.loads(line) for line in self.live.http.get(f"/api/games/{id}/record").text.splitlines()]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("secret")
    texts: list[str] = []
    for name, body in (("tortoise", STARTED + TELLS_TIME), ("mayfly", STARTED + DIES_ONCE)):
        (folder / name).mkdir()
        texts.append(f"{name}={write_bot(folder / name, body)}")
    offers = read_offers([*texts, "tic-tac-toe:Expert=alphabeta:depth=9"], FREE, AT_ONCE)
    pool.end_all()
    with Live(folder / "games", offers=offers) as live:
        served = Served(live, folder)
        yield served
    offers.close()
    assert eventually(lambda: not any(psutil.pid_exists(one) for bot in ("tortoise", "mayfly") for one in served.started(bot)))


def test_the_lobby_shows_names_and_nothing_of_what_stands_behind_them(served: Served) -> None:
    page = served.live.http.get("/").text
    assert 'value="tortoise"' in page
    assert page.count('value="Expert"') > 0
    assert "depth=9" not in page
    assert "secret" not in page
    seats = served.live.http.post("/api/lobby/tic-tac-toe/seats", json={}).json()["seats"]
    assert 'value="mayfly"' in seats
    assert 'value="Expert"' not in served.live.http.post("/api/lobby/expand-conquer/seats", json={}).json()["seats"]
    assert "secret" not in seats


def test_strangers_name_nothing_else(served: Served) -> None:
    http, before = served.live.http, served.started("tortoise")
    bot = str(served.folder / "tortoise" / "bot.py")
    wrong = [
        bot,
        "./bot.py",
        "bot.py",
        f"cmd:python3 {bot}",
        f"tortoise={bot}",
        "ws://127.0.0.1:9",
        "wss://h",
        f"tortoise:{bot}",
        "tortoise:level=3",
    ]
    for spec in [*wrong, "Tortoise", "tic-tac-toe:tortoise", "../tortoise", "cmd:", "tortoise\n./bot.py", "file:///bin/true"]:
        answer = http.post("/api/games", json={"game": "tic-tac-toe", "players": ["human", spec]})
        assert answer.status_code == 400, spec
        assert answer.json()["code"] in ("bad_option", "bad_notation"), spec
        shown = http.get("/", params={"game": "tic-tac-toe", "opponent": spec, "players": spec, "option-player": spec})
        assert shown.status_code == 200
        assert http.get(f"/game/{quote(spec, safe='')}").status_code == 404
        told = http.post("/api/lobby/tic-tac-toe/seats", json={"player": spec, "players": [spec]}).json()
        assert "player" in told["problem"]
    assert http.post("/api/games", json={"game": "expand-conquer", "players": ["human", "Expert"]}).status_code == 400
    assert served.started("tortoise") == before


def test_a_program_plays_under_its_name(served: Served) -> None:
    made = served.live.make("tortoise", "Expert", game="tic-tac-toe")
    record = served.over(made["id"])
    assert record[0]["players"] == ["tortoise", "Expert"]
    assert record[-2]["event"] == "action"
    assert record[-1]["event"] == "end"
    assert served.started("tortoise")


def test_a_program_is_told_its_time(served: Served) -> None:
    clocks = served.folder / "tortoise" / "clocks"

    def told() -> list[dict[str, Any]]:
        return [json.loads(line) for line in clocks.read_text().splitlines()]

    clocks.write_text("")
    record = served.over(served.live.make("tortoise", "random", game="tic-tac-toe", clock="90+5")["id"])
    first, second = told()[:2]
    assert first == {"left": 90, "increment": 5, "per": "game"}
    used = next(event["seconds"]["0"] for event in record if "0" in event.get("seconds", {}))
    assert second["left"] == pytest.approx(95 - used, abs=0.01)
    assert used > 0
    served.over(served.live.make("tortoise", "random", game="tic-tac-toe", clock="5/action")["id"])
    assert told()[-1] == {"left": 5, "increment": 0, "per": "action"}
    served.over(served.live.make("tortoise", "random", game="tic-tac-toe", clock="60/action")["id"])
    assert told()[-1] == {"left": 10, "increment": 0, "per": "action"}


def test_one_that_dies_loses_its_game_and_plays_the_next(served: Served) -> None:
    record = served.over(served.live.make("random", "mayfly", game="tic-tac-toe")["id"])
    assert record[-2] == {"event": "forfeit", "player": 1, "reason": "crash: mayfly ended with exit code 1"}
    record = served.over(served.live.make("random", "mayfly", game="tic-tac-toe")["id"])
    assert record[-2]["event"] == "action"
    assert len(served.started("mayfly")) == 2


def test_many_games_take_turns_with_few_processes(served: Served) -> None:
    before = len(served.started("tortoise"))
    made = [served.live.make("tortoise", "tortoise", game="tic-tac-toe")["id"] for _ in range(5)]
    watchers = [served.live.join(id) for id in made]
    joined = [watcher.__enter__() for watcher in watchers]
    for watcher in joined:
        watcher.until(lambda position: position["outcome"] is not None)
    for watcher in watchers:
        watcher.__exit__(None, None, None)
    for id in made:
        assert served.over(id)[-2]["event"] == "action"
    assert len(served.started("tortoise")) - before <= AT_ONCE


@pytest.mark.parametrize(
    ("texts", "error", "words"),
    [
        (["./bot.py"], BadNotation, "'./bot.py' is not NAME=SPEC or GAME:NAME=SPEC"),
        (["two words=random"], BadNotation, "is not NAME=SPEC"),
        (["../x=random"], BadNotation, "is not NAME=SPEC"),
        (["chess:x=random"], BadOption, "game 'chess' is not one of"),
        (["human=random"], BadOption, "has a player of its own that is called 'human'"),
        (["random=cmd:true"], BadOption, "has a player of its own that is called 'random'"),
        (["x=./nothing.py"], BadOption, "there is no such file"),
        (["x=ws://"], BadNotation, "is not where a bot listens"),
        (["x=nobody"], BadOption, "player 'nobody' is not one of"),
        (["x=human"], BadOption, "is a person"),
        (["tic-tac-toe:x=alphabeta:level=9"], BadOption, "level"),
        (["x=random", "tic-tac-toe:x=greedy"], BadOption, "two players of tic-tac-toe are called 'x'"),
    ],
)
def test_what_nobody_can_be_offered_as(texts: list[str], error: type[Exception], words: str) -> None:
    with pytest.raises(error) as problem:
        read_offers(texts, FREE, 1)
    assert words in str(problem.value)


def test_a_built_in_player_is_offered_where_it_can_play() -> None:
    offers = read_offers(["Fast=alphabeta:depth=1"], FREE, 1)
    assert "Fast" in offers.kinds("tic-tac-toe")
    assert "Fast" not in offers.kinds("liars-dice")
    assert offers.behind("tic-tac-toe", ["human", "Fast", "random"]) == ["human", "alphabeta:depth=1", "random"]


def test_without_offers_there_are_the_built_in_players() -> None:
    with pytest.raises(BadOption, match="player 'tortoise' is not one of"):
        Offers().parse("tortoise", ludarium.game("tic-tac-toe"))
