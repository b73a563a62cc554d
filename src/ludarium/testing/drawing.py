"""Contracts on drawings: as SVG, for terminals, and what can be picked."""

from __future__ import annotations

import re
import xml.etree.ElementTree as xml

from ludarium.core.game import State

from .contracts import Played, at_dice, contract


def _picks_of(drawing: str) -> set[str | None]:
    return {element.get("data-pick") for element in xml.fromstring(drawing).iter()} - {None}


@contract()
def drawings_work_offline(played: Played) -> None:
    """A drawing is an SVG of the width that was asked for, without scripts and without anything from other servers; picks and cells have labels."""
    for state in played.positions:
        for seat in range(played.game.players):
            drawing = state.svg(size=300, seat=seat)
            root = xml.fromstring(drawing)
            assert root.tag == "{http://www.w3.org/2000/svg}svg", f"the drawing is a {root.tag}"
            assert root.get("width") == "300", f"a drawing of 300 pixels has the width {root.get('width')}"
            assert "<script" not in drawing, "the drawing has a script"
            found = re.search(r"""(href|src)\s*=\s*["'](https?:)?//""", drawing)
            assert found is None, f"the drawing asks another server: {found and found[0]}"
            for element in root.iter():
                name = element.get("data-pick", element.get("data-cell"))
                assert name is None or element.get("aria-label"), f"{name!r} has no aria-label"
        in_notebook = state._repr_svg_()  # pyright: ignore[reportPrivateUsage]  # notebooks ask for this name
        assert in_notebook == state.svg(), "a notebook gets another drawing"


@contract()
def picks_lead_to_every_action(played: Played) -> None:
    """Every legal action has a path of picks of its own; the first pick can be pointed at in the drawing, and no path is the beginning of another."""
    for state in played.positions:
        for player in () if at_dice(state) else state.to_move:
            pickable = _picks_of(state.svg(seat=player))
            for slot in range(played.game.dimensions.slots):
                _check_paths([played.game.picks(state, action) for action in state.actions(player, slot)], pickable, state)


def _check_paths(paths: list[tuple[str, ...]], pickable: set[str | None], state: State) -> None:
    assert len(set(paths)) == len(paths), f"two actions have one path of picks: {state!r}"
    beginnings = {path[:length] for path in paths for length in range(1, len(path))}
    for path in paths:
        assert path and all(isinstance(pick, str) and pick for pick in path), f"{path!r} is no path of picks: {state!r}"
        assert path[0] in pickable, f"{path[0]!r} cannot be pointed at in the drawing: {state!r}"
        assert path not in beginnings, f"the path {path} is the beginning of another: {state!r}"


@contract()
def effects_are_on_the_board(played: Played) -> None:
    """The effects of an action are things that can be pointed at in the drawing, each once."""
    if played.game.show.effects is None or played.game.dimensions.slots > 1:
        return
    for state in played.positions:
        if len(state.to_move) == 1 and not at_dice(state):
            pickable = _picks_of(state.svg())
            for action in state.actions():
                things = [thing for wave in played.game.show.effects_of(state, action) for thing in wave]
                assert len(set(things)) == len(things), f"{action.text} has an effect twice: {state!r}"
                assert pickable.issuperset(things), (
                    f"{action.text} has effects {set(things) - pickable} that are not in the drawing: {state!r}"
                )


@contract()
def boards_fit_a_terminal(played: Played) -> None:
    """The drawing for terminals tells something without colours, at most 80 characters wide; facts are one line each."""
    game = played.game
    for state in played.positions:
        for seat in range(game.players):
            lines = game.board(state, seat=seat).plain.splitlines()
            assert "".join(lines).strip(), f"the board is empty: {state!r}"
            assert max(map(len, lines)) <= 80, f"the board is {max(map(len, lines))} characters wide: {state!r}"
        assert str(state) == game.board(state).plain, f"str is not the board: {state!r}"
        for fact in game.facts(state):
            assert fact and "\n" not in fact, f"the fact {fact!r} is not one line: {state!r}"
