"""Contracts on what people type and on what is kept: actions, positions, records."""

from __future__ import annotations

import contextlib
import json
import pickle
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from ludarium.core.game import Event
from ludarium.core.record import Header, Recorder, read_record
from ludarium.core.timeline import Timeline
from ludarium.errors import BadNotation, IllegalAction

from .contracts import Played, at_dice, contract, refused

NONSENSE = ["", " ", "?", "xyzzy", "a", "-", "!", "a0", "0", "-1", "ä1", "a1" * 200, "\x00", "a1\nb2", "null", "{}", "🎲", "a2-a9", "z9!"]


@contract()
def positions_are_read_back(played: Played) -> None:
    """A position is one line; read back, with or without spaces around it, it is written in the same way, with the same players to move or, if it is over,
    the same returns, and it stands in ``repr``. Options that it tells are those that it is played with."""
    game = played.game
    for state in played.positions:
        text = state.text
        assert "\n" not in text and text == text.strip(), f"the text {text!r} is not one line without spaces around it"
        read = game.parse(text)
        assert read.text == text, f"{text!r} is read and written as {read.text!r}"
        if read.is_over or not state.is_over:  # what is over because it stood for the third time goes on when it is read
            assert read.to_move == state.to_move, f"{text!r} is read with {read.to_move} to move, not {state.to_move}"
            assert read.returns == state.returns, f"{text!r} is read with the returns {read.returns}, not {state.returns}"
        assert read == game.parse(f"  {text} ") == game.parse(text), f"{text!r} is read in different ways"
        assert pickle.loads(pickle.dumps(read)) == read, f"unpickled, {read!r} is another state"
        assert text in repr(state), f"{text!r} does not stand in {state!r}"
    assert game.parse(game.start().text) == game.start(), "the start is not read back as the start"
    for text in (timeline.state.text for timeline in played.games):
        told = type(game).options_in(text)
        assert type(game)(**{**game.options, **told}).parse(text).text == text, (
            f"the position {text!r} is not one of the options {told} that it tells"
        )


@contract()
def nonsense_is_refused_in_one_line(played: Played) -> None:
    """What is no action or no position is refused, with one line that says so."""
    game, state = played.game, played.games[0].steps[0].state
    accepted = {action.text for action in state.actions(state.to_move[0])}
    for text in NONSENSE:
        if text.strip() not in accepted:
            refused((BadNotation, IllegalAction), state.play, text)
            refused(BadNotation, game.parse, text)
            assert not type(game).options_in(text), f"{text!r} tells options, and is no position"
    things: tuple[Any, ...] = (None, 1.5, True, [], (), (1, 2, 3), b"a1", object())
    for thing in things:
        refused(IllegalAction, state.play, thing)
        refused(BadNotation, game.parse, thing)


@contract()
def records_replay_to_the_same_states(played: Played) -> None:
    """A record that is written, read and played again gives the same events, states and outcome; its header makes the same game."""
    game = played.game
    for seed, timeline in zip(played.seeds, played.games, strict=True):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "game.jsonl")
            with Recorder(path, Header.of(game, ["someone"] * game.players, seed)) as recorder:
                for event in timeline.events:
                    recorder.write(event)
            record = read_record(path)
        assert record.notice is None, record.notice
        assert type(game)(**record.header.options) == game, f"the options {record.header.options} of a record make another game"
        start, *others = record.events
        replayed = Timeline(game.parse(start["position"]))
        for event in others:
            replayed.apply(event)
        for step, again in zip(timeline.steps, replayed.steps, strict=True):
            assert again.state.text == step.state.text, f"replayed, {step.state!r} is {again.state!r}"
            assert again.state == step.state or timeline.steps[0].state != game.start(), f"replayed, {step.state!r} has another history"
        assert replayed.events == timeline.events and replayed.outcome == timeline.outcome, "replayed, a game has other events"


@contract()
def events_are_sentences_with_data(played: Played) -> None:
    """What happens in a step, and where a plan leads, is told in lines of text with data that JSON can carry."""
    for timeline in played.games:
        for before, step in zip(timeline.steps, timeline.steps[1:], strict=False):
            _are_sentences(before.state.events(step.actions))
    foresee = played.game.show.foresee
    if foresee is None:
        return
    for seen, player in ((state.seen_by(player), player) for state in played.positions if not at_dice(state) for player in state.to_move):
        for plan in ((), *((action.text,) for action in seen.actions(player))):
            with contextlib.suppress(IllegalAction):  # not everything that can be played is planned
                _are_sentences(foresee(seen, player, plan))


@contract(lambda game: game.show.summary is not None)
def what_is_told_of_a_game_is_lines(played: Played) -> None:
    """What is worth telling of a game that is over is short lines of text, however it went, and of one that ended at once, too."""
    summary = played.game.show.summary
    assert summary is not None  # or this contract does not concern the game
    for timeline in played.games:
        for steps in (timeline.steps, timeline.steps[:1]):
            for line in summary([step.state for step in steps], [step.actions for step in steps[1:]]):
                assert line.strip() and "\n" not in line and len(line) <= 120, f"{line!r} is no short line"


@contract(lambda game: game.show.measures is not None)
def measures_are_numbers_by_player(played: Played) -> None:
    """Measures have the same names in every position and to everybody, and a finite number for each player; players are ranked by one of them."""
    game = played.game
    names = list(game.show.measures_of(game.start()))
    assert game.show.ranked_by in (None, *names), f"players are ranked by {game.show.ranked_by!r}, which is not one of {names}"
    for state in played.positions:
        for seen in (state, state.seen_by(None)):
            measures = game.show.measures_of(seen)
            assert list(measures) == names, f"the measures {list(measures)} are not those of the start, {names}: {seen!r}"
            for name, numbers in measures.items():
                finite = len(numbers) == game.players and np.isfinite(numbers).all()
                assert finite, f"{name} is {numbers}, not a finite number for each player: {seen!r}"


def _are_sentences(events: Iterable[Event]) -> None:
    for event in events:
        assert event.text.strip() and "\n" not in event.text, f"{event.text!r} is not one line"
        assert json.loads(json.dumps(dict(event.data))) == event.data, f"JSON does not carry {event.data!r}"
