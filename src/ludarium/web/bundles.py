"""All modules of the house that a page needs, bundled when they are first asked for: on a slow line fifty requests take a second and more.

Each module becomes a block, in the order in which a browser would carry them out, and leaves what it exports in an object, where those after it find it.
"""

from __future__ import annotations

import re
from functools import lru_cache
from os.path import normpath
from pathlib import Path

STATIC = Path(__file__).parent / "static"

_IMPORT = re.compile(r'^import (?:(\{[^}]*\}) from )?"([^"]+)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|class|const) (\w+))", re.MULTILINE)


@lru_cache(maxsize=16)
def bundle(*entries: str) -> str:
    """Modules, by their names below ``STATIC``, and all that they import, as one script."""
    found: dict[str, str] = {}
    for name in entries:
        _add(name, found)
    return "\n".join(found.values())


def _add(name: str, found: dict[str, str]) -> None:
    if name in found:
        return
    text = (STATIC / name).read_text(encoding="utf-8")
    needed = {said: normpath(Path(name).parent / said) for _, said in _IMPORT.findall(text)}
    for other in needed.values():
        _add(other, found)
    exported = ", ".join(_EXPORT.findall(text))
    text = _IMPORT.sub(lambda of: f"const {(of[1] or '{}').replace(' as ', ': ')} = {_object(needed[of[2]])};", text)
    own = _object(name)
    found[name] = f"const {own} = {{}};\n{{ // {name}\n{_EXPORT.sub('', text)}\nObject.assign({own}, {{ {exported} }});\n}}"


def _object(name: str) -> str:
    """Where a module's exports are, once it has been carried out."""
    return re.sub(r"\W", "$", name)
