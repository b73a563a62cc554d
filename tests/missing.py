"""Skips for tests that need something this machine lacks."""

from __future__ import annotations

import os
import shutil
from typing import NoReturn

import pytest


def lacks(what: str, command: str) -> NoReturn:
    """Skip the test that runs, or fail it in continuous integration.

    Args:
        what: what is missing, in words.
        command: what installs it.
    """
    message = f"{what} is missing; install it with: {command}"
    if os.environ.get("CI"):
        pytest.fail(message)
    pytest.skip(message)


def cannot(reason: str, instead: str) -> NoReturn:
    """Skip a test that no package can make possible here. Continuous integration skips it too.

    Args:
        reason: why the test cannot run.
        instead: how to run it.
    """
    pytest.skip(f"{reason}; to run this test: {instead}")


def need(command: str, package: str) -> None:
    """Skip the test that runs if there is no such command, which a package of Debian has."""
    if shutil.which(command) is None:
        lacks(command, f"apt-get install {package}")
