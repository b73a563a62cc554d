"""What all tests share: real processes with a cache of their own, and a tiny game that is found like an installed one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from hypothesis import settings

from ludarium.core import registry

settings.register_profile("deterministic", derandomize=True, deadline=None, max_examples=60)
settings.load_profile("deterministic")

signal.signal(signal.SIGINT, signal.default_int_handler)
"""A shell makes what it runs in the background deaf to Ctrl-C, and the programs that tests start and interrupt with it."""

Python = Callable[..., subprocess.CompletedProcess[str]]


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


@pytest.fixture
def cups(monkeypatch: pytest.MonkeyPatch) -> str:
    """The id of a game that hides things, which is registered for one test."""
    games = registry._entries(registry.GAMES) | {"test-cups": (EntryPoint("test-cups", "tests.tiny_games.cups:Cups", registry.GAMES),)}
    labs = registry._entries(registry.LABS)
    monkeypatch.setattr(registry, "_entries", {registry.GAMES: games, registry.LABS: labs}.__getitem__)
    return "test-cups"
