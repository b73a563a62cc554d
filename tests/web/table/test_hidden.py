"""A game that hides things on the server: nobody is sent what they may not know, over any way that there is."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludarium.core.record import Header, Record
from ludarium.core.rules import CHANCE
from ludarium.core.sight import Sight
from ludarium.core.timeline import Timeline
from ludarium.web.competitions.record_play import RecordPlay
from ludarium.web.compiling.warmup import Part, all_parts, warm_up
from ludarium.web.lobby.pages import lobby_games
from ludarium.web.table.client import Client
from ludarium.web.table.renderings import Renderings
from ludarium.web.table.telling import Telling
from tests.tiny_games.cups import Cups
from tests.web.live import Live, Socket
from tests.web.traffic import Traffic, check_records, play_a_whole_game, timeline_of

DICE = {0: r"N[1-6]", 1: r"S[1-6]"}
"""How what a player hides is written, wherever it is written."""


@pytest.fixture
def live(tmp_path: Path, cups: str) -> Iterator[Live]:
    with Live(tmp_path) as live:
        yield live


def hidden_from(client: Socket) -> re.Pattern[str]:
    """What a client is not sent while anything is hidden."""
    you = client.welcome["you"]
    return re.compile("|".join(pattern for seat, pattern in DICE.items() if seat != you))


def test_all_traffic_of_a_whole_game(live: Live) -> None:
    made = live.make("human", "human", game="test-cups", seed=11, options={"rounds": 4})
    shaking = itertools.cycle((-1, 0, 0))
    traffic = play_a_whole_game(live, made, lambda actions: actions[next(shaking)]["text"])
    assert sum(str(action) == "shake" for step in traffic.timeline.steps for action in step.actions.values()) > 2
    for client, messages in traffic.clients:
        assert client.welcome["game"]["hidden"]
        assert sum([is_clean(traffic, client, message) for message in messages]) > 10
    check_records(traffic)
    assert traffic.records[-1][0]["seed"] == 11


def is_clean(traffic: Traffic, client: Socket, message: dict[str, Any]) -> bool:
    """Check a message; whether there was anything to hide in it."""
    you = client.welcome["you"]
    hidden, known = hidden_from(client), traffic.known(you, message)
    if message["type"] == "welcome":
        assert not hidden.search(json.dumps(message["moves"][known.open_ply :]))
        return False
    step = traffic.timeline.steps[known.plies[message["ply"]]]
    if message["ply"] <= known.open_ply:
        assert message["text"] == step.state.text
        if message["opened"]:
            moves = message["opened"]["moves"]
            assert len(moves) == message["ply"] + 1 - message["opened"]["from"]
            assert not any("thinks" in move or "shaken" in move for move in moves)
        return False
    assert not hidden.search(json.dumps(message)), message
    assert message["events"] == []
    assert message["opened"] is None
    if CHANCE in step.actions:
        assert message["move"] == "a cup is shaken" or (you is not None and re.fullmatch(DICE[you], message["move"]))
    elif you not in step.actions:
        assert message["move"] in ("North thinks", "South thinks")
    return True


def test_each_player_sees_its_own_and_acts_without_waiting(live: Live) -> None:
    made = live.make("human", "human", game="test-cups", position="0 0 N2 S5 0 0 0 0 0 0")
    with live.join(made["id"], made["seats"][0]["token"]) as north, live.join(made["id"], made["seats"][1]["token"]) as south:
        assert north.position["text"] == "0 0 N2 S? 0 0 0 0 0 0"
        assert south.position["text"] == "0 0 N? S5 0 0 0 0 0 0"
        before = south.position["ply"]
        north.act("shake")
        north.until(lambda position: position["ply"] == 2 and position["to_move"] == [0, 1])
        assert re.fullmatch(r"0 0 N[1-6] S\? 1 0 0 0 0 0", north.position["text"])
        assert [action["text"] for action in north.position["actions"]] == ["keep"]
        south.send(type="act", ply=before, action="keep")
        south.until(lambda position: position["to_move"] == [0])
        assert north.until(lambda position: position["ply"] == 3)["move"] == "South thinks"
        assert south.position["move"] == "keep"
        assert south.code(type="act", ply=before, action="keep") == "stale"
        assert south.code(type="act", ply=3, action="keep") == "not_your_turn"
        north.act("keep")
        opened = south.until(lambda position: position["events"] != [])
        assert opened["opened"]["from"] == 1
        assert [re.sub(r"\d", "·", move) for move in opened["opened"]["moves"]] == ["shake", "N·", "keep", "keep"]
        assert opened["events"][0]["kind"] == "lift"
        assert re.fullmatch(r"the cups are lifted: \d and 5", opened["events"][0]["text"])


def test_a_choice_made_in_an_earlier_position_of_ones_own_is_stale(live: Live) -> None:
    made = live.make("human", "human", game="test-cups", position="0 0 N2 S5 0 0 0 0 0 0")
    with live.join(made["id"], made["seats"][0]["token"]) as north:
        north.act("shake")
        north.until(lambda position: position["ply"] == 2)
        assert north.code(type="act", ply=0, action="keep") == "stale"
        assert north.code(type="act", ply=-1, action="keep") == "stale"
        assert north.code(type="act", ply=99, action="keep") == "stale"


def test_nothing_is_taken_back_and_an_end_opens_everything(live: Live) -> None:
    made = live.make("human", "random", game="test-cups", position="0 0 N2 S5 0 0 0 0 0 0")
    with live.join(made["id"], made["seats"][0]["token"]) as north, live.join(made["id"]) as watcher:
        north.until(lambda position: position["to_move"] == [0])
        assert north.code(type="offer", kind="takeback") == "nothing_to_take_back"
        north.send(type="resign")
        end = watcher.until(lambda position: position["outcome"] is not None)
        assert end["text"] == timeline_of(live, made["id"]).state.text
        assert "?" not in end["text"]
        assert end["opened"]["moves"][-1] == end["move"]


def test_bots_play_it_to_the_end(live: Live) -> None:
    made = live.make("mcts:sims=50", "greedy", game="test-cups", seed=3)
    with live.join(made["id"]) as watcher:
        end = watcher.until(lambda position: position["outcome"] is not None)
    assert end["outcome"]["reason"] == "all rounds are played"


def test_a_game_that_is_taken_up_again_hides_as_before(tmp_path: Path, cups: str) -> None:
    with Live(tmp_path) as live:
        made = live.make("human", "human", game=cups, position="0 0 N2 S5 0 0 0 0 0 0")
        with live.join(made["id"], made["seats"][0]["token"]) as north:
            north.act("keep")
            north.until(lambda position: position["ply"] == 1)
    with Live(tmp_path) as live, live.join(made["id"], made["seats"][1]["token"]) as south, live.join(made["id"]) as watcher:
        assert south.position["text"] == "0 0 N? S5 0 0 1 0 0 0"
        assert south.welcome["moves"] == watcher.welcome["moves"] == ["North thinks"]
        assert watcher.position["text"] == "0 0 N? S? 0 0 1 0 0 0"
        record = [json.loads(line) for line in live.http.get(f"/api/games/{made['id']}/record").text.splitlines()]
        assert record[1:] == [
            {"event": "start", "position": "0 0 N? S? 0 0 0 0 0 0"},
            {"event": "action", "actions": {"0": None}, "seconds": {}},
        ]


@pytest.mark.usefixtures("cups")
def test_such_games_are_offered_and_warmed_up(caplog: pytest.LogCaptureFixture) -> None:
    assert Cups.id in [game["id"] for game in lobby_games()]
    parts = [part for part in all_parts() if part.game == Cups.id]
    assert {Part(Cups.id), Part(Cups.id, "random")} <= set(parts)
    for part in parts:
        warm_up(part)
    assert not caplog.records


def test_who_missed_positions_is_told_what_opened_in_them() -> None:
    timeline = Timeline(Cups(rounds=2).parse("0 0 N2 S5 0 0 0 0 0 0"))
    for player in (0, 1):
        timeline.act({player: timeline.state.action("keep", player)})
    generator = np.array([5], np.uint64)
    while timeline.state.to_move == (CHANCE,):
        timeline.act({CHANCE: timeline.state.sample_chance(generator)})
    header = Header.of(timeline.game, ["human", "human"])
    play = RecordPlay(Record("it", header, timeline.events, None), timeline, header.players)
    south, sight = Client(), Sight(timeline, 1)
    south.seat = 1
    assert sight.ply > 3
    assert not sight.opened(sight.ply)
    told = json.loads(Telling(play, Renderings()).position(south, sight.ply, "action", told=1))
    assert told["opened"] == {"from": 1, "moves": [sight.line(ply) for ply in range(1, sight.ply + 1)]}
    assert told["opened"]["moves"][0] == "keep"
