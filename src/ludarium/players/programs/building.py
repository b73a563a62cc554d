"""Building a bot's program: compiled sources are cached by everything that their compiler read.

A cached program is used again only if nothing differs: the compiler and its settings, the files that it read, and which of the names that sources
include exist in the folders that the compiler searches (a new file there can hide one that was read). If that cannot be known, the program is compiled each
time it is started.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import secrets
import shlex
import subprocess
import tarfile
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from ludarium.core.compiling import on_build
from ludarium.core.data_folder import cache_folder, home_folder
from ludarium.core.locks import waited_for
from ludarium.core.writing import write_text
from ludarium.errors import BadOption, PlayerCrashed, StoreError

from .commands import Builder, Command
from .conditions import Conditions
from .needs import Needs, is_apart, may_change, named_path, needs_of
from .sandbox import chosen_way, confined_tool
from .supervised import run_kept

MAX_SECONDS = 60.0
"""Time limit of a compiler or a bot's own build command."""

MAX_MEMORY = 1 << 30
"""Memory limit of these in bytes."""

MAX_PROCESSES = 64
"""Limit of their processes."""

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

_FOLDERS = ("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH", "LD_LIBRARY_PATH", "COMPILER_PATH", "RUSTUP_HOME")
"""Variables with folders that a compiler reads."""

_TOOLS = {"CARGO_HOME": ".cargo", "RUSTUP_HOME": ".rustup"}
"""Variables with folders of build tools, and where these are in a home if a variable is not set."""

_SECRETS = ("credentials", "credentials.toml")
"""Files in these folders that no build command sees."""

_COMPILE = """\
source=$1; shift
"$@" -MD -MF "$LUDARIUM_SCRATCH/dependencies" -o "$LUDARIUM_SCRATCH/program" "$source"
"""
_COMPILE_RUST = """\
source=$1; shift
"$@" --crate-name bot --out-dir "$LUDARIUM_SCRATCH" "--emit=link=$LUDARIUM_SCRATCH/program,dep-info=$LUDARIUM_SCRATCH/dependencies" "$source"
"""
_BUILD = '"$@"\n'
_IN_SANDBOX = """\
{{
{run}}} > "$LUDARIUM_SCRATCH/said" 2>&1
code=$?
cd "$LUDARIUM_SCRATCH" && tar -cf - said program dependencies 2> /dev/null
exit $code
"""
"""Shell script that runs a tool and writes its results as an archive to the standard output."""

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
            with Path(file).open("rb") as read:
                found.update(hashlib.file_digest(read, "sha256").digest())
        for folder in self.folders:
            for name in self.names:
                if os.path.exists(path := os.path.join(folder, name)):  # noqa: PTH110, PTH118
                    found.update(_text_digest(path))
        return found.hexdigest()[:32]

    def newest(self) -> int:
        """Return when one of the files last changed, in nanoseconds since 1970."""
        return max(Path(file).stat().st_ctime_ns for file in self.files)


def build(command: Command, conditions: Conditions) -> Built:
    """Return the program of a command, built in the sandbox if it has to be.

    Raises:
        PlayerCrashed: it cannot be compiled, or the result cannot be stored.
        BadOption: a sandbox is required and missing, or would hide what is built.
    """
    try:
        if command.source is not None:
            return _compiled(command, command.source, conditions)
    except OSError as problem:
        raise PlayerCrashed(f"crash: {command.text} cannot be compiled: {problem.strerror}") from None
    except StoreError as problem:
        raise PlayerCrashed(f"crash: {command.text} cannot be compiled: {problem}") from None
    if command.builder is not None:
        return _built_by(command, command.builder, conditions)
    files = tuple(str(path) for word in command.words if (path := named_path(command.folder, word)) and path.is_file())
    mark = _mark(files)
    return Built(command.words, _stamps(files), files, mark)


def _built_by(command: Command, builder: Builder, conditions: Conditions) -> Built:
    """Run a bot's own build command, which may find nothing to do. Only one runs at a time for each program.

    Raises:
        PlayerCrashed: it fails, or makes no program.
        BadOption: it would change a home folder.
    """
    made = Path(command.words[-1])
    folder, tools = _build_folder(builder, made), _tool_folders()
    if chosen_way(conditions.sandbox) is None:
        needs, variables = Needs((), written=(folder,) if is_apart(folder) else ()), dict(os.environ)
    elif not is_apart(folder):
        raise BadOption(
            f"player {command.text}: its build command would change {folder}; give the bot a folder of its own, or --sandbox off"
        )
    else:
        secrets = tuple(path for one in tools.values() for name in _SECRETS if (path := one / name).exists())
        reads = (*tools.values(), *(Path(word) for word in builder.words[1:] if word.startswith("/") and named_path(folder, word)))
        tool = Command(command.text, builder.words, folder, reads=reads)
        needs = may_change(_needs(tool, builder.words, replace(conditions, hidden=(*conditions.hidden, *secrets))), folder)
        variables = _variables() | {name: str(one) for name, one in tools.items()}
    try:
        lock = cache_folder() / "programs" / f"{_text_digest(str(made)).hex()[:32]}.lock"
        lock.parent.mkdir(parents=True, exist_ok=True)
        with waited_for(lock):
            done = _run(command, _BUILD, builder.words, builder.folder, needs, conditions, variables)
        if done.code:
            raise PlayerCrashed(
                f"crash: {command.text} cannot be built: '{shlex.join(builder.words)}' ended with exit code {done.code}: {done.said}"
            )
        if not (made.resolve().is_relative_to(folder) and made.is_file()):
            raise PlayerCrashed(f"crash: {command.text} cannot be built: {made} is not a file in {folder}")
        if command.words == (str(made),) and not os.access(made, os.X_OK):
            made.chmod(made.stat().st_mode | 0o111)
        with made.open("rb") as program:
            return Built(command.words, (str(made), hashlib.file_digest(program, "sha256").digest()), (), None)
    except OSError as problem:
        raise PlayerCrashed(f"crash: {command.text} cannot be built: {problem.filename}: {problem.strerror}") from None
    except StoreError as problem:
        raise PlayerCrashed(f"crash: {command.text} cannot be built: {problem}") from None


def _tool_folders() -> dict[str, Path]:
    """Return the folders of build tools that exist, by the variables that name them."""
    home = home_folder()
    named = {name: os.environ.get(name) or (str(home / usual) if home else "") for name, usual in _TOOLS.items()}
    return {name: folder for name, value in named.items() if value and (folder := Path(value).resolve()).is_dir()}


def _build_folder(builder: Builder, made: Path) -> Path:
    """Return the folder that a build command may read and change.

    That is the smallest folder with the program and all paths inside the current folder that the command names. Without such paths, it is the current
    folder. For a program outside of the current folder, folders around the program count instead.
    """
    here, own = builder.folder.resolve(), made.parent.resolve()
    words = [part for word in builder.words[1:] for part in (word, *word.split())]
    named = [path.resolve() for word in words if (path := named_path(builder.folder, word))]
    if own.is_relative_to(here):
        folders = [path if path.is_dir() else path.parent for path in named if path.is_relative_to(here)] or [here]
    else:
        folders = [path for path in named if own.is_relative_to(path) and is_apart(path)]
    return Path(os.path.commonpath([own, *folders]))


@dataclass(frozen=True)
class _Results:
    """Results of a compiler or a build command."""

    code: int
    said: str
    """The first part of its output."""
    program: bytes
    dependencies: bytes


def _run(
    command: Command,
    script: str,
    words: Sequence[str],
    folder: Path,
    needs: Needs,
    conditions: Conditions,
    variables: Mapping[str, str],
) -> _Results:
    """Run a compiler or build command in the sandbox, within limits.

    Raises:
        PlayerCrashed: it exceeds a limit.
        BadOption: a sandbox is required, and there is none.
    """
    start = confined_tool(("sh", "-c", _IN_SANDBOX.format(run=script), "sh", *words), folder, needs, conditions.sandbox, variables)
    for listener in tuple(on_build):
        listener(command.text)
    done = run_kept(start, memory=MAX_MEMORY, processes=MAX_PROCESSES, seconds=MAX_SECONDS)
    if done.why:
        done_so, tool = ("compiled", command.words[0]) if command.source else ("built", words[0])
        raise PlayerCrashed(f"crash: {command.text} cannot be {done_so}: '{tool}' took {done.why}")
    found = {"said": b"", "program": b"", "dependencies": b""}
    with suppress(tarfile.TarError), tarfile.open(fileobj=io.BytesIO(done.output)) as archive:
        for member in archive:
            if member.name in found and member.isreg() and (file := archive.extractfile(member)):
                found[member.name] = file.read()
    said = " ".join(found["said"][:4000].decode(errors="replace").split())[:500]
    return _Results(done.code, said, found["program"], found["dependencies"])


def _variables() -> dict[str, str]:
    """Return the environment variables of a compiler."""
    return {name: value for name, value in os.environ.items() if _VARIABLES.fullmatch(name)}


def _needs(command: Command, words: Sequence[str], conditions: Conditions) -> Needs:
    """Return what a tool reads: what it would as a program, and the folders of its variables."""
    named = [Path(folder) for name in _FOLDERS for folder in os.environ.get(name, "").split(os.pathsep) if folder]
    folders = tuple(folder for path in named if (folder := path.resolve()).is_dir() and is_apart(folder))
    return needs_of(replace(command, reads=(*command.reads, *folders)), words, conditions.hidden)


def _compiled(command: Command, source: Path, conditions: Conditions) -> Built:
    cache = cache_folder() / "programs"
    cache.mkdir(parents=True, exist_ok=True)
    variables = _variables()
    settings = [value for name, value in sorted(variables.items()) if not _NO_MATTER.fullmatch(name)]
    compiler = _Compiler(command, source, variables, conditions)
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
    conditions: Conditions

    @property
    def is_rust(self) -> bool:
        return self.source.suffix == ".rs"

    def identity(self) -> str:
        """Return the compiler's version and settings; a C or C++ compiler also tells the folders where it looks for headers.

        Nothing of the bot is read for this. A bot's folder may choose another version of Rust, so rustc is asked elsewhere.
        """
        asked = ("-vV",) if self.is_rust else ("-E", "-v", "-x", "c" if self.source.suffix == ".c" else "c++", os.devnull)
        done = self._asked(*asked)
        return f"{_stamps(self.command.words[:1])}\n{done.stdout.decode(errors='replace')}\n{done.stderr.decode(errors='replace')}"

    def _asked(self, *asked: str) -> subprocess.CompletedProcess[bytes]:
        """Ask the compiler about itself.

        Raises:
            PlayerCrashed: it does not end in time.
        """
        words, folder = [*self.command.words, *asked], "/" if self.is_rust else self.command.folder
        try:
            return subprocess.run(
                words, cwd=folder, env=self.variables, stdin=subprocess.DEVNULL, capture_output=True, timeout=MAX_SECONDS, check=False
            )
        except subprocess.TimeoutExpired:
            raise PlayerCrashed(f"crash: {self.command.text} cannot be compiled: '{words[0]}' took more than {MAX_SECONDS:g} s") from None

    def compile(self, made: Path, dependencies: Path) -> None:
        """Compile the source in the sandbox, and write down what was read for it.

        Raises:
            PlayerCrashed: the compiler refuses it, or exceeds a limit.
        """
        words = self.command.words
        if self.is_rust:
            chosen = Path(os.fsdecode(self._asked("--print", "sysroot").stdout.strip())) / "bin" / "rustc"
            words = (str(chosen) if os.access(chosen, os.X_OK) else words[0], *words[1:])  # rustup itself chooses by files in a home
        command = replace(self.command, reads=(*self.command.reads, self.source))
        needs = _needs(command, (*words, str(self.source)), self.conditions)
        script = _COMPILE_RUST if self.is_rust else _COMPILE
        given = (str(self.source), *words)
        done = _run(command, script, given, self.command.folder, needs, self.conditions, self.variables)
        if done.code or not done.program:
            raise PlayerCrashed(f"crash: {self.command.text} cannot be compiled: {done.said or f'exit code {done.code}'}")
        made.write_bytes(done.program)
        made.chmod(0o755)
        if done.dependencies:
            dependencies.write_bytes(done.dependencies)

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
