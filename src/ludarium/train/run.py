"""A training run: generations of self-play, learning and a match that the new network has to pass, kept in a folder.

Everything that is finished is on the disk: games as they end, networks as they have learned. Whoever is killed loses the games in flight, and the steps of
learning of one generation.
"""

from __future__ import annotations

import io
import pickle
import queue
import threading
import time
from collections.abc import Callable, Generator, Iterable
from contextlib import ExitStack
from copy import deepcopy
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, TypeVar
from zipfile import BadZipFile

import torch
from torch import nn

from ludarium.arena.elo import elo_difference
from ludarium.core.cores import usable_cores
from ludarium.core.journal import Journal
from ludarium.core.locks import locked
from ludarium.core.pickling import Unpicklable
from ludarium.core.user_text import read_user_text
from ludarium.core.writing import write_bytes, write_text
from ludarium.errors import BadOption, BadRecord, StoreError, store_errors
from ludarium.search.gumbel import GumbelSearch

from .learning import Losses, learn
from .network import evaluator, make_network, to_onnx
from .positions import Positions, positions_of
from .self_play import PlayedGame, Side, play_games
from .settings import Settings, TeacherSettings
from .teacher import Teacher
from .travelling import play_on_cluster

SELF_PLAY_STREAM, LEARNING_STREAM, GATE_STREAM = 1 << 40, 2 << 40, 3 << 40
"""Added to the run's seed, far from each other, with ``number << 24`` for a generation."""

NO_CHECKPOINT = OSError, EOFError, pickle.UnpicklingError, RuntimeError, LookupError, TypeError, ValueError, AttributeError
"""What may come of reading a file that is none."""

MOST_ELO = 800.0
"""The difference that a match shows at most, where everything was won."""


Ended = TypeVar("Ended")
"""What a thread makes of a game."""


@dataclass(frozen=True)
class Progress:
    """How far a run is."""

    generation: int
    """From 1."""
    stage: str
    """``games``, ``learning`` or ``gate``."""
    done: int
    total: int
    per_second: float
    """Since this stage was begun or taken up."""


@dataclass(frozen=True)
class Generation:
    """What came of a generation."""

    number: int
    games: int
    positions: int
    """New ones."""
    seconds: float
    """Of its games, learning and gate, as far as this process did them."""
    policy_loss: float
    value_loss: float
    score: float
    """Of the gate, from 0 to 1."""
    passed: bool
    elo: float
    """Of the best network so far over the random one at the beginning: the sum of what the gates show."""


@dataclass
class _Kept:
    """What a checkpoint has, besides what PyTorch keeps of the two networks and the optimizer."""

    generation: int = 0
    """Generations that are finished."""
    elo: float = 0.0
    losses: Losses | None = None
    """Of the generation that is not finished, where it has learned."""


class Run(Unpicklable):
    """A run in a folder, from where it was. Nobody else works at it until it is closed (``with Run(…) as run``)."""

    send_instead = "send its settings and its folder"

    def __init__(
        self, settings: Settings, folder: Path, *, device: str = "cpu", threads: int | None = None, cluster: str | None = None
    ) -> None:
        """Begin a run, or take it up again.

        Args:
            device: of PyTorch: ``cpu``, ``cuda``.
            threads: that play, by default one a core.
            cluster: the address of a Ray that plays instead: ``auto``, ``HOST:PORT``, ``ray://HOST:PORT``.

        Raises:
            BadOption: the folder has a run with other settings; or there is no such device.
            BadRecord, StoreError: what is kept there is damaged, or cannot be read or written.
        """
        self.settings, self.folder = settings, folder
        self.threads = threads or len(usable_cores())
        self._device = usable_device(device)
        self._cluster = cluster
        if cluster and settings.teacher is not None:
            raise BadOption("cluster: games of a teacher are played on this computer")
        self._kept = _Kept()
        self._log = Journal(folder / "generations.jsonl", "the run's generations", {"ludarium": "training", "game": settings.game.id})
        self.generations: list[Generation] = []
        torch.manual_seed(settings.seed)
        self._network = make_network(settings.game, settings.network).to(self._device)
        if settings.initial is not None:
            try:
                found = torch.load(io.BytesIO(settings.initial), map_location=self._device, weights_only=True)
                self._network.load_state_dict(found["best"])
            except NO_CHECKPOINT as problem:
                raise BadOption(f"initial: no checkpoint of a run with such a network: {str(problem).splitlines()[0]}") from None
        self._best, self._average = deepcopy(self._network), deepcopy(self._network)
        self._optimizer = torch.optim.AdamW(self._network.parameters(), settings.learning.rate, weight_decay=settings.learning.weight_decay)
        self._locked = ExitStack()
        self._claim()
        self._load()

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *_: object) -> None:
        self._locked.close()

    def go_on(self, interrupted: Callable[[], bool]) -> Generator[Progress | Generation]:
        """Play, learn and judge until all generations are finished, or ``interrupted()`` says yes."""
        window = self._latest(self._kept_positions(number) for number in range(self._kept.generation, 0, -1))
        while self._kept.generation < self.settings.generations and not interrupted():
            number, started = self._kept.generation + 1, time.monotonic()
            new = yield from self._new_positions(number, interrupted)
            if new is None:
                return
            window = self._latest([new, *reversed(window)])
            if self._kept.losses is None:
                yield from self._learn(number, Positions.together(window), len(new), interrupted)
            if self._kept.losses is None:
                return
            score = yield from self._judge(number, interrupted)
            if score is None:
                return
            yield self._finish(number, len(new), score, time.monotonic() - started)

    # Stages

    def _new_positions(self, number: int, interrupted: Callable[[], bool]) -> Generator[Progress, None, Positions | None]:
        """A generation's positions; None when interrupted."""
        if self.settings.teacher is not None:
            return (yield from self._teach(number, self.settings.teacher, interrupted))
        games = self._games(number)
        yield from self._play(number, games, interrupted)
        return self._positions(games) if len(games) == self.settings.self_play.games else None

    def _teach(self, number: int, own: TeacherSettings, interrupted: Callable[[], bool]) -> Generator[Progress, None, Positions | None]:
        """Have the rules tell of random games' positions, which are kept when all are there."""
        if self._taught_file(number).exists():
            return self._kept_positions(number)
        seed = self.settings.seed + SELF_PLAY_STREAM + (number << 24)
        first = (number - 1) * own.games

        def teach(thread: int, stop: Callable[[], bool]) -> Generator[tuple[int, Positions]]:
            teacher = Teacher(self.settings.game, own.plies, own.same)
            for one in range(first + thread, first + own.games, self.threads):
                if stop():
                    return
                yield one, teacher.positions(self.settings.opening(seed, one), seed, one)

        made: dict[int, Positions] = {}
        started = time.monotonic()
        for one, positions in self._in_threads(teach, interrupted):
            made[one] = positions
            yield Progress(number, "games", len(made), own.games, len(made) / max(time.monotonic() - started, 1e-9))
        if len(made) < own.games:
            return None
        new = Positions.together(made[one] for one in sorted(made))
        with store_errors(f"{self._taught_file(number)} cannot be written"):
            self._taught_file(number).parent.mkdir(exist_ok=True)
            write_bytes(self._taught_file(number), new.as_bytes())
        return new

    def _play(self, number: int, games: dict[int, PlayedGame], interrupted: Callable[[], bool]) -> Generator[Progress]:
        """Play those games of a generation that are missing."""
        own, journal = self.settings.self_play, self._journal(number)
        missing = [one for one in range(own.games) if one not in games]
        side = self._sides(self._best, own.at_once, own.simulations)
        seed = self.settings.seed + SELF_PLAY_STREAM + (number << 24)

        def play(thread: int, stop: Callable[[], bool]) -> Generator[PlayedGame]:
            mine = side()
            return play_games(
                self.settings.game,
                missing[thread :: self.threads],
                lambda one: self.settings.opening(seed, one),
                lambda _: (mine, mine),
                at_once=own.at_once,
                max_plies=self.settings.max_plies,
                seed=seed,
                noisy_plies=own.noisy_plies,
                is_kept=True,
                interrupted=stop,
            )

        started, before = time.monotonic(), len(games)
        try:
            games_ended = (
                play_on_cluster(self._cluster, self.settings, self._best, missing, seed, interrupted)
                if self._cluster and missing
                else self._in_threads(play, interrupted)
            )
            for played in games_ended:
                journal.add(played.as_json())
                games[played.number] = played
                speed = (len(games) - before) / max(time.monotonic() - started, 1e-9)
                yield Progress(number, "games", len(games), own.games, speed)
        finally:
            journal.close()

    def _learn(self, number: int, positions: Positions, new: int, interrupted: Callable[[], bool]) -> Generator[Progress]:
        own = self.settings.learning
        done = (number - 1) / self.settings.generations
        for group in self._optimizer.param_groups:
            group["lr"] = own.rate * (1 - 0.9 * done)
        torch.set_num_threads(self.threads)
        steps = max(1, round(new * own.passes / own.batch))
        learning = learn(
            self._network,
            self._optimizer,
            positions,
            steps=steps,
            batch=own.batch,
            seed=self.settings.seed + LEARNING_STREAM + (number << 24),
            device=self._device,
            symmetries=self.settings.game.symmetries(),
            is_taught=self.settings.teacher is not None,
            average=self._average,
            kept=own.average if number > 1 else 0.0,  # of random weights nothing is to stay
        )
        started = time.monotonic()
        while not interrupted():
            try:
                step = next(learning)
            except StopIteration as end:
                self._kept.losses = end.value
                self._save()
                return
            yield Progress(number, "learning", step, steps, step / max(time.monotonic() - started, 1e-9))

    def _judge(self, number: int, interrupted: Callable[[], bool]) -> Generator[Progress, None, float | None]:
        """The new network's score against the best one: each opening is played twice, with the seats exchanged."""
        own, points, done = self.settings.gate, 0.0, 0
        new_side = self._sides(self._average, own.games, own.simulations)
        old_side = self._sides(self._best, own.games, own.simulations)
        seed = self.settings.seed + GATE_STREAM + (number << 24)

        def play(thread: int, stop: Callable[[], bool]) -> Generator[PlayedGame]:
            new, old = new_side(), old_side()
            return play_games(
                self.settings.game,
                range(thread, own.games, self.threads),
                lambda one: self.settings.opening(seed, one // 2),
                lambda one: (old, new) if one % 2 else (new, old),
                at_once=own.games,
                max_plies=self.settings.max_plies,
                interrupted=stop,
            )

        for played in self._in_threads(play, interrupted):
            points += (1 + played.returns[played.number % 2]) / 2
            done += 1
            yield Progress(number, "gate", done, own.games, 0.0)
        return points / done if done == own.games else None

    def _finish(self, number: int, positions: int, score: float, seconds: float) -> Generation:
        own, losses = self.settings, self._kept.losses
        assert losses is not None
        passed = score >= own.gate.score
        if passed:
            points = round(2 * score * own.gate.games)
            difference = elo_difference(points, 0, 2 * own.gate.games - points).difference
            self._kept.elo += min(MOST_ELO, MOST_ELO if difference is None else difference)
            self._best.load_state_dict(self._average.state_dict())
            write_bytes(self.folder / "best.onnx", to_onnx(deepcopy(self._best), own.game))
        games = own.self_play.games if own.teacher is None else own.teacher.games
        done = Generation(number, games, positions, round(seconds, 1), losses.policy, losses.value, score, passed, round(self._kept.elo, 1))
        self.generations.append(done)
        self._log.add(asdict(done))
        self._draw(done)
        self._kept = replace(self._kept, generation=number, losses=None)
        self._save()
        return done

    # Parts of stages

    def _sides(self, network: nn.Module, games: int, simulations: int) -> Callable[[], Side]:
        evaluate = evaluator(network, self._device)
        own = self.settings
        return lambda: Side(GumbelSearch(own.game, games, simulations=simulations, considered=own.self_play.considered), evaluate)

    def _in_threads(self, play: Callable[[int, Callable[[], bool]], Generator[Ended]], interrupted: Callable[[], bool]) -> Generator[Ended]:
        """The games of all threads, as they end."""
        ended: queue.SimpleQueue[Ended | BaseException | None] = queue.SimpleQueue()
        stop = threading.Event()

        def work(thread: int) -> None:
            torch.set_num_threads(1)  # of this thread, as of every other one here: they would be in each other's way
            try:
                for played in play(thread, stop.is_set):
                    ended.put(played)
                ended.put(None)
            except BaseException as problem:  # noqa: BLE001
                ended.put(problem)

        threads = [threading.Thread(target=work, args=(thread,), daemon=True) for thread in range(self.threads)]
        for thread in threads:
            thread.start()
        try:
            left = len(threads)
            while left:
                if interrupted():
                    stop.set()
                try:
                    played = ended.get(timeout=0.1)
                except queue.Empty:
                    continue
                if isinstance(played, BaseException):
                    raise played
                if played is None:
                    left -= 1
                else:
                    yield played
        finally:
            stop.set()
            for thread in threads:
                thread.join()

    def _kept_positions(self, number: int) -> Positions:
        """Those of a generation that are on the disk."""
        if self.settings.teacher is None:
            return self._positions(self._games(number))
        path = self._taught_file(number)
        try:
            with store_errors(f"{path} cannot be read"):
                return Positions.from_bytes(path.read_bytes())
        except (*NO_CHECKPOINT, BadZipFile):
            raise BadRecord(f"{path} has no positions of this run; move it away to have them made anew") from None

    def _taught_file(self, number: int) -> Path:
        return self.folder / "positions" / f"{number:04}.npz"

    def _positions(self, games: dict[int, PlayedGame]) -> Positions:
        return Positions.together(positions_of(self.settings.game, games[number]) for number in sorted(games))

    def _latest(self, generations: Iterable[Positions]) -> list[Positions]:
        """As many generations as fill the window, in their order; they are given from the latest on back."""
        kept: list[Positions] = []
        for part in generations:
            kept.insert(0, part)
            if sum(map(len, kept)) >= self.settings.learning.window:
                break
        return kept

    # What is kept

    def _claim(self) -> None:
        """Write the settings, or compare them."""
        with store_errors(f"{self.folder} cannot be used"):
            self.folder.mkdir(parents=True, exist_ok=True)
            if not self._locked.enter_context(locked(self.folder / "lock")):
                raise StoreError(f"{self.folder}: another process is at work on this run")
        for name, text in (("settings.toml", self.settings.text), ("openings.txt", self.settings.openings_text)):
            path = self.folder / name
            with store_errors(f"{path} cannot be read"):
                if path.exists() and read_user_text(path, StoreError) != text:
                    raise BadOption(f"{self.folder} has a run with other settings, see {path}; name another folder")
            write_text(path, text)

    def _journal(self, number: int) -> Journal:
        header = {"ludarium": "self-play", "game": self.settings.game.id, "version": self.settings.game.version}
        return Journal(self.folder / "games" / f"{number:04}.jsonl", "the games of self-play", header)

    def _games(self, number: int) -> dict[int, PlayedGame]:
        """The finished games of a generation, by their numbers."""
        games: dict[int, PlayedGame] = {}

        def take(line: Any) -> None:
            played = PlayedGame.from_json(line)
            games[played.number] = played

        self._journal(number).read(take, "a game")
        return games

    def _save(self) -> None:
        data = io.BytesIO()
        torch.save(
            {
                "kept": asdict(self._kept),
                "network": self._network.state_dict(),
                "average": self._average.state_dict(),
                "best": self._best.state_dict(),
                "optimizer": self._optimizer.state_dict(),
            },
            data,
        )
        write_bytes(self.folder / "checkpoint.pt", data.getvalue())

    def _load(self) -> None:
        path = self.folder / "checkpoint.pt"
        if not path.exists():
            return
        try:
            found = torch.load(path, map_location=self._device, weights_only=True)
            self._network.load_state_dict(found["network"])
            self._average.load_state_dict(found["average"])
            self._best.load_state_dict(found["best"])
            self._optimizer.load_state_dict(found["optimizer"])
            losses = found["kept"].pop("losses")
            self._kept = _Kept(**found["kept"], losses=Losses(**losses) if losses else None)
        except NO_CHECKPOINT as problem:
            raise StoreError(f"{path} is no checkpoint of this run: {problem}") from None
        known: dict[int, Generation] = {}

        def take(line: Any) -> None:
            known[line["number"]] = Generation(**line)  # of one that was judged twice, as it was cut off in between, the later line counts

        self._log.read(take, "a generation")
        self.generations = [known[number] for number in range(1, self._kept.generation + 1)]

    def _draw(self, done: Generation) -> None:
        """Tell TensorBoard."""
        from torch.utils.tensorboard import SummaryWriter

        with SummaryWriter(str(self.folder / "tensorboard")) as writer:
            for name, value in asdict(done).items():
                if name != "number":
                    writer.add_scalar(name, float(value), done.number)


def usable_device(name: str) -> torch.device:
    """One of PyTorch's, by its name; on a graphics card matrices are multiplied with 10 bits behind the point, which is much faster.

    Raises:
        BadOption: there is no such device.
    """
    try:
        device = torch.device(name)
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError) as problem:
        raise BadOption(f"device {name} cannot be used: {str(problem).splitlines()[0]}") from None
    if device.type != "cpu":
        torch.set_float32_matmul_precision("high")
    return device
