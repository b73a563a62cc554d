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
from .picture import chain_text, outcome_text, show_state
from .prompt import ask_line

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


class Left(Exception):
    """Somebody leaves the game unfinished."""


class TerminalGame:
    """One game, from its present state to its end or until somebody leaves."""

    def __init__(self, timeline: Timeline, specs: Sequence[PlayerSpec], seed: int) -> None:
        self.timeline = timeline
        self.specs = specs
        self.seed = seed
        self.commands = {word: meaning for word, meaning in COMMANDS.items() if word != "flip" or timeline.game.flips}
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
                screen().print(f"The game stays unfinished after {self.timeline.ply} turns.")
                return
        if self.timeline.outcome is not None:
            screen().print(outcome_text(self.timeline.state, self.timeline.outcome), soft_wrap=True)

    def _greet(self) -> None:
        names = self.timeline.game.player_names
        seats = ", ".join(f"{name}: {spec.text}" for name, spec in zip(names, self.specs, strict=True))
        screen().print(f"{self.timeline.game.title}  {seats}", style="bold", soft_wrap=True)
        if self.people:
            screen().print("Type an action, or ? for help.", style="dim")
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
                answer = self._ask_person(seat)
                if answer is None:
                    return
                chosen[seat] = answer
        self._act(chosen, seconds)

    def _act(self, chosen: dict[int, Action], seconds: dict[int, float]) -> None:
        before = self.timeline.state
        self.timeline.act(chosen, seconds)
        for seat, action in sorted(chosen.items()):
            name = "dice" if seat == CHANCE else before.game.player_names[seat]
            time = f"  ({seconds[seat]:.1f} s)" if seconds.get(seat, 0) >= 0.05 else ""
            chain = chain_text(before, action)
            screen().print(f"{name}  {action.text}{time}{f'  {chain}' if chain else ''}", style="bold", soft_wrap=True)
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

    def _obey(self, command: str, seat: int, texts: Sequence[str]) -> bool:
        """Do what a command says; whether the turn is over with it."""
        if command == "quit":
            raise Left
        if command == "resign":
            self.timeline.resign(seat)
            return True
        if command == "undo":
            return self._undo()
        reports: dict[str, Callable[[], None]] = {
            "?": lambda: self._help(texts),
            "actions": lambda: screen().print("  ".join(texts)),
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

    def _help(self, texts: Sequence[str]) -> None:
        for paragraph in self.timeline.game.how_to_play:
            screen().print(paragraph)
        examples = [texts[round(number * (len(texts) - 1) / 3)] for number in range(4)] if len(texts) > 4 else texts
        screen().print(f"Type an action, such as {', '.join(dict.fromkeys(examples))}, or one of:", soft_wrap=True)
        for word, meaning in self.commands.items():
            screen().print(f"  {word:<10}{meaning}")

    def _print_moves(self) -> None:
        texts = [" ".join(action.text for action in step.actions.values()) for step in self.timeline.steps[1:]]
        screen().print("  ".join(f"{number}. {text}" for number, text in enumerate(texts, start=1)) or "No turn has been played yet.")


def _action_texts(state: State, seat: int) -> list[str]:
    return [action.text for slot in range(state.game.slots) for action in state.actions(seat, slot)]
