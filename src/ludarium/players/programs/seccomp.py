"""A seccomp filter: which system calls programs in a sandbox have to do without. libseccomp writes it, for the processor that runs."""

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
    *("shmget", "msgget", "semget"),
    *("add_key", "keyctl", "request_key"),  # what they store is in no namespace
    *("mq_open", "mq_unlink"),
    "timer_create",  # its signal may be SIGCONT, and a program goes on that is stopped
    "userfaultfd",
)
"""They fail as in a kernel that does not know them: there is another way, which programs then take."""

REFUSED_ALONE = (
    "socket",
    *("bind", "connect", "listen", "sendmsg", "sendmmsg"),  # a pair of sockets must not lead out either
    *("chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "fchown", "lchown", "fchownat"),
    *("setxattr", "lsetxattr", "fsetxattr", "setxattrat", "removexattr", "lremovexattr", "fremovexattr", "removexattrat", "file_setattr"),
    *("utime", "utimes", "futimesat", "utimensat"),
    *("setpriority", "ioprio_set", "migrate_pages", "move_pages"),
)
"""What else leads out where no namespaces are around, and is not Landlock's."""

OTHERS_ALONE = ("prlimit64", "sched_setattr", "sched_setparam", "sched_setscheduler")
"""What is refused there of other processes, and allowed of the own one."""

NUMBERS = {"fchmodat2": 452, "setxattrat": 463, "removexattrat": 466, "file_setattr": 469}
"""Of system calls that libseccomp may be too old for; they are the same on all processors."""

_ALLOW = 0x7FFF0000
_FAIL = 0x00050000
_UNEQUAL, _EQUAL, _MASKED_EQUAL = 1, 4, 7
_SET_SIGNAL = 10
"""``F_SETSIG``: like ``timer_create``, it could send SIGCONT to a stopped program."""
_NEW_USER_NAMESPACE = 0x10000000


class _Comparison(ctypes.Structure):
    """libseccomp's ``scmp_arg_cmp``."""

    _fields_ = (("argument", ctypes.c_uint), ("operator", ctypes.c_int), ("value", ctypes.c_uint64), ("masked", ctypes.c_uint64))


@cache
def seccomp_filter(*, alone: bool) -> bytes:
    """A BPF program, as the kernel takes it, for which the system calls above fail with ``EPERM`` or ``ENOSYS``.

    Args:
        alone: whether no namespaces are around the program.

    Raises:
        OSError: libseccomp is not there, or does not do that.
    """
    library = ctypes.CDLL(LIBRARY)
    library.seccomp_init.restype = ctypes.c_void_p
    context = ctypes.c_void_p(library.seccomp_init(ctypes.c_uint32(_ALLOW)))

    def refuse(name: str, error: int = errno.EPERM, *conditions: _Comparison) -> None:
        number = library.seccomp_syscall_resolve_name(name.encode())
        if number == -1:
            number = NUMBERS[name]
        wanted = (_Comparison * len(conditions))(*conditions)
        failed = library.seccomp_rule_add_array(context, ctypes.c_uint32(_FAIL | error), number, len(conditions), wanted)
        if failed:
            raise OSError(-failed, f"libseccomp cannot refuse {name}: {os.strerror(-failed)}")

    for name in (*REFUSED, *(REFUSED_ALONE if alone else ())):
        refuse(name)
    for name in OTHERS_ALONE if alone else ():
        refuse(name, errno.EPERM, _Comparison(0, _UNEQUAL, 0, 0))
    refuse("fcntl", errno.EPERM, _Comparison(1, _EQUAL, _SET_SIGNAL, 0))
    if alone:
        refuse("sendto", errno.EPERM, _Comparison(4, _UNEQUAL, 0, 0))  # an address
    for name in ABSENT:
        refuse(name, errno.ENOSYS)
    refuse("clone", errno.EPERM, _Comparison(0, _MASKED_EQUAL, _NEW_USER_NAMESPACE, _NEW_USER_NAMESPACE))
    reading, writing = os.pipe()
    try:
        library.seccomp_export_bpf(context, writing)
        return os.read(reading, 65536)
    finally:
        library.seccomp_release(context)
        os.close(reading)
        os.close(writing)
