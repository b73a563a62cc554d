"""How long tests took is known by their ids, or ``make test-fast`` leaves none of them out."""

from tests.conftest import DURATIONS
from tests.folders import ROOT


def test_durations_are_those_of_tests_that_there_are() -> None:
    for id in DURATIONS:
        assert "@" not in id.rpartition("]")[2], "without the group of pytest-xdist"
        assert (ROOT / id.partition("::")[0]).is_file(), id
