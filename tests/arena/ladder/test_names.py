"""Names and their keys."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from ludarium.arena.ladder.names import LONGEST_NAME, Names
from ludarium.errors import ProtocolError, StoreError


def code(names: Names, name: str, key: str | None = None) -> str:
    with pytest.raises(ProtocolError) as refused:
        names.take(name, key, lambda new: None)
    return refused.value.code


def test_a_name_belongs_to_whoever_has_its_key(tmp_path: Path) -> None:
    path = tmp_path / "names.jsonl"
    told: list[str] = []
    names = Names(path, reserved={"random"})
    name, key = names.take("Tortoise 2", None, told.append)
    assert (name, told) == ("Tortoise 2", ["Tortoise 2"])
    assert names.take("ｔortoise 2", key, told.append) == ("Tortoise 2", key)
    assert code(names, "tortoise 2") == code(names, "Tortoise 2", key[:-1]) == code(names, "Tortoise 2", "") == "bad_key"
    assert code(names, "Random") == code(names, "Rand0m") == "bad_name"
    names.close()
    assert path.stat().st_mode & 0o777 == 0o600
    assert json.loads(path.read_text()) == {"name": "Tortoise 2", "key": hashlib.sha256(key.encode()).hexdigest()}
    again = Names(path)
    assert again.take("Tortoise 2", key, told.append) == ("Tortoise 2", key)
    assert told == ["Tortoise 2"]
    assert code(again, "T0rtoise 2") == "bad_name"
    assert again.take("COPE Ill", None, told.append)[0] == "COPE Ill"
    cyrillic = "\u0421\u041e\u0420\u0415 \u0406\u0406\u0406"
    assert code(again, "cope i1l") == code(again, cyrillic) == "bad_name"
    again.close()


@pytest.mark.parametrize(
    "name",
    [
        "",
        " a",
        "a ",
        ".",
        "..",
        "-a",
        "a/b",
        "a\nb",
        "<b>",
        "a" * (LONGEST_NAME + 1),
        "\u202ea",
        "\ud800",
        "a  b",
        "\u0430dmin",
        "Stud\u0395nt",
        "a\u0336",
        "\u0e35a",
        "\u0e01\u0e35\u0e35\u0e35",
        "a\0",
    ],
)
def test_what_is_no_name(name: str, tmp_path: Path) -> None:
    names = Names(tmp_path / "names.jsonl")
    assert code(names, name) == "bad_name"
    names.close()


@pytest.mark.parametrize(
    ("name", "alike"),
    [
        ("Tortoise", ["Tortoıse", "Tortoi5e", "Tortoise.", "Tor toise", "T_ortoise", "7ortoise", "Tort0ise", "TORTO1SE", "Τortoise"]),
        ("mouse", ["rnouse", "rnou5e", "M-ouse"]),
        ("willow", ["vvillow", "wi11ovv"]),
        ("Dodo", ["clodo", "D0do"]),
        ("Bot 1.2", ["B0t1.2", "bot 1.2", "Bot-1.2"]),
    ],
)
def test_names_that_look_alike(name: str, alike: list[str], tmp_path: Path) -> None:
    names = Names(tmp_path / "names.jsonl")
    names.take(name, None, lambda new: None)
    assert {other: code(names, other) for other in alike} == {
        other: "bad_key" if other.casefold() == name.casefold() else "bad_name" for other in alike
    }
    names.close()


def test_names_that_do_not_look_alike(tmp_path: Path) -> None:
    names = Names(tmp_path / "names.jsonl")
    different = [f"Bot {number}" for number in range(100)] + [
        "Bot 1.2",
        "Bot 9.6",
        "_",
        "__",
        "Ann",
        "Anne",
        "Ana",
        "李",
        "王",
        "अनिता",
        "अनीता",
    ]
    assert [names.take(name, None, lambda new: None)[0] for name in different] == different
    names.close()


@pytest.mark.parametrize("name", ["White", "wh1te", "human", "admin", "Admin.", "4dmin", "Organiser", "rnoderator", "alphabeta"])
def test_names_that_nobody_may_have(name: str, tmp_path: Path) -> None:
    names = Names(tmp_path / "names.jsonl", reserved=["White", "alphabeta"])
    assert code(names, name) == "bad_name"
    names.close()


@pytest.mark.parametrize("name", ["Müller", "Łukasz 2", "Иван-2", "Αθηνά", "李 Li", "٣٤", "अनिता", "พี่"])
def test_names_of_every_language(name: str, tmp_path: Path) -> None:
    names = Names(tmp_path / "names.jsonl")
    assert names.take(name, None, lambda new: None)[0] == name
    names.close()


def test_a_name_that_may_not_be_begun_is_not_taken(tmp_path: Path) -> None:
    names = Names(tmp_path / "names.jsonl")

    def refuse(name: str) -> None:
        raise StoreError("full")

    with pytest.raises(StoreError):
        names.take("Hare", None, refuse)
    names.take("Hare", None, lambda new: None)
    names.close()


def test_a_name_that_was_removed_stays_taken_and_has_no_key(tmp_path: Path) -> None:
    path = tmp_path / "names.jsonl"
    names = Names(path)
    longest = "a" * LONGEST_NAME
    keys = {name: names.take(name, None, lambda new: None)[1] for name in ("Hare", longest)}
    assert (names.find("HARE"), names.find("ｈare"), names.find("Hedgehog")) == ("Hare", "Hare", None)
    assert names.check("hare", keys["Hare"]) == "Hare"
    assert (names.remove("Hedgehog"), names.remove("hare"), names.remove("Hare")) == (False, True, False)
    assert len(path.read_text().splitlines()) == 3
    names.close()
    again = Names(path)
    assert len(again) == 2
    assert (again.find("Hare"), again.find(longest)) == (None, longest)
    assert again.check(longest, keys[longest]) == longest
    for name, key in (("Hare", keys["Hare"]), ("Hare", ""), (longest, keys["Hare"])):
        with pytest.raises(ProtocolError, match=f"this is not the key of the name '{name}'"):
            again.check(name, key)
    assert code(again, "Hare") == "bad_key"
    assert code(again, "H-are") == "bad_name"
    again.close()


def test_a_file_that_is_damaged_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "names.jsonl"
    path.write_text('{"name":"Hare","key":"00"}\n{"name":1}\n')
    with pytest.raises(StoreError, match=r"names.jsonl, line 2: no name with the digest of its key"):
        Names(path)
