"""A game at the terminal: shows it, asks people, lets programs think."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack

from ludarium.arena import ask
from ludarium.arena.play import CHANCE_STREAM, player_seed
from ludarium.core.game import Action, State
from ludarium.core.random import generator_from
from ludarium.core.rules import CHANCE
from ludarium.core.timeline import Timeline
from ludarium.errors import LudariumError, PlayerFailed
from ludarium.players import Player, PlayerSpec

from .common import screen
from .orders import OrderSheet, takes_orders, words_of
from .picture import chain_text, outcome_text, show_state
from .prompt import alone, ask_line

__all__ = ["TerminalGame"]

COMMANDS = {
    "?": "this help",
    "actions": "everything that you may do now",
    "moves": "the game so far",
    "position": "the position in one line, as --start takes it",
    "flip": "turn the board around",
    "undo": "go back to the last choice that a person made",
    "resign": "give up",
    "quit": "leave the game",
}

ORDER_COMMANDS = {
    "send": "give the orders; so does an empty line when there are any",
    "clear": "take back all orders that are not sent yet",
}
"""Further words where a person gives several orders before they are sent."""


class Left(Exception):
    """Somebody leaves the game unfinished."""


class TerminalGame:
    """One game, from its present state to its end or until somebody leaves."""

    def __init__(self, timeline: Timeline, specs: Sequence[PlayerSpec], seed: int) -> None:
        self.timeline = timeline
        self.specs = specs
        self.seed = seed
        self.with_orders = takes_orders(timeline.state)
        words = ORDER_COMMANDS | COMMANDS if self.with_orders else COMMANDS
        self.commands = {word: meaning for word, meaning in words.items() if word != "flip" or timeline.game.flips}
        self.people = [seat for seat, spec in enumerate(specs) if spec.is_human]
        self.bottom = self.people[0] if self.people else 0
        self._programs: dict[int, Player] = {}
        self._generator = generator_from(seed, CHANCE_STREAM)

    def run(self) -> None:
        """Play. Ctrl-C passes through, with players closed."""
        with ExitStack() as open_things:
            for seat, spec in enumerate(self.specs):
                if not spec.is_human:
                    self._programs[seat] = spec.make(self.timeline.game, player_seed(self.seed, seat))
                    open_things.callback(self._programs[seat].close)
            self._greet()
            try:
                while not self.timeline.is_over:
                    self._take_turn()
            except Left:
                turns = sum(CHANCE not in step.actions for step in self.timeline.steps[1:])
                screen().print(f"The game stays unfinished after {turns} turn{'s' * (turns != 1)}.")
                return
        if self.timeline.outcome is not None:
            screen().print(outcome_text(self.timeline.state, self.timeline.outcome), soft_wrap=True)

    def _greet(self) -> None:
        names = self.timeline.game.player_names
        seats = ", ".join(f"{name}: {spec.text}" for name, spec in zip(names, self.specs, strict=True))
        screen().print(f"{self.timeline.game.title}  {seats}", style="bold", soft_wrap=True)
        if self.people:
            screen().print(f"Type {'orders' if self.with_orders else 'an action'}, or ? for help.", style="dim")
        self._show()

    def _show(self) -> None:
        screen().print()
        show_state(self.timeline.state, last=self.timeline.steps[-1].action, seat=self.bottom)
        screen().print()

    def _take_turn(self) -> None:
        state = self.timeline.state
        if state.to_move == (CHANCE,):
            self._act({CHANCE: state.sample_chance(self._generator)}, {})
            return
        chosen: dict[int, Action] = {}
        seconds: dict[int, float] = {}
        for seat in sorted(state.to_move, key=self.people.__contains__):
            if seat in self._programs:
                try:
                    chosen[seat], seconds[seat] = self._let_think(seat)
                except PlayerFailed as problem:
                    self.timeline.forfeit(seat, str(problem))
                    return
            else:
                answer = self._ask(seat)
                if answer is None:
                    return
                chosen[seat] = answer
        self._act(chosen, seconds)

    def _ask(self, seat: int) -> Action | None:
        """A person's action, which other people who choose at the same time do not see; None when something else was done with the game instead."""
        ask_person = self._ask_for_orders if self.with_orders else self._ask_person
        if sum(other in self.people for other in self.timeline.state.to_move) < 2:
            return ask_person(seat)
        with alone(self.timeline.game.player_names[seat]):
            if screen().is_terminal:
                self._show()
            return ask_person(seat)

    def _act(self, chosen: dict[int, Action], seconds: dict[int, float]) -> None:
        before = self.timeline.state
        self.timeline.act(chosen, seconds)
        for seat, action in sorted(chosen.items()):
            name = "dice" if seat == CHANCE else before.game.player_names[seat]
            time = f"  ({seconds[seat]:.1f} s)" if seconds.get(seat, 0) >= 0.05 else ""
            chain = chain_text(before, action)
            text = words_of(before, seat, action) if self.with_orders and seat != CHANCE else action.text
            screen().print(f"{name}  {text}{time}{f'  {chain}' if chain else ''}", style="bold", soft_wrap=True)
        if self.timeline.state.to_move != (CHANCE,):
            self._show()

    def _let_think(self, seat: int) -> tuple[Action, float]:
        name = self.timeline.game.player_names[seat]
        if not screen().is_terminal:
            return ask(self._programs[seat], self.timeline.state, seat)
        with screen().status(f"{name} thinks …", spinner="dots"):
            return ask(self._programs[seat], self.timeline.state, seat)

    def _ask_person(self, seat: int) -> Action | None:
        """A person's action; None when something else was done with the game instead."""
        state = self.timeline.state
        texts = _action_texts(state, seat)
        while True:
            line = ask_line(f"{state.game.player_names[seat]}> ", [*texts, *self.commands])
            if line is None:
                raise Left
            if not line:
                continue
            if line.lower() in self.commands and line not in texts:
                if self._obey(line.lower(), seat, texts):
                    return None
                continue
            try:
                return state.action(line, seat)
            except LudariumError as problem:
                screen().print(f"{problem}. Type ? for help.", style="yellow", soft_wrap=True)

    def _ask_for_orders(self, seat: int) -> Action | None:
        """The same where a person gives orders until they are sent."""
        state = self.timeline.state
        sheet = OrderSheet(state, seat)
        while True:
            line = ask_line(f"{state.game.player_names[seat]}> ", [*sheet.words(), *self.commands])
            if line is None:
                raise Left
            command = line.lower()
            try:
                if command == "send" or (not line and not sheet.is_empty):
                    return sheet.action()
                if not line:
                    screen().print(
                        "There are no orders yet. Type some, or 'send' to do nothing on this turn.", style="yellow", soft_wrap=True
                    )
                elif command == "clear" or command not in self.commands:
                    sheet.clear() if command == "clear" else sheet.read(line)
                    self._show_orders(sheet)
                elif self._obey(command, seat, (), sheet):
                    return None
            except LudariumError as problem:
                screen().print(f"{problem}. Type ? for help.", style="yellow", soft_wrap=True)

    def _show_orders(self, sheet: OrderSheet) -> None:
        state, action = self.timeline.state, sheet.draft()
        screen().print()
        show_state(state, board=state.game.board_with_orders(state, sheet.seat, action, seat=self.bottom))
        screen().print()
        screen().print(f"To be sent: {words_of(state, sheet.seat, action)}", style="bold", soft_wrap=True)

    def _obey(self, command: str, seat: int, texts: Sequence[str], sheet: OrderSheet | None = None) -> bool:
        """Do what a command says; whether the turn is over with it."""
        if command == "quit":
            raise Left
        if command == "resign":
            self.timeline.resign(seat)
            return True
        if command == "undo":
            return self._undo()
        reports: dict[str, Callable[[], None]] = {
            "?": lambda: self._help(texts, sheet),
            "actions": lambda: self._print_actions(texts, sheet),
            "moves": self._print_moves,
            "position": lambda: screen().print(self.timeline.state.text, soft_wrap=True),
            "flip": self._flip,
        }
        reports[command]()
        return False

    def _undo(self) -> bool:
        steps = self.timeline.steps
        last = next((number for number in range(len(steps) - 1, 0, -1) if any(seat in steps[number].actions for seat in self.people)), None)
        if last is None:
            screen().print("There is nothing to take back yet.", style="yellow")
            return False
        self.timeline.take_back(len(steps) - last)
        self._show()
        return True

    def _flip(self) -> None:
        self.bottom = (self.bottom + 1) % self.timeline.game.players
        self._show()

    def _help(self, texts: Sequence[str], sheet: OrderSheet | None) -> None:
        for paragraph in (*self.timeline.game.how_to_play, *self.timeline.game.how_to_type):
            screen().print(paragraph)
        if sheet is None:
            examples = [texts[round(number * (len(texts) - 1) / 3)] for number in range(4)] if len(texts) > 4 else texts
            screen().print(f"Type an action, such as {', '.join(dict.fromkeys(examples))}, or one of:", soft_wrap=True)
        else:
            screen().print(
                "Orders may be given one after another or several in a line; they are shown on the board, and a later one replaces an earlier one."
            )
            screen().print("Words may be cut short, and those before numbers left out, as long as it is clear what is meant.")
            screen().print(f"Type orders, such as {sheet.example()}, or one of:", soft_wrap=True)
        for word, meaning in self.commands.items():
            screen().print(f"  {word:<10}{meaning}")

    def _print_actions(self, texts: Sequence[str], sheet: OrderSheet | None) -> None:
        if sheet is None:
            screen().print("  ".join(texts))
            return
        for name, choices in sheet.choices():
            screen().print(f"{name}  {' | '.join(choices)}", soft_wrap=True)

    def _print_moves(self) -> None:
        texts = [self._step_text(number) for number in range(1, len(self.timeline.steps))]
        screen().print("  ".join(f"{number}. {text}" for number, text in enumerate(texts, start=1)) or "No turn has been played yet.")

    def _step_text(self, number: int) -> str:
        before, actions = self.timeline.steps[number - 1].state, self.timeline.steps[number].actions
        if not self.with_orders or CHANCE in actions:
            return " ".join(action.text for action in actions.values())
        return ", ".join(f"{before.game.player_names[seat]} {words_of(before, seat, action)}" for seat, action in actions.items())


def _action_texts(state: State, seat: int) -> list[str]:
    return [action.text for slot in range(state.game.slots) for action in state.actions(seat, slot)]
