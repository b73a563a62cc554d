"""Dates and sentences as all pages write them. ``web/static/words.js`` does the same in browsers."""

from __future__ import annotations

from datetime import UTC, date, datetime

from markupsafe import Markup

ENDS = (".", "!", "?", "…")
"""Marks that end a sentence."""


def sentence(text: str) -> str:
    """Return a text with a capital at its beginning and one full stop at its end."""
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(ENDS) else '.'}"


def moment(time: str | float) -> Markup:
    """Return a time as ``<time>``, such as 28 November 2026, 22:58 UTC; browsers with JavaScript show it in their own time zone.

    Args:
        time: seconds since 1970, or ISO 8601; another text, as strangers' records may have it, stays as it is.
    """
    try:
        at = datetime.fromtimestamp(time, UTC) if isinstance(time, int | float) else datetime.fromisoformat(time).astimezone(UTC)
    except (ValueError, OverflowError):
        return Markup("{}").format(time)
    shown = f"{_in_words(at)}, {at:%H:%M} UTC"
    return Markup('<time datetime="{}">{}</time>').format(at.isoformat(timespec="seconds"), shown)


def day(day: date) -> Markup:
    """Return a day as ``<time>``, such as 28 November 2026."""
    return Markup('<time datetime="{:%Y-%m-%d}">{}</time>').format(day, _in_words(day))


def _in_words(day: date) -> str:
    return f"{day.day} {day:%B %Y}"
