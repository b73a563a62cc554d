"""Thermographs as SVG in the field's orientation: temperature upward, values increasing to the left."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from html import escape
from itertools import cycle
from math import ceil, floor
from pathlib import Path

from ludarium.core.drawing import Palette, svg_element

Points = tuple[tuple[Fraction, Fraction], ...]
"""A wall: temperatures, and where it stands at each; the last one is the mast's foot."""

WIDTH, HEIGHT = 120, 96
"""The drawing in its own units."""

LEFT, RIGHT, TOP, BOTTOM = 26, 114, 14, 82
"""The frame of the axes."""

MOST_VALUES, MOST_TEMPERATURES = 12, 8
"""At most so many steps between ticks on each axis."""

LONGEST_LABEL, LONGEST_BITS = 10, 40
"""Numbers with more characters, or binary digits above or below the line, are shortened."""

MOST_BITS_OF_FLOAT = 1000
"""Numbers up to 2 to this power are printed by way of floating point when they are shortened."""

LONGEST_TITLE = 44
"""Characters of a title that fit above a drawing."""

_PALETTE = Palette(
    "tg",
    {
        "paper": ("#ffffff", "#15191d"),
        "ink": ("#222a31", "#e8eef2"),
        "faint": ("#c9d1d6", "#3f4a53"),
        "left": ("#1457b8", "#7db4ff"),
        "right": ("#b3261e", "#ff9d8f"),
    },
)
"""Left is blue and Right is red."""

_STYLE = _PALETTE.schemes + _PALETTE.rules(Path(__file__).with_name("drawing.css"))


def ticks(low: Fraction, high: Fraction, most: int) -> list[Fraction]:
    """Multiples of 1, 2 or 5 times a power of ten, or of a power of 1/2, from ``low`` to a higher ``high``: at most ``most`` steps, and not far fewer."""
    step = Fraction(1)
    while (high - low) / step * 2 <= most:
        step /= 2
    for factor in cycle((Fraction(2), Fraction(5, 2), Fraction(2))):
        if (high - low) / step <= most:
            break
        step *= factor
    return [step * at for at in range(ceil(low / step), floor(high / step) + 1)]


def short(number: Fraction) -> str:
    """A number as an axis or a caption shows it: exact, or about so much where that would be too long; with a minus sign, not a hyphen."""
    return _shortened(number).replace("-", "−")


def _shortened(number: Fraction) -> str:
    numerator, exponent = number.numerator, number.denominator.bit_length() - 1
    if max(abs(numerator).bit_length(), exponent) <= LONGEST_BITS and len(str(number)) <= LONGEST_LABEL:
        return str(number)
    if abs(numerator) == 1:
        return f"{numerator}/2^{exponent}"
    if abs(numerator).bit_length() - exponent <= MOST_BITS_OF_FLOAT:
        return f"≈{float(number):.6g}"
    return f"≈{'-' if number < 0 else ''}2^{abs(numerator).bit_length() - exponent - 1}"


def _named(important: Sequence[Fraction], others: Sequence[Fraction], room: float) -> list[Fraction]:
    """What is named on an axis: first what is important, then others, where there is room beside those named already."""
    named: dict[float, Fraction] = {}
    for value in dict.fromkeys((*important, *others)):
        place = float(value)
        if all(abs(place - other) >= room for other in named):
            named[place] = value
    return list(named.values())


class _Frame:
    """Where values and temperatures stand in the drawing."""

    def __init__(self, left: Points, right: Points) -> None:
        """One degree is as long as one unit of value, so that walls slant by 45 degrees; the side that has room to spare shows more."""
        values = self.values = [value for _, value in (*left, *right)]
        self.foot, self.mean = left[-1]
        wide, high = (max(values) - min(values)) * Fraction(9, 7), (self.foot + 1) * Fraction(5, 4)
        self.unit = min(Fraction(RIGHT - LEFT) / max(wide, 1), Fraction(BOTTOM - TOP) / max(high, 1))
        self.middle = (max(values) + min(values)) / 2
        around = Fraction(RIGHT - LEFT) / self.unit / 2
        self.lowest, self.highest = self.middle - around, self.middle + around
        self.hottest = Fraction(BOTTOM - TOP) / self.unit - 1

    def x(self, value: Fraction) -> float:
        return round((LEFT + RIGHT) / 2 - (float(value) - float(self.middle)) * float(self.unit), 3)

    def y(self, temperature: Fraction) -> float:
        return round(BOTTOM - (float(temperature) + 1) * float(self.unit), 3)

    def path(self, wall: Sequence[tuple[Fraction, Fraction]]) -> str:
        return "M" + "L".join(dict.fromkeys(f"{self.x(value)} {self.y(at)}" for at, value in wall))


def _value_axis(frame: _Frame, stops: tuple[Fraction, Fraction]) -> str:
    important = [frame.mean, *stops]
    every = ticks(frame.lowest, frame.highest, MOST_VALUES)
    longest = max(len(short(value)) for value in (*important, *every))
    room = (frame.highest - frame.lowest) * (4 + 2 * longest) / (RIGHT - LEFT)
    named = _named(important, [*frame.values, *every], float(room))
    marks = "".join(f"M{frame.x(value)} {BOTTOM}v1.4" for value in sorted({*every, *named}))
    names = "".join(f'<text class="tg-c" x="{frame.x(value)}" y="{BOTTOM + 5}">{short(value)}</text>' for value in named)
    return f'<path class="tg-a" d="M{LEFT} {BOTTOM}H{RIGHT}{marks}"/>{names}<text class="tg-c" x="{(LEFT + RIGHT) / 2}" y="{BOTTOM + 11}">value</text>'


def _temperature_axis(frame: _Frame) -> str:
    every = ticks(Fraction(-1), frame.hottest, MOST_TEMPERATURES)
    named = _named([frame.foot, Fraction(-1), Fraction(0)], every, float(frame.hottest + 1) * 4 / (BOTTOM - TOP))
    marks = "".join(f"M{LEFT} {frame.y(at)}h-1.4" for at in sorted({*every, *named}))
    names = "".join(f'<text class="tg-e" x="{LEFT - 2}" y="{frame.y(at) + 1.2}">{short(at)}</text>' for at in named)
    middle = (TOP + BOTTOM) / 2
    return (
        f'<path class="tg-a" d="M{LEFT} {BOTTOM}V{TOP - 4}{marks}"/>{names}'
        f'<text class="tg-c" transform="translate(5 {middle}) rotate(-90)">temperature</text>'
    )


def _guides(frame: _Frame) -> str:
    """Faint lines: temperature 0, and from the mast's foot to both axes."""
    x, y = frame.x(frame.mean), frame.y(frame.foot)
    lines = [f"M{LEFT} {y}H{x}", f"M{x} {y}V{BOTTOM}"]
    if frame.hottest > 0:
        lines.append(f"M{LEFT} {frame.y(Fraction(0))}H{RIGHT}")
    return f'<path class="tg-g" d="{"".join(lines)}"/>'


def thermograph_svg(left: Points, right: Points, stops: tuple[Fraction, Fraction], *, size: int, title: str | None) -> str:
    """A drawing ``size`` pixels wide: the left wall solid, the right wall dashed, the mast with an arrow; it adapts to light and dark
    surroundings. A title that is too long to fit ends in an ellipsis."""
    frame = _Frame(left, right)
    foot, mean = left[-1]
    x, top = frame.x(mean), frame.y(frame.hottest) - 2
    shown = title if title is None or len(title) <= LONGEST_TITLE else f"{title[: LONGEST_TITLE - 1]}…"
    caption = "" if shown is None else f'<text class="tg-t tg-c" x="{WIDTH / 2}" y="6">{escape(shown)}</text>'
    label = f"Thermograph{'' if title is None else f' of {title}'}: mean {short(mean)}, temperature {short(foot)}"
    walls = ""
    if foot > -1:
        walls = (
            f'<path class="tg-l" d="{frame.path(left)}"/><path class="tg-r" d="{frame.path(right)}"/>'
            f'<text class="tg-ln tg-e" x="{frame.x(left[0][1]) - 1.4}" y="{BOTTOM - 1.5}">Left</text>'
            f'<text class="tg-rn" x="{frame.x(right[0][1]) + 1.4}" y="{BOTTOM - 1.5}">Right</text>'
        )
    content = (
        f'<path class="tg-p" d="M0 0h{WIDTH}v{HEIGHT}H0z"/>{_guides(frame)}{_value_axis(frame, stops)}{_temperature_axis(frame)}{walls}'
        f'<path class="tg-m" d="M{x} {frame.y(foot)}V{top}"/><path class="tg-h" d="M{x} {top - 2.6}l-1.5 3.4h3z"/>{caption}'
    )
    return svg_element("tg", size, (0, 0, WIDTH, HEIGHT), label, _STYLE, content, role="img")
