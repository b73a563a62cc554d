"""Reading an action as people type it: in any case, and without the notation's separators."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from ludarium.core.game import Action, State
from ludarium.core.hints import alternatives
from ludarium.errors import BadNotation

SEPARATORS = re.escape(" (),-")


def read_action(state: State, seat: int, line: str, texts: Sequence[str]) -> Action:
    """Return the legal action that a line means. What the game's own notation says counts first.

    Args:
        texts: the notations of all legal actions.

    Raises:
        BadNotation: the line means no action, or could mean several, which the message names.
        IllegalAction: it names an action that is not legal here.
    """
    try:
        return state.action(line, seat)
    except BadNotation:
        typed = line.casefold()
        found = [text for text in texts if re.fullmatch(_pattern(text), typed)]
        if len(found) == 1:
            return state.action(found[0], seat)
        begun = re.sub(f"[{SEPARATORS}]", "", typed)
        candidates = found or [text for text in texts if begun and re.sub(f"[{SEPARATORS}]", "", text.casefold()).startswith(begun)]
        if not candidates:
            raise
        raise BadNotation(f"'{line[:40]}' may be {alternatives(candidates)}; type one of them") from None


def _pattern(text: str) -> str:
    """Return a pattern for the ways to type an action. Separators are optional, except where they keep two numbers apart of which one has several digits."""
    parts = re.findall(rf"[^\W\d_]+|\d+|[{SEPARATORS}]+|.", text.casefold())
    words = [part for part in parts if re.fullmatch(f"[^{SEPARATORS}]+", part)]
    needed = {number for number, pair in enumerate(pairwise(words)) if "".join(pair).isdigit() and len("".join(pair)) > 2}
    pattern, number = "", -1
    for part in parts:
        if part in words:
            pattern += rf"\s*{re.escape(part)}"
            number += 1
        else:
            pattern += rf"[\s{re.escape(part)}]{'+' if number in needed else '*'}"
    return rf"{pattern}\s*"
