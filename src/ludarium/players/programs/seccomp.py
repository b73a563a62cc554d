"""Seccomp filters for programs in a sandbox. libseccomp writes them, for the processor that runs."""

from __future__ import annotations

import ctypes
import errno
import os
from functools import cache

LIBRARY = "libseccomp.so.2"

REFUSED = (
    "setsid",  # whoever left the process group would not be stopped with it between turns
    "setpgid",
    "sched_setaffinity",  # a game that has a core keeps to it
    "ptrace",
    "process_vm_readv",
    "process_vm_writev",
    "unshare",  # a user namespace of one's own opens much of the kernel
    "setns",
)
ABSENT = (
    "clone3",  # its flags are out of a filter's sight; C libraries then take clone
    "io_uring_setup",  # would do what is refused here
    "memfd_create",  # memory that no process is seen to have
    "memfd_secret",
    *("shmget", "shmat", "shmctl", "msgget", "msgsnd", "msgrcv", "msgctl", "semget", "semop", "semtimedop", "semctl"),
    *("add_key", "keyctl", "request_key"),  # what they store is in no namespace
    *("mq_open", "mq_unlink"),
    *("inotify_init", "inotify_init1", "fanotify_init"),  # programs that read the same file could signal to each other
    "timer_create",  # its signal may be SIGCONT, and a program goes on that is stopped
    "openat2",  # its mode is out of a filter's sight
    "userfaultfd",
)
"""They fail as in a kernel that does not know them: there is another way, which programs then take."""

REFUSED_ALONE = (
    "socket",
    *("bind", "connect", "listen", "sendmsg", "sendmmsg"),  # a pair of sockets must not lead out either
    *("setpriority", "ioprio_set", "migrate_pages", "move_pages"),
)
"""System calls that reach other programs if no namespaces separate them and Landlock does not restrict the calls."""

CHANGES_ALONE = (
    *("chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "fchown", "lchown", "fchownat"),
    *("setxattr", "lsetxattr", "fsetxattr", "setxattrat", "removexattr", "lremovexattr", "fremovexattr", "removexattrat", "file_setattr"),
    *("utime", "utimes", "futimesat", "utimensat"),
)
"""System calls that change files without a check by Landlock. They are allowed if the files of others are read-only."""

MODES = {"chmod": 1, "fchmod": 1, "fchmodat": 2, "fchmodat2": 2, "creat": 1, "mkdir": 1, "mkdirat": 2, "mknod": 1, "mknodat": 2}
"""System calls that set a file's mode, and which argument it is."""

OPENS = {"open": 1, "openat": 2}
"""The same for those that open files, and which argument their flags are; the mode follows."""

SETS_USER, SETS_GROUP, CREATES = 0o4000, 0o2000, 0o100

OTHERS_ALONE = ("prlimit64", "sched_setattr", "sched_setparam", "sched_setscheduler")
"""What is refused there of other processes, and allowed of the own one."""

NUMBERS = {"fchmodat2": 452, "setxattrat": 463, "removexattrat": 466, "file_setattr": 469}
"""Of system calls that libseccomp may be too old for; they are the same on all processors."""

LOCKS = (6, 7, 37, 38)
"""``F_SETLK``, ``F_SETLKW``, and the same for open files. Like ``flock`` they succeed without effect, because programs
that read the same file, or write ``/dev/null``, could signal to each other. They do not fail, because Java reports a failure on the standard output."""

LOOKS_AT_LOCKS = (5, 36)
"""``F_GETLK``, and the same for open files."""

FILE_SIGNALS = (10, 1024, 1026)
"""``F_SETSIG``, which like ``timer_create`` could send SIGCONT to a stopped program; ``F_SETLEASE`` and ``F_NOTIFY``, which tell what others open."""

SOCKETS = (1, 2, 10, 16)
"""The address families that network namespaces separate: Unix, IPv4, IPv6 and Netlink. Others, such as ``AF_VSOCK``, are refused."""

MAX_SOCKETS = 128
"""More than the number of address families that Linux knows."""

_ALLOW, _NOTIFY, _FAIL = 0x7FFF0000, 0x7FC00000, 0x00050000
_UNEQUAL, _MASKED_EQUAL = 1, 7
_NEW_USER_NAMESPACE = 0x10000000


class _Comparison(ctypes.Structure):
    """libseccomp's ``scmp_arg_cmp``."""

    _fields_ = (("argument", ctypes.c_uint), ("operator", ctypes.c_int), ("value", ctypes.c_uint64), ("masked", ctypes.c_uint64))


def _is(argument: int, value: int) -> _Comparison:
    """Compare the lower 32 bits of an argument, as the kernel does."""
    return _Comparison(argument, _MASKED_EQUAL, 0xFFFFFFFF, value)


def _has(argument: int, bit: int) -> _Comparison:
    """Tell whether a bit of an argument is set."""
    return _Comparison(argument, _MASKED_EQUAL, bit, bit)


class _Filter:
    """A filter that allows what no rule names."""

    def __init__(self) -> None:
        self._library = ctypes.CDLL(LIBRARY)
        self._library.seccomp_init.restype = ctypes.c_void_p
        self._context = ctypes.c_void_p(self._library.seccomp_init(ctypes.c_uint32(_ALLOW)))

    def number_of(self, name: str) -> int:
        number = self._library.seccomp_syscall_resolve_name(name.encode())
        return NUMBERS[name] if number == -1 else number

    def add(self, action: int, name: str, *conditions: _Comparison) -> None:
        wanted = (_Comparison * len(conditions))(*conditions)
        failed = self._library.seccomp_rule_add_array(self._context, ctypes.c_uint32(action), self.number_of(name), len(conditions), wanted)
        if failed:
            raise OSError(-failed, f"libseccomp cannot filter {name}: {os.strerror(-failed)}")

    def exported(self) -> bytes:
        """Return the filter as the kernel takes it, and free its memory."""
        reading, writing = os.pipe()
        try:
            self._library.seccomp_export_bpf(self._context, writing)
            return os.read(reading, 65536)
        finally:
            self._library.seccomp_release(self._context)
            os.close(reading)
            os.close(writing)


@cache
def seccomp_filter(*, alone: bool, read_only: bool = False) -> bytes:
    """Return a BPF program, as the kernel takes it, for which the system calls above fail with ``EPERM`` or ``ENOSYS``.

    Args:
        alone: whether the program shares sockets and processes with others.
        read_only: whether it sees the files of others as read-only.

    Raises:
        OSError: libseccomp is not there, or does not do that.
    """
    rules = _Filter()

    def refuse(name: str, error: int = errno.EPERM, *conditions: _Comparison) -> None:
        rules.add(_FAIL | error, name, *conditions)

    for name in (*REFUSED, *(REFUSED_ALONE if alone else ()), *(CHANGES_ALONE if alone and not read_only else ())):
        refuse(name)
    for bit in (SETS_USER, SETS_GROUP):
        for name, argument in MODES.items():
            refuse(name, errno.EPERM, _has(argument, bit))
        for name, argument in OPENS.items():
            refuse(name, errno.EPERM, _has(argument, CREATES), _has(argument + 1, bit))
    for name in OTHERS_ALONE if alone else ():
        refuse(name, errno.EPERM, _Comparison(0, _UNEQUAL, 0, 0))
    refuse("flock", 0)
    for commands, error in ((FILE_SIGNALS, errno.EPERM), (LOOKS_AT_LOCKS, errno.ENOLCK), (LOCKS, 0)):
        for command in commands:
            refuse("fcntl", error, _is(1, command))
    if not alone:
        for family in set(range(MAX_SOCKETS)).difference(SOCKETS):
            refuse("socket", errno.EAFNOSUPPORT, _is(0, family))
    else:
        refuse("sendto", errno.EPERM, _Comparison(4, _UNEQUAL, 0, 0))  # an address
    for name in ABSENT:
        refuse(name, errno.ENOSYS)
    refuse("clone", errno.EPERM, _Comparison(0, _MASKED_EQUAL, _NEW_USER_NAMESPACE, _NEW_USER_NAMESPACE))
    return rules.exported()


@cache
def task_filter() -> tuple[int, bytes] | None:
    """Return the number of the system call ``seccomp``, and a BPF program that asks a listener before a process or thread starts.

    Returns:
        The two; None if libseccomp is older than 2.5 or the kernel has no listeners.

    Raises:
        OSError: libseccomp is missing.
    """
    rules = _Filter()
    try:
        for name in ("clone", "fork", "vfork"):  # clone3 is refused
            rules.add(_NOTIFY, name)
    except OSError:
        return None
    return rules.number_of("seccomp"), rules.exported()
