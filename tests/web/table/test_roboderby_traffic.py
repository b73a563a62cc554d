"""A whole game of RoboDerby on the server: in nothing that anybody is sent is a die or a program that this one may not know."""

from __future__ import annotations

import json
import random
import re
import xml.etree.ElementTree as xml
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ludarium.core.game import Action, Game, State
from ludarium.core.jit import plain
from ludarium.core.rules import CHANCE
from ludarium.games.roboderby import players
from ludarium.games.roboderby.phases.chance import roller
from ludarium.players import Player, PlayerKind, never
from tests.web.live import Live
from tests.web.traffic import Traffic, check_records, play_a_whole_game, timeline_of

FACE = re.compile("priority")
"""What every face of a die is described with."""


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    with Live(tmp_path) as live:
        yield live


def test_no_hidden_die_or_program_is_in_the_traffic_of_a_whole_game(live: Live, scale: int) -> None:
    made = live.make("human", "human", game="roboderby", seed=5, options={"turn_limit": 13 if scale == 1 else 20})
    choice = random.Random(5)
    traffic = play_a_whole_game(live, made, lambda actions: choice.choice(actions)["text"], looks=20)
    assert traffic.timeline.ply > 100
    for client, messages in traffic.clients:
        assert sum([is_clean(traffic, client.welcome["you"], message) for message in messages]) > 40
    check_records(traffic)


def test_players_ask_where_a_program_leads(live: Live) -> None:
    made = live.make("human", "human", game="roboderby", seed=3, options={"board": "first-lap", "marks": "fixed"})
    with (
        live.join(made["id"], made["seats"][0]["token"]) as blue,
        live.join(made["id"], made["seats"][1]["token"]) as orange,
        live.join(made["id"]) as watcher,
    ):
        for player in (orange, blue):
            player.act("run")
        ply = blue.until(lambda position: any(action["text"] == "1" for action in position["actions"]))["ply"]
        blue.send(type="foresee", ply=ply, actions=["1"])
        answer = blue.receive("foresight")
        assert (answer["ply"], answer["actions"]) == (ply, ["1"])
        assert answer["events"][-1]["text"].startswith("Alone, this ")
        for socket, asked, code in ((blue, ["7"], "illegal_action"), (watcher, ["1"], "not_your_turn")):
            assert socket.code(type="foresee", ply=ply, actions=asked) == code
        assert blue.code(type="foresee", ply=ply + 100, actions=[]) == "no_such_ply"
    made = live.make("human", "human")
    with live.join(made["id"], made["seats"][0]["token"]) as white:
        assert white.code(type="foresee", ply=0, actions=["a2-a4"]) == "bad_message"  # a game that foresees nothing


class Spy(Player):
    """A program that keeps everything that it is shown, and chooses at random."""

    shown: list[tuple[int, State]]

    def __init__(self, game: Game, options: dict[str, Any], seed: int) -> None:
        self.choice = random.Random(seed)

    def choose(self, state: State, player: int, interrupted: Callable[[], bool] = never) -> Action:
        self.shown.append((player, state))
        return self.choice.choice(state.actions(player))


def test_programs_on_the_server_are_shown_no_die_or_program_of_others(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    Spy.shown = []
    monkeypatch.setattr(players, "KINDS", (*players.KINDS, PlayerKind("spy", "a player for tests", (), Spy)))
    made = live.make("spy", "spy", "spy", game="roboderby", seed=2, options={"players": 3, "turn_limit": 16})
    with live.join(made["id"]) as watcher:
        messages = [watcher.welcome, watcher.position]
        while watcher.position["outcome"] is None:
            messages.append(watcher.receive("position"))
    timeline = timeline_of(live, made["id"])
    programming = 0
    for player, state in Spy.shown:
        assert state == state.seen_by(player)
        told = json.loads(state.text)
        for other in {0, 1, 2} - {player} if told["phase"] == "program" else ():
            if told["robots"][other]["status"] == "active":  # the dice of one that has shut down lie open
                programming += 1
                assert all(content == "" or content.startswith("[") for content in told["registers"][other]), "but locked ones"
                assert told["dice"][other] == [0] * 5
    assert programming > 50
    traffic = Traffic(timeline, [(watcher, messages)], [])
    assert sum([is_clean(traffic, None, message) for message in messages]) > 40


def is_clean(traffic: Traffic, you: int | None, message: dict[str, Any]) -> bool:
    """Check a message; whether there was anything to hide in it. What lay open before the turn may lie open still: locked and left-over dice."""
    timeline, known = traffic.timeline, traffic.known(you, message)
    if message["type"] == "welcome" or message["ply"] <= known.open_ply:
        return False
    steps = timeline.steps
    open_before = steps[known.open_ply].state
    told, before = json.loads(message["text"]), json.loads(open_before.text)
    drawn, drawn_before = mats(message["svg"]), mats(open_before.svg())
    for player, name in enumerate(timeline.game.player_names):
        if player == you:
            continue
        for what in ("registers", "dice"):
            for entry, earlier in zip(told[what][player], before[what][player], strict=True):
                assert entry in ("", 0, earlier)
        assert {label for label in drawn[name] if FACE.search(label)} <= drawn_before[name]
    assert message["events"] == []
    assert message["opened"] is None
    actions = steps[known.plies[message["ply"]]].actions
    before_it = steps[known.plies[message["ply"]] - 1].state
    own_dice = CHANCE in actions and plain(roller)(before_it.game.tables, before_it.record) == you
    if you not in actions and not own_dice:
        assert not re.search(r"\d", message["move"]), message["move"]
        assert message["move"] not in ("run", "shutdown", "roll")
        assert message["picks"] == []
    return True


def mats(drawing: str) -> dict[str, set[str]]:
    """What the drawing says of every player's registers and dice."""
    found: dict[str, set[str]] = {}
    labels = set[str]()
    for element in xml.fromstring(drawing).iter():
        label = element.get("aria-label", "")
        if label.startswith("mat of "):
            labels = found[label.removeprefix("mat of ")] = set()
        elif label:
            labels.add(label)
    return found
