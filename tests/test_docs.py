"""What the documentation shows is what happens."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
import shlex
from importlib.util import find_spec
from pathlib import Path

import pytest

import ludarium
from ludarium.cli.entry import run
from tests.folders import ROOT

DOCS = ROOT / "docs"


@pytest.mark.parametrize(
    ("page", "least"),
    [
        ("python.md", 30),
        ("cgt-notation.md", 8),
        ("values.md", 30),
        ("expendibots-endgames.md", 4),
        ("hexabomb.md", 10),
        ("ratings.md", 10),
        ("store.md", 5),
    ],
)
def test_the_examples_in_python_of_a_page(page: str, least: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    failed, tried = doctest.testfile(str(DOCS / page), module_relative=False, encoding="utf-8", optionflags=doctest.NORMALIZE_WHITESPACE)
    assert tried >= least
    assert failed == 0


def test_the_examples_in_python_of_environments(capsys: pytest.CaptureFixture[str]) -> None:
    """With random play for ``greedy``, whose machine code nothing else needs."""
    blocks = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", (DOCS / "environments.md").read_text(encoding="utf-8"), re.DOTALL)
    names: dict[str, object] = {}
    for at, (code, shown) in enumerate(blocks):
        exec(code.replace("greedy", "random"), names)
        printed = capsys.readouterr().out
        assert printed in ((shown,) if at else ("-1.0\n", "0.0\n", "1.0\n"))
    assert len(blocks) == 3


def test_the_calculator_prints_what_its_page_shows(capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"```console\n(.*?)```", (DOCS / "cgt-notation.md").read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) == 4
    for command, shown in re.findall(r"^\$ ludarium (.*)\n((?:(?!\$ ).*\n)*)", "".join(blocks), re.MULTILINE):
        assert run(shlex.split(command)) == 0
        assert capsys.readouterr().out == shown


NEEDED = {"open_spiel.": "pyspiel", "ludarium.train.": "torch"}
"""What modules need that is not installed here: `make test-open-spiel` and `make test-train` have it."""


def test_the_examples_in_docstrings() -> None:
    tried = 0
    for name in [
        "ludarium",
        *(module.name for module in pkgutil.walk_packages(ludarium.__path__, "ludarium.") if not module.name.endswith("__main__")),
    ]:
        if any(part in f"{name}." and find_spec(needed) is None for part, needed in NEEDED.items()):
            continue
        result = doctest.testmod(importlib.import_module(name))
        tried += result.attempted
        assert result.failed == 0, name
    assert tried > 0


def test_the_python_example_of_the_readme() -> None:
    """The lines run, and a line that ends in a comment has that value."""
    (block,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    names: dict[str, object] = {}
    checked = 0
    for line in block.splitlines():
        code, _, value = line.partition("  # ")
        if value:
            assert repr(eval(code, names)) == value.strip()
            checked += 1
        else:
            exec(line.replace("seconds=1)", "seconds=0.1)"), names)
    assert checked > 0


@pytest.mark.parametrize("page", sorted([*DOCS.glob("*.md"), *ROOT.glob("*.md")]), ids=lambda page: page.name)
def test_every_link_between_pages_leads_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target.strip()).exists(), target


def test_what_contributors_are_told_to_make_can_be_made() -> None:
    named = set(re.findall(r"`make ([\w-]+)`", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")))
    assert named <= set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    assert len(named) > 5


def test_every_page_is_in_the_navigation() -> None:
    listed = re.findall(r": ([\w-]+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(listed) == sorted(page.name for page in DOCS.glob("*.md"))
