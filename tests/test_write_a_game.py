"""The page "Write a game" says what the example says."""

from __future__ import annotations

import doctest
import re

from tests.folders import ROOT

PAGE = ROOT / "docs" / "write-a-game.md"
EXAMPLE = ROOT / "examples" / "tic_tac_toe"


def test_its_code_is_the_examples_code() -> None:
    blocks = re.findall(r'^```\w+ title="([^"]+)"\n(.*?)^```$', PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 10
    for file, code in blocks:
        path = ROOT / file if file.startswith("examples/") else EXAMPLE / file
        assert code in path.read_text(encoding="utf-8"), f"{file} does not have:\n{code}"


def test_its_session_runs_as_shown() -> None:
    blocks = re.findall(r"^```pycon\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    session = doctest.DocTestParser().get_doctest("".join(blocks), {}, "the page", str(PAGE), 0)
    report: list[str] = []
    assert doctest.DocTestRunner(verbose=False, optionflags=doctest.NORMALIZE_WHITESPACE).run(session, out=report.append).failed == 0, (
        "".join(report)
    )


def test_it_names_every_file_of_the_example() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for file in (EXAMPLE / "src" / "tic_tac_toe").glob("*.py"):
        assert file.name in page or file.name == "__init__.py"
