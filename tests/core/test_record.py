"""Game records: written as the game goes, torn anywhere, damaged anywhere."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ludarium
from ludarium.core.record import MOST_UNFLUSHED, Header, Recorder, read_record
from ludarium.core.timeline import Timeline
from ludarium.errors import BadRecord, StoreError
from ludarium.testing.random_games import play_at_random
from tests.disks import room_for


def written(path: Path, timeline: Timeline) -> bytes:
    with Recorder(path, Header.of(timeline.game, ["random", "Zoë ♟"], 7)) as recorder:
        timeline.listen(recorder.write)
    return path.read_bytes()


@pytest.fixture
def timeline() -> Timeline:
    game = ludarium.game("expendibots", turn_limit=12)
    return play_at_random(game.start(), 4)


@pytest.fixture
def record(tmp_path: Path, timeline: Timeline) -> bytes:
    return written(tmp_path / "whole.jsonl", timeline)


def read(folder: Path, data: bytes) -> Any:
    path = folder / "other.jsonl"
    path.write_bytes(data)
    return read_record(path)


def test_a_record_is_json_lines_a_header_and_then_events(record: bytes, timeline: Timeline) -> None:
    lines = [json.loads(line) for line in record.decode().splitlines()]
    header = lines[0]
    assert {key: value for key, value in header.items() if key != "time"} == {
        "game": "expendibots",
        "version": 1,
        "options": {"turn_limit": 12, "repetition": "board"},
        "seed": 7,
        "players": ["random", "Zoë ♟"],
        "format": 3,
    }
    assert header["time"].endswith("+00:00")
    assert lines[1:] == timeline.events
    assert lines[1] == {"event": "start", "position": timeline.steps[0].state.text}
    assert lines[-1]["event"] == "end"


def test_every_line_is_on_disk_as_soon_as_its_event_happened(tmp_path: Path) -> None:
    timeline = Timeline(ludarium.game("tic-tac-toe").start())
    path = tmp_path / "folder" / "running.jsonl"
    with Recorder(path, Header.of(timeline.game, ["one", "two"])) as recorder:
        timeline.listen(recorder.write)
        for number, action in enumerate(["a1", "b2", "c3"], start=3):
            timeline.act({timeline.state.to_move[0]: action})
            assert path.read_bytes().count(b"\n") == number
            assert read_record(path).replay().state == timeline.state


def test_a_record_torn_at_any_byte(tmp_path: Path, record: bytes, timeline: Timeline) -> None:
    header_end = record.index(b"\n")
    ends = [at for at, byte in enumerate(record) if byte == ord("\n")]
    for size in range(len(record)):
        torn = record[:size]
        if size < header_end:
            with pytest.raises(BadRecord, match=r"line 1|empty"):
                read(tmp_path, torn)
            continue
        found = read(tmp_path, torn)
        whole = sum(end <= size for end in ends) - 1
        assert found.events == timeline.events[:whole]
        dropped = size not in ends and record[size - 1 : size] != b"\n"
        assert (found.notice is not None) == dropped, size
        if dropped:
            assert "dropped" in found.notice
    assert read(tmp_path, record).notice is None


def test_a_torn_record_replays_as_far_as_it_goes(tmp_path: Path, record: bytes, timeline: Timeline) -> None:
    for size in range(record.index(b"\n"), len(record), 37):
        replayed = read(tmp_path, record[:size]).replay()
        assert [step.state for step in replayed.steps] == [step.state for step in timeline.steps[: len(replayed.steps)]]


def test_any_other_byte_in_the_middle_is_refused_with_its_line_or_leaves_a_legal_game(tmp_path: Path, record: bytes) -> None:
    """A flipped digit can make another legal game; everything else names the line. Nothing raises anything but BadRecord."""
    refused = 0
    for at in range(0, len(record), 3):
        line = record[:at].count(b"\n") + 1
        for byte in {record[at] ^ 1, 0x00, 0xFF, ord('"')} - {record[at]}:
            message = refusal(tmp_path, record[:at] + bytes([byte]) + record[at + 1 :])
            if message is not None:
                refused += 1
                assert message.isprintable()
                assert int(message.partition("line ")[2].partition(":")[0].partition(" ")[0]) >= line, message
    assert refused > len(record)


def refusal(folder: Path, data: bytes) -> str | None:
    """Why a record is refused, None if it replays."""
    try:
        read(folder, data).replay()
    except BadRecord as problem:
        return str(problem)
    return None


LINES: list[tuple[str, str]] = [
    ("", "JSON"),
    ("{}", "not an event"),
    ("[]", "JSON"),
    ("null", "JSON"),
    ("{", "JSON"),
    ('{"event":"action"}', "not an event"),
    ('{"event":"action","actions":[]}', "not an event"),
    ('{"event":"action","actions":{}}', "act now"),
    ('{"event":"action","actions":{"0":5}}', "not an event"),
    ('{"event":"action","actions":{"0":"a9-a1"}}', "is not an action"),
    ('{"event":"action","actions":{"1":"a2-a3"}}', "not to move"),
    ('{"event":"action","actions":{"x":"a2-a3"}}', "not an event"),
    ('{"event":"action","actions":{"0":"a2-a3"},"seconds":{"0":"soon"}}', "not an event"),
    ('{"event":"action","actions":{"0":"a2-a3"},"seconds":{"0":1e999}}', "JSON"),
    ('{"event":"action","actions":{"0":"a2-a3"},"seconds":null}', "not an event"),
    ('{"event":"action","event":"action","actions":{"0":"a2-a3"}}', "JSON"),
    ('{"event":"takeback","plies":1}', "cannot be taken back"),
    ('{"event":"takeback","plies":1.5}', "not an event"),
    ('{"event":"takeback","plies":NaN}', "JSON"),
    ('{"event":"takeback","plies":' + "9" * 5000 + "}", "JSON"),
    ('{"event":"resign"}', "not an event"),
    ('{"event":"resign","player":2}', "unknown player 2"),
    ('{"event":"resign","player":true}', "not an event"),
    ('{"event":"forfeit","player":0}', "not an event"),
    ('{"event":"chance","outcome":"1"}', "not to move"),
    ('{"event":"start","position":"…"}', "no event after the start"),
    ('{"event":"end","returns":[1,-1],"reason":""}', "the rules say that it is not"),
    ('{"event":"explosion"}', "no event"),
    ('{"event":["start"]}', "no event"),
    ('{"event":"action","actions":{"0":"\\ud800"}}', "JSON"),
    ("[" * 100_000, "JSON"),
]


@pytest.mark.parametrize(("line", "reason"), LINES, ids=[line[:50] for line, _ in LINES])
def test_a_damaged_line_is_refused_with_its_number_and_the_reason(tmp_path: Path, record: bytes, line: str, reason: str) -> None:
    header, start, rest = record.split(b"\n", 2)
    with pytest.raises(BadRecord) as refused:
        read(tmp_path, b"\n".join([header, start, line.encode(), rest])).replay()
    message = str(refused.value)
    assert message.startswith("other.jsonl, line 3: ")
    assert reason in message
    assert "\n" not in message
    assert len(message) < 300


HEADERS: list[tuple[Callable[[dict[str, Any]], object], str]] = [
    (lambda header: header.update(format=4), "not a Ludarium record"),
    (lambda header: header.pop("format"), "not a Ludarium record"),
    (lambda header: header.pop("game"), "keys"),
    (lambda header: header.pop("time"), "keys"),
    (lambda header: header.update(more=1), "keys"),
    (lambda header: header.update(game="chess"), "is not one of: "),
    (lambda header: header.update(game=["expendibots"]), "'game' cannot be"),
    (lambda header: header.update(version=2), "version 2 of the rules"),
    (lambda header: header.update(version=0), "version 0 of the rules"),
    (lambda header: header.update(players=["x"]), "1 players, but Expendibots has 2 seats"),
    (lambda header: header.update(version=True), "'version' cannot be"),
    (lambda header: header.update(seed="7"), "'seed' cannot be"),
    (lambda header: header.update(players=[1, 2]), "'players' cannot be"),
    (lambda header: header.update(options=[]), "'options' cannot be"),
    (lambda header: header.update(options={"turn_limit": "soon"}), "turn_limit"),
    (lambda header: header.update(options={"turn_limit": [1]}), "turn_limit"),
    (lambda header: header.update(options={"id": 1}), "'id' is not one of"),
    (lambda header: header.update(options={"self": 1}), "'self' is not one of"),
]


@pytest.mark.parametrize(("change", "reason"), HEADERS)
def test_a_wrong_header_is_refused(tmp_path: Path, record: bytes, change: Callable[[dict[str, Any]], object], reason: str) -> None:
    first, rest = record.split(b"\n", 1)
    header = json.loads(first)
    change(header)
    with pytest.raises(BadRecord) as refused:
        read(tmp_path, json.dumps(header).encode() + b"\n" + rest).replay()
    assert str(refused.value).startswith("other.jsonl, line 1: ")
    assert reason in str(refused.value)


def test_a_wrong_result_a_missing_start_and_lines_after_the_end_are_refused(tmp_path: Path, record: bytes) -> None:
    lines = record.splitlines(keepends=True)
    end = json.loads(lines[-1])
    for wrong in ([0.5, -0.5], [], None, "draw", [0.0]):
        changed = json.dumps({**end, "returns": wrong}).encode() + b"\n"
        with pytest.raises(BadRecord, match=rf"line {len(lines)}: the record's result"):
            read(tmp_path, b"".join([*lines[:-1], changed])).replay()
    with pytest.raises(BadRecord, match="line 2: the first event is 'start'"):
        read(tmp_path, b"".join([lines[0], *lines[2:]])).replay()
    with pytest.raises(BadRecord, match=rf"line {len(lines) + 1}: nothing comes after the end"):
        read(tmp_path, record + b'{"event":"resign","player":0}\n').replay()
    with pytest.raises(BadRecord, match="line 2"):
        read(tmp_path, lines[0] + b'{"event":"start","position":"nowhere"}\n').replay()


def test_what_is_no_file_is_refused(tmp_path: Path, record: bytes) -> None:
    for path, reason in ((tmp_path / "none.jsonl", "No such file"), (tmp_path, "directory")):
        with pytest.raises(BadRecord, match=reason):
            read_record(path)
    with pytest.raises(BadRecord, match="empty"):
        read(tmp_path, b"")
    with pytest.raises(StoreError, match="cannot be written"):
        Recorder(tmp_path / "whole.jsonl", Header("expendibots", 1, {}, None, []))
    with pytest.raises(StoreError, match="cannot be written"):
        Recorder(tmp_path / "whole.jsonl" / "below.jsonl", Header("expendibots", 1, {}, None, []))


def test_what_a_full_disk_does_not_take_is_written_as_soon_as_there_is_room(tmp_path: Path, record: bytes) -> None:
    header, *events = map(json.loads, record.splitlines())
    path = tmp_path / "record.jsonl"
    with Recorder(path, Header(**header)) as recorder:
        recorder.write(events[0])
        with room_for(path.stat().st_size + 20):
            recorder.write(events[1])
            assert recorder.problem == "File too large"
            assert len(read_record(path).events) == 1
            recorder.write(events[2])
        recorder.retry()
        assert len(read_record(path).events) == 3
        for event in events[3:]:
            recorder.write(event)
        assert recorder.problem
        recorder.sync()
        assert recorder.problem is None
    assert path.read_bytes() == record


def test_what_waits_is_written_in_the_end(tmp_path: Path, record: bytes) -> None:
    header, *events = map(json.loads, record.splitlines())
    path = tmp_path / "record.jsonl"
    with Recorder(path, Header(**header)) as recorder, room_for(path.stat().st_size + 300):
        for event in events:
            recorder.write(event)
    assert path.read_bytes() == record


def test_a_record_that_a_full_disk_cuts_short_is_whole_and_told(tmp_path: Path, record: bytes) -> None:
    header, *events = map(json.loads, record.splitlines())
    path = tmp_path / "record.jsonl"
    recorder = Recorder(path, Header(**header))
    with room_for(path.stat().st_size + 300):
        for event in events:
            recorder.write(event)
        with pytest.raises(StoreError, match=r"record.jsonl ends early, without the last \d+ lines: File too large"):
            recorder.close()
    lines = path.read_bytes().splitlines(keepends=True)
    assert len(lines) > 3
    assert lines == record.splitlines(keepends=True)[: len(lines)]


def test_a_record_that_cannot_begin_leaves_no_file(tmp_path: Path) -> None:
    with room_for(10), pytest.raises(StoreError, match="cannot be written: File too large"):
        Recorder(tmp_path / "record.jsonl", Header("expendibots", 1, {}, None, []))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("torn", [0, 1, 2, 20])
def test_a_record_is_gone_on_with_in_place(tmp_path: Path, record: bytes, torn: int) -> None:
    """Only what was torn is written anew: a line of which all was there but its end is a line."""
    path = tmp_path / "record.jsonl"
    whole = b"".join(record.splitlines(keepends=True)[:6])
    path.write_bytes(whole[: len(whole) - torn])
    file = path.stat().st_ino
    found = read_record(path)
    assert len(found.events) == (5 if torn < 2 else 4)
    with Recorder(path, found) as recorder:
        for line in record.splitlines()[1 + len(found.events) :]:
            recorder.write(json.loads(line))
    assert path.read_bytes() == record
    assert path.stat().st_ino == file


def test_long_records_are_flushed_now_and_then(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    flushed: list[int] = []
    fsync = os.fsync
    monkeypatch.setattr(os, "fsync", lambda file: (flushed.append(os.fstat(file).st_size), fsync(file)))
    path = tmp_path / "record.jsonl"
    with Recorder(path, Header("expendibots", 1, {}, None, [])) as recorder:
        for _ in range(2 * MOST_UNFLUSHED):
            recorder.write({"event": "takeback", "plies": 1})
        assert len(recorder._lines) < MOST_UNFLUSHED
    assert len(flushed) == 2
    assert flushed[-1] == path.stat().st_size - len('{"event":"takeback","plies":1}\n')


def test_a_pipe_is_read_while_somebody_writes_to_it(tmp_path: Path, record: bytes) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(BadRecord, match="empty"):
        read_record(pipe)
    with subprocess.Popen(["cat", tmp_path / "whole.jsonl", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as writing:
        assert writing.stdin is not None
        assert writing.stdout is not None
        writing.stdin.close()
        assert read_record(Path(f"/dev/fd/{writing.stdout.fileno()}")).events[-1]["event"] == "end"


@given(st.binary(max_size=300), st.integers(min_value=0, max_value=5))
def test_random_bytes_are_refused_or_read_but_never_a_traceback(tmp_path_factory: pytest.TempPathFactory, data: bytes, line: int) -> None:
    folder = tmp_path_factory.getbasetemp()
    header = b'{"game":"tic-tac-toe","version":1,"options":{},"seed":null,"players":["a","b"],"time":"","format":1}\n'
    actions = [b'{"event":"action","actions":{"%d":"%s"}}\n' % (player, cell) for player, cell in ((0, b"a1"), (1, b"b1"), (0, b"c1"))]
    lines = [header, b'{"event":"start","position":".../.../..."}\n', *actions]
    lines.insert(line, data)
    message = refusal(folder, b"".join(lines))
    assert message is None or message.isprintable()


@pytest.fixture
def on_own_tiles(tmp_path: Path) -> Path:
    """The record of a game on tiles of a file beside it."""
    tiles = tmp_path / "mine.tiles"
    shipped = resources.files("ludarium.games.roboderby").joinpath("data", "tiles", "assembly.tiles")
    tiles.write_text(shipped.read_text(encoding="utf-8"), encoding="utf-8")
    game = ludarium.game("roboderby", tiles=str(tiles), board="dock loops sorter presses @ 0 0 0 0 N", turn_limit=3)
    written(tmp_path / "game.jsonl", play_at_random(game.start(), 4))
    return tmp_path / "game.jsonl"


def test_a_record_knows_the_files_that_it_was_played_with(on_own_tiles: Path) -> None:
    record = read_record(on_own_tiles)
    tiles = on_own_tiles.with_name("mine.tiles")
    assert record.header.files == {"tiles": hashlib.sha256(tiles.read_bytes()).hexdigest()}
    assert record.replay().is_over
    tiles.write_text(tiles.read_text(encoding="utf-8").replace("laser: 3,0,S", "laser: 2,0,S"), encoding="utf-8")
    with pytest.raises(BadRecord, match=r"game.jsonl, line 1: tiles=\S*mine.tiles has changed since this game was played"):
        record.replay()
    tiles.unlink()
    with pytest.raises(BadRecord, match=r"game.jsonl, line 1: .*there is no file"):
        record.replay()


@pytest.mark.parametrize("files", [["tiles"], {"tiles": 1}, None])
def test_files_that_are_no_digests_are_refused(on_own_tiles: Path, files: object) -> None:
    header, *events = on_own_tiles.read_text(encoding="utf-8").splitlines()
    on_own_tiles.write_text("\n".join([json.dumps(json.loads(header) | {"files": files}), *events, ""]), encoding="utf-8")
    with pytest.raises(BadRecord, match=r"line 1: 'files' cannot be "):
        read_record(on_own_tiles)
