"""The recorded edge cases of the original, one after the other: what was sent here must bring what came back there."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ludarium.errors import ProtocolError
from ludarium.netorcai.prompt import Prompt
from tests.folders import DATA
from tests.netorcai.lab import Lab, Peer, seed_for_login_order

PROBE = {line["probe"]: line for line in map(json.loads, (DATA / "netorcai" / "probe.jsonl").read_text(encoding="utf-8").splitlines())}
LOGIN = {"message_type": "LOGIN", "nickname": "bob", "role": "player", "metaprotocol_version": "2.0.0"}
SENT_AT_LOGIN = [name for name, line in PROBE.items() if isinstance(line.get("sent"), dict | str)]
SENT_IN_GAME = [name for name, line in PROBE.items() if isinstance(line.get("sent"), list)]


def outcome(peer: Peer) -> list[Any]:
    """What came back, as the probe writes it: contents of states left out, and EOF where the connection was ended."""
    got: list[Any] = []
    for message in peer.read():
        for name in ("initial_game_state", "game_state"):
            if name in message:
                message[name] = "..."
        got.append(message)
    return [*got, "EOF"] if peer.wire.is_ended else got


def recorded(name: str) -> list[Any]:
    """What came back from the original; its prober did not wait for the end of every connection."""
    got = [one for one in PROBE[name]["got"] if one != "TIMEOUT"]
    last = got[-1]
    return [*got, "EOF"] if isinstance(last, dict) and last["message_type"] == "KICK" else got


def running(**settings: Any) -> tuple[Lab, list[Peer]]:
    """A game of a program as the game logic, in which the first TURN has been sent; the logic comes last."""
    lab = Lab(seed=seed_for_login_order(settings.get("players", 2)), **settings)
    peers = [lab.log_in() for _ in range(lab.orchestrator.settings.players)]
    peers += [lab.log_in("visualization") for _ in range(lab.orchestrator.settings.visualizations)]
    logic = lab.log_in("game logic")
    lab.orchestrator.start()
    logic.send(message_type="DO_INIT_ACK", initial_game_state={"all_clients": {}})
    lab.first_turn()
    answer(logic)
    return lab, [*peers, logic]


def answer(logic: Peer, winner: int = -1) -> None:
    logic.send(message_type="DO_TURN_ACK", winner_player_id=winner, game_state={"all_clients": {}})


def test_the_file_is_whole() -> None:
    assert (len(PROBE), len(SENT_AT_LOGIN), len(SENT_IN_GAME)) == (53, 20, 8)


@pytest.mark.parametrize("name", SENT_AT_LOGIN)
def test_first_messages(name: str) -> None:
    peer = Lab().connect()
    peer.send(PROBE[name]["sent"])
    assert outcome(peer) == recorded(name)


@pytest.mark.parametrize("name", SENT_IN_GAME)
def test_messages_in_a_game(name: str) -> None:
    lab, (peer, other, logic) = running(turns=6, fast=True)
    peer.read()
    for message in PROBE[name]["sent"]:
        peer.send(message)
    if "0.9" in name:
        other.ack(0)
        lab.clock.advance()
        answer(logic)
    assert outcome(peer) == recorded(name)


def test_sizes_of_messages() -> None:
    peer = Lab().connect()
    peer.send_bytes(len(json.dumps(LOGIN)).to_bytes(4, "little") + json.dumps(LOGIN).encode())
    assert outcome(peer) == recorded("login without trailing newline")

    for size in (1023, 1024):
        peer = Lab().connect()
        text = json.dumps(LOGIN).encode()
        peer.send_bytes(size.to_bytes(4, "little") + text + b" " * (size - len(text)))
        assert outcome(peer) == recorded(f"first message of {size} bytes")

    peer = Lab().log_in()
    peer.send_bytes((16_777_216).to_bytes(4, "little"))
    assert outcome(peer) == recorded("later message of 16777216 bytes")


def test_answers_before_the_game() -> None:
    for number, name in ((0, "TURN_ACK before game start"), (-1, "TURN_ACK before game start with turn_number -1")):
        peer = Lab().log_in()
        peer.ack(number)
        assert outcome(peer) == recorded(name)


def test_places() -> None:
    lab = Lab(players=2)
    peers = [lab.connect() for _ in range(3)]
    for peer in peers:
        peer.send(LOGIN)
    assert [message for peer in peers for message in outcome(peer)] == recorded("third player when max=2")

    peers[0].leave()
    peer = lab.connect()
    peer.send(LOGIN)
    assert outcome(peer) == recorded("login after a player left (slot freed)")


def test_a_start_without_game_logic() -> None:
    with pytest.raises(ProtocolError) as refused:
        Lab().orchestrator.start()
    assert f"see log: {refused.value}" == PROBE["start without game logic: prompt prints"]["got"]


def test_an_abort() -> None:
    lab = Lab()
    peer = lab.log_in()
    lab.orchestrator.abort("SIGTERM")
    assert outcome(peer) == recorded("SIGTERM")
    assert lab.codes == [PROBE["SIGTERM"]["rc"]]


def test_quitting() -> None:
    lab = Lab()
    peer = lab.log_in()
    Prompt(lab.orchestrator, print).obey("quit")
    assert peer.read_kick() == "netorcai abort"
    assert lab.codes == [PROBE["prompt: quit"]["rc"]]


def test_a_late_player() -> None:
    """The slow one answers turn 0 after 700 ms, while turns come every 200 ms; then both are quick."""
    lab, (fast, slow, logic) = running(turns=8)
    told = [("fast", fast), ("slow", slow)]
    got: list[Any] = []
    heard = logic.read()

    def collect() -> None:
        got.extend([name, message] for name, peer in told for message in outcome(peer))
        heard.extend(logic.read())

    def play(number: int) -> None:
        fast.ack(number, {"x": 2.0, "big": 12345678901234567890, "e": 1e30, "h": "<&>é", "f": number})

    def turn() -> None:
        lab.next_turn()
        answer(logic)
        collect()

    collect()
    for number in range(3):
        play(number)
        turn()
    play(3)
    lab.clock.advance(0.1)
    slow.ack(0, {"s": 0})
    collect()
    slow.ack(3, {"s": 3})
    lab.clock.advance(0.1)
    answer(logic)
    collect()
    for number in (4, 5):
        play(number)
        slow.ack(number, {"s": number})
        turn()
    slow.ack(6, {"s": 6})
    play(6)
    turn()

    assert heard == PROBE["late player: DO_TURN seen by game logic"]["got"]
    of_slow = [line for line in got if line[0] == "slow" and line[1] != "EOF"]
    assert of_slow[0][1]["player_id"] == 1  # which login is which player does not bind
    expected = [
        line for line in PROBE["late player (slow sleeps 700 ms on turn 0; delay 200 ms): slow received"]["got"] if line[0] == "slow"
    ]
    assert of_slow == expected
    assert [line[1] for line in got if line[0] == "fast"][-2:] == [{"message_type": "KICK", "kick_reason": "Game is finished"}, "EOF"]


def test_ids() -> None:
    """Ours are another permutation than the original's only one; the messages are the same."""
    name = "GAME_STARTS player ids in login order"
    _, (*players, _) = running(players=8, turns=400, delay_turns=50)
    received = [outcome(peer) for peer in players]
    ids = [starts["player_id"] for starts, _ in received]
    assert sorted(ids) == sorted(PROBE[name]["got"])
    assert received[5][0] == PROBE[name]["sample"]
    assert all(turn == PROBE[name]["turn"] for _, turn in received)


@pytest.mark.parametrize(("name", "role"), [("player login after start", "player"), ("game logic login after start", "game logic")])
def test_a_login_after_the_start(name: str, role: str) -> None:
    lab, _ = running()
    peer = lab.connect()
    peer.send({**LOGIN, "role": role})
    assert outcome(peer) == recorded(name)


def test_a_game_logic_that_disconnects() -> None:
    lab, (*players, logic) = running()
    for peer in players:
        peer.read()
    logic.leave()
    assert [peer.read_kick() for peer in players] == ["netorcai abort"] * 2
    assert lab.codes == [PROBE["game logic disconnects: a player gets"]["rc"]]


def test_a_game_logic_that_speaks_too_early() -> None:
    line = PROBE["GL sends before start"]
    lab = Lab()
    player, logic, second = lab.log_in(), lab.log_in("game logic"), lab.connect()
    second.send({**LOGIN, "role": "game logic"})
    assert outcome(second)[0] == line["second_gl"]
    answer(logic)
    assert outcome(logic) == line["got"]
    assert outcome(player) == line["player"]
    assert lab.codes == [line["rc"]]


def test_a_game_logic_that_does_not_begin() -> None:
    line = PROBE["GL no DO_INIT_ACK"]
    lab = Lab()
    logic = lab.log_in("game logic")
    lab.orchestrator.start()
    assert logic.read_one() == line["first"]
    lab.clock.advance(line["after_s"] - 0.01)
    assert logic.read() == []
    lab.clock.advance(0.01)
    assert outcome(logic)[0] == line["got"]
    assert lab.codes == [line["rc"]]


def test_a_game_logic_that_begins_wrongly() -> None:
    line = PROBE["GL DO_INIT_ACK without all_clients"]
    lab = Lab()
    logic = lab.log_in("game logic")
    lab.orchestrator.start()
    logic.read()
    logic.send(message_type="DO_INIT_ACK", initial_game_state={})
    assert outcome(logic)[0] == line["got"]
    assert lab.codes == [line["rc"]]


def test_a_game_logic_with_a_winner_that_does_not_exist() -> None:
    line = PROBE["GL winner_player_id out of range"]
    lab = Lab(players=1, delay_turns=100)
    player, logic = lab.log_in(), lab.log_in("game logic")
    lab.orchestrator.start()
    logic.send(message_type="DO_INIT_ACK", initial_game_state={"all_clients": {}})
    lab.first_turn()
    logic.read()
    answer(logic, winner=1)
    assert outcome(logic)[0] == line["got"]
    assert outcome(player) == line["player"]
    assert lab.codes == [line["rc"]]


def test_fast_mode() -> None:
    lab, (active, silent, logic) = running(turns=4, fast=True)
    active.read()
    active.ack(0)
    lab.clock.advance(1.5)
    assert active.read() == []  # as PROBE["fast mode: silent player, other player gets after 1.5 s"]
    silent.leave()
    lab.clock.advance()
    answer(logic)
    assert outcome(active) == [PROBE["fast mode: silent player closes its socket, other gets"]["got"]]
    for number in (1, 2):
        active.ack(number)
        lab.clock.advance()
        answer(logic)
    assert outcome(active) == recorded("fast mode: rest")
    assert logic.read() == PROBE["fast mode: rest"]["gl"]
    assert lab.codes == [PROBE["fast mode: rest"]["rc"]]


def test_a_visualization_sees_who_is_connected() -> None:
    line = PROBE["visu: sees is_connected"]
    lab = Lab(turns=5, visualizations=1, delay_turns=150, seed=seed_for_login_order(2))
    players = [lab.log_in(nickname=name) for name in "ab"]
    viewer, logic = lab.log_in("visualization"), lab.log_in("game logic")
    lab.orchestrator.start()
    logic.send(message_type="DO_INIT_ACK", initial_game_state={"all_clients": {}})
    got = outcome(viewer)
    players[1].leave()
    for number in range(5):
        lab.next_turn() if number else lab.first_turn()
        answer(logic)
        got += outcome(viewer)
        if number < 4:
            viewer.ack(number)
    late = lab.connect()
    addresses = {f"127.0.0.1:{port}": f"127.0.0.1:{peer.address[1]}" for port, peer in zip((47026, 47036), players, strict=True)}
    expected = json.dumps(line["got"])
    for theirs, ours in addresses.items():
        expected = expected.replace(theirs, ours)
    assert got == json.loads(expected)
    assert lab.codes == [line["rc"]]
    assert late.read_kick() == "Game is finished"


def test_a_visualization_too_many() -> None:
    lab, _ = running(visualizations=1)
    late = lab.connect()
    late.send({**LOGIN, "role": "visualization"})
    assert outcome(late)[0] == PROBE["visu: sees is_connected"]["late_second_visu_with_max_1"]
