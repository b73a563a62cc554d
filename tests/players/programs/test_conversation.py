"""What a program is told, and what it may answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import ludarium
from ludarium.arena import Terms, TimeControl, play_game
from ludarium.core.sight import Sight
from ludarium.core.timeline import Timeline
from ludarium.players.programs.messages import News
from tests.players.programs.bots import write_bot, written

pytestmark = pytest.mark.usefixtures("no_sandbox")

LISTENER = """
for line in sys.stdin:
    with open("heard.jsonl", "a") as file:
        file.write(line)
    message = json.loads(line)
    if message["type"] == "hello":
        say(type="ready", send=SEND)
    elif message["type"] == "turn":
        say(type="action", action=ANSWER)
"""


def heard(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in written(folder / "heard.jsonl", '"type":"result"').splitlines()]


def listener(folder: Path, answer: str, send: str = '["actions", "indices"]') -> str:
    return write_bot(folder, LISTENER.replace("ANSWER", answer).replace("SEND", send))


def test_a_whole_game(tmp_path: Path) -> None:
    game = ludarium.game("expand-conquer", rows=3, columns=3, start="O**|***|**X")
    bot = listener(tmp_path, 'message["actions"][0]')
    timeline = play_game(game, [bot, "random"], seed=5, terms=Terms((TimeControl(60, 0.5), TimeControl(60))))
    messages = heard(tmp_path)
    assert messages[0] == {"type": "hello", "protocol": 1}
    assert messages[1] | {"seed": 0} == {
        "type": "game",
        "game": "expand-conquer",
        "title": "Expand and Conquer",
        "options": dict(game.options),
        "players": ["Left", "Right"],
        "seat": 0,
        "seed": 0,
        "position": timeline.steps[0].state.text,
    }
    assert 0 <= messages[1]["seed"] < 2**53
    turns, result = messages[2:-1], messages[-1]
    assert {message["type"] for message in turns} == {"turn"}
    told = 0
    for message in turns:
        state = timeline.steps[message["ply"]].state
        assert message["position"] == state.text
        assert message["actions"] == [action.text for action in state.actions()]
        assert message["indices"] == state.legal()
        assert message["from"] == told + 1
        told += len(message["events"])
        assert told == message["ply"]
        assert message["clock"]["per"] == "game"
        assert message["clock"]["increment"] == 0.5
        assert 0 < message["clock"]["left"] <= 60 + 0.5 * len(turns)
    assert result["returns"] == list(timeline.state.returns)
    assert timeline.outcome is not None
    assert result["reason"] == timeline.outcome.reason
    events = [event for message in messages if "events" in message for event in message["events"]]
    assert events == [{"event": "action", "actions": event["actions"]} for event in timeline.events if event["event"] == "action"]


@pytest.mark.parametrize("answer", ['message["actions"][-1]', 'message["indices"][-1]'])
def test_an_action_by_its_notation_or_its_number(tmp_path: Path, answer: str) -> None:
    game = ludarium.game("expendibots")
    timeline = play_game(game, [listener(tmp_path, answer), "random"], seed=1)
    assert timeline.steps[1].action == game.start().actions()[-1]


@pytest.mark.parametrize(
    "answer", ['[order["indices"][-1] for order in message["orders"]]', '[order["actions"][-1] for order in message["orders"]]']
)
def test_orders_by_their_notations_or_their_numbers(tmp_path: Path, answer: str) -> None:
    game = ludarium.game("hexabomb", turns=2)
    start = game.start()
    timeline = play_game(game, [listener(tmp_path, answer), "random"], seed=1)
    assert timeline.steps[1].actions[0].index == tuple(start.legal(0, slot)[-1] for slot in range(3))


def test_a_single_order_is_an_order(tmp_path: Path) -> None:
    """A bot for a game with orders is asked alike on a map where each player gives one."""
    cells = [{"q": q, "r": 0} for q in range(4)]
    board = {"cells": cells, "initial_positions": {"0": cells[:1], "1": cells[-1:]}}
    (tmp_path / "map.json").write_text(json.dumps(board), encoding="utf-8")
    game = ludarium.game("hexabomb", map=str(tmp_path / "map.json"), turns=2)
    timeline = play_game(game, [listener(tmp_path, '[order["actions"][1] for order in message["orders"]]'), "random"], seed=1)
    assert timeline.steps[1].actions[0].index == (game.start().legal(0)[1],)
    assert all("actions" not in message for message in heard(tmp_path))


def test_it_gets_what_it_asks_for(tmp_path: Path) -> None:
    game = ludarium.game("expand-conquer", rows=3, columns=3, start="O**|***|**X")
    play_game(game, [listener(tmp_path, 'message["position"] and 99', '["observation"]'), "random"], seed=1)
    message = heard(tmp_path)[2]
    assert message["observation"] == game.start().observation(0).ravel().tolist()
    assert "actions" not in message
    assert "indices" not in message


def test_one_process_plays_game_after_game(tmp_path: Path) -> None:
    bot = write_bot(tmp_path, 'open("started", "a").write("once ")\nfor message in turns(): act(message)')
    game = ludarium.game("expand-conquer", rows=3, columns=3, start="O**|***|**X")
    first = play_game(game, [bot, "random"], seed=1)
    second = play_game(game, [bot, "random"], seed=1)
    assert (tmp_path / "started").read_text() == "once "
    assert [event["actions"] for event in first.events if "actions" in event] == [
        event["actions"] for event in second.events if "actions" in event
    ]


def test_after_giving_up_a_process_plays_no_other_game(tmp_path: Path) -> None:
    bot = write_bot(tmp_path, "open('started', 'a').write('once ')\nfor message in turns(): say(type='forfeit', reason='enough')\n")
    for games in (1, 2):
        timeline = play_game(ludarium.game("expand-conquer", rows=3, columns=3, start="O**|***|**X"), ["random", bot], seed=games)
        assert list(timeline.forfeits) == [1]
        assert timeline.outcome is not None
        assert "enough" in timeline.outcome.reason
        assert (tmp_path / "started").read_text() == "once " * games


@pytest.mark.parametrize(("rest", "forfeited"), [("'\\n'", None), ("' '", 0)])
def test_an_answer_of_the_longest_length_is_read(rest: str, forfeited: int | None, tmp_path: Path) -> None:
    """An answer that is longer by a byte is refused, with or without a line end."""
    answer = 'json.dumps({"type": "action", "action": message["actions"][0]}).ljust(65_536)'
    bot = write_bot(tmp_path, f"for message in turns():\n print({answer}, end={rest}, flush=True)")
    start = ludarium.game("expand-conquer", rows=3, columns=3, start="O**|***|**X")
    terms = Terms((TimeControl(20, is_per_action=True),) * 2, max_plies=2)
    timeline = play_game(start, [bot, "random"], seed=1, terms=terms)
    assert list(timeline.forfeits) == ([] if forfeited is None else [forfeited])
    assert timeline.outcome is not None
    assert ("bad answer: a line of more than 65,536 bytes" in timeline.outcome.reason) == (forfeited == 0)


def test_two_seats_are_two_processes(tmp_path: Path) -> None:
    bot = write_bot(tmp_path, 'open("started", "a").write("once ")\nfor message in turns(): act(message)')
    assert play_game(ludarium.game("expand-conquer", rows=3, columns=3, start="O**|***|**X"), [bot, bot], seed=1).outcome
    assert (tmp_path / "started").read_text() == "once once "


def test_of_what_is_hidden_it_is_told_that_it_happened_and_all_of_it_when_it_opens(tmp_path: Path) -> None:
    game = ludarium.game("liars-dice", players=2, dice=1)
    bot = listener(tmp_path, 'message["actions"][-1]')
    timeline = play_game(game, [bot, "random"], seed=4)
    messages = [message for message in heard(tmp_path) if "events" in message]
    deals = messages[0]["events"]
    hidden = [number for number, event in enumerate(deals, 1) if event["event"] == "chance" and event["outcome"] is None]
    assert len(hidden) == 1  # the other's die
    last = messages[-1]
    assert last["from"] == hidden[0]
    assert all(None not in (event.get("outcome", ""), *event.get("actions", {}).values()) for event in last["events"])
    assert last["from"] - 1 + len(last["events"]) == timeline.ply


def test_after_a_takeback_everything_is_told_anew() -> None:
    game = ludarium.game("expendibots")
    timeline = Timeline(game.start())
    news = News(Sight(timeline, 0))
    timeline.act({0: "a2-a3"})
    timeline.act({1: "a7-a6"})
    assert [event["actions"] for event in news.since()["events"]] == [{"0": "a2-a3"}, {"1": "a7-a6"}]
    assert news.since() == {"from": 3, "events": []}
    timeline.take_back(1)
    timeline.act({1: "h7-h6"})
    assert news.since() == {
        "from": 1,
        "events": [{"event": "action", "actions": {"0": "a2-a3"}}, {"event": "action", "actions": {"1": "h7-h6"}}],
    }
    assert news.ply == 2


@pytest.mark.parametrize(
    ("id", "options", "answer"),
    [
        ("tic-tac-toe", {}, 'float(message["indices"][0])'),
        ("hexabomb", {"turns": 3}, '[float(order["indices"][0]) for order in message["orders"]]'),
    ],
)
def test_a_whole_number_may_be_written_with_a_point(id: str, options: dict[str, Any], answer: str, tmp_path: Path) -> None:
    """So do languages that know one kind of numbers."""
    game = ludarium.game(id, **options)
    timeline = play_game(game, [listener(tmp_path, answer), *["random"] * (game.players - 1)], seed=1)
    assert "forfeit" not in {event["event"] for event in timeline.events}
