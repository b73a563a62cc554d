"""Run a command on a machine that lacks something: ``python staged.py STAGE COMMAND…``, where ``STAGE`` is a JSON object with the fields of :class:`Stage`.

It imports nothing of Ludarium, and becomes the command.
"""

from __future__ import annotations

import ctypes
import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path

ENOSYS, EPERM = 38, 1
ALLOW, FAIL, MASKED_EQUAL = 0x7FFF0000, 0x00050000, 7
NEW_USER, NEW_MOUNT = 0x10000000, 0x00020000
BOUNDING_DROP = 24
RECURSIVE_PRIVATE, READ_ONLY = 0x4000 | 1 << 18, 1
LANDLOCK = (444, 445, 446)
SYSTEM_CALLS = {"namespaces": ("unshare", "clone", "clone3", "setns"), "Landlock": LANDLOCK}
CAPABILITIES = {"chown": 0, "dac_override": 1, "fowner": 3, "kill": 5, "setgid": 6, "setuid": 7, "setpcap": 8, "net_bind_service": 10}
"""Capabilities that containers have, by number."""


@dataclass(frozen=True)
class Stage:
    """Properties of a staged machine."""

    refused: tuple[str, ...] = ()
    """Kernel features to disable: ``namespaces``, ``Landlock``."""
    user: int | None = None
    """User id of the command; None for the current user."""
    is_container: bool = False
    """True to give root only a container's capabilities."""
    is_alone: bool = False
    """True for a user namespace with root as the only user."""
    umask: int = 0o022
    has_shared_memory: bool = True
    """False to make ``/dev/shm`` unusable."""


class _Comparison(ctypes.Structure):
    """libseccomp's ``scmp_arg_cmp``."""

    _fields_ = (("argument", ctypes.c_uint), ("operator", ctypes.c_int), ("value", ctypes.c_uint64), ("masked", ctypes.c_uint64))


def refuse(kinds: tuple[str, ...]) -> None:
    """Disable kernel features with a seccomp filter."""
    library = ctypes.CDLL("libseccomp.so.2")
    library.seccomp_init.restype = ctypes.c_void_p
    context = ctypes.c_void_p(library.seccomp_init(ctypes.c_uint32(ALLOW)))
    for name in (name for kind in kinds for name in SYSTEM_CALLS[kind]):
        number = library.seccomp_syscall_resolve_name(name.encode()) if isinstance(name, str) else name
        error = EPERM if name in ("unshare", "clone", "setns") else ENOSYS
        wanted = (_Comparison * 1)(_Comparison(0, MASKED_EQUAL, NEW_USER, NEW_USER)) if name == "clone" else (_Comparison * 0)()
        assert library.seccomp_rule_add_array(context, ctypes.c_uint32(FAIL | error), number, len(wanted), wanted) == 0
    assert library.seccomp_load(context) == 0


def hide_shared_memory() -> None:
    """Mount an empty, read-only ``/dev/shm``."""
    kernel = ctypes.CDLL(None, use_errno=True)
    assert kernel.unshare(NEW_MOUNT) == 0
    assert kernel.mount(None, b"/", None, ctypes.c_ulong(RECURSIVE_PRIVATE), None) == 0
    assert kernel.mount(b"tmpfs", b"/dev/shm", b"tmpfs", ctypes.c_ulong(READ_ONLY), b"mode=000") == 0


def keep_privileges() -> None:
    """Reduce root's capabilities to a container's."""
    kernel = ctypes.CDLL(None, use_errno=True)
    for number in range(64):
        if number not in CAPABILITIES.values():
            kernel.prctl(BOUNDING_DROP, number, 0, 0, 0)
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    kept = sum(1 << number for number in CAPABILITIES.values())
    assert kernel.capset(header, (ctypes.c_uint32 * 6)(kept, kept, 0, 0, 0, 0)) == 0


def become_alone() -> None:
    """Enter a user namespace with root as the only user."""
    assert ctypes.CDLL(None, use_errno=True).unshare(NEW_USER) == 0
    for name, text in (("uid_map", "0 0 1"), ("setgroups", "deny"), ("gid_map", "0 0 1")):
        Path(f"/proc/self/{name}").write_text(text, "ascii")


def main() -> None:
    stage = Stage(**json.loads(sys.argv[1]))
    os.umask(stage.umask)
    if not stage.has_shared_memory:
        hide_shared_memory()
    if stage.is_alone:
        become_alone()
    if stage.is_container:
        keep_privileges()
    if stage.user is not None:
        os.setgroups([])
        os.setresgid(stage.user, stage.user, stage.user)
        os.setresuid(stage.user, stage.user, stage.user)
    if stage.refused:
        refuse(stage.refused)
    os.execv(sys.argv[2], sys.argv[2:])


if __name__ == "__main__":
    main()
