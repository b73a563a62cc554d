"""The reports of a tournament: what they say, and that names are only ever names."""

from __future__ import annotations

import base64
import csv
import json
import re
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt

from ludarium.arena.ratings import rate
from ludarium.arena.reports import replays, table, write_reports
from ludarium.arena.reports.curve import rating_curve
from ludarium.arena.reports.replays import packed_games
from ludarium.arena.store import Rating
from ludarium.arena.tournament import TournamentResult, hold
from ludarium.arena.tournament_file import read_tournament
from ludarium.core.record import read_record
from ludarium.errors import StoreError
from ludarium.players import never
from tests.tags import Tags

SPECS = ("random", "greedy", "random", "greedy")
NAMES = ("Ann", "Bob", "Cy", "Dora")
HOSTILE = (
    "</title></svg><script>alert(1)</script>",
    "\" onclick='x' &amp; {{ tournament }}",
    "=HYPERLINK(1)|x\\|y\\",
    "**a** _b_ [c](d) `e` ~~f~~ <g> $h$ www.i.j ![k](l)",
)

HEAD = 'game = "expendibots"\ngames = 4\nrandom_plies = 2\ntime = "60+1"\n'


def held(folder: Path, names: tuple[str, ...] = NAMES, head: str = HEAD, games: int | None = None, workers: int = 1) -> TournamentResult:
    """A tournament of these players, or as many games of it."""
    folder.mkdir(exist_ok=True)
    players = "".join(
        f"[[players]]\nname = {json.dumps(name)}\nspec = {json.dumps(spec)}\n" for name, spec in zip(names, SPECS, strict=True)
    )
    path = folder / "class.toml"
    path.write_text(head + players, encoding="utf-8")
    records = folder / "class" / "games"
    return hold(
        read_tournament(path),
        resume=True,
        workers=workers,
        interrupted=lambda: games is not None and len(list(records.glob("*.jsonl"))) > games,
    )


def written(result: TournamentResult) -> dict[str, str]:
    """The reports by name."""
    folder = write_reports(result).parent
    return {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir() if path.suffix in (".json", ".csv", ".md", ".html")}


def tags_of(page: str) -> Tags:
    tags = Tags()
    tags.feed(page)
    assert tags.open == []
    return tags


def cells_of(page: str, name: str) -> list[list[str]]:
    """The texts of a table of the page, row by row."""
    found = re.search(rf'<table class="{name}">(.*?)</table>', page, re.DOTALL)
    assert found is not None
    rows = re.findall(r"<tr>(.*?)</tr>", found[1], re.DOTALL)
    return [[tags_of(cell).text for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL)] for row in rows]


def test_all_reports_have_the_ratings(tmp_path: Path) -> None:
    result = held(tmp_path)
    reports = written(result)
    assert set(reports) == {"table.json", "table.csv", "table.md", "report.html"}
    found = rate(NAMES, [(game.plan.seats, game.returns) for game in result.games])
    order = sorted(range(4), key=lambda player: (-found.points[player], player))
    told = json.loads(reports["table.json"])
    assert [player["name"] for player in told["players"]] == [NAMES[player] for player in order]
    for rank, player in enumerate(order):
        row = told["players"][rank]
        assert [row["rating"], row["low"], row["high"]] == pytest.approx(
            [found.ratings[player], found.low[player], found.high[player]], abs=0.05
        )
        assert row["points"] == found.points[player]
        for column, other in enumerate(order):
            assert told["superiority"][rank][column] == pytest.approx(found.superiority[player, other], abs=1e-6)
            assert told["cross_table"]["points"][rank][column] == found.pair_points[player, other]
            assert told["cross_table"]["games"][rank][column] == found.pair_games[player, other] == (0 if player == other else 4)
        assert row["superiority"] == (told["superiority"][rank][rank + 1] if rank < 3 else None)
    with (result.tournament.folder / "table.csv").open(newline="", encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    assert [{key: value or None for key, value in line.items()} for line in lines] == [
        {key: None if value is None else str(value) for key, value in player.items()} for player in told["players"]
    ]
    rows = table(result)
    page = reports["report.html"]
    assert [line[3:5] for line in cells_of(page, "standings")[1:]] == [
        [row.elo.replace("± ", "±\u00a0"), row.percent or "–"] for row in rows
    ]
    crossed = [["–" if one == other else f"{found.pair_points[one, other]:g}/4" for other in order] for one in order]
    assert [line[2:] for line in cells_of(page, "crossed")[1:]] == crossed
    assert [line.split(" | ")[2:] for line in reports["table.md"].splitlines()[-4:]] == [[*line[:-1], f"{line[-1]} |"] for line in crossed]
    assert all(f"| {row.elo} |" in reports["table.md"] for row in rows)


def test_the_page_says_what_was_played_and_opens_every_game(tmp_path: Path) -> None:
    result = held(tmp_path)
    page = written(result)["report.html"]
    tags = tags_of(page)
    facts = ("Expendibots (turn_limit = ", "round-robin, 4 games of each table", "60+1 s", "2 random plies", "24 games, ")
    assert [fact for fact in facts if fact not in tags.text] == []
    assert "not over" not in tags.text
    assert page.count("<details>") == 6
    records = [address for address in tags.addresses if not address.startswith("#")]
    assert sorted(records) == [f"games/game-{number:04}.jsonl" for number in range(1, 25)]
    assert all((result.tournament.folder / record).is_file() for record in records)
    assert all(f'id="{address[1:]}"' in page for address in tags.addresses if address.startswith("#"))
    font, rest = page.partition('url("data:font/woff2;base64,')[2].split('"', 1)
    assert base64.b64decode(font).startswith(b"wOF2")  # the house's typeface comes along
    assert "url(" not in rest
    assert "Figtree" in rest
    assert "<script" not in page
    for game in result.games:
        seats = " – ".join(f"<bdi>{NAMES[player]}</bdi>" for player in game.plan.seats)
        score = {1.0: "1–0", 0.0: "½–½", -1.0: "0–1"}[game.returns[0]]
        assert re.search(
            rf'>{game.number + 1}</a></td>\s*<td>{seats}</td>\s*<td class="result">{score}</td><td><bdi>{re.escape(game.reason)}<', page
        )


def test_names_are_only_names(tmp_path: Path) -> None:
    result = held(tmp_path, HOSTILE, games=8)
    broken = replace(result.games[0], forfeits={0: "illegal action: <b>"}, reason="illegal action: <b>", unrecorded="<i>full</i>")
    result = replace(result, games=(broken, *result.games[1:]))
    reports = written(result)
    tags = tags_of(reports["report.html"])
    assert "<script" not in reports["report.html"]
    assert all(tags.text.count(name) >= 3 for name in HOSTILE)
    assert f"{HOSTILE[0]} lost by forfeit: illegal action: <b>" in tags.text
    assert "<i>full</i>" in tags.text
    assert "games/game-0001.jsonl" not in tags.addresses
    rendered = tags_of(MarkdownIt("gfm-like", {"linkify": False}).render(reports["table.md"]))
    assert all(rendered.text.count(name) == 3 for name in HOSTILE)
    assert rendered.addresses == []
    with (result.tournament.folder / "table.csv").open(newline="", encoding="utf-8") as file:
        names = {line["name"] for line in csv.DictReader(file)}
    assert names == {*HOSTILE, f"'{HOSTILE[2]}"} - {HOSTILE[2]}


def test_the_same_games_give_the_same_reports(tmp_path: Path) -> None:
    def untimed(result: TournamentResult) -> TournamentResult:
        return replace(result, games=tuple(replace(game, thinking={}) for game in result.games))

    first = written(untimed(held(tmp_path / "first")))
    held(tmp_path / "second", games=5)
    second = written(untimed(held(tmp_path / "second", workers=2)))
    assert first.keys() == second.keys()
    for name, text in first.items():
        times = re.compile(r"<time [^>]+>[^<]+</time>")
        assert bool(times.search(text)) == (name == "report.html")
        assert times.sub("", text) == times.sub("", second[name])


@pytest.mark.parametrize("games", [0, 7])
def test_an_interrupted_tournament_is_not_over(games: int, tmp_path: Path) -> None:
    reports = written(replace(held(tmp_path, games=games), given_up="every process that played game 9 died"))
    text = tags_of(reports["report.html"]).text
    assert f"{games} games, not over" in text
    assert "This tournament is not over." in text
    assert "Every process that played game 9 died" in text
    assert ("No game has been played." in text) == (games == 0)
    assert f"{games} games, not over" in reports["table.md"]
    told = json.loads(reports["table.json"])
    assert (told["over"], told["games"]) == (False, games)


def test_tables_of_three_are_rated_too(tmp_path: Path) -> None:
    head = 'game = "liars-dice"\noptions.players = 3\noptions.dice = 1\n'
    folder = tmp_path / "three"
    folder.mkdir()
    path = folder / "class.toml"
    path.write_text(head + "".join(f'[[players]]\nname = "{name}"\nspec = "random"\n' for name in NAMES), encoding="utf-8")
    result = hold(read_tournament(path))
    reports = written(result)
    tags = tags_of(reports["report.html"])
    assert "Plackett–Luce" in tags.text
    assert reports["report.html"].count("<details>") == 4
    assert sum(map(sum, json.loads(reports["table.json"])["cross_table"]["points"])) == 3 * len(result.games)


def test_failures_and_thinking_times_of_players(tmp_path: Path) -> None:
    """Of three, two fail in some games; the others play on."""
    reasons = {
        0: {0: "crash: it fell", 1: "timeout: no answer in time"},
        1: {1: "timeout: 1.230 s of time used, 1.000 s were left"},
        2: {2: "illegal action: 'x'"},
    }
    head = 'game = "liars-dice"\noptions.players = 3\noptions.dice = 1\n'
    path = tmp_path / "class.toml"
    path.write_text(head + "".join(f'[[players]]\nname = "{name}"\nspec = "random"\n' for name in NAMES[:3]), encoding="utf-8")
    result = hold(read_tournament(path))
    assert all(actions and seconds for game in result.games for actions, seconds in game.thinking.values())
    games = [replace(game, forfeits=reasons[game.number], out={}, thinking=dict.fromkeys(range(3), (4, 0.5))) for game in result.games]
    result = replace(result, games=tuple(games))
    seats = [game.plan.seats for game in result.games]
    failed = {
        kind: [seats[game][seat]]
        for kind, game, seat in (("crashes", 0, 0), ("timeouts", 0, 1), ("late_answers", 1, 1), ("other_forfeits", 2, 2))
    }
    reports = written(result)
    players = json.loads(reports["table.json"])["players"]
    page = reports["report.html"]
    for row, player, cells in zip(players, result.ranking, cells_of(page, "standings conduct")[1:], strict=True):
        expected = {kind: who.count(player) for kind, who in failed.items()}
        assert {kind: row[kind] for kind in failed} == expected
        assert row["seconds_per_action"] == 0.125
        assert cells[2:] == ["125 ms", *(str(expected[kind]) for kind in ("timeouts", "late_answers", "crashes", "other_forfeits"))]
        line = next(line for line in reports["table.md"].splitlines() if "125 ms" in line and row["name"] in line)
        assert line.split(" | ")[2:] == [*cells[2:-1], f"{cells[-1]} |"]
    marked = [row[2] for row in cells_of(page, "gamelist")[1:]]
    assert [[part.endswith("†") for part in score.split("–")] for score in marked] == [
        [True, True, False],
        [False, True, False],
        [False, False, True],
    ]
    assert "† out: this player failed or left; the others played on." in tags_of(page).text


def test_results_with_each_option_set(tmp_path: Path) -> None:
    head = 'game = "expendibots"\noptions = [{turn_limit = 12}, {turn_limit = 16}]\nrandom_plies = 2\n'
    result = held(tmp_path, head=head)
    reports = written(result)
    told = json.loads(reports["table.json"])
    assert "turn_limit" not in told["options"]
    assert [one["options"]["turn_limit"] for one in told["option_sets"]] == [12, 16]
    for number, one in enumerate(told["option_sets"]):
        games = [game for game in result.games if game.plan.option_set == number]
        points = [sum((1 + game.return_of(player)) / 2 for game in games if player in game.plan.seats) for player in result.ranking]
        assert one["points"] == points
        assert one["games"] == [6, 6, 6, 6]
    page = reports["report.html"]
    assert "Option sets" in tags_of(page).text
    assert "turn_limit = 12; turn_limit = 16" in page
    sets = cells_of(page, "crossed sets")
    assert sets[0][2:] == ["turn_limit = 12", "turn_limit = 16"]
    cells = [[f"{one['points'][place]:g}/6" for one in told["option_sets"]] for place in range(4)]
    assert [row[2:] for row in sets[1:]] == cells
    assert [line.split(" | ")[2:] for line in reports["table.md"].splitlines()[-4:]] == [[one, f"{other} |"] for one, other in cells]
    for game in result.games:
        name = f"turn_limit = {(12, 16)[game.plan.option_set]}"
        assert re.search(rf">{game.number + 1}</a></td><td>{name}</td>", page)


def test_a_report_that_cannot_be_written_leaves_the_old_one(tmp_path: Path) -> None:
    result = held(tmp_path, games=2)
    before = written(result)["table.csv"]
    (result.tournament.folder / "table.json").unlink()
    (result.tournament.folder / "table.json").mkdir()
    with pytest.raises(StoreError, match=r"table\.json cannot be written"):
        write_reports(result)
    assert (result.tournament.folder / "table.csv").read_text(encoding="utf-8") == before


def test_a_curve_goes_from_the_first_rating_to_the_last() -> None:
    history = [
        Rating(0, float(games), 3.0 * games, 3.0 * games - 900 / games, 3.0 * games + 900 / games, games) for games in range(10, 911)
    ]
    curve = rating_curve(history)
    assert curve is not None
    points = [tuple(map(float, point.split())) for point in curve.line[1:].split("L")]
    assert 150 < len(points) <= 300
    assert [points[0][0], points[-1][0]] == [0, 1000]
    assert points == sorted(points, key=lambda point: (point[0], -point[1]))
    assert curve.ends == ("10", "910")
    assert "0" in [words for _, words in curve.levels]
    assert curve.words.startswith("Rating after 10 games +30, after 910 games +2730;")
    assert rating_curve(history[:1]) is None


def unpacked(page: str, number: int) -> dict[str, Any]:
    found = re.search(rf'<script type="text/plain" id="game-{number}"[^>]*>([^<]*)</script>', page)
    assert found is not None
    return json.loads(zlib.decompress(base64.b64decode(found[1])))


def test_a_report_has_its_games_in_itself_where_that_is_wanted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = held(tmp_path, HOSTILE, games=3)
    packed = dict(packed_games(result, workers=1, interrupted=never))
    assert sorted(packed) == [0, 1, 2]
    page = write_reports(result, packed).read_text(encoding="utf-8")
    tags = tags_of(page)
    assert {f"#game-{number}" for number in (1, 2, 3)} <= set(tags.addresses)
    assert "<script>alert" not in page
    for game in result.games:
        told, timeline = unpacked(page, game.number + 1), read_record(tmp_path / "class" / "games" / game.plan.record_name).replay()
        drawn = ["".join(told["pieces"][piece] for piece in frame) for frame in told["frames"]]
        assert drawn == [step.state.svg(last=step.action) for step in timeline.steps]
        assert told["moves"] == [action.text for step in timeline.steps[1:] for action in step.actions.values()]
        assert len(told["facts"]) == len(told["events"]) == len(drawn)
    monkeypatch.setattr(replays, "MOST", len(packed[0]) + len(packed[1]))
    less = write_reports(result, packed).read_text(encoding="utf-8")
    assert [f'id="game-{number}"' in less for number in (1, 2, 3)] == [True, True, False]
    assert 'href="games/game-0003.jsonl"' in less
    assert "but for 1 of which it opens the record" in tags_of(less).text
