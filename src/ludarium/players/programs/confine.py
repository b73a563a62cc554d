"""Confines itself with Landlock and seccomp, and becomes a program.

A script of its own, ``python confine.py FILE PROGRAM ARGUMENTS``, which imports nothing of Ludarium and so starts at once. ``FILE`` is the number of an open
file with a JSON object, see :class:`Orders`. What fails is said on the standard error, and the exit code is 126.
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
from typing import NamedTuple, NoReturn, TypedDict

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
"""Landlock's system calls, of the same numbers on all processors."""

LEAST_VERSION = 6
"""Landlock's version that keeps programs from sending signals to others: Linux 6.12."""

ALL = (1 << 16) - 1
"""The rights to files and folders that this version knows."""

EXECUTE, WRITE, READ, READ_FOLDER = 1 << 0, 1 << 1, 1 << 2, 1 << 3
MAKE_DEVICES = 1 << 6 | 1 << 11
IN_FILES = EXECUTE | WRITE | READ | 1 << 14
"""Landlock rights that apply to files; the others apply to folders."""

SCOPES = 0b11
"""Neither abstract sockets nor signals lead out."""

NEW_USER_NAMESPACE, NEW_MOUNT_NAMESPACE, NEW_PROCESS_NAMESPACE = 0x10000000, 0x00020000, 0x20000000
NO_NEW_PRIVILEGES, SET_SECCOMP, FILTER = 38, 22, 2
RECURSIVE_PRIVATE, RECURSIVE_BIND, NO_DEVICES_NO_SETUID, NO_EXECUTION = 0x4000 | 1 << 18, 0x4000 | 0x1000, 2 | 4, 8
CHANGE_MOUNT, HERE, RECURSIVE, READ_ONLY = 442, -100, 0x8000, 1
"""``mount_setattr`` and its arguments."""
BOUNDING_DROP, AMBIENT, AMBIENT_CLEAR, PRIVILEGES_VERSION = 24, 47, 4, 0x20080522

SHARED_MEMORY = "/dev/shm"
"""Folder of semaphores and shared memory. With namespaces, a program gets a private one that also holds its temporary files."""

FACTS = (
    "cpuinfo",
    "filesystems",
    "meminfo",
    "self",
    "stat",
    "sys/kernel/osrelease",
    "sys/vm/max_map_count",
    "sys/vm/overcommit_memory",
    "version",
)
"""Parts of the shared ``/proc`` that a program may read: the machine and itself. Through names of processes, two programs could signal."""

MAX_FILES = 10_000
"""Limit of files and folders in the private shared memory."""

MAX_OPEN_FILES = 256
"""Limit of open files. It bounds the kernel memory that unread data in pipes and sockets takes."""


class Orders(TypedDict):
    """What is left to the program."""

    read: list[str]
    """Files and folders that it may read and run."""
    list: list[str]
    """Folders whose entries it may list."""
    write: list[str]
    """Files and folders that it may read and write."""
    build: list[str]
    """Folders that it may change, in addition to its scratch folder."""
    filter: str
    """A seccomp filter in base64."""
    filter_read_only: str
    """The same for a program that sees all but its writable folders as read-only, and so may change modes and times of files."""
    user: int | None
    """User id of the program; None for the current user."""
    tasks: int
    """Limit of processes and threads for a program with a user id of its own. The keeper limits other programs."""
    room: int
    """Size limit in bytes of the private shared memory and of each file."""
    scratch: str
    """Writable folder for a program without private shared memory."""


class _Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scopes", ctypes.c_uint64))


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("rights", ctypes.c_uint64), ("file", ctypes.c_int32))


class _Filter(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("program", ctypes.c_char_p))


class _Header(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("process", ctypes.c_int))


_kernel = ctypes.CDLL(None, use_errno=True)


def _checked(result: int, what: str) -> int:
    if result < 0:
        raise OSError(ctypes.get_errno(), f"{what}: {os.strerror(ctypes.get_errno())}")
    return result


def _call(number: int, *arguments: object) -> int:
    return _checked(_kernel.syscall(ctypes.c_long(number), *arguments), "Landlock")


def confine_files(orders: Orders) -> None:
    """Restrict file access to what the orders list.

    Raises:
        OSError: Landlock is not there, or is too old.
    """
    version = _call(CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(1))
    if version < LEAST_VERSION:
        raise OSError(0, f"this kernel's Landlock is version {version}, and {LEAST_VERSION} (Linux 6.12) is needed")
    ruleset = _Ruleset(ALL, 0, SCOPES)
    rules = _call(CREATE_RULESET, ctypes.byref(ruleset), ctypes.c_size_t(ctypes.sizeof(ruleset)), ctypes.c_uint32(0))
    written = ALL & ~(EXECUTE | MAKE_DEVICES)
    for paths, rights in ((orders["read"], EXECUTE | READ | READ_FOLDER), (orders["list"], READ_FOLDER), (orders["write"], written)):
        for path in paths:
            with contextlib.suppress(FileNotFoundError):
                file = os.open(path, os.O_PATH | os.O_CLOEXEC)
                beneath = _Beneath(rights if stat.S_ISDIR(os.fstat(file).st_mode) else rights & IN_FILES, file)
                _call(ADD_RULE, ctypes.c_int(rules), ctypes.c_int(1), ctypes.byref(beneath), ctypes.c_uint32(0))
                os.close(file)
    _call(RESTRICT_SELF, ctypes.c_int(rules), ctypes.c_uint32(0))
    os.close(rules)


class Apart(NamedTuple):
    """Namespaces of a program."""

    read_only: bool = False
    """True if everything except its writable folders is read-only."""
    processes: bool = False
    """True if children of this process are in a new process namespace."""


def enter_namespaces(orders: Orders) -> Apart:
    """Enter mount and process namespaces with private shared memory, if the kernel allows it. Ordinary users also enter a user namespace."""
    is_root, user, group = os.geteuid() == 0, os.getuid(), os.getgid()
    kinds = NEW_MOUNT_NAMESPACE | NEW_PROCESS_NAMESPACE | (0 if is_root else NEW_USER_NAMESPACE)
    if _kernel.unshare(kinds) != 0:
        return Apart()
    if not is_root:
        own = Path("/proc/self")
        own.joinpath("uid_map").write_text(f"{user} {user} 1\n")
        own.joinpath("setgroups").write_text("deny")
        own.joinpath("gid_map").write_text(f"{group} {group} 1\n")
    is_read_only = False
    if _is_mounted(None, "/", None, RECURSIVE_PRIVATE, None):
        room = f"size={orders['room']},nr_inodes={MAX_FILES},mode=1777"
        if _is_mounted("tmpfs", SHARED_MEMORY, "tmpfs", NO_DEVICES_NO_SETUID, room):
            orders["scratch"] = SHARED_MEMORY
        is_read_only = _make_read_only([*orders["build"], orders["scratch"]])
    return Apart(read_only=is_read_only, processes=True)


def _make_read_only(writable: list[str]) -> bool:
    """Make everything except some folders read-only, and tell whether that worked."""
    if not all(_is_mounted(folder, folder, None, RECURSIVE_BIND, None) for folder in writable):
        return False
    is_read_only = _change_mount("/", RECURSIVE, READ_ONLY, 0)
    is_writable = all(_change_mount(folder, 0, 0, READ_ONLY) for folder in writable)
    os.chdir(Path.cwd())  # so far this was the folder below the new mounts
    return is_read_only and is_writable


def _change_mount(path: str, flags: int, added: int, removed: int) -> bool:
    where = ctypes.c_long(CHANGE_MOUNT), ctypes.c_int(HERE), path.encode(), ctypes.c_uint(flags)
    return _kernel.syscall(*where, (ctypes.c_uint64 * 4)(added, removed), ctypes.c_size_t(32)) == 0


def fork_twice() -> None:
    """Return in a grandchild: the first child may be the first process of a namespace, which the kernel spares signals, and waits for orphans."""
    for _ in range(2):
        child = os.fork()
        if child:
            _end_like(child)


def _end_like(child: int) -> NoReturn:
    """Wait for a child, and exit with its code, or 128 and the number of the signal that ended it, as shells do."""
    for file in (0, 1, 2):
        os.close(file)
    ended = status = 0
    while ended != child:
        ended, status = os.wait()
    code = os.waitstatus_to_exitcode(status)
    os._exit(code if code >= 0 else 128 - code)


def _is_mounted(source: str | None, target: str, kind: str | None, flags: int, options: str | None) -> bool:
    texts = [None if text is None else text.encode() for text in (source, target, kind, options)]
    return _kernel.mount(*texts[:3], ctypes.c_ulong(flags), texts[3]) == 0


def bound_privileges() -> None:
    """Empty the capability bounding set, if this process has the right to."""
    number = 0
    while _kernel.prctl(BOUNDING_DROP, number, 0, 0, 0) == 0:  # until there is none of such a number, or the right is missing
        number += 1


def drop_privileges() -> None:
    """Drop all capabilities.

    Raises:
        OSError: the kernel refuses that.
    """
    _kernel.prctl(AMBIENT, AMBIENT_CLEAR, 0, 0, 0)
    header, none = _Header(PRIVILEGES_VERSION, 0), (ctypes.c_uint32 * 6)()
    _checked(_kernel.capset(ctypes.byref(header), none), "privileges")


def confine(orders: Orders) -> None:
    """Apply all restrictions to this process.

    Raises:
        OSError: that is not possible here.
    """
    apart = enter_namespaces(orders)
    fork_twice()
    has_own = apart.processes and _is_mounted("proc", "/proc", "proc", NO_DEVICES_NO_SETUID | NO_EXECUTION, None)
    orders["read"] += ["/proc"] if has_own else [f"/proc/{fact}" for fact in FACTS]
    scratch = orders["scratch"]
    orders["write"] += [scratch, *orders["build"]]
    os.environ.update(HOME=scratch, TMPDIR=scratch, LUDARIUM_SCRATCH=scratch)
    resource.setrlimit(resource.RLIMIT_FSIZE, (orders["room"], orders["room"]))
    resource.setrlimit(resource.RLIMIT_NOFILE, (MAX_OPEN_FILES, MAX_OPEN_FILES))
    _checked(_kernel.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0), "no new privileges")
    confine_files(orders)
    bound_privileges()
    if (user := orders["user"]) is not None:
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
        resource.setrlimit(resource.RLIMIT_NPROC, (orders["tasks"], orders["tasks"]))
    drop_privileges()
    program = base64.b64decode(orders["filter_read_only" if apart.read_only else "filter"])
    wanted = _Filter(len(program) // 8, program)
    _checked(_kernel.prctl(SET_SECCOMP, FILTER, ctypes.byref(wanted), 0, 0), "seccomp")


def main() -> None:
    words = sys.argv[2:]
    try:
        with os.fdopen(int(sys.argv[1]), encoding="utf-8") as file:
            orders = json.load(file)
        confine(orders)
        os.execvp(words[0], words)
    except OSError as problem:
        print(f"{words[0]}: {problem.strerror}", file=sys.stderr)
        sys.exit(126)


if __name__ == "__main__":
    main()
