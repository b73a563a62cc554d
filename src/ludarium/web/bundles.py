"""All modules that a page needs, bundled when they are first asked for: on a slow line fifty requests take a second and more.

Each module becomes a block, in the order in which a browser would carry them out, and leaves what it exports in an object, where those after it find it.
"""

from __future__ import annotations

import re
from functools import lru_cache
from os.path import normpath
from pathlib import Path

STATIC = Path(__file__).parent / "static"

_IMPORT = re.compile(r'^(?:import|export) (?:[^";]+ from )?"([^"]+)"', re.MULTILINE)
_NAMED_IMPORT = re.compile(r'^import (?:(\{[^}]*\}) from )?"([^"]+)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|class|const) (\w+))", re.MULTILINE)


@lru_cache(maxsize=16)
def bundle(*entries: str) -> str:
    """Modules, by their names below ``STATIC``, and all that they import, as one script."""
    found: dict[Path, str] = {}
    for name in entries:
        _add(STATIC / name, found)
    return "\n".join(found.values())


@lru_cache(maxsize=16)
def bundle_of_game(path: Path) -> str | None:
    """The module that a game brings for its page with all that it imports, as one module; None if they import or export in forms that only browsers know,
    or each other in a circle."""
    found: dict[Path, str] = {path: ""}
    try:
        text = _with_imports_found(path, found)
    except _Circle:
        return None
    needed = "\n".join(found.values())
    is_left = re.search(r"^(import|export)\b", needed, re.MULTILINE) or re.search(r"^import\b", text, re.MULTILINE)
    return None if is_left else f"{needed}\n{text}"


def imported(path: Path) -> dict[str, Path]:
    """What a module imports, by what it says; of the house, a game's module says ``/static/NAME``."""
    said = _IMPORT.findall(path.read_text(encoding="utf-8"))
    return {
        each: Path(normpath(STATIC / each.removeprefix("/static/") if each.startswith("/static/") else path.parent / each)) for each in said
    }


def _with_imports_found(path: Path, found: dict[Path, str]) -> str:
    needed = imported(path)
    for other in needed.values():
        _add(other, found)
    text = path.read_text(encoding="utf-8")
    return _NAMED_IMPORT.sub(lambda of: f"const {(of[1] or '{}').replace(' as ', ': ')} = {_object(needed[of[2]])};", text)


def _add(path: Path, found: dict[Path, str]) -> None:
    if path in found:
        if not found[path]:
            raise _Circle
        return
    found[path] = ""
    text = _with_imports_found(path, found)
    exported = ", ".join(_EXPORT.findall(text))
    own = _object(path)
    del found[path]  # after what it needs
    found[path] = f"const {own} = {{}};\n{{ // {_name(path)}\n{_EXPORT.sub('', text)}\nObject.assign({own}, {{ {exported} }});\n}}"


class _Circle(ValueError):
    """A module imports one that imports it."""


def _object(path: Path) -> str:
    """Where a module's exports are, once it has been carried out."""
    return re.sub(r"\W", "$", _name(path))


def _name(path: Path) -> str:
    return path.relative_to(STATIC).as_posix() if path.is_relative_to(STATIC) else path.name
