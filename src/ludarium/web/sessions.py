"""All games of a server: in memory while somebody uses them, on disk always."""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
import time
from collections import Counter, deque
from collections.abc import Callable, Coroutine, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

from starlette.concurrency import run_in_threadpool

from ludarium.arena.play import CHANCE_STREAM
from ludarium.core.clock import Clock
from ludarium.core.random import generator_from
from ludarium.core.record import Header, Recorder
from ludarium.core.sight import Sight
from ludarium.core.timeline import Timeline
from ludarium.errors import BadNotation, BadOption, LudariumError, ProtocolError, StoreError
from ludarium.players import Player

from .competitions.archive import KEY, Archive
from .compiling.warming import Warming
from .disk.folder import Folder, Kept
from .disk.keeping import Keeper
from .games import OtherGames
from .opened import Opened
from .people.people import People
from .table.hosting import Hosting
from .table.local_play import LocalPlay
from .table.messages import error_of
from .table.new_game import check_new_game, make_players
from .table.offers import Offers
from .table.renderings import Renderings
from .table.seats import Seat
from .table.session import Session
from .table.thinking import Thinker, Thinkers
from .table.turns import LONGEST_THOUGHT
from .visitors.codes import new_code
from .visitors.desk import Desk
from .visitors.limits import GAMES_OF_ADDRESS, OWN_GAMES, Limits, NewGames
from .visitors.visitor import HOUSE, Visitor

log = logging.getLogger("ludarium.web")

LEFT = 600.0
"""Seconds after which a finished game without clients is dropped from memory."""
WAIT = 60.0
"""Seconds after which games that people are at may have ended."""
UNPLAYED = 24 * 3600.0
"""Seconds after which a game is deleted in which nobody has done anything."""
MOST_DEALT = MOST_RESTING = 1000
EXPIRY = 3600.0
"""Seconds between two looks for such games."""

CORRESPONDENCE = 0.5
"""What part of the games in memory may be taken up at the start because people play them by correspondence."""

_ID = re.compile(r"[A-Za-z0-9_-]{12}")


class _Held(NamedTuple):
    """A game in memory, and who made it or took it up again."""

    session: Session
    keeper: Keeper
    visitor: Visitor


@dataclass
class Sessions:
    """Finds, makes and drops games. All methods run on the event loop."""

    folder: Folder
    thinkers: Thinkers
    limits: Limits = field(default_factory=Limits)
    clock: Clock | None = None
    """By default the event loop that runs."""
    warming: Warming = field(default_factory=Warming)
    desk: Desk = field(default_factory=Desk)
    offers: Offers = field(default_factory=Offers)
    """Players that can be chosen besides the built-in ones."""
    archive: Archive | None = None
    """The games of the store, where visitors may see them."""
    others: OtherGames | None = None
    people: People | None = None

    def __post_init__(self) -> None:
        self._games: dict[str, _Held] = {}
        self.dealt = deque[str](maxlen=MOST_DEALT)
        """Positions that chance has laid for somebody who chooses a game."""
        self.opened = Opened(self.warming, self.desk)
        self._new_games = NewGames(self.limits, self._now)
        self._renderings = Renderings()
        self._tasks = set[asyncio.Task[None]]()
        self._taken_up = WeakValueDictionary[str, asyncio.Lock]()
        """Locks by the ids of games that are being taken up."""
        self._resting = dict[str, asyncio.Task[list[int] | None]]()
        """Whose turn it is in games that are on the disk alone, where somebody has asked."""
        self._next_expiry = float("-inf")
        self._is_closed = False

    def _now(self) -> float:
        return (self.clock or asyncio.get_running_loop()).time()

    def __len__(self) -> int:
        return len(self._games)

    @property
    def clients(self) -> int:
        others = sum(games.clients for games in (self.archive, self.others, self.opened) if games is not None)
        return sum(len(session.clients) for session, _, _ in self._games.values()) + others

    @property
    def in_memory(self) -> list[Session]:
        """The games that are played here, the oldest first."""
        return [held.session for held in self._games.values()]

    @property
    def looked_at(self) -> list[Session]:
        """All at which somebody may be: those too that others play, or that have been played."""
        others = (games.in_memory for games in (self.archive, self.others, self.opened) if games is not None)
        return [*self.in_memory, *chain.from_iterable(others)]

    async def create(self, wish: dict[str, Any], visitor: Visitor, id: str | None = None) -> Session:
        """A new game, once what it needs is compiled; its ``id`` is by default a random one.

        Raises:
            LudariumError: the wish is wrong, there are too many games (``busy``, ``too_many``), or the folder cannot be written to.
        """
        self._new_games.check(visitor)
        self._make_room(visitor)
        new = await self.desk.do(visitor, lambda: check_new_game(wish, self.offers))
        tokens = {seat: secrets.token_urlsafe(18) for seat, spec in enumerate(new.specs) if spec.is_human}
        codes = {seat: new_code() for seat in tokens}
        header = Header.of(new.start.game, [spec.text for spec in new.specs], new.seed)
        is_usual = new.is_usual or (wish.get("seed") is None and wish.get("position") in self.dealt)
        kept = Kept(header, Timeline(new.start), tokens, new.time_control, lobby=new.lobby, is_usual=is_usual, host=new.host, codes=codes)
        return await self._begin(kept, new.players, visitor, id)

    async def _begin(self, kept: Kept, players: dict[int, Player], visitor: Visitor, id: str | None = None) -> Session:
        """A game that was not there before, once its players are compiled."""
        id, header = id or secrets.token_urlsafe(9), kept.header
        try:
            await self.warming.ready(header.game, self.offers.behind(header.game, header.players))
            recorder = await run_in_threadpool(self.folder.create, id, kept)
            try:
                self._new_games.check(visitor)  # once more, for others may have been made meanwhile
                self._make_room(visitor)
            except ProtocolError:
                self.folder.discard(id, recorder)
                raise
        except BaseException:
            for player in players.values():
                player.close()
            raise
        self._new_games.count(visitor)
        return self._seat(id, kept, recorder, players, visitor)

    def _start_rematch(self, id: str) -> None:
        self._do(self._make_rematch(self._games[id]))

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _keep_seat(self, id: str, play: LocalPlay, number: int) -> None:
        """A seat has changed. Until the disk has its token, a client that comes back takes the seat anew."""
        lost = f"what opens seat {number} of game {id}, and who plays it, is as before"
        self._do(self._keep(lambda: self.folder.keep_seat(id, lambda: play.seats[number]), lost))

    def _keep_pause(self, id: str, ply: int | None) -> None:
        self._do(self._keep(lambda: self.folder.pause(id, ply), f"nobody knows whether game {id} pauses"))

    async def _keep(self, write: Callable[[], None], otherwise: str) -> None:
        try:
            await run_in_threadpool(write)
        except StoreError as problem:
            log.warning("%s once the game has left the memory: %s", otherwise, problem)

    async def _make_rematch(self, held: _Held) -> None:
        """Make the rematch of a game in memory, and lead everybody there."""
        session, _, visitor = held
        id, play = session.id, session.play
        assert isinstance(play, LocalPlay)
        try:
            self._new_games.check(visitor)
            self._make_room(visitor)
            kept, players = await self.desk.do(visitor, lambda: _rematch_of(session, self.offers))
            following = await self._begin(kept, players, visitor)
        except LudariumError as problem:
            play.stay(lambda: self._start_rematch(id))
            session.tell_error(**error_of(problem))
            return
        following.chat.go_on(session.chat, len(play.seats))
        await self._keep(lambda: self.folder.lead_on(id, following.id), f"game {id} does not lead to its rematch any more")
        play.lead_on(following.id)

    async def find(self, id: str, visitor: Visitor) -> Session:
        """See :class:`.games.Games`; a game that has left the memory is taken up again from the disk."""
        if id in self._games:
            return self._games[id].session
        if self.others is not None and (session := self.others.find(id)) is not None:
            return session
        if (session := self.opened.find(id)) is not None:
            return session
        if not self._is_closed and self.archive is not None and KEY.fullmatch(id):
            return await self.archive.find(id, visitor)
        if not self._is_closed and _ID.fullmatch(id) and self.folder.holds(id):
            try:
                return await self._take_up(id, visitor)
            except ProtocolError:
                raise
            except LudariumError as problem:
                log.error("game %s cannot be taken up again: %s", id, problem)
        raise ProtocolError(
            "no_such_game", f"there is no game {id[:40]!r} (any more); one in which nobody does anything is deleted after a day"
        )

    def turns(self, ids: Iterable[str], visitor: Visitor) -> dict[str, list[int] | None]:
        """Whose turn it is in games, None where they are over, as far as it is known. In those that rest on the disk it is looked up meanwhile."""
        found: dict[str, list[int] | None] = {}
        for id in ids:
            if id in self._games:
                session = self._games[id].session
                found[id] = None if session.course.is_over else list(session.play.standing.to_move)
            elif _ID.fullmatch(id) and self.folder.holds(id):
                if id not in self._resting:
                    while len(self._resting) >= MOST_RESTING:
                        self._resting.pop(next(iter(self._resting)))
                    self._resting[id] = asyncio.create_task(self._look_up(id, visitor))
                elif self._resting[id].done():
                    found[id] = self._resting[id].result()
        return found

    async def _look_up(self, id: str, visitor: Visitor) -> list[int] | None:
        """Whose turn it is in a game on the disk; nobody's where that cannot be read."""
        try:
            header = await self.desk.do(visitor, lambda: self.folder.header(id))
            await self.warming.rules(header.game)
            timeline = await self.desk.do(visitor, lambda: self.folder.timeline(id))
        except LudariumError:
            return []
        return None if timeline.is_over else list(timeline.to_move)

    async def _take_up(self, id: str, visitor: Visitor) -> Session:
        header = await self.desk.do(visitor, lambda: self.folder.header(id))
        await self.warming.ready(header.game, self.offers.behind(header.game, header.players))
        lock = self._taken_up[id] = self._taken_up.get(id) or asyncio.Lock()
        async with lock:
            if id in self._games:
                return self._games[id].session
            self._make_room(visitor)
            kept, recorder = await self.desk.do(visitor, lambda: self.folder.open(id))
            try:
                await self.warming.ready(header.game, self.offers.behind(header.game, kept.substitutes.values()))
                players = await self.desk.do(visitor, lambda: _players_again(kept, self.offers))
            except BaseException:
                recorder.close()
                raise
            return self._seat(id, kept, recorder, players, visitor)

    def _seat(self, id: str, kept: Kept, recorder: Recorder, players: dict[int, Player], visitor: Visitor) -> Session:
        header, timeline = kept.header, kept.timeline
        recorded = len(timeline.events)
        for number, player in players.items():
            player.sit(Sight(timeline, number))
        bots = {number: Thinker(player, number, visitor) for number, player in players.items()}
        names = enumerate(timeline.game.player_names)
        seats = [
            Seat(
                number,
                name,
                header.players[number],
                kept.tokens.get(number),
                bots.get(number),
                (self.people and self.people.names.find(kept.names.get(number, ""))) or "",
                is_taken=number in kept.taken,
                is_host=number == kept.host,
                code=kept.codes.get(number, ""),
                dead=kept.dead.get(number, ()),
                substitute=kept.substitutes.get(number, "") if number in bots else "",
            )
            for number, name in names
        ]
        # A game taken up again goes on with other dice than it began with, or it would repeat them.
        generator = generator_from(header.seed or 0, CHANCE_STREAM, *([len(timeline.events)] if timeline.ply else []))

        def keep_seat(number: int) -> None:
            self._keep_seat(id, play, number)

        play = LocalPlay(
            header,
            timeline,
            seats,
            generator,
            self.thinkers,
            pace=self.limits.pace,
            time_control=kept.time_control,
            series=kept.series,
            next=kept.next,
            make_rematch=None if kept.next else lambda: self._start_rematch(id),
            is_paused=kept.paused_at == timeline.ply and not timeline.is_over,
            keep_pause=lambda ply: self._keep_pause(id, ply),
            keep_seat=keep_seat,
            clock=self.clock,
        )
        session = Session(
            id,
            play,
            self._renderings,
            keep_seat=keep_seat,
            hosting=Hosting(
                id,
                play,
                keep_seat=keep_seat,
                make_bot=partial(self._make_bot, timeline),
                do=self._do,
                clock=self.clock or asyncio.get_running_loop(),
            ),
            on_one_for_two=lambda: self._do(self._keep(lambda: self.folder.note_one_for_two(id), f"game {id} may count for ratings")),
            lobby=kept.lobby,
            clock=self.clock,
        )
        session.is_usual, session.is_played_apart = kept.is_usual, kept.is_played_apart
        keeper = Keeper(recorder, timeline, recorded, session.tell_record, self.clock or asyncio.get_running_loop())
        self._games[id] = _Held(session, keeper, visitor)
        self._resting.pop(id, None)
        timeline.listen(lambda event: self._note_end(session), recorded)
        timeline.pack()
        self._note_end(session)
        return session

    async def _make_bot(self, timeline: Timeline, number: int, player: str, visitor: Visitor) -> tuple[str, Thinker]:
        """Return a bot for a seat of a running game, and its spec.

        Raises:
            LudariumError: there is no such bot, or it cannot play this game.
        """
        game = timeline.game
        spec = self.offers.parse(player, game, LONGEST_THOUGHT)
        await self.warming.ready(game.id, self.offers.behind(game.id, [spec.text]))
        bot = await self.desk.do(visitor, lambda: spec.make(game, secrets.randbits(63)))
        bot.sit(Sight(timeline, number))
        return spec.text, Thinker(bot, number, visitor)

    def _note_end(self, session: Session) -> None:
        """Keep what people with names have played, once it is over."""
        timeline, id = session.course, session.id
        if self.people is not None and timeline.is_over and id not in self.people.played:
            assert isinstance(timeline, Timeline)
            players = [(seat.name, seat.spec, seat.nickname) for seat in session.play.seats]
            self.people.note(id, timeline, players, session.is_usual and session.is_played_apart)

    async def go_on(self) -> None:
        """Take up the games that people play by correspondence, so that their time runs and they end."""
        for id in await run_in_threadpool(self.folder.by_correspondence, self.limits.share(CORRESPONDENCE)):
            if len(self._games) >= self.limits.games:
                return  # people who are here come first
            with suppress(ProtocolError):  # it cannot be taken up, which the log tells
                session = await self.find(id, HOUSE)
                if not session.clients:
                    session.play.attend(frozenset())

    def _make_room(self, visitor: Visitor) -> None:
        """Where there are as many games as there may be, one that was left alone goes to the disk.

        Raises:
            ProtocolError: ``busy`` or ``too_many``: people are at all of them.
        """
        if self._is_closed:
            raise ProtocolError("busy", "the server is stopping")
        held = list(self._games.values())
        own, here = [one for one in held if one.visitor == visitor], [one for one in held if one.visitor.address == visitor.address]
        if visitor.cookie and len(own) >= self.limits.share(OWN_GAMES):
            self._drop_one(own, "too_many", f"{len(own)} games that you have started are being played; finish some of them first")
        elif self.limits.games > len(here) >= self.limits.share(GAMES_OF_ADDRESS):
            self._drop_one(here, "too_many", f"{len(here)} games that were started from your address are being played; try again later")
        elif len(held) >= self.limits.games:
            self._drop_one(held, "busy", f"{len(held)} games are being played, which is all that this server holds; try again later")

    def _drop_one(self, among: list[_Held], code: str, message: str) -> None:
        """Of those who have most of these games, the game that was left alone for longest goes to the disk, if that has taken all of it."""
        games = Counter(one.visitor.address for one in among)
        alone = [one for one in among if not one.session.clients and one.keeper.is_complete]
        if not alone:
            raise ProtocolError(code, message, WAIT)
        self._drop(min(alone, key=lambda one: (-games[one.visitor.address], one.session.last_used)).session, "other games needed the place")

    def sweep(self) -> None:
        """Drop the games that were idle for too long, but none that the disk did not take yet."""
        now = self._now()
        for session, keeper, _ in list(self._games.values()):
            keeper.retry()
            rest = min(LEFT, self.limits.idle) if session.course.is_over and not session.clients else self.limits.idle
            is_idle = now - session.last_used >= rest and not (isinstance(session.play, LocalPlay) and session.play.waits_for_time)
            if keeper.is_complete and is_idle:
                self._drop(session, "nobody has played for a long time; open the game's link to go on")
        if now >= self._next_expiry:
            self._next_expiry = now + EXPIRY
            self._do(self.go_on())
            self._expiring = asyncio.create_task(self.expire(time.time()))

    async def expire(self, now: float) -> None:
        """Delete games in which nobody did anything for a day. ``now`` is as of ``time.time``."""
        before = now - UNPLAYED
        unplayed = await run_in_threadpool(self.folder.unplayed, before)
        for id in unplayed:
            if id not in self._games and id not in self._taken_up:
                self.folder.delete(id, before)
            await asyncio.sleep(0)  # many deletions delay nobody

    async def remove(self, id: str, reason: str) -> None:
        """End a game without a result, and delete it.

        Raises:
            ProtocolError: ``no_such_game``.
        """
        if not _ID.fullmatch(id) or not self.folder.holds(id):
            raise ProtocolError("no_such_game", f"there is no game {id[:40]!r} (any more)")
        lock = self._taken_up[id] = self._taken_up.get(id) or asyncio.Lock()
        async with lock:
            if id in self._games:
                self._drop(self._games[id].session, reason)
            await run_in_threadpool(self.folder.delete, id, float("inf"))

    def _drop(self, session: Session, reason: str, *, come_back: bool = False) -> None:
        _, keeper, _ = self._games.pop(session.id)
        session.close(reason, come_back=come_back)
        keeper.close()

    def close(self, reason: str) -> None:
        """Drop all games and take no more. They wait on the disk for the next start, so clients may wait for it too."""
        self._is_closed = True
        self.warming.close()
        self.opened.close(reason)
        if self.archive is not None:
            self.archive.close(reason)
        if self.others is not None:
            self.others.stop(reason)
        for session, _, _ in list(self._games.values()):
            self._drop(session, reason, come_back=True)


def _rematch_of(session: Session, offers: Offers) -> tuple[Kept, dict[int, Player]]:
    """The same game from the same start, with everybody one seat further. Who has a token keeps it."""
    play = session.play
    assert isinstance(play, LocalPlay)
    start, count = play.course.steps[0].state, len(play.seats)
    seated = [play.seats[number - 1] for number in range(count)]
    header = Header.of(start.game, [seat.spec for seat in seated], secrets.randbits(63))
    timeline = Timeline(start)
    people = {number: seat for number, seat in enumerate(seated) if seat.token is not None}
    kept = Kept(
        header,
        timeline,
        {number: str(seat.token) for number, seat in people.items()},
        play.time_control,
        play.series.next(),
        taken=frozenset(number for number, seat in people.items() if seat.is_taken),
        lobby=session.lobby,
        names={number: seat.nickname for number, seat in enumerate(seated) if seat.nickname},
        is_usual=session.is_usual,
        is_played_apart=all(seat.is_person for seat in people.values()),
        host=next((number for number, seat in people.items() if seat.is_host), None),
        codes={number: seat.code for number, seat in people.items()},
        dead={number: seat.dead for number, seat in people.items()},
        substitutes={number: seat.substitute for number, seat in people.items() if seat.substitute},
    )
    return kept, _players_again(kept, offers)


def _players_again(kept: Kept, offers: Offers) -> dict[int, Player]:
    """Return the bots of a game by seat, those that play for people among them where they still exist."""
    header, timeline = kept.header, kept.timeline
    game, seed = timeline.game, (header.seed or 0) + len(timeline.events)
    try:
        specs = [offers.parse(player, game, LONGEST_THOUGHT) for player in header.players]
    except BadOption:  # it was made when more was accepted
        specs = [offers.parse(player, game) for player in header.players]
    for seat, substitute in kept.substitutes.items():
        with suppress(BadNotation, BadOption):
            specs[seat] = offers.parse(substitute, game, LONGEST_THOUGHT)
    return make_players(timeline.state, tuple(specs), seed)
