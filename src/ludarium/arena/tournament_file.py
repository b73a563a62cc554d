"""What a tournament is, as a file in TOML says it."""

from __future__ import annotations

import tomllib
from collections import Counter
from dataclasses import dataclass
from functools import partial
from math import comb
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError
from pydantic import Field as Key

from ludarium.core.game import Game
from ludarium.core.registry import game as game_of
from ludarium.core.user_text import read_user_text
from ludarium.errors import BadNotation, BadOption, LudariumError, one_of, store_errors
from ludarium.players import official_terms
from ludarium.players.programs import UNLIMITED, Choice, Conditions

from .clocks import TimeControl
from .games import MOST_OPTION_SETS
from .openings import Openings
from .play import program
from .schedules import Field, Schedule, gauntlet, knockout, round_robin, swiss
from .terms import OnForfeit, Terms

STRICT = ConfigDict(extra="forbid", strict=True)

OptionSets = Annotated[
    list[dict[str, Any]],
    BeforeValidator(lambda given: [given] if isinstance(given, dict) else given),
    Key(min_length=1, max_length=MOST_OPTION_SETS),
]

Time = Annotated[str | None, Key(examples=["60", "60+0.5", "2/action"])]


class _Programs(BaseModel):
    """The table ``[programs]``."""

    model_config = STRICT

    memory: Annotated[int, Key(ge=16, le=1_000_000)] = Conditions.memory
    ponder: bool = Conditions.ponder
    sandbox: Choice = Conditions.sandbox


class _Player(BaseModel):
    """A table ``[[players]]``."""

    model_config = STRICT

    name: Annotated[str, Key(min_length=1, max_length=60)]
    spec: str
    time: Time = None


class _File(BaseModel):
    """The whole file."""

    model_config = STRICT

    game: str
    players: Annotated[list[_Player], Key(min_length=2)]
    options: OptionSets = [{}]
    format: Literal["round-robin", "swiss", "gauntlet", "knockout"] = "round-robin"
    rounds: Annotated[int, Key(ge=1)] | None = None
    games: Annotated[int, Key(ge=1, le=1_000_000)] | None = None
    seed: Annotated[int, Key(ge=0, lt=2**64)] = 1
    time: Time = None
    cpu_time: bool = False
    official: bool = False
    openings: str | None = None
    random_plies: Annotated[int, Key(ge=0, le=1000)] = 0
    max_plies: Annotated[int, Key(ge=1, le=1_000_000)] | None = None
    pin: bool = False
    on_forfeit: OnForfeit | None = None
    programs: _Programs = _Programs()


@dataclass(frozen=True)
class Tournament:
    """A tournament that can be held."""

    name: str
    folder: Path
    """Where its results and records are kept: beside the file, without its ending."""
    text: str
    """Of the file."""
    option_sets: tuple[Game, ...]
    """The game with each of its option sets, of which each game has one."""
    format: str
    rounds: int | None
    """Of a swiss tournament."""
    names: tuple[str, ...]
    specs: tuple[str, ...]
    schedule: Schedule
    field: Field
    seed: int
    openings: Openings
    terms: Terms
    pin: bool
    """Whether each game that is played has a core of its own."""

    @property
    def game(self) -> Game:
        """The game with the first option set."""
        return self.option_sets[0]

    @property
    def records(self) -> Path:
        """The folder of its games' records."""
        return self.folder / "games"

    @property
    def terms_of_games(self) -> Terms:
        """The terms of its games, in which programs do not see the records."""
        return self.terms.hiding(self.records)

    @property
    def games(self) -> int | None:
        """How many there are to be; None for a knockout, where level tables are played again."""
        players, seats, games = self.field.players, self.field.seats, self.field.games
        tables = {
            "round-robin": comb(players, seats),
            "gauntlet": comb(players - 1, seats - 1),
            "swiss": (self.rounds or 0) * (players // 2),
        }
        return tables[self.format] * games if self.format in tables else None


def read_tournament(path: Path) -> Tournament:
    """Check a tournament's file. What it names (programs, openings) is looked for from its folder on.

    Raises:
        StoreError: the file, or its openings, cannot be read.
        BadOption, BadNotation: what it says cannot be.
    """
    with store_errors(f"{path} cannot be read"):
        text = read_user_text(path, is_filled=True)
    try:
        return _tournament(_checked(text), path, text)
    except (BadOption, BadNotation) as problem:
        raise type(problem)(f"{path}: {problem}") from None


def _checked(text: str) -> _File:
    try:
        return _File.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as problem:
        raise BadNotation(f"this is no TOML: {problem}") from None
    except ValidationError as problem:
        errors = problem.errors(include_url=False, include_context=False)
        wrong = next((error for error in errors if error["type"] == "extra_forbidden"), errors[0])  # a key that is misspelt is missing too
        words: list[str] = []
        for one in wrong["loc"]:
            words.append(one if isinstance(one, str) else f"{words.pop().removesuffix('s')} {one + 1}")
        *tables, key = words
        where = "".join(f"{table}: " for table in tables)
        model = {"players": _Player, "programs": _Programs}.get(str(wrong["loc"][0]) if tables else "", _File)
        if wrong["type"] == "extra_forbidden":
            raise BadOption(f"{where}key {one_of(key, tuple(model.model_fields))}") from None
        examples = getattr(model.model_fields.get(key), "examples", None) or ()
        hint = "; write " + " or ".join(f'{key} = "{one}"' for one in examples) if examples else ""
        given = f", not {wrong['input']!r:.80}" if isinstance(wrong["input"], str | int | float) else ""
        raise BadOption(f"{where}'{key}': {wrong['msg']}{given}{hint}") from None


def _tournament(file: _File, path: Path, text: str) -> Tournament:
    allowance = UNLIMITED
    if file.official:
        if file.cpu_time or any(time is not None for time in (file.time, *(player.time for player in file.players))):
            raise BadOption("official = true says how much time players have; time and cpu_time stand beside nothing but themselves")
        official = official_terms(file.game)
        allowance = official.allowance
        options = [official.options_with(options) for options in file.options]
        officially = {"options": options, "time": f"{official.seconds:g}", "cpu_time": True}
        file = file.model_copy(update=officially)
    option_sets = _option_sets(file)
    game = option_sets[0]
    names = tuple(player.name for player in file.players)
    name, times = Counter(names).most_common(1)[0]
    if times > 1:
        raise BadOption(f"{times} players are called '{name}'")
    if unclear := [name for name in names if not name.isprintable()]:
        raise BadOption(f"player name '{unclear[0]}' has characters that cannot be printed")
    games = game.players * len(option_sets) if file.games is None else file.games
    if games % game.players:
        raise BadOption(f"games = {games} is not a multiple of {game.players}, so that everybody sits as often at each seat")
    conditions = Conditions(**file.programs.model_dump(), folder=path.resolve().parent, allowance=allowance)
    for player in file.players:
        try:
            for one in option_sets:
                program(player.spec, one, conditions)
        except LudariumError as problem:
            raise BadOption(f"player '{player.name}': {problem}") from None
    field = Field(len(names), game.players, games, len(option_sets))
    terms = Terms(_times(file), file.cpu_time, conditions, file.max_plies, file.on_forfeit)
    terms.check(game)
    schedule = _schedule(file)
    next(schedule(field, {}))  # refuses what cannot be
    return Tournament(
        path.stem,
        path.with_suffix(""),
        text,
        option_sets,
        file.format,
        file.rounds,
        names,
        tuple(player.spec for player in file.players),
        schedule,
        field,
        file.seed,
        _openings(file, game, path),
        terms,
        file.pin,
    )


def _option_sets(file: _File) -> tuple[Game, ...]:
    """Return the game with each option set. Sets that do not say how many play have the players of the smallest one.

    Raises:
        BadOption: an option that the game refuses; sets for different numbers of players; the same set twice; a file of positions for several sets.
    """
    if len(file.options) == 1:
        return (game_of(file.game, **file.options[0]),)
    if file.openings is not None:
        raise BadOption("openings are positions of one option set; give one set, or random_plies")
    fewest = min(_option_set(file, number).players for number in range(len(file.options)))
    found: list[Game] = []
    for number in range(len(file.options)):
        game = _option_set(file, number)
        if (
            game.players != fewest
            and "players" not in file.options[number]
            and any(option.name == "players" for option in game.option_list)
        ):
            game = _option_set(file, number, players=fewest)
        if game.players != fewest:
            raise BadOption(f"option set {number + 1} is for {game.players} players and another one for {fewest}; all need the same number")
        if game in found:
            raise BadOption(f"option sets {found.index(game) + 1} and {number + 1} are the same")
        found.append(game)
    return tuple(found)


def _option_set(file: _File, number: int, **more: Any) -> Game:
    try:
        return game_of(file.game, **file.options[number], **more)
    except BadOption as problem:
        raise BadOption(f"option set {number + 1}: {problem}") from None


def _schedule(file: _File) -> Schedule:
    if file.format == "swiss":
        if file.rounds is None:
            raise BadOption("a swiss tournament needs rounds = …; 5 tell who is first among 32 players")
        return partial(swiss, file.rounds)
    if file.rounds is not None:
        raise BadOption(f"rounds are for swiss tournaments; a {file.format} has as many as it needs")
    return {"round-robin": round_robin, "gauntlet": gauntlet, "knockout": knockout}[file.format]


def _times(file: _File) -> tuple[TimeControl, ...]:
    texts = [player.time or file.time for player in file.players]
    if all(text is None for text in texts):
        return ()
    if None in texts:
        raise BadOption("some players have a time and others not; give one for all, time = …, or one to each")
    return tuple(TimeControl.parse(text) for text in texts if text is not None)


def _openings(file: _File, game: Game, path: Path) -> Openings:
    if file.openings is None:
        return Openings(random_plies=file.random_plies)
    named = path.parent / file.openings
    with store_errors(f"openings {named} cannot be read"):
        return Openings.read(game, read_user_text(named), file.random_plies)
