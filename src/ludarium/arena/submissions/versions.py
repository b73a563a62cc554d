"""Versions of submitted bots. Each has a folder ``NAME/N`` with ``version.json``, ``files``, the compiled ``program`` and ``errors.log``."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote

from pydantic import TypeAdapter

from ludarium.arena.ladder.names import folded
from ludarium.core.lines import sync_folder
from ludarium.core.pickling import Unpicklable
from ludarium.core.writing import write_text
from ludarium.errors import ProtocolError, store_errors
from ludarium.players.programs.sandbox import chosen_way

PER_DAY = 20
"""Versions that a name may upload in 24 hours."""

DAY = 86_400.0

KEPT = 10
"""Versions of a name that keep their files: the newest."""

KEPT_BYTES = 128 << 20
"""Limit in bytes for the files of a name. The version that plays always keeps its files."""

MAX_NAMES = 200
"""Names with submissions on a ladder."""

MAX_LOG = 1_000_000
"""Bytes of the log of a version, beyond which its beginning is dropped."""

State = Literal["waiting", "refused", "passed", "stopped"]


@dataclass(frozen=True)
class Version:
    """A stored version of a bot."""

    name: str
    """The name on the ladder."""
    number: int
    """Counts from 1 for each name."""
    file: str
    """The name of the uploaded file."""
    bot: str
    """The program or source file, relative to the files of the upload."""
    uploaded: float
    """Seconds since 1970."""
    size: int = 0
    """Bytes of its files."""
    state: State = "waiting"
    """``stopped``: it passed the check, and the ladder took it off later."""
    reason: str = ""
    """The reason for ``refused`` or ``stopped``."""
    has_files: bool = True
    """True if its files still exist."""


_VERSION = TypeAdapter(Version)


class Versions(Unpicklable):
    """All versions on a ladder. Threads may use it; methods that write wait for the disk."""

    send_instead = "send its folder"

    def __init__(self, folder: Path) -> None:
        """Read the versions in a folder, and delete incomplete uploads of a killed server.

        Raises:
            StoreError: the folder cannot be used.
        """
        self._folder = folder
        self._lock = threading.Lock()
        self._versions: dict[str, list[Version]] = {}
        """Versions by folded name, oldest first."""
        with store_errors(f"the submissions in {folder} cannot be kept"):
            folder.mkdir(parents=True, exist_ok=True)
            is_passed_by_others = os.geteuid() == 0 and chosen_way("auto") == "Landlock"  # root's bots run as another user
            folder.chmod(0o711 if is_passed_by_others else 0o700)
            for left in folder.glob(".new-*"):
                shutil.rmtree(left)
            for path in folder.glob("*/*/version.json"):
                with suppress(ValueError):  # a damaged entry is not listed, and stays on the disk
                    found = _VERSION.validate_json(path.read_bytes())
                    if path.parent == self.folder_of(found):
                        self._versions.setdefault(folded(found.name), []).append(found)
        for versions in self._versions.values():
            versions.sort(key=lambda version: version.number)

    def _folder_of_name(self, name: str) -> Path:
        part = quote(folded(name), safe=" ").replace(".", "%2E")
        return self._folder / (part if len(part) <= 100 else sha256(part.encode()).hexdigest())

    def folder_of(self, version: Version) -> Path:
        """Return the folder of a version."""
        return self._folder_of_name(version.name) / str(version.number)

    def files_of(self, version: Version) -> Path:
        """Return the folder with the uploaded files of a version."""
        return self.folder_of(version) / "files"

    def program_of(self, version: Version) -> Path:
        """Return the file with the compiled program of a version."""
        return self.folder_of(version) / "program"

    def log_of(self, version: Version) -> Path:
        """Return the file with the standard error of a version."""
        return self.folder_of(version) / "errors.log"

    @property
    def names(self) -> list[str]:
        """Names that have versions."""
        with self._lock:
            return [versions[-1].name for versions in self._versions.values()]

    def of(self, name: str) -> list[Version]:
        """Return the versions of a name, the oldest first."""
        with self._lock:
            return list(self._versions.get(folded(name), ()))

    def playing(self, name: str) -> Version | None:
        """Return the version of a name that plays: the newest that passed."""
        return next((version for version in reversed(self.of(name)) if version.state == "passed" and version.has_files), None)

    def waiting(self) -> list[Version]:
        """Return the versions that have not been checked, in the order of their uploads."""
        with self._lock:
            found = [version for versions in self._versions.values() for version in versions if version.state == "waiting"]
        return sorted(found, key=lambda version: version.uploaded)

    def check_quota(self, name: str) -> None:
        """Check whether a name may upload another version now.

        Raises:
            ProtocolError: ``too_many`` or ``busy``.
        """
        versions, now = self.of(name), time.time()
        if versions and versions[-1].state == "waiting":
            raise ProtocolError("too_many", f"version {versions[-1].number} is still being checked; submit the next one after it", 10)
        recent = [version.uploaded for version in versions if now - DAY < version.uploaded <= now]
        if len(recent) >= PER_DAY:
            wait = recent[-PER_DAY] + DAY - now
            raise ProtocolError("too_many", f"a name may submit {PER_DAY} versions in 24 hours; submit the next one in {wait:,.0f} s", wait)
        with self._lock:
            if not versions and len(self._versions) >= MAX_NAMES:
                raise ProtocolError("busy", f"{MAX_NAMES} names have submitted bots, the limit of this ladder", 3600)

    @contextmanager
    def made(self) -> Generator[Path]:
        """Yield an empty folder for the files of a new version; it is gone afterwards unless :meth:`add` has taken it.

        Raises:
            StoreError: the disk does not take it.
        """
        new = self._folder / f".new-{secrets.token_hex(8)}"
        files = new / "files"
        try:
            with store_errors("the upload cannot be kept"):
                for folder in (new, files):
                    folder.mkdir()
                    folder.chmod(0o755)
            yield files
        finally:
            shutil.rmtree(new, ignore_errors=True)

    def add(self, files: Path, name: str, file: str, bot: str) -> Version:
        """Store a version whose files are in a folder of :meth:`made`.

        Args:
            name: the name on the ladder.
            file: the name of the uploaded file.
            bot: the path of its program or source file.

        Raises:
            StoreError: the disk does not take it.
        """
        with self._lock:
            number = max((int(one.name) for one in self._folder_of_name(name).glob("*") if one.name.isdecimal()), default=0) + 1
            version = Version(name, number, file, bot, time.time(), _size(files))
            self._write(version, files.parent)
            with store_errors("the upload cannot be kept"):
                folder = self.folder_of(version)
                folder.parent.mkdir(exist_ok=True)
                folder.parent.chmod(0o755)
                files.parent.rename(folder)
                sync_folder(folder.parent)
                sync_folder(self._folder)
            self._versions.setdefault(folded(name), []).append(version)
        return version

    def change(self, version: Version, **changes: Any) -> Version:
        """Change fields of a version.

        Raises:
            StoreError: the disk does not take it.
        """
        with self._lock:
            return self._change(version, **changes)

    def _change(self, version: Version, **changes: Any) -> Version:
        versions = self._versions[folded(version.name)]
        place = next(place for place, one in enumerate(versions) if one.number == version.number)
        changed = replace(versions[place], **changes)
        self._write(changed, self.folder_of(changed))
        versions[place] = changed
        return changed

    def _write(self, version: Version, folder: Path) -> None:
        write_text(folder / "version.json", json.dumps(asdict(version), ensure_ascii=False) + "\n", mode=0o600)

    def prune(self, name: str) -> None:
        """Delete the files of versions beyond :data:`KEPT` or :data:`KEPT_BYTES`, the oldest first.

        Raises:
            StoreError: the disk does not take the change.
        """
        playing, room = self.playing(name), KEPT_BYTES
        with self._lock:
            for place, version in enumerate(reversed(self._versions.get(folded(name), []).copy())):
                room -= version.size if version.has_files else 0
                is_needed = version.state == "waiting" or (playing is not None and version.number == playing.number)
                if version.has_files and (place >= KEPT or room < 0) and not is_needed:
                    self._change(version, has_files=False)
                    for folder in (self.files_of(version), self.program_of(version), self.log_of(version)):
                        shutil.rmtree(folder, ignore_errors=True) if folder.is_dir() else folder.unlink(missing_ok=True)

    def read_log(self, version: Version) -> str:
        """Return the standard error of a version and of its build."""
        with suppress(FileNotFoundError), self.log_of(version).open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - MAX_LOG))
            return file.read(MAX_LOG).decode(errors="replace")
        return ""

    def note(self, version: Version, words: str) -> None:
        """Add a line to the log of a version."""
        with suppress(OSError), self.log_of(version).open("a", encoding="utf-8", errors="backslashreplace") as log:
            log.write(f"{words}\n")


def trim_log(path: Path) -> None:
    """Drop the first part of a long log. No program may write to it meanwhile."""
    with suppress(OSError):
        if path.stat().st_size > MAX_LOG:
            kept = path.read_bytes()[-MAX_LOG // 2 :]
            path.write_bytes(b"(the first part was dropped)\n" + kept)


def _size(folder: Path) -> int:
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file())
