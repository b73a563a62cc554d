"""What the calculator of values says: in words, and as a JSON object."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from rich.text import Text

from ludarium.cgt import Value
from ludarium.cgt.calculator import Answer
from ludarium.cgt.numbers import number_text
from ludarium.cgt.summary import MOST_CHARACTERS, OUTCOMES, short_symbols, short_text, summary, weight_or_none

WIDTH = 15
"""Of the names of facts."""


def answer_text(answer: Answer) -> Text:
    """The answer as it is printed in a terminal."""
    value = answer.value
    if value is None:
        return Text("true" if answer.holds else "false", "bold")
    if answer.variable:
        return Text.assemble((answer.variable, "bold cyan"), f" = {_text(value)}")
    if not answer.command:
        return _card(value)
    if answer.command == "thermograph":
        from .thermograph import thermograph_text

        return thermograph_text(value.thermograph)
    if answer.command in SIDES:
        left, right = ([str(one) for one in side] for side in SIDES[answer.command](value))
        return _facts([("Left", ", ".join(left) or "none"), ("Right", ", ".join(right) or "none")])
    if answer.command == "stops":
        return _facts(zip(("Left", "Right"), map(number_text, value.stops), strict=True))
    return Text(TEXTS[answer.command](value))


SIDES: dict[str, Callable[[Value], tuple[Iterable[Value], Iterable[Value]]]] = {
    "options": lambda value: (value.left_options, value.right_options),
    "incentives": lambda value: (value.left_incentives, value.right_incentives),
}

TEXTS: dict[str, Callable[[Value], str]] = {
    "atomic_weight": lambda value: str(value.atomic_weight),
    "birthday": lambda value: str(value.birthday),
    "braces": lambda value: value.braces,
    "canonical": str,
    "followers": lambda value: str(value.follower_count),
    "mean": lambda value: number_text(value.mean),
    "outcome": lambda value: f"{value.outcome}: {OUTCOMES[value.outcome]}",
    "reduced": lambda value: str(value.reduced),
    "temperature": lambda value: number_text(value.temperature),
    "unicode": lambda value: value.unicode,
}


def _card(value: Value) -> Text:
    """What a game theorist asks of a value."""
    symbols, uptimal, reduced = short_symbols(value), value.uptimal, value.reduced
    weight = weight_or_none(value)
    left, right = map(number_text, value.stops)
    facts = [
        ("symbols", symbols if symbols != short_text(value) else None),
        ("uptimal", None if uptimal is None or uptimal.is_short else str(uptimal)),
        ("kind", ", ".join(_kinds(value))),
        ("outcome", TEXTS["outcome"](value)),
        ("stops", f"{left}, {right}"),
        ("mean", number_text(value.mean)),
        ("temperature", number_text(value.temperature)),
        ("atomic weight", "none" if weight is None else _text(weight)),
        ("reduced", None if reduced is value else _text(reduced)),
        ("birthday", str(value.birthday)),
        ("followers", f"{value.follower_count:,}"),
    ]
    return Text("\n").join([Text(_text(value), "bold"), _facts((name, fact) for name, fact in facts if fact is not None)])


def _facts(facts: Iterable[tuple[str, str]]) -> Text:
    return Text("\n").join(Text.assemble((f"{name:<{WIDTH}}", "dim"), fact) for name, fact in facts)


def _kinds(value: Value) -> list[str]:
    kinds = [
        name
        for name, holds in (
            ("integer", value.is_integer),
            ("dyadic fraction", value.is_number and not value.is_integer),
            ("nimber", value.is_nimber and value.number is None),
            ("uptimal", value.uptimal is not None and not value.is_nimber and value.number is None),
            ("switch", value.is_switch),
        )
        if holds
    ]
    small = "all-small" if value.is_all_small else "infinitesimal" if value.is_infinitesimal else ""
    heat = "cold" if value.is_number else "hot" if value.temperature > 0 else "tepid"
    return [one for one in (*kinds, small, heat) if one]


def _text(value: Value) -> str:
    return short_text(value) or f"(a text of more than {MOST_CHARACTERS:,} characters; 'canonical' prints it)"


def answer_object(answer: Answer) -> dict[str, Any]:
    """The answer as it is printed with ``--json``: the value's summary, and what the command asks for beyond that."""
    value = answer.value
    if value is None:
        return {"holds": answer.holds}
    more: dict[str, Any] = {"variable": answer.variable} if answer.variable else {}
    if answer.command in SIDES:
        for side, values in zip(("left", "right"), SIDES[answer.command](value), strict=True):
            more[f"{side}_{answer.command}"] = [short_text(one) for one in values]
    elif answer.command == "thermograph":
        for side, wall in (("left", value.thermograph.left_wall), ("right", value.thermograph.right_wall)):
            more[f"{side}_wall"] = [[number_text(at), number_text(here)] for at, here in wall]
    elif answer.command in ("braces", "canonical", "reduced", "unicode"):
        more[answer.command] = TEXTS[answer.command](value)
    return summary(value) | more
