"""Building a bot's program: compiled sources are cached by everything that their compiler read.

A cached program is used again only if nothing differs: the compiler and its settings, the files that it read, and which of the names that sources
include exist in the folders that the compiler searches (a new file there can hide one that was read). If that cannot be known, the program is compiled each
time it is started.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
import shlex
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ludarium.core.data_folder import cache_folder
from ludarium.core.locks import waited_for
from ludarium.core.writing import write_text
from ludarium.errors import PlayerCrashed, StoreError

from .commands import Builder, Command

MAX_SECONDS = 60.0
"""Seconds that a compiler may take."""

MAX_BUILD_SECONDS = 600.0
"""Time limit of a bot's own build command."""

MAX_CACHE_BYTES = 512 << 20
"""Size of the cache; the least recently used programs are deleted first."""

MAX_ATTEMPTS = 5
"""How often a source is compiled that changes meanwhile."""

_IN_USE_SECONDS = 600
"""Programs used so recently are not deleted: they may be starting."""

_RECENT_NS = 2_000_000_000
"""Two changes within this time may leave the same time stamp on a file."""

_VARIABLES = re.compile(
    r"PATH|HOME|TMPDIR|TZ|LANG|LANGUAGE|LC_.*|CPATH|(C|CPLUS|OBJC|OBJCPLUS)_INCLUDE_PATH|LIBRARY_PATH|LD_LIBRARY_PATH|LD_RUN_PATH|COMPILER_PATH|GCC_.*|"
    r"SOURCE_DATE_EPOCH|SDKROOT|DEVELOPER_DIR|MACOSX_.*|NIX_.*|RUST.*|CARGO_HOME|CCACHE_.*"
)
"""Variables that a compiler is given; all others are kept from it, so that they cannot matter."""

_NO_MATTER = re.compile(r"HOME|TMPDIR|TZ|LANG|LANGUAGE|LC_.*")
"""Those of them that change messages and places of temporary files, not programs."""

_INCLUDES = re.compile(rb'(?:#\s*(?:include|include_next|import|embed)|__has_(?:include|include_next|embed)\s*\()\s*["<]([^">\n]+)[">]')
"""What C and C++ sources include or ask for by name."""

_UNKNOWN = re.compile(rb'#\s*(?:include|include_next|import|embed)\s+[^"<\s/]|__has_(?:include|include_next|embed)\s*\(\s*[^"<\s)]|incbin')
"""What reads files that neither the source nor the compiler names."""


@dataclass(frozen=True)
class Built:
    """A program that can be started."""

    words: tuple[str, ...]
    """Its command line."""
    identity: object
    """Equal for two builds if they are the same program, as far as is known."""
    watched: tuple[str, ...]
    """Files and folders on which it depends."""
    mark: object
    """Their time stamps before they were read; None if another change could leave the same ones."""

    def is_current(self) -> bool:
        """Tell whether nothing that the program depends on has changed since, without reading it. False if that is uncertain."""
        return self.mark is not None and self.mark == _mark(self.watched)


@dataclass(frozen=True)
class Dependencies:
    """What a compiler read, and where it looked."""

    files: tuple[str, ...]
    folders: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    """What was looked for in these folders, by paths relative to them."""

    def digest(self, base: str) -> str:
        """Return a digest of a compilation: its settings, what the files contain, and which of the names exist.

        Raises:
            OSError: one of the files cannot be read.
        """
        found = hashlib.sha256(base.encode())
        for file in self.files:
            found.update(_text_digest(file))
            found.update(hashlib.sha256(Path(file).read_bytes()).digest())
        for folder in self.folders:
            for name in self.names:
                if os.path.exists(path := os.path.join(folder, name)):  # noqa: PTH110, PTH118
                    found.update(_text_digest(path))
        return found.hexdigest()[:32]

    def newest(self) -> int:
        """Return when one of the files last changed, in nanoseconds since 1970."""
        return max(Path(file).stat().st_ctime_ns for file in self.files)


def build(command: Command) -> Built:
    """Return the program of a command, built if it has to be.

    Raises:
        PlayerCrashed: it cannot be compiled, or the result cannot be stored.
    """
    try:
        if command.source is not None:
            return _compiled(command, command.source)
    except OSError as problem:
        raise PlayerCrashed(f"crash: {command.text} cannot be compiled: {problem.strerror}") from None
    except StoreError as problem:
        raise PlayerCrashed(f"crash: {command.text} cannot be compiled: {problem}") from None
    if command.builder is not None:
        return _built_by(command, command.builder)
    files = tuple(str(path) for word in command.words if len(word) < 4096 and os.path.isfile(path := command.folder / word))  # noqa: PTH113
    mark = _mark(files)
    return Built(command.words, _stamps(files), files, mark)


def _built_by(command: Command, builder: Builder) -> Built:
    """Run a bot's own build command, which may find nothing to do. Only one runs at a time for each program.

    Raises:
        PlayerCrashed: it fails, or makes no program.
    """
    made = Path(command.words[-1])
    try:
        lock = cache_folder() / "programs" / f"{_text_digest(str(made)).hex()[:32]}.lock"
        lock.parent.mkdir(parents=True, exist_ok=True)
        with waited_for(lock):
            done = _run(command, builder.words, builder.folder, None, MAX_BUILD_SECONDS)
        if done.returncode:
            said = " ".join((done.stderr or done.stdout).split())[:500]
            raise PlayerCrashed(
                f"crash: {command.text} cannot be built: '{shlex.join(builder.words)}' ended with exit code {done.returncode}: {said}"
            )
        return Built(command.words, (str(made), hashlib.sha256(made.read_bytes()).digest()), (), None)
    except OSError as problem:
        raise PlayerCrashed(f"crash: {command.text} cannot be built: {problem.filename}: {problem.strerror}") from None
    except StoreError as problem:
        raise PlayerCrashed(f"crash: {command.text} cannot be built: {problem}") from None


def _run(
    command: Command, words: Sequence[str], folder: Path, variables: dict[str, str] | None, seconds: float
) -> subprocess.CompletedProcess[str]:
    """Run a compiler in its own session, so that Ctrl-C does not end it."""
    process = subprocess.Popen(
        words,
        cwd=folder,
        env=variables,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        start_new_session=True,
    )
    with process:
        try:
            output, errors = process.communicate(timeout=seconds)
        except BaseException as problem:
            os.killpg(process.pid, signal.SIGKILL)
            if not isinstance(problem, subprocess.TimeoutExpired):
                raise
            raise PlayerCrashed(f"crash: {command.text} cannot be compiled: '{words[0]}' took more than {seconds:g} s") from None
    return subprocess.CompletedProcess(words, process.returncode, output, errors)


def _compiled(command: Command, source: Path) -> Built:
    cache = cache_folder() / "programs"
    cache.mkdir(parents=True, exist_ok=True)
    variables = {name: value for name, value in os.environ.items() if _VARIABLES.fullmatch(name)}
    settings = [value for name, value in sorted(variables.items()) if not _NO_MATTER.fullmatch(name)]
    compiler = _Compiler(command, source, variables)
    identity = compiler.identity()
    base = hashlib.sha256(repr((command.words, os.fsencode(source), identity, settings)).encode("utf-8", "backslashreplace")).hexdigest()[
        :32
    ]
    listing = cache / f"{base}.json"
    with suppress(OSError, ValueError, TypeError):  # never compiled, or something has changed
        known = Dependencies(**{name: tuple(values) for name, values in json.loads(listing.read_text(encoding="utf-8")).items()})
        built = _built(cache, known, base)
        os.utime(built.words[0])  # used: see _prune
        return built
    before = ""
    for _ in range(MAX_ATTEMPTS):
        aside = Path(tempfile.mkdtemp(prefix=".", dir=cache))
        try:
            started = aside.stat().st_ctime_ns
            made = aside / "program"
            compiler.compile(made, aside / "dependencies")
            read = compiler.files_read(aside / "dependencies")
            found = compiler.dependencies(read, identity)
            if found is None:
                mark, contents = _mark(read), hashlib.sha256(made.read_bytes()).digest()
                once = cache / f"once-{secrets.token_hex(8)}"
                made.replace(once)
                return Built((str(once),), contents, read, mark)
            digest = found.digest(base)
            if found.newest() < started or digest == before:  # else what was read may not be what is there now
                made.replace(cache / digest)
                write_text(listing, json.dumps({"files": found.files, "folders": found.folders, "names": found.names}))
                return _built(cache, found, base)
            before = digest
        finally:
            _remove(aside)
            _prune(cache)
    raise PlayerCrashed(f"crash: {command.text} cannot be compiled: its files change all the time")


def _built(cache: Path, found: Dependencies, base: str) -> Built:
    """Return the cached program of a compilation.

    Raises:
        OSError: there is none.
    """
    watched = (*found.files, *(folder for folder in found.folders if folder))
    mark = _mark(watched)
    program = cache / found.digest(base)
    program.stat()
    return Built((str(program),), program, watched, mark)


@dataclass(frozen=True)
class _Compiler:
    """A compiler with its source."""

    command: Command
    source: Path
    variables: dict[str, str]

    @property
    def is_rust(self) -> bool:
        return self.source.suffix == ".rs"

    def identity(self) -> str:
        """Return the compiler's version and settings; a C or C++ compiler also tells the folders where it looks for headers."""
        language = "c" if self.source.suffix == ".c" else "c++"
        asked = ("-vV",) if self.is_rust else ("-E", "-v", "-x", language, os.devnull)
        done = _run(self.command, [*self.command.words, *asked], self.command.folder, self.variables, MAX_SECONDS)
        return f"{_stamps([self.command.words[0]])}\n{done.stdout}\n{done.stderr}"

    def compile(self, made: Path, dependencies: Path) -> None:
        """Compile the source, and write down what was read for it.

        Raises:
            PlayerCrashed: the compiler refuses it.
        """
        if self.is_rust:
            asked = ("--crate-name", "bot", f"--emit=link={made},dep-info={dependencies}", str(self.source))
        else:
            asked = ("-MD", "-MF", str(dependencies), "-o", str(made), str(self.source))
        done = _run(self.command, [*self.command.words, *asked], self.command.folder, self.variables, MAX_SECONDS)
        if done.returncode:
            raise PlayerCrashed(f"crash: {self.command.text} cannot be compiled: {' '.join(done.stderr.split())[:500]}")

    def files_read(self, written: Path) -> tuple[str, ...]:
        """Return the files that the compiler has written down as read; the source alone if it writes nothing down."""
        try:
            found = {str(self.command.folder / os.fsdecode(name)) for name in _prerequisites(written.read_bytes())}
        except OSError:
            found = set[str]()
        return tuple(sorted(found | {str(self.source)}))

    def dependencies(self, files: tuple[str, ...], identity: str) -> Dependencies | None:
        """Return what the compiler read and where it looked, or None if the files that it wrote down are not all that matters."""
        if not all(Path(file).is_file() for file in files):
            return None
        if self.is_rust:
            return Dependencies(files, ("",), tuple(_other_module(Path(file)) for file in files))
        searched = [one or other for one, other in re.findall(r'^ (/.*)$|nonexistent directory "(.+)"$', identity, re.MULTILINE)]
        return _including(files, searched) if searched else None


def _prerequisites(rules: bytes) -> Iterator[bytes]:
    """Yield the files on which the rules of a makefile depend, as compilers write them."""
    for line in rules.replace(b"\\\r\n", b" ").replace(b"\\\n", b" ").splitlines():
        _, colon, files = line.partition(b": ")
        if colon and not line.startswith(b"#"):
            for file in re.findall(rb"(?:\\.|[^\\\s])+", files):
                yield re.sub(rb"\\([ #\\:])", rb"\1", file).replace(b"$$", b"$")


def _other_module(file: Path) -> str:
    """Return the other name that a module of Rust could have; a compiler refuses both at once."""
    return str(file.parent.with_suffix(".rs") if file.name == "mod.rs" else file.with_suffix("") / "mod.rs")


def _including(files: Sequence[str], searched: Sequence[str]) -> Dependencies | None:
    """Return what C or C++ read: these files, found in these folders or beside each other. None if a file reads others without naming them."""
    names: set[str] = set()
    folders = dict.fromkeys(searched)
    for file in files:
        within = [folder for folder in searched if file.startswith(folder.rstrip("/") + "/")]
        names.update(os.path.relpath(file, folder) for folder in within)
        if file.startswith("/usr/") and within:
            continue  # headers of the system, which are too many to read
        text = Path(file).read_bytes().replace(b"\\\r\n", b"").replace(b"\\\n", b"")
        if _UNKNOWN.search(text):
            return None
        named = [os.fsdecode(one) for one in _INCLUDES.findall(text)]
        names.update(named, (f"{name}.gch" for name in named))
        folders[str(Path(file).parent)] = None
    return Dependencies(tuple(files), tuple(folders), tuple(sorted(names)))


def _stamps(paths: Iterable[str]) -> tuple[tuple[int, ...], ...]:
    """Return the time stamps of files and folders; () for each that does not exist."""
    return tuple(_stamp(path) for path in paths)


def _stamp(path: str) -> tuple[int, ...]:
    try:
        found = os.stat(path)  # noqa: PTH116
    except OSError:
        return ()
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def _mark(paths: Iterable[str]) -> object:
    """Return the time stamps of files, or None if one has changed so recently that another change could leave the same ones."""
    stamps = _stamps(paths)
    newest = max((stamp[-1] for stamp in stamps if stamp), default=0)
    return stamps if newest < time.time_ns() - _RECENT_NS else None


def _text_digest(text: str) -> bytes:
    return hashlib.sha256(os.fsencode(text)).digest()


def _remove(folder: Path) -> None:
    """Delete a folder of files; several processes may do so at once."""
    with suppress(OSError):
        for file in folder.iterdir():
            file.unlink(missing_ok=True)
        folder.rmdir()


def _prune(cache: Path) -> None:
    """Delete the least recently used programs beyond the cache's size, and what a process that was killed has left behind."""
    now, total = time.time(), 0
    with suppress(OSError):  # other processes do the same
        found = sorted(((path.stat(), path) for path in cache.iterdir()), key=lambda one: -one[0].st_mtime)
        for status, path in found:
            total += status.st_size
            is_old = now - status.st_mtime > _IN_USE_SECONDS
            if path.is_dir() and is_old:
                _remove(path)
            elif is_old and (total > MAX_CACHE_BYTES or path.name.startswith("once-")):
                path.unlink(missing_ok=True)
