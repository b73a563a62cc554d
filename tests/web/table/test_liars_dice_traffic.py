"""Liar's Dice on the server: nobody is sent another one's die before the cups are lifted, and everybody is sent every bid."""

from __future__ import annotations

import json
import random
import re
import xml.etree.ElementTree as xml
from pathlib import Path
from typing import Any

from ludarium.core.record import read_record
from tests.web.live import Live
from tests.web.traffic import Traffic, play_a_whole_game

SEATS = ("North", "East", "South")
ROLL = re.compile(r"(\w+): [1-6]+\b(?!x)")


def test_all_traffic_of_a_whole_game(tmp_path: Path) -> None:
    choice = random.Random(2)
    with Live(tmp_path) as live:
        made = live.make("human", "human", "human", game="liars-dice", seed=4, options={"players": 3, "dice": 2})
        traffic = play_a_whole_game(
            live, made, lambda actions: actions[0 if choice.random() < 0.4 else choice.randrange(len(actions))]["text"]
        )
    for client, messages in traffic.clients:
        assert sum([is_clean(traffic, client.welcome["you"], message) for message in messages]) > 10
        lifted = [message for message in messages if message["type"] == "position" and message["opened"] and message["events"]]
        assert len(lifted) >= 4
        for message in lifted:
            assert message["events"][0]["text"].startswith(SEATS[message["events"][0]["player"]] + " shows ")
            assert not any(move.endswith(" rolls") for move in message["opened"]["moves"])
    check_records(traffic, tmp_path)


def is_clean(traffic: Traffic, you: int | None, message: dict[str, Any]) -> bool:
    """Check a message; whether there was anything to hide in it."""
    known = traffic.known(you, message)
    assert list(known.plies) == list(range(len(known.plies))), "everybody knows of every step"
    if message["type"] == "welcome":
        told = [ROLL.fullmatch(move) for move in message["moves"]]
        assert [match[1] for match in told if match] == ([] if you is None else [SEATS[you]])
        return False
    if message["ply"] <= known.open_ply:
        return False
    state = traffic.timeline.steps[message["ply"]].state
    assert message["text"] == state.seen_by(you).text
    assert message["text"].split()[3:] == state.text.split()[3:], "a bid is everybody's at once"
    assert message["events"] == []
    assert {match[1] for match in ROLL.finditer(json.dumps({**message, "svg": ""}))} <= {SEATS[you] if you is not None else ""}
    record, drawing = state.record, xml.fromstring(message["svg"])
    for seat, name in enumerate(SEATS):
        row = next(group for group in drawing.iter() if (group.get("aria-label") or "").startswith(f"{name}, "))
        classes = [element.get("class") for element in row]
        bids = int(record.bid > 0 and record.bidder == seat)
        if record.rolled[seat] and seat != you:
            assert classes.count("hidden") == record.left[seat]
            assert classes.count("die") == bids
    return True


def check_records(traffic: Traffic, folder: Path) -> None:
    """The records of the running game tell every bid, and the rolls of the rounds that are over; they are replayed as far."""
    truth, closed = traffic.timeline.events, 0
    for record in traffic.records[:-1]:
        header, *events = record
        assert header["seed"] is None
        assert header["partial"]
        lifted = max([ply for ply, event in enumerate(events) if "liar" in event.get("actions", {}).values()], default=0)
        for ply, event in enumerate(events):
            hidden = event["event"] == "chance" and ply > lifted
            assert event == ({"event": "chance", "outcome": None} if hidden else truth[ply])
            closed += hidden
        path = folder / "running.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in record), encoding="utf-8")
        assert read_record(path).replay().state.text == traffic.timeline.steps[lifted].state.text
    assert closed > 10
    assert traffic.records[-1][1:] == truth
