"""Liar's Dice as a :class:`ludarium.core.game.Game`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from ludarium.core.game import Action, Dimensions, Event, Game, State
from ludarium.core.hints import not_an_action
from ludarium.core.jit import plain
from ludarium.core.options import Option
from ludarium.core.rules import CHANCE
from ludarium.core.secrets import Secrets, Seen
from ludarium.core.show import Overdue, Show
from ludarium.errors import IllegalAction

from .notation import SEATS, action_index, action_text, faces_of, position_text, read_position, read_roll
from .rules import DTYPE, FACES, LIAR, MOST_DICE, MOST_PLAYERS, LiarsDiceTables, challenge, make_tables, next_to_roll

if TYPE_CHECKING:
    from rich.text import Text

__all__ = ["LiarsDice"]


class UnderCups(Secrets):
    """A roll is its owner's secret until the cups are lifted; everybody sees that there was one, and hears all bids."""

    def seen(self, then: State, player: int, action: Action, viewer: int | None, now: State) -> Seen:
        lifted = now.record.left.sum() < then.record.left.sum()  # every challenge costs a die
        return Seen.ALL if player != CHANCE or lifted or viewer == _roller(then) else Seen.HAPPENED

    def words(self, then: State, player: int) -> str:
        return f"{SEATS[_roller(then)]} rolls"


class LiarsDice(Game):
    """Dice under cups, and bids about all of them together. Players sit in a circle, North first."""

    id = "liars-dice"
    title = "Liar's Dice"
    summary = "Bid how many dice of a face lie under all cups together, and catch whoever bids too many."
    how_to_play = (
        "Everybody rolls some dice under a cup and looks at one's own. In turns, players bid how many dice of one face there are under all cups: "
        "3x5 says at least three fives. Every bid is higher than the last: more dice of any face, or as many of a higher face.",
        "Instead of bidding you may call the last bid a lie. All cups are lifted. If there are fewer dice than were bid, the bidder loses a die, "
        "otherwise you do; then everybody rolls again, and whoever lost begins.",
        "Ones are wild, unless the game was made otherwise: they count as whatever face was bid. Whoever has no dice is out; the last one with dice wins.",
    )
    version = 1
    option_list = (
        Option("players", "whole number", 2, "how many play", minimum=2, maximum=MOST_PLAYERS),
        Option("dice", "whole number", 3, "how many dice everybody begins with", minimum=1, maximum=MOST_DICE),
        Option("ones", "word", "wild", "whether ones count as every face", choices=("wild", "plain")),
    )
    dtype: ClassVar[Any] = DTYPE

    def make_tables(self) -> LiarsDiceTables:
        return make_tables(self.options["players"], self.options["dice"], wild=self.options["ones"] == "wild")

    def make_dimensions(self) -> Dimensions:
        actions = 1 + FACES * self.tables.players * self.tables.dice
        outcomes = int(self.tables.first[-1] - self.tables.first[-2])
        return Dimensions(SEATS[: self.tables.players], actions, actions, (17 + MOST_PLAYERS,), max_outcomes=outcomes)

    def make_secrets(self) -> Secrets:
        return UnderCups()

    def make_show(self) -> Show:
        return Show(flips=True, prompt="Choose how many dice you bid", step_text=_step_text, events=_events)

    def make_overdue(self) -> Overdue:
        return Overdue("the last bid is called a lie, and the first bid is 1x1", lambda state, player: state.actions(player)[0])

    def write_initial(self, record: Any) -> None:
        record.left[: self.tables.players] = self.tables.dice

    def write_parsed(self, text: str, record: Any) -> None:
        read_position(self.tables, text, record)

    def state_text(self, state: State) -> str:
        return position_text(self.players, state.record)

    def action_text(self, state: State, player: int, action: Any) -> str:
        return faces_of(self.tables.rolls[action]) if player == CHANCE else action_text(int(action))

    def action_index(self, state: State, player: int, text: str) -> int:
        if player == CHANCE:
            return read_roll(self.tables, int(state.record.left[_roller(state)]), text)
        index, bid = action_index(text), int(state.record.bid)
        if index is None:
            raise not_an_action(state, player, text, {".*x.*": "at least so many dice of that face", "liar": "the last bid is too high"})
        if LIAR < index <= bid:
            raise IllegalAction(f"'{text}' is not higher than the last bid, {action_text(bid)}")
        return index

    def reason(self, state: State) -> str:
        return "" if state.to_move else f"{SEATS[int(state.record.left.argmax())]} is the last with dice"

    def facts(self, state: State) -> tuple[str, ...]:
        dice = int(state.record.left.sum())
        return (f"{dice} dice are left" if dice > 1 else "1 die is left", f"Ones are {self.options['ones']}")

    def picks(self, state: State, action: Action) -> tuple[str, ...]:
        if action.index == LIAR or state.to_move == (CHANCE,):
            return (action.text,)
        number, face = action.text.split("x")
        return (f"{number}x", f"x{face}")

    def svg(self, state: State, *, size: int = 480, last: Action | None = None, seat: int = 0) -> str:
        from .drawing import svg

        return svg(state, size=size, seat=seat)

    def board(self, state: State, *, last: Action | None = None, seat: int = 0) -> Text:
        from .drawing import board

        return board(state, seat=seat)


def _roller(state: State) -> int:
    return plain(next_to_roll)(state.game.tables, state.record)


def _step_text(state: State, actions: Mapping[int, Action]) -> str:
    ((player, action),) = actions.items()
    return f"{SEATS[_roller(state) if player == CHANCE else player]}: {action}"


def _events(state: State, actions: Mapping[int, Action]) -> tuple[Event, ...]:
    """What is under the cups when they are lifted, and who loses a die."""
    ((player, action),) = actions.items()
    names, record = state.game.player_names, state.record
    cups = {seat: faces_of(record.dice[seat]) for seat in range(state.game.players) if record.left[seat]}
    if player == CHANCE or action.index != LIAR or not all(cups.values()):
        return ()
    count, loser = plain(challenge)(state.game.tables, record)
    events = [
        Event(f"{names[seat]} shows {' '.join(faces)}", {"kind": "cup", "player": seat, "dice": faces}) for seat, faces in cups.items()
    ]
    there = "1 die counts" if count == 1 else f"{count} dice count"
    bid = f"{names[record.bidder]}'s {action_text(int(record.bid))}"
    events.append(Event(f"{there} for {bid}: {names[loser]} loses a die", {"kind": "loss", "player": loser, "count": count}))
    if record.left[loser] == 1:
        events.append(Event(f"{names[loser]} is out", {"kind": "out", "player": loser}))
    return tuple(events)
