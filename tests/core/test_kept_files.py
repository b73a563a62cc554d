"""Files that an earlier Ludarium wrote are read today: records of every game with the states that they came to, positions, specs of players."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import ludarium
from ludarium.core.record import Header, Recorder, called_today, read_record
from ludarium.players import parse_player

KEPT = Path(__file__).parents[1] / "data" / "kept"
RECORDS = sorted(KEPT.glob("*.jsonl"))
SPECS = {
    "expendibots": ("human", "random", "greedy", "alphabeta", "alphabeta:level=4", "alphabeta:time=200ms", "alphabeta:nodes=1000"),
    "expand-conquer": ("perfect", "hotstrat", "sentestrat", "mcts:time=1.5s", "alphabeta:depth=3"),
    "hexabomb": ("painter", "bomber", "search", "random"),
    "roboderby": ("greedy", "planner", "racer", "random", "mcts"),
}


def test_there_are_records_of_every_game() -> None:
    games = {read_record(path).header.game for path in RECORDS}
    assert games == set(SPECS)
    assert {event["event"] for path in RECORDS for event in read_record(path).events} == {
        "start", "action", "chance", "takeback", "resign", "forfeit", "end"
    }  # fmt: skip


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_record_is_played_to_the_states_it_came_to(path: Path) -> None:
    record = read_record(path)
    timeline = record.replay()
    assert timeline.events == record.events
    states = path.with_suffix(".states.txt")
    if states.exists():
        texts = states.read_text(encoding="utf-8").splitlines()
        stride = max(1, timeline.ply // 6)
        assert [step.state.text for step in timeline.steps[::stride]] == texts


def positions() -> list[tuple[str, dict[str, Any]]]:
    kept = json.loads((KEPT / "positions.json").read_text(encoding="utf-8"))
    return [(id, position) for id, found in kept.items() for position in found]


@pytest.mark.parametrize(("id", "position"), positions())
def test_a_position_is_read(id: str, position: dict[str, Any]) -> None:
    game = ludarium.game(id, **position["options"])
    assert game.parse(position["text"]).text == position["text"]


@pytest.mark.parametrize("id", SPECS)
def test_specs_of_players_are_read(id: str) -> None:
    for spec in SPECS[id]:
        assert parse_player(spec, ludarium.game(id)).text == spec


def test_times_in_older_records_are_seconds(tmp_path: Path) -> None:
    kept = next(path for path in RECORDS if read_record(path).header.game == "expendibots")
    header, *events = kept.read_text(encoding="utf-8").splitlines(keepends=True)
    older = json.loads(header) | {"players": ["alphabeta:time=1.5", "mcts:time=20,exploration=2"]}
    path = tmp_path / "older.jsonl"
    path.write_text("".join([json.dumps(older) + "\n", *events]), encoding="utf-8")
    assert read_record(path).header.players == ["alphabeta:time=1.5s", "mcts:time=20s,exploration=2"]
    path.write_text("".join([json.dumps(older | {"players": ["human", "alphabeta:time=200ms"]}) + "\n", *events]), encoding="utf-8")
    assert read_record(path).header.players == ["human", "alphabeta:time=200ms"]


@pytest.mark.parametrize(
    ("name", "was", "now"),
    [
        ("expendibots-levels", ("alphabeta:level=2", "alphabeta:level=3"), ("alphabeta:depth=2,lapse=30", "alphabeta:nodes=30000")),
        ("expendibots-levels-2", ("alphabeta:level=5", "alphabeta:level=9"), ("alphabeta:nodes=1400,lapse=15", "alphabeta:nodes=50000")),
    ],
)
def test_levels_in_older_records_mean_what_they_meant(name: str, was: tuple[str, ...], now: tuple[str, ...]) -> None:
    record = read_record(KEPT / f"{name}.jsonl")
    assert record.header.players == list(now)
    assert record.header.format == 3
    assert record.renamed == dict(zip(was, now, strict=True))


@pytest.mark.parametrize(
    ("format", "was", "now"),
    [
        (1, "alphabeta:slip=10,level=4", "alphabeta:slip=10,time=3s"),
        (2, "alphabeta:slip=10,level=4", "alphabeta:slip=10,level=4"),
        (2, "alphabeta:level=11,slip=10", "alphabeta:nodes=1000000,slip=10"),
        (3, "alphabeta:level=11", "alphabeta:level=11"),
        (1, "mcts:time=2", "mcts:time=2s"),
        (2, "mcts:level=9", "mcts:level=9"),
    ],
)
def test_options_mean_what_they_meant_in_each_format(format: int, was: str, now: str) -> None:
    assert called_today(was, "expendibots", format) == now
    assert called_today("alphabeta:level=2", "expand-conquer", format) == "alphabeta:level=2"
    assert called_today("alphabeta:level=2", "a game that is gone", format) == "alphabeta:level=2"


def test_a_record_of_today_means_what_it_says(tmp_path: Path) -> None:
    header = Header.of(ludarium.game("expendibots"), ["alphabeta:level=2", "human"])
    with Recorder(tmp_path / "new.jsonl", header):
        pass
    record = read_record(tmp_path / "new.jsonl")
    assert record.header == header
    assert record.renamed == {}
