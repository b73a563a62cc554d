"""The files of pages: templates, and what browsers load besides, which they may keep for good under an address that names its version."""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from functools import cache
from pathlib import Path
from typing import Any

from fastapi.responses import FileResponse, Response
from fastapi.staticfiles import StaticFiles
from fastapi.templating import Jinja2Templates
from markupsafe import Markup
from starlette.types import Scope

from ludarium.arena.reports.parts import FILTERS
from ludarium.core.game import Game
from ludarium.core.registry import game_class, game_file
from ludarium.web.addresses import at

from .bundles import STATIC, bundle, bundle_of_game, imported
from .faces import face_address

HERE = Path(__file__).parent

KEPT = {"Cache-Control": "public, max-age=31536000, immutable"}


@cache
def _version(folder: Path, names: str = "*") -> str:
    """Changes with the files that a server finds when it first shows one of them."""
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.rglob(names) if path.is_file()):
        digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:12]


def static(name: str) -> str:
    """The address of a file of the house."""
    return at(f"/kept/{_version(STATIC)}/{name}")


def of_game(id: str, name: str) -> str | None:
    """The address of a file that a game has for its page, if it has it."""
    path = game_file(id, name)
    return at(f"/games/{id}/{_version_of(path)}/{name}") if path else None


def _version_of(path: Path) -> str:
    """Of a game's file, with which modules of the house may be bundled."""
    return _version(STATIC) + _version(path.parent, "page*")


def import_map() -> Markup:
    """Return the import map of pages: modules of games say ``/static/NAME``."""
    return Markup(f'{{"imports":{{"/static/":"{static("")}"}}}}')


def import_map_digest() -> str:
    """Return the digest by which a page's security policy allows the import map."""
    return b64encode(hashlib.sha256(import_map().encode()).digest()).decode()


def script(*names: str, game: str | None = None) -> Markup:
    """Modules of the house with all that they import, as one script; and a game's own modules, if it has any, so that browsers load them at once."""
    own = game_file(game, "page.js") if game else None
    loads = [Markup('<link rel="modulepreload" href="{}" />').format(address) for address in _modules_of(own, game)] if own and game else []
    return Markup("").join([Markup('<script type="module" src="{}"></script>').format(static(f"bundle/{'+'.join(names)}")), *loads])


def _modules_of(own: Path, game: str) -> list[str | None]:
    """The addresses of a game's own module and, if they are not one bundle, of all that it imports."""
    found = [own]
    for path in found if bundle_of_game(own) is None else ():
        found += [each for each in imported(path).values() if each not in found]
    return [static(path.relative_to(STATIC).as_posix()) if path.is_relative_to(STATIC) else of_game(game, path.name) for path in found]


def page_templates(*folders: Path) -> Jinja2Templates:
    """The house's templates, and those of others, before them."""
    templates = Jinja2Templates([*folders, HERE / "templates"])
    templates.env.filters.update(FILTERS)
    given: dict[str, Any] = templates.env.globals
    given.update(at=at, static=static, script=script, import_map=import_map, face_address=face_address)
    return templates


class KeptFiles(StaticFiles):
    """``VERSION/NAME``; under an old version, for a page that is still open, it is not to be kept."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        version, _, name = path.partition("/")
        entries = name.removeprefix("bundle/").split("+")
        if name.startswith("bundle/") and _modules().issuperset(entries):
            answer: Response = Response(bundle(*entries), media_type="text/javascript")
        else:
            answer = await super().get_response(name, scope)
        if version == _version(STATIC):
            answer.headers.update(KEPT)
        return answer


@cache
def _modules() -> set[str]:
    return {path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*.js")}


def part_of_page(id: str, version: str | None, name: str) -> Response | None:
    """``page.js``, ``page.css``, and the modules ``page_….js`` that belong to it, of a game that there is, and its ``themes.css``; None for anything else."""
    if name == "themes.css":
        return Response(themes_of(game_class(id)), media_type="text/css")
    named = re.fullmatch(r"page(_[a-z_]+)?\.(js|css)", name)
    path = game_file(id, name) if named else None
    if path is None:
        return None
    kind = "text/javascript" if name.endswith(".js") else "text/css"
    headers = KEPT if version == _version_of(path) else None
    if name == "page.js" and (bundled := bundle_of_game(path)) is not None:
        return Response(bundled, media_type=kind, headers=headers)
    return FileResponse(path, media_type=kind, headers=headers)


@cache
def themes_of(kind: type[Game]) -> str:
    """The style sheet with a game's further looks, of which pages show those that ``data-boards`` of their root names. They win over what drawings say."""
    sheet = ""
    for theme, colours in kind().show.themes.items():
        properties = ";".join(f"{name}:light-dark({light},{dark})" for name, (light, dark) in colours.items())
        sheet += f':root:root[data-boards~="{kind.id}-{theme}"] svg{{{properties}}}\n'
    return sheet
