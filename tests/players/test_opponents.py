"""Whom people play against, in every game that is installed."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

import ludarium
from ludarium.arena import play_game
from ludarium.players import opponents_of, parse_player, player_kinds
from ludarium.web.faces import face_of


@pytest.mark.parametrize("id", ludarium.list_games())
def test_opponents_can_be_named_and_look_different(id: str) -> None:
    game = ludarium.game(id)
    opponents = opponents_of(game)
    ids = [one.id for one in opponents]
    assert len(set(ids)) == len(ids) >= 5
    assert not set(ids) & set(player_kinds(game))
    faces = {face_of(id, one) for one in ids}
    assert len(faces) == len(ids)
    assert all(ElementTree.fromstring(face).tag.endswith("svg") for face in faces)
    assert {one.sentence[-1] for one in opponents} == {"."}


@pytest.mark.parametrize("id", ["expendibots", "expand-conquer", "hexabomb", "roboderby"])
def test_an_opponents_id_stands_for_its_spec(id: str) -> None:
    game = ludarium.game(id)
    for one in opponents_of(game):
        assert parse_player(one.id, game, longest=10.0).text == one.spec == parse_player(one.spec, game).text


def test_who_slips_plays_other_games() -> None:
    game = ludarium.game("tic-tac-toe")
    slips, other = (play_game(game, [spec, spec], seed=3).state.text for spec in ("greedy:slip=100", "greedy"))
    assert slips != other
    games = {play_game(game, ["greedy:slip=50", "greedy:slip=50"], seed=seed).state.text for seed in range(10)}
    assert len(games) > 5
    with pytest.raises(ludarium.BadOption, match="slip"):
        parse_player("greedy:slip=101", game)


def test_each_order_slips_by_itself() -> None:
    game = ludarium.game("hexabomb")
    state = game.start()
    differ: list[bool] = []
    for seed in range(20):
        meant, slipped = (parse_player(spec, game).make(game, seed).choose(state, 0).index for spec in ("bomber", "bomber:slip=50"))
        assert isinstance(meant, tuple)
        assert isinstance(slipped, tuple)
        differ += [one != other for one, other in zip(meant, slipped, strict=True)]
    assert 0.2 < sum(differ) / len(differ) < 0.8
