"""Games and matches between programs."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ludarium
from ludarium.arena import Openings, Terms, match, play_game
from ludarium.arena.play import player_seed, seat_player
from ludarium.arena.tournament import TournamentResult, hold
from ludarium.arena.tournament_file import read_tournament
from ludarium.core.cores import usable_cores
from ludarium.core.game import Action, Game, Outcome, State
from ludarium.core.record import read_record
from ludarium.core.sight import Sight
from ludarium.core.timeline import Timeline
from ludarium.errors import BadNotation, BadOption, PlayerCrashed, StoreError
from ludarium.players import Player, PlayerKind, PlayerSpec, never
from ludarium.players.kinds import KINDS
from ludarium.players.programs import Conditions
from ludarium.players.random import RandomPlayer
from tests.players.programs.bots import write_bot
from tests.tiny_games.heap import Heap

NEARLY_OVER = "B......./......../......../......../......../......../......../W....... w 494"


@pytest.fixture(scope="module")
def game() -> Game:
    return ludarium.game("expendibots")


class Faulty(Player):
    """Does something that no player may do."""

    def __init__(self, game: Game, options: dict[str, Any], seed: int) -> None:
        self.closed = False

    def choose(self, state: State, player: int, interrupted: Callable[[], bool] = never) -> Action:
        raise RuntimeError("out of\nideas")


class Quitter(Faulty):
    def choose(self, state: State, player: int, interrupted: Callable[[], bool] = never) -> Action:
        raise SystemExit(3)


class Cheat(Faulty):
    def choose(self, state: State, player: int, interrupted: Callable[[], bool] = never) -> Any:
        return "a1-a8"


class Stranger(Faulty):
    def choose(self, state: State, player: int, interrupted: Callable[[], bool] = never) -> Any:
        return object()


class Unspeakable:
    def __repr__(self) -> str:
        raise RuntimeError("no words")


class Riddler(Faulty):
    def choose(self, state: State, player: int, interrupted: Callable[[], bool] = never) -> Any:
        return Unspeakable()


class Unmakable(Faulty):
    def __init__(self, game: Game, options: dict[str, Any], seed: int) -> None:
        raise OSError("no such program")


class Unseatable(Faulty):
    def sit(self, sight: Sight, log: Path | None = None) -> None:
        raise OSError("no chair")


def spec_of(make: Callable[..., Player]) -> PlayerSpec:
    return PlayerSpec(make.__name__.lower(), PlayerKind(make.__name__.lower(), "a player for tests", (), make), {})


class Late(Faulty):
    """Does nothing for some turns, then fails."""

    def __init__(self, game: Game, options: dict[str, Any], seed: int) -> None:
        super().__init__(game, options, seed)
        self.turns = 0

    def choose(self, state: State, player: int, interrupted: Callable[[], bool] = never) -> Action:
        self.turns += 1
        if self.turns > 3:
            raise RuntimeError("out of ideas")
        return state.action(tuple(state.legal(player, slot)[0] for slot in range(state.game.dimensions.slots)), player)


@pytest.mark.parametrize(
    ("second", "fourth", "expected"),
    [
        (spec_of(Faulty), "random", {1: -1.0}),
        (spec_of(Late), spec_of(Unmakable), {1: -1 / 3, 3: -1.0}),
        (spec_of(Quitter), spec_of(Late), {1: -1.0, 3: -1 / 3}),
        (spec_of(Late), spec_of(Late), {1: -2 / 3, 3: -2 / 3}),
    ],
)
def test_of_four_the_others_play_on(second: PlayerSpec, fourth: str | PlayerSpec, expected: dict[int, float], tmp_path: Path) -> None:
    """To the end of the rules, where those who failed rank last, and the first of them behind all."""
    game = ludarium.game("hexabomb", map="lair4", players=4, turns=8, reception="fixed")
    path = tmp_path / "game.jsonl"
    timeline = play_game(game, ["random", second, "random", fourth], seed=3, record=path)
    assert timeline.state.is_over
    assert timeline.outcome is not None
    assert {seat: timeline.outcome.returns[seat] for seat in timeline.out} == pytest.approx(expected)
    assert timeline.forfeits.keys() == timeline.out.keys()
    again = read_record(path).replay()
    assert (again.outcome, again.forfeits) == (timeline.outcome, timeline.forfeits)


def test_a_game_can_end_at_the_first_forfeit(tmp_path: Path) -> None:
    """Those who stay share the first place; players who fail in the same turn share the last."""
    game = ludarium.game("hexabomb", map="lair4", players=4, turns=8)
    for failing, expected in (
        ({1: Late}, (1 / 3, -1.0, 1 / 3, 1 / 3)),
        ({0: Late, 1: Late}, (-2 / 3, -2 / 3, 2 / 3, 2 / 3)),
        ({3: Unmakable, 1: Late}, (1 / 3, 1 / 3, 1 / 3, -1.0)),
    ):
        players = [spec_of(failing[seat]) if seat in failing else "random" for seat in range(4)]
        path = tmp_path / f"{len(list(tmp_path.iterdir()))}.jsonl"
        timeline = play_game(game, players, seed=3, record=path, terms=Terms(on_forfeit="end"))
        assert timeline.outcome is not None
        assert timeline.outcome.returns == pytest.approx(expected)
        assert timeline.outcome.reason.startswith("adjudicated: ended when ")
        assert read_record(path).replay().outcome == timeline.outcome
    two = ludarium.game("expendibots")
    assert play_game(two, ["random", spec_of(Faulty)], terms=Terms(on_forfeit="end")).forfeits
    for play in (play_game, match):
        with pytest.raises(
            BadOption, match="expendibots for 2 ends when a player forfeits; play-on is for games of three and more players"
        ):
            play(two, ["random", "random"], terms=Terms(on_forfeit="play-on"))


def test_in_a_tournament_of_three_a_bad_player_costs_only_its_own_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludarium.players.specs.KINDS", (*KINDS, spec_of(Late).kind))
    game = ludarium.game("hexabomb", map="lair4", players=3, turns=8)
    result = match(game, ["random", "late", "random"], games=6, seed=3)
    assert {tuple(one.forfeits.values()) for one in result.games} == {("crash: RuntimeError: out of ideas",)}
    assert {one.forfeited for one in result.games} == {(1,)}
    assert {one.return_of(1) for one in result.games} == {-1.0}
    assert all("turns were played" in one.reason for one in result.games)


@pytest.mark.parametrize("most", range(1, 7))
def test_those_who_left_take_no_part_in_a_draw_by_length(most: int) -> None:
    """Also where the length is passed by what is played for them."""
    game = ludarium.game("hexabomb", map="lair4", players=3, turns=20, reception="fixed")
    timeline = play_game(game, ["random", spec_of(Late), "random"], seed=3, terms=Terms(max_plies=most))
    assert timeline.outcome is not None
    assert timeline.outcome.reason == f"adjudicated: a draw after {most} plies"
    assert timeline.ply - most in (0, 1)
    assert timeline.outcome.returns == ((0.5, -1.0, 0.5) if timeline.out else (0.0, 0.0, 0.0))


@pytest.mark.parametrize("faulty", [Unmakable, Unseatable])
def test_a_player_that_cannot_be_seated_fails_in_words(game: Game, faulty: type[Player]) -> None:
    """Wherever it is to play: also in a terminal, and where its code is only warmed up."""
    with pytest.raises(PlayerCrashed, match=r"^crash: OSError: no "):
        seat_player(Timeline(game.start()), spec_of(faulty), 0, seed=1)


def test_in_games_of_three_too_a_program_that_ends_at_once_fails_at_the_start(tmp_path: Path) -> None:
    """Although the default actions are played for it afterwards."""
    bot = write_bot(tmp_path, "sys.exit('no weights')")
    game = ludarium.game("hexabomb", map="lair4", players=3, turns=4)
    with pytest.raises(BadOption, match="failed at the start of two games"):
        match(game, [bot, "random", "random"], games=6, seed=3, terms=Terms(programs=Conditions(sandbox="off")))


def test_bots_that_fail_change_no_game_of_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of five players at tables of three, two fail in all their games; then others play in their places, with the same seeds."""
    monkeypatch.setattr("ludarium.players.specs.KINDS", (*KINDS, spec_of(Late).kind))
    monkeypatch.setenv("LUDARIUM_STORE", str(tmp_path / "store.sqlite"))
    failing = {3, 4}
    held: list[TournamentResult] = []
    for spec in ("late", "random"):
        path = tmp_path / f"{spec}.toml"
        specs = ["random", "bomber", "painter", spec, spec]
        players = "".join(f'[[players]]\nname = "{number}"\nspec = "{one}"\n' for number, one in enumerate(specs))
        path.write_text(f'game = "hexabomb"\noptions = {{map = "garden3", turns = 8}}\n{players}', encoding="utf-8")
        held.append(hold(read_tournament(path)))
    with_failing, without = held
    assert len(with_failing.games) == 10 * 3
    for game, other in zip(with_failing.games, without.games, strict=True):
        bad = failing & set(game.plan.seats)
        assert set(game.forfeited) == bad
        if not bad:
            assert (game.digest, game.returns) == (other.digest, other.returns)
        words = "is the last player" if len(bad) == 2 else "8 turns were played"
        assert words in game.reason
    assert max(with_failing.standings[player].points for player in failing) < min(one.points for one in with_failing.standings[:3])
    assert [one.conduct.crashes for one in with_failing.standings] == [0, 0, 0, 18, 18]


def test_a_game_repeats_with_its_seed(game: Game) -> None:
    one, same, other = (play_game(game, ["random", "random"], seed=seed) for seed in (5, 5, 6))
    assert [step.actions for step in one.steps] == [step.actions for step in same.steps]
    assert one.outcome == same.outcome
    assert one.outcome is not None
    assert [step.actions for step in one.steps] != [step.actions for step in other.steps]


@pytest.mark.parametrize(
    ("faulty", "reason"),
    [
        (Faulty, "crash: RuntimeError: out of ideas"),
        (Quitter, "crash: SystemExit: 3"),
        (Cheat, "illegal action: 'a1-a8' is not legal here; Black is to move"),
        (Stranger, "illegal action: 'action <object object at"),
        (Riddler, "illegal action: an object of type Unspeakable is no action"),
        (Unmakable, "crash: OSError: no such program"),
    ],
)
def test_a_player_that_fails_forfeits(game: Game, tmp_path: Path, faulty: type[Player], reason: str) -> None:
    record = tmp_path / "game.jsonl"
    timeline = play_game(game, ["random", spec_of(faulty)], seed=1, record=record)
    assert timeline.outcome is not None
    assert timeline.outcome.winner == 0
    assert timeline.outcome.reason.startswith(f"Black forfeited ({reason}")
    assert read_record(record).replay().outcome == timeline.outcome


def test_every_seat_of_every_game_has_a_seed_of_its_own() -> None:
    made: list[tuple[int, int]] = []

    def noting(seat: int) -> PlayerSpec:
        def make(game: Game, options: dict[str, Any], seed: int) -> Player:
            made.append((seat, seed))
            return RandomPlayer(game, options, seed)

        return spec_of(make)

    seats = [noting(0), noting(1), noting(2)]
    for seed in (1, 1, 2):
        play_game(Heap(), seats, seed=seed)
    assert [seat for seat, _ in made] == [0, 1, 2] * 3
    first, again, other = made[:3], made[3:6], made[6:]
    assert first == again
    assert len({seed for _, seed in first + other}) == 6
    assert first == [(seat, player_seed(1, seat)) for seat in range(3)]


def test_players_are_closed_whatever_happens(game: Game) -> None:
    made: list[Faulty] = []

    def make(*arguments: Any) -> Player:
        made.append(Faulty(*arguments))
        made[-1].close = lambda: setattr(made[-1], "closed", True)  # type: ignore[method-assign]
        return made[-1]

    make.__name__ = "faulty"
    play_game(game, [spec_of(make), "random"], seed=1)
    assert made[0].closed


def test_an_interrupted_game_stays_whole_and_unfinished(game: Game, tmp_path: Path) -> None:
    asked = iter([False] * 9)
    record = tmp_path / "game.jsonl"
    timeline = play_game(game, ["random", "random"], seed=1, record=record, interrupted=lambda: next(asked, True))
    assert timeline.outcome is None
    assert 0 < timeline.ply < 9
    read = read_record(record)
    assert read.notice is None
    assert read.replay().ply == timeline.ply


def test_sides_alternate_and_sums_agree(game: Game, tmp_path: Path) -> None:
    heard: list[int] = []
    result = match(game, ["random", "random"], games=6, seed=3, records=tmp_path, on_result=lambda one: heard.append(one.number))
    assert heard == list(range(6))
    assert [one.plan.seats for one in result.games] == [(0, 1), (1, 0)] * 3
    first, second = result.standings
    assert first.wins + first.draws + first.losses == 6
    assert (first.wins, first.draws, first.losses) == (second.losses, second.draws, second.wins)
    assert first.points + second.points == 6
    for one in result.games:
        record = read_record(tmp_path / f"game-{one.number + 1:04}.jsonl")
        outcome = record.replay().outcome
        assert outcome is not None
        assert outcome.returns == pytest.approx(one.returns)
        again = play_game(game, record.header.players, seed=record.header.seed, dice_seed=record.header.dice_seed)
        assert again.outcome == outcome


def test_processes_change_nothing(game: Game) -> None:
    alone = match(game, ["random", "random"], games=7, seed=11)
    together = match(game, ["random", "random"], games=7, seed=11, workers=2)
    assert alone.games == together.games
    assert [{**one, "seconds_per_action": 0} for one in alone.as_json()["players"]] == [
        {**one, "seconds_per_action": 0} for one in together.as_json()["players"]
    ]


def test_an_interrupted_match_counts_what_was_finished(game: Game) -> None:
    finished: list[int] = []
    result = match(
        game,
        ["random", "random"],
        games=50,
        seed=1,
        on_result=lambda one: finished.append(one.number),
        interrupted=lambda: len(finished) >= 3,
    )
    assert len(result.games) == 3


def test_processes_stop_when_interrupted(game: Game) -> None:
    finished: list[int] = []
    result = match(
        game,
        ["random", "random"],
        games=100_000,
        seed=1,
        workers=2,
        on_result=lambda one: finished.append(one.number),
        interrupted=lambda: len(finished) >= 3,
    )
    assert 3 <= len(result.games) < 1000


def test_a_forfeit_is_counted_not_fatal(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludarium.players.specs.KINDS", (*KINDS, spec_of(Faulty).kind))
    result = match(game, ["faulty", "random"], games=4, seed=3)
    assert [standing.points for standing in result.standings] == [0, 4]
    assert {one.forfeited for one in result.games} == {(0,)}
    assert result.elo is not None
    assert (result.elo.difference, result.elo.low) == (None, None)
    assert result.repeated == 1  # the two games in which White failed at once


def test_a_start_position(game: Game) -> None:
    result = match(game, ["random", "random"], games=3, seed=1, openings=Openings((game.parse(NEARLY_OVER),)))
    assert all(one.plies <= 6 for one in result.games)


def test_a_start_that_is_over_is_scored(game: Game) -> None:
    over = game.parse("......../......../......../......../......../......../......../W....... b 1")
    result = match(game, ["random", "random"], games=2, seed=1, openings=Openings((over,)))
    assert [one.returns for one in result.games] == [(1.0, -1.0)] * 2


@pytest.mark.parametrize(
    ("players", "values", "message"),
    [
        (["random"], {}, "expendibots is played by 2 players (White, Black), not by 1"),
        (["random"] * 3, {}, "not by 3"),
        (["random", "human"], {}, "'human' is a person"),
        (["random", "nobody"], {}, "'nobody' is not one of"),
        (["random", "random"], {"games": 0}, "games=0 is not at least 1"),
        (["random", "random"], {"workers": 0}, "workers=0 is not at least 1"),
        (["random", "random"], {"seed": -1}, "seed=-1 is not a whole number of at least 0"),
    ],
)
def test_refusals(game: Game, players: list[str], values: dict[str, int], message: str) -> None:
    with pytest.raises(BadOption) as caught:
        match(game, players, **values)  # type: ignore[arg-type]
    assert message in str(caught.value)


def test_more_players_are_told_of_the_option_that_seats_them() -> None:
    race = ludarium.game("roboderby")
    with pytest.raises(BadOption, match=r"not by 4; with the option players=4 it is$"):
        match(race, ["random"] * 4)
    with pytest.raises(BadOption, match=r"not by 5$"):
        match(race, ["random"] * 5)


def test_records_are_never_overwritten(game: Game, tmp_path: Path) -> None:
    match(game, ["random", "random"], games=1, seed=1, records=tmp_path)
    before = (tmp_path / "game-0001.jsonl").read_bytes()
    with pytest.raises(StoreError, match="exists already"):
        match(game, ["random", "random"], games=2, seed=2, records=tmp_path)
    assert (tmp_path / "game-0001.jsonl").read_bytes() == before
    with pytest.raises(StoreError, match="records cannot be kept"):
        match(game, ["random", "random"], games=1, records=tmp_path / "game-0001.jsonl")


def starts(folder: Path) -> list[str]:
    return [read_record(path).events[0]["position"] for path in sorted(folder.glob("*.jsonl"))]


def test_games_of_a_round_have_the_same_opening_and_dice(tmp_path: Path) -> None:
    game = ludarium.game("roboderby", turn_limit=1)
    match(game, ["random", "greedy"], games=4, seed=1, records=tmp_path / "derby")
    deals = [
        [event["outcome"] for event in read_record(path).events if event["event"] == "chance"][:3]
        for path in sorted((tmp_path / "derby").glob("*.jsonl"))
    ]
    assert deals[0] == deals[1] != deals[2] == deals[3]


def test_players_of_the_same_kind_do_not_play_the_same_game_twice(game: Game) -> None:
    result = match(game, ["random", "random"], games=40, seed=1)
    assert result.repeated == 0
    assert any(one.return_of(0) + other.return_of(0) for one, other in zip(result.games[::2], result.games[1::2], strict=True))


def test_a_game_that_takes_too_long_is_a_draw(game: Game, tmp_path: Path) -> None:
    result = match(game, ["random", "random"], games=2, seed=1, records=tmp_path, terms=Terms(max_plies=5))
    assert [(one.plies, one.returns, one.forfeited) for one in result.games] == [(5, (0.0, 0.0), ())] * 2
    assert result.games[0].reason == "adjudicated: a draw after 5 plies"
    record = read_record(tmp_path / "game-0001.jsonl")
    assert record.events[-2] == {"event": "adjudication", "returns": [0.0, 0.0], "reason": "a draw after 5 plies"}
    assert record.replay().outcome == Outcome((0.0, 0.0), None, "adjudicated: a draw after 5 plies")


def test_a_game_that_ends_in_time_ends_by_the_rules(game: Game) -> None:
    free = play_game(game, ["random", "random"], seed=1)
    assert play_game(game, ["random", "random"], seed=1, terms=Terms(max_plies=free.ply)).outcome == free.outcome
    assert play_game(game, ["random", "random"], seed=1, terms=Terms(max_plies=free.ply - 1)).outcome != free.outcome


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="this system keeps nobody on a core")
def test_a_pinned_game_stays_on_one_core_with_its_programs(game: Game, tmp_path: Path) -> None:
    bot = write_bot(tmp_path, "for message in turns():\n print('cores', *os.sched_getaffinity(0), file=sys.stderr)\n act(message)")
    records = tmp_path / "records"
    match(game, [bot, "random"], games=2, seed=1, records=records, terms=Terms(programs=Conditions(sandbox="off"), max_plies=3), pin=True)
    told = {line for log in records.glob("*.log") for line in log.read_text().splitlines()}
    assert len(told) == 1
    assert told <= {f"cores {core}" for core in usable_cores()}
    assert len(os.sched_getaffinity(0)) == len(usable_cores())
    with pytest.raises(BadOption, match="cannot have a core each"):
        match(game, ["random", "random"], workers=len(usable_cores()) + 1, pin=True)


def test_openings_one_a_round(game: Game, tmp_path: Path) -> None:
    texts = ["BB....../......../......../......../......../......../......../......WW w 0", NEARLY_OVER]
    openings = Openings.read(game, f"# two of them\n{texts[0]}  # the first\n\n{texts[1]}\n")
    match(game, ["random", "random"], games=6, seed=1, openings=openings, records=tmp_path)
    assert starts(tmp_path) == [texts[0], texts[0], texts[1], texts[1], texts[0], texts[0]]


def test_random_plies(game: Game, tmp_path: Path) -> None:
    match(game, ["random", "random"], games=4, seed=1, openings=Openings(random_plies=3), records=tmp_path / "a")
    match(game, ["random", "random"], games=4, seed=1, openings=Openings(random_plies=3), records=tmp_path / "b", workers=2)
    first, again, other, _ = starts(tmp_path / "a")
    assert first == again != other
    assert first.endswith(" b 3")
    assert starts(tmp_path / "b") == starts(tmp_path / "a")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there are no openings: write one position a line"),
        ("\nrubbish", "opening in line 2: "),
        ("......../......../......../......../......../......../......../W....... b 1", "opening in line 1: the game is over there"),
    ],
)
def test_what_are_no_openings(game: Game, text: str, message: str) -> None:
    with pytest.raises(BadNotation, match=message):
        Openings.read(game, text)


def test_so_many_random_plies_that_every_game_is_over(game: Game) -> None:
    with pytest.raises(BadOption, match="600 random plies end every game; begin after fewer"):
        Openings(random_plies=600).start(game, 0, 1)
