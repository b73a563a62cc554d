"""Uploads: what is unpacked from them, and what hostile archives are refused with."""

from __future__ import annotations

import gzip
import io
import os
import random
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from ludarium.arena.submissions import unpack
from ludarium.arena.submissions.unpacking import MAX_FILES, MAX_UNPACKED, MAX_UPLOAD
from ludarium.errors import ProtocolError

BOT = b"#!/usr/bin/env python3\nprint(1)\n"


def zipped(*files: tuple[str | zipfile.ZipInfo, bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", compression) as archive:
        for name, data in files:
            archive.writestr(name, data)
    return made.getvalue()


def tarred(*members: tarfile.TarInfo, data: bytes = BOT, form: int = tarfile.PAX_FORMAT) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:gz", compresslevel=1, format=form, encoding="utf-8", errors="surrogateescape") as archive:
        for member in members:
            if member.isreg():
                member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return made.getvalue()


def member(name: str, kind: bytes = tarfile.REGTYPE, link: str = "") -> tarfile.TarInfo:
    made = tarfile.TarInfo(name)
    made.type, made.linkname = kind, link
    return made


def zip_link() -> bytes:
    link = zipfile.ZipInfo("bot.py")
    link.create_system, link.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
    return zipped((link, b"/etc/passwd"))


def zip_encrypted() -> bytes:
    data = bytearray(zipped(("bot.py", BOT)))
    data[6] |= 1
    data[data.rindex(b"PK\x01\x02") + 8] |= 1
    return bytes(data)


def zip_with_false_size() -> bytes:
    """A bomb that says that it is small."""
    data = bytearray(zipped(("bomb.bin", bytes(MAX_UNPACKED + 1))))
    directory = data.rindex(b"PK\x01\x02")
    data[22:26] = data[directory + 24 : directory + 28] = struct.pack("<I", 10)
    return bytes(data)


def zip_with_many_copies() -> bytes:
    """Entries that share the data of one, each within the limit."""
    name = b"0000"
    deflater = zlib.compressobj(9, zlib.DEFLATED, -15)
    plain = bytes(MAX_UNPACKED // 4)
    packed = deflater.compress(plain) + deflater.flush()
    fields = struct.pack("<HHHHHIII", 20, 0, 8, 0, 0x21, zlib.crc32(plain), len(packed), len(plain))
    local = b"PK\x03\x04" + fields + struct.pack("<HH", len(name), 0) + name + packed
    entries = b"".join(
        b"PK\x01\x02" + struct.pack("<H", 20) + fields + struct.pack("<HHHHHII", 4, 0, 0, 0, 0, 0, 0) + f"{number:04}".encode()
        for number in range(900)
    )
    return local + entries + b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, 900, 900, len(entries), len(local), 0)


def tar_of_zeros() -> bytes:
    """A file of 10 GB that is said to be one, in some kilobytes."""
    info = member("zeros.bin")
    info.size = 10 << 30
    return gzip.compress(info.tobuf(tarfile.GNU_FORMAT) + bytes(MAX_UNPACKED * 2))


def tar_of_headers() -> bytes:
    """Extended headers without end, which Python reads recursively."""
    header = tarfile.TarInfo("x")
    header.type, header.size = tarfile.XHDTYPE, 0
    return gzip.compress(header.tobuf(tarfile.USTAR_FORMAT) * 50_000)


def tar_sparse() -> bytes:
    info = member("holes.bin")
    info.pax_headers = {
        "GNU.sparse.major": "1",
        "GNU.sparse.minor": "0",
        "GNU.sparse.name": "holes.bin",
        "GNU.sparse.realsize": str(1 << 40),
    }
    return tarred(info, data=b"1\n0\n0\n" + bytes(506))


HOSTILE: dict[str, tuple[str, Callable[[], bytes], str, str]] = {
    "parent, zip": ("a.zip", lambda: zipped(("../x.py", BOT)), "bad_file", "'../x.py' leads out of the folder"),
    "parent inside, zip": ("a.zip", lambda: zipped(("a/../../x.py", BOT)), "bad_file", "leads out of the folder"),
    "absolute, zip": ("a.zip", lambda: zipped(("/tmp/x.py", BOT)), "bad_file", "'/tmp/x.py' is an absolute path"),
    "backslash, zip": ("a.zip", lambda: zipped(("..\\x.py", BOT)), "bad_file", "backslash"),
    "link, zip": ("a.zip", zip_link, "bad_file", "'bot.py' is a symbolic link; an archive may have files and folders only"),
    "encrypted, zip": ("a.zip", zip_encrypted, "bad_file", "'bot.py' is encrypted"),
    "bzip2, zip": (
        "a.zip",
        lambda: zipped(("b", bytes(10**7)), compression=zipfile.ZIP_BZIP2),
        "bad_file",
        "has an unsupported compression",
    ),
    "false size, zip": ("a.zip", zip_with_false_size, "bad_file", "is damaged"),
    "bomb, zip": ("a.zip", lambda: zipped(("b", bytes(MAX_UNPACKED + 1))), "too_large", "more than 67,108,864 bytes in total"),
    "twice, zip": ("a.zip", lambda: zipped(("b.py", BOT), ("./b.py", BOT)), "bad_file", "'./b.py' is in the archive twice"),
    "file and folder, zip": ("a.zip", lambda: zipped(("b", BOT), ("b/c", BOT)), "bad_file", "'b/c' is a file and a folder at once"),
    "100,000 entries, zip": ("a.zip", lambda: zipped(*((str(number), b"") for number in range(100_000))), "too_large", ""),
    "1,001 files, zip": ("a.zip", lambda: zipped(*((str(number), b"") for number in range(MAX_FILES + 1))), "too_large", "1,000 files"),
    "1,001 folders, zip": ("a.zip", lambda: zipped(*((f"{n}/1/b", b"") for n in range(500)), ("b", b"")), "too_large", "1,000 files"),
    "long name, zip": ("a.zip", lambda: zipped(("x" * 10_000, BOT)), "bad_file", "has more than 100 characters"),
    "deep, zip": ("a.zip", lambda: zipped(("d/" * 10 + "x.py", BOT)), "bad_file", "is in more than 9 folders"),
    "control characters, zip": ("a.zip", lambda: zipped(("a\x1b[2J.py", BOT)), "bad_file", "cannot be printed"),
    "truncated, zip": ("a.zip", lambda: zipped(("bot.py", random.Random(1).randbytes(9000)))[:-4000], "bad_file", "'a.zip' is damaged"),
    "empty, zip": ("a.zip", lambda: zipped(), "bad_file", "the upload has no file"),
    "folders only, zip": ("a.zip", lambda: zipped(("a/", b""), ("b/", b"")), "bad_file", "the upload has no file"),
    "no zip": ("a.zip", lambda: BOT, "bad_file", "'a.zip' is damaged, or not an archive of this kind"),
    "parent, tar": ("a.tar.gz", lambda: tarred(member("../x.py")), "bad_file", "leads out of the folder"),
    "absolute, tar": ("a.tgz", lambda: tarred(member("/tmp/x.py")), "bad_file", "is an absolute path"),
    "symlink, tar": ("a.tar.gz", lambda: tarred(member("bot.py", tarfile.SYMTYPE, "/etc/passwd")), "bad_file", "is a symbolic link"),
    "link, tar": ("a.tar.gz", lambda: tarred(member("a.py"), member("bot.py", tarfile.LNKTYPE, "a.py")), "bad_file", "'bot.py' is a link"),
    "device, tar": ("a.tar.gz", lambda: tarred(member("zero", tarfile.CHRTYPE)), "bad_file", "'zero' is a special file"),
    "disk, tar": ("a.tar.gz", lambda: tarred(member("sda", tarfile.BLKTYPE)), "bad_file", "'sda' is a special file"),
    "fifo, tar": ("a.tar.gz", lambda: tarred(member("pipe", tarfile.FIFOTYPE)), "bad_file", "'pipe' is a special file"),
    "sparse, tar": ("a.tar.gz", tar_sparse, "bad_file", "is a special file"),
    "not UTF-8, tar": ("a.tar.gz", lambda: tarred(member("b\udcff.py"), form=tarfile.GNU_FORMAT), "bad_file", "cannot be printed"),
    "long name, tar": ("a.tar.gz", lambda: tarred(member("x" * 10_000)), "bad_file", "has more than 100 characters"),
    "zeros, tar": ("a.tar.gz", tar_of_zeros, "too_large", "more than 67,108,864 bytes in total"),
    "headers, tar": ("a.tar.gz", tar_of_headers, "bad_file", "is damaged"),
    "100,000 entries, tar": ("a.tar.gz", lambda: tarred(*(member(str(n), tarfile.DIRTYPE) for n in range(100_000))), "too_large", "1,000"),
    "truncated, tar": (
        "a.tar.gz",
        lambda: tarred(member("bot.py"), data=random.Random(1).randbytes(9000))[:-4000],
        "bad_file",
        "is damaged",
    ),
    "empty, tar": ("a.tar.gz", lambda: tarred(), "bad_file", "the upload has no file"),
    "no tar": ("a.tar.gz", lambda: gzip.compress(BOT), "bad_file", "is damaged"),
    "no gzip": ("a.tar.gz", lambda: BOT, "bad_file", "is damaged"),
    "large file": ("bot.py", lambda: bytes(100 << 20), "too_large", f"more than {MAX_UPLOAD:,} bytes"),
    "file elsewhere": ("d/bot.py", lambda: BOT, "bad_file", "has a slash"),
    "file without a name": ("..", lambda: BOT, "bad_file", "leads out"),
    "a dot as a name": (".", lambda: BOT, "bad_file", "is not that of a file"),
    "no name": ("", lambda: BOT, "bad_file", "is not that of a file"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_uploads_are_refused_in_one_line(case: str, tmp_path: Path) -> None:
    name, make, code, words = HOSTILE[case]
    folder = tmp_path / "files"
    folder.mkdir()
    (tmp_path / "beside").write_text("unchanged")
    with pytest.raises(ProtocolError) as refused:
        unpack(name, make(), folder)
    assert refused.value.code == code
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["beside", "files"]
    kept = list(folder.rglob("*"))
    assert all(stat.S_ISREG(path.lstat().st_mode) or stat.S_ISDIR(path.lstat().st_mode) for path in kept)
    assert sum(path.lstat().st_size for path in kept if path.is_file()) <= MAX_UNPACKED


def test_entries_that_share_their_data_are_counted_each(tmp_path: Path) -> None:
    """Newer versions of Python refuse such archives by themselves."""
    with pytest.raises(ProtocolError) as refused:
        unpack("a.zip", zip_with_many_copies(), tmp_path)
    assert refused.value.code in ("too_large", "bad_file")
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= MAX_UNPACKED


def test_files_are_made_anew(tmp_path: Path) -> None:
    """Modes and owners of the archive mean nothing."""
    script, data, folder = member("bots/run.py"), member("./bots/net/weights.txt"), member("bots", tarfile.DIRTYPE)
    script.mode, data.mode, folder.mode = 0o4000, 0o6777, 0o000
    script.uid = data.uid = 12345
    unpack("my.bot.TGZ", tarred(folder, script, data), tmp_path)
    modes = {str(path.relative_to(tmp_path)): stat.filemode(path.stat().st_mode) for path in tmp_path.rglob("*")}
    assert modes == {
        "bots": "drwxr-xr-x",
        "bots/net": "drwxr-xr-x",
        "bots/run.py": "-rwxr-xr-x",  # because it starts with #!
        "bots/net/weights.txt": "-rwxr-xr-x",
    }
    assert {path.stat().st_uid for path in tmp_path.rglob("*")} == {os.geteuid()}
    assert (tmp_path / "bots" / "run.py").read_bytes() == BOT


def test_a_file_and_an_archive_of_a_mac(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    unpack("bot.cpp", b"int main() {}", tmp_path / "one")
    assert stat.S_IMODE((tmp_path / "one" / "bot.cpp").stat().st_mode) == 0o644
    (tmp_path / "two").mkdir()
    unpack("bot.zip", zipped(("Käfer/bot.py", BOT), ("__MACOSX/Käfer/._bot.py", b"x")), tmp_path / "two")
    assert [str(path.relative_to(tmp_path / "two")) for path in (tmp_path / "two").rglob("*.py")] == ["Käfer/bot.py"]


def test_archives_with_changed_bytes_are_unpacked_or_refused(tmp_path: Path) -> None:
    """Each byte of small archives is changed, one at a time and several."""
    chance = random.Random(7)
    seeds = {"a.zip": zipped(("d/bot.py", BOT), ("x", b"y" * 50)), "a.tar.gz": tarred(member("d", tarfile.DIRTYPE), member("d/bot.py"))}
    plain = gzip.decompress(seeds["a.tar.gz"])
    for number in range(900):
        name = ("a.zip", "a.tar.gz", "b.tar.gz")[number % 3]
        data = bytearray(plain[: 512 * 5] if name == "b.tar.gz" else seeds[name])
        for _ in range(chance.choice((1, 1, 3, 10))):
            data[chance.randrange(len(data))] = chance.randrange(256)
        folder = tmp_path / str(number)
        folder.mkdir()
        with suppress(ProtocolError):
            unpack(name, gzip.compress(data, 1) if name == "b.tar.gz" else bytes(data), folder)
        assert not any(path.is_symlink() for path in folder.rglob("*"))
    assert len(list(tmp_path.iterdir())) == 900
