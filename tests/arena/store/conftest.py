"""Stores in SQLite and on a server of PostgreSQL that runs as long as the tests."""

from __future__ import annotations

import itertools
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from ludarium.arena.store import Database, open_database
from tests.missing import lacks

_names = itertools.count()


def _program(name: str) -> str | None:
    """Debian keeps them beside the path, by version."""
    versions = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return shutil.which(name) or (str(versions[-1]) if versions else None)


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """Where a server of PostgreSQL listens, which no network reaches. It refuses to run for root, so root lends it another user."""
    initdb, postgres = _program("initdb"), _program("postgres")
    if initdb is None or postgres is None:
        lacks("PostgreSQL", "apt-get install postgresql")
    user: dict[str, Any] = {"user": "nobody", "group": "nogroup", "extra_groups": []} if os.geteuid() == 0 else {}
    with tempfile.TemporaryDirectory(prefix="postgresql") as folder:
        if user:
            shutil.chown(folder, "nobody", "nogroup")
        data = f"{folder}/data"
        subprocess.run(
            [initdb, "-D", data, "-U", "tester", "-A", "trust", "-E", "UTF8", "--no-sync"],
            cwd=folder,
            check=True,
            capture_output=True,
            **user,
        )
        # Without autovacuum, whose processes other tests of this worker would take for left ones.
        command = [postgres, "-D", data, "-k", folder, "-c", "listen_addresses=", "-c", "fsync=off", "-c", "autovacuum=off"]
        with subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True, **user) as running:
            assert running.stderr is not None
            try:
                said = [running.stderr.readline()]
                while "ready to accept connections" not in said[-1]:
                    assert said[-1], said
                    said.append(running.stderr.readline())
                yield folder
            finally:
                running.send_signal(signal.SIGINT)  # whoever is still connected is sent away


@pytest.fixture
def new_postgresql(server: str) -> Callable[[], str]:
    """Makes empty databases, and gives their URLs."""

    def make() -> str:
        name = f"store{next(_names)}"
        with psycopg.connect(f"host={server} user=tester dbname=postgres", autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return f"postgresql://tester@/{name}?host={server}"

    return make


@pytest.fixture
def postgresql(new_postgresql: Callable[[], str]) -> str:
    """The URL of an empty database."""
    return new_postgresql()


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.xdist_group("postgresql"))])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A new store's URL or file."""
    return request.getfixturevalue("postgresql") if request.param == "postgresql" else str(tmp_path / "store.sqlite")


@pytest.fixture
def database(where: str) -> Iterator[Database]:
    with open_database(where) as database:
        yield database
