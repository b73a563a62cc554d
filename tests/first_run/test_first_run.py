"""First matches on staged machines with different users, homes, sandboxes, Pythons and folders."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

import pytest

from ludarium.players.programs.needs import is_public
from tests.first_run.staged import Stage
from tests.games.expendibots.students import WALKS
from tests.missing import cannot, lacks
from tests.players.programs.bots import GREETED

STAGED = Path(__file__).with_name("staged.py")

STUDENT = f"from student.board import SIZE\nwith open('student/log.txt', 'a') as log: print(SIZE, file=log)\n{WALKS}"
"""A package that writes beside itself."""

HELPER = """
import pathlib
def can_read(path):
    try:
        return bool(path.read_text())
    except OSError:
        return False
if any(map(can_read, pathlib.Path("games").glob("*.jsonl"))):
    print("it has read the records", file=open("/dev/stderr", "w"))
"""

NOBODY = 61999
"""User id without a passwd entry."""


USUAL_STAGE = Stage()


@dataclass(frozen=True)
class Machine:
    """A row of the matrix."""

    notice: str
    """Expected start of the sandbox notice."""
    stage: Stage = USUAL_STAGE
    home: str | None = "own"
    """``own``: a folder of mode 700; ``gone``; ``read-only``; None: not set."""
    bubblewrap: str = "none"
    """``real``, ``none``, or ``refused`` (installed, but fails)."""
    python: str = "usual"
    """``usual``, ``home`` (a virtual environment there), ``relative`` (a path with ``..``) or ``system`` (Debian's)."""
    folder: str = "apart"
    """Folder of the players: ``apart``, ``home``, or ``private`` (mode 700)."""
    variables: dict[str, str] = field(default_factory=dict[str, str])
    options: tuple[str, ...] = ()
    is_root: bool = True
    """True if only root can stage it."""


LANDLOCK = "Landlock and seccomp ("
NO_NAMESPACES = Stage(refused=("namespaces",))
ORDINARY = Stage(user=NOBODY)

MACHINES = {
    "root with everything in its home": Machine(LANDLOCK, python="home", folder="home"),
    "root with bubblewrap": Machine("bubblewrap, as ", bubblewrap="real", python="home", folder="home"),
    "root with bubblewrap and Debian's Python": Machine("bubblewrap, as another user than root", bubblewrap="real", python="system"),
    "root with Debian's Python": Machine(LANDLOCK, python="system"),
    "root with a private folder": Machine(LANDLOCK, folder="private", python="system", stage=Stage(umask=0o077)),
    "root where bubblewrap is refused": Machine(LANDLOCK, bubblewrap="refused"),
    "root in a container": Machine(LANDLOCK, stage=Stage(("namespaces",), is_container=True), home=None, folder="apart"),
    "root in a container, in its home": Machine(LANDLOCK, stage=Stage(("namespaces",), is_container=True), folder="home"),
    "root in a rootless container": Machine(LANDLOCK, stage=Stage(is_alone=True), folder="home"),
    "root on an old kernel": Machine("none, so programs can do whatever you can (", stage=Stage(("namespaces", "Landlock"))),
    "root on an old kernel with bubblewrap": Machine("bubblewrap", stage=Stage(("Landlock",)), bubblewrap="real"),
    "root without a home": Machine(LANDLOCK, home="gone", variables={"XDG_DATA_HOME": ""}),
    "an ordinary user": Machine(LANDLOCK, stage=ORDINARY, python="system", folder="home"),
    "an ordinary user with bubblewrap": Machine("bubblewrap", stage=ORDINARY, python="system", bubblewrap="real"),
    "an ordinary user where bubblewrap is refused": Machine(LANDLOCK, stage=ORDINARY, python="system", bubblewrap="refused"),
    "an ordinary user without namespaces": Machine(LANDLOCK, stage=Stage(("namespaces",), NOBODY), python="system", folder="home"),
    "an ordinary user on an old kernel": Machine("none, so", stage=Stage(("namespaces", "Landlock"), NOBODY), python="system"),
    "a user without a home or a name": Machine(LANDLOCK, stage=ORDINARY, python="system", home=None),
    "a user with a read-only home": Machine(
        LANDLOCK, stage=ORDINARY, python="system", home="read-only", variables={"XDG_DATA_HOME": "here"}
    ),
    "a user with a private folder": Machine(LANDLOCK, stage=ORDINARY, python="system", folder="private"),
    "root without shared memory": Machine(LANDLOCK, stage=Stage(has_shared_memory=False), options=("--workers", "2")),
    "a user without shared memory": Machine(
        LANDLOCK, stage=Stage(("namespaces",), NOBODY, has_shared_memory=False), python="system", options=("--workers", "2")
    ),
    "a Python by a path with ..": Machine("", python="relative", is_root=False),
    "whoever runs the tests": Machine("", is_root=False),
    "whoever runs the tests, in a home": Machine("", is_root=False, folder="home"),
    "whoever runs the tests, without a sandbox": Machine("none, so", Stage(("namespaces", "Landlock")), is_root=False),
    "a sandbox is required and there": Machine("", is_root=False, options=("--sandbox", "require")),
}


@pytest.fixture
def ground() -> Iterator[Path]:
    """A temporary folder of mode 755."""
    with tempfile.TemporaryDirectory(prefix="first-run-") as made:
        ground = Path(made).resolve()
        ground.chmod(0o755)
        yield ground
        for folder in ground.iterdir():
            folder.chmod(0o700)


def path_with(bubblewrap: str, ground: Path) -> str:
    """Return a ``PATH`` with, without or with a failing bubblewrap."""
    if bubblewrap == "real":
        if shutil.which("bwrap") is None:
            lacks("bwrap", "apt-get install bubblewrap")
        return os.environ["PATH"]
    tools = ground / "tools"
    tools.mkdir()
    for name in ("env", "prlimit", "setpriv", "sh", "true"):
        (tools / name).symlink_to(shutil.which(name) or pytest.fail(name))
    if bubblewrap == "refused":
        (tools / "bwrap").write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n")
        (tools / "bwrap").chmod(0o755)
    return str(tools)


@pytest.fixture(scope="module")
def shared() -> Iterator[Path]:
    """A folder that everybody may read, for a virtual environment of Debian's Python."""
    with tempfile.TemporaryDirectory(prefix="first-run-") as made:
        Path(made).chmod(0o755)
        yield Path(made).resolve()


def python_at(place: str, ground: Path, home: Path, shared: Path) -> list[str]:
    """Return the command of a Python that has this one's packages."""
    if place == "usual":
        return [sys.executable]
    made = {"home": home, "relative": ground, "system": shared}[place] / "venv"
    if any(made.glob("lib/python3*/site-packages/besides.pth")):
        return [str(made / "bin/python")]
    base = "/usr/bin/python3" if place == "system" and not is_public(Path(sys.executable).resolve(), with_parents=True) else sys.executable
    done = subprocess.run([base, "-m", "venv", "--without-pip", made], capture_output=True, text=True, check=False)
    if done.returncode:
        lacks("a Python that other users can run", "apt-get install python3 python3-venv")
    version = subprocess.run(
        [made / "bin/python", "-c", "import sys; print(*sys.version_info[:2])"], capture_output=True, text=True, check=True
    )
    if version.stdout.split() != [str(part) for part in sys.version_info[:2]]:
        lacks(f"a Python {sys.version_info[0]}.{sys.version_info[1]} that other users can run", "apt-get install python3 python3-venv")
    site = Path(next((made / "lib").glob("python3*"))) / "site-packages"
    site.joinpath("besides.pth").write_text(
        f"import site; site.addsitedir({sysconfig.get_paths()['purelib']!r})\n{Path(__file__).parents[2] / 'src'}\n"
    )
    return ["../venv/bin/python"] if place == "relative" else [str(made / "bin/python")]


@pytest.mark.parametrize("name", MACHINES)
def test_the_first_match(name: str, ground: Path, shared: Path) -> None:
    machine = MACHINES[name]
    if machine.is_root and os.geteuid():
        cannot("only root can become another user or drop privileges", "sudo make test")
    if machine.stage.is_alone and not Path("/proc/self/ns/user").exists():
        cannot("this kernel has no user namespaces", "boot a kernel with CONFIG_USER_NS")
    home, owner = ground / "home", machine.stage.user
    home.mkdir(mode=0o700)
    folder = {"home": home, "apart": ground / "players", "private": ground / "private"}[machine.folder]
    folder.mkdir(exist_ok=True, mode=0o700 if machine.folder == "private" else 0o755)
    python = python_at(machine.python, ground, home, shared)
    source = Path(__file__).parents[2] / "src"
    if owner is not None and not is_public(source / "ludarium" / "errors.py", with_parents=True):
        cannot("other users cannot read this checkout", "clone it into a folder of mode 755")
    (folder / "student").mkdir()
    (folder / "student" / "__init__.py").write_text(STUDENT)
    (folder / "student" / "board.py").write_text("SIZE = 8")
    (folder / "helper.py").write_text(HELPER)
    (folder / "mybot.py").write_text(f"{GREETED}import helper\nfor message in turns(): act(message)\n")
    if owner is not None:
        for path in (home, folder, *folder.rglob("*")):
            os.chown(path, owner, owner)
    if machine.home == "read-only":
        home.chmod(0o500)
    variables = {
        name: value for name, value in os.environ.items() if name in ("LANG", "NUMBA_CACHE_DIR", "OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")
    }
    variables |= {"PATH": path_with(machine.bubblewrap, ground), "TMPDIR": str(ground / "tmp"), **machine.variables}
    if machine.home is not None:
        variables["HOME"] = str(ground / "gone" if machine.home == "gone" else home)
    if machine.folder != "home":
        variables["LUDARIUM_STORE"] = f"sqlite:///{folder}/store.sqlite"
    (ground / "tmp").mkdir()
    (ground / "tmp").chmod(0o1777)
    staged = [sys.executable, "-I", "-S", str(STAGED), json.dumps(asdict(machine.stage)), *python, "-m", "ludarium"]
    command = ["match", "expendibots", "./mybot.py", "class:student", "-n", "2", "--seed", "1", "--workers", "1"]
    command += ["--records", "games", "--store", *machine.options]
    done = subprocess.run([*staged, *command], cwd=folder, env=variables, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "crash" not in done.stdout
    assert "Traceback" not in done.stderr
    sandbox = [line for line in done.stderr.splitlines() if line.startswith("notice: sandbox: ")]
    assert len(sandbox) == 1, done.stderr
    assert sandbox[0].removeprefix("notice: sandbox: ").startswith(machine.notice), sandbox
    assert "chmod" not in done.stderr
    if not machine.notice.startswith("none"):
        assert not (folder / "student" / "log.txt").exists()
    if machine.home != "own":
        serve_once([*staged, "serve", "--port", "0"], folder, variables)


def serve_once(command: list[str], folder: Path, variables: dict[str, str]) -> None:
    """Start a server and end it."""
    with subprocess.Popen(command, cwd=folder, env=variables, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        try:
            assert any("http://127.0.0.1:" in line for line in process.stdout), process.stderr.read()
        finally:
            process.terminate()
        assert "Traceback" not in process.communicate(timeout=60)[1]
