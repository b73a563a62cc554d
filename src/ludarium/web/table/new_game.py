"""The wish for a new game, checked as a whole before anything is made."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, TypeAdapter

from ludarium.arena.clocks import TimeControl
from ludarium.arena.play import player_seed
from ludarium.core.game import State
from ludarium.core.registry import game_class, game_without_files
from ludarium.core.whole_numbers import as_whole
from ludarium.errors import BadOption, ProtocolError
from ludarium.players import Player, PlayerSpec

from .messages import checked
from .offers import NO_OFFERS, Offers
from .seat_clocks import LONGEST, SHORTEST
from .turns import LONGEST_THOUGHT

Lobby = Literal["private", "watched", "open"]
"""Who learns of a game in the lobby: nobody; whoever likes to watch; whoever likes to take a free seat, too."""


class Wish(BaseModel):
    """A new game. The rules for each key are in the protocol's documentation."""

    model_config = ConfigDict(strict=True, json_schema_extra={"additionalProperties": False})

    game: str = Field(description="a game's id")
    players: list[str] = Field(description="one entry a seat: 'human' or a player spec such as 'random'")
    options: dict[str, Any] | None = Field(None, description="the game's options")
    position: str | None = Field(None, description="a position in the game's one-line notation to start from")
    seed: Annotated[int, Field(ge=0, le=2**64 - 1), BeforeValidator(as_whole)] | None = Field(
        None, description="makes the bots' choices repeat"
    )
    clock: Annotated[float, Field(ge=SHORTEST, le=LONGEST)] | str | None = Field(
        None, description="a time control such as '5m+3s' (for the game, and for every action) or '3d/action', or the seconds of a turn"
    )
    host: Annotated[int, Field(ge=0), BeforeValidator(as_whole)] | None = Field(
        None, description="the seat of the person who hosts the table"
    )
    lobby: Lobby | None = Field(None, description="who learns of the game in the lobby")


_WISH = TypeAdapter(Wish)


@dataclass(frozen=True)
class NewGame:
    start: State
    specs: tuple[PlayerSpec, ...]
    seed: int
    players: dict[int, Player]
    """The bots, by seat."""
    time_control: TimeControl | None
    """None: everybody has as long as they like."""
    lobby: Lobby
    is_usual: bool
    """Whether nobody chose where it starts or what chance brings."""
    host: int | None
    """The host's seat."""


def check_new_game(body: dict[str, Any], offers: Offers = NO_OFFERS) -> NewGame:
    """Check the body of ``POST /api/games`` and make the bots. This may take a moment: call it outside the event loop.

    Raises:
        ProtocolError: ``bad_message``.
        BadOption, BadNotation: what the rules and players refuse.
    """
    if unknown := sorted(body.keys() - Wish.model_fields):
        raise ProtocolError("bad_message", f"a new game has the keys {', '.join(Wish.model_fields)}, not '{unknown[0][:40]}'")
    wish = checked(_WISH, body, "new game")
    told = game_class(wish.game).options_in(wish.position or "")
    game = game_without_files(wish.game, {**told, **(wish.options or {})})
    if len(wish.players) != game.players:
        names = ", ".join(game.player_names)
        raise ProtocolError("bad_message", f"{game.title} has {game.players} seats ({names}), not {len(wish.players)}")
    specs = tuple(offers.parse(player, game, LONGEST_THOUGHT) for player in wish.players)
    people = [seat for seat, spec in enumerate(specs) if spec.is_human]
    if wish.host is not None and wish.host not in people:
        raise ProtocolError(
            "bad_message", f"'host' is one of the seats of people ({', '.join(map(str, people)) or 'none'}), not {wish.host}"
        )
    start = game.start() if wish.position is None else game.parse(wish.position)
    seed = secrets.randbits(63) if wish.seed is None else wish.seed  # too many to guess from the dice of a running game
    lobby = wish.lobby or ("watched" if len(people) < 2 else "private")
    is_usual = wish.seed is None and (wish.position is None or start == game.start())
    return NewGame(start, specs, seed, make_players(start, specs, seed), _time_control(wish.clock), lobby, is_usual, wish.host)


def _time_control(clock: float | str | None) -> TimeControl | None:
    if clock is None or isinstance(clock, float | int):
        return None if clock is None else TimeControl(float(clock), is_per_action=True)
    control = TimeControl.parse(clock)
    if control.seconds < SHORTEST:
        raise BadOption(f"time control '{clock[:40]}' is less than {SHORTEST:g} s, which is the least that people can play with")
    return control


def make_players(start: State, specs: tuple[PlayerSpec, ...], seed: int) -> dict[int, Player]:
    return {seat: spec.make(start.game, player_seed(seed, seat)) for seat, spec in enumerate(specs) if not spec.is_human}
