"""Journals of long work: what a full disk and a crash leave of them. What they hold, tests of labs say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ludarium.core.journal import Journal
from ludarium.errors import BadRecord, StoreError
from tests.disks import room_for

HEADER = {"format": 1}


def found(path: Path) -> list[Any]:
    entries: list[Any] = []
    Journal(path, "the findings", HEADER).read(entries.append, "a finding")
    return entries


def test_a_line_that_a_full_disk_cut_off_is_not_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    journal = Journal(path, "the findings", HEADER)
    journal.add({"number": 1})
    with room_for(path.stat().st_size + 5):
        with pytest.raises(StoreError, match=r"the findings .*journal.jsonl cannot be written: File too large"):
            journal.add({"number": 2})
        assert path.read_bytes().endswith(b'{"num')
    journal.add({"number": 3})
    journal.close()
    journal.add({"number": 4})
    journal.close()
    assert found(path) == [{"number": 1}, {"number": 3}, {"number": 4}]


def test_a_header_that_a_full_disk_cut_off_is_written_again(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "journal.jsonl"
    journal = Journal(path, "the findings", HEADER)
    with room_for(5), pytest.raises(StoreError):
        journal.add({"number": 1})
    journal.add({"number": 2})
    journal.close()
    assert found(path) == [{"number": 2}]


@pytest.mark.parametrize("kept", [-1, -9, 5])
def test_an_incomplete_last_line_is_dropped_and_the_next_one_stands_alone(tmp_path: Path, kept: int) -> None:
    path = tmp_path / "journal.jsonl"
    path.write_bytes(b'{"format":1}\n{"number":1}\n{"number":2}\n'[:kept])
    journal = Journal(path, "the findings", HEADER)
    whole: list[Any] = []
    journal.read(whole.append, "a finding")
    assert journal.notices == ["journal.jsonl: the last line is incomplete and was dropped (the program was cut off while it wrote)"]
    assert whole == ([{"number": 1}] if kept < 0 else [])
    journal.add({"number": 3})
    journal.close()
    assert found(path) == [*whole, {"number": 3}]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'{"format":2}\n', "line 1: not the header of the findings: "),
        (b'{"format":1}\n"number":1}\n', "line 2: not a finding: "),
        (b'{"format":1}\n{"number":1}\n\n', "line 3: not a finding: "),
        (b'{"format":1}\n{"\xff":1}\n', "line 2: not a finding: "),
    ],
)
def test_other_damage_is_refused_with_its_line(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "journal.jsonl"
    path.write_bytes(content)
    with pytest.raises(BadRecord, match=f"{said}.*; move the file away to begin anew"):
        found(path)


def test_what_cannot_be_read_or_written(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"the findings .* cannot be read"):
        found(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match=r"the findings .* cannot be written"):
        Journal(tmp_path / "file" / "journal.jsonl", "the findings", HEADER).add({})
