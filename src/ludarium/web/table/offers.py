"""The players that whoever starts the server names for others to choose: what stands behind a name is nobody else's affair."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from ludarium.core.game import Game
from ludarium.core.registry import game as game_of
from ludarium.core.registry import list_games
from ludarium.errors import BadNotation, BadOption, one_of
from ludarium.players import HUMAN, PlayerKind, PlayerSpec, parse_player, player_kinds
from ludarium.players.programs import Conditions, is_bot
from ludarium.players.programs.bots import bot_of

from .conversations import Conversations, OfferedProgram

_OFFER = re.compile(r"(?:([a-z0-9-]+):)?(\w[\w-]{0,29})=(\S.*)")


@dataclass(frozen=True)
class Offer:
    """One of them."""

    game: str
    """For which game."""
    kind: PlayerKind
    """Of the name by which it is chosen, without options."""
    behind: str
    """The built-in player's spec that it stands for; for a program, its name here."""


class Offers:
    """All of them, by game."""

    def __init__(self, offers: Iterable[Offer] = (), conversations: Conversations | None = None) -> None:
        self._offers: dict[str, dict[str, Offer]] = {}
        for offer in offers:
            of_game = self._offers.setdefault(offer.game, {})
            if offer.kind.name in of_game:
                raise BadOption(f"two players of {offer.game} are called '{offer.kind.name}'")
            of_game[offer.kind.name] = offer
        self._conversations = conversations

    def kinds(self, game: str) -> dict[str, PlayerKind]:
        """Those of a game, by name."""
        return {name: offer.kind for name, offer in self._offers.get(game, {}).items()}

    def behind(self, game: str, players: Iterable[str]) -> list[str]:
        """Specs of players, with those of built-in ones in place of names here."""
        named = self._offers.get(game, {})
        return [named[player].behind if player in named else player for player in players]

    def parse(self, text: str, game: Game, longest: float | None = None) -> PlayerSpec:
        """Read what somebody has chosen, as :func:`~ludarium.players.parse_player`: one of these, or a built-in player."""
        return parse_player(text, game, longest=longest, offered=self.kinds(game.id))

    def close(self) -> None:
        """End all programs."""
        if self._conversations is not None:
            self._conversations.close()


NO_OFFERS = Offers()


def read_offers(texts: Iterable[str], conditions: Conditions, most: int) -> Offers:
    """What was typed: ``NAME=SPEC`` for all games that the player can play, or ``GAME:NAME=SPEC`` for one. Nothing is started.

    Args:
        most: how many conversations programs carry on, all together: as many as may think at once, or more.

    Raises:
        BadNotation, BadOption: no such form, game or player; a name that is taken.
    """
    conversations = Conversations(most)
    return Offers([offer for text in texts for offer in _read(text, conditions, conversations)], conversations)


def _read(text: str, conditions: Conditions, conversations: Conversations) -> list[Offer]:
    found = _OFFER.fullmatch(text.strip())
    if found is None:
        raise BadNotation(f"--player '{text}' is not NAME=SPEC or GAME:NAME=SPEC; a name has up to 30 letters, digits, _ and -")
    id, name, spec = found.groups()
    if id is not None and id not in list_games():
        raise BadOption(f"--player '{text}': game {one_of(id, list_games())}")
    games = [game_of(one) for one in ([id] if id else list_games())]
    if taken := [game.id for game in games if name == HUMAN or name in player_kinds(game)]:
        raise BadOption(f"--player '{text}': {taken[0]} has a player of its own that is called '{name}'; take another name")
    if is_bot(spec):
        bots = {game.id: bot_of(spec, conditions.folder or Path.cwd(), game.id) for game in games}
        kind = PlayerKind(
            name,
            "a program that this server offers",
            (),
            lambda game, _, seed: OfferedProgram(replace(bots[game.id], text=name), conditions, conversations, seed),
        )
        return [Offer(game.id, kind, name) for game in games]
    offers: list[Offer] = []
    refused: BadOption | None = None
    for game in games:
        try:
            offers.append(_built_in(name, parse_player(spec, game), game))
        except BadOption as problem:
            refused = problem
    if not offers and refused is not None:
        raise BadOption(f"--player '{text}': {refused}")
    return offers


def _built_in(name: str, spec: PlayerSpec, game: Game) -> Offer:
    kind = spec.kind
    if kind is None:
        raise BadOption(f"'{spec.text}' is a person, who can be chosen anyway")
    return Offer(game.id, PlayerKind(name, kind.summary, (), lambda game, _, seed: kind.make(game, spec.options, seed)), spec.text)
