"""The menu of every page, and what puts the pages on a phone's home screen."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import ludarium
from ludarium.arena.store import Entrant, begin, open_database
from ludarium.web.competitions import Store
from tests.web.live import Live


def links(html: str) -> list[tuple[str, str, str]]:
    """The links of a page's menu: address, whether it is the current one, title."""
    (menu,) = re.findall(r'<details id="menu">.*?</details>', html, re.DOTALL)
    return re.findall(r'<a href="([^"]*)"(?: aria-current="(\w+)")?>([^<]*)</a>', menu)


def test_all_pages_have_the_same_menu(tmp_path: Path) -> None:
    with Live(tmp_path, ladders=["expendibots"]) as live:
        current = {
            "/": ("/", "page"),
            "/people": ("/people", "page"),
            "/competitions": ("/competitions", "page"),
            "/continue": ("/continue", "page"),
            "/ladder/expendibots": ("/ladder/expendibots", "page"),
            live.make("human", "random")["watch"]: ("/", "true"),
            "/organiser": None,
            "/design": None,
            "/nothing": None,
        }
        menus = {address: links(live.http.get(address).text) for address in current}
        for address, menu in menus.items():
            assert [title for _, _, title in menu] == ["Games", "Competitions", "Ladder of Expendibots", "People", "Continue here"], address
            assert [link for link, *_ in menu] == [link for link, *_ in menus["/"]]
            assert next(((link, kind) for link, kind, _ in menu if kind), None) == current[address], address
        for link, *_ in menus["/"]:
            assert live.http.get(link).status_code == 200


def test_pages_of_a_competition_belong_to_competitions(tmp_path: Path) -> None:
    with open_database(tmp_path / "store.sqlite") as database:
        begin(database, "Evening", "match", ludarium.game("tic-tac-toe"), [Entrant("Ada", "random"), Entrant("Bob", "random")])
    store = Store(tmp_path / "store.sqlite")
    with Live(tmp_path / "data", store=store) as live:
        assert ("/competitions", "true", "Competitions") in links(live.http.get("/competitions/1").text)
    store.close()


@pytest.mark.parametrize("root", ["", "/ludarium"])
def test_a_phone_finds_what_its_home_screen_needs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, root: str) -> None:
    monkeypatch.setattr("ludarium.web.addresses._root", root)
    with Live(tmp_path) as live:
        page = live.http.get("/").text
        assert f'<link rel="manifest" href="{root}/manifest.webmanifest" />' in page
        answer = live.http.get("/manifest.webmanifest")
        assert answer.headers["Content-Type"] == "application/manifest+json"
        told = answer.json()
        assert (told["start_url"], told["scope"]) == (f"{root}/", f"{root}/")
        touch = re.findall(r'<link rel="apple-touch-icon" href="([^"]+)" />', page)
        for address, size in ((touch[0], 180), (told["icons"][1]["src"], 512)):
            assert address.startswith(f"{root}/kept/")
            picture = live.http.get(address.removeprefix(root))
            assert picture.headers["Content-Type"] == "image/png"
            assert [int.from_bytes(picture.content[at : at + 4], "big") for at in (16, 20)] == [size, size]
