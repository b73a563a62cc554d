"""Many games of one kind, stepped together over all cores: what the environments of every library stand on."""

from __future__ import annotations

import functools
import math
import random
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludarium.core.cores import usable_cores
from ludarium.core.game import Action, Game, State
from ludarium.core.random import generator_from
from ludarium.core.registry import game_module
from ludarium.errors import BadOption, IllegalAction
from ludarium.players import Player, parse_player
from ludarium.search.checks import check_whole
from ludarium.search.one_ply import SAMPLES, check_one_ply_plays

from .kernel import (
    ALL,
    ASKED,
    ASKING,
    BEGUN,
    DRAWN,
    GREEDY,
    OVER,
    RANDOM,
    Games,
    Scratch,
    begin_games,
    choose,
    find_legal,
    leave_games,
    play_on,
)

COMPILED = {"random": RANDOM, "greedy": GREEDY}
"""Opponents that compiled code plays, by their specs. Others are asked one after the other, in Python."""

TOGETHER = 64
"""Games that are worth a thread of their own."""


class Batch:
    """``count`` games that stand where a player from outside is to choose, or are over.

    Everything that is to be read is an array with a row for each game, and changes with the next call, which builds upon it: write into copies only.

    - ``observations`` (``float32[n, ...]`` of the game's ``observation_shape``): what the player sees who is to choose;
    - ``players`` (``int64[n]``): who that is; of a game that is over, the seat from outside;
    - ``counts`` (``int32[n, slots]``) and ``legal`` (``int32[n, slots, max_actions]``): how many legal actions there are, and which, in their order;
    - ``bits`` (``uint8[n, slots, ceil(action_space / 8)]``): the same, a bit for each action, the lowest of a byte first;
    - ``over`` (``bool[n]``) and ``returns`` (``float64[n, players]``).

    A batch can be pickled and deeply copied at any time; the copy continues exactly as the original does.
    """

    def __init__(
        self, game: Game, count: int, *, opponent: str | None = None, seat: int | None = None, seed: int = 0, workers: int | None = None
    ) -> None:
        """Set up the games and begin all of them.

        Args:
            opponent: the spec of whoever has the other seats, such as ``random``, ``greedy`` or ``alphabeta:nodes=1000``; None: all seats are from outside,
                and players who act together choose one after the other, without seeing what the others chose.
            seat: whose choices come from outside, where there is an opponent; None: drawn for each game.
            seed: of chance, of seats and of opponents, from 0.
            workers: threads, from 1; None: as many as cores, if there are games enough.

        Raises:
            BadOption: a number out of its bounds, no such player, or one that cannot play this game.
        """
        check_whole("environments: the number of games", count, 1)
        if workers is not None:
            check_whole("environments: workers", workers, 1)
        self.game = game
        self._seat = ALL if opponent is None else DRAWN if seat is None else _checked_seat(game, seat)
        if opponent is None and seat is not None:
            raise BadOption("environments: a seat is for those with an opponent; without one, all seats are played from outside")
        self._spec = None if opponent is None else parse_player(_checked_spec(opponent), game, conditions=None)
        if self._spec is not None and self._spec.is_human:
            raise BadOption(f"environments: '{opponent}' is a person, and only players of this program are opponents here")
        kind = RANDOM if opponent is None else _chooser(opponent, game)
        if kind == GREEDY:
            check_one_ply_plays(game)
        self._kinds = np.full(game.players, kind, np.int64)
        self._greedy = True if kind == GREEDY else None
        self._hidden = game.secrets is not None
        draws = self._hidden or game.dimensions.max_outcomes > 0 or game.independent
        self._samples = SAMPLES if draws else 1
        self._players: dict[tuple[int, int], Player] = {}
        workers = min(len(usable_cores()) if workers is None else workers, max(count // TOGETHER, 1))
        edges: list[int] = np.linspace(0, count, workers + 1).astype(int).tolist()
        self._parts = [(edges[at], edges[at + 1], _scratch(game)) for at in range(workers)]
        self._pool = _pool(workers)
        self._games = _games(game, count)
        self._all = np.ones(count, np.bool_)
        self.observations: NDArray[np.float32] = self._games.observations
        self.players: NDArray[np.int64] = self._games.movers
        self.counts: NDArray[np.int32] = self._games.counts
        self.legal: NDArray[np.int32] = self._games.legal
        self.bits: NDArray[np.uint8] = self._games.bits
        self.returns: NDArray[np.float64] = self._games.returns
        self.seed(seed)
        self.begin()

    def __len__(self) -> int:
        return len(self._games.states)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_pool"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._pool = _pool(len(self._parts))

    @property
    def over(self) -> NDArray[np.bool_]:
        return self._games.status == OVER

    def seed(self, seed: int | Sequence[int | None]) -> None:
        """Seed the games: all from one number, or each from its own (None: it goes on as it does).

        Raises:
            BadOption: a seed is no whole number from 0, or there are not as many as games.
        """
        one = isinstance(seed, int | np.integer)
        if not one and len(seed) != len(self):
            raise BadOption(f"environments: {len(self)} games take one seed or {len(self)} of them, not {len(seed)}")
        for at in range(len(self)):
            if one or seed[at] is not None:
                self._games.generators[at] = generator_from(int(seed), at) if one else generator_from(int(seed[at] or 0))
        self._random = random.Random(int(seed) if one else repr(list(seed)))

    def begin(self, which: NDArray[np.bool_] | None = None) -> None:
        """Begin the games that ``which`` (``bool[n]``) names anew; without it, all. Chance and opponents go first where it is their turn.

        Raises:
            BadOption: ``which`` is something else.
        """
        which = self._named(which)
        for at, player in [key for key in self._players if which[key[0]]]:
            self._players.pop((at, player)).close()
        begin_games(self.game.tables, self._games, self._seat, which, 0, len(self))
        self._play_on(which)

    def step(self, actions: NDArray[np.integer[Any]], which: NDArray[np.bool_] | None = None, *, ranks: bool = False) -> None:
        """Play what the players from outside have chosen, and on until they are to choose again, or the game is over.

        Args:
            actions: ``[n]`` or ``[n, slots]``: indices of actions.
            which: ``bool[n]``: in which games; without it, in all.
            ranks: actions are places in the lists of legal actions instead.

        Raises:
            IllegalAction: one of them is not legal, or a game is over. Then nothing has changed.
            BadOption: ``actions`` or ``which`` have another shape, or other elements.
        """
        which = self._named(which)
        wrong = which & ~self.are_legal(actions, ranks=ranks)
        if wrong.any():
            at = int(wrong.argmax())
            raise IllegalAction(self._why_illegal(at, self._orders(actions)[at]))
        self.play(actions, which, ranks=ranks)

    def play(self, actions: NDArray[np.integer[Any]], which: NDArray[np.bool_], *, ranks: bool = False) -> None:
        """As :meth:`step`, of actions that :meth:`are_legal` has found legal."""
        self._choose(self._orders(actions), ranks, which)
        self._play_on(which)

    def leave(self, at: int, player: int) -> None:
        """Change the position of a game by a player's leaving. Players who act together choose again, if it has become another one."""
        before = self.state(at)
        after = before.without(player)
        if after != before:
            which = np.zeros(len(self), np.bool_)
            which[at] = True
            self._games.chosen[at] = 0
            leave_games(self.game.tables, self._games, which, after.copy_records())
            self._play_on(which)

    def are_legal(self, actions: NDArray[np.integer[Any]], *, ranks: bool = False) -> NDArray[np.bool_]:
        """Whether each action (as for :meth:`step`) is legal; none is where the game is over."""
        legal = np.empty(len(self), np.bool_)
        find_legal(self._games.status, self.counts, self.bits, self._orders(actions), ranks, legal)
        return legal

    def _named(self, which: NDArray[np.bool_] | None) -> NDArray[np.bool_]:
        found = self._all if which is None else np.ascontiguousarray(which)
        if found.shape != self._all.shape or found.dtype != np.bool_:
            raise BadOption(
                f"environments: which of {len(self)} games are meant is an array of as many truth values, not of {found.dtype} of the shape {found.shape}"
            )
        return found

    def _orders(self, actions: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
        shape = (len(self), self.game.dimensions.slots)
        given = np.asarray(actions)
        if given.dtype.kind not in "iu":
            raise BadOption(f"environments: actions are whole numbers, not {given.dtype}: {given.reshape(-1)[:1]}")
        found = np.ascontiguousarray(given, np.int64)
        if found.size != shape[0] * shape[1]:
            raise BadOption(
                f"environments: actions of the shape {found.shape} are not those of {shape[0]} games with {shape[1]} orders each"
            )
        return found.reshape(shape)

    def state(self, at: int) -> State:
        """A copy of one game's position."""
        return State(self.game, self._games.states[at : at + 1].copy())

    def masks(self) -> NDArray[np.bool_]:
        """``bool[n, slots, action_space]``: the bits, unpacked."""
        space = self.game.dimensions.action_space
        return np.unpackbits(self.bits, axis=-1, count=space, bitorder="little").view(np.bool_)

    def close(self) -> None:
        for player in self._players.values():
            player.close()
        self._players.clear()
        if self._pool is not None:
            self._pool.shutdown()

    def _play_on(self, which: NDArray[np.bool_]) -> None:
        while True:
            if self._pool is None:
                self._play_part(which, self._parts[0])
            else:
                list(self._pool.map(functools.partial(self._play_part, which), self._parts))
            asking = np.flatnonzero(which & (self._games.status == ASKING))
            if not len(asking):
                return
            which = np.zeros(len(self), np.bool_)
            which[asking] = True
            chosen = np.zeros((len(self), self.game.dimensions.slots), np.int64)
            for at in asking.tolist():
                chosen[at] = self._ask(at).index
            self._choose(chosen, False, which)

    def _choose(self, actions: NDArray[np.int64], ranks: bool, which: NDArray[np.bool_]) -> None:
        choose(self.players, self.legal, self._games.joint, self._games.chosen, actions, ranks, which)

    def _play_part(self, which: NDArray[np.bool_], part: tuple[int, int, Scratch]) -> None:
        first, last, scratch = part
        play_on(self.game.tables, self._games, scratch, self._kinds, self._greedy, self._hidden, self._samples, which, first, last)

    def _ask(self, at: int) -> Action:
        player = int(self._games.movers[at])
        state = self.state(at)
        if (at, player) not in self._players:
            assert self._spec is not None
            found = self._players[at, player] = self._spec.make(self.game, self._random.getrandbits(32))
            found.prepare(state, player)
        return self._players[at, player].choose(state if self.game.secrets is None else state.seen_by(player), player)

    def _why_illegal(self, at: int, action: NDArray[np.int64]) -> str:
        if self._games.status[at] == OVER:
            return f"game {at} is over; begin it anew"
        named, counts = " ".join(map(str, action.tolist())), " and ".join(map(str, self.counts[at].tolist()))
        name = self.game.player_names[int(self._games.movers[at])]
        return f"game {at}: action {named} is not legal for {name}, who has {counts} legal actions"


def _checked_spec(opponent: object) -> str:
    if not isinstance(opponent, str):
        raise BadOption(f"environments: an opponent is a player as on the command line, such as 'random', or None; not {opponent!r}")
    return opponent


def _chooser(opponent: str, game: Game) -> int:
    """Return how the opponent's seats are played. A game's own player of that name, such as RoboDerby's greedy, is asked in Python."""
    own = getattr(game_module(game.id, "players"), "KINDS", ())
    return ASKED if any(kind.name == opponent for kind in own) else COMPILED.get(opponent, ASKED)


def _checked_seat(game: Game, seat: object) -> int:
    check_whole("environments: seat", seat, 0)
    assert isinstance(seat, int)
    if seat >= game.players:
        raise BadOption(f"environments: there is no seat {seat}; those of {game.title} are 0 to {game.players - 1}")
    return seat


def _pool(workers: int) -> ThreadPoolExecutor | None:
    return ThreadPoolExecutor(workers) if workers > 1 else None


def _scratch(game: Game) -> Scratch:
    size = game.dimensions
    return Scratch(
        states=np.zeros(3, game.dtype),
        joint=np.zeros((game.players, size.slots), np.int64),
        actions=np.zeros(size.max_actions, np.int64),
        others=np.zeros(size.max_actions, np.int64),
        values=np.zeros(game.players),
        scores=np.zeros(size.max_actions),
    )


def _games(game: Game, count: int) -> Games:
    size = game.dimensions
    return Games(
        states=np.zeros(count, game.dtype),
        first=game.start().copy_records(),
        generators=np.zeros((count, 1), np.uint64),
        seats=np.zeros(count, np.int64),
        movers=np.zeros(count, np.int64),
        status=np.full(count, BEGUN, np.int8),
        joint=np.zeros((count, game.players, size.slots), np.int64),
        chosen=np.zeros(count, np.int64),
        legal=np.zeros((count, size.slots, size.max_actions), np.int32),
        counts=np.zeros((count, size.slots), np.int32),
        bits=np.zeros((count, size.slots, math.ceil(size.action_space / 8)), np.uint8),
        observations=np.zeros((count, *size.observation_shape), np.float32),
        returns=np.zeros((count, game.players)),
    )
