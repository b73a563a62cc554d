"""Keeps programs from everything but their game: with bubblewrap where it is there, else with Landlock and seccomp."""

from __future__ import annotations

import base64
import json
import os
import re
import secrets
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Literal

from ludarium.errors import BadOption

from .commands import PYTHON, Command
from .needs import MAX_DEPTH, SCRATCH, SYSTEM, Needs, environment, is_public, needs_of, parents, public_parts
from .seccomp import seccomp_filter, task_filter

Choice = Literal["auto", "require", "off"]

ROOM = 64 << 20
"""Bytes of a program's ``/tmp``, and of its ``/dev/shm``."""

TASKS = 64 + 4 * (os.cpu_count() or 1)
"""Limit of processes and threads together: the processes that a judge usually allows, and threads for the cores."""

CONFINE = Path(__file__).with_name("confine.py")

_FIRST_USER, _USERS = 61184, 4336
"""User ids that systemd reserves for services. Each program gets its own, so that process limits are separate."""

_SETGID, _SETUID = 6, 7
"""Capability numbers."""


@dataclass(frozen=True)
class Confined:
    """How a program is started."""

    words: Sequence[str]
    folder: Path
    """Where these words are run."""
    environment: dict[str, str] | None = None
    """Their variables, in a sandbox; None: those of this process."""
    file: int | None = None
    """A file that they read, open under this number. Whoever starts them closes it."""
    around: int = 0
    """How many processes of the sandbox stand around the program."""
    scratch: str = ""
    """Writable folder, to be deleted when the program has ended."""
    is_confined: bool = True
    """True if it runs in a sandbox."""
    written: tuple[Path, ...] = ()
    """Folders whose growth is limited."""
    task_filter: tuple[int, bytes] | None = None
    """The filter through which the keeper limits processes and threads; None if the kernel limits them."""

    @property
    def files(self) -> tuple[int, ...]:
        """What the words inherit, besides the standard files."""
        return () if self.file is None else (self.file,)

    def close(self) -> None:
        """Close the file, which the words have when they run."""
        for file in self.files:
            os.close(file)


@dataclass(frozen=True)
class Access:
    """The files that a program may read and the user that it runs as."""

    needs: Needs
    user: int | None = None
    """User id of the program; None for the judge's own user."""

    @property
    def is_root(self) -> bool:
        """True if the program runs as root, without capabilities."""
        return self.user is None and os.geteuid() == 0

    def system(self) -> list[str]:
        """Return the readable system folders. For root, leave out files that other users cannot read."""
        if not self.is_root:
            return [path for path in SYSTEM if Path(path).exists()]
        return [path for path in SYSTEM if path not in PRIVATE and Path(path).exists()] + _public_settings()


PRIVATE = ("/etc", "/opt")
"""System folders that may contain files for root only."""


@cache
def _public_settings() -> list[str]:
    return [str(part) for folder in PRIVATE for part in public_parts(Path(folder))]


Confine = Callable[[Sequence[str], Path, Access], Confined]
"""Return how to start a command line in a folder with the given access."""


def _with_bubblewrap(words: Sequence[str], folder: Path, access: Access) -> Confined:
    tools = [_tool(name) for name in ("bwrap", "prlimit", "setpriv")]
    room = ("--perms", "1777", "--size", str(ROOM), "--tmpfs")
    needs = access.needs
    if os.geteuid():
        privileges = ("--unshare-user",)
    else:
        kept = () if access.is_root else ("--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID")
        privileges = ("--cap-drop", "ALL", *kept)
    user = () if access.user is None else (tools[2], f"--reuid={access.user}", f"--regid={access.user}", "--clear-groups")
    hidden = [path for path in needs.hidden if path.exists()]
    allowed, counted = seccomp_filter(alone=False), task_filter() if access.is_root else None
    file = os.memfd_create("filter")
    os.write(file, allowed)
    os.lseek(file, 0, os.SEEK_SET)
    given = (
        tools[0],
        *("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try", "--die-with-parent"),
        *privileges,
        *(word for path in access.system() for word in ("--ro-bind", path, path)),
        *("--proc", "/proc", "--remount-ro", "/proc", "--dev", "/dev", *room, "/dev/shm", "--remount-ro", "/dev", *room, "/tmp"),
        *(word for one in parents((*needs.readable, *needs.written, folder / "file")) for word in ("--perms", "0755", "--dir", str(one))),
        *(word for path in needs.readable for word in _shown(path, needs.readable)),
        *(word for path in needs.written for word in ("--bind", str(path), str(path))),
        *(word for path in hidden for word in (("--tmpfs", str(path)) if path.is_dir() else ("--ro-bind", "/dev/null", str(path)))),
        *(word for path in hidden if path.is_dir() for word in ("--remount-ro", str(path))),
        *("--remount-ro", "/", "--chdir", str(folder), "--seccomp", str(file), "--"),
        *user,
        *(tools[1], f"--nproc={TASKS}", f"--fsize={ROOM}"),  # here, where only the program's own processes count; root is exempt
        *words,
    )
    return Confined(given, Path("/"), environment(), file, around=2, written=needs.written, task_filter=counted)


def _shown(path: Path, readable: Sequence[Path]) -> tuple[str, str, str]:
    """Return bubblewrap's options for a path. A link whose target is readable stays a link."""
    target = path.resolve()
    if path.is_symlink() and any(target.is_relative_to(one) for one in (*readable, *map(Path, SYSTEM)) if one != path):
        return "--symlink", str(target), str(path)
    return "--ro-bind", str(path), str(path)


def _with_landlock(words: Sequence[str], folder: Path, access: Access) -> Confined:
    filters = [base64.b64encode(seccomp_filter(alone=True, read_only=read_only)).decode() for read_only in (False, True)]
    counted = task_filter() if access.user is None else None
    needs, scratch = access.needs, tempfile.mkdtemp(prefix="ludarium-")
    if access.user is not None:
        os.chown(scratch, access.user, access.user)
    orders = {
        "read": [*access.system(), "/dev/urandom", "/dev/zero", *map(str, (*needs.parts(), *needs.written))],
        "list": [str(path) for path in (*needs.listed, *needs.divided())],
        "write": ["/dev/null"],
        "build": [str(path) for path in needs.written],
        "filter": filters[0],
        "filter_read_only": filters[1],
        "user": access.user,
        "tasks": TASKS,
        "room": ROOM,
        "scratch": scratch,
    }
    file = os.memfd_create("orders")
    os.write(file, json.dumps(orders).encode())
    os.lseek(file, 0, os.SEEK_SET)
    start = (PYTHON, "-I", "-S", str(CONFINE), str(file), *words)
    return Confined(start, folder, environment(), file, around=2, scratch=scratch, written=needs.written, task_filter=counted)


WAYS: dict[str, Confine] = {"bubblewrap": _with_bubblewrap, "Landlock": _with_landlock}
"""From the best on."""


def confined(command: Command, words: Sequence[str], choice: Choice, hidden: Sequence[Path] = ()) -> Confined:
    """Return how to start a program.

    Args:
        command: the program.
        words: what is run, see :meth:`.commands.Command.compiled`.
        choice: whether it is confined.
        hidden: folders that it does not see then: records.

    Raises:
        BadOption: a sandbox is required, and there is none; the program's folder would be hidden from it.
    """
    way = chosen_way(choice)
    if way is None:
        return Confined(words, command.folder, is_confined=False)
    return WAYS[way](words, command.folder, _access(needs_of(command, words, hidden), way))


def confined_tool(words: Sequence[str], folder: Path, needs: Needs, choice: Choice, variables: Mapping[str, str]) -> Confined:
    """Return how to start a compiler or a build command. ``LUDARIUM_SCRATCH`` names its writable folder, also without a sandbox.

    Args:
        words: what is run.
        folder: where it is run.
        needs: what it reads and changes.
        choice: whether it is confined.
        variables: its variables, besides those of every program in a sandbox.

    Raises:
        BadOption: a sandbox is required, and there is none.
    """
    way = chosen_way(choice)
    if way is None:
        scratch = tempfile.mkdtemp(prefix="ludarium-")
        return Confined(
            words, folder, {**variables, SCRATCH: scratch, "TMPDIR": scratch}, scratch=scratch, is_confined=False, written=needs.written
        )
    start = WAYS[way](words, folder, _access(needs, way) if not needs.written else Access(needs, _owner(needs.written[0])))
    return replace(start, environment={**variables, **environment()})


def _owner(folder: Path) -> int | None:
    """Return the user who may change a folder, if root starts programs and can become that user."""
    owner = folder.stat().st_uid
    return owner if os.geteuid() == 0 and owner and _can_change_user() else None


def protection(command: Command, choice: Choice) -> tuple[str, str]:
    """Return how a program is confined (``bubblewrap``, ``Landlock and seccomp …``, ``none …``), and the reason if it runs as root.

    Raises:
        BadOption: a sandbox is required, and there is none.
    """
    way = chosen_way(choice)
    if way is None:
        return f"none, so programs can do whatever you can ({why_none() if choice == 'auto' else '--sandbox off'})", ""
    found = "bubblewrap" if way == "bubblewrap" else f"Landlock and seccomp ({_reasons(why_not())})"
    if os.geteuid():
        return found, ""
    needs = needs_of(command, command.words)
    if _access(needs, way).user is not None:
        return f"{found}, as another user than root", ""
    why = f"other users cannot read {unreadable(needs, way)}" if _can_change_user() else "root cannot become another user here"
    return f"{found}, as root without privileges", f": {why}"


def _access(needs: Needs, way: str) -> Access:
    """Choose the user of a program: another user if root starts it and that user can read everything it needs."""
    is_other = os.geteuid() == 0 and _can_change_user() and unreadable(needs, way) is None
    return Access(needs, _FIRST_USER + secrets.randbelow(_USERS) if is_other else None)


def unreadable(needs: Needs, way: str) -> Path | None:
    """Return the first needed path that other users cannot read, or None. With bubblewrap, parent folders do not matter."""
    with_parents = way != "bubblewrap"
    for path in needs.readable:
        if not is_public(path, with_parents=with_parents, depth=MAX_DEPTH if path in needs.installed else 100):
            return path
    return None


@cache
def _can_change_user() -> bool:
    """Return True if root can switch to other users here. Some containers lack the capability or have only one user."""
    status = Path("/proc/self/status").read_text()
    found = re.search(r"^CapEff:\s*([0-9a-f]+)$", status, re.MULTILINE)
    rights = int(found[1], 16) if found else 0
    users = [list(map(int, line.split())) for line in Path("/proc/self/uid_map").read_text().splitlines()]
    is_known = any(first <= _FIRST_USER and first + count >= _FIRST_USER + _USERS for first, _, count in users)
    return is_known and all(rights >> right & 1 for right in (_SETGID, _SETUID))


def chosen_way(choice: Choice) -> str | None:
    """The way that programs are confined in, a key of ``WAYS``; None: they are not.

    Raises:
        BadOption: a sandbox is required, and there is none.
    """
    if choice == "off":
        return None
    if choice == "require" and (why := why_none()):
        raise BadOption(f"there is no sandbox here: {why}")
    return next((way for way in WAYS if way not in why_not()), None)


def why_none() -> str:
    """Return the reasons why there is no sandbox, or '' if there is one."""
    reasons = why_not()
    return _reasons(reasons) if len(reasons) == len(WAYS) else ""


def _reasons(reasons: Mapping[str, str]) -> str:
    return "; ".join(f"{way}: {why}" for way, why in reasons.items())


@cache
def why_not() -> dict[str, str]:
    """Why ways to confine programs do not work here, by way; up to the first that does."""
    reasons: dict[str, str] = {}
    for way, confine in WAYS.items():
        try:
            _try(confine)
        except OSError as problem:
            reasons[way] = problem.strerror or str(problem)
        else:
            break
    return reasons


def _try(confine: Confine) -> None:
    """Run nothing in a sandbox.

    Raises:
        OSError: that failed.
    """
    tried = confine((_tool("true"),), Path("/"), Access(Needs(())))
    try:
        done = subprocess.run(
            tried.words,
            cwd=tried.folder,
            env=tried.environment,
            capture_output=True,
            text=True,
            errors="replace",
            pass_fds=tried.files,
            timeout=30,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise OSError(0, "it does not answer") from None
    finally:
        tried.close()
        shutil.rmtree(tried.scratch, ignore_errors=True)
    if done.returncode:
        raise OSError(0, " ".join(done.stderr.split()) or f"exit code {done.returncode}")


def _tool(name: str) -> str:
    found = shutil.which(name) or (shutil.which(name, path=os.defpath) if name != "bwrap" else None)
    if found is None:
        raise OSError(0, f"there is no command '{name}' here")
    return found
