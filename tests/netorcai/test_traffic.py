"""A whole recorded game, replayed: what one side sent then must bring from the other side, now, the very bytes that it brought."""

from __future__ import annotations

import itertools
import json
import random
from typing import Any

import pytest

from ludarium.games.hexabomb.maps import load_map
from ludarium.labs.hexabomb.serving.logic import HexabombLogic
from ludarium.netorcai.logic import state_text
from ludarium.netorcai.messages import PlayerActions
from ludarium.netorcai.wire import frame
from tests.netorcai.lab import Lab, Peer
from tests.netorcai.recorder import FILE, MAP

Line = dict[str, Any]


@pytest.fixture(scope="module")
def traffic() -> list[Line]:
    return [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]


def said(lines: list[Line], way: str, kind: str) -> list[Any]:
    """All messages of a kind that went one way, in order."""
    messages = [json.loads(line["content"]) for line in lines if line["way"] == way]
    return [message for message in messages if message["message_type"] == kind]


def seed_for(ids: list[int]) -> int:
    """A seed with which the players get these ids, in the order of their logins."""
    for seed in itertools.count():
        logins = list(range(len(ids)))
        random.Random(seed).shuffle(logins)
        if [ids[login] for login in logins] == sorted(ids):
            return seed
    raise AssertionError


def test_an_orchestrator_says_what_it_said(traffic: list[Line]) -> None:
    starts = said(traffic, "netorcai->", "GAME_STARTS")
    logins = {line["port"]: json.loads(line["content"]) for line in reversed(traffic) if line["way"] == "->netorcai"}
    ids = {line["port"]: json.loads(line["content"])["player_id"] for line in traffic if '"GAME_STARTS"' in line["content"]}
    lab = Lab(
        turns=starts[0]["nb_turns_max"],
        players=starts[0]["nb_players"],
        visualizations=sum(login["role"] == "visualization" for login in logins.values()),
        delay_first_turn=starts[0]["milliseconds_before_first_turn"],
        delay_turns=starts[0]["milliseconds_between_turns"],
        autostart=True,
        seed=seed_for([ids[port] for port in dict.fromkeys(line["port"] for line in traffic) if ids.get(port, -1) >= 0]),
    )
    peers: dict[int, Peer] = {}
    for line in traffic:
        lab.clock.advance(max(0.0, line["t"] - lab.clock.now))
        if line["way"] == "->netorcai":
            if line["port"] not in peers:
                peers[line["port"]] = Peer(lab.orchestrator, lab.clock, port=line["port"])
            peers[line["port"]].send_bytes(frame(line["content"].removesuffix("\n").encode()))
    assert lab.codes == [0]
    for port, peer in peers.items():
        recorded = [line["content"].removesuffix("\n").encode() for line in traffic if (line["port"], line["way"]) == (port, "netorcai->")]
        assert bytes(peer.wire.sent) == b"".join(map(frame, recorded))


def test_a_game_logic_says_what_it_said(traffic: list[Line]) -> None:
    logic = HexabombLogic(load_map(MAP))
    (begin,) = said(traffic, "netorcai->", "DO_INIT")
    states = [logic.initial_state(begin["nb_players"], begin["nb_special_players"], begin["nb_turns_max"])]
    winners = []
    for turn in said(traffic, "netorcai->", "DO_TURN"):
        state, winner = logic.turn([PlayerActions(**one) for one in turn["player_actions"]])
        states.append(state)
        winners.append(winner)
    (began,) = said(traffic, "->netorcai", "DO_INIT_ACK")
    turns = said(traffic, "->netorcai", "DO_TURN_ACK")
    recorded = [began["initial_game_state"], *(turn["game_state"] for turn in turns)]
    assert [json.loads(state_text(state)) for state in states] == [state["all_clients"] for state in recorded]
    assert winners == [turn["winner_player_id"] for turn in turns]
