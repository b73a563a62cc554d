"""Probes of ``ludarium doctor``: versions, folders, store, disk, ports, clock, caches and optional packages."""

from __future__ import annotations

import errno
import importlib.metadata
import json
import os
import platform
import pwd
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Any

import psutil

import ludarium
from ludarium.core.data_folder import cache_folder, data_folder, home_folder
from ludarium.core.locks import lock
from ludarium.errors import BadOption, LudariumError, StoreError

from .findings import Finding, Probe, told

LEAST_FREE = 100 << 20
"""Bytes of free space below which a folder counts as full."""

ENOUGH_FREE = 1 << 30
"""Bytes of free space below which the report advises to make room."""

FULL = (errno.ENOSPC, errno.EDQUOT)
"""Errors of a full disk."""

SAMPLE = 64 << 10
"""Bytes written to test a folder."""

CHILD_SECONDS = 60
"""Time limit of a child process."""

DEVELOPERS = ("bench", "docs", "test")
"""Extras of the project itself."""


def machine_probes(ports: Callable[[], dict[int, list[str]]]) -> list[Probe]:
    """Return the probes. ``ports`` returns the default ports, each with the commands that use it."""
    return [
        Probe("versions", "Python", _versions, needed=True),
        Probe("user", "user", _user),
        Probe("folders", "data folder", partial(_folder, "data folder", data_folder, "XDG_DATA_HOME", needed=True), needed=True),
        Probe("folders", "cache folder", partial(_folder, "cache folder", cache_folder, "XDG_CACHE_HOME", needed=False)),
        Probe("folders", "temporary folder", partial(_folder, "temporary folder", _temporary, "TMPDIR", needed=True), needed=True),
        Probe("folders", "shared memory", _shared_memory),
        Probe("folders", "store", _store),
        Probe("machine code", "Numba", _machine_code, needed=True, seconds=3 * CHILD_SECONDS),
        Probe("network", "ports", partial(_ports, ports)),
        Probe("clock", "clock", _clock),
        Probe("optional packages", "extras", _extras, seconds=3 * CHILD_SECONDS),
    ]


def _versions() -> Iterator[Finding]:
    is_new = sys.version_info >= (3, 11)
    python = f"{platform.python_version()}, {sys.executable or 'an unknown path'}, on {platform.system()} {platform.release()}"
    advice = "" if is_new else "install Python 3.11 or newer"
    yield Finding("versions", "Python", "works" if is_new else "broken", python, advice, needed=True)
    where = Path(ludarium.__file__).parent
    try:
        yield Finding("versions", "Ludarium", "works", f"{importlib.metadata.version('ludarium')}, {where}", needed=True)
    except importlib.metadata.PackageNotFoundError:
        yield Finding("versions", "Ludarium", "broken", f"{where} is not installed as a package", "pip install ludarium", needed=True)


def _user() -> Iterator[Finding]:
    number = os.geteuid()
    try:
        name = pwd.getpwuid(number).pw_name
        yield Finding("user", "user", "works", f"{name}, number {number}")
    except KeyError:
        yield Finding("user", "user", "missing", f"number {number} has no name; nothing needs one")
    home = home_folder()
    if home is None or not home.is_dir():
        detail = "no home folder" if home is None else f"{home} does not exist"
        yield Finding("user", "home", "missing", detail, "export XDG_DATA_HOME=/a/folder/that/lasts")
    else:
        yield Finding("user", "home", "works", str(home))


def _temporary() -> Path:
    return Path(tempfile.gettempdir())


def _is_temporary(folder: Path) -> bool:
    with suppress(OSError):
        return folder.is_relative_to(_temporary())
    return False


def _folder(name: str, ask: Callable[[], Path], variable: str, *, needed: bool) -> Iterator[Finding]:
    """Write, sync, lock and delete a file in a folder, or in its nearest parent that exists."""
    finding = partial(Finding, "folders", name, needed=needed)
    choose = f"export {variable}=/a/folder/that/can/be/written"
    try:
        folder = ask()
    except (StoreError, FileNotFoundError) as problem:
        yield finding("broken", told(problem), choose)
        return
    place = next(one for one in (folder, *folder.parents) if one.exists())
    room = _room(place)
    try:
        knows_locks = _write(place)
    except OSError as problem:
        advice = f"df -h {place}" if problem.errno in FULL else choose
        yield finding("broken", f"{folder} cannot be written ({told(problem)})", advice)
        return
    notes = [
        str(folder),
        *([] if place == folder else ["not made yet"]),
        *([] if room is None else [f"{_size(room)} free"]),
        _file_system(place),
    ]
    if not knows_locks:
        yield finding("broken", ", ".join([*notes, "its file system knows no locks"]), choose)
    elif room is not None and room < LEAST_FREE:
        yield finding("broken", ", ".join(notes), f"make room: df -h {place}")
    else:
        is_short = room is not None and room < ENOUGH_FREE
        is_lost = name == "data folder" and _is_temporary(folder)
        advice = "export XDG_DATA_HOME=/a/folder/that/lasts" if is_lost else f"make room: df -h {place}" if is_short else ""
        yield finding("works", ", ".join(notes), advice)


def _write(folder: Path) -> bool:
    """Write a file into a folder and delete it. Return whether it could be locked.

    Raises:
        OSError: it cannot be written.
    """
    descriptor, name = tempfile.mkstemp(prefix=".ludarium-doctor-", dir=folder)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(os.urandom(SAMPLE))
            file.flush()
            os.fsync(descriptor)
            try:
                return lock(file)
            except OSError:
                return False
    finally:
        Path(name).unlink(missing_ok=True)


def _room(folder: Path) -> int | None:
    """Return the free bytes, or None if the file system does not count them."""
    with suppress(OSError):
        usage = shutil.disk_usage(folder)
        return usage.free if usage.total else None
    return None


def _file_system(folder: Path) -> str:
    """Return the type of a folder's file system."""
    mounts = [one for one in psutil.disk_partitions(all=True) if folder.resolve().is_relative_to(one.mountpoint)]
    return max(mounts, key=lambda one: len(one.mountpoint)).fstype if mounts else "an unknown file system"


def _size(count: float) -> str:
    for unit in ("bytes", "KB", "MB", "GB"):
        if count < 1024:
            return f"{count:.0f} {unit}"
        count /= 1024
    return f"{count:.1f} TB"


def _shared_memory() -> Iterator[Finding]:
    import multiprocessing

    finding = partial(Finding, "folders", "shared memory")
    try:
        multiprocessing.get_context("fork").Lock()
    except OSError as problem:
        yield finding(
            "missing", f"semaphores are refused ({told(problem)}), so programs with multiprocessing fail", "mount -t tmpfs tmpfs /dev/shm"
        )
    else:
        yield finding("works", "processes can share locks")


def _store() -> Iterator[Finding]:
    from ludarium.arena.store.database import VARIABLE, open_database

    finding = partial(Finding, "folders", "store")
    where = os.environ.get(VARIABLE)
    try:
        path = Path(where) if where and "://" not in where else None if where else data_folder() / "store.sqlite"
        if path is not None and not path.exists():
            yield finding("works", f"{path}, not made yet")
        elif path is not None:
            _read(path)
            yield finding("works", f"{path}, {_size(path.stat().st_size)}")
        else:
            with closing(open_database(where, create=False)) as database:
                yield finding("works", database.name)
    except (StoreError, sqlite3.Error) as problem:
        yield finding("broken", told(problem), "ludarium store check", needed=True)


def _read(path: Path) -> None:
    """Read a store of SQLite without changing it.

    Raises:
        sqlite3.Error: it cannot be read.
    """
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=5)) as connection:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()


def _machine_code() -> Iterator[Finding]:
    """Run a kernel in two processes: the second finds the machine code of the first."""
    finding = partial(Finding, "machine code")
    version = importlib.metadata.version
    versions = f"Numba {version('numba')}, llvmlite {version('llvmlite')}, NumPy {version('numpy')}"
    results: list[dict[str, Any]] = []
    errors = ""
    for _ in range(2):
        done = _child("-c", "from ludarium.cli.kernel_probe import main; main()")
        errors = done.stderr.strip()
        try:
            results.append(json.loads(done.stdout))
        except ValueError:
            yield finding("compiler", "broken", f"{versions}: {_last(errors)}", "pip install --force-reinstall numba", needed=True)
            return
    if not results[1]["jit"]:
        yield finding("compiler", "broken", f"{versions}: NUMBA_DISABLE_JIT is set, so everything is slow", "unset NUMBA_DISABLE_JIT")
        return
    state = "works" if results[1]["right"] else "broken"
    yield finding("compiler", state, versions, "" if results[1]["right"] else "pip install --force-reinstall numba", needed=True)
    folder = results[1]["folder"]
    if results[1]["compiled"] or folder is None:
        detail = f"machine code is not kept, so every process compiles it: {_last(errors) or folder}"
        yield finding("cache", "broken", detail, "export NUMBA_CACHE_DIR=/a/folder/that/can/be/written")
    else:
        yield finding("cache", "works", _cached(Path(folder)))
    yield from _programs_cache()


def _cached(folder: Path) -> str:
    """Return the folder and the size of the machine code."""
    package = Path(ludarium.__file__).parent
    top = package if folder.is_relative_to(package) else Path(os.environ.get("NUMBA_CACHE_DIR") or cache_folder() / "kernels")
    files = [path.stat().st_size for path in top.rglob("*.nbc")]
    return f"{top}, {len(files):,} files, {_size(sum(files))}"


def _programs_cache() -> Iterator[Finding]:
    from ludarium.players.programs.building import MAX_CACHE_BYTES

    folder = cache_folder() / "programs"
    sizes = [path.stat().st_size for path in folder.glob("*") if path.is_file()]
    yield Finding("machine code", "compiled bots", "works", f"{folder}, {_size(sum(sizes))} of at most {_size(MAX_CACHE_BYTES)}")


def _child(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python in a child process.

    Raises:
        subprocess.TimeoutExpired: it takes too long.
    """
    return subprocess.run(
        [sys.executable, *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=CHILD_SECONDS,
        check=False,
    )


def _last(text: str) -> str:
    lines = text.splitlines()
    return lines[-1][:300] if lines else ""


def _ports(ports: Callable[[], dict[int, list[str]]]) -> Iterator[Finding]:
    for port, commands in sorted(ports().items()):
        finding = partial(Finding, "network", f"port {port}")
        users = ", ".join(commands)
        try:
            with socket.socket() as tried:
                tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                tried.bind(("127.0.0.1", port))
        except OSError as problem:
            other = f"ludarium {commands[0]} --port {port + 1}"
            yield finding("broken", f"{_holder(port) or told(problem)}; the default of {users}", other)
        else:
            yield finding("works", f"free, for {users}")


def _holder(port: int) -> str:
    """Return which process listens on a port, as far as this user may know."""
    with suppress(psutil.Error, OSError):
        for one in psutil.net_connections("tcp"):
            if one.laddr and one.laddr.port == port and one.status == psutil.CONN_LISTEN:
                if one.pid is None:
                    return "a process of another user listens there"
                return f"{psutil.Process(one.pid).name()} (process {one.pid}) listens there"
    return ""


def _clock() -> Iterator[Finding]:
    finding = partial(Finding, "clock", "clock", needed=True)
    first, now = time.monotonic_ns(), time.time()
    made = Path(__file__).stat().st_mtime
    zone = time.strftime("%Z (%z)")
    shown = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(now))
    if time.monotonic_ns() < first:
        yield finding("broken", "the monotonic clock runs backwards")
    elif not made - 86_400 < now < made + 50 * 365 * 86_400:
        yield finding("broken", f"{shown} {zone} is not the time: Ludarium was installed later", "timedatectl set-ntp true")
    else:
        resolution = time.get_clock_info("monotonic").resolution
        yield finding("works", f"{shown} {zone}, resolution {resolution * 1e9:.0f} ns")


def _extras() -> Iterator[Finding]:
    """Import what the extras of the package need, in a child process each."""
    try:
        required = importlib.metadata.requires("ludarium") or []
    except importlib.metadata.PackageNotFoundError:
        return
    extras: dict[str, list[str]] = {}
    for line in required:
        found = re.fullmatch(r"([\w.-]+).*extra == ['\"]([\w-]+)['\"].*", line)
        if found and found[2] not in DEVELOPERS:
            extras.setdefault(found[2], []).append(found[1])
    modules = _modules()
    for extra, packages in sorted(extras.items()):
        yield _extra(extra, packages, modules)


def _modules() -> dict[str, str]:
    """Return the module to import for each installed package, by its name in lower case with ``_``."""
    found: dict[str, str] = {}
    for module, packages in importlib.metadata.packages_distributions().items():
        for package in packages:
            name = _normal(package)
            if name not in found or module.lower() == name:
                found[name] = module
    return found


def _normal(package: str) -> str:
    return re.sub(r"[-_.]+", "_", package).lower()


def _extra(extra: str, packages: Iterable[str], modules: dict[str, str]) -> Finding:
    finding = partial(Finding, "optional packages", extra)
    install = f'pip install "ludarium[{extra}]"'
    names = ", ".join(packages)
    if lacking := [package for package in packages if _normal(package) not in modules]:
        return finding("missing", f"of {names}: {', '.join(lacking)}", install)
    try:
        done = _child("-c", "\n".join(f"import {modules[_normal(package)]}" for package in packages))
    except subprocess.TimeoutExpired:
        return finding("broken", f"{names}: the import takes more than {CHILD_SECONDS} s", install)
    if done.returncode:
        return finding("broken", f"{names}: {_last(done.stderr)}", f"{install} --force-reinstall")
    versions = ", ".join(f"{package} {importlib.metadata.version(package)}" for package in packages)
    return finding("works", versions)


def default_ports(commands: Any) -> dict[int, list[str]]:
    """Return the default of each option ``--port``, with the commands that have it.

    Args:
        commands: the program's group of commands, Ludarium's own and those of the games.
    """
    from ludarium.core.registry import list_games

    found: dict[int, list[str]] = {}
    context = commands.make_context("ludarium", ["doctor"], resilient_parsing=True)

    def walk(command: Any, name: tuple[str, ...]) -> None:
        if not hasattr(command, "list_commands"):
            for parameter in command.params:
                if "--port" in parameter.opts and parameter.default is not None:
                    found.setdefault(int(parameter.default), []).append(" ".join(name))
            return
        for part in [*command.list_commands(context), *(list_games() if not name else ())]:
            with suppress(BadOption, LudariumError):  # a game that does not load; `ludarium games` shows the reason
                if (inner := command.get_command(context, part)) is not None:
                    walk(inner, (*name, part))

    walk(commands, ())
    return found
