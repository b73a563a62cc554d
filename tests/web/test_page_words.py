"""What all pages have in common: dates, sentences, pages that are not there yet, and pages without JavaScript."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from datetime import date
from html import unescape
from pathlib import Path

import pytest

import ludarium
from ludarium.arena import match
from ludarium.arena.reports.words import day, moment, sentence
from ludarium.arena.store import Entrant, begin, open_database
from ludarium.web.competitions import Store
from tests.web.live import Live

SOURCE = Path(ludarium.__file__).parent
PAGES = [*SOURCE.rglob("*.html"), *SOURCE.rglob("*.js")]
GAME = ludarium.game("tic-tac-toe")


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    folder = tmp_path_factory.mktemp("words")
    with open_database(folder / "store.sqlite") as database:
        cup = begin(database, "Evening", "match", GAME, [Entrant("Ada", "random"), Entrant("Bob", "random")], json.dumps({"games": 3}))
        cup.add(match(GAME, ["random", "random"], games=2, seed=1, records=folder / "records").games)
        store = Store(folder / "store.sqlite")
        with database.claimed(cup.id), Live(folder / "data", store=store) as live:
            yield live
        store.close()


def words(html: str) -> str:
    """The text of a page as it is read."""
    return unescape(re.sub(r"<(script|style).*?</\1>|<[^>]+>", " ", html, flags=re.DOTALL))


@pytest.mark.parametrize("text", ["it is over", "it is over.", "Is it over?", "J.", "wait…"])
def test_a_sentence_has_one_end(text: str) -> None:
    assert re.search(r"[^.][.?…]$", sentence(text))
    assert sentence(sentence(text)) == sentence(text)


def messages_of_errors() -> Iterator[tuple[str, str]]:
    """Where an error is raised with a text, and how that ends."""
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
                for given in node.exc.args:
                    last = given.values[-1] if isinstance(given, ast.JoinedStr) else given
                    if isinstance(last, ast.Constant) and isinstance(last.value, str) and last.value != ".":
                        yield f"{path.relative_to(SOURCE)}:{node.lineno}", last.value


def test_no_error_ends_with_a_full_stop() -> None:
    """Pages, logs and other messages put one after it."""
    found = list(messages_of_errors())
    assert len(found) > 500
    ends = {where for where, text in found if text.endswith(".")}
    assert {where.partition(":")[0] for where in ends} <= {"games/hexabomb/maps.py", "netorcai/messages.py"}, (
        ends
    )  # in netorcai's own words


ADDRESSES = [
    "/game/nothing",
    "/competitions/99",
    "/people/Nobody",
    "/nothing",
    "/game/1:9",
    "/competitions/1/players/Nobody",
    "/ladder/hexabomb",
]


@pytest.mark.parametrize("address", ADDRESSES)
def test_no_page_has_two_full_stops(live: Live, address: str) -> None:
    answer = live.http.get(address)
    assert answer.status_code == 404
    assert "." in words(answer.text)
    assert ".." not in words(answer.text)


def test_what_the_organisers_page_and_dialogs_join_has_one_end() -> None:
    """Texts that come from elsewhere are joined to a full stop by ``sentence`` alone."""
    joined = re.compile(r"\$\{(?:reason|ending|problem|message|error)\}\.|\{\{ *(?:\w+\.)?(?:reason|message|problem|given_up) *\}\}\.")
    assert [path.name for path in PAGES if joined.search(path.read_text(encoding="utf-8"))] == []


def test_all_dates_are_written_alike(live: Live) -> None:
    assert (
        moment(0.0) == moment("1970-01-01T01:00:00+01:00") == '<time datetime="1970-01-01T00:00:00+00:00">1 January 1970, 00:00 UTC</time>'
    )
    assert moment("<last> week") == "&lt;last&gt; week"
    for path in PAGES:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"<time(?! class=\"running\")|strftime|\.toLocale(?:Date|Time)?String\(\)", text), path
    page = live.http.get("/competitions/1").text
    assert re.search(r'Last game</dt><dd><time datetime="[^"]+\+00:00">\d{1,2} [A-Z][a-z]+ \d{4}, \d\d:\d\d UTC</time>', page)
    assert day(date(2026, 1, 31)) == '<time datetime="2026-01-31">31 January 2026</time>'


def test_a_game_that_has_not_ended_is_looked_for_again(live: Live) -> None:
    soon, never = live.http.get("/game/1:2"), live.http.get("/game/9:2")
    assert (soon.status_code, soon.headers["Retry-After"]) == (404, "5")
    assert "game 3 of evening has not ended yet" in words(soon.text).lower()
    assert "<h1>Not here yet</h1>" in soon.text
    assert "not_yet.js" in soon.text
    assert "missing.js" not in soon.text, "which forgets the game"
    assert "Retry-After" not in never.headers
    assert "not_yet.js" not in never.text


def record_of_game(live: Live, *, lines: int) -> bytes:
    """The first lines of a game's record."""
    return b"".join(live.http.get("/api/games/1:0/record").content.splitlines(keepends=True)[:lines])


@pytest.mark.parametrize(("lines", "is_cut"), [(5, True), (3, True), (1000, False)])
def test_a_record_that_was_cut_says_so(live: Live, lines: int, is_cut: bool) -> None:
    answer = live.http.post("/api/opened", content=record_of_game(live, lines=lines))
    page = live.http.get(answer.json()["watch"]).text
    assert ("This record was cut: it has no end, as after a power failure." in page) == is_cut


def test_a_position_is_no_record_that_was_cut(live: Live) -> None:
    answer = live.http.post("/api/opened", content=GAME.start().text)
    assert "was cut" not in live.http.get(answer.json()["watch"]).text
