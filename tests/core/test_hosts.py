"""IPv6 addresses are written with brackets and without, and every command that listens takes both."""

from __future__ import annotations

import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from ludarium.core.hosts import in_url, without_brackets
from tests.command_line import PROGRAM


def test_brackets() -> None:
    assert [without_brackets(host) for host in ("[::1]", "::1", "[::]", "localhost", "[no host]", "")] == [
        "::1",
        "::1",
        "::",
        "localhost",
        "[no host]",
        "",
    ]
    assert [in_url(host) for host in ("::1", "[::1]", "127.0.0.1", "localhost")] == ["[::1]", "[::1]", "127.0.0.1", "localhost"]


@contextmanager
def printed(*arguments: str) -> Iterator[str]:
    """What a command prints first that listens until it is ended."""
    with subprocess.Popen(
        [PROGRAM, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        assert process.stdout is not None
        try:
            yield next(line for line in process.stdout if "::1" in line or "error" in line)
        finally:
            process.kill()


@pytest.mark.parametrize("host", ["[::1]", "::1"])
@pytest.mark.parametrize(
    "arguments",
    [
        ("serve", "--port", "0", "--data"),
        ("netorcai", "orchestrate", "--port", "0"),
        ("hexabomb", "serve", "--map", "tiny2", "--port", "0", "--web-port", "0", "--records"),
        ("expendibots", "battleground", "--port", "0"),
    ],
    ids=lambda words: " ".join(words[:2]),
)
def test_a_command_listens_on_an_address_with_brackets(arguments: tuple[str, ...], host: str, tmp_path: object) -> None:
    """It starts a server each time."""
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("this computer has no IPv6")
    folder = (str(tmp_path),) if arguments[-1].startswith("--") else ()
    with printed(*arguments, *folder, "--host", host) as line:
        assert "[::1]:" in line, line
