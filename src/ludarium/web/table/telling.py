"""What the clients of one game are told, composed as data; see ``docs/protocol.md``."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping
from dataclasses import asdict
from typing import Any

from ludarium.core.sight import Sight

from .client import Client
from .messages import VERSION
from .play import Play, Standing
from .renderings import Renderings, ahead_content, as_json, choices_content, position_content
from .seats import players_json
from .summary import Summary

LONGEST_COURSE = 5000
"""Steps up to which a client is told of moves and measures that it did not see; of longer games only how many steps there were."""


class Telling:
    """Composes messages. What many are told alike is made once."""

    def __init__(self, play: Play, renderings: Renderings) -> None:
        self.on_summary: Callable[[], None] = lambda: None
        """Called when there is something to tell of a game that is over."""
        self._summary = Summary(lambda: self.on_summary())
        self._play = play
        self._renderings = renderings
        self._version = object()
        """Names the course in ``renderings``, until steps of it are taken back; not an id, under which another course may have been told before this
        game left the memory."""
        self._moves: list[str] = []
        self._measures: list[Mapping[str, tuple[float, ...]]] = []

    def take_back(self) -> None:
        """Steps have been taken back: positions of the same number are others from now on."""
        self._version = object()
        self._moves.clear()
        self._measures.clear()

    def latest(self, client: Client) -> int:
        """The number of the latest position, as it is counted for a client."""
        return Sight(self._play.course, client.seat).ply

    def welcome(self, client: Client, present: Collection[Client]) -> str:
        """To a client that has joined; it is among those ``present``."""
        game, control = self._play.course.game, self._play.time_control
        welcome = {
            "type": "welcome",
            "version": VERSION,
            "game": {
                "id": game.id,
                "title": game.title,
                "options": dict(game.options),
                "slots": game.dimensions.slots,
                "orders": game.orders is not None,
                "idle": game.orders is not None and game.orders.idle is not None,
                "hidden": game.secrets is not None,
                "draws": game.show.draws,
                "independent": game.independent,
                "ranked_by": game.show.ranked_by,
                "prompt": game.show.prompt,
            },
            **self._people(present),
            "you": client.seat,
            "return_code": None if client.seat is None else self._play.seats[client.seat].code or None,
            "seat": client.bottom,
            "clock": control.seconds if control and control.is_per_action else None,
            "time_control": control and str(control),
            **self._course_so_far(client),
        }
        return as_json(welcome)

    def players(self, present: Collection[Client]) -> str:
        """When somebody comes or goes."""
        return as_json({"type": "players", **self._people(present)})

    def position(self, client: Client, ply: int, occasion: str, told: int | None = None) -> str:
        """A position. ``told`` is the one that the client was told of before, whose moves since then it gets as well."""
        play, course = self._play, self._play.course
        sight = Sight(course, client.seat)
        latest = ply == sight.ply
        standing = play.standing
        if not latest:
            standing = Standing(offers=standing.offers, series=standing.series, next=standing.next)
        changing = {
            "latest": latest,
            "length": sight.ply,
            **asdict(standing),
            "outcome": asdict(course.outcome) if latest and course.outcome else None,
            "summary": self._summary.of(course) if latest else None,
            "occasion": occasion,
        }
        del changing["plans"]
        if standing.clocks is not None:
            clocks = enumerate(standing.clocks)
            changing["clocks"] = [
                {"left": one.left if seat == client.seat else one.left_for_others, "running": one.running} for seat, one in clocks
            ]
        opened = sight.opened(ply)
        if told is not None and told + 1 < ply <= LONGEST_COURSE:  # positions in between were not sent, nor what they opened
            starts = [one.start for each in range(told + 1, ply + 1) if (one := sight.opened(each))]
            opened = range(min([told + 1, *starts]), ply + 1)
        seat, bottom = client.seat, client.bottom
        known: tuple[Hashable, ...] = (self._version, ply)
        if course.game.secrets is not None:  # plies are the player's own, and what is closed may be known later
            known = (*known, seat, None if sight.is_open(ply) else course.ply)
        get = self._renderings.get
        choices = '"actions":[],"orders":[]'
        if seat is not None and seat in standing.to_move:
            choices = get((*known, "choices", seat), lambda: choices_content(sight))
            if course.game.orders is not None:
                changing["plan"] = standing.plans.get(seat)
        parts = (
            get((*known, bottom), lambda: position_content(sight, ply, bottom)),
            get((*known, "opened", opened), lambda: self._opened(sight, opened)) if opened else '"opened":null',
            choices,
            as_json(changing)[1:-1],
        )
        return "{" + ",".join(parts) + "}"

    def ahead(self, player: int) -> str:
        """What a player could do in the latest position if it were to move."""
        sight = Sight(self._play.course, player)
        key = (self._version, sight.ply, "ahead", player)
        return "{" + self._renderings.get(key, lambda: ahead_content(sight, player)) + "}"

    def _people(self, present: Collection[Client]) -> dict[str, Any]:
        watching = sum(client.seat is None for client in present) + self._play.watching_elsewhere
        return {
            "players": players_json(self._play.course.game, self._play.seats, {client.seat for client in present}),
            "watching": watching,
        }

    def _course_so_far(self, client: Client) -> dict[str, Any]:
        """The texts of all steps, and by name the measures of all positions."""
        sight = Sight(self._play.course, client.seat)
        if sight.ply > LONGEST_COURSE:
            return {"moves": [""] * sight.ply, "measures": {}}
        moves, measures = self._so_far(sight)
        return {"moves": moves, "measures": {name: [numbers[name] for numbers in measures] for name in measures[0]}}

    def _opened(self, sight: Sight, plies: range) -> dict[str, Any]:
        """What a ``position`` message says of how it came about, where that could not be told before."""
        moves, _ = self._so_far(sight)
        return {"opened": {"from": plies.start, "moves": moves[plies.start - 1 : plies.stop - 1]}}

    def _so_far(self, sight: Sight) -> tuple[list[str], list[Mapping[str, tuple[float, ...]]]]:
        """The texts of all steps and the measures of all positions: made once for all, unless everybody knows something else."""
        game = sight.course.game
        moves, measures = (self._moves, self._measures) if game.secrets is None else ([], [])
        for ply in range(len(measures), sight.ply + 1):
            measures.append(game.show.measures_of(sight.state(ply)))
            if ply:
                moves.append(sight.line(ply))
        return moves, measures
