"""Contracts on hidden things: positions that are blanked and drawn anew, and what is seen of the steps that led there."""

from __future__ import annotations

import itertools
import random
import xml.etree.ElementTree as xml
from collections.abc import Mapping, Sequence

import numpy as np

from ludarium.core import faces
from ludarium.core.course import Step
from ludarium.core.game import Action, Game, State
from ludarium.core.random import generator_from
from ludarium.core.rules import CHANCE, conceal
from ludarium.core.secrets import Seen
from ludarium.core.sight import Sight
from ludarium.core.timeline import Timeline
from ludarium.errors import IllegalAction

from .contracts import Played, at_dice, contract, has_secrets, refused
from .random_games import random_step

MOMENTS = 20
"""Moments of a game, spread evenly, at which everything that was done before is looked at once more."""

DRAWS = 16
"""Draws of what a viewer does not know."""

ENOUGH = 300
"""Draws after which what was the same in all of them is taken for known."""


def viewers(game: Game) -> tuple[int | None, ...]:
    """Every player, and somebody who only watches."""
    return (*range(game.players), None)


def levels(steps: Sequence[Step], ply: int, viewer: int | None, now: State) -> dict[int, Seen]:
    """What the game says that a viewer may know of each choice of a step."""
    secrets = now.game.secrets
    assert secrets is not None
    then = steps[ply - 1].state
    return {
        player: Seen.ALL if player == viewer else secrets.seen(then, player, action, viewer, now)
        for player, action in steps[ply].actions.items()
    }


@contract()
def draws_agree_with_what_is_seen(played: Played) -> None:
    """What is hidden is drawn anew without looking at it, and gives a position, so that nothing which the viewer knows changes: who is to move, what is
    seen, observed, legal."""
    generator, game = generator_from(1), played.game
    differ = 0
    for state in played.many_of_one_game:
        for viewer in viewers(game):
            where = f"viewer {viewer}: {state!r}"
            other = state.resample(viewer, generator)
            differ += other != state
            assert other.to_move == state.to_move, f"a draw of what is hidden changes who is to move; {where}"
            seen = state.seen_by(viewer)
            assert other.seen_by(viewer) == seen, f"a draw of what is hidden changes what is seen; {where}"
            assert game.parse(other.text).text == other.text, f"the text {other.text!r} of a draw is not read back; {where}"
            assert seen.resample(viewer, generator.copy()) == state.resample(viewer, generator.copy()), (
                f"the draw looks at what is hidden; {where}"
            )
            if viewer is not None:
                assert (other.observation(viewer) == state.observation(viewer)).all(), f"what is observed tells what is hidden; {where}"
                if not at_dice(state):
                    assert other.actions(viewer) == state.actions(viewer), f"legal actions tell what is hidden; {where}"
    assert bool(differ) == has_secrets(game), "draws of what is hidden always give the same; does the game hide anything?"
    for nobody in (-2, -1, game.players):
        refused(IllegalAction, played.games[0].state.seen_by, nobody, naming="there is no player")
        refused(IllegalAction, played.games[0].state.resample, nobody, generator, naming="there is no player")


@contract()
def what_is_seen_is_a_position(played: Played) -> None:
    """What a viewer sees of a position can be drawn, read back, observed and played from by that viewer; who only watches knows no more than a player."""
    game = played.game
    hidden = 0
    for state in played.many_of_one_game:
        watched = state.seen_by(None)
        assert state.is_public == (watched == state) == watched.is_public, f"it is not clear whether anything is hidden: {state!r}"
        hidden += not state.is_public
        if state.is_public:
            for player in range(game.players):
                assert state.seen_by(player) == state, f"player {player} does not see all of a public state: {state!r}"
                assert state.resample(player, np.ones(1, np.uint64)) == state, f"something is drawn in a public state: {state!r}"
        for viewer in viewers(game):
            seen, where = state.seen_by(viewer), f"viewer {viewer}: {state!r}"
            assert seen.seen_by(viewer) == seen, f"what is seen changes when it is blanked again; {where}"
            assert seen.is_public == state.is_public, f"a sight hides something where the state does not, or the other way round; {where}"
            assert seen.seen_by(None) == watched, f"who only watches knows more than a player; {where}"
            assert seen.to_move == state.to_move, f"blanking changes who is to move; {where}"
            assert game.parse(seen.text).text == seen.text, f"the text {seen.text!r} of a sight is not read back; {where}"
            assert xml.fromstring(seen.svg(seat=viewer or 0)) is not None and str(seen), f"a sight has no drawing; {where}"
            assert all(fact for fact in game.facts(seen)), f"a sight has an empty fact; {where}"
            if viewer is not None:
                assert (seen.observation(viewer) == state.observation(viewer)).all(), f"blanking changes what is observed; {where}"
                if not at_dice(state):
                    assert seen.actions(viewer) == state.actions(viewer), f"blanking changes what is legal; {where}"
        if not has_secrets(game) and conceal.implemented_for(game.tables):
            records = state.copy_records()
            faces.conceal_face(game.tables, records, -1)
            assert records.tobytes() == state.copy_records().tobytes(), (
                f"the rules hide something, and make_secrets returns None: {state!r}"
            )
    assert bool(hidden) == has_secrets(game), "every state is public; does the game hide anything?"


@contract(has_secrets)
def steps_are_seen_where_positions_change(played: Played) -> None:
    """A step of which a viewer sees nothing leaves what that viewer sees of the position as it was, and any other step does not: so the number of steps
    tells no more than the positions do."""
    for timeline in played.undealt:
        for ply, (before, after) in enumerate(itertools.pairwise(timeline.steps), start=1):
            for viewer in () if after.state.is_over else viewers(played.game):
                is_seen = any(levels(timeline.steps, ply, viewer, after.state).values())
                changes = before.state.seen_by(viewer) != after.state.seen_by(viewer)
                assert is_seen == changes, (
                    f"viewer {viewer} sees {'that' if is_seen else 'nothing of how'} {before.state!r} becomes {after.state!r}, "
                    f"and {'of both the same' if is_seen else 'another position'}: {after.state.seen_by(viewer)!r}"
                )


@contract(has_secrets)
def what_is_seen_stays_seen(played: Played) -> None:
    """What a viewer may know of a step never becomes less, and the record that the viewer may fetch tells just that: no closed choice, one's own all the
    same, and everything at the end. What stands for a closed choice is a line of text."""
    for timeline in played.undealt:
        for viewer in viewers(played.game):
            _check_moments(timeline, viewer)


def _check_moments(timeline: Timeline, viewer: int | None) -> None:
    game, steps = timeline.game, timeline.steps
    running = Timeline(steps[0].state)
    every = max(1, timeline.ply // MOMENTS)
    known: dict[int, dict[int, Seen]] = {}
    for now, step in enumerate(steps[1:], start=1):
        assert game.secrets is not None
        for player in step.actions:
            words = game.secrets.words(steps[now - 1].state.seen_by(viewer), player)
            assert words.strip() and "\n" not in words, f"{words!r} is not one line of text: {steps[now - 1].state!r}"
        running.act(step.actions)
        if running.is_over:
            assert Sight(running, viewer).recorded(running.events) == running.events, "the record of a game that is over lacks something"
            return
        for ply in range(1, now + 1) if now % every == 0 else (now,):
            for player, seen in levels(steps, ply, viewer, step.state).items():
                before = known.setdefault(ply, {}).get(player, Seen.NOTHING)
                assert seen >= before, f"of what {player} did in {steps[ply - 1].state!r}, viewer {viewer} saw {before!r} and now {seen!r}"
                known[ply][player] = seen
        if now % every == 0:
            told = [_told(event) for event in Sight(running, viewer).recorded(running.events)[1:]]
            assert told == _tellable(steps, known, now), f"a record tells viewer {viewer} more or less than what is seen: {step.state!r}"


def _told(event: Mapping[str, object]) -> object:
    return event["outcome"] if event["event"] == "chance" else event["actions"]


def _tellable(steps: Sequence[Step], known: Mapping[int, Mapping[int, Seen]], now: int) -> list[object]:
    """What a record may tell of the steps of which anything is known."""
    told: list[object] = []
    for ply in range(1, now + 1):
        texts = {
            player: action.text if known[ply][player] == Seen.ALL else None
            for player, action in steps[ply].actions.items()
            if known[ply][player] > Seen.NOTHING
        }
        if texts:
            told.append(texts[CHANCE] if CHANCE in texts else {str(player): text for player, text in texts.items()})
    return told


@contract(has_secrets)
def actions_tell_no_more_than_positions(played: Played) -> None:
    """Whoever sees all of a choice knows no more by it than the position afterwards shows.

    So what the position hides must still be able to vary when that very choice is made in everything that the viewer held possible before.
    """
    for timeline in played.undealt:
        every = max(1, timeline.ply // (2 * MOMENTS))
        for ply in range(1, len(timeline.steps), every):
            for viewer in viewers(played.game):
                _check_told(timeline.steps, ply, viewer)


def _check_told(steps: Sequence[Step], ply: int, viewer: int | None) -> None:
    before, after, actions = steps[ply - 1].state, steps[ply].state, steps[ply].actions
    seen = {} if after.is_over else levels(steps, ply, viewer, after)
    told = {player: action for player, action in actions.items() if seen.get(player) == Seen.ALL}
    if not set(told) - {viewer}:
        return
    choice, generator = random.Random(ply), generator_from(ply)
    hidden = _vary([after.resample(viewer, generator) for _ in range(DRAWS)])
    possible: list[State] = []
    for drawn in range(ENOUGH):
        if not hidden.any() or (drawn >= DRAWS and len(possible) < DRAWS // 4):
            return
        state = _retold(before.resample(viewer, generator), told, set(actions), choice)
        if state is not None and state.seen_by(viewer) == after.seen_by(viewer):
            possible.append(state)
            hidden &= ~_vary([possible[0], state])
    texts = ", ".join(action.text for action in told.values())
    raise AssertionError(f"viewer {viewer} is told '{texts}', by which it knows what is hidden in {after.seen_by(viewer)!r}")


def _vary(states: Sequence[State]) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Whether each byte of a state is not the same in all of them."""
    rows = np.array([state.copy_records().view(np.uint8) for state in states])
    return (rows != rows[0]).any(0)


def _retold(state: State, told: Mapping[int, Action], players: set[int], choice: random.Random) -> State | None:
    """The state after a step of which only some choices are known; None where those are illegal."""
    step = random_step(state, choice)
    try:
        return state.play({player: told[player].index if player in told else step[player] for player in players})
    except IllegalAction:
        return None
