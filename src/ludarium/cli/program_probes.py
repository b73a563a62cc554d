"""Probes of ``ludarium doctor``: the sandbox, and each interpreter and compiler with a program of one line."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path

from ludarium.core.compiling import on_build
from ludarium.core.running_time import running_time
from ludarium.errors import BadOption, PlayerFailed
from ludarium.players.programs import Conditions, protection_of
from ludarium.players.programs.commands import COMPILERS, INTERPRETERS, PYTHON, command_of
from ludarium.players.programs.process import Process
from ludarium.players.programs.sandbox import WAYS, why_not
from ludarium.search.checks import never

from .findings import Finding, Probe, told

ANSWER = b"42"

_C = '#include <stdio.h>\nint main(void) { printf("%d\\n", 6 * 7); }\n'
SOURCES = {
    ".c": _C,
    ".cc": _C,
    ".cpp": _C,
    ".java": "class Bot { public static void main(String[] arguments) { System.out.println(6 * 7); } }\n",
    ".js": "console.log(6 * 7)\n",
    ".lua": "print(6 * 7)\n",
    ".mjs": "console.log(6 * 7)\n",
    ".php": "<?php echo 6 * 7, PHP_EOL;\n",
    ".pl": 'print 6 * 7, "\\n";\n',
    ".py": "print(6 * 7)\n",
    ".rb": "puts 6 * 7\n",
    ".rs": 'fn main() { println!("{}", 6 * 7); }\n',
    ".sh": "echo $((6 * 7))\n",
}
"""A program for each ending; it prints :data:`ANSWER`."""

PACKAGES = {
    "c++": "g++",
    "cc": "gcc",
    "java": "default-jdk-headless",
    "lua": "lua5.4",
    "node": "nodejs",
    "php": "php-cli",
    "sh": "dash",
}
"""Debian packages whose names differ from their commands."""

ASKS_VERSION = {"java": "-version", "lua": "-v"}
"""Options that print the version if ``--version`` does not."""

CACHE = "XDG_CACHE_HOME"
"""Variable of the folder of caches."""

SECONDS = 60.0
"""Time limit of a program of one line, with its compilation."""

NO_BUBBLEWRAP = "'bwrap'"
"""Part of the reason on a machine that lacks bubblewrap."""

USER_NAMESPACES = {"kernel/apparmor_restrict_unprivileged_userns": "0", "kernel/unprivileged_userns_clone": "1"}
"""Settings of kernels that may refuse user namespaces, with the value that allows them."""


def program_probes() -> list[Probe]:
    """Return the probes."""
    tools: dict[str, list[str]] = {}
    for ending, words in {**INTERPRETERS, **COMPILERS}.items():
        tools.setdefault(words[0], []).append(ending)
    probes = [Probe("sandbox", "sandbox", _sandbox), Probe("sandbox", "user namespaces", _namespaces)]
    for tool, endings in tools.items():
        section = "compilers" if endings[0] in COMPILERS else "interpreters"
        is_ours = tool == PYTHON
        name = "python" if is_ours else tool
        probes.append(Probe(section, name, partial(_tool, section, name, tool, endings), seconds=3 * SECONDS))
    return sorted(probes, key=lambda probe: ("sandbox", "interpreters", "compilers").index(probe.section))


@contextmanager
def no_traces() -> Generator[None]:
    """Build programs in a temporary cache, without notices."""
    listeners = on_build[:]
    on_build.clear()
    usual = os.environ.get(CACHE)
    try:
        with ExitStack() as deleted:
            with suppress(OSError):  # without temporary folders, as the report says
                folder = deleted.enter_context(tempfile.TemporaryDirectory(prefix="ludarium-doctor-", ignore_cleanup_errors=True))
                Path(folder).chmod(0o755)
                os.environ[CACHE] = folder
            yield
    finally:
        on_build.extend(listeners)
        if usual is None:
            os.environ.pop(CACHE, None)
        else:
            os.environ[CACHE] = usual


def _sandbox() -> Iterator[Finding]:
    reasons = why_not()
    for way in WAYS:
        finding = partial(Finding, "sandbox", way)
        if way not in reasons:
            yield finding("works", _confined())
            return
        yield finding("missing", reasons[way][:300], _advice(way, reasons[way]))


def _confined() -> str:
    """Return how a program is confined here."""
    try:
        way, why = protection_of("cmd:true", Conditions(), "")
    except BadOption:  # no command `true` in the PATH
        return "confines programs"
    return f"programs play in {way}{why}"


def _advice(way: str, reason: str) -> str:
    if way != "bubblewrap":
        return "use Linux 6.12 or newer, started with landlock in its lsm= list"
    if NO_BUBBLEWRAP in reason:
        return "apt-get install bubblewrap"
    return _allow_namespaces()


def _allow_namespaces() -> str:
    """Return the command that lets users have namespaces."""
    for name, value in USER_NAMESPACES.items():
        setting = Path("/proc/sys") / name
        if setting.is_file() and setting.read_text().strip() != value:
            return f"sysctl -w {name.replace('/', '.')}={value}"
    return "in a container, start it with: podman run --security-opt seccomp=unconfined"


def _namespaces() -> Iterator[Finding]:
    finding = partial(Finding, "sandbox", "user namespaces")
    tool = shutil.which("unshare") or shutil.which("unshare", path=os.defpath)
    if tool is None:
        yield finding("missing", "not tried without the command 'unshare'", "apt-get install util-linux")
        return
    done = subprocess.run(
        [tool, "--user", "true"], stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=SECONDS
    )
    if done.returncode:
        yield finding("missing", " ".join(done.stderr.split())[:300], _allow_namespaces())
    else:
        yield finding("works", "the kernel lets this user have them")


def _tool(section: str, name: str, tool: str, endings: list[str]) -> Iterator[Finding]:
    """Build and run a program of one line in the sandbox, as a bot runs."""
    finding = partial(Finding, section, name)
    found = shutil.which(tool)
    if found is None:
        yield finding("missing", f"for {' '.join(endings)}", f"apt-get install {PACKAGES.get(tool, tool)}")
        return
    where = f"{found}{_version(tool, found)}, for {' '.join(endings)}"
    ending = next(one for one in endings if one in SOURCES)
    try:
        said = _run(ending)
    except (PlayerFailed, BadOption) as problem:
        yield finding("broken", f"{where}: {told(problem)}", f"apt-get install --reinstall {PACKAGES.get(tool, tool)}")
        return
    if said == ANSWER:
        yield finding("works", where)
    else:
        yield finding("broken", f"{where}: 6 * 7 gave {said[:40]!r}", f"apt-get install --reinstall {PACKAGES.get(tool, tool)}")


def _run(ending: str) -> bytes:
    """Return the line that the program of an ending prints.

    Raises:
        PlayerFailed: it cannot be built, or fails.
        BadOption: it cannot be run.
    """
    with tempfile.TemporaryDirectory(prefix="ludarium-doctor-") as made:
        folder = Path(made)
        folder.chmod(0o755)  # root's programs run as other users
        (folder / f"Bot{ending}").write_text(SOURCES[ending], encoding="utf-8")
        program = Process(command_of(f"Bot{ending}", folder), Conditions())
        try:
            return program.receive(running_time() + SECONDS, never)
        finally:
            program.end()


def _version(tool: str, found: str) -> str:
    """Return the version that a command tells, after a comma; '' if it tells none."""
    try:
        done = subprocess.run(
            [found, ASKS_VERSION.get(tool, "--version")],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    lines = [line.strip() for line in (done.stdout or done.stderr).splitlines() if line.strip()]
    return f", {lines[0][:60]}" if lines and not done.returncode else ""
