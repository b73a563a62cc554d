"""Machine code on disk, found again by the next process: one file for each function and all that its code was made of.

Numba's own cache looks only at the file of the cached function, keeps one index a function that imports the classes of every game it was ever called
with, and crashes on recursive functions that were entered with another integer width. This one is keyed by :mod:`ludarium.core.fingerprint`, has no index
(so processes do not disturb each other), checks every file before it trusts it, and keeps no code that calls anything outside itself.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import re
import time
from pathlib import Path
from typing import Any, ClassVar, cast

from numba.core import serialize, sigutils
from numba.core.caching import CompileResultCacheImpl

from ludarium.errors import StoreError

from .compiling import on_compile, warn_once
from .data_folder import cache_folder
from .fingerprint import fingerprint
from .writing import replace_file

KEEP_DAYS = 30
"""Files that nobody has read for so long are deleted when a newer version of their function is written."""


_locators: list[Any] = cast(Any, CompileResultCacheImpl)._locator_classes
"""Numba's places for machine code, in the order in which they are tried. One has an underscore in older versions."""

_UserWide: Any = next(one for one in _locators if one.__name__.lstrip("_") == "UserWideCacheLocator")


class _CacheFolder(_UserWide):
    """Ludarium's cache folder in place of Numba's, which is in the working directory for a user without a home folder."""

    def __init__(self, function: Any, file: str) -> None:
        parent: Any = super()
        parent.__init__(function, file)
        self._cache_path = str(cache_folder() / "kernels" / self.get_suitable_cache_subpath(file))

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> Any:
        try:
            parent: Any = super()
            return parent.from_function(py_func, py_file)
        except StoreError:  # no folder at all can be written
            return None


class _Files(CompileResultCacheImpl):
    _locator_classes: ClassVar = [_CacheFolder if one is _UserWide else one for one in _locators]


class Cache:
    """What Numba's dispatcher asks for machine code before it compiles, and hands it to afterwards."""

    def __init__(self, function: Any) -> None:
        self._function = function
        self._folder: Path | None = None
        name = f"{function.__module__}.{function.__qualname__}"
        self._stem = re.sub(r"[^\w.]+", "_", name)[-100:]
        try:
            self._numba: Any = _Files(function)
            self._folder = Path(self._numba.locator.get_cache_path())
        except RuntimeError:
            if Path(function.__code__.co_filename).exists():
                warn_once(
                    "compiled code cannot be kept (no writable cache folder), so every process compiles it; set NUMBA_CACHE_DIR to a folder"
                )
            else:
                warn_once("compiled code of functions without a source file cannot be kept, so every process compiles it")

    @property
    def cache_path(self) -> str | None:
        return str(self._folder) if self._folder else None

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled function for a signature, None if it must be compiled.

        Numba's tables of types and operations are not filled for it, as Numba's own cache does: that takes as long as all the rest of a start.
        """
        found = self._load(sig, target_context)
        if found is None:
            for listener in tuple(on_compile):
                listener(self._function.__name__)
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a compiled function; where that is impossible, say so once and go on."""
        path = self._path(sig, data.codegen)
        if path is None or not self._numba.check_cachable(data):
            return
        try:
            content = cast(Any, serialize).dumps(self._numba.reduce(data))
            path.parent.mkdir(parents=True, exist_ok=True)
            replace_file(path, hashlib.sha256(content).digest() + content, is_durable=False)
            _delete_old(path)
        except OSError as problem:
            warn_once(f"compiled code cannot be kept in {path.parent} ({problem.strerror}), so every process compiles it")

    def _load(self, sig: Any, target_context: Any) -> Any:
        path = self._path(sig, target_context.codegen())
        if path is None:
            return None
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as problem:
            warn_once(f"compiled code in {path.parent} cannot be read ({problem.strerror}), so it is compiled anew")
            return None
        content = data[32:]
        if hashlib.sha256(content).digest() != data[:32]:
            warn_once(f"the cache file {path.name} is damaged; compiling {self._function.__name__} anew")
            return None
        with contextlib.suppress(OSError):  # another user's file may be read but not touched
            os.utime(path)
        try:
            return self._numba.rebuild(target_context, pickle.loads(content))
        except Exception as problem:  # noqa: BLE001  whole, but not what this version of Numba can load: whatever that raises, compiling is right
            warn_once(f"the cache file {path.name} cannot be loaded ({problem}); compiling {self._function.__name__} anew")
            return None

    def _path(self, sig: Any, codegen: Any) -> Path | None:
        """The file for a signature; None where nothing is kept."""
        arguments, result = cast(Any, sigutils).normalize_signature(sig)
        types = f"{arguments} {result}"
        if self._folder is None or " at 0x" in types:  # a function as an argument is another one in every process
            return None
        key = f"{types} {codegen.magic_tuple()} {fingerprint(self._function, arguments)}"
        return self._folder / f"{self._stem}.{hashlib.sha256(key.encode()).hexdigest()[:32]}.nbc"


def _delete_old(path: Path) -> None:
    limit = time.time() - KEEP_DAYS * 86_400
    stem = path.name.removesuffix(".nbc").rpartition(".")[0]
    for other in path.parent.glob(f"{stem}.*"):
        try:
            if re.fullmatch(r"\.[0-9a-f]{32}\.nbc(.*\.tmp)?", other.name.removeprefix(stem)) and other.stat().st_mtime < limit:
                other.unlink()
        except OSError:  # another process was faster
            continue
