"""What all tests share: real processes with a cache of their own, and a tiny game that is found like an installed one."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from hypothesis import settings

from ludarium.arena.store.database import VARIABLE
from ludarium.core import registry
from ludarium.core.garbage import look_seldom
from ludarium.players.programs import sandbox
from tests.folders import DATA
from tests.javascript import TOOLS
from tests.missing import lacks

settings.register_profile("deterministic", derandomize=True, deadline=None, max_examples=60)
settings.load_profile("deterministic")

look_seldom()

signal.signal(signal.SIGINT, signal.default_int_handler)
"""A shell makes what it runs in the background deaf to Ctrl-C, and the programs that tests start and interrupt with it."""

Python = Callable[..., subprocess.CompletedProcess[str]]

USUAL_CACHE = os.environ.get("NUMBA_CACHE_DIR", "")
"""Where machine code is that all tests share, for processes that test something else than the cache."""

DURATIONS: dict[str, float] = json.loads((DATA / "durations.json").read_text(encoding="utf-8"))
"""Seconds of the tests that take longest, by their ids, as ``pytest --write-durations`` once measured them. They need not be exact."""

LONG = 0.3
"""Seconds from which on a test is left out of ``make test-fast``: it is marked ``slow`` without anybody saying so."""

BROWSERS = 2
"""Workers that start a browser and its server, and wait for them while the others compute. One alone would still be at it when all others have done."""

WHOLE = 30
"""Seconds up to which a file is one worker's, which starts its servers and compiles its kernels once."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--soak", action="store_true", help="run only the tests that can do more, with ten times as much")
    parser.addoption("--accessibility", action="store_true", help="look with axe at every page that a test in the browser leaves behind")
    parser.addoption("--write-durations", action="store_true", help="write how long tests take into tests/data/durations.json")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if not config.getoption("--write-durations"):
        return
    seconds: Counter[str] = Counter()
    for kind in ("", "passed"):  # with pytest, what prepares a test is of the first
        for report in terminalreporter.getreports(kind):
            seconds[re.sub(r"@[^\]]*$", "", report.nodeid)] += report.duration  # without the group that pytest-xdist puts behind
    long = {id: round(taken, 1) for id, taken in seconds.most_common() if taken >= LONG}
    (DATA / "durations.json").write_text(json.dumps(long, indent=0) + "\n", encoding="utf-8")


@pytest.hookimpl(optionalhook=True)  # `make test-open-spiel` has no xdist
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Two more than there are cores: tests with a browser or programs wait for them half of their time. What is fast computes only."""
    return (os.cpu_count() or 1) + (0 if config.getoption("markexpr") == "not slow" else 2)


@pytest.hookimpl(tryfirst=True)  # before tests are left out by their marks
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Long tests are slow. Files that take long begin first, so that no worker is left with one in the end; workers are handed two tests at a time."""
    if config.getoption("--soak"):
        items[:] = [item for item in items if "scale" in getattr(item, "fixturenames", ())]
    seconds: Counter[Path] = Counter()
    for item in items:
        seconds[item.path] += DURATIONS.get(item.nodeid, 0)
    items.sort(key=lambda item: -seconds[item.path])
    browsers = dict.fromkeys((f"browser {number}" for number in range(BROWSERS)), 0.0)
    browser_of: dict[Path, str] = {}
    for item in items:
        uses_browser = "browser" in getattr(item, "fixturenames", ())
        if uses_browser:
            if item.path not in browser_of:
                browser_of[item.path] = min(browsers, key=browsers.__getitem__)
                browsers[browser_of[item.path]] += seconds[item.path]
            item.add_marker(pytest.mark.xdist_group(browser_of[item.path]))
        elif seconds[item.path] < WHOLE and item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(str(item.path)))
        if uses_browser or item.nodeid in DURATIONS:
            item.add_marker("slow")


@pytest.fixture
def tmp_path(tmp_path: Path) -> Path:
    """pytest's, where everybody may read, as in the folders around it: in a sandbox, the programs that root starts run as other users."""
    top = Path(tempfile.gettempdir())
    for folder in (tmp_path, *(around for around in tmp_path.parents if top in around.parents)):
        folder.chmod(0o755)
    return tmp_path


@pytest.fixture(autouse=True, scope="session")
def _no_store_of_ones_own(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Tests and the programs that they start write to no store that somebody uses, and know what no earlier run has kept."""
    os.environ[VARIABLE] = str(tmp_path_factory.mktemp("store") / "store.sqlite")
    folder = tmp_path_factory.getbasetemp()
    os.environ["XDG_DATA_HOME"] = str((folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder) / "data")


@pytest.fixture(scope="module")
def shared_solutions(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Courses that some test has solved are known to all others of this run, whichever worker runs them, and to nobody else."""
    folder = tmp_path_factory.getbasetemp()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str((folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder) / "solutions"))
        yield


@pytest.fixture(scope="session")
def javascript_tools() -> Path:
    """Where TypeScript and axe-core are."""
    if not TOOLS.exists():
        lacks(str(TOOLS), "make .venv/installed-test")
    return TOOLS


@pytest.fixture
def no_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without one: there programs can tell tests by files beside themselves what they have heard."""
    monkeypatch.setattr(sandbox, "WAYS", {})


@pytest.fixture
def python(tmp_path: Path) -> Python:
    """Run Python code in a new process: ``python(code, VARIABLE="value")``.

    It imports modules from ``tmp_path`` and keeps machine code in ``tmp_path/cache``.
    """

    def run(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
        ours = {
            "NUMBA_CACHE_DIR": str(tmp_path / "cache"),
            "NUMBA_DISABLE_JIT": "0",
            "PYTHONDONTWRITEBYTECODE": "",
            "PYTHONPATH": str(tmp_path),
        }
        given = {**os.environ, **ours, **environment}
        return subprocess.run([sys.executable, "-c", code], env=given, capture_output=True, text=True, timeout=300, check=False)

    return run


@pytest.fixture(autouse=True)
def _as_in_a_process_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """The program says once that it compiles, and asks once how wide its terminal is. What tests expect of it must not depend on what ran before."""
    if entry := sys.modules.get("ludarium.cli.entry"):
        monkeypatch.setattr(entry, "_said", ["the tests"])
    if common := sys.modules.get("ludarium.cli.common"):
        common.screen.cache_clear()
        common.notices.cache_clear()


@pytest.fixture
def scale(request: pytest.FixtureRequest) -> int:
    """How many times as much a test does as in ``make test``: 1, or 10 in ``make soak``, which runs only tests that ask."""
    return 10 if request.config.getoption("--soak") else 1


@pytest.fixture
def cups(monkeypatch: pytest.MonkeyPatch) -> str:
    """The id of a game that hides things, which is registered for one test."""
    games = registry._entries(registry.GAMES) | {"test-cups": (EntryPoint("test-cups", "tests.tiny_games.cups:Cups", registry.GAMES),)}
    labs = registry._entries(registry.LABS)
    monkeypatch.setattr(registry, "_entries", {registry.GAMES: games, registry.LABS: labs}.__getitem__)
    return "test-cups"
