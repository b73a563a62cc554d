"""What must hold for every game that is installed, plug-ins included."""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import random
import re
import subprocess
import sys
import xml.etree.ElementTree as xml
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ludarium
from ludarium.core.random import generator_from
from ludarium.core.record import Header, Recorder, read_record
from ludarium.core.timeline import Timeline
from ludarium.errors import BadNotation, BadOption, IllegalAction
from tests.folders import ROOT
from tests.random_games import play_at_random, random_choice, random_step
from tests.short_games import short_game
from tests.tiny_games.cups import Cups

GAMES = ludarium.list_games()
SEEDS = range(3)

NONSENSE = ["", " ", "?", "xyzzy", "a", "-", "!", "a0", "0", "-1", "ä1", "a1" * 200, "\x00", "a1\nb2", "null", "{}", "🎲", "a2-a9", "z9!"]


def test_the_example_plug_in_is_installed() -> None:
    assert "tic-tac-toe" in GAMES, "install the example plug-in: pip install --editable examples/tic_tac_toe"
    assert "expendibots" in GAMES


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> ludarium.Game:
    return short_game(request.param)


@pytest.fixture
def games_played(game: ludarium.Game) -> list[Timeline]:
    return [play_at_random(game.start(seed), seed) for seed in SEEDS]


@pytest.fixture
def positions(games_played: list[Timeline]) -> list[ludarium.State]:
    """Two dozen states spread over the games, starts and ends included."""
    chosen: list[ludarium.State] = []
    for timeline in games_played:
        states = [step.state for step in timeline.steps]
        chosen += states[:: max(1, len(states) // 7)] + states[-1:]
    return chosen


@pytest.fixture(params=[*GAMES, "test-cups"])
def whole_game(request: pytest.FixtureRequest) -> Timeline:
    """A game of every kind, and of one that hides things and lets its players act independently."""
    game = Cups() if request.param == "test-cups" else short_game(request.param)
    return play_at_random(game.start(7), 7)


def spread(timeline: Timeline) -> list[ludarium.State]:
    """About two dozen of a game's states, from its start to its end."""
    states = [step.state for step in timeline.steps]
    return states[:: max(1, len(states) // 24)] + states[-1:]


def at_dice(state: ludarium.State) -> bool:
    return state.to_move == (ludarium.CHANCE,)


def test_what_a_game_says_about_itself(game: ludarium.Game) -> None:
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", game.id)
    assert game.title
    assert game.summary.endswith(".")
    assert "\n" not in game.summary
    assert all(paragraph.endswith(".") and "\n" not in paragraph for paragraph in game.how_to_play)
    assert game.version >= 1
    assert game.players == len(set(game.player_names)) >= 1
    assert isinstance(game.dtype, np.dtype)
    assert issubclass(game.dtype.type, np.record)
    assert 1 <= game.dimensions.max_actions <= game.dimensions.action_space
    assert eval(repr(game), {"ludarium": ludarium}) == game


def test_a_game_begins_runs_and_ends(game: ludarium.Game, games_played: list[Timeline]) -> None:
    start = game.start()
    assert not start.is_over
    assert start.outcome is None
    assert start.winner is None
    assert start.returns == (0.0,) * game.players
    assert game.start() == start
    for timeline in games_played:
        assert timeline.is_over
        for step in timeline.steps[:-1]:
            assert step.state.to_move
            assert step.state.outcome is None
            assert step.state.returns == (0.0,) * game.players
        end = timeline.state
        assert end.to_move == ()
        assert end.actions() == ()
        assert end.outcomes() == []
        outcome = end.outcome
        assert outcome is not None
        assert outcome.returns == end.returns
        assert all(-1 <= value <= 1 for value in end.returns)
        if game.players == 2:
            assert sum(end.returns) == 0
        assert outcome.winner == end.winner
        assert outcome.winner is None or end.returns[outcome.winner] == max(end.returns)
        assert outcome.reason
        assert "\n" not in outcome.reason
        for attempt in ({0: 0}, 0, "nonsense"):
            with pytest.raises((IllegalAction, BadNotation)):
                end.play(attempt)


def test_the_same_seed_gives_the_same_game(game: ludarium.Game) -> None:
    first, second = (play_at_random(game.start(5), 5) for _ in range(2))
    assert first.events == second.events
    assert first.state == second.state


def test_legal_actions_are_exactly_those_accepted(game: ludarium.Game, positions: list[ludarium.State]) -> None:
    choice = random.Random(1)
    for state in positions:
        if state.is_over or state.outcomes():
            continue
        for player in state.to_move:
            for slot in range(game.dimensions.slots):
                actions = state.actions(player, slot)
                assert actions == state.actions(player, slot)
                assert 1 <= len(actions) <= game.dimensions.max_actions
                indices = [action.index for action in actions]
                texts = [action.text for action in actions]
                assert len(set(indices)) == len(indices)
                assert len(set(texts)) == len(texts)
                assert all(0 <= index < game.dimensions.action_space for index in indices)
                if game.dimensions.slots > 1:
                    continue
                for action in actions:
                    for form in (action, action.text, action.index, np.int64(action.index)):
                        assert state.action(form, player) == action
                others = set(range(-2, game.dimensions.action_space + 2)) - set(indices)
                sample = choice.sample(sorted(others), min(len(others), 150))
                for index in [*sample, -(2**63), 2**63, 2**70]:
                    with pytest.raises(IllegalAction):
                        state.action(index, player)
        for outsider in [player for player in range(-3, game.players + 2) if player not in state.to_move]:
            with pytest.raises(IllegalAction):
                state.action(random_choice(state, state.to_move[0], choice), outsider)
        for nobody in (-2, game.players, game.players + 7):
            with pytest.raises(IllegalAction, match="there is no player"):
                state.actions(nobody)
            with pytest.raises(IllegalAction, match="there is no player"):
                state.observation(nobody)


def test_actions_of_another_position_are_refused_by_their_text(game: ludarium.Game, positions: list[ludarium.State]) -> None:
    for state in positions:
        if state.outcomes() or len(state.to_move) != 1 or game.dimensions.slots > 1:
            continue
        legal = {action.text for action in state.actions()}
        for other in positions:
            for action in other.actions() if len(other.to_move) == 1 and not at_dice(other) else ():
                if action.text not in legal:
                    with pytest.raises(IllegalAction) as refused:
                        state.play(action.text)
                    assert action.text in str(refused.value)


def test_nonsense_is_refused_in_one_line(game: ludarium.Game) -> None:
    state = game.start(1)
    accepted = {action.text for action in state.actions(state.to_move[0])}
    for text in NONSENSE:
        if text.strip() in accepted:
            continue
        with pytest.raises((BadNotation, IllegalAction)) as refused:
            state.play(text)
        assert "\n" not in str(refused.value)
        assert len(str(refused.value)) < 500
        with pytest.raises(BadNotation) as refused:
            game.parse(text)
        assert "\n" not in str(refused.value)
    for thing in (None, 1.5, True, [], (), (1, 2, 3), b"a1", object()):
        with pytest.raises(IllegalAction):
            state.play(thing)  # type: ignore[arg-type]


def test_playing_changes_nothing_but_returns_a_new_state(game: ludarium.Game, games_played: list[Timeline]) -> None:
    for timeline in games_played:
        before = [pickle.dumps(step.state) for step in timeline.steps]
        choice = random.Random(2)
        for step, remembered in zip(timeline.steps[:-1], before, strict=False):
            state = step.state
            assert state.play(random_step(state, choice)) != state
            assert pickle.dumps(state) == remembered
    state = game.start()
    name = game.dtype.names[0] if game.dtype.names else ""
    with pytest.raises(ValueError, match="read-only"):
        state.record[name] = 0
    field = state.record[name]
    if isinstance(field, np.ndarray):
        with pytest.raises(ValueError, match="read-only"):
            field[...] = 1
    assert state == game.start()


def test_equality_hash_and_pickling(game: ludarium.Game, games_played: list[Timeline]) -> None:
    again = ludarium.game(game.id, **game.options)
    assert again == game
    assert hash(again) == hash(game)
    assert pickle.loads(pickle.dumps(game)) == game
    for timeline in games_played:
        states = [step.state for step in timeline.steps]
        replayed = again.start() if states[0] == again.start() else states[0]
        for step in timeline.steps[1:]:
            replayed = replayed.play({player: action.index for player, action in step.actions.items()})
            assert replayed == step.state
            assert hash(replayed) == hash(step.state)
            copy = pickle.loads(pickle.dumps(step.state))
            assert copy == step.state
            assert hash(copy) == hash(step.state)
            assert copy.to_move == step.state.to_move
        assert len(set(states)) == len(states), "the history is part of a state, so no two states of a game are equal"
    assert game.start() != "a state"


def test_a_position_round_trips_through_its_text(game: ludarium.Game, positions: list[ludarium.State]) -> None:
    for state in positions:
        text = state.text
        assert "\n" not in text
        assert text == text.strip()
        read = game.parse(text)
        assert read.text == text
        assert game.parse(f"  {text} ") == read
        assert read == game.parse(read.text)
        assert pickle.loads(pickle.dumps(read)) == read
        assert text in repr(state)
    assert game.parse(game.start().text) == game.start()


def test_unused_bytes_are_zero(game: ludarium.Game, positions: list[ludarium.State]) -> None:
    """Equal states have equal bytes: what a copy by the rules writes into a zeroed record is all there is."""
    from ludarium.core.rules import copy_state

    for state in positions:
        target = np.zeros(1, game.dtype)
        _copy(copy_state, state, target)
        assert target.tobytes() == state.copy_records().tobytes()


def _copy(copy_state: Any, state: ludarium.State, target: np.ndarray[Any, Any]) -> None:
    from ludarium.core.jit import plain

    source = state.copy_records()
    plain(copy_state.implementations[type(state.game.tables)])(state.game.tables, source[0], target[0])


def test_observations(game: ludarium.Game, positions: list[ludarium.State]) -> None:
    for state in positions:
        for player in range(game.players):
            seen = state.observation(player)
            assert seen.shape == game.dimensions.observation_shape
            assert seen.dtype == np.float32
            assert np.isfinite(seen).all()
            assert (seen == state.observation(player)).all()


def test_dice_have_probabilities(game: ludarium.Game, positions: list[ludarium.State]) -> None:
    for state in positions:
        outcomes = state.outcomes()
        if state.to_move != (ludarium.CHANCE,):
            assert outcomes == []
            with pytest.raises(IllegalAction, match="no dice"):
                state.sample_chance(np.zeros(1, np.uint64))
            continue
        assert sum(probability for _, probability in outcomes) == pytest.approx(1)
        assert all(probability > 0 for _, probability in outcomes)
        assert 1 <= len(outcomes) <= game.dimensions.max_outcomes
        for action, _ in outcomes[:: max(1, len(outcomes) // 100)]:
            assert state.action(action.text) == action
        assert state.sample_chance(np.ones(1, np.uint64)) in [action for action, _ in outcomes]


def test_everybody_who_is_to_move_must_choose(game: ludarium.Game, positions: list[ludarium.State]) -> None:
    choice = random.Random(3)
    for state in positions:
        if state.is_over or state.outcomes():
            continue
        step = random_step(state, choice)
        with pytest.raises(IllegalAction):
            state.play({})
        for player in () if game.independent else state.to_move:
            with pytest.raises(IllegalAction):
                state.play({one: action for one, action in step.items() if one != player})
        with pytest.raises(IllegalAction):
            state.play({**step, game.players: next(iter(step.values()))})


def test_players_who_act_independently_may_act_in_any_order(whole_game: Timeline) -> None:
    choice = random.Random(4)
    for state in spread(whole_game):
        if not state.game.independent or len(state.to_move) < 2:
            continue
        step = random_step(state, choice)
        for order in (list(step), list(reversed(step))):
            after = state
            for player in order:
                if player not in after.to_move:  # chance comes first, for what another one chose
                    break
                after = after.play({player: step[player]})
            else:
                assert after == state.play(step)


def test_what_is_hidden_cannot_be_told_from_what_a_player_sees(whole_game: Timeline) -> None:
    generator = generator_from(1)
    game = whole_game.game
    differ = 0
    for state in spread(whole_game):
        for player in (*range(game.players), None):
            other = state.resample(player, generator)
            differ += other != state
            assert other.to_move == state.to_move
            seen = state.seen_by(player)
            assert other.seen_by(player) == seen, "a draw of what is hidden agrees with what the player knows"
            assert seen.resample(player, generator.copy()) == state.resample(player, generator.copy()), (
                "the draw does not look at what is hidden"
            )
            if player is None:
                continue
            assert (other.observation(player) == state.observation(player)).all()
            if not at_dice(state):
                assert other.actions(player) == state.actions(player)
    assert bool(differ) == (game.secrets is not None)
    for nobody in (-2, -1, game.players):
        with pytest.raises(IllegalAction, match="there is no player"):
            whole_game.state.seen_by(nobody)
        with pytest.raises(IllegalAction, match="there is no player"):
            whole_game.state.resample(nobody, generator)


@pytest.mark.slow
def test_what_a_player_sees_is_a_position(whole_game: Timeline) -> None:
    game = whole_game.game
    hidden = 0
    for state in spread(whole_game):
        watched = state.seen_by(None)
        assert state.is_public == (watched == state) == watched.is_public
        hidden += not state.is_public
        if game.secrets is None:
            assert state.is_public
        if state.is_public:
            assert all(state.seen_by(player) == state for player in range(game.players))
            assert all(state.resample(player, np.ones(1, np.uint64)) == state for player in range(game.players))
        for player in (*range(game.players), None):
            seen = state.seen_by(player)
            assert seen.seen_by(player) == seen
            assert seen.is_public == state.is_public
            assert seen.seen_by(None) == watched, "who only watches knows no more than a player"
            assert seen.to_move == state.to_move
            assert game.parse(seen.text).text == seen.text
            assert xml.fromstring(seen.svg(seat=player or 0)) is not None
            assert str(seen)
            assert all(fact for fact in game.facts(seen))
            if player is not None:
                assert (seen.observation(player) == state.observation(player)).all()
                if not at_dice(state):
                    assert seen.actions(player) == state.actions(player)
    assert bool(hidden) == (game.secrets is not None)


def test_events_are_sentences_with_data(whole_game: Timeline) -> None:
    for before, step in zip(whole_game.steps, whole_game.steps[1:], strict=False):
        for event in before.state.events(step.actions):
            assert event.text.strip()
            assert "\n" not in event.text
            assert json.loads(json.dumps(dict(event.data))) == event.data
        for player in step.actions if whole_game.game.secrets else ():
            assert whole_game.game.secrets.words(before.state, player).strip()


def test_a_record_replays_to_the_same_states(game: ludarium.Game, games_played: list[Timeline], tmp_path: Path) -> None:
    for seed, timeline in zip(SEEDS, games_played, strict=True):
        path = tmp_path / f"{seed}.jsonl"
        with Recorder(path, Header.of(game, ["someone"] * game.players, seed)) as recorder:
            timeline.listen(recorder.write)
        record = read_record(path)
        assert record.notice is None
        replayed = record.replay()
        assert [step.state.text for step in replayed.steps] == [step.state.text for step in timeline.steps]
        assert replayed.events == timeline.events
        assert replayed.outcome == timeline.outcome
        if timeline.steps[0].state == game.start():
            assert [step.state for step in replayed.steps] == [step.state for step in timeline.steps]


@pytest.mark.parametrize("id", GAMES)
def test_options(id: str) -> None:
    game = ludarium.game(id)
    with pytest.raises(BadOption) as refused:
        ludarium.game(game.id, no_such_option=1)
    assert "no_such_option" in str(refused.value)
    for name in ("id", "self", "options"):
        with pytest.raises(BadOption):
            ludarium.game(game.id, **{name: 1})
    for option in game.option_list:
        assert option.help
        assert option.accepted
        assert game.options[option.name] == option.default
        assert ludarium.game(game.id, **{option.name: option.default}) == game
        if option.kind != "text":
            for wrong in ("nonsense", "", None, [], float("nan"), float("inf"), True, "1e999"):
                if wrong is None and option.default is None:
                    continue
                with pytest.raises(BadOption) as refused:
                    ludarium.game(game.id, **{option.name: wrong})
                assert option.name in str(refused.value)
        for value in option.choices:
            other = ludarium.game(game.id, **{option.name: value})
            assert (other == game) == (value == option.default)
            assert play_at_random(other.start(1), 1, most=20).ply > 1
    with pytest.raises(TypeError):
        game.options["new"] = 1  # type: ignore[index]


def test_drawings(game: ludarium.Game, positions: list[ludarium.State]) -> None:
    for state in positions:
        for seat in range(game.players):
            drawing = state.svg(size=300, seat=seat)
            root = xml.fromstring(drawing)
            assert root.tag == "{http://www.w3.org/2000/svg}svg"
            assert root.get("width") == "300"
            assert "<script" not in drawing
            assert not re.search(r"""(href|src)\s*=\s*["'](https?:)?//""", drawing), "a drawing works offline"
            for element in root.iter():
                if element.get("data-pick") is not None:
                    assert element.get("aria-label")
        assert state._repr_svg_() == state.svg()


def test_picks_lead_to_every_action_and_begin_on_the_board(game: ludarium.Game, positions: list[ludarium.State]) -> None:
    """The first pick, and every later one that names a thing on the board, can be pointed at in the drawing."""
    for state in positions:
        if at_dice(state):
            continue
        for player in state.to_move:
            pickable = {element.get("data-pick") for element in xml.fromstring(state.svg(seat=player)).iter()} - {None}
            for slot in range(game.dimensions.slots):
                actions = state.actions(player, slot)
                paths = [game.picks(state, action) for action in actions]
                assert len(set(paths)) == len(paths)
                assert all(path and all(isinstance(pick, str) and pick for pick in path) for path in paths)
                for path in paths:
                    assert path[0] in pickable
                    for other in paths:
                        assert path == other or path != other[: len(path)], "no path is the beginning of another"


def test_effects_name_things_on_the_board(game: ludarium.Game, positions: list[ludarium.State]) -> None:
    for state in positions:
        if len(state.to_move) != 1 or state.outcomes() or game.dimensions.slots > 1:
            continue
        pickable = {element.get("data-pick") for element in xml.fromstring(state.svg()).iter()}
        for action in state.actions():
            things = [thing for wave in game.show.effects_of(state, action) for thing in wave]
            assert len(set(things)) == len(things)
            assert pickable.issuperset(things)


def test_text_boards_and_facts(game: ludarium.Game, positions: list[ludarium.State]) -> None:
    for state in positions:
        for seat in range(game.players):
            board = game.board(state, seat=seat)
            assert board.plain.strip()
            assert max(len(line) for line in board.plain.splitlines()) <= 80
        assert str(state) == game.board(state).plain
        for fact in game.facts(state):
            assert fact
            assert "\n" not in fact


PLAIN = """
import json, sys
sys.path.insert(0, sys.argv[1])
from tests.test_every_game import digest_of_games
print(json.dumps(digest_of_games(sys.argv[2], int(sys.argv[3]))))
"""


def digest_of_games(id: str, most: int) -> list[str]:
    """Digests of every state, its legal actions, returns and observations in seeded games."""
    digests: list[str] = []
    game = short_game(id)
    for seed in SEEDS:
        for step in play_at_random(game.start(seed), seed, most).steps:
            state = step.state
            digest = hashlib.sha256(state.copy_records().tobytes())
            digest.update(json.dumps([state.text, state.to_move, state.returns]).encode())
            for player in range(game.players):
                digest.update(state.observation(player).tobytes())
                digest.update(repr([action.index for action in state.actions(player)]).encode())
            digests.append(digest.hexdigest()[:16])
    return digests


@pytest.mark.slow
@pytest.mark.parametrize("id", GAMES)
def test_compiled_and_plain_rules_agree(id: str) -> None:
    most = 60
    command = [sys.executable, "-c", PLAIN, str(ROOT), id, str(most)]
    done = subprocess.run(command, env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    plain = json.loads(done.stdout)
    assert len(plain) > len(SEEDS) * 5
    assert plain == digest_of_games(id, most)
