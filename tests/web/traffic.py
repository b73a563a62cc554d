"""A whole game between two people with a third one watching, and everything that each of them is sent."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from ludarium.core.timeline import Timeline
from tests.web.live import Live, Socket


@dataclass
class Traffic:
    timeline: Timeline
    """The truth, once the game is over."""
    clients: list[tuple[Socket, list[dict[str, Any]]]]
    """Each client with the messages that it got: its welcome and positions, those that it looked back at included."""
    records: list[list[dict[str, Any]]]
    """The record as it was to be had after each choice, line by line."""

    def public_ply(self, message: dict[str, Any]) -> int:
        """The latest position that hid nothing when a message was sent."""
        stands = message["length"] if message["type"] == "position" else len(message["moves"])
        return stands if stands == self.timeline.ply else self.timeline.public_before(stands + 1)


def timeline_of(live: Live, id: str) -> Timeline:
    return live.sessions._games[id][0].timeline


def play_a_whole_game(live: Live, made: dict[str, Any], choose: Callable[[list[dict[str, Any]]], str], *, looks: int = 3) -> Traffic:
    """Play a game that was made for two people, who choose in turns as far as the rules let them; after each choice everybody looks back at some positions."""
    id = made["id"]
    with ExitStack() as stack:
        clients = [stack.enter_context(live.join(id, token)) for token in (*(seat["token"] for seat in made["seats"]), None)]
        traffic = Traffic(timeline_of(live, id), [(client, [client.welcome, client.position]) for client in clients], [])
        while not traffic.timeline.is_over:
            ply, movers = traffic.timeline.ply, traffic.timeline.state.to_move
            mover = clients[movers[ply % len(movers)]]
            mover.act(choose(mover.position["actions"]))
            for client, messages in traffic.clients:
                while client.position["length"] <= ply or (client.position["to_move"] == [] and client.position["outcome"] is None):
                    messages.append(client.receive("position"))
                latest = client.position
                for look in range(ply % looks, ply + 1, max(looks, ply // 5)):
                    client.send(type="look", ply=look)
                    messages.append(client.receive("position"))
                client.position = latest
            traffic.records.append([json.loads(line) for line in live.http.get(f"/api/games/{id}/record").text.splitlines()])
    return traffic


def check_records(traffic: Traffic) -> None:
    """The records of the running game end with a position that hides nothing, and have no seed."""
    timeline = traffic.timeline
    for record in traffic.records[:-1]:
        assert record[0]["seed"] is None
        events = record[1:]
        assert events == timeline.events[: len(events)]
        assert timeline.steps[len(events) - 1].state.is_public
    assert traffic.records[-1][1:] == timeline.events
    assert traffic.records[-1][0]["seed"] is not None
