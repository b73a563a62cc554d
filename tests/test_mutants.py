"""Faults with names are still there to be planted: ``make mutants`` takes longer than the other tests may."""

from tests.folders import ROOT
from tests.mutants import CHOSEN, planted_mutants


def test_what_is_replaced_stands_once_in_the_source_and_what_notices_it_exists() -> None:
    found = planted_mutants()
    assert len(found) == len(CHOSEN["planted"]) > 5
    for mutant in found:
        for test in mutant.tests.names:
            path, _, name = test.partition("::")
            assert f"def {name}" in (ROOT / "tests" / path).read_text(encoding="utf-8")
