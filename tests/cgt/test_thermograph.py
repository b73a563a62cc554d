"""Thermographs: exact walls, temperatures and means, and their drawings."""

from __future__ import annotations

import builtins
import itertools
import pickle
import sys
import xml.etree.ElementTree as ElementTree
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludarium.cgt import Value
from ludarium.cgt.thermography.thermograph import Thermograph
from ludarium.errors import BadNotation, LudariumError
from tests.cgt import naive_values
from tests.cgt.born_by import as_game, values_born_by

SVG = "{http://www.w3.org/2000/svg}"
ANY, SIMPLE = values_born_by(3), values_born_by(2)
NUMBERS = st.fractions(-3, 3, max_denominator=4).filter(lambda number: number.denominator != 3)
SWITCHES = st.builds(lambda mean, heat: Value.from_options([mean + heat], [mean - heat]), st.integers(-4, 4), st.integers(0, 5))


def walls_agree(value: Value) -> None:
    """Compare with the definition at every temperature where a wall may bend, up to one beyond the mast's foot."""
    form, thermograph = as_game(value), value.thermograph
    assert thermograph.temperature == value.temperature == naive_values.temperature(form)
    assert thermograph.mean == value.mean == naive_values.mean(form)
    at, step = Fraction(-1), Fraction(1, 1 << value.birthday)
    while at <= value.temperature + 1:
        assert (thermograph.left_stop(at), thermograph.right_stop(at)) == naive_values.walls(form, at)
        at += step


@given(ANY)
def test_walls_agree_with_the_definition(value: Value) -> None:
    walls_agree(value)


@settings(max_examples=30)
@given(SIMPLE, SIMPLE, SWITCHES)
def test_walls_of_sums_agree_with_the_definition(a: Value, b: Value, switch: Value) -> None:
    walls_agree(a + b)
    walls_agree(Value.from_options([a + switch], [b - switch]))


@given(ANY)
def test_walls_bend_where_their_points_say(value: Value) -> None:
    thermograph = value.thermograph
    for wall, step in ((thermograph.left_wall, -1), (thermograph.right_wall, 1)):
        assert wall[0][0] == -1
        assert wall[-1] == thermograph.mast == (value.temperature, value.mean)
        slopes = [(after[1] - before[1]) / (after[0] - before[0]) for before, after in itertools.pairwise(wall)]
        assert set(slopes) <= {0, step}
        assert all(slope != other for slope, other in itertools.pairwise(slopes))
    for at, _ in (*thermograph.left_wall[:-1], *thermograph.right_wall[:-1]):
        assert thermograph.left_stop(at) > thermograph.right_stop(at)


@given(ANY)
def test_stops_are_the_walls_at_temperature_0(value: Value) -> None:
    if value.temperature >= 0:
        assert value.stops == (value.thermograph.left_stop(), value.thermograph.right_stop())
    else:
        assert value.stops == (value.mean, value.mean)


@given(ANY, NUMBERS)
def test_a_number_moves_a_thermograph_and_nothing_else(value: Value, number: Fraction) -> None:
    if value.is_number:
        return

    def moved(wall: Any) -> Any:
        return tuple((at, here + number) for at, here in wall if at >= 0)

    # Numbers are cold: what they change lies below temperature 0.
    one, other = value.thermograph, (value + number).thermograph
    assert other.mean == one.mean + number
    assert other.temperature == one.temperature
    assert moved(one.left_wall) == tuple(point for point in other.left_wall if point[0] >= 0)
    assert moved(one.right_wall) == tuple(point for point in other.right_wall if point[0] >= 0)
    if number.denominator == 1:
        at = Fraction(-1)
        while at < 0:
            assert other.left_stop(at) == one.left_stop(at) + number
            assert other.right_stop(at) == one.right_stop(at) + number
            at += Fraction(1, 8)


@given(ANY, ANY)
def test_means_add_and_temperatures_do_not_rise(a: Value, b: Value) -> None:
    total = a + b
    assert total.mean == a.mean + b.mean
    assert total.temperature <= max(a.temperature, b.temperature)
    if a.temperature != b.temperature:
        assert total.temperature == max(a.temperature, b.temperature)


@given(ANY)
def test_a_negative_is_the_mirror_image(value: Value) -> None:
    one, other = value.thermograph, (-value).thermograph
    assert one.left_wall == tuple((at, -here) for at, here in other.right_wall)
    assert one.right_wall == tuple((at, -here) for at, here in other.left_wall)


@given(ANY, ANY)
def test_thermographs_follow_the_order(a: Value, b: Value) -> None:
    if a <= b:
        for at in range(5):
            assert a.thermograph.left_stop(at) <= b.thermograph.left_stop(at)
            assert a.thermograph.right_stop(at) <= b.thermograph.right_stop(at)


KNOWN = [
    # Winning Ways, chapter 6: a switch {x|y} has mean (x + y)/2 and temperature (x − y)/2; the others are two switches in one, by hand
    ("+-1", "0", "1"),
    ("{7|2}", "9/2", "5/2"),
    ("{3||2|1}", "9/4", "3/4"),
    ("{100||99|1}", "99", "1"),
    ("{2|-1||-2|-4}", "-5/4", "7/4"),
    ("+-{3,{5|2}}", "0", "7/2"),
    # infinitesimals have temperature 0; a number m/2^k has −1/2^k
    ("^", "0", "0"),
    ("*2", "0", "0"),
    ("Tiny(2)", "0", "0"),
    ("7", "7", "-1"),
    ("-3/8", "-3/8", "-1/8"),
    ("1/1048576", "1/1048576", "-1/1048576"),
]


@pytest.mark.parametrize(("text", "mean", "temperature"), KNOWN)
def test_known_means_and_temperatures(text: str, mean: str, temperature: str) -> None:
    value = Value(text)
    assert (str(value.mean), str(value.temperature)) == (mean, temperature)


def test_points_of_a_thermograph() -> None:
    thermograph = Value("{3||2|1}").thermograph
    half, quarters = Fraction(1, 2), Fraction(3, 4)
    assert thermograph.left_wall == ((-1, 4), (quarters, Fraction(9, 4)))
    assert thermograph.right_wall == ((-1, 2), (half, 2), (quarters, Fraction(9, 4)))
    assert repr(thermograph) == (
        "<Thermograph: mean 9/4, temperature 3/4, left wall (4, t=-1) (9/4, t=3/4), right wall (2, t=-1) (2, t=1/2) (9/4, t=3/4)>"
    )
    assert thermograph == Thermograph(thermograph.left_wall, thermograph.right_wall) == pickle.loads(pickle.dumps(thermograph))
    assert hash(thermograph) == hash(pickle.loads(pickle.dumps(thermograph)))
    assert thermograph != Value("{3||2|0}").thermograph
    assert thermograph.left_stop(100) == thermograph.right_stop(100) == thermograph.mean


def test_no_temperature_is_below_minus_one() -> None:
    with pytest.raises(BadNotation, match=r"^-2 is no temperature of a thermograph: these begin at -1$"):
        Value("*").thermograph.left_stop(-2)


def parts(picture: str) -> tuple[dict[str, str], list[str]]:
    """The paths of a drawing by their classes, and its texts."""
    root = ElementTree.fromstring(picture)
    paths = {element.attrib["class"]: element.attrib["d"] for element in root.iter(f"{SVG}path")}
    return paths, [element.text or "" for element in root.iter(f"{SVG}text")]


def points(path: str) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in (point.split() for point in path.removeprefix("M").split("L"))]


def test_a_drawing_has_the_temperature_upward_and_larger_values_to_the_left() -> None:
    picture = Value("{3||2|1}").thermograph.svg(title="{3||2|1}", size=240)
    paths, texts = parts(picture)
    left, right = points(paths["tg-l"]), points(paths["tg-r"])
    assert len(left) == 2
    assert len(right) == 3
    assert left[-1] == right[-1]
    assert left[0][0] < left[-1][0] < right[0][0] == right[1][0]
    assert left[0][1] == right[0][1] > right[1][1] > left[-1][1]
    assert paths["tg-m"].startswith(f"M{left[-1][0]} {left[-1][1]}V")
    assert {"temperature", "value", "Left", "Right", "{3||2|1}", "9/4", "3/4"} <= set(texts)
    root = ElementTree.fromstring(picture)
    assert root.attrib["width"] == "240"
    assert root.attrib["aria-label"] == "Thermograph of {3||2|1}: mean 9/4, temperature 3/4"


def test_walls_are_told_apart_without_colour_and_by_day_and_night() -> None:
    picture = Value("*").thermograph.svg()
    assert ".tg-r{" in picture
    assert "stroke-dasharray" in picture
    assert "prefers-color-scheme:dark" in picture


DRAWN = ["0", "7", "1/2", "-5/1024", "*", "^", "+-1", "{50000||3|-50000}", "{1/1024|1/2048}", "+-{3,{5|2}}", "{0||0|-50000}"]


@pytest.mark.parametrize("text", DRAWN)
def test_drawings_stay_within_their_frame_and_labels_apart(text: str) -> None:
    thermograph = Value(text).thermograph
    root = ElementTree.fromstring(thermograph.svg())
    paths, _ = parts(thermograph.svg())
    for name in ("tg-l", "tg-r"):
        assert all(26 <= x <= 114 and 14 <= y <= 82 for x, y in points(paths[name])) if name in paths else thermograph.temperature == -1
    places = sorted(
        (float(element.attrib["x"]), 2 * len(element.text or "")) for element in root.iter(f"{SVG}text") if element.attrib.get("y") == "87"
    )
    assert places
    for (x, width), (next_x, next_width) in itertools.pairwise(places):
        assert next_x - x >= (width + next_width) / 2
    assert thermograph._repr_svg_() == thermograph.svg()


def test_numbers_of_any_size_are_drawn() -> None:
    for number in (Fraction(1, 1 << 5000), 1000 + Fraction(1, 1 << 3000), Fraction(-(1 << 60) - 1, 1 << 59)):
        paths, texts = parts(Value(number).thermograph.svg())
        assert "tg-m" in paths
        assert max(map(len, texts)) < 20


def test_a_long_title_is_cut() -> None:
    _, texts = parts(Value("*").thermograph.svg(title="{" + "1" * 500 + "}"))
    assert texts[-1] == "{" + "1" * 42 + "…"


def test_a_title_may_have_signs_of_markup() -> None:
    _, texts = parts(Value("*").thermograph.svg(title='<"&>'))
    assert texts[-1] == '<"&>'


def test_matplotlib_draws_the_same_picture() -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    axes = Value("{3||2|1}").thermograph.plot()
    left, right = axes.get_lines()
    assert (left.get_xdata().tolist(), left.get_ydata().tolist()) == ([4.0, 2.25], [-1.0, 0.75])
    assert (right.get_xdata().tolist(), right.get_ydata().tolist()) == ([2.0, 2.0, 2.25], [-1.0, 0.5, 0.75])
    assert left.get_linestyle() != right.get_linestyle()
    assert axes.xaxis_inverted()
    assert not axes.yaxis_inverted()
    assert Value("7").thermograph.plot(axes) is axes
    axes.figure.canvas.draw()
    pyplot.close("all")


def test_without_matplotlib_one_line_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    load = builtins.__import__

    def refuse(name: str, *rest: Any) -> Any:
        if name.startswith("matplotlib"):
            raise ModuleNotFoundError(f"No module named {name!r}")
        return load(name, *rest)

    for name in [name for name in sys.modules if name.startswith("matplotlib")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(LudariumError, match=r"^Matplotlib is not installed: pip install 'ludarium\[plot\]'$"):
        Value("*").thermograph.plot()
