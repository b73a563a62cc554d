"""Keeps programs from everything but their game: with bubblewrap where it is there, else with Landlock and seccomp."""

from __future__ import annotations

import base64
import json
import os
import secrets
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from ludarium.errors import BadOption, PlayerCrashed

from .commands import Command
from .needs import SYSTEM, environment, needed
from .seccomp import seccomp_filter

Choice = Literal["auto", "require", "off"]

ROOM = 64 << 20
"""Bytes of a program's ``/tmp``, and of its ``/dev/shm``."""

TASKS = 256
"""Processes and threads that it can have before its keeper looks and counts."""

CONFINE = Path(__file__).with_name("confine.py")

_FIRST_USER, _USERS = 61184, 4336
"""Users that own nothing: those that systemd lends to services."""


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

    @property
    def is_confined(self) -> bool:
        """Whether it is in a sandbox."""
        return self.environment is not None

    @property
    def files(self) -> tuple[int, ...]:
        """What the words inherit, besides the standard files."""
        return () if self.file is None else (self.file,)

    def close(self) -> None:
        """Close the file, which the words have when they run."""
        for file in self.files:
            os.close(file)


Confine = Callable[[Sequence[str], Path, Sequence[Path]], Confined]
"""Has these words run in a folder, where they can read so much besides the system's folders."""


def _with_bubblewrap(words: Sequence[str], folder: Path, readable: Sequence[Path]) -> Confined:
    tools = [_tool(name) for name in ("bwrap", "prlimit", "setpriv")]
    room = ("--perms", "1777", "--size", str(ROOM), "--tmpfs")
    user = _other_user()
    file = os.memfd_create("filter")
    os.write(file, seccomp_filter(alone=False))
    os.lseek(file, 0, os.SEEK_SET)
    given = (
        tools[0],
        *("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try", "--die-with-parent"),
        *(("--unshare-user",) if user is None else ("--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID")),
        *(word for path in SYSTEM for word in ("--ro-bind-try", path, path)),
        *("--proc", "/proc", "--dev", "/dev", *room, "/dev/shm", "--remount-ro", "/dev", *room, "/tmp"),
        *(word for one in parents((*readable, folder / "file")) for word in ("--perms", "0755", "--dir", str(one))),  # else 0700
        *(word for path in readable for word in ("--ro-bind", str(path), str(path))),
        *("--remount-ro", "/", "--chdir", str(folder), "--seccomp", str(file), "--"),
        *(() if user is None else (tools[2], f"--reuid={user}", f"--regid={user}", "--clear-groups")),
        *(tools[1], f"--nproc={TASKS}"),  # here, where only the program's own processes count
        *words,
    )
    return Confined(given, Path("/"), environment(), file, around=2)


def _with_landlock(words: Sequence[str], folder: Path, readable: Sequence[Path]) -> Confined:
    orders = {
        "read": [*SYSTEM, "/proc", "/sys/fs/cgroup", "/dev/urandom", "/dev/zero", *map(str, readable)],
        "write": ["/dev/null"],
        "filter": base64.b64encode(seccomp_filter(alone=True)).decode(),
        "user": _other_user(),
        "tasks": TASKS,
    }
    return Confined((sys.executable, "-I", "-S", str(CONFINE), json.dumps(orders), *words), folder, environment())


WAYS: dict[str, Confine] = {"bubblewrap": _with_bubblewrap, "Landlock": _with_landlock}
"""From the best on."""


def confined(command: Command, words: Sequence[str], choice: Choice, hidden: Sequence[Path] = ()) -> Confined:
    """How to start a program.

    Args:
        command: it.
        words: what is run, see :meth:`.commands.Command.compiled`.
        choice: whether it is confined.
        hidden: what it does not see then of its folder.

    Raises:
        BadOption: a sandbox is required, and there is none.
        PlayerCrashed: root has started this, and the user that the program would run as may not read it.
    """
    way = chosen_way(choice)
    if way is None:
        return Confined(words, command.folder)
    paths = needed(command, words, hidden)
    if os.geteuid() == 0 and (unread := unreadable(paths, with_parents=way == "Landlock")):
        raise PlayerCrashed(
            f"crash: {command.text} cannot be started: what root starts runs as another user in its sandbox, and may not read {unread}; "
            f"'chmod o+rX {unread}' lets it"
        )
    return WAYS[way](words, command.folder, paths)


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
    """Why there is no sandbox here, in words; empty if there is one."""
    reasons = why_not()
    return "; ".join(f"{way}: {why}" for way, why in reasons.items()) if len(reasons) == len(WAYS) else ""


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
    tried = confine((_tool("true"),), Path("/"), ())
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
    if done.returncode:
        raise OSError(0, " ".join(done.stderr.split()) or f"exit code {done.returncode}")


def _tool(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        raise OSError(0, f"there is no command '{name}' here")
    return found


def _other_user() -> int | None:
    """Whom programs run as that root starts; each as another, or they would be counted together."""
    return None if os.geteuid() else _FIRST_USER + secrets.randbelow(_USERS)


def parents(paths: Iterable[Path]) -> Iterable[Path]:
    """The folders above these, each after the one that it lies in."""
    return dict.fromkeys(parent for path in paths for parent in reversed(path.parents))


def unreadable(paths: Iterable[Path], *, with_parents: bool) -> Path | None:
    """The first of these that not everybody may read."""
    for path in paths:
        for one in (*(reversed(path.parents) if with_parents else ()), path):
            mode = one.stat().st_mode
            wanted = stat.S_IXOTH if one != path else stat.S_IROTH | stat.S_IXOTH if stat.S_ISDIR(mode) else stat.S_IROTH
            if mode & wanted != wanted:
                return one
    return None
