"""The designer's report: its games are those of ``ludarium match``, what it counts is what the events tell, and what was played is kept."""

from __future__ import annotations

import json
import multiprocessing
import re
import signal
import subprocess
import time
from collections import Counter
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from ludarium.arena import play_game as arena_game
from ludarium.cli.entry import run
from ludarium.core.game import State
from ludarium.core.random import generator_from
from ludarium.core.timeline import Timeline
from ludarium.errors import BadRecord, PlayerCrashed, StoreError
from ludarium.games.roboderby.execution.trace import KINDS
from ludarium.games.roboderby.game import RoboDerby
from ludarium.games.roboderby.sheets.faces import COMMANDS
from ludarium.games.roboderby.sheets.tiles import BELTS, PIT
from ludarium.labs.roboderby.balance.batches import BATCH, Batch, Series, play_batches
from ludarium.labs.roboderby.balance.command import split_players
from ludarium.labs.roboderby.balance.counting import CAUSES, SINGLES, Counts, empty_counts, unturned_squares
from ludarium.labs.roboderby.balance.drama import Drama
from ludarium.labs.roboderby.balance.findings import Findings
from ludarium.labs.roboderby.balance.heat import heat_svg
from ludarium.labs.roboderby.balance.intervals import mean_and_error, share
from ludarium.labs.roboderby.balance.plots import deaths_plot
from ludarium.labs.roboderby.balance.report import html_report, markdown_report, pictures, write_report
from ludarium.labs.roboderby.balance.simulation import play_game
from ludarium.labs.roboderby.balance.store import Store
from ludarium.labs.roboderby.balance.summary import heading, summary
from ludarium.players import parse_player
from tests.command_line import PROGRAM, run_program
from tests.disks import room_for
from tests.games.roboderby.belt_tiles import BELT_TILES
from tests.labs.roboderby.walled_tiles import walled_tiles

SEED = 5


def played(options: dict[str, object], players: list[str], number: int) -> tuple[RoboDerby, list[int], Counts, Timeline]:
    """A game of the report and the same game of a match."""
    game = RoboDerby(**options)
    counts = empty_counts(game.tables.size)
    facts = play_game(game, [parse_player(one, game) for one in players], SEED, number, counts)
    assert facts is not None
    seats = [players[(seat - number) % len(players)] for seat in range(len(players))]
    return game, facts, counts, arena_game(game, seats, seed=int(generator_from(SEED, number)[0] >> 11))


GAMES = {
    "greedy": ({}, ["greedy", "greedy"]),
    "greedy against random, in the open, any dice": ({"screens": "off", "reroll": "any", "start_edge": "choose"}, ["greedy", "random"]),
    "an S with edges that one falls from": ({"variant": "s-race", "pit_edges": "on", "tiles": "foundry"}, ["greedy", "greedy"]),
    "four, who choose whom to hack": ({"players": 4, "hack_targets": "chosen-one", "turn_limit": 30}, ["greedy"] * 3 + ["random"]),
    "alone": ({"players": 1}, ["greedy"]),
    "on belts": ({"tiles": BELT_TILES}, ["greedy", "random"]),
    "four on belts that lead off the board": ({"tiles": BELT_TILES, "pit_edges": "on", "players": 4, "turn_limit": 30}, ["random"] * 4),
    "an S of belts": ({"tiles": BELT_TILES, "variant": "s-race", "turn_limit": 30}, ["random", "greedy"]),
}


@pytest.mark.parametrize("name", GAMES)
def test_games_are_those_of_a_match_and_counted_as_their_events_tell(name: str) -> None:
    options, players = GAMES[name]
    game, facts, counts, timeline = played(options, players, 1)
    end = timeline.state.record
    assert facts[0] == end.turn
    seats = np.array(facts[6:]).reshape(-1, 3)
    assert seats[:, 0].tolist() == [(seat - 1) % len(players) for seat in range(len(players))]
    assert seats[:, 1].tolist() == end.letter[: len(players)].tolist()
    assert seats[:, 2].tolist() == end.rank[: len(players)].tolist()
    _compare(game, counts, timeline)


def test_who_falls_by_a_die_of_its_own_was_perhaps_hacked_or_jostled_before() -> None:
    """These games have hacks on NO-OPs too, NO-OPs that a hit made commands, and robots that then fall."""
    options = {"players": 4, "pit_edges": "on", "tiles": BELT_TILES, "invert_noop_executes": "on", "turn_limit": 30}
    found: Counter[str] = Counter()
    for number in (7, 12, 20):
        game, _, counts, timeline = played(options, ["greedy", "random"] * 2, number)
        _compare(game, counts, timeline)
        found.update({cause: int(places.sum()) for cause, places in zip(CAUSES, counts.deaths, strict=True)})
    assert min(found[cause] for cause in ("drove off", "was hacked off", "was jostled off", "was pushed off")) > 0, found


def test_a_die_that_was_hacked_is_to_blame_for_what_comes_after() -> None:
    """In games between greedy players, who drive into no pit that they see, most robots that fall by their own dice were hacked before in the turn."""
    game = RoboDerby()
    counts = empty_counts(game.tables.size)
    for number in range(100):
        play_game(game, [parse_player("greedy", game)] * 2, SEED, number, counts)
    deaths = dict(zip(CAUSES, counts.deaths.sum(axis=(1, 2)).tolist(), strict=True))
    assert deaths["was hacked into a pit"] > deaths["was jostled into a pit"] > deaths["drove into a pit"]


def test_tiles_that_cannot_be_finished_are_said_to_be_so() -> None:
    one = Series.of(RoboDerby(tiles=walled_tiles(6), turn_limit=3), ["random", "random"], SEED)
    lines = {line.name: line.text for line in Findings(one, batches(one, 3)).lines()}
    assert lines["no way to the finish"] == "100.0 % of the robots"
    assert lines["turns, mean"] == "3.00 ± 0.00"
    other = series()
    assert "no way to the finish" not in [line.name for line in Findings(other, batches(other, 3)).lines()]


def test_whom_the_board_scraps_was_not_shot_by_who_hit_it_before() -> None:
    """In this game lasers of the board scrap a robot which another robot has hit in the same turn, but in an earlier register."""
    game, _, counts, timeline = played({"tiles": BELT_TILES, "players": 4, "turn_limit": 60}, ["greedy"] * 4, 4)
    _compare(game, counts, timeline)


def _compare(game: RoboDerby, counts: Counts, timeline: Timeline) -> None:
    rows: Counter[str] = Counter()
    single: Counter[str] = Counter()
    placed: Counter[tuple[int, int, str]] = Counter()
    deaths: Counter[tuple[str, int, int]] = Counter()
    visits: Counter[tuple[int, int]] = Counter()
    before = timeline.steps[0].state
    astray: dict[int, str] = {}
    live: set[tuple[int, int]] = set()
    for step in timeline.steps[1:]:
        single["rolls again"] += sum(action.text.split()[0] == "roll" for action in step.actions.values())
        single["roll-offs"] += int(before.record.phase == 6)
        shot: set[int] = set()
        events = before.events(step.actions)
        for event, following in zip(events, [*events[1:], None], strict=False):
            data = event.data
            kind = data["kind"]
            rows[kind] += 1
            if kind == "program":
                placed.update((one["die"], one["face"], one["slot"]) for one in data["registers"] if one["die"])
            elif kind == "order":
                robot, skipped = data["robot"], following is not None and following.data["kind"] == "skip"
                if (robot, data["die"]) in live:
                    astray[robot] = "was jostled"
                changed = data["inverted"] and not skipped and game.options["invert_noop_executes"] == "on"
                if data["slot"] != "no-op":
                    command = COMMANDS[game.tables.commands[data["die"] - 1, data["face"] - 1]]
                    changed = (data["inverted"] or skipped) and command not in ("CMT", "INV")
                if changed:
                    astray[robot] = "was hacked"
            elif kind == "lock" and "no NO-OP any more" in event.text:
                live.add((data["robot"], data["die"]))
            elif kind == "bump" and data["at"] != data["wall"]:
                astray[data["robot"]] = "was jostled"
            elif kind == "end-of-turn":
                astray, live = {}, set()
            elif kind in ("register", "salvo"):
                shot = set()
            elif kind in ("move", "push", "carry"):
                visits[on_tile(before, data["to"])] += 1
                if kind == "push":
                    astray[data["robot"]] = "was jostled"
            elif kind == "fall":
                carried = "belt" in data
                how = "was carried" if carried else "was pushed" if "by" in data else astray.get(data["robot"], "drove")
                off = data["to"] is None
                deaths[f"{how} {'off' if off else 'into a pit'}", *on_tile(before, data["from"] if off else data["to"])] += 1
            elif kind == "scrap":
                by_board = "" if data["robot"] in shot else " by the board"
                deaths[f"was shot{by_board}", *on_tile(before, data["at"])] += 1
            elif kind == "damage":
                single["damage"] += data["hits"]
            elif kind == "fire":
                single["hits"] += "target" in data
                shot |= {data["target"]} if "target" in data else set()
            elif kind in ("hack", "waste"):
                late = "late " if kind == "waste" else ""
                single[f"{late}{'comments' if data['command'] == 'CMT' else 'inversions'}"] += 1
        before = step.state
    assert {kind: number for kind, number in zip(KINDS, counts.rows.tolist(), strict=True) if number} == dict(rows)
    assert dict(zip(SINGLES, counts.singles.tolist(), strict=True)) == {name: single[name] for name in SINGLES}
    slots = ("command", "no-op", "locked")
    assert {(d + 1, f + 1, slots[u]): n for (d, f, u), n in np.ndenumerate(counts.placed) if n} == dict(placed)
    assert {(CAUSES[c], t, s): n for (c, t, s), n in np.ndenumerate(counts.deaths) if n} == dict(deaths)
    assert {place: n for place, n in np.ndenumerate(counts.visits) if n} == dict(visits)


def on_tile(state: State, square: int) -> tuple[int, int]:
    """The tile of a square, and which of its squares it is before the tile is turned: turned back a quarter at a time."""
    tables, record = state.game.tables, state.record
    size = tables.size
    x, y = square % tables.width, square // tables.width
    place = next(place for place in range(4) if (x // size, y // size) == (int(tables.place_column[place]), int(tables.place_row[place])))
    x, y = x % size, y % size
    for _ in range(int(record.rotation[place])):
        x, y = y, size - 1 - x
    return int(record.tile[place]), y * size + x


def test_squares_of_turned_tiles_are_those_of_the_file() -> None:
    tables = RoboDerby().tables
    for rotation, squares in enumerate(unturned_squares(tables.size)):
        for tile in range(4):
            assert (tables.tile_kinds[tile, rotation] == tables.tile_kinds[tile, 0][squares]).all()


def test_who_falls_dies_on_a_pit() -> None:
    game = RoboDerby()
    counts = empty_counts(game.tables.size)
    for number in range(12):
        play_game(game, [parse_player("greedy", game)] * 2, SEED, number, counts)
    fallen = counts.deaths[:5].sum(axis=0)
    assert fallen.sum() == counts.rows[KINDS.index("fall")] > 0
    assert (game.tables.tile_kinds[:, 0][fallen > 0] == PIT).all()
    assert counts.visits[game.tables.tile_kinds[:, 0] == PIT].sum() == 0


def test_belts_and_lasers_of_the_board_destroy() -> None:
    game = RoboDerby(tiles=BELT_TILES, pit_edges="on", players=4, turn_limit=30)
    counts = empty_counts(game.tables.size)
    for number in range(40):
        play_game(game, [parse_player("greedy", game)] * 4, SEED, number, counts)
    deaths = dict(zip(CAUSES, counts.deaths, strict=True))
    for cause in ("was pushed off", "was carried into a pit", "was carried off", "was shot", "was shot by the board"):
        assert deaths[cause].any(), cause
    kinds = game.tables.tile_kinds[:, 0]
    for cause, places in deaths.items():
        assert ((kinds[places > 0] == PIT) == cause.endswith("into a pit")).all(), cause
    assert np.isin(kinds[deaths["was carried off"] > 0], BELTS).all()
    led_to = {(1, 2 * 6 + 2), (2, 2 * 6 + 1), (2, 3 * 6 + 4)}  # the pits at the ends of belts, by tile and square
    assert set(map(tuple, np.argwhere(deaths["was carried into a pit"]).tolist())) == led_to


def test_an_interrupted_game_is_none() -> None:
    game = RoboDerby()
    assert play_game(game, [parse_player("greedy", game)] * 2, SEED, 0, empty_counts(6), lambda: True) is None


@pytest.mark.parametrize(
    ("left", "ranks", "facts"),
    [
        ([(9, 9), (7, 8), (5, 4), (3, 3), (1, 2)], (1, 0), [2, 3, 1, 0]),  # the other one led in the middle, and the winner at the end
        ([(9, 9), (5, 8), (2, 6)], (1, 0), [0, 0, 0, 1]),
        ([(9, 9), (5, 8), (2, 6)], (0, 1), [1, 3, 4, 0]),  # who led to the last turn lost
        ([(9, 9), (9, 9)], (1, 1), [0, -1, -1, -1]),
        ([(9, 8), (8, 9)], (0, 0), [1, -1, -1, -1]),
        ([(9, 9), (8, 8)], (1, 0), [0, 0, 0, -1]),
        ([(np.inf, 9)], (1, 0), [1, 1, 100, 0]),
        ([(np.inf, np.inf)], (1, 0), [0, 0, 0, -1]),
        ([(9,), (5,)], (1,), [0, -1, -1, -1]),
    ],
)
def test_drama(left: list[tuple[float, ...]], ranks: tuple[int, ...], facts: list[int]) -> None:
    drama = Drama(np.array(left[0], float))
    for one in left[1:]:
        drama.add(np.array(one, float))
    assert drama.facts(ranks) == facts


def test_intervals() -> None:
    half = share(np.array([0.0, 1.0] * 50))
    assert (half.value, half.games) == (0.5, 100)
    assert (half.low, half.high) == pytest.approx((0.40383, 0.59617), abs=1e-5)  # Wilson's for 50 of 100
    assert half.text == "50.0 % (40.4 to 59.6)"
    sure = share(np.ones(10))
    assert (sure.low, sure.high) == pytest.approx((0.72247, 1.0), abs=1e-5)
    assert share(np.zeros(0)).text == "–"
    assert mean_and_error(np.array([1.0, 2.0, 3.0])) == pytest.approx((2.0, 1.96 / np.sqrt(3)), rel=1e-3)
    assert mean_and_error(np.array([4])) == (4.0, np.inf)


def series(seed: int = SEED, **options: object) -> Series:
    return Series.of(RoboDerby(**options), ["greedy", "greedy"], seed)


def batches(one: Series, games: int) -> list[Batch]:
    wanted = [(number, min(BATCH, games - BATCH * number)) for number in range(-(-games // BATCH))]
    return sorted(play_batches(one, wanted, workers=1, interrupted=lambda: False), key=lambda batch: batch.number)


def test_points() -> None:
    one = series()
    rows = [[8, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 0], [9, 0, 0, 0, 1, 0, 1, 1, 1, 0, 0, 1], [200, 0, -1, -1, -1, 2, 0, 1, 0, 1, 0, 0]]
    found = Findings(one, [Batch(0, np.array(rows), empty_counts(6))])
    assert found.points.tolist() == [[1, 0], [0.5, 0.5], [0.5, 0.5]]
    assert [round(one.value, 3) for one in found.points_by("seat")] == [0.667, 0.333]
    assert [round(one.value, 3) for one in found.points_by("letter")] == [0.667, 0.333]
    assert found.drawn.tolist() == [False, True, False]
    assert found.unfinished.tolist() == [False, False, True]
    three = Series.of(RoboDerby(players=3), ["greedy", "random", "random"], 1)
    row = [[8, 0, 0, 0, 1, 0, 0, 0, 2, 1, 1, 1, 2, 2, 0]]
    assert Findings(three, [Batch(0, np.array(row), empty_counts(6))]).points.tolist() == [[0.5, 1, 0]]
    assert Findings(three, []).lines() == []


@pytest.mark.parametrize(
    ("text", "seats", "specs"),
    [
        ("greedy", 2, ["greedy", "greedy"]),
        ("greedy,random", 2, ["greedy", "random"]),
        ("mcts:sims=5,seconds=1,random", 2, ["mcts:sims=5,seconds=1", "random"]),
        ("mcts:sims=5,mcts:sims=9", 2, ["mcts:sims=5", "mcts:sims=9"]),
    ],
)
def test_lists_of_players(text: str, seats: int, specs: list[str]) -> None:
    assert split_players(text, seats) == specs


def filled(folder: Path, games: int = 5) -> Store:
    store = Store(folder, series())
    for batch in batches(store.series, games):
        store.add(batch)
    store.close()
    return store


def test_what_was_played_is_kept(tmp_path: Path) -> None:
    first = filled(tmp_path)
    again = Store(tmp_path, series())
    assert again.notices == []
    assert [batch.as_json() for batch in again.known(5)] == [batch.as_json() for batch in first.known(5)]
    assert again.missing(5) == []
    assert again.missing(45) == [(0, 20), (1, 20), (2, 5)]  # the batch of 5 games is of no use for more
    assert Store(tmp_path, series(seed=6)).missing(5) == [(0, 5)]
    assert Store(tmp_path, series(pit_edges="on")).missing(5) == [(0, 5)]
    assert json.loads(first.path.read_text().splitlines()[0])["options"]["variant"] == "lap"


def test_an_edited_file_of_tiles_is_another_series(tmp_path: Path) -> None:
    from importlib import resources

    text = resources.files("ludarium.games.roboderby").joinpath("data", "tiles", "stand-in.tiles").read_text()
    mine = tmp_path / "mine.tiles"
    mine.write_text(text)
    before = series(tiles=str(mine)).digest
    assert before == series().digest  # the tiles count, not what they are called
    changes = ((" O . . . . O", " . . . . . O"), (" O . . . . O", " O > . . . O"), ("name: pits\n", "name: pits\nlaser: 1,1,E\n"))
    found = {before}
    for old, new in changes:
        mine.write_text(text.replace(old, new, 1))
        found.add(series(tiles=str(mine)).digest)
    assert len(found) == 4


@pytest.mark.parametrize("kept", [-1, -30, 700])
def test_an_incomplete_last_line_is_dropped(tmp_path: Path, kept: int) -> None:
    path = filled(tmp_path).path
    path.write_bytes(path.read_bytes()[:kept])
    torn = Store(tmp_path, series())
    assert torn.notices == [f"{path.name}: the last line is incomplete and was dropped (the program was cut off while it wrote)"]
    assert torn.missing(5) == [(0, 5)]
    for batch in batches(torn.series, 5):
        torn.add(batch)
    torn.close()
    assert Store(tmp_path, series()).missing(5) == []


def damaged(line: bytes) -> dict[str, bytes]:
    """Ways in which a line with a batch can be damaged."""
    return {
        "no JSON": line[1:],
        "no object": b"[]",
        "nothing": b"",
        "another number": line.replace(b'"batch":0', b'"batch":-1'),
        "no number": line.replace(b'"batch":0', b'"batch":"0"'),
        "a fact too many": line.replace(b'"games":[[', b'"games":[[1,'),
        "a sum too few": line.replace(b'"rows":[0,', b'"rows":['),
        "a negative sum": line.replace(b'"rows":[0,', b'"rows":[-1,'),
        "half a robot": line.replace(b'"rows":[0,', b'"rows":[0.5,'),
        "a huge number": line.replace(b'"rows":[0,', b'"rows":[99999999999999999999,'),
        "a key too many": line.replace(b'"batch":0', b'"more":1,"batch":0'),
        "no bytes of text": line.replace(b'"batch"', b'"\xff"'),
    }


@pytest.mark.parametrize("how", damaged(b""))
def test_other_damage_is_refused_with_its_line(tmp_path: Path, how: str) -> None:
    path = filled(tmp_path).path
    lines = path.read_bytes().split(b"\n")
    changed = damaged(lines[1])[how]
    assert changed != lines[1]
    path.write_bytes(b"\n".join([lines[0], changed, *lines[2:]]))
    with pytest.raises(BadRecord, match=r"line 2: not a batch of games: .*; move the file away to begin anew"):
        Store(tmp_path, series())


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    path = filled(tmp_path).path
    path.write_text('{"balance": "roboderby", "series": "another"}\n')
    with pytest.raises(BadRecord, match="line 1: not the header of the batches"):
        Store(tmp_path, series())
    path.unlink()
    path.mkdir()
    with pytest.raises(StoreError, match="cannot be read"):
        Store(tmp_path, series())


def test_a_store_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    store = Store(tmp_path, series())
    store._journal.path = tmp_path / "file" / "batches.jsonl"
    with pytest.raises(StoreError, match="cannot be written"):
        store.add(batches(store.series, 1)[0])


def test_a_full_disk_takes_nothing_from_what_was_played(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["roboderby", "balance", "--workers", "1", "--data", str(tmp_path), "--games"]
    assert run([*command, str(BATCH)]) == 0
    (kept,) = (tmp_path / "roboderby" / "balance").iterdir()
    capsys.readouterr()
    with room_for(kept.stat().st_size + 10):
        assert run([*command, str(2 * BATCH)]) == 2
    printed, said = capsys.readouterr()
    assert printed.startswith(f"{BATCH} games of {2 * BATCH}, then stopped: ")
    assert said.splitlines()[-1] == f"error: the batches {kept} cannot be written: File too large"


def test_several_processes_play_the_same_games_even_if_some_are_killed() -> None:
    wanted = [(number, 10) for number in range(8)]
    others = set(multiprocessing.active_children())
    found: list[Batch] = []
    for batch in play_batches(series(), wanted, workers=2, interrupted=lambda: False):
        found.append(batch)
        if len(found) in (1, 4):
            max(set(multiprocessing.active_children()) - others, key=lambda worker: worker.pid or 0).kill()
    alone = play_batches(series(), wanted, workers=1, interrupted=lambda: False)
    assert sorted((batch.as_json() for batch in found), key=lambda one: one["batch"]) == [batch.as_json() for batch in alone]


def test_a_player_that_fails_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    from ludarium.players.random import RandomPlayer

    one = Series.of(RoboDerby(), ["greedy", "random"], 1)
    monkeypatch.setattr(RandomPlayer, "choose", lambda *arguments: 1 / 0)
    with pytest.raises(PlayerCrashed, match="ZeroDivisionError"):
        batches(one, 1)


def test_the_summary_says_what_was_found() -> None:
    found = Findings(series(), batches(series(), 60))
    lines = {name: texts[0] for name, texts, _ in summary([found])}
    turns = found.fact("turns")
    assert lines["turns, mean"].startswith(f"{turns.mean():.2f} ± ")
    assert lines["turns, longest game"] == str(turns.max())
    assert lines["never finished"] == "0.0 %"
    assert lines["damage"] == lines["laser hits"]  # every hit takes one, of robots that stand
    parts = [float(text) for name, text in lines.items() if name.startswith("– ")]
    assert sum(parts) == pytest.approx(float(lines["robots destroyed"]), abs=0.03)
    shares = [float(lines[f"dice {use}"].removesuffix(" %")) for use in ("as commands", "as NO-OPs", "locked")]
    assert sum(shares) == pytest.approx(100, abs=0.2)
    assert heading(found, 60) == "60 games: tiles stand-in, dice stand-in; all greedy; seed 5"
    assert heading(found, 1000).startswith("60 games of 1,000, then stopped: ")


def test_the_summary_speaks_of_belts_and_lasers_where_there_are_some() -> None:
    plain, found = (Findings(one, batches(one, 40)) for one in (series(), series(tiles=BELT_TILES)))
    lines = {name: texts for name, texts, _ in summary([plain, found])}
    for name, number in (("carried by belts", found.rows("carry")), ("hits by the board", found.rows("beam"))):
        assert lines[name] == ["–", f"{number / 40:.2f}"], name
    assert lines["– was carried into a pit"][0] == lines["– was shot by the board"][0] == "–"
    assert "– was carried off" not in lines, "the edges are walls"
    assert list(lines) == [name for name, _, _ in summary([found])], "each line at its place, not after all that both have"
    assert not any(word in str(summary([plain])) for word in ("belt", "board", "carried"))
    parts = [float(texts[1]) for name, texts in lines.items() if name.startswith("– ")]
    assert sum(parts) == pytest.approx(float(lines["robots destroyed"][1]), abs=0.03)
    for cause in ("was carried into a pit", "was shot by the board"):
        assert f">{cause}<" in deaths_plot(found)
        assert f">{cause}<" not in deaths_plot(plain)


def test_pictures_follow_light_and_dark() -> None:
    drawn = pictures(Findings(series(), batches(series(), 20)))
    assert set(drawn) == {"length", "points", "lead", "deaths", "commands", "where-destroyed", "traffic"}
    for name, svg in drawn.items():
        root = ElementTree.fromstring(svg)
        assert root.get("role") == "img"
        assert root.get("aria-label")
        if root.get("class") == "plot":
            assert set(re.findall(r"#[0-9a-f]{6}", svg)) == set(), name
    assert all(f">{command}<" in drawn["commands"] for command in COMMANDS[1:])
    assert drawn["commands"].count("url(#") > 2  # hatches, for eyes that do not tell the colours


def test_pictures_of_a_fixed_board_and_of_an_s() -> None:
    for options in ({"board": "furnace"}, {"variant": "s-race", "tiles": "foundry"}):
        one = series(**options)
        found = Findings(one, batches(one, 4))
        for name in ("where-destroyed", "traffic"):
            root = ElementTree.fromstring(pictures(found)[name])
            words = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
            assert {"gate", "slag", "ovens", "stacks"} <= set(words)


def rays(name: str, **options: Any) -> list[str]:
    """The beams of the map of a series' traffic."""
    one = series(tiles=BELT_TILES, **options)
    numbers = np.ones((4, one.game.tables.size**2))
    root = ElementTree.fromstring(heat_svg(Findings(one, []), numbers, name))
    (ray,) = (element.attrib["d"] for element in root.iter("{http://www.w3.org/2000/svg}path") if element.get("class") == "rd-ray")
    return ray.split("M")[1:]


def test_beams_end_at_their_tile_where_chance_dealt_the_tiles() -> None:
    """They begin 8 units into the laser's own square of 20; a tile is 120 wide."""
    assert rays("dealt") == ["130 8v112", "148 90h52", "112 170h-112", "92 210h-92", "190 152v-32", "128 150h112"]
    on_a_board = rays("fixed", board="start rollers chutes sorter @ 0 0 0 0 N")
    assert on_a_board == ["130 8v232", "148 90h52", "112 170h-112", "92 210h-92", "190 152v-152", "128 150h112"]


def test_belts_lead_to_no_other_tile_where_chance_dealt_the_tiles() -> None:
    onward = BELT_TILES.replace("^ . . .|. v", "^ . . . . >").replace("^ < < < < <", "v < < < < <")
    plates = []
    for board in ("random", "start rollers chutes sorter @ 0 0 0 0 N"):
        one = series(tiles=onward, board=board)
        svg = heat_svg(Findings(one, []), np.zeros((4, one.game.tables.size**2)), board)
        plates.append(next(len(group) for group in ElementTree.fromstring(svg).iter() if group.get("class") == "rd-belt"))
    assert plates[1] > plates[0] > onward.count("<")


def framed_tables(page: str) -> tuple[list[str | None], int]:
    """The names of the frames in which a page's tables scroll, and how many tables there are."""
    body = re.search(r"<body>.*</body>", page, re.DOTALL)
    assert body
    root = ElementTree.fromstring(body[0].replace("<br>", "<br/>"))
    frames = [
        one for one in root.iter("div") if one.get("class") == "frame" and one.get("tabindex") == "0" and one.find("table") is not None
    ]
    return [one.get("aria-label") for one in frames], len(list(root.iter("table")))


def test_reports(tmp_path: Path) -> None:
    found = [Findings(one, batches(one, 6)) for one in (series(), series(tiles="foundry"))]
    page = html_report(found, 6)
    assert page.startswith("<!doctype html>")
    assert page.count("<svg") == 14
    assert "http" not in re.sub(r'xmlns(:xlink)?="[^"]*"', "", page)
    assert '<th scope="col" class="number">foundry</th>' in page
    assert framed_tables(page) == (["Summary", "Dice and faces", "Dice and faces"], 3)
    assert re.search(r"\.frame \{[^}]*overflow-x: auto", page)
    write_report(tmp_path / "report.md", found, 6)
    text = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert text == markdown_report(found, 6, "report-pictures")
    named = re.findall(r"\]\((report-pictures/[^)]*)\)", text)
    assert len(named) == 14
    for one in named:
        svg = (tmp_path / one).read_text(encoding="utf-8")
        ElementTree.fromstring(svg)
        assert "prefers-color-scheme:dark" in svg
    (tmp_path / "taken-pictures").write_text("")
    with pytest.raises(StoreError, match="cannot be made a folder for the pictures"):
        write_report(tmp_path / "taken.md", found, 6)
    belts = Findings(series(tiles=BELT_TILES), batches(series(tiles=BELT_TILES), 6))
    for said in (html_report([belts], 6), markdown_report([belts], 6, "pictures")):
        assert "carried by belts" in said
        assert "was shot by the board" in said
    assert "carried by belts" not in page + text
    empty = Findings(series(), [])
    assert "0 games of 6, then stopped" in html_report([empty], 6)


REFUSED = {
    "--out report.pdf": "--out report.pdf is neither .html nor .md",
    "--players greedy,greedy,greedy": "roboderby is played by 2 players",
    "--players human": "'human' is a person",
    "--players nobody": "player 'nobody'",
    "--tiles nothing": "nothing",
    "--tiles foundry --tiles foundry": "--tiles foundry is given twice",
    "--tiles foundry -o tiles=stand-in": "tiles is given twice: as --tiles foundry and as -o tiles=stand-in",
    "--games 0": "'0' is not",
    "-o colour=red": "colour",
    "--out missing/report.md": "missing/report.md cannot be written",
}


@pytest.mark.parametrize("typed", REFUSED)
def test_bad_arguments_are_refused_in_one_line(typed: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["roboderby", "balance", *typed.split(), "--data", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert REFUSED[typed] in said
    assert list(tmp_path.iterdir()) == []


def test_on_the_command_line(tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    arguments = ("roboderby", "balance", "--games", "30", "--data", str(tmp_path), "--tiles", "stand-in", "--tiles", "foundry")
    done = run_program(*arguments, "--out", str(out), COLUMNS="80", NO_COLOR="1")
    assert done.returncode == 0
    for words in ("30 games: tiles stand-in", "30 games: tiles foundry", "letter A", "hacks landed", "lead changes a game"):
        assert words in done.stdout
    assert out.read_text(encoding="utf-8").startswith("<!doctype html>")
    again = run_program(*arguments, "--workers", "1", COLUMNS="80", NO_COLOR="1")
    assert again.stdout == done.stdout


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130), (signal.SIGKILL, -9)])
def test_what_is_interrupted_goes_on(tmp_path: Path, number: int, code: int) -> None:
    report = tmp_path / "report.html"
    command = [PROGRAM, "roboderby", "balance", "--games", "100000", "--data", tmp_path, "--out", report]
    folder = tmp_path / "roboderby" / "balance"
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        while not (folder.is_dir() and any(path.stat().st_size > 10_000 for path in folder.iterdir())):
            assert process.poll() is None
            time.sleep(0.01)  # until the file has grown, which nothing tells
        process.send_signal(number)
        printed, said = process.communicate(timeout=30)
    assert process.returncode == code
    assert "Traceback" not in said
    if code > 0:
        assert re.match(r"[\d,]+ games of 100,000, then stopped: ", printed)
        assert "The same command goes on where this one stopped and writes the report." in said
    assert not report.exists(), "drawing would take seconds"
    (path,) = folder.iterdir()
    before = path.read_bytes()
    assert number == signal.SIGKILL or before.endswith(b"\n")
    kept = {entry["batch"]: entry for entry in map(json.loads, before[: before.rfind(b"\n")].splitlines()[1:])}
    assert kept[0] == batches(Series.of(RoboDerby(), ["greedy", "greedy"], 1), BATCH)[0].as_json()
    again = run_program("roboderby", "balance", "--games", str(BATCH), "--data", str(tmp_path))
    assert again.stdout.startswith(f"{BATCH} games: ")
    assert path.read_bytes() == before  # these had been played
