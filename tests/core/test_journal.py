"""Journals of long work: what a full disk and a crash leave of them. What they hold, tests of labs say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ludarium.core.journal import Journal
from ludarium.errors import StoreError
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


def test_an_incomplete_line_is_cut_off_before_another_is_added(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    path.write_bytes(b'{"format":1}\n{"number":1}\n{"numb')
    journal = Journal(path, "the findings", HEADER)
    journal.add({"number": 2})
    journal.close()
    assert path.read_bytes() == b'{"format":1}\n{"number":1}\n{"number":2}\n'
