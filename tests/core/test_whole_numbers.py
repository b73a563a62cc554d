"""What stands for a whole number in JSON."""

from __future__ import annotations

import json

import pytest

from ludarium.core.whole_numbers import as_whole, whole_number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        *(("12", 12), ("12.0", 12), ("1.2e1", 12), ("-0.0", 0), ("1e15", 10**15)),
        *((text, None) for text in ("1.5", "NaN", "Infinity", "1e400", "true", '"12"', "null", "[12]")),
    ],
)
def test_a_whole_number_has_several_forms(text: str, number: int | None) -> None:
    value = json.loads(text)
    assert whole_number(value) == number
    assert number is not None or as_whole(value) is value
