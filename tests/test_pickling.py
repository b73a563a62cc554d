"""Objects can be sent to other processes: a copy behaves like the original, in this process and in a child process.

Every public class has an example in :mod:`tests.picklable`, or derives from ``Unpicklable``.
"""

from __future__ import annotations

import copy
import importlib
import inspect
import multiprocessing
import operator
import pickle
import re
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

import ludarium
import ludarium.envs.gymnasium
from ludarium import errors
from ludarium.arena import store
from ludarium.arena.ladder import Ladder
from ludarium.arena.tournament import CutShort
from ludarium.core.pickling import Unpicklable
from ludarium.core.record import Header, Recorder
from ludarium.core.sight import Sight
from ludarium.core.timeline import Timeline
from ludarium.errors import LudariumError, ProtocolError
from ludarium.games.roboderby.solo.known import racer_of
from ludarium.netorcai.client import Channel
from ludarium.players import parse_player
from ludarium.players.programs import Conditions
from tests import picklable
from tests.folders import ROOT
from tests.picklable import EXAMPLES, Example, chosen, plain, tournament_result

pytestmark = pytest.mark.usefixtures("solved")

SRC = ROOT / "src"

ELSEWHERE = re.compile(r"ludarium\.(cli|web|open_spiel|envs\.open_spiel)\b|ludarium\.labs\..*command$")
"""Modules without examples: OpenSpiel's have tests of their own, and those of the command line and the server are not sent."""

ALSO = [
    "core.course",
    "core.dimensions",
    "core.options",
    "core.orders",
    "core.secrets",
    "core.sight",
    "core.symmetries",
    "cgt.calculator",
    "cgt.thermography.thermograph",
    "envs.gymnasium",
    "envs.pettingzoo",
    "arena.games",
    "arena.tournament",
    "arena.tournament_file",
    "train.settings",
    "train.self_play",
]
"""Public modules without ``__all__`` that no page of the documentation imports."""

STAY = (Recorder, store.Database, store.Competition, store.Writer, store.Scorekeeper, Ladder, Channel)
"""Classes whose objects belong to their process."""

BY_NETWORKS = {"Side"}
"""Classes of training that need PyTorch; its own tests copy them."""


@pytest.fixture(scope="module")
def solved(shared_solutions: None) -> None:
    """Solve RoboDerby's courses, so that its players choose alike however long that takes."""
    state = picklable.played("roboderby").state
    for robot in range(2):
        racer_of(state.game.tables, state.record, robot)


def public_classes() -> dict[type, str]:
    """Find the classes that modules name in ``__all__``, and those of modules that the documentation imports."""
    pages = "".join(page.read_text(encoding="utf-8") for page in (ROOT / "README.md", *(ROOT / "docs").glob("*.md")))
    named = {*re.findall(r"(?:from|import) (ludarium[\w.]*)", pages), *(f"ludarium.{name}" for name in ALSO)}
    found: dict[type, str] = {}
    for path in (SRC / "ludarium").rglob("*.py"):
        name = ".".join(path.relative_to(SRC).with_suffix("").parts).removesuffix(".__init__")
        if (
            "template" in name
            or ELSEWHERE.match(name)
            or not (name in named or re.search("^__all__ =", path.read_text(encoding="utf-8"), re.MULTILINE))
        ):
            continue
        if name.startswith("ludarium.train.") and find_spec("torch") is None and f"{name.removeprefix('ludarium.')}" not in ALSO:
            continue
        module = importlib.import_module(name)
        own = [key for key, value in vars(module).items() if getattr(value, "__module__", "") == name and not key.startswith("_")]
        for public in getattr(module, "__all__", own):
            if inspect.isclass(kind := getattr(module, public)):
                found[kind] = f"{name}.{public}"
    return found


def test_every_public_class_has_an_example_or_stays_in_its_process() -> None:
    shown = tuple({example.kind for example in EXAMPLES})
    left = {
        name
        for kind, name in public_classes().items()
        if not issubclass(kind, LudariumError | Unpicklable)
        and not getattr(kind, "_is_protocol", False)
        and kind.__name__ not in BY_NETWORKS
        if not any(issubclass(one, kind) for one in shown)
    }
    assert not left, "add an example to tests/picklable.py; derive what belongs to its process from Unpicklable"


@dataclass(frozen=True)
class Sent:
    """An example as it was seen, and copies that were made before."""

    pickled: bytes
    copied: Any
    seen: Any


@cache
def sent(example: Example) -> Sent:
    thing = example.make()
    assert isinstance(getattr(thing, "unwrapped", thing), example.kind)
    if not isinstance(thing, gymnasium.vector.VectorEnv):  # before Gymnasium 1.4, a shallow copy that is forgotten closes what it shares
        assert type(copy.copy(thing)) is type(thing)
    return Sent(pickle.dumps(thing), copy.deepcopy(thing), example.observe(thing))


@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_copies_behave_like_the_original(example: Example) -> None:
    original = sent(example)
    again = pickle.loads(original.pickled)
    assert type(again) is type(original.copied)
    assert example.observe(again) == original.seen
    assert example.observe(copy.deepcopy(original.copied)) == original.seen


def test_copies_in_a_child_process_behave_like_the_original() -> None:
    originals = [sent(example) for example in EXAMPLES]
    pickles = [(original.pickled, pickle.dumps(example.observe)) for example, original in zip(EXAMPLES, originals, strict=True)]
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        answers = pool.submit(picklable.observe_all, pickles).result()
    for example, original, answer in zip(EXAMPLES, originals, answers, strict=True):
        assert pickle.loads(answer) == original.seen, str(example)


def every_error(kind: type[LudariumError] = LudariumError) -> list[type[LudariumError]]:
    return [kind, *[one for direct in kind.__subclasses__() for one in every_error(direct)]]


@pytest.mark.parametrize("kind", every_error())
@pytest.mark.parametrize(
    "same", [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))], ids=["copy", "deepcopy", "pickle"]
)
def test_errors_keep_their_message_and_attributes(kind: type[LudariumError], same: Callable[[Any], Any]) -> None:
    given: dict[type, tuple[Any, ...]] = {ProtocolError: ("lost", "it is gone", 2.5), CutShort: ("the disk is full", tournament_result())}
    problem = kind(*given.get(kind, ("'x' is not one of: y",)))
    problem.add_note("while reading")
    again = same(problem)
    assert type(again) is kind
    assert (str(again), again.args, again.__notes__) == (str(problem), problem.args, problem.__notes__)
    assert again.__dict__.keys() == problem.__dict__.keys()
    if isinstance(problem, ProtocolError):
        assert (again.code, again.wait) == (problem.code, problem.wait)
    if isinstance(problem, CutShort):
        assert again.result.games == problem.result.games


def test_errors_of_any_constructor_are_pickled() -> None:
    assert set(every_error()) > {getattr(errors, name) for name in ("BadOption", "PlayerTimeout", "StoreError")}
    again = pickle.loads(pickle.dumps(Unreached(3, where="there")))
    assert (str(again), again.attempts, again.where) == ("there was not reached in 3 attempts", 3, "there")


class Unreached(LudariumError):
    """An error whose constructor does not take the message, as a plug-in may define one."""

    def __init__(self, attempts: int, *, where: str) -> None:
        super().__init__(f"{where} was not reached in {attempts} attempts")
        self.attempts = attempts
        self.where = where


@pytest.mark.parametrize("kind", STAY)
def test_objects_that_belong_to_their_process_name_what_to_send_instead(kind: type[Unpicklable]) -> None:
    refuses(object.__new__(kind))


def refuses(thing: Any) -> None:
    for same in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match=r"^an? \w+ can't be pickled or copied, because it belongs to its process; send [^\n]+$"):
            same(thing)


def test_open_files_and_running_programs_stay(tmp_path: Path) -> None:
    game = ludarium.game("tic-tac-toe")
    with Recorder(tmp_path / "game.jsonl", Header.of(game, ["Ada", "Bob"])) as recorder:
        refuses(recorder)
        timeline = Timeline(game.start())
        timeline.listen(recorder.write)
        again = pickle.loads(pickle.dumps(timeline))
        again.act({0: "a1"})
        assert copy.deepcopy(timeline).steps == timeline.steps
    assert (tmp_path / "game.jsonl").read_text().count("\n") == 2, "copies have no listeners"
    with store.open_database(tmp_path / "store.sqlite") as database:
        refuses(database)
    (tmp_path / "bot.py").write_text(BOT)
    player = parse_player("./bot.py", game, conditions=Conditions(folder=tmp_path, sandbox="off")).make(game, 1)
    assert type(pickle.loads(pickle.dumps(player))) is type(player), "it does not run yet"
    player.sit(Sight(timeline, 0))
    try:
        refuses(player._program)
        with pytest.raises(TypeError, match="send the player's spec"):
            pickle.dumps(player)
    finally:
        player.close()


BOT = """#!/usr/bin/env python3
import sys
for line in sys.stdin:
    if '"hello"' in line:
        print('{"type": "ready"}', flush=True)
"""


def test_gymnasium_steps_environments_in_processes_of_their_own() -> None:
    options: dict[str, Any] = {"rows": 3, "columns": 3, "start": "empty", "variant": "all-small", "opponent": "mcts:sims=20,slip=20"}
    envs = gymnasium.make_vec(
        "ludarium/ExpandConquer-v0", num_envs=1, vectorization_mode="async", vector_kwargs={"context": "spawn"}, **options
    )
    alone = gymnasium.make("ludarium/ExpandConquer-v0", **options)
    try:
        assert plain(envs.reset(seed=5)[0][0]) == plain(alone.reset(seed=5)[0])
        for _ in range(2):
            action = chosen(alone.unwrapped, 1)
            seen, reward, over, *_ = alone.step(action)
            others = envs.step(np.array([action]))
            assert [plain(one[0]) for one in others[:3]] == [plain(seen), reward, over]
    finally:
        envs.close()


def test_specs_and_kinds_of_players_are_equal_where_they_are_read_alike() -> None:
    game = ludarium.game("expendibots")
    for text in ("random", "greedy:slip=5", "alphabeta:level=2,slip=1"):
        assert parse_player(text, game) == parse_player(text, game)
    assert parse_player("alphabeta:level=2", game) != parse_player("alphabeta:level=3", game)


def test_options_of_a_game_are_read_and_not_written() -> None:
    options = ludarium.game("expendibots", turn_limit=9).options
    assert options == dict(options) == {"turn_limit": 9, "repetition": "board"} == pickle.loads(pickle.dumps(options))
    with pytest.raises(TypeError):
        operator.setitem(options, "turn_limit", 3)  # pyright: ignore[reportArgumentType]
