"""Every contract finds what it is there for: a broken game each, and a game that breaks none."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from ludarium.core.game import Action, Dimensions, Game, State
from ludarium.core.rules import CHANCE
from ludarium.core.secrets import Secrets, Seen
from ludarium.games.roboderby.game import RoboDerby
from ludarium.games.roboderby.knowledge.screens import Screens
from ludarium.testing import CONTRACTS, Broken, check_game, rules, secrets, twins
from ludarium.testing.contracts import Played
from tests.folders import DOCS
from tests.tiny_games import faulty
from tests.tiny_games.cups import Cups
from tests.tiny_games.faulty import Faulty, WithSecrets
from tests.tiny_games.heap import Heap

BROKEN = [
    ("a-game-says-what-it-is", faulty.NoSentence()),
    ("options-are-checked", faulty.NoHelp()),
    ("games-begin-run-and-end", Faulty(fault=faulty.DOUBLED)),
    ("players-may-leave", faulty.Staying()),
    ("the-same-seed-gives-the-same-game", faulty.NoSeed()),
    ("playing-makes-a-new-state", Faulty(fault=faulty.IDLE)),
    ("games-and-states-are-values", faulty.Forgetful(rounds=2)),
    ("equal-states-have-equal-bytes", Faulty(fault=faulty.LACKING)),
    ("observations-have-their-shape", Faulty(fault=faulty.ENDLESS)),
    ("cleared-observations-take-others", Faulty(fault=faulty.SMEARED)),
    ("chance-has-probabilities", Faulty(fault=faulty.UNEVEN)),
    ("chance-has-probabilities", Faulty(fault=faulty.SIXES)),
    ("legal-actions-are-those-accepted", faulty.OneWord()),
    ("who-waits-can-choose-ahead", faulty.Impolite()),
    ("illegal-actions-are-named-when-refused", faulty.Curt()),
    ("everybody-who-is-to-move-chooses", faulty.Deaf()),
    ("independent-players-act-in-any-order", Faulty(fault=faulty.EARLY)),
    ("who-is-late-acts-legally", faulty.Late()),
    ("orders-are-picked-and-may-be-idle", faulty.Impatient()),
    ("positions-are-read-back", faulty.Unread()),
    ("positions-are-read-back", faulty.Unlike()),
    ("positions-are-read-back", faulty.Level()),
    ("nonsense-is-refused-in-one-line", faulty.Crashing()),
    ("records-replay-to-the-same-states", faulty.Misquoting()),
    ("events-are-sentences-with-data", faulty.Talkative()),
    ("what-is-told-of-a-game-is-lines", faulty.Rambling()),
    ("measures-are-numbers-by-player", faulty.Measured()),
    ("measures-are-numbers-by-player", faulty.Ranked()),
    ("measures-are-numbers-by-player", faulty.Alone()),
    ("drawings-work-offline", faulty.Scripted()),
    ("picks-lead-to-every-action", faulty.Pointless()),
    ("effects-are-on-the-board", faulty.FarReaching()),
    ("boards-fit-a-terminal", faulty.Wide()),
    ("draws-agree-with-what-is-seen", Faulty(fault=faulty.RESTLESS)),
    ("draws-agree-with-what-is-seen", Faulty(fault=faulty.GUESSED)),
    ("draws-agree-with-what-is-seen", Faulty(fault=faulty.LOADED)),
    ("what-is-seen-is-a-position", Faulty(fault=faulty.WATCHED)),
    ("what-is-seen-is-a-position", faulty.Unguarded()),
    ("what-is-seen-is-a-position", faulty.Veiled()),
    ("steps-are-seen-where-positions-change", WithSecrets(secrets="Unheard")),
    ("what-is-seen-stays-seen", WithSecrets(secrets="Forgotten")),
    ("actions-tell-no-more-than-positions", WithSecrets(secrets="Spoken")),
    ("actions-tell-no-more-than-positions", WithSecrets(secrets="Loud")),
    ("what-cannot-be-told-apart-looks-the-same", Faulty(fault=faulty.LIFTED)),
    ("what-cannot-be-told-apart-looks-the-same", WithSecrets(secrets="Loud")),
    ("what-cannot-be-told-apart-looks-the-same", WithSecrets(secrets="Hasty")),
    ("what-cannot-be-told-apart-looks-the-same", WithSecrets(secrets="Gossiping")),
]


@pytest.mark.parametrize(
    ("name", "game"), BROKEN, ids=[f"{name}-{type(game).__name__}-{'-'.join(map(str, game.options.values()))}" for name, game in BROKEN]
)
def test_a_contract_finds_a_broken_game(name: str, game: Game) -> None:
    contract = next(one for one in CONTRACTS if one.name == name)
    assert contract.concerns(game)
    with pytest.raises(Broken, match=f"breaks '{name}'"):
        contract.check(Played(game, (0, 1, 2)))


class ToldDice(Screens):
    """How dice fall behind a screen is told."""

    def seen(self, then: State, player: int, action: Action, viewer: int | None, now: State) -> Seen:
        return Seen.ALL if player == CHANCE else super().seen(then, player, action, viewer, now)


class HeardPlacing(Screens):
    """That a die is placed behind a screen can be heard: the list of moves counts those that are placed."""

    def seen(self, then: State, player: int, action: Action, viewer: int | None, now: State) -> Seen:
        return max(Seen.HAPPENED, super().seen(then, player, action, viewer, now))


class RobotsWithoutScreens(RoboDerby):
    screens: type[Screens] = ToldDice

    def make_secrets(self) -> Secrets:
        return self.screens()


class RobotsThatAreHeard(RobotsWithoutScreens):
    screens = HeardPlacing


def test_leaks_of_a_large_game_are_found() -> None:
    told, heard = (Played(kind(turn_limit=2), (0,)) for kind in (RobotsWithoutScreens, RobotsThatAreHeard))
    with pytest.raises(Broken, match=r"is told '.*', by which it knows what is hidden"):
        secrets.actions_tell_no_more_than_positions.check(told)
    with pytest.raises(Broken, match=r"tells viewer . apart what is hidden"):
        twins.what_cannot_be_told_apart_looks_the_same.check(told)
    with pytest.raises(Broken, match="and of both the same"):
        secrets.steps_are_seen_where_positions_change.check(heard)


def test_every_contract_has_a_broken_game() -> None:
    assert {name for name, _ in BROKEN} == {one.name for one in CONTRACTS}


def test_games_without_faults_break_none() -> None:
    check_game(Faulty(), seeds=(3, 4))
    check_game(Cups(rounds=2), seeds=[5])


def test_all_that_is_broken_is_said_at_once() -> None:
    class Speechless(faulty.NoSentence):
        def svg(self, state: object, **more: object) -> str:
            return "no drawing"

    with pytest.raises(ExceptionGroup, match=r"breaks [0-9] of") as broken:
        check_game(Speechless())
    told = [str(problem) for problem in broken.value.exceptions]
    assert any("'a game without a full stop' does not end with a full stop" in one for one in told)
    assert any("breaks 'drawings-work-offline' (random games of seeds (0, 1, 2)). A drawing is an SVG" in one for one in told)


@pytest.mark.parametrize(
    ("short", "problem"),
    [
        ({"max_actions": 1}, "there are 2 legal actions, and max_actions is 1: <"),
        ({"max_outcomes": 1}, "there are 6 outcomes, and max_outcomes is 1: <"),
        ({"observation_shape": (3,)}, "more is observed than has room in (3,): <"),
    ],
)
def test_too_small_dimensions_are_told_before_anything_is_overwritten(short: dict[str, Any], problem: str) -> None:
    class Short(Cups):
        def make_dimensions(self) -> Dimensions:
            return replace(super().make_dimensions(), **short)

    played = Played(Short(), (0,))
    for contract in (rules.games_begin_run_and_end, secrets.what_is_seen_is_a_position):
        with pytest.raises(Broken, match=re.escape(f"But: {problem}")):
            contract.check(played)


def test_a_game_that_is_stuck_is_told_as_what_it_is() -> None:
    class Silent(Cups):
        def reason(self, state: State) -> str:
            raise AssertionError

    said = [
        (Faulty(fault=faulty.STUCK), "player 0 is to move without a legal action: <"),
        (Faulty(fault=faulty.UNCAST), "dice are to fall, and there is no outcome: <"),
        (Silent(), "AssertionError: "),
    ]
    for game, problem in said:
        with pytest.raises(Broken, match=f"But: {problem}"):
            rules.games_begin_run_and_end.check(Played(game, (0,)))


def test_only_what_concerns_a_game_is_checked() -> None:
    of_secrets = {one.name for one in CONTRACTS if not one.concerns(Heap())}
    assert "what-cannot-be-told-apart-looks-the-same" in of_secrets
    assert "independent-players-act-in-any-order" in of_secrets
    assert "draws-agree-with-what-is-seen" not in of_secrets, "a game that says that it hides nothing must hide nothing"


def test_the_documentation_names_every_contract() -> None:
    page = (DOCS / "write-a-game.md").read_text(encoding="utf-8")
    told = re.findall(r"^\| `([a-z-]+)` \| (.*) \|$", page, re.MULTILINE)
    assert [row for row in told if row[0] in {one.name for one in CONTRACTS}] == [(one.name, one.promise) for one in CONTRACTS]
