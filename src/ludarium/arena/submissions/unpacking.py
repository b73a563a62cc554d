"""Unpacks uploads. Limits count the bytes as they come out, not the sizes that an archive declares, and only files and folders are created."""

from __future__ import annotations

import gzip
import io
import os
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from struct import error as StructError
from typing import IO

from ludarium.errors import ProtocolError, store_errors

MAX_UPLOAD = 8 << 20
"""Bytes of an upload."""

MAX_UNPACKED = 64 << 20
"""Limit in bytes for all files of an upload."""

MAX_FILES = 1000
"""Files and folders in an archive."""

MAX_DEPTH = 10
"""Parts of a path."""

MAX_NAME = 100
"""Characters of each part."""

ARCHIVES = (".zip", ".tar.gz", ".tgz")

_CHUNK = 1 << 16

_DAMAGES = (
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
    EOFError,
    OSError,  # gzip's
    NotImplementedError,  # zipfile's, for newer features of the format
    ValueError,
    RecursionError,  # of tarfile, by headers that announce further headers
    StructError,
)
"""Exceptions of the standard library for damaged or hostile archives."""

_Entry = tuple[str, bool, Callable[[], IO[bytes]]]
"""Path of an entry, True for a folder, and a function that opens its content."""


def unpack(name: str, data: bytes, folder: Path) -> None:
    """Write an uploaded file, or the files of an uploaded archive, into a folder.

    Files are readable for all, and executable if they start with ``#!`` or are machine code. Modes and owners in the archive are ignored.

    Args:
        name: the upload's file name; its ending says whether it is an archive.
        data: its content.
        folder: an empty folder.

    Raises:
        ProtocolError: ``bad_file``: the name or the archive cannot be accepted; ``too_large``. The folder may then hold some of the files.
        StoreError: the disk does not take the files.
    """
    if len(data) > MAX_UPLOAD:
        raise too_large()
    try:
        _Unpacking(folder).add_all(_entries(name, data))
    except _DAMAGES as problem:
        raise _bad(f"{_shown(name)} is damaged, or not an archive of this kind: {str(problem) or type(problem).__name__}") from None


def too_large() -> ProtocolError:
    """Return the refusal of an upload that is too long."""
    return ProtocolError("too_large", f"the upload has more than {MAX_UPLOAD:,} bytes, the limit")


def is_archive(name: str) -> bool:
    """Return True if a file name is that of an archive."""
    return name.lower().endswith(ARCHIVES)


def _entries(name: str, data: bytes) -> Iterator[_Entry]:
    if len(_parts(name)) > 1:
        raise _bad(f"the file name {_shown(name)} has a slash")
    if not is_archive(name):
        yield name, False, lambda: io.BytesIO(data)
        return
    yield from _zipped(data) if name.lower().endswith(".zip") else _tarred(data)


def _zipped(data: bytes) -> Iterator[_Entry]:
    if data.count(b"PK\x01\x02") > 10 * MAX_FILES:  # upper bound of its entries, which the library reads all at once
        raise _too_many()
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for entry in archive.infolist():
            kind = stat.S_IFMT(entry.external_attr >> 16)
            if entry.flag_bits & 1:
                raise _bad(f"{_shown(entry.orig_filename)} is encrypted")
            if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
                raise _other_kind(entry.orig_filename, "a symbolic link" if kind == stat.S_IFLNK else "a special file")
            if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise _bad(f"{_shown(entry.orig_filename)} has an unsupported compression; use deflate, the default of zip")
            yield entry.orig_filename, entry.is_dir(), lambda entry=entry: archive.open(entry)


class _Counted(io.RawIOBase):
    """The decompressed content of an archive, up to a size limit."""

    def __init__(self, source: gzip.GzipFile, room: int) -> None:
        self._source = source
        self._room = room

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1, /) -> bytes:
        found = self._source.read(min(size, self._room + 1) if size >= 0 else self._room + 1)
        self._room -= len(found)
        if self._room < 0:
            raise _too_much()
        return found


def _tarred(data: bytes) -> Iterator[_Entry]:
    headers = MAX_FILES * 4 * tarfile.BLOCKSIZE
    source = _Counted(gzip.GzipFile(fileobj=io.BytesIO(data)), MAX_UNPACKED + headers)
    with tarfile.open(fileobj=source, mode="r|") as archive:
        for member in archive:
            if not (member.isreg() or member.isdir()) or member.issparse():
                kind = "a symbolic link" if member.issym() else "a link" if member.islnk() else "a special file"
                raise _other_kind(member.name, kind)
            yield member.name, member.isdir(), lambda member=member: _opened(archive, member)


def _opened(archive: tarfile.TarFile, member: tarfile.TarInfo) -> IO[bytes]:
    file = archive.extractfile(member)
    assert file is not None
    return file


class _Unpacking:
    """A folder that receives the files of an upload."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._room = MAX_UNPACKED
        self._files = set[tuple[str, ...]]()
        self._folders = set[tuple[str, ...]]([()])

    def add_all(self, entries: Iterator[_Entry]) -> None:
        """Write all files."""
        for number, (name, is_folder, opened) in enumerate(entries, 1):
            if number > MAX_FILES:
                raise _too_many()
            parts = _parts(name)
            if "__MACOSX" in parts[:1]:  # what macOS adds to archives
                continue
            self._make_folder(parts if is_folder else parts[:-1], name)
            if not is_folder:
                self._add_file(parts, name, opened)
        if not self._files:
            raise _bad("the upload has no file")

    def _make_folder(self, parts: tuple[str, ...], name: str) -> None:
        for end in range(1, len(parts) + 1):
            part = parts[:end]
            if part in self._files:
                raise _bad(f"{_shown(name)} is a file and a folder at once")
            if part not in self._folders:
                if len(self._files) + len(self._folders) > MAX_FILES:
                    raise _too_many()
                self._folders.add(part)
                with store_errors("the upload cannot be kept"):
                    made = self._folder.joinpath(*part)
                    made.mkdir()
                    made.chmod(0o755)

    def _add_file(self, parts: tuple[str, ...], name: str, opened: Callable[[], IO[bytes]]) -> None:
        if not parts:
            raise _bad(f"the name {_shown(name)} is not that of a file")
        if parts in self._files or parts in self._folders:
            raise _bad(f"{_shown(name)} is in the archive twice")
        self._files.add(parts)
        path = self._folder.joinpath(*parts)
        with store_errors("the upload cannot be kept"):
            made = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o644)
        with os.fdopen(made, "wb") as file, opened() as source:
            head = b""
            while found := source.read(_CHUNK):
                self._room -= len(found)
                if self._room < 0:
                    raise _too_much()
                head = head or found[:4]
                with store_errors("the upload cannot be kept"):
                    file.write(found)
            with store_errors("the upload cannot be kept"):
                os.fchmod(file.fileno(), 0o755 if head.startswith((b"#!", b"\x7fELF")) else 0o644)
                file.flush()
                os.fsync(file.fileno())


def _parts(name: str) -> tuple[str, ...]:
    """Return the parts of the path of an entry.

    Raises:
        ProtocolError: ``bad_file``: it would lead out of its folder, is too long or cannot be printed.
    """
    if name.startswith("/"):
        raise _bad(f"{_shown(name)} is an absolute path")
    parts = tuple(part for part in name.split("/") if part not in ("", "."))
    if ".." in parts:
        raise _bad(f"{_shown(name)} leads out of the folder")
    if not name.isprintable() or "\\" in name:
        raise _bad(f"the name {_shown(name)} has characters that cannot be printed, or a backslash")
    if any(len(part) > MAX_NAME or len(part.encode()) > 2 * MAX_NAME for part in parts):
        raise _bad(f"the name {_shown(name)} has more than {MAX_NAME} characters")
    if len(parts) > MAX_DEPTH:
        raise _bad(f"{_shown(name)} is in more than {MAX_DEPTH - 1} folders")
    return parts


def _shown(name: str) -> str:
    return repr(name if len(name) <= MAX_NAME else f"{name[:MAX_NAME]}…")


def _bad(words: str) -> ProtocolError:
    return ProtocolError("bad_file", words)


def _other_kind(name: str, kind: str) -> ProtocolError:
    return _bad(f"{_shown(name)} is {kind}; an archive may have files and folders only")


def _too_many() -> ProtocolError:
    return ProtocolError("too_large", f"the archive has more than {MAX_FILES:,} files and folders")


def _too_much() -> ProtocolError:
    return ProtocolError("too_large", f"the files of the archive have more than {MAX_UNPACKED:,} bytes in total")
