"""Confines itself with Landlock and seccomp, and becomes a program.

A script of its own, ``python confine.py ORDERS PROGRAM ARGUMENTS``, which imports nothing of Ludarium and so starts at once. ``ORDERS`` is a JSON object,
see :class:`Orders`. What fails is said on the standard error, and the exit code is 126.
"""

from __future__ import annotations

import base64
import contextlib
import ctypes
import json
import os
import resource
import stat
import sys
from pathlib import Path
from typing import TypedDict

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
"""Landlock's system calls, of the same numbers on all processors."""

LEAST_VERSION = 6
"""Landlock's version that keeps programs from sending signals to others: Linux 6.12."""

ALL = (1 << 16) - 1
"""The rights to files and folders that this version knows."""

EXECUTE, WRITE, READ, READ_FOLDER = 1 << 0, 1 << 1, 1 << 2, 1 << 3
SCOPES = 0b11
"""Neither abstract sockets nor signals lead out."""

NEW_USER_NAMESPACE = 0x10000000
NO_NEW_PRIVILEGES, SET_SECCOMP, FILTER = 38, 22, 2


class Orders(TypedDict):
    """What is left to the program."""

    read: list[str]
    """Files and folders that it may read and run."""
    write: list[str]
    """Files, such as ``/dev/null``, that it may read and write."""
    filter: str
    """A seccomp filter in base64."""
    user: int | None
    """Whom it runs as; None: whoever runs this."""
    tasks: int
    """How many processes and threads it may have."""


class _Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scopes", ctypes.c_uint64))


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("rights", ctypes.c_uint64), ("file", ctypes.c_int32))


class _Filter(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("program", ctypes.c_char_p))


_kernel = ctypes.CDLL(None, use_errno=True)


def _checked(result: int, what: str) -> int:
    if result < 0:
        raise OSError(ctypes.get_errno(), f"{what}: {os.strerror(ctypes.get_errno())}")
    return result


def _call(number: int, *arguments: object) -> int:
    return _checked(_kernel.syscall(ctypes.c_long(number), *arguments), "Landlock")


def confine_files(orders: Orders) -> None:
    """From now on only what is listed can be opened.

    Raises:
        OSError: Landlock is not there, or is too old.
    """
    version = _call(CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(1))
    if version < LEAST_VERSION:
        raise OSError(0, f"this kernel's Landlock is version {version}, and {LEAST_VERSION} (Linux 6.12) is needed")
    ruleset = _Ruleset(ALL, 0, SCOPES)
    rules = _call(CREATE_RULESET, ctypes.byref(ruleset), ctypes.c_size_t(ctypes.sizeof(ruleset)), ctypes.c_uint32(0))
    for paths, rights in ((orders["read"], EXECUTE | READ | READ_FOLDER), (orders["write"], READ | WRITE)):
        for path in paths:
            with contextlib.suppress(FileNotFoundError):
                file = os.open(path, os.O_PATH | os.O_CLOEXEC)
                beneath = _Beneath(rights if stat.S_ISDIR(os.fstat(file).st_mode) else rights & ~READ_FOLDER, file)
                _call(ADD_RULE, ctypes.c_int(rules), ctypes.c_int(1), ctypes.byref(beneath), ctypes.c_uint32(0))
                os.close(file)
    _call(RESTRICT_SELF, ctypes.c_int(rules), ctypes.c_uint32(0))
    os.close(rules)


def bound_tasks(most: int, *, is_new_user: bool) -> None:
    """Have no more processes and threads than this. They are counted by user and user namespace; where this is to be the user's own and there can be no new
    namespace, eight times as many are allowed on top of those that the user has, so that many programs have room."""
    if not is_new_user and _kernel.unshare(NEW_USER_NAMESPACE) < 0:
        most = 8 * most + sum(map(_own_tasks, Path("/proc").glob("[0-9]*")))
    resource.setrlimit(resource.RLIMIT_NPROC, (most, most))


def _own_tasks(process: Path) -> int:
    try:
        return len(list(process.joinpath("task").iterdir())) if process.stat().st_uid == os.getuid() else 0
    except OSError:  # it has ended
        return 0


def confine(orders: Orders) -> None:
    """Give up whatever the program shall not have."""
    bound_tasks(orders["tasks"], is_new_user=orders["user"] is not None)
    _checked(_kernel.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0), "no new privileges")
    confine_files(orders)
    if (user := orders["user"]) is not None:
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
    program = base64.b64decode(orders["filter"])
    wanted = _Filter(len(program) // 8, program)
    _checked(_kernel.prctl(SET_SECCOMP, FILTER, ctypes.byref(wanted), 0, 0), "seccomp")


def main() -> None:
    words = sys.argv[2:]
    try:
        confine(json.loads(sys.argv[1]))
        os.execvp(words[0], words)
    except OSError as problem:
        print(f"{words[0]}: {problem.strerror}", file=sys.stderr)
        sys.exit(126)


if __name__ == "__main__":
    main()
