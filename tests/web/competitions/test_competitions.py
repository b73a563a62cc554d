"""The pages of competitions: what they show of a store that others write to, that every game opens, and that nothing else does."""

from __future__ import annotations

import asyncio
import gzip
import json
import re
import threading
from collections.abc import Hashable, Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

import ludarium
from ludarium.arena import GamePlan, match, play_game
from ludarium.arena.ratings import rate
from ludarium.arena.reports.stored import stored_table
from ludarium.arena.store import Competition, Database, Entrant, Rating, begin, competition_of, latest_competitions, open_database, resume
from ludarium.arena.store.records import import_records, record_files
from ludarium.errors import ProtocolError
from ludarium.web.competitions import Store, kept_pages, routes, views
from ludarium.web.competitions.kept_pages import KeptPages
from ludarium.web.competitions.kept_tables import table_of
from ludarium.web.server import is_private
from ludarium.web.visitors.visitor import Visitor
from tests.arena.store.made import made
from tests.tags import Tags
from tests.web.live import Live

GAME = ludarium.game("expendibots")
ODD = ["Ann", "..", "a/b?c&d#e", "Ann", "<script>alert(1)</script>", "{{ 7 * 7 }}", "Zoë %2F"]
SPECS = ["random", "greedy", "./bots/secret.py", "cmd:secret --key 1", "random", "random", "random"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("competitions")


@pytest.fixture(scope="module")
def database(folder: Path) -> Iterator[Database]:
    with open_database(folder / "store.sqlite") as database:
        yield database


@pytest.fixture(scope="module")
def live(folder: Path, database: Database) -> Iterator[Live]:
    patched = pytest.MonkeyPatch()
    patched.setattr(kept_pages, "LOOK", 0.0)
    patched.setattr(kept_pages, "SHARE", 0)
    patched.setattr(kept_pages, "PATIENCE", None)
    store = Store(folder / "store.sqlite")
    with Live(folder / "data", store=store) as live:
        yield live
    store.close()
    patched.undo()


@pytest.fixture(scope="module")
def odd(database: Database) -> Iterator[Competition]:
    """A tournament of players with names that are hard to write, which somebody plays."""
    field = [Entrant(name, spec, str(number)) for number, (name, spec) in enumerate(zip(ODD, SPECS, strict=True))]
    cup = begin(database, "The <b>cup</b>", "tournament", GAME, field, json.dumps({"games": 60}))
    cup.add([made(number, (number % 6, 6)) for number in range(25)])
    cup.add([made(25, (3, 0), (-1.0, 1.0), forfeits={0: "made up"}), made(26, (3, 0), (0.0, 0.0))])
    cup.rate([Rating(1, float(number), 10.0 * number, 10.0 * number - 50, 10.0 * number + 50, number) for number in range(1, 5)])
    with database.claimed(cup.id):
        yield cup


@pytest.fixture(scope="module")
def played(database: Database, folder: Path) -> Competition:
    """Three games that were really played, between programs that are called otherwise than on the organiser's computer."""
    cup = begin(database, "Evening", "match", GAME, [Entrant("Ada", "./bots/ada.py"), Entrant("random", "random")])
    cup.add(match(GAME, ["random", "random"], games=3, seed=1, records=folder / "records").games)
    cup.finish()
    return cup


def test_what_was_killed_is_not_under_way(tmp_path: Path) -> None:
    with open_database(tmp_path / "store.sqlite") as database:
        cup = begin(database, "Killed", "match", GAME, [Entrant("Ada", "random"), Entrant("Bob", "random")])
    store = Store(tmp_path / "store.sqlite")
    row = store.competition(cup.id)
    store.close()
    assert row is not None
    assert row.status == "interrupted"


def text_of(page: str) -> str:
    tags = Tags()
    tags.feed(page[page.index("<body") : page.index("</html>")])
    return " ".join(tags.text.split())


def test_all_are_listed_with_how_far_they_are(live: Live, odd: Competition, played: Competition) -> None:
    text = text_of(live.http.get("/competitions").text)
    assert "The <b>cup</b> under way tournament · Expendibots · 7 players · 27 of 60 games" in text
    assert "Evening finished match · Expendibots · 2 players · 3 games" in text
    assert "Evening" not in live.http.get(f"/competitions?before={played.id}").text
    assert 'href="/competitions">' in live.http.get("/").text


def test_a_competition_has_its_table_and_every_player_a_page(live: Live, database: Database, odd: Competition) -> None:
    page = live.http.get(f"/competitions/{odd.id}").text
    assert "<script>alert" not in page
    row = competition_of(database, odd.id)
    assert row is not None
    for place in stored_table(database, row, 2).rows:
        assert f"{place.elo}" in page
    links = re.findall(r'<th scope="row"><a href="([^"]+)"><bdi>(.*?)</bdi>', page)
    assert len(links) == len({address for address, _ in links}) == len(ODD)
    for address, name in links:
        shown = live.http.get(address.replace("&amp;", "&"))
        assert f"<bdi>{name}</bdi></h1>" in shown.text
    assert "secret" not in page
    assert "a program" in page
    (games,) = re.findall(r'<table class="gamelist">.*?</table>', page, re.DOTALL)
    assert games.count("<tr>") == 21
    assert "49" not in text_of(page)


def test_a_players_page_has_its_opponents_curve_and_games(live: Live, odd: Competition) -> None:
    page = live.http.get(f"/competitions/{odd.id}/players/?number=1").text
    assert "Rating after 1 games +10, after 4 games +40" in page
    (to_zoe,) = re.findall(r'href="([^"]+)">4/4</a>', page)
    assert page.count("<bdi>..</bdi> – <bdi>Zoë %2F</bdi>") == 4
    forfeited = live.http.get(f"/competitions/{odd.id}/players/?number=3&against=0").text
    assert "Ann lost by forfeit: made up" in text_of(forfeited)
    assert "½–½" in forfeited
    assert re.findall(r'<td class="number">(\d+)</td>\s*<td>', forfeited) == ["27", "26"]
    assert live.http.get(to_zoe.replace("&amp;", "&")).text.count("<bdi>made up</bdi>") == 4


@pytest.mark.parametrize(
    "address",
    ["/99", "/9999999999999", "/{id}/players/nobody", "/{id}/players/?number=7", "/{id}/players/..x", "/{id}/players/?number=1&against=9"],
)
def test_what_there_is_not(live: Live, odd: Competition, address: str) -> None:
    answer = live.http.get(f"/competitions{address.format(id=odd.id)}")
    assert answer.status_code == 404
    assert "There is no" in answer.text or "has no such player" in answer.text


@pytest.mark.parametrize("players", [0, 1, 3, 70])
def test_before_the_first_game_there_is_a_page_too(live: Live, database: Database, players: int) -> None:
    field = [Entrant(f"player {number}", "random") for number in range(players)]
    cup = begin(database, f"New, of {players}", "ladder", ludarium.game("liars-dice", players=3), field)
    page = live.http.get(f"/competitions/{cup.id}")
    assert page.status_code == 200
    assert "No game has ended yet." in page.text
    assert page.text.count('<th scope="row"><a') == players


def test_a_folder_of_records_of_several_games_is_no_secret_but_where_it_is(live: Live, database: Database, folder: Path) -> None:
    match(GAME, ["random", "random"], games=1, seed=3, records=folder / "mixed")
    three = ludarium.game("liars-dice", players=3, dice=1)
    play_game(three, ["random"] * 3, seed=1, record=folder / "mixed" / "three.jsonl")
    assert import_records(database, record_files([folder / "mixed"])).games == 2
    (row,) = (row for row in latest_competitions(database) if row.kind == "records")
    page = live.http.get(f"/competitions/{row.id}").text
    assert "<h1><bdi>mixed</bdi></h1>" in page
    assert str(folder) not in page + live.http.get("/competitions").text
    assert 'class="plot"' not in page
    for key in re.findall(r'href="/game/(\d+:\d+)"', page):
        with live.join(key) as watcher:
            assert watcher.position["outcome"] is not None


def test_older_games_are_on_further_pages(live: Live, odd: Competition) -> None:
    page, found = live.http.get(f"/competitions/{odd.id}"), list[str]()
    for _ in range(2):
        found += re.findall(r'<td class="number">(\d+)</td>\s*<td><bdi>', page.text)
        older = re.search(r'href="([^"]+)">Older games', page.text)
        if older:
            page = live.http.get(older[1])
    assert found == [str(number) for number in range(27, 0, -1)]


@pytest.mark.parametrize(("games", "more"), [(3, False), (4, True)])
def test_only_games_that_exist_have_a_further_page(
    live: Live, database: Database, monkeypatch: pytest.MonkeyPatch, games: int, more: bool
) -> None:
    monkeypatch.setattr(views, "NEWEST", 3)
    monkeypatch.setattr(views, "A_PAGE", 3)
    cup = begin(database, f"Of {games} games", "tournament", GAME, [Entrant("Ada", "random"), Entrant("Bob", "greedy")])
    cup.add([made(number) for number in range(games)])
    for address in ("", "/games", "/players/Ada", "/players/Ada?against=1"):
        page = live.http.get(f"/competitions/{cup.id}{address}")
        assert page.status_code == 200
        assert ("Older games" in page.text) == more, address


def test_only_competitions_that_exist_have_a_further_page(live: Live, database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    newest = begin(database, "The newest", "tournament", GAME, [Entrant("Ada", "random"), Entrant("Bob", "greedy")])
    monkeypatch.setattr(routes, "A_PAGE", newest.id)
    assert "Older ones" not in live.http.get("/competitions").text
    monkeypatch.setattr(routes, "A_PAGE", newest.id - 1)
    assert "Older ones" in live.http.get(f"/competitions?before={newest.id + 1}").text


def test_a_page_is_sent_again_when_it_has_changed(live: Live, database: Database) -> None:
    cup = begin(database, "Changing", "tournament", GAME, [Entrant("Ada", "random"), Entrant("Bob", "greedy")])
    address = f"/competitions/{cup.id}"
    first = live.http.get(address)
    assert "No game has ended yet." in first.text
    same = live.http.get(address, headers={"If-None-Match": first.headers["ETag"]})
    assert (same.status_code, same.content) == (304, b"")
    cup.add([made(0)])
    asked = (live.http.get(address, headers={"If-None-Match": first.headers["ETag"]}) for _ in count())  # the older page may come meanwhile
    changed = next(answer for answer in asked if answer.status_code != 304)
    assert "1 game, under way" in text_of(changed.text)
    plain = live.http.get(address, headers={"Accept-Encoding": "identity"})
    assert (plain.text, "Content-Encoding" in plain.headers) == (changed.text, False)
    cup.finish()
    assert any('data-renew="30"' in live.http.get(address).text for _ in count())


def test_every_game_opens_by_its_number(live: Live, played: Competition, folder: Path) -> None:
    page = live.http.get(f"/competitions/{played.id}").text
    assert re.findall(r'href="/game/(\d+:\d+)"', page) == [f"{played.id}:{number}" for number in (2, 1, 0)]
    key = f"{played.id}:1"
    assert f'href="/competitions/{played.id}"' in live.http.get(f"/game/{key}").text
    with live.join(key) as watcher:
        assert [player.get("nickname", player["spec"]) for player in watcher.welcome["players"]] == ["random", "Ada"]
        assert watcher.position["outcome"] is not None
        watcher.send(type="look", ply=0)
        assert watcher.until(lambda position: position["ply"] == 0)["text"] == GAME.start().text
        assert watcher.code(type="act", ply=0, action="a2-a3") == "not_your_turn"
    told = live.http.get(f"/api/games/{key}/record")
    assert f'filename="expendibots-{played.id}-1.jsonl"' in told.headers["Content-Disposition"]
    lines, kept = (
        [json.loads(line) for line in text.splitlines()] for text in (told.text, (folder / "records" / "game-0002.jsonl").read_text())
    )
    assert lines[0] == {**kept[0], "players": ["random", "Ada"]}
    assert lines[1:] == kept[1:]


def test_only_what_has_ended_and_is_as_it_was_opens(live: Live, database: Database, folder: Path) -> None:
    (result,) = match(GAME, ["random", "random"], games=1, seed=2, records=folder / "spoilt").games
    assert result.record is not None
    cup = begin(database, "Spoilt", "match", GAME, [Entrant("Ada", "random"), Entrant("Bob", "random")])
    unfinished = folder / "unfinished.jsonl"
    unfinished.write_bytes(b"".join(result.record.read_bytes().splitlines(keepends=True)[:-2]))
    copies = [
        replace(result, plan=GamePlan(number, 0, (0, 1)), record=record) for number, record in enumerate((result.record, None, unfinished))
    ]
    cup.add(copies)
    result.record.write_bytes(result.record.read_bytes() + b"{}\n")
    said = [live.http.get(f"/game/{cup.id}:{number}") for number in range(4)]
    for answer, words in zip(said, ("has changed since", "has no record", "does not come to its end", "has not ended yet"), strict=True):
        assert answer.status_code == 404
        assert words in answer.text
        assert str(folder) not in answer.text
    with live.socket(f"{cup.id}:0") as socket:
        assert socket.receive("error")["code"] == "no_such_game"


def test_where_they_are_not_to_be_seen_there_is_nothing(tmp_path: Path, played: Competition) -> None:
    with Live(tmp_path) as live:
        assert [
            live.http.get(address).status_code for address in ("/competitions", f"/competitions/{played.id}", f"/game/{played.id}:0")
        ] == [404] * 3
        assert "/competitions" not in live.http.get("/").text
    assert [is_private(host, names) for host, names in (("127.0.0.1", ()), ("localhost", ()), ("0.0.0.0", ()), ("::1", ["play.org"]))] == [
        True,
        True,
        False,
        False,
    ]


def test_a_store_that_comes_later_and_one_that_fails(tmp_path: Path) -> None:
    store = Store(tmp_path / "store.sqlite")
    assert (store.opened(), store.has_any()) == (None, False)
    assert not (tmp_path / "store.sqlite").exists()
    with open_database(tmp_path / "store.sqlite") as database:
        begin(database, "first", "match", GAME, [Entrant("Ada", "random")])
        assert store.has_any()
        store.close()
    broken = Store(tmp_path / "broken.sqlite")
    (tmp_path / "broken.sqlite").write_text("no database at all, but as long as one would be at least" * 100)
    with pytest.raises(ProtocolError, match=r"^the competitions cannot be read at the moment"):
        broken.opened()
    assert not broken.has_any()


def test_tables_of_three_have_the_ratings_that_were_kept(database: Database) -> None:
    field = [Entrant(name, "random") for name in ("Ada", "Bob", "Cy")]
    cup = begin(database, "Three", "tournament", ludarium.game("liars-dice"), field)
    cup.add([made(0, (0, 1, 2), (1.0, 0.0, -1.0)), made(1, (2, 0, 1), (1.0, -1.0, 0.0))])
    row = competition_of(database, cup.id)
    assert row is not None
    assert [place.elo for place in stored_table(database, row, 3).rows] == ["", "", ""]
    cup.rate([Rating(entrant, 1.0, 10.0 * entrant, -50.0, 50.0, 2) for entrant in range(3)])
    table = stored_table(database, row, 3)
    assert [(place.name, place.points, place.elo, place.percent) for place in table.rows] == [
        ("Ada", 1.0, "0 ± 50", ""),
        ("Bob", 1.0, "+10 ± 50", ""),
        ("Cy", 1.0, "+20 ± 50", ""),
    ]
    assert table.cells == [[None, (1.0, 2), (1.0, 2)], [(1.0, 2), None, (1.0, 2)], [(1.0, 2), (1.0, 2), None]]


def test_games_say_which_option_set_they_had(live: Live, database: Database) -> None:
    sets = [ludarium.game("expendibots", turn_limit=limit) for limit in (12, 16)]
    config = json.dumps({"option_sets": [dict(game.options) for game in sets]})
    cup = begin(database, "Sets", "tournament", sets, [Entrant("Ada", "random"), Entrant("Bob", "random")], config)
    games = [made(number) for number in range(6)]
    cup.add([replace(game, plan=replace(game.plan, option_set=number // 4)) for number, game in enumerate(games)])
    assert [game.plan.option_set for game in resume(database, "Sets", sets, cup.entrants(), config).finished_games()] == [0, 0, 0, 0, 1, 1]
    page = live.http.get(f"/competitions/{cup.id}").text
    assert "<dt>Options</dt><dd>turn_limit = 12; turn_limit = 16</dd>" in page
    assert re.findall(r">(\d+)</td><td>turn_limit = (\d+)</td>", page) == [
        *((number, "16") for number in "65"),
        *((number, "12") for number in "4321"),
    ]
    (table,) = re.findall(r'<table class="crossed sets">.*?</table>', page, re.DOTALL)
    assert re.findall(r">(\d/\d)</td>", table) == ["4/4", "2/2", "0/4", "0/2"]
    assert "turn_limit = 16" in live.http.get(f"/competitions/{cup.id}/games").text
    assert "turn_limit = 16" in live.http.get(f"/competitions/{cup.id}/players/Ada").text


def test_games_of_two_are_rated_by_their_counters(database: Database, odd: Competition) -> None:
    row = competition_of(database, odd.id)
    assert row is not None
    table = stored_table(database, row, 2)
    results = [(result.plan.seats, result.returns) for result in odd.finished_games()]
    expected = rate(ODD, results)
    for place, entrant in zip(table.rows, table.ranking, strict=True):
        assert place.name == ODD[entrant]
        assert [place.rating, place.low, place.high] == pytest.approx(
            [expected.ratings[entrant], expected.low[entrant], expected.high[entrant]], abs=0.06
        )


def test_pages_share_a_table_that_takes_long(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may be a little older than the page; whoever takes part is in it."""
    monkeypatch.setattr(kept_pages, "SHARE", 1e9)
    cup = begin(database, "Long", "ladder", GAME, [Entrant("Ada", "random"), Entrant("Bob", "greedy")])

    def table() -> tuple[list[float], bool]:
        row = competition_of(database, cup.id)
        assert row is not None
        found, is_newest = table_of(database, row, 2)
        return [one.points for one in found.entrants], is_newest

    assert table() == table() == ([0, 0], True)
    cup.add([made(0)])
    assert table() == ([0, 0], False)
    cup.enter(Entrant("Cy", "random"))
    assert table() == ([1, 0, 0], True)


def test_readers_wait_for_the_first_page_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """While a newer page is made, everybody reads the older one at once; and it is made once for all of them."""
    for name in ("LOOK", "SHARE", "PATIENCE"):
        monkeypatch.setattr(kept_pages, name, 0)
    made_pages: list[int] = []
    going_on = threading.Event()
    going_on.set()

    def make(known: Hashable) -> tuple[Hashable, str]:
        version = len(made_pages)
        made_pages.append(version)
        assert going_on.wait(30)
        return version, f"page {version}"

    async def read() -> None:
        pages, visitor = KeptPages(), Visitor("127.0.0.1")

        async def all_read() -> set[bytes]:
            read = await asyncio.gather(*(pages.get("page", make, visitor) for _ in range(40)))
            assert all(gzip.decompress(page.packed) == page.plain for page in read)
            return {page.plain for page in read}

        assert await all_read() == {b"page 0"}
        going_on.clear()
        assert await all_read() == await all_read() == {b"page 0"}
        going_on.set()
        while (await pages.get("page", make, visitor)).plain == b"page 0":
            await asyncio.sleep(0)
        assert made_pages[:2] == [0, 1]

    asyncio.run(read())
