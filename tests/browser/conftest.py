"""The real server in a process of its own, and the system's Chromium."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect, sync_playwright

from tests.browser.table import Browser, Table, Visitors
from tests.missing import lacks

CHROMIUM = Path("/usr/bin/chromium-headless-shell")
"""Chromium without the windows that nobody sees, which takes two thirds of the time of Chromium that hides them."""

SERVE = """
import pathlib, sys
from ludarium.web.server import serve
from ludarium.web.compiling.warmup import all_parts, warm_up
for part in all_parts():  # or games would wait for it, differently on every computer
    warm_up(part)
serve(port=0, data=pathlib.Path(sys.argv[1]))
"""


expect.set_options(timeout=60_000)
"""Milliseconds: only who waits in vain waits so long, and computers that test are busy."""


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    # For this package only: while it is open, the main thread has a running event loop, which other tests must not find.
    if not CHROMIUM.exists():
        lacks(str(CHROMIUM), "apt-get install chromium-headless-shell")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield Browser(chromium)
        chromium.close()


@pytest.fixture(scope="package")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the server finds its store, once there is one."""
    return tmp_path_factory.mktemp("store") / "store.sqlite"


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory, store: Path) -> Iterator[str]:
    """The address of a server with a data folder of its own."""
    command = [sys.executable, "-u", "-c", SERVE, str(tmp_path_factory.mktemp("data"))]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, "LUDARIUM_STORE": str(store)}) as process:
        assert process.stdout is not None
        said = []
        for line in process.stdout:
            said.append(line)
            if found := re.search(r"http://127\.0\.0\.1:\d+", line):
                yield found[0]
                break
        else:
            pytest.fail(f"the server did not start: {said}")
        process.terminate()
        process.wait(20)


@pytest.fixture
def visitors(browser: Browser, server: str, request: pytest.FixtureRequest) -> Iterator[Visitors]:
    """Opens browsers that share nothing; in the end, none may have seen an error or asked another host for anything."""
    found = Visitors(browser, server)
    yield found
    wrong = found.wrong() if request.config.getoption("--accessibility") else []
    found.close()
    assert found.errors == []
    assert found.elsewhere == []
    assert wrong == []


@pytest.fixture
def table(visitors: Visitors) -> Table:
    """A browser on a desktop."""
    return visitors.come()
