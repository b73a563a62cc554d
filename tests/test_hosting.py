"""The container's recipe and the systemd unit, as far as they can be carried out without a builder and without systemd."""

from __future__ import annotations

import fnmatch
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

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


CONTAINER = """
set -e
mount --make-rprivate /
mount -t tmpfs tmpfs "$1"
mkdir "$1/upper" "$1/work" "$1/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/root"
for one in proc sys dev; do mount --rbind "/$one" "$1/root/$one"; done
chmod a+rx "$1/root/root"
exec "$2" "$3" "$1/root"
"""
"""Gives a command a copy of this machine, which is gone with it. Root's home is open there, for a Python may be in it."""

STEPS = """
import json, os, shutil, signal, subprocess, sys, time
root = sys.argv[1]
given = json.load(sys.stdin)
variables = {"HOME": "/", **given["variables"], "PATH": "/venv/bin:/usr/local/sbin:/usr/sbin:/sbin:/usr/local/bin:/usr/bin:/bin"}
def enter(user):
    def change():
        os.chroot(root)
        os.chdir("/")
        if user:
            os.setgroups([])
            os.setresgid(user, user, user)
            os.setresuid(user, user, user)
    return change
user, serving, health = 0, None, None
for word, rest in given["instructions"]:
    if word == "COPY":
        *sources, target = rest.split()
        os.makedirs(root + target, exist_ok=True)
        for one in sources:
            path = os.path.join(given["sources"], one)
            if os.path.isdir(path):
                shutil.copytree(path, root + target, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(path, root + target)
    elif word == "RUN":
        subprocess.run(["sh", "-c", rest], env=variables, preexec_fn=enter(user), check=True)
    elif word == "ENV":
        variables.update(each.split("=", 1) for each in rest.split())
    elif word == "VOLUME":
        owner = os.stat(root + rest).st_uid
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"uid={owner},mode=755", "tmpfs", root + rest], check=True)
    elif word == "USER":
        user = int(rest)
    elif word == "HEALTHCHECK":
        health = json.loads(rest.partition("CMD ")[2])
    elif word == "ENTRYPOINT":
        serving = json.loads(rest)
subprocess.run(["mount", "-o", "remount,bind,ro", root], check=False)
process = subprocess.Popen([*serving, "--port", "8000"], env=variables, preexec_fn=enter(user), stdout=subprocess.PIPE, text=True)
is_up = any("http://127.0.0.1:8000" in line for line in process.stdout)
code = subprocess.run(health, env=variables, preexec_fn=enter(user)).returncode
owner = os.stat(root + "/data/ludarium").st_uid if os.path.exists(root + "/data/ludarium") else None
process.terminate()
print(json.dumps({"up": is_up, "health": code, "owner": owner, "ended": process.wait()}))
"""


def test_the_containers_steps_make_an_image_that_serves(tmp_path: Path) -> None:
    """Takes half a minute: in a copy of this machine the package is installed, as the recipe says, and serves as its user in a network of its own."""
    need("unshare", "util-linux")
    if os.geteuid() or "overlay" not in Path("/proc/filesystems").read_text():
        pytest.skip("only root can have a copy of this machine, where the kernel has overlay: modprobe overlay")
    site = sysconfig.get_paths()["purelib"]
    make = f"{sys.executable} -m venv /venv && echo \"import site; site.addsitedir('{site}')\" > $(echo /venv/lib/python3*/site-packages)/besides.pth"
    given = {
        "instructions": [("RUN", make), *instructions()],
        "variables": {name: value for name, value in os.environ.items() if name.startswith(("PIP_", "SSL_", "https_", "HTTPS_"))},
        "sources": str(ROOT),
    }
    steps = tmp_path / "steps.py"
    steps.write_text(STEPS)
    copy = tmp_path / "copy"
    copy.mkdir()
    done = subprocess.run(
        ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", CONTAINER, "container", copy, sys.executable, steps],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    said = json.loads(done.stdout.splitlines()[-1])
    assert said.pop("ended") in (143, -signal.SIGTERM)
    assert said == {"up": True, "health": 0, "owner": int(told_of("USER"))}, done.stderr


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
