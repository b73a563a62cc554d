"""How long a connection that was kicked keeps the program from ending."""

from __future__ import annotations

import socket

import pytest

from ludarium.netorcai.connection import LINGER, QUIET
from ludarium.netorcai.messages import message
from tests.netorcai.lab import Counter, Lab, Peer
from tests.netorcai.live import Live, read_all, send
from tests.netorcai.test_network import LOGIN


@pytest.fixture
def lab() -> Lab:
    return Lab(logic=Counter())


def kicked(lab: Lab) -> Peer:
    peer = lab.log_in()
    lab.orchestrator.quit()
    return peer


def test_who_is_silent_is_waited_for_no_longer_than_it_takes_to_notice(lab: Lab) -> None:
    peer = kicked(lab)
    peer.connection.hasten()
    lab.clock.advance(0.99 * QUIET)
    assert not peer.connection.gone.is_set()
    lab.clock.advance(0.02 * QUIET)
    assert peer.connection.gone.is_set()
    assert peer.read()[-1]["message_type"] == "KICK"


def test_who_does_not_read_is_not_waited_for_either(lab: Lab) -> None:
    peer = lab.log_in()
    peer.stall()
    lab.orchestrator.quit()
    assert peer.wire.unsent
    peer.connection.hasten()
    lab.clock.advance(1.01 * QUIET)
    assert peer.connection.gone.is_set()


def test_who_still_reads_or_answers_is_waited_for(lab: Lab) -> None:
    peer = lab.log_in()
    peer.stall()
    lab.orchestrator.quit()
    peer.connection.hasten()
    for _ in range(10):
        lab.clock.advance(0.9 * QUIET)
        del peer.wire.unsent[0]
        lab.clock.advance(0.9 * QUIET)
        peer.send_bytes(b"x")
    assert not peer.connection.gone.is_set()


def test_nobody_is_waited_for_longer_than_the_linger(lab: Lab) -> None:
    peer = kicked(lab)
    peer.connection.hasten()
    while lab.clock.now < 2 * LINGER and not peer.connection.gone.is_set():
        peer.send_bytes(b"x")
        lab.clock.advance(QUIET / 2)
    assert lab.clock.now == pytest.approx(LINGER, abs=QUIET)


def test_who_reads_after_the_end_reads_everything() -> None:
    with Live(Counter(), players=1, turns=1) as live:
        connection = live.connect()
        send(connection, LOGIN)
    received = read_all(connection)
    connection.close()
    assert live.code == 0
    assert b'"message_type":"GAME_ENDS"' in received
    assert received.endswith(b'"kick_reason":"Game is finished"}\n')


def test_who_lags_and_answers_gets_everything() -> None:
    with Live(Counter(), players=1, turns=40, fast=False, delay_turns=50) as live, live.connect() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        send(connection, LOGIN)
        received, answered = b"", 0
        while data := connection.recv(300):
            received += data
            while answered < received.count(b'"message_type":"TURN"'):
                connection.sendall(message(message_type="TURN_ACK", turn_number=answered, actions=[]))
                answered += 1
    assert b'"message_type":"KICK"' in received


def test_who_has_not_answered_at_the_end_is_waited_for() -> None:
    """Slower than the game, it writes its answer before it reads how that has ended: it must not find the connection torn."""
    with Live(Counter(), players=1, turns=2, fast=False, delay_turns=50) as live, live.connect() as connection:
        send(connection, LOGIN)
        received = b""
        while b'"message_type":"KICK"' not in received:
            received += connection.recv(65_536)
        live.thread.join(4 * QUIET)
        assert live.thread.is_alive()
