"""A whole game between two people with a third one watching, and everything that each of them is sent."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

from ludarium.core.sight import Sight
from ludarium.core.timeline import Timeline
from tests.web.live import Live, Socket


@dataclass(frozen=True)
class Known:
    """How far a course is open to a seat, and the numbers of the steps that count for it."""

    open_ply: int
    plies: tuple[int, ...]

    @classmethod
    def of(cls, course: Timeline, seat: int | None) -> Known:
        sight = Sight(course, seat)
        return cls(sight.open_ply, tuple(sight._plies()))


@dataclass
class Traffic:
    timeline: Timeline
    """The truth, once the game is over."""
    clients: list[tuple[Socket, list[dict[str, Any]]]]
    """Each client with the messages that it got: its welcome and positions, those that it looked back at included."""
    records: list[list[dict[str, Any]]]
    """The record as it was to be had after each choice, line by line."""
    _known: dict[int | None, dict[int, Known]] = field(default_factory=dict)

    def known(self, seat: int | None, message: dict[str, Any]) -> Known:
        """What there was to know for a seat when a message was sent to it."""
        if seat not in self._known:
            course = Timeline(self.timeline.steps[0].state)
            found = self._known[seat] = {0: Known.of(course, seat)}
            for step in self.timeline.steps[1:]:
                course.act({player: action.text for player, action in step.actions.items()})
                known = Known.of(course, seat)
                found.setdefault(len(known.plies) - 1, known)
        stands = message["length"] if message["type"] == "position" else len(message["moves"])
        return self._known[seat][stands] if stands < self.timeline.ply else Known.of(self.timeline, seat)


def timeline_of(live: Live, id: str) -> Timeline:
    course = live.sessions._games[id].session.course
    assert isinstance(course, Timeline)
    return course


def play_a_whole_game(live: Live, made: dict[str, Any], choose: Callable[[list[dict[str, Any]]], str], *, looks: int = 3) -> Traffic:
    """Play a game that was made for two people, who choose in turns as far as the rules let them; after each choice everybody looks back at some positions."""
    id = made["id"]
    with ExitStack() as stack:
        clients = [stack.enter_context(live.join(id, token)) for token in (*(seat["token"] for seat in made["seats"]), None)]
        traffic = Traffic(timeline_of(live, id), [(client, [client.welcome, client.position]) for client in clients], [])
        while not traffic.timeline.is_over:
            ply, movers = traffic.timeline.ply, traffic.timeline.state.to_move
            mover, messages = traffic.clients[movers[ply % len(movers)]]
            before = mover.position["length"]
            mover.act(choose(mover.position["actions"]))
            while mover.position["length"] == before or (mover.position["to_move"] == [] and mover.position["outcome"] is None):
                messages.append(mover.receive("position"))
            for client, messages in traffic.clients:
                sight = Sight(traffic.timeline, client.welcome["you"])
                while client.position["length"] < sight.ply or (client.position["to_move"] == [] and client.position["outcome"] is None):
                    messages.append(client.receive("position"))
                latest = client.position
                for look in range(ply % looks, sight.ply + 1, max(looks, ply // 5)):
                    client.send(type="look", ply=look)
                    messages.append(client.receive("position"))
                client.position = latest
            traffic.records.append([json.loads(line) for line in live.http.get(f"/api/games/{id}/record").text.splitlines()])
    return traffic


def check_records(traffic: Traffic) -> None:
    """The records of the running game say only that something happened since the latest position that hid nothing, and have no seed."""
    timeline, closed = traffic.timeline, 0
    for record in traffic.records[:-1]:
        assert record[0]["seed"] is None
        assert record[0]["partial"]
        events = record[1:]
        same = next((number for number, pair in enumerate(zip(events, timeline.events, strict=False)) if pair[0] != pair[1]), len(events))
        assert timeline.steps[same - 1].state.is_public
        assert all(event["outcome"] is None if "outcome" in event else set(event["actions"].values()) == {None} for event in events[same:])
        closed += len(events) - same
    assert closed
    assert traffic.records[-1][1:] == timeline.events
    assert traffic.records[-1][0]["seed"] is not None
