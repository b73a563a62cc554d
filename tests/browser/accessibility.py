"""What axe, which knows the rules for people who see or hear otherwise, finds wrong on a page."""

from __future__ import annotations

import functools
from pathlib import Path

from playwright.sync_api import Page

from tests.javascript import TOOLS

FIND = "axe.run(document, {resultTypes: ['violations']}).then(found => found.violations.flatMap(rule => rule.nodes.map(node => `${rule.id}: ${node.html}`)))"


def wrong_on(page: Page) -> list[str]:
    """The rules that are broken, with the element at which."""
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(_axe())
    return page.evaluate(FIND)


@functools.cache
def _axe() -> str:
    return Path(TOOLS, "axe-core", "axe.min.js").read_text(encoding="utf-8") + ";0"
