"""Records of networked games, which ``ludarium replay`` checks and shows like all others."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from ludarium.core.game import State
from ludarium.core.record import Header, Recorder
from ludarium.errors import StoreError, store_errors
from ludarium.games.hexabomb.game import Hexabomb
from ludarium.games.hexabomb.notation.messages import message_text
from ludarium.netorcai.events import Aborted, Event, GameEnded, GameStarted, PlayersChanged, TurnPlayed
from ludarium.netorcai.log import note

from .board_game import game_on
from .logic import HexabombLogic


class GameRecord:
    """Writes the record of one game as it is played. Call it with every event of the orchestrator.

    A record has the orders that were carried out, of which no two are in each other's way; so it needs no order of reception. Only the bombs of one turn may
    be listed in another order than clients saw.
    """

    def __init__(self, logic: HexabombLogic, folder: Path) -> None:
        """Create the folder if need be.

        Raises:
            StoreError: it cannot be had.
        """
        self._logic = logic
        self._folder = folder
        self._names: list[str] = []
        self._game: Hexabomb | None = None
        self._recorder: Recorder | None = None
        self._told: str | None = None
        self.on_problem: Callable[[str | None], object] = lambda problem: None
        """Is called with the reason when the game is not kept, and with None when it is again, with all that was missing."""
        with store_errors(f"the folder {folder} for records cannot be made"):
            folder.mkdir(parents=True, exist_ok=True)

    def warm_up(self) -> None:
        """Compile, or load, what the end of a record needs, so that the clients need not wait for it."""
        game = game_on(self._logic.board, 1, 0, 1)
        assert game is not None
        assert not game.start().is_over
        assert not any(game.start().returns)

    def __call__(self, event: Event) -> None:
        try:
            self._take(event)
            if self._recorder is not None:
                self._look_at(self._recorder)
        except StoreError as problem:  # the game is more important than its record
            note(logging.ERROR, "The record ends here", reason=str(problem))
            self._tell("its record has ended")
            self._recorder = None

    def _look_at(self, recorder: Recorder) -> None:
        if recorder.problem:
            recorder.sync()  # which finds out whether the disk takes all by now
        if recorder.problem and not self._told:
            note(logging.ERROR, "The record cannot be written; it is completed as soon as that is possible", reason=recorder.problem)
        elif self._told and not recorder.problem:
            note(logging.INFO, "The record is complete again")
        self._tell(recorder.problem)

    def _tell(self, problem: str | None) -> None:
        if problem != self._told:
            self._told = problem
            self.on_problem(problem)

    def _take(self, event: Event) -> None:
        if isinstance(event, PlayersChanged):
            self._names = [player.nickname for player in event.players]
        elif isinstance(event, GameStarted):
            self._begin(event)
        elif self._recorder is None:
            return
        elif isinstance(event, TurnPlayed):
            self._recorder.write({"event": "action", "actions": self._actions()})
        elif isinstance(event, GameEnded | Aborted):
            if isinstance(event, GameEnded):
                outcome = self._state().outcome
                assert outcome is not None
                self._recorder.write({"event": "end", "returns": list(outcome.returns), "reason": outcome.reason})
            self._recorder.close()
            note(logging.INFO, "Recorded", file=str(self._recorder.path))
            self._recorder = None

    def _begin(self, event: GameStarted) -> None:
        self._game = game_on(self._logic.board, event.players, event.special_players, event.turns)
        if self._game is None:
            note(logging.WARNING, "This game has no record: with so many players, or none, it cannot be replayed")
            return
        self._recorder = self._create(Header.of(self._game, self._names))
        self._recorder.write({"event": "start", "position": self._state().text})

    def _create(self, header: Header) -> Recorder:
        """A record in a file of its own, even where several games begin within a second."""
        time = f"{datetime.now(UTC):%Y%m%d-%H%M%S}"
        path, number = self._folder / f"{time}.jsonl", 1
        while path.exists():
            number += 1
            path = self._folder / f"{time}-{number}.jsonl"
        return Recorder(path, header)

    def _state(self) -> State:
        assert self._game is not None
        assert self._logic.simulation is not None
        return State(self._game, self._logic.simulation.states.copy())

    def _actions(self) -> dict[str, str]:
        simulation = self._logic.simulation
        assert simulation is not None
        return {str(player): message_text(simulation.tables, player, orders) for player, orders in simulation.carried_out.items()}
