"""Tournaments: what their files say, and that nothing of them is lost."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from functools import partial
from pathlib import Path

import pytest

from ludarium.arena import cluster, match
from ludarium.arena.reports.page import html_page
from ludarium.arena.reports.texts import markdown_text
from ludarium.arena.store import (
    CompetitionRow,
    Search,
    Writer,
    competitions,
    current_ratings,
    entrants_of,
    open_database,
    rating_history,
    resume,
    search_games,
    totals,
)
from ludarium.arena.store.records import check_store
from ludarium.arena.tournament import CutShort, hold
from ludarium.arena.tournament_file import Tournament, read_tournament
from ludarium.core.cores import usable_cores
from ludarium.core.record import Header, Recorder, read_record
from ludarium.errors import BadNotation, BadOption, StoreError
from tests.players.programs.bots import write_bot

PLAYERS = "".join(
    f'[[players]]\nname = "{name}"\nspec = "{spec}"\n' for name, spec in [("Ann", "random"), ("Bob", "greedy"), ("Cy", "random")]
)


@pytest.fixture(autouse=True)
def _a_store_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDARIUM_STORE", str(tmp_path / "store.sqlite"))


def written(folder: Path, head: str = 'game = "expendibots"', players: str = PLAYERS) -> Path:
    path = folder / "class.toml"
    path.write_text(f"{head}\n{players}", encoding="utf-8")
    return path


def test_its_games_can_be_bounded_and_pinned(tmp_path: Path) -> None:
    tournament = read_tournament(written(tmp_path, 'game = "expendibots"\nmax_plies = 4\npin = true'))
    with pytest.raises(BadOption, match="cannot have a core each"):
        hold(tournament, workers=len(usable_cores()) + 1)
    assert not tournament.folder.exists()
    assert tournament.terms.max_plies == 4


def test_a_tournament(tmp_path: Path) -> None:
    heard: list[int] = []
    result = hold(read_tournament(written(tmp_path)), on_result=lambda one: heard.append(one.number))
    assert heard == [0, 1, 2, 3, 4, 5]
    assert result.is_over
    assert [standing.name for standing in result.standings] == ["Ann", "Bob", "Cy"]
    assert [standing.games for standing in result.standings] == [4, 4, 4]
    assert result.standings[1].points == 4
    for game in result.games:
        record = read_record(tmp_path / "class" / "games" / f"game-{game.number + 1:04}.jsonl")
        assert record.header.players == [result.tournament.specs[player] for player in game.plan.seats]
        outcome = record.replay().outcome
        assert outcome is not None
        assert outcome.returns == game.returns


def test_processes_change_nothing(tmp_path: Path) -> None:
    alone, together = tmp_path / "alone", tmp_path / "together"
    alone.mkdir()
    together.mkdir()
    head = 'game = "expendibots"\nformat = "swiss"\nrounds = 2\ngames = 4\nrandom_plies = 2'
    assert hold(read_tournament(written(alone, head))).games == hold(read_tournament(written(together, head)), workers=2).games


def test_tables_of_three(tmp_path: Path) -> None:
    head = 'game = "liars-dice"\noptions.players = 3\noptions.dice = 1'
    players = "".join(f'[[players]]\nname = "{name}"\nspec = "random"\n' for name in "abcd")
    result = hold(read_tournament(written(tmp_path, head, players)))
    assert result.tournament.games == len(result.games) == 4 * 3
    assert sum(standing.points for standing in result.standings) == pytest.approx(len(result.games) * 1.5)


SETS = 'game = "expendibots"\noptions = [{turn_limit = 12}, {turn_limit = 16}]\nrandom_plies = 2'


def test_option_sets_are_spread_and_kept(tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    whole.mkdir()
    expected = hold(read_tournament(written(whole, SETS)), workers=2)
    assert expected.is_over
    assert len(expected.games) == 3 * 2 * 2  # tables, seats, option sets
    sat = Counter((player, seat, game.plan.option_set) for game in expected.games for seat, player in enumerate(game.plan.seats))
    assert set(sat.values()) == {2}
    for game in expected.games:
        assert game.record is not None
        limit = read_record(game.record).header.options["turn_limit"]
        assert limit == (12, 16)[game.plan.option_set]
    tournament = read_tournament(written(tmp_path, SETS))
    for played in (3, 8, 20):
        result = hold(tournament, resume=True, interrupted=partial(cut, tmp_path, played))
    assert result.games == expected.games
    with open_database() as database:
        row = competition(tournament)
        kept = search_games(database, Search(competition=str(row.id)))
        assert {game.number: game.options["turn_limit"] for game in kept} == {
            game.number: (12, 16)[game.plan.option_set] for game in expected.games
        }
        assert check_store(database).problems == ()
    (tmp_path / "store.sqlite").unlink()
    assert hold(tournament, resume=True).games == expected.games, "taken from their records"


def test_a_single_option_set_may_stand_in_a_list(tmp_path: Path) -> None:
    alone = read_tournament(written(tmp_path, 'game = "expendibots"\noptions = [{turn_limit = 12}]'))
    assert (alone.game.options["turn_limit"], alone.field.option_sets, alone.games) == (12, 1, 6)
    table = read_tournament(written(tmp_path, 'game = "expendibots"\n[[options]]\nturn_limit = 12\n[[options]]\nturn_limit = 16'))
    assert [game.options["turn_limit"] for game in table.option_sets] == [12, 16]


def test_how_many_games_there_are_to_be_is_known_beforehand(tmp_path: Path) -> None:
    for form, games in (("gauntlet", 8), ("round-robin", 12), ("knockout", None)):
        assert read_tournament(written(tmp_path, f'game = "expendibots"\nformat = "{form}"\ngames = 4')).games == games


def test_programs_and_openings_are_looked_for_beside_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bots = tmp_path / "bots"
    bots.mkdir()
    write_bot(bots, "for message in turns(): act(message)")
    start = "B......./......../......../......../......../......../......../W....... w 494"
    (tmp_path / "book.txt").write_text(start)
    players = f'[[players]]\nname = "a"\nspec = "bots/bot.py"\n[[players]]\nname = "b"\nspec = "cmd:{sys.executable} bots/bot.py"\n'
    path = written(tmp_path, 'game = "expendibots"\nopenings = "book.txt"', players)
    monkeypatch.chdir("/")
    result = hold(read_tournament(path))
    assert [game.forfeited for game in result.games] == [(), ()]
    assert all(game.plies == 6 for game in result.games)


def records(folder: Path) -> int:
    """How many games have been begun."""
    return len(list((folder / "class" / "games").glob("*.jsonl")))


def test_an_interrupted_one_goes_on(tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    whole.mkdir()
    head = 'game = "expendibots"\ngames = 6'
    expected = hold(read_tournament(written(whole, head)))
    tournament = read_tournament(written(tmp_path, head))
    for played in range(1, 20, 2):
        found: list[int] = []
        result = hold(
            tournament, resume=True, on_result=lambda one, into=found: into.append(one.number), interrupted=partial(cut, tmp_path, played)
        )
        assert result.is_over == (played >= len(expected.games))
        assert len(result.games) == min(played, len(expected.games))
        assert found == list(range(len(result.games)))
    assert result.games == expected.games
    assert competition(tournament).games == len(expected.games)


def cut(folder: Path, played: int) -> bool:
    """In the middle of the game after so many."""
    return records(folder) > played


def competition(tournament: Tournament) -> CompetitionRow:
    """The one in the store that has a tournament's folder."""
    with open_database() as database:
        return next(
            row for row in competitions(database) if row.kind == "tournament" and json.loads(row.config)["folder"] == str(tournament.folder)
        )


def test_the_store_says_how_it_stands(tmp_path: Path) -> None:
    path = written(tmp_path, players=PLAYERS.replace('"Ann"', '"A\\u00e9"'))
    tournament = read_tournament(path)
    assert hold(tournament, interrupted=lambda: records(tmp_path) > 2).is_over is False
    row = competition(tournament)
    assert (row.name, row.game, row.status, row.games, row.players) == ("class", "expendibots", "interrupted", 2, 3)
    numbers: list[int] = []
    result = hold(tournament, resume=True, on_begun=numbers.append)
    again = competition(tournament)
    assert numbers == [row.id]
    assert (again.id, again.status, again.games) == (row.id, "finished", 6)
    assert result.ratings is not None
    with open_database() as database:
        ratings = current_ratings(database, row.id)
        assert [ratings[number].rating for number in range(3)] == result.ratings.ratings.tolist()
        for number in range(3):
            history = rating_history(database, row.id, number)
            assert history[-1] == ratings[number]
            assert [rating.games for rating in history] == sorted(rating.games for rating in history)
            assert history[-1].games == 4
        assert [total.points for total in totals(database, row.id)] == [standing.points for standing in result.standings]


def test_records_are_the_truth(tmp_path: Path) -> None:
    """Whoever resumes in another store finds the games that are finished, plays what was cut off, and believes no other game's record."""
    tournament = read_tournament(written(tmp_path, 'game = "expendibots"\nformat = "swiss"\nrounds = 2'))
    whole = hold(tournament)
    folder = tmp_path / "class" / "games"
    (folder / "game-0001.jsonl").write_bytes((folder / "game-0001.jsonl").read_bytes()[:-40])
    (folder / "game-0002.jsonl").write_bytes((folder / "game-0003.jsonl").read_bytes())
    times = [path.stat().st_mtime_ns for path in sorted(folder.glob("*.jsonl"))]
    result = hold(tournament, resume=True, store=tmp_path / "other.sqlite")
    assert result.games == whole.games
    assert [path.stat().st_mtime_ns == time for path, time in zip(sorted(folder.glob("*.jsonl")), times, strict=True)] == [
        False,
        False,
        True,
        True,
    ]
    with open_database(tmp_path / "other.sqlite") as database:
        assert [(row.status, row.games) for row in competitions(database)] == [("finished", 4)]
        began = sorted(game.started for game in result.games if game.started is not None)
        assert {point.time for player in range(3) for point in rating_history(database, 1, player)} <= set(began)
        assert [rating_history(database, 1, player)[-1].rating for player in range(3)] == result.ratings.ratings.tolist()
        assert check_store(database).problems == ()


def test_another_program_that_plays_it(tmp_path: Path) -> None:
    tournament = read_tournament(written(tmp_path))
    hold(tournament, interrupted=lambda: records(tmp_path) > 2)
    with (
        open_database() as database,
        Writer(resume(database, "class", tournament.game, entrants_of(tournament.specs, tournament.names), competition(tournament).config)),
        pytest.raises(StoreError, match="another program plays 'class' and writes to the store"),
    ):
        hold(tournament, resume=True)
    assert hold(tournament, resume=True).is_over


def test_points_of_byes(tmp_path: Path) -> None:
    tournament = read_tournament(written(tmp_path, 'game = "expendibots"\nformat = "swiss"\nrounds = 3\ngames = 4'))
    assert hold(tournament, interrupted=lambda: records(tmp_path) > 7).byes == (0, 0, 4)
    result = hold(tournament, resume=True)
    assert result.byes == (4, 4, 4)
    assert [standing.games for standing in result.standings] == [8, 8, 8]
    assert tournament.games == len(result.games) == 12
    assert [standing.points for standing in result.standings] == [
        4 + sum((1 + game.return_of(player)) / 2 for game in result.games if player in game.plan.seats) for player in range(3)
    ]
    with open_database() as database:
        assert [total.points for total in totals(database, 1)] == [standing.points for standing in result.standings]
    assert "| | player | points | of byes | Elo |" in markdown_text(result).replace("|  |", "| |")
    assert html_page(result).count('<td class="number">4</td>') >= 3


def test_without_a_record_no_more_games_are_begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = tmp_path / "whole"
    whole.mkdir()
    expected = hold(read_tournament(written(whole)))
    tournament = read_tournament(written(tmp_path))

    def recorder(path: Path, header: Header) -> Recorder:
        if path.name == "game-0003.jsonl":
            raise StoreError("the disk is full")
        return Recorder(path, header)

    with monkeypatch.context() as disk:
        disk.setattr("ludarium.arena.games.Recorder", recorder)
        with pytest.raises(CutShort, match=r"^the disk is full; without a record no more games were begun$") as cut:
            hold(tournament)
    assert cut.value.result.games == expected.games[:2]
    assert (competition(tournament).status, competition(tournament).games, records(tmp_path)) == ("interrupted", 2, 2)
    assert hold(tournament, resume=True).games == expected.games
    assert competition(tournament).status == "finished"


def test_nothing_is_started_where_nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tournament = read_tournament(written(tmp_path))
    played = hold(tournament)
    monkeypatch.setattr(cluster, "Cluster", None)
    monkeypatch.setattr(cluster, "run_jobs", None)
    assert hold(tournament, resume=True, cluster="auto").games == hold(tournament, resume=True, workers=2).games == played.games
    again = match(tournament.game, ["random", "greedy"], games=2, seed=1, before=played.games[:2], cluster="auto")
    assert again.games == played.games[:2]


def test_it_does_not_begin_where_results_are_already(tmp_path: Path) -> None:
    tournament = read_tournament(written(tmp_path))
    hold(tournament)
    with pytest.raises(StoreError, match="has games already; --resume goes on with them"):
        hold(tournament)
    assert hold(tournament, resume=True).is_over
    (tmp_path / "class" / "games" / "tournament.toml").unlink()
    with pytest.raises(
        StoreError, match="has games of a tournament that an older Ludarium held; to go on with it, copy its unchanged file to "
    ):
        hold(tournament, resume=True)


def test_another_tournament_is_not_gone_on_with(tmp_path: Path) -> None:
    hold(read_tournament(written(tmp_path)))
    with pytest.raises(StoreError, match=r"has games of another tournament, which .*tournament\.toml describes"):
        hold(read_tournament(written(tmp_path, 'game = "expendibots"\nseed = 2')), resume=True)


HELD = """
import sys
from pathlib import Path
from ludarium.arena.tournament import hold
from ludarium.arena.tournament_file import read_tournament
hold(read_tournament(Path(sys.argv[1])), resume=True, workers=2, on_result=lambda one: print(one.number, flush=True))
"""


def test_kill_9_at_random_moments_loses_no_game_that_was_told(tmp_path: Path, scale: int) -> None:
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    whole.mkdir()
    killed.mkdir()
    games = 60 * scale
    head = f'game = "expendibots"\ngames = {games}'
    expected = hold(read_tournament(written(whole, head)))
    path = written(killed, head)
    chance = random.Random(1)
    told: set[int] = set()
    for _ in range(5 * scale):
        process = subprocess.Popen([sys.executable, "-c", HELD, str(path)], stdout=subprocess.PIPE, text=True, start_new_session=True)
        assert process.stdout is not None
        heard = {int(process.stdout.readline()) for _ in range(min(3 * games, len(told) + chance.randrange(1, 6)))}
        time.sleep(chance.random() * 0.02)
        os.killpg(process.pid, signal.SIGKILL)
        rest = process.communicate()[0]
        now = heard | {int(line) for line in rest.splitlines(keepends=True) if line.endswith("\n")}
        assert told <= now
        told = now
    result = hold(read_tournament(path), resume=True)
    assert result.games == expected.games
    assert told <= {game.number for game in result.games}


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("game = ", BadNotation, "class.toml: this is no TOML: "),
        ('game = "chess"\n' + PLAYERS, BadOption, "class.toml: game 'chess' is not one of: "),
        ('game = "expendibots"\nround = 3\n' + PLAYERS, BadOption, "key 'round' is not one of: game, players, .*did you mean rounds"),
        (
            'game = "expendibots"\n' + PLAYERS.replace("spec", "spek"),
            BadOption,
            "player 1: key 'spek' is not one of: .*did you mean spec",
        ),
        ('game = "expendibots"\n' + PLAYERS + "strength = 3\n", BadOption, "player 3: key 'strength' is not one of: name, spec, time"),
        (
            'game = "expendibots"\n[programs]\nmemory = 1\n' + PLAYERS,
            BadOption,
            "programs: 'memory': Input should be greater than or equal to 16",
        ),
        ('game = "expendibots"\ngames = "2"\n' + PLAYERS, BadOption, "'games': Input should be a valid integer, not '2'"),
        ('game = "expendibots"\ngames = 3\n' + PLAYERS, BadOption, "games = 3 is not a multiple of 2"),
        ('game = "expendibots"\n', BadOption, "'players': Field required$"),
        ('game = "expendibots"\n[[players]]\nname = "a"\nspec = "random"\n', BadOption, "'players': List should have at least 2 items"),
        ('game = "expendibots"\n' + PLAYERS.replace("Bob", "Ann"), BadOption, "2 players are called 'Ann'"),
        (
            'game = "expendibots"\n' + PLAYERS.replace("Bob", "\\u001b[1m"),
            BadOption,
            "player name '.*' has characters that cannot be printed",
        ),
        ('game = "expendibots"\n' + PLAYERS.replace("greedy", "gredy"), BadOption, "player 'Bob': player 'gredy' is not one of: "),
        (
            'game = "expendibots"\n' + PLAYERS.replace("greedy", "./bot.py"),
            BadOption,
            "player 'Bob': player './bot.py': there is no such file",
        ),
        ('game = "expendibots"\n' + PLAYERS.replace("greedy", "human"), BadOption, "player 'Bob': 'human' is a person"),
        ('game = "expendibots"\nformat = "swiss"\n' + PLAYERS, BadOption, "a swiss tournament needs rounds = "),
        ('game = "expendibots"\nformat = "swiss"\nrounds = 9\n' + PLAYERS, BadOption, "9 rounds of 3 players cannot be"),
        ('game = "expendibots"\nrounds = 2\n' + PLAYERS, BadOption, "rounds are for swiss tournaments"),
        (
            'game = "expendibots"\nformat = "cup"\n' + PLAYERS,
            BadOption,
            "'format': Input should be 'round-robin', 'swiss', 'gauntlet' or 'knockout', not 'cup'",
        ),
        (
            'game = "liars-dice"\noptions.players = 4\n' + PLAYERS.replace("greedy", "random"),
            BadOption,
            "3 players cannot fill a table of 4",
        ),
        (
            'game = "expendibots"\ntime = 60\n' + PLAYERS,
            BadOption,
            '\'time\': Input should be a valid string, not 60; write time = "60" or time = "60\\+0.5"',
        ),
        (
            'game = "expendibots"\non_forfeit = "play-on"\n' + PLAYERS,
            BadOption,
            "class.toml: expendibots for 2 ends when a player forfeits",
        ),
        (
            'game = "expendibots"\non_forfeit = "stop"\n' + PLAYERS,
            BadOption,
            "'on_forfeit': Input should be 'play-on' or 'end', not 'stop'",
        ),
        ('game = "expendibots"\noptions = 3\n' + PLAYERS, BadOption, "'options': Input should be a valid list, not 3$"),
        ('game = "expendibots"\noptions = [3]\n' + PLAYERS, BadOption, "'option 1': Input should be a valid dictionary"),
        ('game = "expendibots"\noptions = []\n' + PLAYERS, BadOption, "'options': Value should have at least 1 item"),
        (SETS.replace("16", "12") + "\n" + PLAYERS, BadOption, "class.toml: option sets 1 and 2 are the same$"),
        (SETS.replace("16", "0") + "\n" + PLAYERS, BadOption, "class.toml: option set 2: .*turn_limit"),
        (
            SETS + '\nopenings = "book.txt"\n' + PLAYERS,
            BadOption,
            "openings are positions of one option set; give one set, or random_plies$",
        ),
        (
            'game = "hexabomb"\noptions = [{map="garden3"}, {map="lair4", players=4}]\n' + PLAYERS.replace("greedy", "random"),
            BadOption,
            "option set 2 is for 4 players and another one for 3; all need the same number$",
        ),
        ('game = "expendibots"\nplayers = [1, 2]\n', BadOption, "class.toml: 'player 1': Input should be"),
        ('game = "expendibots"\ntime = "soon"\n' + PLAYERS, BadOption, "time control 'soon' is not GAME"),
        ('game = "expendibots"\n' + PLAYERS + 'time = "5"\n', BadOption, "some players have a time and others not"),
        ('game = "expendibots"\nopenings = "none.txt"\n' + PLAYERS, StoreError, "none.txt cannot be read: No such file"),
    ],
)
def test_what_cannot_be(tmp_path: Path, text: str, error: type[Exception], message: str) -> None:
    path = tmp_path / "class.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(error, match=message):
        read_tournament(path)
    assert list(tmp_path.iterdir()) == [path]


def test_option_sets_have_as_many_players_as_the_smallest(tmp_path: Path) -> None:
    path = tmp_path / "class.toml"
    players = "".join(f"[[players]]\nname = '{number}'\nspec = 'random'\n" for number in range(4))
    path.write_text(f'game = "hexabomb"\noptions = [{{map="lair4"}}, {{map="garden3"}}]\n{players}', encoding="utf-8")
    assert [(game.players, game.options["map"]) for game in read_tournament(path).option_sets] == [(3, "lair4"), (3, "garden3")]
