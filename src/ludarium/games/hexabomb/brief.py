"""JSON values in messages."""

from __future__ import annotations

import json
from typing import Any


def brief(value: Any) -> str:
    """The beginning of a JSON value, whatever somebody sent; of lists and objects their names alone, as these may be of any depth and size."""
    if isinstance(value, list):
        return "an array"
    if isinstance(value, dict):
        return "an object"
    return json.dumps(value)[:60]
