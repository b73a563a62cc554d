"""Perft against the counts in ``data/perft``: files of lines ``position; depth count; depth count …``."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import ludarium
from ludarium.core.game import State
from ludarium.core.jit import JIT
from ludarium.errors import BadOption, LudariumError
from ludarium.search import perft, perft_divide
from tests.folders import DATA
from tests.tiny_games.die import Die
from tests.tiny_games.matrix import Matrix

FOLDER = DATA / "perft"
ENOUGH = 10_000_000 if JIT else 5_000
"""Deeper counts than this are left to the benchmarks."""


def known(game: str) -> list[tuple[str, dict[int, int]]]:
    lines = (FOLDER / f"{game}.txt").read_text().splitlines()
    fields = [[field.strip() for field in line.split(";")] for line in lines if not line.startswith("#")]
    return [(position, {int(depth): int(count) for depth, count in (part.split() for part in counts)}) for position, *counts in fields]


INITIAL, COUNTS = known("expendibots")[0]


def test_the_file_starts_with_the_initial_position() -> None:
    assert ludarium.game("expendibots").start().text == INITIAL
    assert COUNTS[4] == 5_702_544


@pytest.mark.parametrize("depth", [depth for depth, count in COUNTS.items() if count <= ENOUGH])
def test_from_the_initial_position(depth: int) -> None:
    assert perft(ludarium.game("expendibots").start(), depth) == COUNTS[depth]


def test_from_other_positions() -> None:
    game = ludarium.game("expendibots")
    checked = 0
    for position, counts in known("expendibots")[1:]:
        state = game.parse(position)
        assert state.text == position
        for depth, count in counts.items():
            if count <= ENOUGH:
                assert perft(state, depth) == count, f"{position} at depth {depth}"
                checked += 1
    assert checked > (500 if JIT else 200)


def without_jit(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", f"import ludarium\nfrom ludarium.search import perft\ngame = ludarium.game('expendibots')\n{code}"],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_plain_python_counts_the_same() -> None:
    assert without_jit("print(*(perft(game.start(), depth) for depth in (0, 1, 2)))") == f"1 {COUNTS[1]} {COUNTS[2]}"


def test_plain_python_counts_the_same_at_depth_3() -> None:
    assert without_jit("print(perft(game.start(), 3))") == str(COUNTS[3])


def test_plain_python_counts_the_same_from_other_positions() -> None:
    chosen = [
        (position, {depth: count for depth, count in counts.items() if count <= 1000}) for position, counts in known("expendibots")[1:]
    ]
    chosen = [(position, counts) for position, counts in chosen if counts]
    code = "\n".join(f"print(*(perft(game.parse({position!r}), depth) for depth in {tuple(counts)}))" for position, counts in chosen)
    assert without_jit(code).splitlines() == [" ".join(map(str, counts.values())) for _, counts in chosen]


def test_depth_0_counts_the_position_itself() -> None:
    assert perft(ludarium.game("expendibots").start(), 0) == 1


def test_a_finished_game_has_no_successors() -> None:
    over = ludarium.game("expendibots").parse("......../......../......../......../......../......../......../W....... b 1")
    assert [perft(over, depth) for depth in (0, 1, 2, 3)] == [1, 0, 0, 0]
    assert perft_divide(over, 2) == {}


def test_limits_are_not_looked_at() -> None:
    text = "......../....B.../......../......../......../.....B../.....W../........ {} {}"
    unlimited = [9, 35, 247, 1032]
    game = ludarium.game("expendibots", turn_limit=360)
    for side, ply in (("b", 357), ("b", 359)):
        state = game.parse(text.format(side, ply))
        assert [perft(state, depth) for depth in (1, 2, 3, 4)] == unlimited
    at_the_limit = ludarium.game("expendibots", turn_limit=359).parse(text.format("b", 359))
    assert at_the_limit.is_over
    assert [perft(at_the_limit, depth) for depth in (1, 2, 3, 4)] == unlimited
    assert sum(perft_divide(at_the_limit, 4).values()) == unlimited[3]


def test_a_full_history_is_no_obstacle() -> None:
    """At turn 999 of 1,000 a history may be full; perft looks beyond the limit all the same."""
    game = ludarium.game("expendibots", turn_limit=1000)
    alone = "......../......../......../......../......../......../......../W......B {} {}"
    records = game.parse(alone.format("b", 999)).copy_records()
    records["history_length"] = 1000
    records["history"][0, :1000] = range(1000)
    fresh = game.parse(alone.format("b", 1))
    assert [perft(State(game, records), depth) for depth in range(6)] == [perft(fresh, depth) for depth in range(6)]


def test_divide_sums_to_the_count_and_keeps_the_order_of_actions() -> None:
    state = ludarium.game("expendibots").start()
    parts = perft_divide(state, 3)
    assert tuple(parts) == state.actions()
    assert sum(parts.values()) == COUNTS[3]
    for action, count in list(parts.items())[:5]:
        assert count == perft(state.play(action), 2)
    assert set(perft_divide(state, 1).values()) == {1}


@pytest.mark.parametrize("depth", [-1, 1.5, "3", True, None])
def test_depths_that_make_no_sense(depth: object) -> None:
    state = ludarium.game("expendibots").start()
    with pytest.raises(BadOption, match="the depth of perft is a whole number from 0"):
        perft(state, depth)  # type: ignore[arg-type]
    with pytest.raises(BadOption, match="the depth of perft is a whole number from 1"):
        perft_divide(state, depth)  # type: ignore[arg-type]


def test_divide_needs_a_first_action() -> None:
    with pytest.raises(BadOption, match="from 1, not 0"):
        perft_divide(ludarium.game("expendibots").start(), 0)


@pytest.mark.parametrize("count", [perft, perft_divide])
@pytest.mark.parametrize("game", [Die, Matrix])
def test_dice_and_players_who_act_together_are_refused(game: type, count: object) -> None:
    with pytest.raises(LudariumError, match="one player acts at a time") as refusal:
        count(game().start(), 3)  # type: ignore[operator]
    assert "\n" not in str(refusal.value)


def test_progress_is_told_and_can_stop_the_count() -> None:
    heard: list[int] = []

    def listen(leaves: int) -> None:
        heard.append(leaves)
        if len(heard) == 3:
            raise KeyboardInterrupt

    state = ludarium.game("expendibots").start()
    with pytest.raises(KeyboardInterrupt):
        perft(state, 6 if JIT else 4, listen)
    assert heard == sorted(set(heard))
    assert len(heard) == 3

    heard.clear()
    told: list[int] = []
    parts = perft_divide(state, 3, told.append)
    assert told == sorted(told)
    assert len(told) >= len(parts)
    assert told[-1] == sum(parts.values())
