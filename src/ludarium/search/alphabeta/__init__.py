"""Alpha-beta search for games of two players who take turns, without chance: :func:`alphabeta`."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from ludarium.core.game import Action, Game, State
from ludarium.core.rules import UNKNOWN, evaluate, position_key, tactical_actions
from ludarium.core.slices import Slices
from ludarium.errors import BadOption, LudariumError

from ..checks import check_positive, check_whole, never
from .kernel import BEST, BEST_ACTION, CURSOR, DISTANCE, ENDING, FIRST, LONGEST, NODES, PAUSED, ROOT_DEPTH, UNFIT, WIN, search_on
from .workspace import SearchMemory, SearchWorkspace, make_workspace

__all__ = ["WIN", "SearchMemory", "SearchResult", "alphabeta", "check_alphabeta_plays"]

DEEPEST = LONGEST // 2
FIRST_SLICE = 256
"""Nodes before the first look at the clock."""
LOST = LONGEST - WIN
"""Scores up to this one mean that the game is lost."""

CALM = 0.5
"""Of the usual time, what a search takes whose depths all agree."""
ALARM = 150
"""A fall of the score, in hundredths of the game's unit, that counts as much as another best action."""

_TURNS = "alpha-beta needs players who take turns"


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a search has found.

    ``score`` is for the player to move, in units of the game's evaluation (hundredths of its unit). A win after n more actions scores ``WIN − n``,
    a loss ``n − WIN``, a draw 0; the winner is certain, but selective search may overlook a faster win. ``depth`` is the last depth that was searched
    completely, ``nodes`` the number of actions applied, ``line`` the principal variation, which begins with ``action``. Of a deeper search that was stopped,
    the best action found counts; where all that it finished lose, the next one, with the score of the completed depth.
    """

    action: Action
    score: int
    depth: int
    nodes: int
    seconds: float
    line: tuple[Action, ...]


def check_alphabeta_plays(game: Game, state: State | None = None) -> None:
    """Refuse a game that alpha-beta cannot play, and a state (if given) in which there is nothing to choose.

    Raises:
        LudariumError: not two players, chance, hidden information, vectors of orders or no evaluation; the game is over, or players act together.
    """
    if game.players != 2 or game.dimensions.max_outcomes or game.dimensions.slots != 1 or game.secrets is not None:
        raise LudariumError(
            f"alpha-beta needs two players who take turns and neither chance nor hidden information; {game.title} is not such a game"
        )
    if not evaluate.implemented_for(game.tables):
        raise LudariumError(f"alpha-beta needs an evaluation of running games; {game.title} has none")
    if state is not None and len(state.to_move) != 1:
        raise LudariumError(
            "there is nothing to search: the game is over" if state.is_over else f"{_TURNS}; in {game.title} they act together"
        )


def alphabeta(
    state: State,
    *,
    depth: int | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    usual: float | None = None,
    interrupted: Callable[[], bool] = never,
    on_iteration: Callable[[SearchResult], None] | None = None,
    seed: int | None = None,
    full_width: bool = False,
    memory: SearchMemory | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> SearchResult:
    """Search deeper and deeper until a limit is reached or the game is solved, and keep the best action found.

    The result of a search that is limited by depth or nodes depends on nothing but the state, the limits and the seed, and on the endgames that a game has at
    hand. From a position whose ending the game knows, each decided one is won as soon or lost as late as can be; of drawing actions the search chooses.

    Args:
        depth: actions ahead, before quiescence, from 1; beyond 50 it is 50.
        nodes: actions applied in all, from 1.
        seconds: time, above 0. At least one of the three limits is given.
        usual: seconds that such a search takes, where there may be more. It ends with a completed depth: earlier while the best action stays the same, later
            after it has changed or its score has fallen.
        interrupted: asked about every hundredth of a second; the search ends when it answers True.
        on_iteration: told the result after each completed depth.
        seed: decides which of equally good actions is chosen, from 0; without one, the first.
        full_width: no selective search, and no known endings. The score is then exactly minimax of this depth over quiescence, save that a position
            reached in two ways is searched once although its repetitions may differ.
        memory: what earlier searches of this game have found, for this one and those to come. A full-width search remembers nothing.
        clock: seconds from any beginning.

    Raises:
        BadOption: no limit was given, or a number out of these bounds.
        LudariumError: the game is over, or none for alpha-beta.
    """
    if depth is None and nodes is None and seconds is None:
        raise BadOption("give alphabeta a limit: depth, nodes or seconds")
    for name, number, least in (("depth", depth, 1), ("nodes", nodes, 1), ("seed", seed, 0)):
        if number is not None:
            check_whole(f"alphabeta: {name}", number, least)
    for name, number in (("seconds", seconds), ("usual", usual)):
        if number is not None:
            check_positive(f"alphabeta: {name}", number)
    check_alphabeta_plays(state.game, state)
    started = clock()
    work = make_workspace(state, seed, full_width) if memory is None or full_width else memory.workspace(state, seed)
    search = _Search(state, work, nodes or 1 << 62, seconds, interrupted, clock, started)
    for current in range(1, min(DEEPEST if depth is None else depth, DEEPEST) + 1):
        completed = search.iterate(current)
        if completed and on_iteration is not None:
            on_iteration(search.result())
        if not completed or search.is_solved or (usual is not None and search.is_worth_no_more_than(usual)):
            break
    return search.result()


class _Search:
    """Iterations over one workspace."""

    def __init__(
        self,
        state: State,
        work: SearchWorkspace,
        nodes: int,
        seconds: float | None,
        interrupted: Callable[[], bool],
        clock: Callable[[], float],
        started: float,
    ) -> None:
        self._state = state
        self._work = work
        self._nodes = nodes
        self._interrupted = interrupted
        tables = state.game.tables
        self._keys = True if position_key.implemented_for(tables) else None
        self._tactics = True if tactical_actions.implemented_for(tables) else None
        self._best = -1
        self._score = 0
        self._depth = 0
        self._unrest = 1.0
        self._line: tuple[int, ...] = ()
        self._work.control[ROOT_DEPTH] = 1
        before = clock()
        # No node; endgames may have to be made, and the search compiled, which counts for nothing.
        self._endgames = None if state.game.endgames is None else state.game.endgames()
        search_on(tables, self._work, self._keys, self._tactics, self._endgames, 0)
        self._slices = Slices(seconds, FIRST_SLICE, clock, started + clock() - before)

    def iterate(self, depth: int) -> bool:
        """Search one depth; whether it was completed."""
        work = self._work
        control = work.control
        control[ROOT_DEPTH] = depth
        control[FIRST] = self._best
        control[DISTANCE] = -1
        answer = PAUSED
        while answer == PAUSED:
            before = int(control[NODES])
            size = self._slices.next()
            if size == 0 or before >= self._nodes or self._interrupted():
                if control[DISTANCE] >= 0:
                    self._keep_unfinished()
                return False
            answer = search_on(self._state.game.tables, work, self._keys, self._tactics, self._endgames, min(before + size, self._nodes))
            if answer == UNFIT:
                raise LudariumError(f"{_TURNS}; in {self._state.game.title} they act together")
            self._slices.did(int(control[NODES]) - before)
        best, score = self._best, self._score
        self._keep_root()
        self._depth = depth
        fall = min(max(score - self._score, 0) / ALARM, 1.0)
        self._unrest = (self._unrest + (best != self._best) + fall) / 2
        return True

    def is_worth_no_more_than(self, seconds: float) -> bool:
        """Whether that is enough time by what the latest depths have found."""
        return self._slices.seconds >= seconds * (CALM + self._unrest)

    def _keep_unfinished(self) -> None:
        """Take what an iteration was stopped with: the best of the actions that it finished, or, where all of these lose, the next one."""
        work = self._work
        if work.frames[0, BEST_ACTION] < 0 or work.frames[0, BEST] > LOST:
            self._keep_root()
            return
        inside = work.control[DISTANCE] > 0  # then the action at the cursor's left is not finished
        self._best = int(work.actions[0, work.frames[0, CURSOR] - inside])
        self._line = ()

    def _keep_root(self) -> None:
        """Take the root's best action, which is missing when an iteration was stopped before the first one was searched."""
        best = int(self._work.frames[0, BEST_ACTION])
        if best >= 0:
            self._best = best
            self._score = int(self._work.frames[0, BEST])
            self._line = tuple(self._work.line[0, : self._work.line_length[0]].tolist())

    @property
    def is_solved(self) -> bool:
        """Whether a win or loss within the searched depth is known, or how the game ends: looking deeper finds no other winner."""
        return abs(self._score) >= WIN - (self._depth if self._work.control[ENDING] == UNKNOWN else LONGEST)

    def result(self) -> SearchResult:
        state = self._state
        if self._best < 0:  # stopped within the first action
            self._best = int(self._work.actions[0, 0])
        line: list[Action] = []
        for index in self._line or (self._best,):
            line.append(state.action(index))
            state = state.play(index)
        return SearchResult(line[0], self._score, self._depth, int(self._work.control[NODES]), self._slices.seconds, tuple(line))
