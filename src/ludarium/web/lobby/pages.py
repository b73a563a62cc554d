"""What the lobby's and a game's page show. Their templates are given:

``index.html``
    the lobby: ``games``, one dictionary a game as :func:`lobby_game` makes it, ``ladders``, and whether there are ``competitions`` and ``people``.
``seats.html``
    the part of the lobby's form that depends on the rules that were chosen: ``game``, such a dictionary.
``game.html``
    ``game_id`` (this game on the server), ``names`` (of those who play), ``game`` (what is played: a :class:`Game`), ``module`` (the address of the
    game's own module, or None) and ``style``, ``orders`` (whether players give orders that are sent together), ``drawing`` and ``ratio`` as
    :func:`first_drawing` makes them, ``bots`` (that a host can let play),
    ``lobby`` (whether there is one), ``record`` (whether it is only looked at), ``competition`` (the address of its own).
``missing.html``
    a page that there is not (any more: ``gone``), or not at the moment: ``message``.
"""

from __future__ import annotations

import logging
import re
import secrets
from dataclasses import asdict
from typing import Any

from markupsafe import Markup

import ludarium
from ludarium.core.course import Course
from ludarium.core.drawing import board_alone
from ludarium.core.game import Game, State
from ludarium.core.random import generator_from
from ludarium.core.rules import CHANCE
from ludarium.core.sight import Sight
from ludarium.errors import BadOption, LudariumError
from ludarium.players import HUMAN, can_play, opponents_of, parse_player
from ludarium.web.faces import face_address
from ludarium.web.table.offers import NO_OFFERS, Offers

log = logging.getLogger("ludarium.web")

_BOX = re.compile(r'<svg [^>]*viewBox="[^ "]+ [^ "]+ ([\d.]+) ([\d.]+)"')


def lobby_games(offers: Offers = NO_OFFERS) -> list[dict[str, Any]]:
    """Every game that a person can play on the page. Boards are not dealt. One that does not load (a broken plug-in) is left out and logged."""
    games: list[dict[str, Any]] = []
    for id in ludarium.list_games():
        try:
            games.append(lobby_game(ludarium.game(id), offers, deal=False))
        except Exception as problem:  # anybody's package may be installed here
            log.error("game %s is left out: %s: %s", id, type(problem).__name__, problem, exc_info=not isinstance(problem, LudariumError))
    return games


def lobby_game(game: Game, offers: Offers = NO_OFFERS, *, deal: bool = True) -> dict[str, Any]:
    """A game for the lobby. Without ``deal``, as it is before chance lays the board: then none of the rules is needed but whose turn it is.

    ``id, title, summary``; ``how_to_play``: paragraphs; ``options``: what each :class:`~ludarium.core.options.Option` has, as a dictionary; ``late``:
    what happens to people whose time is up; ``themes``: the names of the board's further looks; ``deals``: whether chance lays the board, so that
    there is something to see before a game is made;
    ``undealt``: whether the thumbnail still lacks that; ``player_names``: by seat; ``thumbnail``: the start as SVG, dealt if need be; ``start``: its
    one-line notation; ``terms``: what players are called, and why; ``opponents``: ``spec, name, summary`` of all that can be chosen: a person, then the game's
    opponents, with ``face`` and ``strength`` (a text), and those of ``offers`` that can play it.
    """
    start = game.start()
    deals = start.to_move == (CHANCE,)
    return {
        "id": game.id,
        "title": game.title,
        "summary": game.summary,
        "how_to_play": list(game.how_to_play),
        "options": [asdict(option) for option in game.option_list],
        "late": _late(game),
        "deals": deals,
        "themes": list(game.show.themes),
        "undealt": deals and not deal,
        "player_names": list(game.player_names),
        "terms": [(term, meaning) for term, meaning in game.show.terms if game.player_names[0] in term],
        "thumbnail": board_alone((dealt(game) if deals and deal else start).svg(size=160)),
        "start": start.text,
        "opponents": [
            {"spec": HUMAN, "name": HUMAN, "summary": "a person, here or at the link that you get"},
            *opponents_shown(game, offers),
        ],
    }


def first_drawing(course: Course) -> tuple[Markup, float]:
    """The latest position as who watches knows it, and how much wider than high it is: what the page shows until its modules are there. Nothing in it can be
    picked yet."""
    sight = Sight(course, None)
    drawing = board_alone(sight.latest.svg(last=sight.action(sight.ply)))
    found = _BOX.search(drawing)
    return Markup(drawing.replace(" data-pick=", " data-place=")), float(found[1]) / float(found[2]) if found else 1.0


def with_deal(shown: dict[str, Any], offers: Offers = NO_OFFERS) -> dict[str, Any]:
    """An undealt game for the lobby, dealt; as it is, and logged, if that does not work."""
    try:
        return lobby_game(ludarium.game(shown["id"]), offers)
    except Exception as problem:  # anybody's package may be installed here
        log.error(
            "game %s is not dealt: %s: %s", shown["id"], type(problem).__name__, problem, exc_info=not isinstance(problem, LudariumError)
        )
        return shown | {"undealt": False}


def dealt(game: Game) -> State:
    """A start after the steps of chance before anybody's first choice, as far as they hide nothing: a board as it was laid."""
    state = game.start()
    generator = generator_from(secrets.randbits(63))
    while state.to_move == (CHANCE,):
        later = state.play(state.sample_chance(generator))
        if not later.is_public:
            break
        state = later
    return state


def _late(game: Game) -> str:
    if game.orders is not None and game.orders.idle is not None:
        return "When the time is up, the orders given so far are sent."
    if game.overdue is not None:
        return f"When the time is up, {game.overdue.words}."
    return "Whoever does not act in time loses."


def opponents_shown(game: Game, offers: Offers) -> list[dict[str, str]]:
    """Return the bots that can play a game, the weakest first, then those that the server offers."""
    known = opponents_of(game)
    found = [
        {
            "spec": one.id,  # which browsers remember: it stays what it is when the opponent learns
            "name": one.name,
            "summary": one.sentence,
            "face": face_address(game.id, one.id),
            "strength": f"{place} of {len(known)}",
        }
        for place, one in enumerate(known, 1)
        if _can_be_made(one.spec, game)
    ]
    kinds = [kind for kind in offers.kinds(game.id).values() if can_play(kind, game)]
    return found + [
        {"spec": kind.name, "name": kind.name, "summary": kind.summary, "face": face_address(game.id, kind.name), "strength": ""}
        for kind in kinds
    ]


def _can_be_made(spec: str, game: Game) -> bool:
    try:
        parse_player(spec, game)
    except BadOption:
        return False
    return True
