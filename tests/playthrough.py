"""One game from start to end with everything that can be observed, as text: a change of behaviour shows as a difference.

``python -m tests.playthrough`` writes the files in ``tests/snapshots`` anew. Read the differences before committing them.
"""

from __future__ import annotations

import hashlib
import json
import xml.etree.ElementTree as xml
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

import ludarium
from ludarium.core.game import Action, State
from ludarium.core.jit import kernel
from ludarium.core.rules import evaluate, position_key
from ludarium.testing.random_games import play_at_random
from tests.short_games import short_game

FOLDER = Path(__file__).parent / "snapshots"
SEED = 2020
LINE = 110
MANY_LINES = 100
LENGTH = 40_000
"""Characters after which positions are told by their digests alone."""


def playthrough(id: str) -> str:
    """The game of one seed, every state with all its observables."""
    game = short_game(id)
    timeline = play_at_random(game.start(SEED), SEED)
    parts = [_about(game)]
    for number, step in enumerate(timeline.steps):
        chosen = timeline.steps[number + 1].actions if number < timeline.ply else {}
        observables = _observables(step.state, step.action, chosen)
        if sum(map(len, parts)) > LENGTH and number < timeline.ply:
            parts.append(f"Position {number}: {_digest(observables.encode())}")
        else:
            parts.append(f"── Position {number} " + "─" * 60 + "\n" + observables)
    parts.append("── Events " + "─" * 60 + "\n" + "\n".join(json.dumps(event, ensure_ascii=False) for event in timeline.events) + "\n")
    return "\n".join(parts)


def _about(game: ludarium.Game) -> str:
    size = game.dimensions
    lines = [
        f"{game!r}, version {game.version}: {game.title}",
        game.summary,
        f"players: {', '.join(game.player_names)}",
        *(f"option {option.name} ({option.accepted}; default {option.default}): {option.help}" for option in game.option_list),
        f"action space {size.action_space}, at most {size.max_actions} actions, {size.slots} slots, at most {size.max_outcomes} outcomes",
        f"observation {size.observation_shape}, hidden information: {game.secrets is not None}",
        f"state of {game.dtype.itemsize} bytes: {', '.join(game.dtype.names or ())}",
        f"tables: {', '.join(f'{name} {_brief(value)}' for name, value in zip(game.tables._fields, game.tables, strict=True))}",
    ]
    return "\n".join(lines) + "\n"


def _observables(state: State, last: Action | None, chosen: Mapping[int, Action]) -> str:
    game = state.game
    names = [game.player_names[player] if player >= 0 else "chance" for player in state.to_move]
    lines = [
        str(state),
        "",
        f"text: {state.text}",
        f"to move: {state.to_move} {', '.join(names)}",
        *(f"fact: {fact}" for fact in game.facts(state)),
    ]
    lines += [f"returns: {state.returns}, winner: {state.winner}, outcome: {state.outcome}"]
    lines += _few([f"outcome {action.index} {action.text}: {probability:.6f}" for action, probability in state.outcomes()])
    for player in state.to_move if state.to_move != (ludarium.CHANCE,) else ():
        for slot in range(game.dimensions.slots):
            actions = state.actions(player, slot)
            lines += _wrapped(
                f"actions of {player}" + (f", slot {slot}" if game.dimensions.slots > 1 else ""),
                [f"{one.index}={one.text}" for one in actions],
            )
            if actions:
                effects = [(one.text, game.show.effects_of(state, one)) for one in actions if game.show.effects_of(state, one)]
                lines += _wrapped("picks", ["·".join(game.picks(state, one)) for one in (actions[0], actions[-1])])
                lines += [f"effects of {text}: {' → '.join(','.join(wave) for wave in waves)}" for text, waves in effects]
    for player in range(game.players):
        seen = state.observation(player)
        lines.append(f"observation of {player}: sums {[round(float(plane.sum()), 4) for plane in seen]}, digest {_digest(seen.tobytes())}")
    lines += _optional(state)
    labels = _labels(state.svg(last=last))
    lines.append(
        f"bytes: {_digest(state.copy_records().tobytes())}; drawing: {len(labels)} things, {_digest(chr(10).join(labels).encode())}"
    )
    if chosen:
        lines.append(f"played: {', '.join(f'{player}: {action.text}' for player, action in chosen.items())}")
    return "\n".join(lines) + "\n"


def _few(lines: list[str]) -> list[str]:
    """The first and the last of many lines, with a digest of all."""
    return (
        lines
        if len(lines) <= MANY_LINES
        else [*lines[:3], f"… {len(lines):,} in all, {_digest(chr(10).join(lines).encode())}", *lines[-3:]]
    )


def _optional(state: State) -> list[str]:
    """What bots know: every player's evaluation of a running game, and the position's key."""
    lines: list[str] = []
    if state.to_move and _has(evaluate, state):
        evaluations = [int(_evaluation(state.game.tables, state.copy_records(), player)) for player in range(state.game.players)]
        lines.append(f"evaluate: {evaluations}")
    if _has(position_key, state):
        lines.append(f"position_key: {int(_key(state.game.tables, state.copy_records()))}")
    return lines


def _has(function: Any, state: State) -> bool:
    return function.implemented_for(state.game.tables)


@kernel()
def _evaluation(tables: Any, states: Any, player: Any) -> Any:
    return evaluate(tables, states[0], player)


@kernel()
def _key(tables: Any, states: Any) -> Any:
    return position_key(tables, states[0])


def _labels(drawing: str) -> list[str]:
    """What a drawing says to those who cannot see it; how it looks may change freely."""
    return [
        f"{element.get('data-pick')} {element.get('aria-label')}" for element in xml.fromstring(drawing).iter() if element.get("data-pick")
    ]


def _wrapped(title: str, words: list[str]) -> list[str]:
    lines = [f"{title} ({len(words)}):"]
    for word in words:
        if len(lines[-1]) + len(word) >= LINE:
            lines.append("   ")
        lines[-1] += f" {word}"
    return lines


def _brief(value: object) -> str:
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return f"({', '.join(f'{name} {_brief(part)}' for name, part in zip(value._fields, value, strict=True))})"
    return f"{value.dtype}{list(value.shape)} {_digest(value.tobytes())}" if isinstance(value, np.ndarray) else repr(value)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:12]


def file_of(id: str) -> Path:
    return FOLDER / f"{id}.txt"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for id in ludarium.list_games():
        file_of(id).write_text(playthrough(id), encoding="utf-8")
        print(f"{file_of(id)}: {file_of(id).stat().st_size:,} bytes")
