"""The folders for data and caches of users with and without a home folder."""

from __future__ import annotations

import pwd
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ludarium.core import compiling
from ludarium.core.data_folder import cache_folder, data_folder, home_folder
from ludarium.errors import StoreError

FOLDERS = {"XDG_DATA_HOME": data_folder, "XDG_CACHE_HOME": cache_folder}


@pytest.fixture(autouse=True)
def no_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A user without variables and without an entry in the list of users."""

    def unknown(uid: int) -> Any:
        raise KeyError(f"getpwuid(): uid not found: {uid}")

    monkeypatch.setattr(pwd, "getpwuid", unknown)
    for name in ("HOME", *FOLDERS):
        monkeypatch.delenv(name, raising=False)
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    compiling.warn_once.cache_clear()
    yield
    compiling.warn_once.cache_clear()


@pytest.fixture
def fallback(tmp_path: Path) -> str:
    return str(tmp_path / "tmp" / "ludarium-")


def test_a_user_without_a_home_has_folders_among_the_temporary_files(fallback: str) -> None:
    assert home_folder() is None
    assert str(cache_folder()).startswith(fallback)
    with pytest.warns(RuntimeWarning, match="this user has no home folder, so data is stored in .*; set XDG_DATA_HOME"):
        assert str(data_folder()).startswith(fallback)
    assert data_folder() != cache_folder()
    assert data_folder().parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("variable", FOLDERS)
@pytest.mark.parametrize("value", ["", "relative", "~/there", " "])
@pytest.mark.filterwarnings("ignore:.*data is stored in:RuntimeWarning")
def test_a_variable_that_is_no_absolute_path_counts_as_unset(
    variable: str, value: str, fallback: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, value)
    assert str(FOLDERS[variable]()).startswith(fallback)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert FOLDERS[variable]().is_relative_to(tmp_path)
    assert not str(FOLDERS[variable]()).startswith(fallback)
    monkeypatch.setenv(variable, str(tmp_path / "given"))
    assert FOLDERS[variable]() == tmp_path / "given" / "ludarium"


@pytest.mark.parametrize("home", ["", "relative", "{}/file", "{}/file/below", "{}/loop"])
@pytest.mark.filterwarnings("ignore:.*data is stored in:RuntimeWarning")
def test_a_home_that_cannot_be_used(home: str, fallback: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "loop").symlink_to("loop")
    monkeypatch.setenv("HOME", home.format(tmp_path))
    for folder in (data_folder(), cache_folder()):
        assert str(folder).startswith(fallback)
        folder.mkdir()


def test_a_home_that_is_not_there_yet_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "new" / "home"))
    assert data_folder().is_relative_to(tmp_path / "new" / "home")
    assert cache_folder().is_relative_to(tmp_path / "new" / "home")


def test_data_that_exists_is_read_where_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a disk that cannot be written, a store is still to be read and not taken for an empty one."""
    monkeypatch.setenv("HOME", str(tmp_path))
    usual = data_folder()
    usual.mkdir(parents=True)
    monkeypatch.setattr("os.access", lambda path, mode: not mode & 2)
    assert data_folder() == usual
    monkeypatch.setattr("os.access", lambda path, mode: False)
    with pytest.warns(RuntimeWarning, match="cannot be written"):
        assert data_folder() != usual


@pytest.mark.parametrize("made", ["file", "link", "open"])
def test_a_folder_that_another_user_may_have_put_there_is_not_used(made: str, fallback: str, tmp_path: Path) -> None:
    top = cache_folder().parent
    top.rmdir()
    if made == "file":
        top.write_text("")
    elif made == "link":
        top.symlink_to(tmp_path)
    else:
        top.mkdir()
        top.chmod(0o777)
    for ask, variable in ((data_folder, "XDG_DATA_HOME"), (cache_folder, "XDG_CACHE_HOME")):
        with pytest.raises(StoreError, match=variable):
            ask()


def test_without_any_folder_that_can_be_written_one_line_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> str:
        raise FileNotFoundError(2, "No usable temporary directory found")

    monkeypatch.setattr(tempfile, "gettempdir", none)
    with pytest.raises(StoreError, match=r"no folder for data can be written .*; set XDG_DATA_HOME"):
        data_folder()
    with pytest.raises(StoreError, match="no folder for cache"):
        cache_folder()
