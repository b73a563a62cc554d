"""Examples of all objects that can be sent to another process, each with a function that observes how it behaves."""

from __future__ import annotations

import json
import pickle
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np

import ludarium
import ludarium.arena.bot_checks
import ludarium.arena.joining
import ludarium.arena.ladder
import ludarium.arena.ratings.misfits
import ludarium.arena.reports
import ludarium.arena.submissions
import ludarium.cgt.rulesets
import ludarium.envs.gymnasium
from ludarium import arena, cgt, players, search, testing
from ludarium.arena import ratings, schedules, store
from ludarium.arena.games import GameJob
from ludarium.arena.tournament import TournamentResult
from ludarium.arena.tournament_file import Tournament, read_tournament
from ludarium.cgt.calculator import Answer, Calculator
from ludarium.cgt.thermography.thermograph import Thermograph
from ludarium.core.course import Course, Step
from ludarium.core.dimensions import Dimensions
from ludarium.core.options import ChosenOptions, Option
from ludarium.core.orders import Orders
from ludarium.core.random import generator_from
from ludarium.core.record import Header, Record, parse_record
from ludarium.core.secrets import Secrets, Seen
from ludarium.core.show import Event, Overdue, Show
from ludarium.core.sight import Sight
from ludarium.core.symmetries import Symmetries
from ludarium.core.timeline import Timeline
from ludarium.envs import Batch
from ludarium.envs.gymnasium import GameEnv, GameVectorEnv
from ludarium.envs.pettingzoo import GameAECEnv, GameParallelEnv, env, parallel_env
from ludarium.games.expand_conquer.bots.perfect import PerfectPlayer
from ludarium.games.expand_conquer.values import ExpandConquerRuleset, ExpandConquerVariant
from ludarium.games.hexabomb import Simulation
from ludarium.games.roboderby.solo.dice import SoloDice, solo_dice
from ludarium.games.roboderby.tables import RoboDerbyTables
from ludarium.labs.expendibots import official
from ludarium.netorcai import client
from ludarium.players import PlayerSpec, parse_player, player_kinds
from ludarium.players.programs import Allowance, Conditions
from ludarium.search import alphabeta, gumbel, mcts, playouts
from ludarium.train import settings as train
from ludarium.train.self_play import PlayedGame

GAMES = {
    "expendibots": {"turn_limit": 20},
    "expand-conquer": {"rows": 3, "columns": 3, "start": "empty", "variant": "all-small"},
    "hexabomb": {"turns": 6},
    "roboderby": {"turn_limit": 3, "board": "first-lap", "marks": "fixed"},
}

OPPONENTS = {
    "expendibots": ("random", "greedy", "greedy:slip=50", "alphabeta:level=3", "alphabeta:nodes=300", "mcts:sims=20", "net:sims=4", None),
    "expand-conquer": (
        "random",
        "greedy",
        "alphabeta:nodes=300",
        "mcts:sims=20,slip=20",
        "hotstrat",
        "sentestrat",
        "perfect:time=100s",
        None,
    ),
    "hexabomb": ("random", "painter", "bomber:slip=30", "search:sims=3", None),
    "roboderby": ("random", "greedy", "planner", "racer:sims=5", None),
}

VECTORS: tuple[dict[str, Any], ...] = (
    {"num_envs": 3, "opponent": "greedy", "autoreset_mode": "SameStep", "seat": None},
    {"num_envs": 130, "opponent": "random", "workers": 2, "ranks": True},
    {"num_envs": 2, "opponent": "mcts:sims=10", "copy": False},
)


# Observe what an original and its copies have in common


def itself(thing: Any) -> Any:
    return thing


def attributes(thing: Any) -> Any:
    return plain(thing.__dict__)


def plain(thing: Any) -> Any:
    """Return the same with arrays as bytes, so that ``==`` compares it."""
    if isinstance(thing, np.ndarray):
        return str(thing.dtype), thing.shape, plain(thing.tolist()) if thing.dtype.hasobject else thing.tobytes()
    if is_dataclass(thing) and not isinstance(thing, type):
        return plain(vars(thing))
    if isinstance(thing, dict):
        return {key: plain(value) for key, value in thing.items()}
    if isinstance(thing, tuple | list):
        return [plain(one) for one in thing]
    return thing


def observe_game(game: ludarium.Game) -> Any:
    state = game.start(1)
    parts = [game.options, game.dimensions, game.show, game.overdue, plain(game.tables)]
    return [game, parts, state, [action.text for player in state.to_move for action in state.actions(player)]]


def observe_state(state: ludarium.State) -> Any:
    after = state.play({player: state.action(legal_orders(state, player), player) for player in state.to_move}) if state.to_move else state
    record = [plain(np.array(getattr(state.record, name))) for name in state.record.dtype.names]
    return [state, state.to_move, state.text, after, after.text, [plain(state.observation(player)) for player in state.to_move], record]


def observe_timeline(timeline: Timeline) -> Any:
    go_on(timeline, 99)
    return [timeline.events, timeline.steps, timeline.outcome, timeline.state is timeline.steps[-1].state]


def observe_course(course: Course) -> Any:
    return [course.steps, course.outcome]


def observe_sight(sight: Sight) -> Any:
    return [[sight.actions(ply) for ply in range(sight.ply + 1)], sight.latest, sight.open_ply]


def legal_orders(state: ludarium.State, player: int) -> Any:
    orders = tuple(state.legal(player, slot)[-1] for slot in range(state.game.dimensions.slots))
    return orders if len(orders) > 1 else orders[0]


def choices(player: players.Player, states: list[tuple[ludarium.State, int]]) -> Any:
    """Return the actions that a player chooses in states."""
    found: list[Any] = []
    for state, seat in states:
        player.prepare(state, seat)
        found.append(player.choose(state, seat).index)
    return found


def observe_player(id: str, player: players.Player) -> Any:
    turns = choosing(id)
    left = turns[len(turns) // 2 :]
    found = choices(player, left)
    if not isinstance(player, PerfectPlayer):
        return found
    # Of several actions that win it takes the one that it finds first, which goes by time.
    return [wins(state.play(state.action(index, seat)), seat) for index, (state, seat) in zip(found, left, strict=True)]


@cache
def wins(state: ludarium.State, player: int) -> bool:
    """Return whether a player wins a game for two without dice, by trying everything."""
    if state.is_over:
        return state.returns[player] > 0
    mover = state.to_move[0]
    tried = (wins(state.play(action), player) for action in state.actions(mover))
    return any(tried) if mover == player else all(tried)


def observe_kind(kind: players.PlayerKind) -> Any:
    return [kind, kind.options, kind.make.__class__]


def observe_spec(spec: PlayerSpec) -> Any:
    game = ludarium.game("expendibots")
    return [spec, spec.is_program or choices(spec.make(game, 7), [(game.start(), 0)] * 3)]


def observe_env(env: Any) -> Any:
    """Play an environment's game on, then start the next one and draw random numbers."""
    seen: list[Any] = []
    is_seeded = env.has_reset
    for wanted in range(6 if is_seeded else 0):
        if env.unwrapped.batch.over[0]:
            break
        seen.append(plain(env.step(chosen(env.unwrapped, wanted))))
    seen.append(plain(env.reset()))
    seen.append(plain(env.step(chosen(env.unwrapped, 3))))
    numbers = [int(env.np_random.integers(1000)), plain(env.action_space.sample())] if is_seeded else []  # Gymnasium's own
    return [seen, plain(env.render()), numbers]


def observe_vector(envs: Any) -> Any:
    seen: list[Any] = []
    for _ in range(6):
        ranks = np.minimum(2, envs.batch.counts - 1).clip(0)
        actions = ranks if envs.ranks else np.take_along_axis(envs.batch.legal, ranks[:, :, None], 2)[:, :, 0]
        seen.append(plain(envs.step(actions[:, 0])))
    return [seen, plain(envs.reset()), plain(envs.action_masks())]


def observe_batch(batch: Batch) -> Any:
    for _ in range(4):
        batch.step(np.zeros((len(batch), batch.game.dimensions.slots), np.int64), ~batch.over, ranks=True)
    shared = np.shares_memory(batch.observations, batch._games.observations)
    return [shared, plain(batch.observations), plain(batch.returns), [batch.state(at) for at in range(len(batch))]]


def chosen(env: Any, wanted: int) -> Any:
    """Choose a legal action of an environment for one game."""
    counts, legal = env.batch.counts[0].tolist(), env.batch.legal[0]
    found = [int(legal[slot, wanted % counts[slot]]) for slot in range(len(counts))]
    return found[0] if len(found) == 1 else np.array(found)


def observe_agents(env: Any) -> Any:
    """Play on in an environment of PettingZoo whose agents choose one after the other."""
    seen: list[Any] = []
    for _ in range(6):
        if not env.agents or env.terminations[env.agent_selection]:
            break
        mask = env.last()[0]["action_mask"]
        seen.append(plain(env.last()))
        env.step(first_of(mask))
    env.reset()
    return [seen, env.agent_selection, plain(env.last()), plain(env.render())]


def observe_together(env: Any) -> Any:
    """Play on in an environment of PettingZoo whose agents choose together."""
    seen: list[Any] = []
    for _ in range(3):
        if env.agents:
            seen.append(plain(env.step({agent: first_of(seen["action_mask"]) for agent, seen in env._observations(env.agents).items()})))
    return [seen, plain(env.reset())]


def first_of(mask: Any) -> Any:
    return np.array([int(part.argmax()) for part in mask]) if isinstance(mask, tuple) else int(mask.argmax())


def observe_memory(memory: search.SearchMemory) -> Any:
    state = ludarium.game("expendibots").start()
    found = [alphabeta(state, nodes=400, memory=memory) for _ in range(2)]
    return [[one.action, one.score, one.depth, one.nodes, one.line] for one in found]


def observe_gumbel(wanted: gumbel.GumbelSearch) -> Any:
    found = wanted.run(wanted.game.start().copy_records(), np.zeros(1, np.int64), ignorant)
    return plain([found.actions, found.legal, found.policies])


def ignorant(observations: Any) -> Any:
    return np.zeros((len(observations), 64), np.float32), np.zeros(len(observations), np.float32)


def observe_solver(solver: cgt.Solver) -> Any:
    return [solver.outcome("xo.ox|.xox.").letter, solver.most_bytes]


def observe_ruleset(ruleset: Any) -> Any:
    return cgt.value(ruleset, POSITIONS[type(ruleset)])


POSITIONS: dict[type, str] = {
    cgt.rulesets.Clobber: "xox|oxo",
    cgt.rulesets.Domineering: "***|***",
    cgt.rulesets.Nim: "3 5 1",
    cgt.rulesets.ToadsAndFrogs: "tt.f",
    ExpandConquerRuleset: "X*O*O",
}


def observe_calculator(calculator: Calculator) -> Any:
    return calculator.answer("x + 1")


def observe_simulation(simulation: Simulation) -> Any:
    simulation.play([{"player_id": 0, "actions": [{"character": 0, "movement": "move", "direction": "x+"}]}])
    return [simulation.json(), simulation.carried_out]


def observe_official(player: official.Player) -> Any:
    return [player._state, player._left]


def observe_tournament(tournament: Tournament) -> Any:
    first = next(iter(tournament.schedule(tournament.field, {})))
    return [[getattr(tournament, one.name) for one in fields(Tournament) if one.name != "schedule"], first]


def observe_tournament_result(result: TournamentResult) -> Any:
    assert result.ratings is not None
    return [observe_tournament(result.tournament), result.games, result.standings, result.ranking, attributes(result.ratings)]


def observe_match(result: arena.MatchResult) -> Any:
    return [result, result.standings, result.elo, result.as_json()]


def observe_job(job: GameJob) -> Any:
    result = job(arena.GamePlan(0, 0, (1, 0)), never)
    assert result is not None
    return result


def never() -> bool:
    return False


def observe_record(record: Record) -> Any:
    return [record, record.replay().events]


# Examples


@dataclass(frozen=True)
class Example:
    """How to make an object of a class, and how to observe it."""

    kind: type
    make: Callable[[], Any]
    observe: Callable[[Any], Any] = itself
    words: str = ""

    def __str__(self) -> str:
        return f"{self.kind.__name__} {self.words}".strip()


def short(id: str) -> ludarium.Game:
    return ludarium.game(id, **GAMES[id])


def played(id: str, steps: int = 4) -> Timeline:
    """Start a game and play some steps, up to a state in which players choose."""
    timeline = Timeline(short(id).start())
    go_on(timeline, steps)
    return timeline


def go_on(timeline: Timeline, steps: int) -> None:
    """Play up to ``steps`` steps of players, and all steps of chance around them."""
    generator = generator_from(2)
    while not timeline.is_over:
        state = timeline.state
        if state.to_move == (ludarium.CHANCE,):
            timeline.act({ludarium.CHANCE: state.sample_chance(generator)})
        elif steps:
            timeline.act({player: state.action(legal_orders(state, player), player) for player in state.to_move})
            steps -= 1
        else:
            return


def choosing(id: str) -> list[tuple[ludarium.State, int]]:
    """Return states of a game, each with a player to move."""
    return [(step.state, step.state.to_move[0]) for step in played(id).steps if step.state.to_move and step.state.to_move[0] >= 0]


def seated(id: str, spec: str) -> players.Player:
    """Make a player and let it play the first half of the turns of :func:`choosing`."""
    game, turns = short(id), choosing(id)
    player = parse_player(spec, game).make(game, 5)
    choices(player, turns[: len(turns) // 2])
    return player


def class_name(id: str) -> str:
    return "".join(word.title() for word in id.split("-")).replace("Roboderby", "RoboDerby")


def environment(id: str, stage: str, **options: Any) -> Any:
    made = gymnasium.make(f"ludarium/{class_name(id)}-v0", disable_env_checker=True, **GAMES[id], **options)
    if stage != "fresh":
        made.reset(seed=3)
        made.action_space.seed(4)
    if stage == "running":
        made.step(chosen(made.unwrapped, 1))
    return made


def _state(id: str) -> ludarium.State:
    return played(id).state


def _sight(id: str) -> Sight:
    return Sight(played(id), 0)


def _part(name: str, id: str) -> Any:
    return getattr(short(id), name)


def _kind(id: str, name: str) -> players.PlayerKind:
    return player_kinds(short(id))[name]


def vector(**options: Any) -> Any:
    envs = gymnasium.make_vec("ludarium/TicTacToe-v0", **options)
    envs.reset(seed=1)
    envs.step(envs.batch.legal[:, 0, 0] if not options.get("ranks") else np.zeros(options["num_envs"], np.int64))
    return envs


def of_pettingzoo(make: Callable[..., Any], id: str) -> Any:
    made = make(id, render_mode="ansi", **GAMES[id])
    made.reset(seed=3)
    return made


def batch(workers: int) -> Batch:
    return Batch(short("expendibots"), 130, opponent="greedy", seat=1, seed=3, workers=workers)


def with_dummies(kind: Any) -> Any:
    """Make an instance of a class of plain fields, each with another value."""
    names = kind._fields if issubclass(kind, tuple) else [one.name for one in fields(kind) if one.init]
    return kind(**{name: number for number, name in enumerate(names)})


@cache
def small_match() -> arena.MatchResult:
    return arena.match(ludarium.game("tic-tac-toe"), ["random", "greedy"], games=4, seed=1)


TOURNAMENT = """
game = "tic-tac-toe"
format = "swiss"
rounds = 2
time = "60+0.5"
openings = "openings.txt"
players = [{ name = "A", spec = "random" }, { name = "B", spec = "greedy" }, { name = "C", spec = "mcts:sims=9" }, { name = "D", spec = "random" }]
"""


@cache
def tournament() -> Tournament:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "spring.toml"
        path.write_text(TOURNAMENT)
        path.with_name("openings.txt").write_text(ludarium.game("tic-tac-toe").start().text)
        return read_tournament(path)


def tournament_result() -> TournamentResult:
    return TournamentResult(tournament(), small_match().games, True, 1.5, "", (0.0, 1.0, 0.0, 0.0))


def settings() -> train.Settings:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "small.toml"
        path.write_text("random_plies = 2\n[gate]\ngames = 10\n")
        return train.read_settings("tic-tac-toe", path)


def job() -> GameJob:
    return GameJob((ludarium.game("tic-tac-toe"),), ("random", "mcts:sims=9"), 3, arena.Openings(random_plies=1), None, arena.Terms())


def record() -> Record:
    timeline = played("expendibots")
    header = Header.of(timeline.state.game, ["Ada", "Bob"], 1)
    lines = [header.as_json(), *timeline.events]
    return parse_record("game.jsonl", "".join(json.dumps(line) + "\n" for line in lines).encode())


def memory() -> Any:
    made = search.SearchMemory()
    observe_memory(made)
    return made


def solver() -> cgt.Solver:
    made = cgt.Solver(cgt.rulesets.Clobber(), most_bytes=1 << 20)
    observe_solver(made)
    return made


def calculator() -> Calculator:
    made = Calculator()
    made.answer("x := {3|1}")
    return made


def simulation() -> Simulation:
    made = Simulation("meadow4", 4)
    made.play([])
    return made


RESULTS = [((0, 1), (1.0, -1.0)), ((1, 0), (0.0, 0.0))]


def results() -> ratings.Results:
    return ratings.collect(2, RESULTS)


DUMMIES = (
    arena.GamePlan,
    arena.Standing,
    ludarium.arena.bot_checks.Finding,
    ludarium.arena.joining.Ladder,
    ludarium.arena.ladder.LadderRow,
    ludarium.arena.reports.Row,
    schedules.Field,
    store.CompetitionRow,
    store.Entrant,
    store.Expulsion,
    store.Pair,
    store.Rating,
    store.StoredGame,
    store.Total,
    store.Voiding,
    ludarium.arena.ratings.misfits.Misfit,
    ludarium.arena.submissions.Submitted,
    ludarium.arena.submissions.Version,
    cgt.Outcome,
    Dimensions,
    PlayedGame,
    players.TimeLeft,
    search.Arm,
)

STARTS = {
    "player_id": 0,
    "nb_players": 2,
    "nb_special_players": 0,
    "nb_turns_max": 9,
    "milliseconds_before_first_turn": 1.0,
    "milliseconds_between_turns": 2.0,
    "initial_game_state": {},
    "players_info": [],
}
"""The fields of a GAME_STARTS of netorcai."""


def _of_games() -> list[Example]:
    found: list[Example] = []
    for id in GAMES:
        game = partial(short, id)
        found += [
            Example(ludarium.Game, game, observe_game, id),
            Example(ludarium.State, partial(_state, id), observe_state, id),
            Example(Timeline, partial(played, id), observe_timeline, id),
            Example(Course, partial(played, id), observe_course, id),
            Example(Sight, partial(_sight, id), observe_sight, id),
            Example(Show, partial(_part, "show", id), itself, id),
            Example(ChosenOptions, partial(_part, "options", id), itself, id),
        ]
        found += [Example(players.PlayerKind, partial(_kind, id, name), observe_kind, f"{id} {name}") for name in player_kinds(short(id))]
        for opponent in OPPONENTS[id]:
            if opponent is not None:
                found.append(Example(players.Player, partial(seated, id, opponent), partial(observe_player, id), f"{id} {opponent}"))
            goes_by_time = opponent is not None and "time=" in opponent
            for stage in ("fresh",) if goes_by_time else ("fresh", "reset", "running"):
                make = partial(environment, id, stage, opponent=opponent, ranks=stage == "reset", render_mode="ansi")
                found.append(Example(GameEnv, make, observe_env, f"{id} {opponent} {stage}"))
        found.append(Example(GameAECEnv, partial(of_pettingzoo, env, id), observe_agents, id))
        found.append(Example(GameParallelEnv, partial(of_pettingzoo, parallel_env, id), observe_together, id))
    return found


def _of_classes() -> list[Example]:
    near, start = ludarium.game("expendibots"), ludarium.game("expendibots").start()
    robots = short("roboderby")
    return [
        *[Example(kind, partial(with_dummies, kind)) for kind in DUMMIES],
        *[Example(GameVectorEnv, partial(vector, **options), observe_vector, str(options)) for options in VECTORS],
        *[Example(Batch, partial(batch, workers), observe_batch, str(workers)) for workers in (1, 2)],
        *[Example(testing.Contract, partial(testing.CONTRACTS.__getitem__, at)) for at in range(len(testing.CONTRACTS))],
        *[Example(kind, kind, observe_ruleset) for kind in POSITIONS],
        *[
            Example(PlayerSpec, partial(parse_player, text, near, conditions=Conditions()), observe_spec, text)
            for text in ("greedy:slip=5", "alphabeta:level=2", "cmd:cat", "ws://localhost:1")
        ],
        Example(ludarium.Action, partial(start.action, "a2-a3")),
        Example(ludarium.Outcome, partial(ludarium.Outcome, (1.0, -1.0), 0, "it ended")),
        Example(Event, partial(Event, "it blew up", {"cells": [1, 2]})),
        Example(Step, partial(Step, start, {0: start.action("a2-a3")})),
        Example(Header, partial(Header.of, near, ["Ada", "Bob"], 1)),
        Example(Record, record, observe_record),
        Example(Option, partial(Option.word, "way", "which way", "left", "right")),
        Example(Orders, partial(getattr, short("hexabomb"), "orders"), type),
        Example(Secrets, partial(getattr, robots, "secrets"), type),
        Example(Seen, partial(Seen, 1)),
        Example(Overdue, partial(getattr, robots, "overdue")),
        Example(Symmetries, near.symmetries, attributes),
        Example(RoboDerbyTables, partial(getattr, robots, "tables"), plain),
        Example(SoloDice, partial(solo_dice, robots.tables.commands), plain),
        Example(arena.EloDifference, partial(arena.elo_difference, 5, 1, 2)),
        Example(arena.GameResult, partial(small_match().games.__getitem__, 0)),
        Example(arena.MatchResult, small_match, observe_match),
        Example(arena.Openings, partial(arena.Openings, (start,), 3)),
        Example(arena.Terms, partial(arena.Terms, arena.time_controls("60+0.5,2/action", 2), True, Conditions(folder=Path("/tmp")), 90)),
        Example(arena.TimeControl, partial(arena.TimeControl.parse, "10m+5s")),
        Example(store.Search, partial(store.Search, player="Ada", result="win")),
        Example(GameJob, job, observe_job),
        Example(Tournament, tournament, observe_tournament),
        Example(TournamentResult, tournament_result, observe_tournament_result),
        Example(ludarium.arena.bot_checks.Report, partial(ludarium.arena.bot_checks.Report, near, "cmd:cat")),
        Example(ratings.Results, results, attributes),
        Example(ratings.Ratings, partial(ratings.rate, ("A", "B"), RESULTS), attributes),
        Example(players.OfficialTerms, partial(players.official_terms, "expendibots")),
        Example(players.Opponent, partial(players.opponents_of(near).__getitem__, 0)),
        Example(Allowance, partial(Allowance, 1.5)),
        Example(Conditions, partial(Conditions, memory=99, folder=Path("/tmp"))),
        Example(search.MctsResult, partial(mcts, start, sims=20, seed=1)),
        Example(search.PlayoutResult, partial(playouts, ludarium.game("tic-tac-toe").start(), 9)),
        Example(search.SearchMemory, memory, observe_memory),
        Example(search.SearchResult, partial(alphabeta, start, depth=1)),
        Example(gumbel.GumbelSearch, partial(gumbel.GumbelSearch, short("expand-conquer"), 1, simulations=4), observe_gumbel),
        Example(gumbel.Found, partial(gumbel.Found, *[np.zeros(2)] * 4), attributes),
        Example(cgt.Value, partial(cgt.Value, "{3|^*}")),
        Example(cgt.Solver, solver, observe_solver),
        Example(ExpandConquerVariant, partial(ExpandConquerVariant, 1)),
        Example(Thermograph, partial(getattr, cgt.Value("{3|^*}"), "thermograph")),
        Example(Calculator, calculator, observe_calculator),
        Example(Answer, partial(observe_calculator, calculator())),
        Example(Simulation, simulation, observe_simulation),
        Example(official.Player, partial(official.Player, "white"), observe_official),
        Example(client.GameStarts, partial(client.GameStarts, STARTS), attributes),
        Example(client.Turn, partial(client.Turn, 3, b"{}"), attributes),
        Example(client.GameEnds, partial(client.GameEnds, {"winner_player_id": 1, "game_state": {}}), attributes),
        Example(testing.Broken, partial(testing.Broken, "it breaks"), str),
        Example(train.Settings, settings),
        *[Example(kind, kind) for kind in (train.NetworkSettings, train.SelfPlaySettings, train.TeacherSettings)],
        *[Example(kind, kind) for kind in (train.LearningSettings, train.GateSettings)],
    ]


EXAMPLES = [*_of_games(), *_of_classes()]


def observe_all(pickles: list[tuple[bytes, bytes]]) -> list[bytes]:
    """Observe pickled objects with pickled functions in a child process, and return what is seen, pickled."""
    return [pickle.dumps(pickle.loads(observe)(pickle.loads(thing))) for thing, observe in pickles]
