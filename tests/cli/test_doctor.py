"""``ludarium doctor`` on machines that lack things: each is one line with a command, never a traceback."""

from __future__ import annotations

import errno
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
import typer

from ludarium.cli import machine_probes as probes
from ludarium.cli.app import app
from ludarium.cli.doctor import described
from ludarium.cli.findings import Finding, Probe, examine
from ludarium.cli.program_probes import no_traces, program_probes
from ludarium.players.programs.needs import is_public
from tests.command_line import run_program, start_program
from tests.disks import room_for
from tests.first_run.staged import Stage
from tests.first_run.test_first_run import NOBODY, STAGED, python_at
from tests.folders import ROOT
from tests.missing import cannot

STATES = {"works", "missing", "broken"}


def findings(text: str) -> dict[str, dict[str, Any]]:
    """Return the findings of a JSON report by their names. Each has the documented keys."""
    report = json.loads(text)
    assert report.keys() == {"healthy", "findings"}
    for one in report["findings"]:
        assert one.keys() == {"section", "name", "state", "needed", "detail", "advice"}
        assert one["state"] in STATES
        assert one["detail"]
        assert "\n" not in one["detail"]
    assert report["healthy"] == all(one["state"] == "works" for one in report["findings"] if one["needed"])
    return {one["name"]: one for one in report["findings"]}


def found_by(name: str, *more: Any) -> list[Finding]:
    """Return what one probe of the machine finds."""
    return list(examine([probe for probe in probes.machine_probes(*more or (dict,)) if probe.name == name]))


def test_this_machine() -> None:
    """Everything needed works where tests run; the report says the state of each line in a word."""
    done = run_program("doctor")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("Everything needed works.\n")
    lines = [line for line in done.stdout.splitlines() if line.startswith("  ") and "→" not in line]
    assert all(line.split()[1] in STATES for line in lines)
    for name in ("Python", "data folder", "store", "compiler", "port 8000", "clock", "Landlock", "bubblewrap", "python", "cc", "rustc"):
        assert sum(f" {name}: " in line for line in lines) == 1 or name in ("bubblewrap", "Landlock"), name
    assert any(" works   python: " in line for line in lines)
    assert any(" works   sh: " in line for line in lines)


def test_a_machine_without_tools_or_a_home(tmp_path: Path) -> None:
    """No PATH, no home, a broken store, and a data folder that cannot be written."""
    (tmp_path / "store.sqlite").write_text("not a database, in spite of its name")
    done = run_program("doctor", "--json", PATH="", HOME="", XDG_DATA_HOME="/proc", LUDARIUM_STORE=str(tmp_path / "store.sqlite"))
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    found = findings(done.stdout)
    assert {name for name, one in found.items() if one["needed"] and one["state"] != "works"} == {"data folder", "store"}
    assert "/proc/ludarium cannot be written" in found["data folder"]["detail"]
    assert found["data folder"]["advice"] == "export XDG_DATA_HOME=/a/folder/that/can/be/written"
    assert found["store"]["state"] == "broken"
    assert (found["bubblewrap"]["state"], found["bubblewrap"]["advice"]) == ("missing", "apt-get install bubblewrap")
    for tool, package in (("cc", "gcc"), ("c++", "g++"), ("node", "nodejs"), ("java", "default-jdk-headless"), ("rustc", "rustc")):
        assert (found[tool]["state"], found[tool]["advice"]) == ("missing", f"apt-get install {package}")
    assert found["python"]["state"] == "works"


def test_a_full_disk_and_a_tool_that_answers_wrongly(tmp_path: Path) -> None:
    tool = tmp_path / "tools" / "node"
    tool.parent.mkdir()
    tool.write_text("#!/bin/sh\necho 41\n")
    tool.chmod(0o755)
    with room_for(1000):
        done = start_program("doctor", "--json", PATH=str(tool.parent), XDG_CACHE_HOME=str(tmp_path / "cache"))
    found = findings(done.stdout)
    assert done.returncode == 1
    for folder in ("data folder", "cache folder", "temporary folder"):
        assert found[folder]["state"] == "broken"
        assert "cannot be written (File too large)" in found[folder]["detail"]
    assert found["node"]["state"] == "broken"
    assert "for .js .mjs" in found["node"]["detail"]
    assert not list(tmp_path.rglob(".ludarium-doctor-*"))


def test_a_disk_that_takes_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    (usual,) = found_by("data folder")
    assert (usual.state, usual.advice) == ("works", "export XDG_DATA_HOME=/a/folder/that/lasts")  # which is among the temporary files
    assert f"{tmp_path / 'ludarium'}, not made yet, " in usual.detail
    monkeypatch.setattr(os, "fsync", refuse)
    (found,) = found_by("data folder")
    assert (found.state, found.advice, found.is_fatal) == ("broken", f"df -h {tmp_path}", True)
    assert found.detail == f"{tmp_path / 'ludarium'} cannot be written (No space left on device)"
    assert not list(tmp_path.iterdir())


def test_a_machine_without_temporary_folders(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> str:
        raise FileNotFoundError(errno.ENOENT, "No usable temporary directory found")

    monkeypatch.setattr(tempfile, "mkdtemp", refuse)
    monkeypatch.setattr(tempfile, "gettempdir", refuse)
    (found,) = found_by("temporary folder")
    assert (found.state, found.advice, found.is_fatal) == ("broken", "export TMPDIR=/a/folder/that/can/be/written", True)
    assert [one.state for one in found_by("data folder")] == ["works"]
    with no_traces():
        (sh,) = examine([probe for probe in program_probes() if probe.name == "sh"])
    assert (sh.state, sh.needed) == ("broken", False)


@pytest.fixture
def user(tmp_path: Path) -> Iterator[list[str]]:
    """Return the first words of a command for a user without a name and with a read-only home, ``tmp_path/home``."""
    if os.geteuid():
        cannot("only root can become another user", "sudo make test")
    if not is_public(ROOT / "src" / "ludarium" / "errors.py", with_parents=True):
        cannot("other users cannot read this checkout", "clone it into a folder of mode 755")
    home = tmp_path / "home"
    home.mkdir(mode=0o500)
    os.chown(home, NOBODY, NOBODY)
    (tmp_path / "tmp").mkdir()
    (tmp_path / "tmp").chmod(0o1777)
    yield [sys.executable, "-I", "-S", str(STAGED), json.dumps(asdict(Stage(user=NOBODY))), *python_at("system", tmp_path, home, tmp_path)]
    home.chmod(0o700)


def test_a_user_without_a_name_or_a_folder(user: list[str], tmp_path: Path) -> None:
    variables = {"PATH": "", "HOME": str(tmp_path / "home"), "TMPDIR": str(tmp_path / "tmp")}
    (tmp_path / "home" / "kept").mkdir()
    done = subprocess.run(
        [*user, "-m", "ludarium", "doctor", "--json"],
        cwd=tmp_path,
        env=variables | {"XDG_DATA_HOME": str(tmp_path / "home")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in done.stderr
    found = findings(done.stdout)
    assert (found["user"]["state"], found["user"]["detail"]) == ("missing", f"number {NOBODY} has no name; nothing needs one")
    assert (found["data folder"]["state"], done.returncode) == ("broken", 1)
    assert "Permission denied" in found["data folder"]["detail"]
    assert found["cache folder"]["state"] == "works"  # among the temporary files


def test_a_port_that_is_taken() -> None:
    with socket.socket() as listener, socket.socket() as free:
        for one in (listener, free):
            one.bind(("127.0.0.1", 0))
        taken, open_port = listener.getsockname()[1], free.getsockname()[1]
        listener.listen()
        free.close()
        given = {taken: ["serve"], open_port: ["netorcai orchestrate"]}
        found = {one.name: one for one in found_by("ports", lambda: given)}
    assert found[f"port {taken}"].state == "broken"
    assert f"(process {os.getpid()}) listens there" in found[f"port {taken}"].detail
    assert found[f"port {taken}"].advice == f"ludarium serve --port {taken + 1}"
    assert not found[f"port {taken}"].is_fatal
    assert found[f"port {open_port}"].state == "works"


def test_the_ports_are_those_of_the_commands() -> None:
    ports = probes.default_ports(typer.main.get_command(app))
    assert ports[8000] == ["serve"]
    assert {"netorcai orchestrate", "hexabomb serve"} <= set(ports[4242])
    assert "expendibots battleground" in ports[54321]


def test_a_clock_that_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [one.state for one in found_by("clock")] == ["works"]
    monkeypatch.setattr(probes.time, "time", lambda: 0.0)
    (found,) = found_by("clock")
    assert (found.state, found.advice, found.is_fatal) == ("broken", "timedatectl set-ntp true", True)
    assert "1970" in found.detail


def test_a_package_that_is_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Installed packages are imported and others are missing; none is needed."""
    monkeypatch.setattr(
        probes.importlib.metadata, "requires", lambda _: ["numpy>=2", "orjson; extra == 'odd'", "no-such-x; extra == 'net'"]
    )
    monkeypatch.setattr(probes, "_modules", lambda: {"orjson": "ludarium.no_such_module"})
    missing, broken = found_by("extras")
    assert (missing.name, missing.state, missing.advice) == ("net", "missing", 'pip install "ludarium[net]"')
    assert (broken.name, broken.state, broken.needed) == ("odd", "broken", False)
    assert "ModuleNotFoundError" in broken.detail


def test_probes_that_hang_or_fail_are_findings() -> None:
    hanging = threading.Event()

    def fail() -> Iterable[Finding]:
        raise KeyError("a file that is gone")

    def hang() -> Iterable[Finding]:
        hanging.wait()
        return []

    found = list(examine([Probe("a", "hanging", hang, seconds=0.01), Probe("b", "failing", fail, needed=True)]))
    hanging.set()
    assert [(one.name, one.state, one.detail) for one in found] == [
        ("hanging", "broken", "no answer within 0.01 s"),
        ("failing", "broken", "KeyError: 'a file that is gone'"),
    ]
    assert described(found)["healthy"] is False
    assert described(found[:1])["healthy"] is True
