"""Whose turn it is to think: time is told by the thoughts themselves, each of which moves the clock while it has its turn."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Callable

import pytest

import ludarium
from ludarium.core.game import Action, State
from ludarium.players import Player
from ludarium.web.table.thinking import Answer, Thinker, Thinkers
from ludarium.web.table.turns import LONGEST_THOUGHT, MOST_BEGUN, SLICE, Thought
from ludarium.web.visitors.visitor import Visitor
from tests.web.live import PATIENCE

STEP = 0.02
START = ludarium.game("expendibots").start()


class Clock:
    now = 0.0

    def time(self) -> float:
        return self.now


class Thinking(Player):
    """Thinks for so many seconds, in steps, unless it is to answer before; then it does ``last``."""

    def __init__(self, table: Table, name: str, seconds: float, last: Callable[[], None]) -> None:
        self._table = table
        self._name = name
        self._seconds = seconds
        self._last = last

    def choose(self, state: State, player: int, interrupted: Callable[[], bool] = lambda: False) -> Action:
        table, left = self._table, self._seconds
        going_on = [thought for thought in table.thinkers._turns._begun if not thought.must_answer]
        table.most_begun = max(table.most_begun, len(going_on))
        assert table.is_complete.wait(PATIENCE)
        while left > 0 and not interrupted():
            left -= STEP
            table.clock.now += STEP
            table.had[self._name] += STEP
        table.answered[self._name] = table.clock.now
        self._last()
        return state.actions()[0]


class Table:
    """Thoughts of one core. What each had, and when it answered, by its name."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.thinkers = Thinkers(1, self.clock.time)
        self.is_complete = threading.Event()
        self.most_begun = 0
        self.had = Counter[str]()
        self.answered: dict[str, float] = {}
        self._told: dict[Thought, asyncio.Future[None]] = {}

    def think(self, name: str, visitor: Visitor, seconds: float, last: Callable[[], None] = lambda: None) -> Thought:
        told = asyncio.get_running_loop().create_future()

        def done(answer: Answer, seconds: float) -> None:
            assert isinstance(answer, Action)
            told.set_result(None)

        thought = self.thinkers.think(Thinker(Thinking(self, name, seconds, last), 0, visitor), START, done)
        self._told[thought] = told
        return thought

    def stop(self, thought: Thought) -> None:
        self.thinkers.stop(thought)
        told = self._told[thought]
        told.get_loop().call_soon_threadsafe(told.set_result, None)

    async def until_all_are_told(self) -> None:
        self.is_complete.set()
        await asyncio.wait_for(asyncio.gather(*self._told.values()), PATIENCE)
        self.thinkers.close()


ONE, OTHER = Visitor("198.51.100.1", "a"), Visitor("198.51.100.2", "b")


def run(play: Callable[[Table], None]) -> Table:
    """Let thoughts that are wanted in the order of ``play`` all come to their end."""

    async def all_of_it() -> Table:
        table = Table()
        play(table)
        await table.until_all_are_told()
        return table

    return asyncio.run(all_of_it())


def test_who_comes_new_waits_for_a_slice_however_much_others_think() -> None:
    def play(table: Table) -> None:
        for number in range(8):
            table.think(f"long {number}", ONE, 100_000.0)
        table.think("greedy", OTHER, STEP)

    table = run(play)
    assert table.answered["greedy"] < SLICE + 3 * STEP
    assert min(table.answered[f"long {number}"] for number in range(8)) > LONGEST_THOUGHT


@pytest.mark.parametrize("cookies", [["a"] * 6, ["a", "b", "c", "", "e", "f"]])
def test_addresses_share_alike_whatever_cookies_they_send(cookies: list[str]) -> None:
    def play(table: Table) -> None:
        for number, cookie in enumerate(cookies):
            table.think(f"many {number}", Visitor("198.51.100.1", cookie), 8.0)
        table.think("one", OTHER, 4.0)

    table = run(play)
    assert table.answered["one"] < 8.5


def test_visitors_of_an_address_share_alike() -> None:
    def play(table: Table) -> None:
        for number in range(5):
            table.think(f"long {number}", Visitor("198.51.100.1", "greedy one"), 8.0)
        table.think("classmate", Visitor("198.51.100.1", "b"), 2.0)

    assert run(play).answered["classmate"] < 4.5


def test_of_a_visitor_the_shortest_thoughts_are_finished_first() -> None:
    def play(table: Table) -> None:
        for seconds in (3.0, 0.3, 1.0, STEP):
            table.think(f"{seconds}", ONE, seconds)

    table = run(play)
    assert list(table.answered) == [f"{STEP}", "0.3", "1.0", "3.0"]


def test_a_thought_that_nobody_waits_for_is_not_cut() -> None:
    table = run(lambda table: table.think("alone", ONE, 5.0))
    assert table.answered["alone"] == pytest.approx(5.0, abs=2 * STEP)


def test_thoughts_end_after_the_longest_time_even_while_others_think() -> None:
    def play(table: Table) -> None:
        for number in range(20):
            table.think(f"{number}", ONE, 100_000.0)

    table = run(play)
    assert max(table.answered.values()) < LONGEST_THOUGHT + 20 * (SLICE + 2 * STEP)


def test_too_many_thoughts_at_once_are_answered_early_at_the_address_that_has_most() -> None:
    def play(table: Table) -> None:
        table.think("other", OTHER, 9.0)
        for number in range(2 * MOST_BEGUN):
            table.think(f"{number}", ONE, 100_000.0)

    table = run(play)
    assert table.most_begun == MOST_BEGUN
    assert next(iter(table.answered)) != "other"
    assert table.answered["other"] >= LONGEST_THOUGHT


def test_what_is_stopped_while_others_have_their_turns_ends_without_one() -> None:
    has_ended = threading.Event()

    def play(table: Table) -> None:
        stopped = table.think("stopped", ONE, 100_000.0, has_ended.set)

        def stop() -> None:
            table.stop(stopped)
            assert has_ended.wait(PATIENCE)

        table.think("other", OTHER, 1.0, stop)

    table = run(play)
    assert table.had["stopped"] < 1.5


def test_what_is_stopped_before_its_first_turn_never_begins() -> None:
    def play(table: Table) -> None:
        table.think("other", OTHER, 1.0)
        stopped = [table.think("stopped", ONE, 1.0) for _ in range(2)]
        for thought in stopped:
            table.stop(thought)

    assert list(run(play).answered) == ["other"]
