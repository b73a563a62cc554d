"""Whose name is whose: a key opens each, of which only a digest is kept."""

from __future__ import annotations

import hashlib
import re
import secrets
import threading
import unicodedata
from collections.abc import Callable, Collection
from functools import cache
from pathlib import Path

from ludarium.core.lines import kept_lines
from ludarium.core.record import read_object
from ludarium.errors import ProtocolError, store_errors

LONGEST_NAME = 30

_NAME = re.compile(rf"(?!.*  )\w(?:[\w .+'-]{{0,{LONGEST_NAME - 2}}}[\w.+'-])?")

_MARKS = re.compile(r"(?<=\w)\0{1,2}")

_ALIKE = {"LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE"}
"""Scripts with letters that look like those of the others: a name in two of them would be another's name to the eye."""

_DIGITS = str.maketrans("234578", "zeastb")
"""Digits that look like letters. Unicode's list has 0 and 1."""

_PAIRS = {"vv": "w", "cl": "d"}

_APART = re.compile(r"(?<!\d)[ ._+'-]+|[ ._+'-]+(?!\d)")
"""Spaces and signs, except between two digits: 1.2 is not 12."""

RESERVED: frozenset[str] = frozenset(
    [
        "admin",
        "administrator",
        "anonymous",
        "bot",
        "computer",
        "guest",
        "hidden",
        "human",
        "judge",
        "ludarium",
        "moderator",
        "organiser",
        "organizer",
        "referee",
        "root",
        "server",
        "support",
        "system",
        "watcher",
        "you",
    ]
)
"""Names that players would mistake for the server's staff, a role or a program."""


def checked_name(name: str) -> str:
    """A name as it is kept: characters that only look different are the same.

    Raises:
        ProtocolError: ``bad_name``.
    """
    found = unicodedata.normalize("NFKC", name)
    marked = "".join("\0" if _is_mark(letter) else letter for letter in found)
    if len(found) > LONGEST_NAME or "\0" in found or not _NAME.fullmatch(_MARKS.sub("", marked)):
        raise ProtocolError(
            "bad_name",
            f"a name has 1 to {LONGEST_NAME} characters, letters and digits and within them single spaces and . _ - + ', and begins with a letter "
            f"or digit; not {name[:80]!r}",
        )
    scripts = _ALIKE & {unicodedata.name(letter, "").partition(" ")[0] for letter in found}
    if len(scripts) > 1:
        mixed = " and ".join(sorted(scripts)).title()
        raise ProtocolError("bad_name", f"the letters of a name are of one script, not of {mixed} as those of '{found}'")
    return found


def _is_mark(letter: str) -> bool:
    """Whether it is written at the letter before it, in a script whose letters take such: the vowels of Devanagari and Thai."""
    return unicodedata.category(letter) in ("Mn", "Mc") and not unicodedata.name(letter, "").startswith("COMBINING")


class Names:
    """The names that belong to somebody, in a file that its owner alone may read. Threads may use it."""

    def __init__(self, path: Path, reserved: Collection[str] = ()) -> None:
        """Open the file of names.

        Args:
            reserved: names to refuse, in addition to :data:`RESERVED`.

        Raises:
            StoreError: the file cannot be used.
        """
        self._looks = {_looks(name): "" for name in (*RESERVED, *reserved)}
        """The names that there are, by how they look; nobody has those that are empty."""
        self._lock = threading.Lock()
        self._owned: dict[str, tuple[str, str]] = {}
        """By the name without its case: as it was first written, and the digest of its key, which is empty when it has been removed."""
        self._file = kept_lines(path, "the names", "name with the digest of its key", self._read)

    def _read(self, line: bytes) -> None:
        owned = read_object(line)
        self._know(str(owned["name"]), str(owned["key"]))

    def __len__(self) -> int:
        return len(self._owned)

    def find(self, name: str) -> str | None:
        """A name as it was first written; None if nobody has it (any more)."""
        found, digest = self._owned.get(folded(name), ("", ""))
        return found if digest else None

    def check(self, name: str, key: str) -> str:
        """The name as it was first written, of somebody who says that it is theirs.

        Raises:
            ProtocolError: ``bad_key``.
        """
        found, digest = self._owned.get(folded(name), (name, ""))
        if not secrets.compare_digest(_digest(key), digest):
            raise ProtocolError("bad_key", f"this is not the key of the name '{found[:80]}'")
        return found

    def checked_free(self, name: str) -> str:
        """Return the stored form of a name that is not taken. :meth:`take` also refuses names that look like taken ones.

        Raises:
            ProtocolError: ``bad_name`` or ``bad_key``.
        """
        name = checked_name(name)
        if (owned := self._owned.get(name.casefold())) is not None:
            raise ProtocolError("bad_key", f"the name '{owned[0]}' is taken; join with its key, or choose another name")
        return name

    def remove(self, name: str) -> bool:
        """Let no key open a name any more. Nobody may take it again: what is told of its owner was not somebody else. Says whether somebody had it.

        Raises:
            StoreError: the disk does not take it.
        """
        with self._lock:
            found = self.find(name)
            if found is not None:
                self._keep(found, "")
            return found is not None

    def take(self, name: str, key: str | None, on_new: Callable[[str], object]) -> tuple[str, str]:
        """A name for somebody, as it was first written, and its key: a new one, if the name was free. ``on_new`` is told it before that, and may refuse.

        Raises:
            ProtocolError: ``bad_name`` or ``bad_key``.
            StoreError: the disk does not take the name.
        """
        name = checked_name(name)
        with self._lock:
            if key is None:
                self.checked_free(name)
            elif name.casefold() in self._owned:
                return self.check(name, key), key
            if (alike := self._looks.get(_looks(name))) is not None:
                why = f"looks like '{alike}', which is taken" if alike else "is a reserved name, or looks like one"
                raise ProtocolError("bad_name", f"'{name}' {why}; take another one")
            on_new(name)
            key = secrets.token_urlsafe(18)
            self._keep(name, _digest(key))
            return name, key

    def _keep(self, name: str, digest: str) -> None:
        with store_errors(f"the name '{name}' cannot be kept"):
            self._file.add({"name": name, "key": digest})
            self._file.sync()
        self._know(name, digest)

    def _know(self, name: str, digest: str) -> None:
        self._owned[name.casefold()] = name, digest
        self._looks.setdefault(_looks(name), name)

    def close(self) -> None:
        self._file.close()


def folded(name: str) -> str:
    """What names have in common that are the same."""
    return unicodedata.normalize("NFKC", name).casefold()


def _looks(name: str) -> str:
    """Return the same text for names that look alike, such as 'Bill' and 'BilI', 'mouse' and 'rnouse', 'Tor toise' and 'T0rtoise'.

    Based on the skeleton of Unicode Technical Standard 39, with digits for letters, and without case, spaces and signs.
    """
    found = _APART.sub("", folded(name))
    for _ in range(2):  # 'ı' looks like 'i', which looks like 'l'
        found = "".join(map(_prototype, unicodedata.normalize("NFD", found))).casefold()
    found = found.translate(_DIGITS)
    for pair, letter in _PAIRS.items():
        found = found.replace(pair, letter)
    return found or name


@cache
def _prototype(letter: str) -> str:
    """Return the letter that a small letter, or else its capital, looks like."""
    found = _listed(letter)
    return _listed(letter.upper()) if found == letter else found


def _listed(letter: str) -> str:
    """Return Unicode's prototype of a letter. The library lists for each letter either its prototype or all letters that have it as theirs."""
    from confusable_homoglyphs.confusables import confusables_data as listed  # pyright: ignore[reportMissingTypeStubs]

    others = [other["c"].replace("\u200e", "") for other in listed.get(letter, ())]
    if len(others) != 1:
        return letter
    back = [other["c"] for other in listed.get(others[0], ())]
    return min(letter, others[0]) if back == [letter] else others[0]


def _digest(key: str) -> str:
    """Keys are random and long, so that nobody finds one by its digest, however quickly digests are made."""
    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()
