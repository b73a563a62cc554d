"""One playthrough of every game stays as it was written. After a change on purpose: ``python -m tests.playthrough``, and read the differences."""

from __future__ import annotations

import difflib

import pytest

import ludarium
from tests.playthrough import FOLDER, file_of, playthrough


@pytest.mark.parametrize("id", ludarium.list_games())
def test_nothing_observable_has_changed(id: str) -> None:
    assert file_of(id).is_file(), f"there is no snapshot of {id}; write it with: python -m tests.playthrough"
    kept = file_of(id).read_text(encoding="utf-8").splitlines()
    changes = list(difflib.unified_diff(kept, playthrough(id).splitlines(), "kept", "now", lineterm="", n=2))
    assert not changes, "\n".join(changes[:60])


def test_every_snapshot_has_its_game() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(ludarium.list_games())
