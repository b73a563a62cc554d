"""hexabomb's players: always legal, never killed by their own bombs, strong, and repeatable."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

import ludarium
from ludarium.arena import play_game
from ludarium.core.game import Action, Game, State
from ludarium.errors import BadOption
from ludarium.games.hexabomb.bots.deciding import decide
from ludarium.games.hexabomb.bots.ground import HORIZON
from ludarium.games.hexabomb.bots.scratch import make_scratch
from ludarium.games.hexabomb.maps import load_map, map_names
from ludarium.games.hexabomb.tables import ALIVE, BOMB, NOTHING, REVIVE
from ludarium.players import Player, never, parse_player, player_kinds
from ludarium.testing.random_games import play_at_random
from tests.folders import ROOT

EXAMPLE = ROOT / "examples" / "hexabomb_bot.py"
SUDDEN_DEATH_MAPS = tuple(name for name in map_names() if load_map(name).special)
SEARCH = "search:sims=20"


class Chaser(Player):
    """Runs after the nearest characters of others, stands in their way, and drops bombs beside them: nobody blocks more."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def choose(self, state: State, player: int, interrupted: Callable[[], bool] = never) -> Action:
        tables, record = state.game.tables, state.record
        first, last = int(tables.first[player]), int(tables.first[player + 1])
        prey = [int(record.position[one]) for one in range(tables.characters) if tables.owner[one] != player]

        def far(cell: int) -> int:
            q, r = tables.q - tables.q[cell], tables.r - tables.r[cell]
            return min(int(max(abs(q[one]), abs(r[one]), abs(q[one] + r[one]))) for one in prey)

        orders: list[int] = []
        for slot in range(last - first):
            cell = int(record.position[first + slot])
            legal = [cast("int", action.index) for action in state.actions(player, slot)]
            bombs = [order for order in legal if order >= BOMB]
            if bombs and far(cell) <= 2 and self._random.random() < 0.4:
                orders.append(self._random.choice(bombs))
            elif REVIVE in legal:
                orders.append(REVIVE)
            else:
                moves = [order for order in legal if 0 < order < REVIVE]
                orders.append(
                    min(moves, key=lambda order: (far(int(tables.neighbour[cell, order - 1])), self._random.random()), default=NOTHING)
                )
        return state.action(tuple(orders) if state.game.dimensions.slots > 1 else orders[0], player)


def turns_of(game: Game, players: Sequence[Player], seed: int) -> Iterator[tuple[Any, list[list[int]], Any]]:
    """A game turn by turn: the state's record, everybody's orders by character, and the record after them."""
    state, chance = game.start(), random.Random(seed)
    while not state.is_over:
        chosen = {seat: player.choose(state, seat) for seat, player in enumerate(players)}
        orders = [list(action.index) if isinstance(action.index, tuple) else [action.index] for action in chosen.values()]
        after = state.play(chosen)
        if after.to_move == (ludarium.CHANCE,):
            after = after.play(chance.choice(after.outcomes())[0])
        yield state.record, orders, after.record
        state = after


def seated(game: Game, specs: Sequence[str], seed: int) -> list[Player]:
    return [
        Chaser(seed + seat) if spec == "chaser" else parse_player(spec, game).make(game, seed + seat) for seat, spec in enumerate(specs)
    ]


def reach(tables: Any, cell: int, length: int) -> set[int]:
    """The cells that a bomb reaches, by the coordinates."""
    index = {(q, r): number for number, (q, r) in enumerate(zip(tables.q.tolist(), tables.r.tolist(), strict=True))}
    found = {cell}
    for dq, dr in ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)):
        q, r = int(tables.q[cell]), int(tables.r[cell])
        for _ in range(length):
            q, r = q + dq, r + dr
            if (q, r) not in index:
                break
            found.add(index[q, r])
    return found


def exploded(tables: Any, before: Any, orders: list[list[int]], after: Any) -> Iterator[tuple[int, set[int]]]:
    """The owner and the reach of every bomb that has exploded on a turn; for dropped ones the most that they can reach."""
    bombs = {int(before.bomb_cell[one]): (int(before.bomb_colour[one]) - 1, int(before.bomb_range[one])) for one in range(before.bombs)}
    for character in range(tables.characters):
        player = int(tables.owner[character])
        order = orders[player][character - int(tables.first[player])]
        if order >= BOMB:
            bombs.setdefault(int(before.position[character]), (player, 2 + (order - BOMB) % int(tables.width[player])))
    left = {int(after.bomb_cell[one]) for one in range(after.bombs)}
    for cell, (player, length) in bombs.items():
        if cell not in left:
            yield player, reach(tables, cell, length)


def watch_bombers(name: str, opponent: str, seed: int) -> int:
    """Play a game with a bomber (all of them, if the opponent is one) and check its manners; how many bombs bombers dropped."""
    game = ludarium.game("hexabomb", map=name)
    tables = game.tables
    specs = [opponent] * game.players
    specs[seed % game.players] = "bomber"
    dropped = 0
    for before, orders, after in turns_of(game, seated(game, specs, seed), seed):
        blasts = list(exploded(tables, before, orders, after)) if after.exploded else []
        for character in range(tables.characters):
            player = int(tables.owner[character])
            if specs[player] != "bomber":
                continue
            order = orders[player][character - int(tables.first[player])]
            dropped += order >= BOMB
            assert (order == REVIVE) == (before.revive_delay[character] == 0)
            lived = before.revive_delay[character] == ALIVE or order == REVIVE
            if lived and after.revive_delay[character] != ALIVE:
                cell = int(after.position[character])
                assert not any(owner == player and cell in reached for owner, reached in blasts), (name, opponent, seed, int(after.turn))
    return dropped


def test_the_players_are_found_and_their_options_checked() -> None:
    game = ludarium.game("hexabomb")
    assert {"random", "painter", "bomber", "search", "hunter"} <= set(player_kinds(game))
    with pytest.raises(BadOption, match="sims and time are two limits"):
        parse_player("search:sims=5,time=1s", game)
    with pytest.raises(BadOption, match="mode=sudden-death"):
        parse_player("hunter", game)
    with pytest.raises(BadOption, match="player bomber"):
        parse_player("bomber:time=1s", game)


@pytest.mark.parametrize("name", map_names())
def test_every_order_is_legal_on_every_map(name: str) -> None:
    game = ludarium.game("hexabomb", map=name, turns=25)
    kinds = ("bomber", SEARCH, "painter", "random")
    played = play_game(game, [kinds[seat % len(kinds)] for seat in range(game.players)], seed=3)
    assert "turns were played" in (played.outcome.reason if played.outcome else "")


@pytest.mark.parametrize("name", SUDDEN_DEATH_MAPS)
@pytest.mark.parametrize("special", ["hunter", SEARCH])
def test_every_order_is_legal_in_sudden_death(name: str, special: str) -> None:
    game = ludarium.game("hexabomb", map=name, turns=6 if name == "star6" else 25, mode="sudden-death")
    kinds = ("bomber", SEARCH, "painter", "hunter")
    played = play_game(game, [special] + [kinds[seat % len(kinds)] for seat in range(game.players - 1)], seed=3)
    assert "turns were played" in (played.outcome.reason if played.outcome else "")


@pytest.mark.parametrize("name", map_names())
@pytest.mark.parametrize("players", [1, 2])
def test_they_play_alone_and_in_short_games(name: str, players: int) -> None:
    for kind in ("painter", "bomber", SEARCH):
        game = ludarium.game("hexabomb", map=name, players=players, turns=3)
        played = play_game(game, [kind] * players, seed=1)
        assert "turns were played" in (played.outcome.reason if played.outcome else "")


def test_danger_is_what_explodes_when_nobody_does_anything() -> None:
    game = ludarium.game("hexabomb", map="garden3", reception="fixed", turns=70)
    idle = dict.fromkeys(range(game.players), (NOTHING,) * game.dimensions.slots)
    tried = 0
    for step in play_at_random(game.start(), 5).steps[:60:2]:
        state, scratch, states = step.state, make_scratch(game.tables), np.zeros(2, game.dtype)
        states[0] = state.record
        decide(game.tables, states[:1], states[1:], 0, 0, scratch, np.zeros(1, np.uint64))
        danger = scratch.danger.copy()
        for turn in range(1, HORIZON + 1):
            state = state.play(idle)
            blast = np.flatnonzero(state.record.blast[: game.tables.cells]) if state.record.exploded else []
            assert set(np.flatnonzero(danger >> turn & 1).tolist()) == set(map(int, blast))
            tried += len(blast) > 0
    assert tried > 10


@pytest.mark.parametrize("name", map_names())
@pytest.mark.parametrize("opponent", ["random", "bomber", "chaser", SEARCH])
def test_bomber_revives_at_once_and_is_never_killed_by_its_own_bomb(name: str, opponent: str, scale: int) -> None:
    games = [watch_bombers(name, opponent, 100 + seed) for seed in range(scale if name in ("meadow4", "star6") else 2 * scale)]
    assert sum(games) > 2 * len(games)


def score_beside(game: Game, specs: Sequence[str], seat: int, seed: int) -> tuple[int, int]:
    """The score of a seat, and the best of the others."""
    scores = play_game(game, specs, seed=seed).state.record.score[: game.players].tolist()
    own = scores.pop(seat)
    return own, max(scores)


@pytest.mark.parametrize("name", map_names())
def test_bomber_wins_over_random_on_every_seat(name: str) -> None:
    game = ludarium.game("hexabomb", map=name)
    for seed in range(game.players):
        specs = ["random"] * game.players
        specs[seed] = "bomber"
        own, best = score_beside(game, specs, seed, seed)
        assert own > best, seed


def test_search_wins_over_bomber() -> None:
    won = 0
    for number, name in enumerate(("glade2", "garden3", "meadow4", "star6") * 2):
        game = ludarium.game("hexabomb", map=name)
        seat = number % game.players
        specs = ["bomber"] * game.players
        specs[seat] = "search:sims=150"
        own, best = score_beside(game, specs, seat, number)
        won += own > best
    assert won >= 7


@pytest.mark.parametrize("name", ["tiny2", "glade2", "lair4"])
def test_hunter_catches_those_who_only_keep_out_of_what_they_see(name: str) -> None:
    game = ludarium.game("hexabomb", map=name, mode="sudden-death")
    first, escaped = int(game.tables.first[1]), 0
    for seed in range(4):
        record = play_game(game, ["hunter"] + ["bomber"] * (game.players - 1), seed=seed).state.record
        escaped += int((record.revive_delay[first : game.tables.characters] == ALIVE).sum())
        assert (record.revive_delay[:first] == ALIVE).all()
    assert escaped <= 1


@pytest.mark.parametrize("spec", ["random", "painter", "bomber", SEARCH])
def test_equal_seeds_give_equal_games(spec: str) -> None:
    game = ludarium.game("hexabomb", map="lair4", turns=30)
    first, second, other = (play_game(game, [spec] * 4, seed=seed) for seed in (5, 5, 6))
    assert [step.actions for step in first.steps] == [step.actions for step in second.steps]
    assert [step.actions for step in first.steps] != [step.actions for step in other.steps]


def test_an_interrupted_search_answers_soon() -> None:
    asked: list[bool] = []

    def interrupted() -> bool:
        asked.append(True)
        return len(asked) > 3

    state = ludarium.game("hexabomb", map="meadow4").start()
    player = parse_player("search:time=1000s", state.game).make(state.game, 0)
    assert state.action(player.choose(state, 2, interrupted), 2)
    assert len(asked) == 4


def test_a_search_without_time_for_a_whole_plan_plays_as_bomber() -> None:
    state = ludarium.game("hexabomb", map="meadow4").start()
    search, bomber = (parse_player(spec, state.game).make(state.game, 0) for spec in ("search:time=1000s", "bomber"))
    assert search.choose(state, 0, lambda: True) == bomber.choose(state, 0)


def test_search_goes_on_from_any_position() -> None:
    """It may be asked about turns in any order, as when one is taken back, and about games that it has not seen from their start."""
    game = ludarium.game("hexabomb", map="glade2", turns=40)
    states = [step.state for step in play_at_random(game.start(), 9).steps if not step.state.record.waiting and not step.state.is_over]
    for spec in (SEARCH, "bomber", "painter"):
        player = parse_player(spec, game).make(game, 0)
        for state in random.Random(1).sample(states, 30):
            assert state.action(player.choose(state, 1), 1)


def test_the_example_plays_on_a_server(tmp_path: Path) -> None:
    serve = [
        sys.executable,
        "-m",
        "ludarium",
        "hexabomb",
        "serve",
        "--map=tiny2",
        "--players=2",
        "--turns=20",
        "--fast",
        "--autostart",
        "--port=0",
    ]
    with subprocess.Popen(
        serve, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, cwd=tmp_path
    ) as server:
        try:
            assert server.stderr is not None
            port = next(found[1] for line in server.stderr if (found := re.search(r"address=\S*?:(\d+)", line)))
            bots = [subprocess.Popen([sys.executable, EXAMPLE, "127.0.0.1", port], stdout=subprocess.PIPE, text=True) for _ in range(2)]
            said = [bot.communicate(timeout=60)[0] for bot in bots]
        finally:
            server.kill()
    assert all(re.fullmatch(r"The winner is player (-1|0|1)\n", one) for one in said)


def test_equal_bombers_win_on_every_seat() -> None:
    """On a symmetric map: a preference for a direction would be good for some seats and bad for others."""
    game = ludarium.game("hexabomb", map="meadow4")
    winners = [play_game(game, ["bomber"] * 4, seed=seed).state.winner for seed in range(60)]
    assert all(5 <= winners.count(seat) <= 26 for seat in range(4)), winners
