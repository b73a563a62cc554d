"""Values of positions under rules that a user brings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from threading import Event, Thread
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludarium.cgt import Value, value
from ludarium.cgt.rulesets import Domineering
from ludarium.errors import LudariumError, TooLarge
from tests.conftest import USUAL_CACHE, Python

Rule = Callable[[Any], Any]


class Rules:
    """A ruleset made of functions."""

    def __init__(self, left: Rule, right: Rule, **others: Rule) -> None:
        self.left_options, self.right_options = left, right
        vars(self).update(others)


def nothing(position: Any) -> list[Any]:
    return []


class Hackenbush:
    """Strings of blue (b, Left's) and red (r) edges, read from the ground: an edge falls with all above it (Winning Ways, chapter 1)."""

    def left_options(self, position: str) -> Iterator[str]:
        return (position[:at] for at, edge in enumerate(position) if edge == "b")

    def right_options(self, position: str) -> Iterator[str]:
        return (position[:at] for at, edge in enumerate(position) if edge == "r")


class HackenbushStrings(Hackenbush):
    """Several strings, as a sorted tuple."""

    def left_options(self, position: tuple[str, ...]) -> list[tuple[str, ...]]:
        return self._moves(position, "b")

    def right_options(self, position: tuple[str, ...]) -> list[tuple[str, ...]]:
        return self._moves(position, "r")

    def _moves(self, position: tuple[str, ...], colour: str) -> list[tuple[str, ...]]:
        return [
            tuple(sorted((*position[:string], edges[:at], *position[string + 1 :])))
            for string, edges in enumerate(position)
            for at, edge in enumerate(edges)
            if edge == colour
        ]


class Decomposed(HackenbushStrings):
    def components(self, position: tuple[str, ...]) -> list[tuple[str, ...]]:
        return [(edges,) for edges in position]


class Normalised(HackenbushStrings):
    """Edges above a change of colours and back count for nothing new; here only the empty strings go."""

    def normal_form(self, position: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(edges for edges in position if edges)


class Both(Decomposed, Normalised):
    pass


EDGES = st.text("br", max_size=5)


def of_colours(edges: str) -> Value:
    """The number of a string: edges of the first colour count 1, from the first change on each one half of the one below (Berlekamp's rule)."""
    same = len(edges) - len(edges.lstrip(edges[:1]))
    sign = 1 if edges.startswith("b") else -1
    total = Value(sign * same)
    unit = Value(1)
    for edge in edges[same:]:
        unit = Value.from_options([0], [unit])
        total += unit if edge == "b" else -unit
    return total


@given(EDGES)
def test_ten_lines_of_rules_are_enough(edges: str) -> None:
    assert value(Hackenbush(), edges) is of_colours(edges)


@given(st.lists(EDGES, max_size=3).map(sorted).map(tuple))
def test_components_and_normal_forms_change_nothing(strings: tuple[str, ...]) -> None:
    expected = sum(map(of_colours, strings), Value(0))
    for ruleset in (HackenbushStrings(), Decomposed(), Normalised(), Both()):
        assert value(ruleset, strings) is expected


def test_options_may_come_in_any_collection() -> None:
    for collect in (list, tuple, set, iter, lambda found: dict.fromkeys(found)):
        assert value(Rules(lambda p, collect=collect: collect(range(p)), nothing), 5) == 5
        options = Rules(nothing, nothing, components=lambda p, collect=collect: collect([p]))
        assert value(options, 5) == 0


def test_a_line_of_moves_longer_than_python_recurses() -> None:
    assert value(Rules(lambda p: [p - 1] if p else [], nothing), 4000) == 4000


def both(position: int) -> Iterable[int]:
    return range(position)


@pytest.mark.parametrize(
    ("ruleset", "position", "message"),
    [
        (Rules(lambda p: [p], nothing), 3, "Rules: a line of moves comes back to 3; such games have no value here"),
        (Rules(lambda p: [(p + 1) % 9000], nothing), 0, "Rules: a line of moves comes back to 0; "),
        (Rules(lambda p: [1 - p], nothing, components=lambda p: [p, 2]), 0, "Rules: a line of moves comes back to "),
        (Rules(lambda p: [p + 1], nothing, normal_form=lambda p: p % 3), 0, "Rules: a line of moves comes back to "),
        (Rules(both, both), [3], r"the position to be evaluated is \[3\]: positions are to be hashable, such as"),
        (Rules(lambda p: [[p]], nothing), 3, r"Rules: one that left_options gave for 3 is \[3\]: positions are to be hashable"),
        (Rules(nothing, lambda p: [(p, [])]), 3, r"Rules: one that right_options gave for 3 is \(3, \[\]\): positions are to be hashable"),
        (Rules(nothing, lambda p: None), 3, "Rules: right_options gave None for 3, where a list of positions is wanted"),
        (Rules(lambda p: "xy", nothing), "x", "Rules: left_options gave 'xy' for 'x', where a list of positions is wanted"),
        (Rules(both, both, components=lambda p: None), 3, "Rules: components gave None for 3, where a list of positions is wanted"),
        (Rules(both, both, components=lambda p: [{p}]), 3, r"Rules: a component of 3 is \{3\}: positions are to be hashable"),
        (Rules(both, both, normal_form=lambda p: None), 3, "Rules: normal_form gave None for 3, where a position is wanted"),
        (Rules(both, both, normal_form=lambda p: [p]), 3, r"Rules: a component of 3 is \[3\]: positions are to be hashable"),
        (object(), 3, "object is no ruleset: it has no left_options; give left_options"),
    ],
)
def test_what_is_wrong_with_a_ruleset_is_said_in_one_line(ruleset: Any, position: Any, message: str) -> None:
    with pytest.raises(LudariumError, match=message) as problem:
        value(ruleset, position)
    assert "\n" not in str(problem.value)
    assert problem.value.__context__ is None or problem.value.__suppress_context__


def test_mistakes_within_the_rules_are_shown_as_they_are() -> None:
    with pytest.raises(TypeError, match="unsupported operand"):
        value(Rules(lambda p: [p - 1], nothing), "three")  # type: ignore[operator]
    with pytest.raises(ZeroDivisionError):
        value(Rules(nothing, lambda p: [1 // p]), 0)


def test_the_progress_of_a_computation() -> None:
    told: list[tuple[int, int | None]] = []
    value(Rules(lambda p: [p - 1] if p else [], nothing), 5000, progress=lambda done, total: told.append((done, total)))
    found = [done for done, total in told if total is None]
    evaluated = [done for done, total in told if total is not None]
    assert len(found) >= 4
    assert found == sorted(found)
    assert evaluated == sorted(evaluated)
    assert told[: len(found)] == [(done, None) for done in found]
    assert told[-1] == (5001, 5001)


def test_an_error_in_the_progress_callback_ends_the_computation() -> None:
    def give_up(done: int, total: int | None) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        value(Domineering(), "****|****", progress=give_up)
    assert value(Domineering(), "**|**") == value(Domineering(), "**|**")


def test_too_many_positions() -> None:
    with pytest.raises(TooLarge, match=r"more than [\d,]+ positions can be reached; they take more than the 8 MB allowed"):
        value(Rules(lambda p: [p + 1], nothing), 0, most_bytes=8 << 20)
    with pytest.raises(TooLarge, match=r"more than [\d,]+ positions can be reached; they take more than the 8 MB allowed"):
        value(Domineering(), "|".join(["******"] * 6), most_bytes=8 << 20)
    with pytest.raises(TooLarge, match=r"Rules: left_options gave more than [\d,]+ positions for 0; they take more memory than is allowed"):
        value(Rules(lambda p: iter(int, 1), nothing), 0, most_bytes=8 << 20)


def test_several_threads_evaluate_at_once() -> None:
    begin, results = Event(), {}

    def work(number: int) -> None:
        begin.wait()
        ruleset = Decomposed() if number % 2 else HackenbushStrings()
        results[number] = [value(ruleset, ("br" * length, "rb" * length)) for length in range(4)]

    threads = [Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    begin.set()
    for thread in threads:
        thread.join()
    assert all(results[number] == [0, 0, 0, 0] for number in range(4))


INTERRUPTED = """
import os, signal, threading, time
from ludarium.cgt import value
from ludarium.cgt.rulesets import Domineering
from ludarium.games.expand_conquer.values import ExpandConquerRuleset

class Long:
    def left_options(self, position): return [position + 1, position + 2]
    def right_options(self, position): return []

value(Domineering(), "**|**"), value(ExpandConquerRuleset("all-small"), "**"), value(Domineering(), "****|****")
for ruleset, position, began in (
    (Long(), 0, lambda done, total: total is None),
    (Domineering(), "|".join(["*******"] * 7), lambda done, total: total is None),
    (ExpandConquerRuleset("all-small"), "|".join(["****"] * 4), lambda done, total: total is not None),
):
    pressed = []
    def progress(done, total):
        if began(done, total) and not pressed:
            pressed.append(time.process_time())
            os.kill(os.getpid(), signal.SIGINT)
    try:
        value(ruleset, position, progress=progress)
        print("finished")
    except KeyboardInterrupt:
        print("interrupted", time.process_time() - pressed[0] < 2, value(Domineering(), "****|***#"))
"""


def test_ctrl_c_ends_a_computation_and_leaves_the_values_whole(python: Python) -> None:
    run = python(INTERRUPTED, NUMBA_CACHE_DIR=USUAL_CACHE)
    assert run.stderr == ""
    assert run.stdout.splitlines() == [f"interrupted True {value(Domineering(), '****|***#')}"] * 3


def test_without_compilation_values_are_the_same(python: Python) -> None:
    code = """
from ludarium.cgt import value
from ludarium.cgt.rulesets import Clobber, Domineering, Nim, ToadsAndFrogs
print(value(Domineering(), "**|**"), value(Domineering(), "***|***"), value(Clobber(), "xxo|oxo"), value(Nim(), "1 2 4"), value(ToadsAndFrogs(), "tt..f"))
"""
    plain, compiled = python(code, NUMBA_DISABLE_JIT="1"), python(code, NUMBA_CACHE_DIR=USUAL_CACHE)
    assert plain.stdout == compiled.stdout != "", plain.stderr
