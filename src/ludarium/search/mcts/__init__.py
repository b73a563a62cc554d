"""Monte Carlo tree search: UCT for any number of players, with dice and with players who act together.

UCT is by L. Kocsis and C. Szepesvári ("Bandit based Monte-Carlo planning", ECML 2006). Where players act together, each chooses by
statistics of its own actions alone (decoupled UCT: H. Finnsson, Y. Björnsson, "Simulation-based approach to general game playing", AAAI
2008); with one player to move that is plain UCT. Dice are sampled, and every outcome that fell has its own branch.

Where something is hidden, the search is for one player: it draws several states that agree with what that player knows, searches each by itself as if
nothing were hidden, and adds up what it found for that player's actions. (D. Whitehouse, E. Powley, P. Cowling, "Determinization and information
set Monte Carlo tree search for the card game Dou Di Zhu", CIG 2011, measure what this is worth and what it misses.)
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludarium.core.game import Action, Game, State
from ludarium.core.jit import JIT, plain
from ludarium.core.random import generator_from
from ludarium.core.rules import CHANCE, evaluate
from ludarium.core.slices import Slices
from ludarium.errors import BadOption, IllegalAction, LudariumError

from ..checks import check_positive, check_whole, never
from .kernel import simulate
from .tree import ARMS, NODES, MctsTree, enlarged, has_room, new_tree, tree_bytes

__all__ = ["Arm", "MctsResult", "can_evaluate", "check_mcts_plays", "mcts"]

EXPLORATION = 1.0
"""The default weight of exploration, for returns in [−1, 1]."""

MEGABYTES = 128
"""The default bound on a tree's memory."""

FIRST_SLICE = 1000 if JIT else 5
"""Steps that the first call of the kernel plays; see :class:`.slices.Slices`."""

LONGER = 8
"""Growing takes at most so many times as long as the time before: there is twice as much to copy, and it may not fit into a cache any more."""

MAX_DEPTH = 4096
"""Choices below which a simulation leaves the tree."""

WORLDS = 16
"""How many states are drawn and searched where something is hidden."""

ENDLESS = 1 << 62


@dataclass(frozen=True, slots=True)
class Arm:
    """A legal action at the root: how often it was tried, and its mover's mean return (in [−1, 1]; 0 where it was not tried)."""

    action: Action
    visits: int
    value: float


@dataclass(frozen=True, slots=True)
class MctsResult:
    """What a search found."""

    actions: Mapping[int, Action]
    """By player to move (only the one it was made for, where one was named): the action that was tried most (among equals the one of the highest value, then
    the first)."""
    arms: Mapping[int, tuple[Arm, ...]]
    """By the same players: every legal action in the order of :meth:`State.actions`."""
    simulations: int
    seconds: float
    nodes: int
    """Nodes in the tree; in all trees, where several states were drawn."""
    bytes: int
    """Memory of the tree, of the largest one."""

    @property
    def action(self) -> Action:
        """The chosen action, where one player is to move.

        Raises:
            LudariumError: several act together; look at ``actions``.
        """
        if len(self.actions) > 1:
            raise LudariumError(f"players {tuple(self.actions)} act together: each has its own in 'actions'")
        return next(iter(self.actions.values()))


def mcts(
    state: State,
    *,
    player: int | None = None,
    sims: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
    interrupted: Callable[[], bool] = never,
    exploration: float = EXPLORATION,
    cutoff: int | None = None,
    megabytes: int = MEGABYTES,
    clock: Callable[[], float] = time.perf_counter,
) -> MctsResult:
    """Search for a good action of every player to move, or of one.

    A simulation walks down the tree by UCB1, adds one position to it, and plays on by uniformly random actions to the end of the game.
    Limited by simulations alone, the result is a function of the state, the numbers and the seed; what is hidden from the player has no part in it.

    Args:
        player: whose action is wanted; may be left out where nothing is hidden, or one player is to move.
        sims: how many simulations, from 1.
        seconds: for how long, above 0. With both limits the first one reached ends the search; one of them is needed.
        seed: of all that is random, from 0.
        interrupted: asked every hundredth of a second; once it says yes, the search ends with what it has, at least one simulation.
        exploration: the weight of the second term of UCB1, above 0.
        cutoff: random steps after which the game is evaluated instead of played on, from 0. With it, a game that can evaluate is played far better
            in the same time. None: play to the end.
        megabytes: memory that the tree may take, from 1; half as much again while it grows. A tree that has no more room goes on learning without growing.
        clock: seconds, as from ``time.perf_counter``.

    Raises:
        BadOption: no limit, or a number out of these bounds.
        IllegalAction: the player is not to move.
        LudariumError: nobody is to move; something is hidden, several are to move and none is named; a cutoff for a game without evaluation; or a game
            that this search cannot play: players give several orders at once.
    """
    _check(sims, seconds, seed, exploration, cutoff, megabytes)
    game, movers = state.game, state.to_move
    check_mcts_plays(game)
    if cutoff is not None and not can_evaluate(game):
        raise LudariumError(f"mcts: a cutoff needs an evaluation, and {game.title} has none")
    if not movers or movers == (CHANCE,):
        raise LudariumError("nobody is to move: dice are to fall" if movers else f"nobody is to move: {game.reason(state)}")
    if player is not None and player not in movers:
        raise IllegalAction(f"player {player} is not to move")
    search = _Search(exploration, cutoff, megabytes, interrupted, clock)
    if state.is_public:
        wanted = movers if player is None else (player,)
        return search.run(state, wanted, sims, seconds, generator_from(seed))
    if player is None:
        if len(movers) != 1:
            raise LudariumError(f"something is hidden from players {movers}, who act together: say for whom to search")
        player = movers[0]
    return _search_worlds(search, state, player, sims, seconds, seed)


def _search_worlds(search: _Search, state: State, player: int, sims: int | None, seconds: float | None, seed: int) -> MctsResult:
    """Search several states that could be the true one, one after the other, and add up what they say."""
    worlds = WORLDS if sims is None else min(WORLDS, sims)
    generator = generator_from(seed)
    found: list[MctsResult] = []
    started = search.clock()
    for world in range(worlds):
        share = None if sims is None else (sims - sum(one.simulations for one in found)) // (worlds - world)
        rest = None if seconds is None else (seconds - (search.clock() - started)) / (worlds - world)
        if found and ((rest is not None and rest <= 0) or search.interrupted()):
            break
        found.append(search.run(state.resample(player, generator), (player,), share, rest, generator_from(seed, 1 + world)))
        if world == 0:
            started = search.clock() - found[0].seconds  # compiling counts for nothing
    arms = tuple(_sum(state_arms) for state_arms in zip(*(one.arms[player] for one in found), strict=True))
    return MctsResult(
        {player: _most_tried(arms)},
        {player: arms},
        sum(one.simulations for one in found),
        sum(one.seconds for one in found),
        sum(one.nodes for one in found),
        max(one.bytes for one in found),
    )


def _sum(arms: tuple[Arm, ...]) -> Arm:
    """What several searches say of one action."""
    visits = sum(arm.visits for arm in arms)
    return Arm(arms[0].action, visits, sum(arm.value * arm.visits for arm in arms) / visits if visits else 0.0)


def _most_tried(arms: tuple[Arm, ...]) -> Action:
    return max(arms, key=lambda arm: (arm.visits, arm.value)).action


@dataclass(frozen=True)
class _Search:
    """A search of one state in which nothing is hidden, or as if nothing were."""

    exploration: float
    cutoff: int | None
    megabytes: int
    interrupted: Callable[[], bool]
    clock: Callable[[], float]

    def run(
        self, state: State, wanted: tuple[int, ...], sims: int | None, seconds: float | None, generator: np.ndarray[Any, Any]
    ) -> MctsResult:
        game, started = state.game, self.clock()
        most = ENDLESS if sims is None else min(sims, ENDLESS)
        states = np.concatenate([state.copy_records(), state.copy_records()])
        actions = np.zeros(game.dimensions.max_actions, np.int64)
        joint = np.zeros((game.players, 1), np.int64)
        path = np.zeros((MAX_DEPTH, 2), np.int64)
        values = np.zeros(game.players)
        scratch = (actions, joint, path, values, self.exploration, self.cutoff)
        nodes, arms = game.players + 1, game.players * game.dimensions.max_actions  # that one simulation may add
        tree = new_tree(max(1024, 2 * nodes), max(4096, 2 * arms), game.players)
        may_add, growing = True, 0.0
        before = self.clock()
        simulate(game.tables, states, tree, generator, *scratch, may_add, 0, 0)  # it may have to be compiled, which counts for nothing
        slices = Slices(seconds, FIRST_SLICE, self.clock, started + self.clock() - before)
        done = simulate(game.tables, states, tree, generator, *scratch, may_add, 1, 1)
        while done < most and (size := slices.next()) and not self.interrupted():
            done += simulate(game.tables, states, tree, generator, *scratch, may_add, most - done, size)
            if not may_add or plain(has_room)(tree, nodes, arms):
                slices.did(size)
                continue
            before = slices.seconds
            larger = _larger(tree, self.megabytes) if slices.left > LONGER * growing else None
            may_add = larger is not None
            tree = larger or tree
            growing = slices.seconds - before
            slices.reserved = growing / 2  # to give the memory back to the system
        return _result(state, tree, wanted, done, slices.seconds)


def can_evaluate(game: Game) -> bool:
    """Whether a game says how good a running game is."""
    return evaluate.implemented_for(game.tables)


def check_mcts_plays(game: Game) -> None:
    """Refuse a game that :func:`mcts` cannot play.

    Raises:
        LudariumError: players give several orders at once.
    """
    if game.dimensions.slots > 1:
        raise LudariumError(
            f"mcts plays games in which a player makes one choice at a time; in {game.title} it is {game.dimensions.slots} at once"
        )


def _check(sims: Any, seconds: Any, seed: Any, exploration: Any, cutoff: Any, megabytes: Any) -> None:
    if sims is None and seconds is None:
        raise BadOption("mcts: say when to stop: sims, seconds or both")
    for name, value, least in (("sims", sims, 1), ("cutoff", cutoff, 0)):
        if value is not None:
            check_whole(f"mcts: {name}", value, least)
    check_whole("mcts: seed", seed, 0)
    check_whole("mcts: megabytes", megabytes, 1)
    check_positive("mcts: exploration", exploration)
    if seconds is not None:
        check_positive("mcts: seconds", seconds)


def _larger(tree: MctsTree, megabytes: int) -> MctsTree | None:
    """A tree with twice the room in what is more than half used; None if that is beyond the bound."""
    nodes, arms = (
        2 * room if 2 * used >= room else room
        for used, room in ((tree.used[NODES], len(tree.visits)), (tree.used[ARMS], len(tree.arm_action)))
    )
    players = tree.arm_counts.shape[1]
    if tree_bytes(nodes, arms, players) > megabytes * 1_000_000:
        return None
    return enlarged(tree, nodes, arms)


def _result(state: State, tree: MctsTree, wanted: tuple[int, ...], simulations: int, seconds: float) -> MctsResult:
    arms: dict[int, tuple[Arm, ...]] = {}
    chosen: dict[int, Action] = {}
    first = 0
    for player in state.to_move:
        block = slice(first, first + int(tree.arm_counts[0, player]))
        first = block.stop
        if player not in wanted:
            continue
        found = {
            action: (visits, total / visits if visits else 0.0)
            for action, visits, total in zip(
                tree.arm_action[block].tolist(), tree.arm_visits[block].tolist(), tree.arm_return[block].tolist(), strict=True
            )
        }
        arms[player] = tuple(Arm(action, *found[action.index]) for action in state.actions(player))
        chosen[player] = _most_tried(arms[player])
    memory = tree_bytes(len(tree.visits), len(tree.arm_action), tree.arm_counts.shape[1])
    return MctsResult(chosen, arms, simulations, seconds, int(tree.used[NODES]), memory)
