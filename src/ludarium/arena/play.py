"""One game between programs."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, cast

import numpy as np

from ludarium.core.course import Step
from ludarium.core.game import Action, Game, State
from ludarium.core.random import generator_from
from ludarium.core.record import Header, Recorder
from ludarium.core.rules import CHANCE
from ludarium.core.running_time import running_time
from ludarium.core.sight import Sight
from ludarium.core.timeline import Event, Timeline
from ludarium.errors import BadOption, LudariumError, PlayerCrashed, PlayerFailed, PlayerIllegal
from ludarium.players import Player, PlayerSpec, never, parse_player
from ludarium.players.programs import USUAL, Allowance, Conditions

from .clocks import Clocks
from .terms import FREE, Terms

CHANCE_STREAM = 0


def random_seed() -> int:
    """A seed for those who name none; small enough to type."""
    return secrets.randbelow(2**32)


def checked_seed(seed: int) -> int:
    """The seed itself.

    Raises:
        BadOption: it is negative, or no whole number.
    """
    if isinstance(seed, bool) or not isinstance(cast(object, seed), int | np.integer) or seed < 0:
        raise BadOption(f"seed={seed!r} is not a whole number of at least 0")
    return seed


def player_seed(seed: int, seat: int) -> int:
    """The seed of whoever sits at a seat, in the game of a seed."""
    return int(generator_from(seed, CHANCE_STREAM + 1 + seat)[0])


def wrong_number_of_players(game: Game, count: int) -> BadOption:
    """What to say to so many players; if an option of the game lets them play, with it."""
    said = f"{game.id} is played by {game.players} players ({', '.join(game.player_names)}), not by {count}"
    for option in game.option_list:
        if option.name == "players" and (option.minimum or 0) <= count <= (option.maximum or 0):
            said += f"; with the option players={count} it is"
    return BadOption(said)


def program(player: str | PlayerSpec, game: Game, conditions: Conditions | None = USUAL) -> PlayerSpec:
    """The checked spec of a program.

    Raises:
        BadNotation, BadOption: no such player or option, or a person.
    """
    spec = parse_player(player, game, conditions=conditions) if isinstance(player, str) else player
    if spec.is_human:
        raise BadOption(f"'{spec.text}' is a person, and only programs play here; 'ludarium play' is for people")
    return spec


def header_of(game: Game, specs: Sequence[PlayerSpec], seed: int, dice_seed: int | None) -> Header:
    """Return the header of a record, with the program of each player whose spec names a symbolic link.

    Raises:
        BadOption: a file that an option of the game names cannot be read.
    """
    return Header.of(game, [spec.text for spec in specs], seed, dice_seed, [spec.target for spec in specs])


def seat_players(game: Game, players: Sequence[str | PlayerSpec], conditions: Conditions | None = USUAL) -> tuple[PlayerSpec, ...]:
    """The checked specs of programs, one a seat; only of built-in players where there are no conditions for others.

    Raises:
        BadNotation, BadOption: not as many as the game has seats, no such player or option, or a person.
    """
    if len(players) != game.players:
        raise wrong_number_of_players(game, len(players))
    return tuple(program(player, game, conditions) for player in players)


def ask(
    player: Player, state: State, seat: int, interrupted: Callable[[], bool] = never, clocks: Clocks | None = None
) -> tuple[Action, float]:
    """A program's choice, checked, and the seconds that it took. The program is shown only what its seat may know.

    Raises:
        PlayerCrashed: it raised an exception or tried to end the process.
        PlayerTimeout: it took more time than its clock had.
        PlayerIllegal: what it answered is not legal.
    """
    seen = state.seen_by(seat)
    now = player.cpu_seconds if clocks is not None and clocks.by_cpu else running_time
    try:
        player.prepare(seen, seat, clocks and clocks.time_left(seat))
        started = now()
        if clocks is not None and not player.sees_clock:
            interrupted = _either(interrupted, running_time() + clocks.share(seat))
        answer = player.choose(seen, seat, interrupted)
        seconds = now() - started
    except PlayerFailed:
        raise
    except (Exception, SystemExit) as problem:
        raise PlayerCrashed(f"crash: {_in_one_line(problem)}") from problem
    if clocks is not None:
        clocks.charge(seat, seconds)
    try:
        return state.action(answer, seat), seconds
    except LudariumError as problem:
        raise PlayerIllegal(f"illegal action: {_in_one_line(problem)}") from None
    except Exception:  # noqa: BLE001  an answer is whatever a program made: asking it anything may raise anything
        raise PlayerIllegal(f"illegal action: an object of type {type(answer).__name__} is no action") from None


def _either(interrupted: Callable[[], bool], until: float) -> Callable[[], bool]:
    return lambda: interrupted() or running_time() >= until


def play_game(
    game: Game,
    players: Sequence[str | PlayerSpec],
    *,
    start: State | None = None,
    opening: Sequence[Step] = (),
    seed: int | None = None,
    dice_seed: int | None = None,
    record: Path | None = None,
    log: Path | None = None,
    terms: Terms = FREE,
    listeners: Iterable[Callable[[Event], None]] = (),
    on_begin: Callable[[Timeline], None] | None = None,
    on_end: Callable[[Timeline], None] | None = None,
    interrupted: Callable[[], bool] = never,
) -> Timeline:
    """Play a game between programs to its end. A program that raises or answers with an illegal action forfeits it; with three or more, the others play on.

    Args:
        players: one spec a seat, such as ``"alphabeta:level=2"``.
        start: a state to start from, else the initial one.
        opening: the steps that led there, for programs that have to know them.
        seed: a whole number from 0 that dice and players draw from; the same number, the same game.
        dice_seed: what dice draw from instead: two games with the same one have the same dice as long as they have the same course.
        record: a file to write the game to as it goes.
        log: where programs' standard errors are kept: ``game-0.log`` for ``game.jsonl`` and seat 0. By default beside the record.
        terms: the players' clocks, by seat, what programs may take, and when the game is called a draw.
        listeners: each is called with every event.
        on_begin: called with the timeline before anything is played.
        on_end: called with the timeline after the last action, before programs are told the result.
        interrupted: asked before every action and, by the players, while they think; once it is true the game stays unfinished, with
            None for its ``outcome``.

    Raises:
        BadNotation, BadOption: a wrong player, a person, or a wrong number of players; terms that the game does not have.
        StoreError: the record cannot be created, or the disk did not take all of the game, which has been played to its end then.
    """
    specs = seat_players(game, players, terms.programs)
    terms.check(game)
    seed = random_seed() if seed is None else checked_seed(seed)
    clocks = terms.clocks(specs)
    timeline = Timeline(start or game.start(), opening)
    if on_begin is not None:
        on_begin(timeline)
    dice = generator_from(seed if dice_seed is None else checked_seed(dice_seed), CHANCE_STREAM) if game.dimensions.max_outcomes else None
    with ExitStack() as open_things:
        if record is not None:
            timeline.listen(open_things.enter_context(Recorder(record, header_of(game, specs, seed, dice_seed))).write)
        for listener in listeners:
            timeline.listen(listener)
        seated = _seat_players(timeline, specs, seed, log or record, open_things)
        _end_at_forfeit(timeline, terms)
        timeline.has_begun = all(player is not None for player in seated)
        while not timeline.is_over and not interrupted():
            if terms.max_plies is not None and timeline.ply >= terms.max_plies:
                timeline.draw(f"a draw after {terms.max_plies} plies")
            else:
                _take_turn(timeline, seated, dice, clocks, interrupted)
                _weigh(timeline, seated, terms.programs.allowance)
                _end_at_forfeit(timeline, terms)
        if on_end is not None:
            on_end(timeline)
    return timeline


def seat_player(timeline: Timeline, spec: PlayerSpec, seat: int, seed: int, log: Path | None = None) -> Player:
    """Return a player that knows of the game that begins.

    Raises:
        PlayerFailed: it does not start, or it raised an exception.
    """
    with ExitStack() as started:
        try:
            player = spec.make(timeline.game, player_seed(seed, seat))
            started.callback(player.close)
            player.sit(Sight(timeline, seat), log and log.with_name(f"{log.stem}-{seat}.log"))
        except PlayerFailed:
            raise
        except (Exception, SystemExit) as problem:  # as in ask: a player may be of any package
            raise PlayerCrashed(f"crash: {_in_one_line(problem)}") from problem
        started.pop_all()
    return player


Seated = Sequence[Player | None]
"""The players by seat; None for one that did not start."""


def _seat_players(timeline: Timeline, specs: Sequence[PlayerSpec], seed: int, log: Path | None, open_things: ExitStack) -> Seated:
    seated: list[Player | None] = [None] * len(specs)
    problems: dict[int, str] = {}
    for seat, spec in enumerate(specs) if not timeline.is_over else ():
        try:
            player = seated[seat] = seat_player(timeline, spec, seat, seed, log)
        except PlayerFailed as problem:
            problems[seat] = str(problem)
            if len(specs) < 3:
                break
        else:
            open_things.callback(player.close)
    _forfeit(timeline, problems)
    return seated


def _forfeit(timeline: Timeline, problems: Mapping[int, str]) -> None:
    """Let players forfeit at the same time; of two, the first one loses."""
    if timeline.game.players > 2 and problems:
        timeline.leave(problems)
    elif problems:
        timeline.forfeit(*next(iter(problems.items())))


def _end_at_forfeit(timeline: Timeline, terms: Terms) -> None:
    """End a game that a player has left, if the terms say so: those who stay share the first place."""
    if terms.on_forfeit == "end" and timeline.out and not timeline.is_over:
        gone = " and ".join(timeline.game.player_names[seat] for seat in sorted(timeline.out))
        timeline.draw(f"ended when {gone} forfeited")


def _take_turn(
    timeline: Timeline,
    seated: Seated,
    dice: np.ndarray[Any, Any] | None,
    clocks: Clocks | None,
    interrupted: Callable[[], bool],
) -> None:
    state = timeline.state
    if state.to_move == (CHANCE,):
        assert dice is not None
        timeline.act({CHANCE: state.sample_chance(dice)})
        return
    chosen: dict[int, Action] = {}
    seconds: dict[int, float] = {}
    problems: dict[int, str] = {}
    for seat in timeline.to_move:
        player = seated[seat]
        assert player is not None  # or it has left
        try:
            chosen[seat], seconds[seat] = ask(player, state, seat, interrupted, clocks)
        except PlayerFailed as problem:
            problems[seat] = str(problem)
            if timeline.game.players < 3:
                break
    if problems:
        _forfeit(timeline, problems)
        # Where a player's leaving changes the state, the others choose again; else their choices count.
        if timeline.is_over or timeline.state != state:
            return
    if chosen and not interrupted():  # an interrupted thought is no choice: the game would not repeat
        timeline.act(chosen, seconds)


def _weigh(timeline: Timeline, seated: Seated, allowance: Allowance) -> None:
    """Let the player forfeit that has too much memory."""
    grown = [0.0 if player is None or seat in timeline.out else player.grown for seat, player in enumerate(seated)]
    largest = None if timeline.is_over else allowance.too_large(grown)
    if largest is not None and allowance.megabytes is not None:
        others = sum(grown) - grown[largest]
        allowed = f"{allowance.megabytes * len(grown):g} are allowed for all players"
        timeline.forfeit(largest, f"too much: {grown[largest]:.1f} MB of virtual memory, {others:.1f} MB of the others; {allowed}")


def _in_one_line(problem: BaseException) -> str:
    text = " ".join(f"{type(problem).__name__}: {problem}".split()) if not isinstance(problem, LudariumError) else str(problem)
    return text[:200]
