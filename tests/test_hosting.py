"""The container's recipe and the systemd unit, as far as they can be carried out without a builder and without systemd."""

from __future__ import annotations

import fnmatch
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.folders import ROOT
from tests.missing import need

UNIT = ROOT / "examples/hosting/ludarium.service"


def instructions() -> list[tuple[str, str]]:
    """Return the instructions of the Containerfile with what each says."""
    lines = [line for line in (ROOT / "Containerfile").read_text().splitlines() if line and not line.startswith("#")]
    return [(word, rest) for word, _, rest in (line.partition(" ") for line in lines)]


def told_of(word: str) -> str:
    (rest,) = (rest for one, rest in instructions() if one == word)
    return rest


@contextmanager
def started(arguments: list[str], environment: dict[str, str], folder: Path) -> Iterator[int]:
    """Run ``ludarium`` with nothing in its environment but that, in a folder where nothing can be made, and yield its port."""
    command = [sys.executable, "-m", "ludarium", *arguments, "--port", "0"]
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "NUMBA_CACHE_DIR", "LD_LIBRARY_PATH")}
    with subprocess.Popen(
        command, env={**kept, **environment}, cwd="/", stdout=subprocess.PIPE, stderr=(folder / "errors").open("w"), text=True
    ) as process:
        assert process.stdout is not None
        try:
            ports = (int(found[1]) for line in process.stdout if (found := re.search(r"http://127.0.0.1:(\d+)", line)))
            port = next(ports, None)
            assert port is not None, (folder / "errors").read_text()
            yield port
        finally:
            process.terminate()
            process.wait()  # before its output is closed, into which it may still write
    assert process.returncode in (143, -15)  # a shell says 143 of one that SIGTERM has ended


def test_the_container_copies_what_it_is_given() -> None:
    """What is copied exists, is not ignored, and is all that the package is built from."""
    ignored = (ROOT / ".containerignore").read_text().split()
    let_in = [line.removeprefix("!") for line in ignored if line.startswith("!")]
    assert "*" in ignored
    copied = [name for word, rest in instructions() if word == "COPY" for name in rest.split()[:-1]]
    assert sorted(copied) == sorted(let_in)
    assert all((ROOT / name).exists() and any(fnmatch.fnmatch(name, one) for one in let_in) for name in copied)


def test_the_container_serves_as_an_ordinary_user_and_its_health_is_seen(tmp_path: Path) -> None:
    """Takes seconds: it starts a server."""
    assert int(told_of("USER")) > 0
    data = told_of("VOLUME")
    environment = {
        name: value.replace(data, str(tmp_path / "data")) for name, value in (each.split("=", 1) for each in shlex.split(told_of("ENV")))
    }
    environment.pop("NUMBA_CACHE_DIR")  # machine code of the tests
    entry = json.loads(told_of("ENTRYPOINT"))
    health = json.loads(told_of("HEALTHCHECK").partition("CMD ")[2])
    assert (entry[0], health[0]) == ("ludarium", "python")
    exposed = told_of("EXPOSE")
    with started(entry[1:], environment, tmp_path) as port:
        check = [sys.executable, *(part.replace(exposed, str(port)) for part in health[1:])]
        assert subprocess.run(check, check=False).returncode == 0
        assert (tmp_path / "data/ludarium").is_dir()
    assert subprocess.run(check, check=False, stderr=subprocess.DEVNULL).returncode == 1, "a server that is gone is no healthy one"


def test_the_unit_starts_a_server_that_keeps_games_in_its_state_directory(tmp_path: Path) -> None:
    """Takes seconds: it starts a server."""
    said = dict(line.split("=", 1) for line in UNIT.read_text().splitlines() if "=" in line and not line.startswith("#"))
    assert said["DynamicUser"] == "yes"
    environment = dict(each.split("=", 1) for each in shlex.split(said["Environment"]))
    assert environment.pop("NUMBA_CACHE_DIR").startswith(f"/var/cache/{said['CacheDirectory']}/")
    assert environment["XDG_DATA_HOME"] == f"/var/lib/{said['StateDirectory']}"
    command = shlex.split(said["ExecStart"])
    assert Path(command[0]).name == "ludarium"
    here = {name: value.replace("/var", str(tmp_path)) for name, value in environment.items()}
    with started(command[1:], here, tmp_path):
        assert list((tmp_path / "lib/ludarium").rglob("organiser-token"))


def test_systemd_accepts_the_unit(tmp_path: Path) -> None:
    need("systemd-analyze", "systemd")
    unit = tmp_path / UNIT.name
    unit.write_text(UNIT.read_text().replace("/opt/ludarium/bin/ludarium", "/bin/true"))
    result = subprocess.run(["systemd-analyze", "verify", str(unit)], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (0, "")


def test_an_image_needs_a_builder() -> None:
    need("make", "make")
    result = subprocess.run(["make", "image", "BUILDER="], cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 2
    assert "apt-get install podman" in result.stderr
