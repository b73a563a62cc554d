"""What a training run is, as a file in TOML says it."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, get_args

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic import Field as Key

from ludarium.arena.openings import Openings
from ludarium.core.game import Game, State
from ludarium.core.registry import game as game_of
from ludarium.core.rules import outcomes
from ludarium.core.user_text import read_user_text
from ludarium.errors import BadOption, LudariumError, one_of, store_errors
from ludarium.search.gumbel import CONSIDERED, check_gumbel_plays

STRICT = ConfigDict(extra="forbid", strict=True, frozen=True)

Count = Annotated[int, Key(ge=1, le=1_000_000_000)]
Positive = Annotated[float, Key(gt=0)]


class NetworkSettings(BaseModel):
    """The table ``[network]``."""

    model_config = STRICT

    channels: Annotated[int, Key(ge=4, le=1024)] = 32
    blocks: Annotated[int, Key(ge=1, le=100)] = 4
    actions_per_cell: Annotated[list[Count], Key(max_length=16)] = []
    """Where a game is played on cells and its actions come in blocks of so many for every cell, cell by cell; empty: they are no matter of cells."""
    connected: Annotated[list[Annotated[int, Key(ge=0)]], Key(max_length=16)] = []
    """Planes of the observations whose cells, where they hang together, are one thing to the network, as are those that are in none of them."""


class SelfPlaySettings(BaseModel):
    """The table ``[self_play]``."""

    model_config = STRICT

    games: Count = 2_000
    """Of a generation."""
    at_once: Annotated[int, Key(ge=1, le=100_000)] = 256
    """Of one thread, whose positions are evaluated together."""
    simulations: Annotated[int, Key(ge=1, le=100_000)] = 32
    considered: Annotated[int, Key(ge=2, le=10_000)] = CONSIDERED
    noisy_plies: Annotated[int, Key(ge=0, le=100_000)] = 30
    """So many plies of each game are played with noise; then the search plays what it thinks best."""


class TeacherSettings(BaseModel):
    """The table ``[teacher]``: games at random, of which the rules tell how each action ends, instead of games against itself."""

    model_config = STRICT

    games: Count = 10_000
    """Of a generation."""
    plies: Annotated[int, Key(ge=1, le=100_000)] = 1_000
    """Of each game, that are looked at."""
    same: Annotated[float, Key(ge=0, le=1)] = 0.25
    """The share of positions that is kept of those in which it does not matter what is played."""


class LearningSettings(BaseModel):
    """The table ``[learning]``."""

    model_config = STRICT

    window: Count = 300_000
    """The latest positions, from which is learned."""
    batch: Annotated[int, Key(ge=2, le=1_000_000)] = 512
    passes: Positive = 2.0
    """How often each position of a generation is learned from in that generation; later ones take it up again."""
    rate: Positive = 2e-3
    """Of learning, at the beginning; at the end it is a tenth of that."""
    weight_decay: Annotated[float, Key(ge=0)] = 1e-4
    average: Annotated[float, Key(ge=0, lt=1)] = 0.0
    """The network that is judged is an exponential mean of the one that learns, of which each step keeps so much."""


class GateSettings(BaseModel):
    """The table ``[gate]``: the match that a network has to pass before it plays the next games."""

    model_config = STRICT

    games: Annotated[int, Key(ge=2, le=1_000_000)] = 200
    simulations: Annotated[int, Key(ge=0, le=100_000)] = 8
    score: Annotated[float, Key(ge=0, le=1)] = 0.5
    """At least so much, a draw counting half."""


class _File(BaseModel):
    """The whole file."""

    model_config = STRICT

    options: dict[str, Any] = {}
    generations: Count = 20
    seed: Annotated[int, Key(ge=0, lt=2**63)] = 1
    openings: str | None = None
    initial: str | None = None
    random_plies: Annotated[int, Key(ge=0, le=1000)] = 0
    max_plies: Annotated[int, Key(ge=1, le=100_000)] = 1_000
    network: NetworkSettings = NetworkSettings()
    self_play: SelfPlaySettings = SelfPlaySettings()
    teacher: TeacherSettings | None = None
    learning: LearningSettings = LearningSettings()
    gate: GateSettings = GateSettings()


@dataclass(frozen=True)
class Settings:
    """A training run that can be held."""

    text: str
    """Of the file."""
    openings_text: str
    """Of the file of openings."""
    game: Game
    generations: int
    seed: int
    openings: Openings
    """From which games begin, after 0 to ``random_plies`` random plies."""
    initial: bytes | None
    """A checkpoint of another run, from whose best network this one goes on."""
    max_plies: int
    """After which a game counts as its evaluation says; a draw, where it has none."""
    network: NetworkSettings
    self_play: SelfPlaySettings
    teacher: TeacherSettings | None
    """Who is learned from instead of games against itself."""
    learning: LearningSettings
    gate: GateSettings

    def opening(self, seed: int, number: int) -> State:
        """How the game of a number begins."""
        openings = replace(self.openings, random_plies=number % (self.openings.random_plies + 1))
        return openings.start(self.game, number, seed + number)


def read_settings(game_id: str, path: Path) -> Settings:
    """Read and check a file.

    Raises:
        BadOption: what stands there does not go together; the message names the key.
        StoreError: it, or its file of openings, cannot be read.
    """
    try:
        with store_errors(f"{path} cannot be read"):
            text = read_user_text(path, BadOption)
        file = _File.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as problem:
        raise BadOption(f"{path} is no TOML: {problem}") from None
    except ValidationError as problem:
        raise BadOption(f"{path}: {_told(problem)}") from None
    try:
        game = game_of(game_id, **file.options)
        check_gumbel_plays(game)
        initial = None
        if file.initial is not None:
            with store_errors(f"{path}: initial={file.initial} cannot be read"):
                initial = (path.parent / file.initial).read_bytes()
        positions, openings = "", Openings(random_plies=file.random_plies)
        if file.openings is not None:
            with store_errors(f"{path}: openings={file.openings} cannot be read"):
                positions = read_user_text(path.parent / file.openings)
            openings = Openings.read(game, positions, file.random_plies)
        for position in openings.positions:
            if position.game.dimensions != game.dimensions:
                raise BadOption(f"openings: {position.text} is on another board than the options say")
        _check_cells(game, file.network)
        if file.teacher is not None and not outcomes.implemented_for(game.tables):
            raise BadOption(f"teacher: the rules of {game.title} do not tell how its actions end")
    except LudariumError as problem:
        raise BadOption(f"{path}: {problem}") from None
    return Settings(
        text,
        positions,
        game,
        file.generations,
        file.seed,
        openings,
        initial,
        file.max_plies,
        file.network,
        file.self_play,
        file.teacher,
        file.learning,
        file.gate,
    )


def _told(problem: ValidationError) -> str:
    """The first thing that is wrong with a file."""
    first = problem.errors()[0]
    *tables, key = map(str, first["loc"])
    if first["type"] != "extra_forbidden":
        return f"{'.'.join([*tables, key])}: {first['msg']}, not {first['input']!r:.80}"
    table: Any = _File
    for name in tables:
        annotation = table.model_fields[name].annotation
        table = (*get_args(annotation), annotation)[0]  # of a table that may be left out, the table
    return f"{'.'.join(tables)}{': ' if tables else ''}key {one_of(key[:80], list(table.model_fields))}"


def _check_cells(game: Game, network: NetworkSettings) -> None:
    shape, space, blocks = game.dimensions.observation_shape, game.dimensions.action_space, network.actions_per_cell
    if not blocks:
        if network.connected:
            raise BadOption("network.connected: only a network with actions_per_cell knows cells")
        return
    if len(shape) != 3:
        raise BadOption(f"network.actions_per_cell: observations of {game.title} have the shape {shape}, which is no planes of cells")
    cells = shape[1] * shape[2]
    if sum(blocks) * cells != space:
        raise BadOption(f"network.actions_per_cell={blocks} on {cells} cells makes {sum(blocks) * cells} actions; {game.title} has {space}")
    if any(plane >= shape[0] for plane in network.connected):
        raise BadOption(f"network.connected={network.connected}: {game.title} has planes 0 to {shape[0] - 1}")
