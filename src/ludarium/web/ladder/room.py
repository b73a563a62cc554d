"""One ladder on a server: the bots that are connected, who of them plays, and the games that are watched."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from typing import Any

from ludarium.arena.games import GamePlan, GameResult
from ludarium.arena.ladder import Ladder
from ludarium.arena.ladder.ladder import PlayedGame
from ludarium.arena.ladder.pairing import tables_at_once
from ludarium.core.event_loop import call_in_loop
from ludarium.core.record import Header
from ludarium.core.timeline import Timeline
from ludarium.errors import LudariumError, PlayerCrashed, ProtocolError, StoreError
from ludarium.players.programs.program import Program
from ludarium.web.addresses import at
from ludarium.web.table.client import Client
from ludarium.web.table.renderings import Renderings
from ludarium.web.table.session import Session
from ludarium.web.visitors.rate import Rate

from .limits import LadderLimits
from .link import BotLink
from .play import FollowedPlay

log = logging.getLogger("ludarium.web")

INTERVAL = 0.2
"""Seconds between two positions of a game that watchers are told of. Between them quick bots play hundreds of turns."""

PAUSE = 10.0
"""Seconds without new games after one that could not be played or kept."""

ENDED = 8
"""Games that have ended and may still be looked at here, beyond those that somebody looks at."""

NOT_KEPT = "games cannot be kept at the moment; the server's log says why"

GONE = "its connection has ended"
"""Reason when a bot has left a game. It contains no name, because opponents read it during the game."""

NORMAL, GOING_AWAY, REFUSED = 1000, 1001, 1008
"""Status of a close."""


@dataclass(eq=False)
class Bot:
    """One that is connected."""

    entrant: int
    name: str
    client: Client
    link: BotLink
    since: float
    """When it came, or its latest game ended."""
    program: Program | None = None
    """Once it has answered the greeting."""
    game: int | None = None
    """The number of the game that it plays."""
    told: str = ""
    """Why it waits, as it was told last."""

    def borrow(self) -> Program:
        """See :class:`ludarium.players.programs.player.Lender`."""
        if self.program is None or self.link.is_lost():
            raise PlayerCrashed(f"crash: {GONE}")
        return self.program

    def give_back(self, program: Program) -> None:
        """It waits."""

    def quit(self, reason: str, status: int = NORMAL, *, come_back: bool) -> None:
        """Tell it that this was all, and whether it should come again by itself."""
        self.client.tell(type="quit", reason=reason, come_back=come_back)
        self.client.close(status, "quit")


@dataclass
class Going:
    """A game that is played."""

    plan: GamePlan
    bots: list[Bot]
    """By seat."""
    play: FollowedPlay | None = None
    """None until it begins."""


class Room:
    """All methods are called on the event loop's thread."""

    def __init__(
        self,
        ladder: Ladder,
        limits: LadderLimits,
        loop: asyncio.AbstractEventLoop,
        play: Callable[[Callable[[], GameResult | None]], Future[GameResult | None]],
        on_change: Callable[[], None],
    ) -> None:
        """``play`` has a game played in a thread; ``on_change`` is called when another one can be begun perhaps."""
        self.ladder = ladder
        self.sessions: dict[str, Session] = {}
        """Those that are looked at or were played lately, by id."""
        self.going: dict[int, Going] = {}
        """By number."""
        self.bots: dict[int, Bot] = {}
        """By entrant."""
        self.is_ready = False
        self._limits = limits
        self._loop = loop
        self._play = play
        self._pace = Rate(limits.at_once, limits.pace, loop.time)
        self._forfeits = Counter[int]()
        """How many games in a row somebody has lost by its conduct."""
        self._off: dict[int, tuple[float, str]] = {}
        """Until when those who were taken off may not come again, and why."""
        self._paused_until = 0.0
        self._ended = deque[str]()
        self._renderings = Renderings()
        self._is_closed = False
        self._on_change = on_change

    # Bots.

    def check(self, entrant: int, address: str, most: int) -> None:
        """Whether somebody may come from an address, which may have so many bots here.

        Raises:
            ProtocolError: ``expelled``, ``taken_off``, ``too_many`` or ``busy``.
        """
        if self._is_closed:
            raise ProtocolError("busy", "the server is stopping", 1)
        if entrant in self.ladder.expelled:
            raise ProtocolError("expelled", self._why_expelled(entrant))
        until, why = self._off.get(entrant, (0.0, ""))
        if (wait := until - self._loop.time()) > 0:
            raise ProtocolError("taken_off", f"{why}; it may come again in {wait:.0f} s", wait)
        others = [bot for bot in self.bots.values() if bot.entrant != entrant]
        if sum(bot.client.visitor.address == address for bot in others) >= most:
            raise ProtocolError("too_many", f"{most} bots from your address are connected, which is all that it may have", 60)
        if len(others) >= self._limits.bots:
            raise ProtocolError("busy", f"{self._limits.bots} bots are connected, which is all that this ladder holds; try again later", 60)

    def taken_off(self, entrant: int) -> str | None:
        """Return the reason why a bot was taken off, or None after its return."""
        return self._off[entrant][1] if entrant in self._off else None

    def enter(self, bot: Bot) -> None:
        """A bot that has answered the greeting can play. It takes the place of an older connection."""
        older = self.bots.get(bot.entrant)
        if older is not None:
            self.leave(older)
            older.quit("another connection has come for this name", come_back=False)
        self.bots[bot.entrant] = bot
        self._off.pop(bot.entrant, None)
        self._on_change()

    def leave(self, bot: Bot) -> None:
        """Its connection has ended. When the server stops nobody loses by that."""
        if not self._is_closed:
            bot.link.lose(GONE)
        if self.bots.get(bot.entrant) is bot:
            del self.bots[bot.entrant]

    def turn_out(self, address: str, reason: str) -> None:
        """Whoever comes from an address has to go, and loses the game in which it is."""
        for bot in [bot for bot in self.bots.values() if bot.client.visitor.address == address]:
            bot.quit(reason, REFUSED, come_back=False)
            self.leave(bot)

    def turn_out_expelled(self) -> None:
        """Disconnect bots that the organiser has expelled. Each forfeits its running game."""
        for bot in [bot for bot in self.bots.values() if bot.entrant in self.ladder.expelled]:
            bot.quit(self._why_expelled(bot.entrant), REFUSED, come_back=False)
            self.leave(bot)

    def _why_expelled(self, entrant: int) -> str:
        return f"the organiser has expelled '{self.ladder.name_of(entrant)}': {self.ladder.expelled[entrant]}"

    # Games.

    def begin_one(self) -> bool:
        """Begin a game, if there can be another one."""
        if self._is_closed or not self.is_ready or self._loop.time() < self._paused_until or self.ladder.problem:
            return False
        if len(self.going) >= tables_at_once(len(self.bots), self.ladder.game.players):
            return False
        waiting = {entrant: bot.since for entrant, bot in self.bots.items() if bot.game is None}
        plan = self.ladder.next_plan(waiting, {entrant for entrant in waiting if self._pace.wait(entrant) > 0})
        if plan is None:
            return False
        for entrant in plan.seats:
            if self._pace.wait(entrant) < self._limits.pace:  # whoever is met by others again and again is not held for long by that
                self._pace.count(entrant)
        bots = [self.bots[entrant] for entrant in plan.seats]
        for bot in bots:
            bot.game = plan.number
        self.going[plan.number] = Going(plan, bots)
        game = partial(self.ladder.play, plan, bots, on_begin=partial(self._begun, plan), interrupted=lambda: self._is_closed)
        self._play(game).add_done_callback(lambda done: self._soon(partial(self._end, plan, done)))
        return True

    def _begun(self, plan: GamePlan, timeline: Timeline, header: Header) -> None:
        """In the judge's thread."""
        play = FollowedPlay(timeline, header, self._soon, hides_names=self.ladder.hides_names)
        self._soon(partial(self._show, plan, play))

    def _soon(self, call: Callable[[], object]) -> None:
        """From any thread."""
        call_in_loop(self._loop, call)

    def _show(self, plan: GamePlan, play: FollowedPlay) -> None:
        self.going[plan.number].play = play
        key = self.key(plan.number)
        self.sessions[key] = Session(key, play, self._renderings, interval=INTERVAL, clock=self._loop)

    def key(self, number: int) -> str:
        """Names a game on the pages, while it is played and afterwards."""
        return f"{self.ladder.id}:{number}"

    def _end(self, plan: GamePlan, done: Future[GameResult | None]) -> None:
        going = self.going.pop(plan.number)
        if self._is_closed:
            return
        problem, now = done.exception(), self._loop.time()
        if problem is not None:
            is_expected = isinstance(problem, LudariumError)
            log.error(
                "game %d of '%s' cannot be played: %s",
                plan.number + 1,
                self.ladder.name,
                problem,
                exc_info=None if is_expected else problem,
            )
            self._paused_until = now + PAUSE
            self._loop.call_later(PAUSE, self._on_change)
        result = None if problem else done.result()
        for bot in going.bots:
            bot.game, bot.since = None, now
            self._judge(bot, result)
        if going.play is not None:
            self._retire(self.key(plan.number), going.play)
        self._on_change()

    def _judge(self, bot: Bot, result: GameResult | None) -> None:
        """Dismiss a bot that has failed in a game, for nobody knows what it would say next, and one that has forfeited again and again."""
        reason, is_off = result.reason if result else "the game could not be played", False
        if result is not None and not result.forfeits:
            del self._forfeits[bot.entrant]
        elif result is not None and bot.entrant in result.forfeited:
            reason = result.forfeits[result.plan.seats.index(bot.entrant)] if len(result.returns) > 2 else reason
            self._forfeits[bot.entrant] += 1
            is_off = self._forfeits[bot.entrant] >= self._limits.forfeits
        if is_off:
            reason = f"{self._forfeits[bot.entrant]} games in a row lost by its conduct, the latest like this: {reason}"
            self._off[bot.entrant] = self._loop.time() + self._limits.rest, reason
            bot = self.bots.get(bot.entrant, bot)  # it may have come anew in the middle of the game
        if is_off or bot.link.has_failed:
            bot.quit(reason, come_back=not is_off)
            self.leave(bot)

    def _retire(self, key: str, play: FollowedPlay) -> None:
        """A game that has ended is looked at for a while."""
        play.follow()
        self._ended.append(key)
        for id in list(self._ended)[:-ENDED]:
            if not self.sessions[id].clients:
                self._ended.remove(id)
                self.sessions.pop(id).close("nobody looked at it")

    def retry(self) -> None:
        """Read expulsions and voided games from the store. Runs in a thread."""
        try:
            self.ladder.refresh()
        except StoreError as problem:
            log.error("the ladder '%s' does not know which games were voided: %s", self.ladder.name, problem)
        if self.ladder.problem is not None:
            log.error("the ladder '%s' stands still, for its games cannot be kept: %s", self.ladder.name, self.ladder.problem)
            try:
                self.ladder.retry()
            except StoreError as problem:
                log.error("%s", problem)

    def tell_waiting(self) -> None:
        """Called now and then: those who wait are told why, if that is something else than the last time."""
        why = self._why_nobody_plays()
        for bot in self.bots.values():
            if why and bot.game is None and bot.told != why:
                bot.told = why
                bot.client.tell(type="waiting", reason=why)

    def _why_nobody_plays(self) -> str | None:
        """None: somebody plays, or soon will."""
        missing, limits = self.ladder.game.players - len(self.bots), self._limits
        if missing > 0:
            return f"{missing} more bot{'s' if missing > 1 else ''} must come before a game can begin"
        if self.ladder.problem:
            return NOT_KEPT
        if not self.is_ready:
            return "the server is getting ready"
        if not self.going and all(self._pace.wait(entrant) > 0 for entrant in self.bots):
            return f"all who are here have played their {limits.at_once} games at once, and have one more every {limits.pace:g} s"
        return None

    def close(self, reason: str) -> None:
        """Cut the games, and tell everybody."""
        self._is_closed = True
        for bot in self.bots.values():
            bot.quit(reason, GOING_AWAY, come_back=True)
        for session in self.sessions.values():
            session.close(reason, come_back=True)

    # As it stands.

    def as_json(self) -> dict[str, Any]:
        """See ``docs/ladder.md``."""
        ladder, game = self.ladder, self.ladder.game
        return {
            "name": ladder.name,
            "game": game.id,
            "title": game.title,
            "options": dict(game.options),
            "seats": list(game.player_names),
            "time": str(ladder.time),
            "names": "after" if ladder.hides_names else "before",
            "pace": {"at_once": self._limits.at_once, "seconds": self._limits.pace},
            "competition": ladder.id,
            "games": ladder.games,
            "problem": ladder.problem and NOT_KEPT,
            "table": [
                {
                    "rank": row.rank,
                    "name": row.name,
                    "rating": row.rating,
                    "low": row.low,
                    "high": row.high,
                    "games": row.games,
                    "wins": row.wins,
                    "draws": row.draws,
                    "losses": row.losses,
                    "points": round(row.points, 6),
                    "online": row.entrant in self.bots,
                    "taken_off": self.taken_off(row.entrant),
                    "expelled": ladder.expelled.get(row.entrant),
                    "playing": self._watched(row.entrant),
                }
                for row in ladder.table()
                if row.games
                or row.entrant in self.bots
                or row.entrant in ladder.expelled  # names without games are quick to make, and not listed
            ],
            "live": [
                {
                    "number": number + 1,
                    "players": [None if ladder.hides_names else bot.name for bot in going.bots],
                    "plies": going.play.plies if going.play else 0,
                    "watch": at(f"/game/{self.key(number)}"),
                }
                for number, going in sorted(self.going.items())
            ],
            "newest": [self._newest(game) for game in tuple(ladder.newest)],
        }

    def _newest(self, game: PlayedGame) -> dict[str, Any]:
        return {
            "number": game.number + 1,
            "players": list(game.players),
            "returns": list(game.returns),
            "reason": game.reason,
            "forfeited": next(iter(game.forfeits), None),
            "forfeits": {str(seat): why for seat, why in game.forfeits.items()},
            "plies": game.plies,
            "finished": game.finished,
            "replay": at(f"/game/{self.key(game.number)}"),
        }

    def _watched(self, entrant: int) -> str | None:
        """Return the address to watch a bot's game; None while names are hidden, because opponents share an address."""
        bot = self.bots.get(entrant)
        return None if bot is None or bot.game is None or self.ladder.hides_names else at(f"/game/{self.key(bot.game)}")
