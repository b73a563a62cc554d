"""One iteration of alpha-beta as compiled code that can stop after any node and go on later.

The search is a loop over explicit frames, one for each position of the current line, all in a :class:`SearchWorkspace`. Principal variation search:
after the first action of a position, the others are searched with a window of no width, which is enough to refute them, and again only where that fails.

Selective parts, off in a full-width search: late actions are searched less deep at first (late move reductions); a position near the horizon whose value is
far outside the window is taken for what it seems (reverse futility, razoring); one of which the table knows no action is searched less deep (internal
iterative reductions); a position that comes back within the line is a draw; and the table knows a position at whatever distance it was found. Neither does
a full-width search ask the game for endings that it knows.

References: T. A. Marsland, "A review of game-tree pruning", ICCA Journal 9 (1986); J. Schaeffer, "The history heuristic", ICCA Journal 6 (1983).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludarium.core.jit import compiled, kernel
from ludarium.core.prefetching import prefetch
from ludarium.core.rules import (
    UNKNOWN,
    apply_actions,
    copy_state,
    evaluate,
    known_ending,
    legal_actions,
    position_key,
    returns,
    tactical_actions,
    to_move,
)

LONGEST = 100
"""The longest line that is looked at, quiescence included."""

ALPHA, BETA, LOW, BEST, BEST_ACTION, DEPTH, CURSOR, COUNT, PLAYER, ACTION, STAGE, TOP_SCORE, HINT = range(13)
"""Columns of ``SearchWorkspace.frames``. LOW is alpha at the start; ACTION is being searched, in the way that STAGE says; HINT is an action that is tried
before the others are listed, else −1."""

DISTANCE, NODES, ROOT_DEPTH, FIRST, FULL_WIDTH, ENDING, AGE = range(7)
"""Cells of ``SearchWorkspace.control``. DISTANCE is the deepest open frame, −1 before and after an iteration; FIRST is the root's action to try first,
ENDING the root's ``known_ending``, AGE the number of the search, of those that share a table."""

AGES = 32
"""AGE stays below this number and begins again from 0."""

WIN = 30_000
"""The score of a won game; a win after n more actions scores WIN − n."""

FINISHED, PAUSED, UNFIT = range(3)
"""What ``search_on`` answers: the iteration is done, the node limit is reached, players act together somewhere."""

INFINITE = 32_000
OPEN = 1 << 20  # instead of a score: a frame was opened and has to be searched
EXACT, AT_LEAST, AT_MOST = 1, 2, 3
WIDE, NARROW, REDUCED = range(3)  # stages of an action: full window, no width, no width and less deep
TRIED_FIRST, TACTICAL, KILLER = 1 << 50, 1 << 40, 1 << 30  # scores of the order; those of the history are smaller
HISTORY_MOST = 1 << 14
FEW = 8  # one ply before the horizon only so many actions are picked in order, two plies before it three times as many
MARGIN = 120  # what a quiet ply is hardly worth, in evaluation units
DECIDED = 20_000  # evaluations lie within; scores beyond are endings
NEAR = 6  # so many plies before the horizon the evaluation may be enough
UNSURE = 2.0  # how slowly reductions grow


def _reductions() -> np.ndarray:
    """How much less deep an action is searched at first (``int64[64, 64]``), by the depth and the number of actions tried before."""
    logarithms = np.log(np.maximum(np.arange(64), 1))
    return (0.5 + logarithms[:, None] * logarithms[None, :] / UNSURE).astype(np.int64)


REDUCTIONS = _reductions()


@compiled
def score_of_ending(value: Any, distance: Any) -> Any:
    """A return in [−1, 1] after so many actions as a score: sooner wins and later losses are better."""
    score = int(value * WIN)
    return score - distance * (int(score > 0) - int(score < 0))


@compiled
def _place(work: Any, key: Any) -> Any:
    """The index of the first of a key's two places in the table."""
    return int(key & (len(work.table) - 2))


@compiled
def _probe(work: Any, key: Any) -> Any:
    """The index of the table's entry with this key, −1 if there is none."""
    index = _place(work, key)
    if work.table[index].key == key and work.table[index].bound & 3 != 0:
        return index
    if work.table[index + 1].key == key and work.table[index + 1].bound & 3 != 0:
        return index + 1
    return -1


@compiled
def _store(work: Any, key: Any, action: Any, score: Any, distance: Any, depth: Any, bound: Any) -> None:
    """Of two places for a key, the first keeps the deeper search of this age and the second takes what the first does not.

    Scores of endings are kept as seen from the position, not from the root.
    """
    age = work.control[AGE]
    index = _place(work, key)
    first = work.table[index]
    if first.key != key and int(first.bound) >> 2 == age and first.bound & 3 != 0 and int(first.depth) > depth:
        index += 1
    entry = work.table[index]
    entry.key = key
    entry.action = action
    entry.score = score + distance * (int(score > DECIDED) - int(score < -DECIDED))
    entry.depth = depth
    entry.bound = bound | age << 2


@compiled
def _known_score(tables: Any, work: Any, endgames: Any, distance: Any) -> Any:
    """The score of ``work.states[distance]`` for the player to move, where the game knows how it ends; else OPEN.

    Where the root itself is known, draws are not all alike: evaluation tells in which of them the opponent may still err.
    """
    ending = known_ending(tables, endgames, work.states[distance])
    if ending == UNKNOWN or (ending == 0 and work.control[ENDING] != UNKNOWN):
        return OPEN
    return score_of_ending(int(ending > 0) - int(ending < 0), distance + abs(ending))


@compiled
def _open(
    tables: Any, work: Any, keys: Any, tactics: Any, endgames: Any, distance: Any, player: Any, depth: Any, alpha: Any, beta: Any
) -> Any:
    """Begin the search of ``work.states[distance]`` for its player: its score if that is already known, else OPEN."""
    state = work.states[distance]
    frames = work.frames
    work.line_length[distance] = distance
    if endgames is not None and distance > 0 and work.control[FULL_WIDTH] == 0:
        known = _known_score(tables, work, endgames, distance)
        if known != OPEN:
            return known
    selective = work.control[FULL_WIDTH] == 0
    narrow = selective and beta - alpha == 1
    value = -INFINITE
    hint = -1
    if depth > 0:
        evaluated = narrow and distance > 0 and depth <= NEAR
        if evaluated:
            value = evaluate(tables, state, player)  # meanwhile the table's entry is on its way
        if keys is not None:
            key = position_key(tables, state) ^ work.salts[distance]
            work.keys[distance] = key
            if selective:
                for earlier in range(distance):
                    if work.keys[earlier] == key:
                        return 0
            found = _probe(work, key)
            if found >= 0:
                entry = work.table[found]
                hint = int(entry.action)
                # Only beside the principal variation: its line stays whole, and draws by repetition along it are seen.
                if beta - alpha == 1 and int(entry.depth) >= depth:
                    score = int(entry.score)
                    score -= distance * (int(score > DECIDED) - int(score < -DECIDED))
                    bound = int(entry.bound) & 3
                    if bound == EXACT or (bound == AT_LEAST and score >= beta) or (bound == AT_MOST and score <= alpha):
                        return score
        if distance == 0:
            hint = work.control[FIRST]
        elif narrow:
            if evaluated:
                if value - MARGIN * depth >= beta:
                    return value
                if depth <= 2 and value + MARGIN * depth <= alpha:
                    depth = 0
            elif hint < 0:
                depth -= 1
    if depth <= 0 or distance >= LONGEST:
        if value == -INFINITE:
            value = evaluate(tables, state, player)
        if value >= beta or distance >= LONGEST or tactics is None:
            return value
        count = tactical_actions(tables, state, player, work.actions[distance])
        if count == 0:
            return value
        frames[distance, BEST] = value
        frames[distance, LOW] = alpha
        hint = -1
        alpha = max(alpha, value)
        depth = 0
    else:
        frames[distance, BEST] = -INFINITE
        frames[distance, LOW] = alpha
        if narrow and distance > 0 and hint >= 0:
            count = 1
            work.actions[distance, 0] = hint
            work.order[distance, 0] = TRIED_FIRST
        else:
            count = legal_actions(tables, state, player, 0, work.actions[distance])
            _set_order(tables, work, tactics, distance, player, count, hint)
            hint = -1
    frames[distance, ALPHA] = alpha
    frames[distance, BETA] = beta
    frames[distance, BEST_ACTION] = -1
    frames[distance, DEPTH] = depth
    frames[distance, CURSOR] = 0
    frames[distance, COUNT] = count
    frames[distance, PLAYER] = player
    frames[distance, HINT] = hint
    return OPEN


@compiled
def _set_order(tables: Any, work: Any, tactics: Any, distance: Any, player: Any, count: Any, hint: Any) -> None:
    """Score the actions of a frame: the table's, then tactical ones in the game's order, killers, and the others by their history."""
    actions = work.actions
    order = work.order
    first, second = work.killers[distance, 0], work.killers[distance, 1]
    for index in range(count):
        action = actions[distance, index]
        score = int(work.history[player, action]) << 8
        if action == hint:
            score = TRIED_FIRST
        elif action == first:
            score = KILLER + 1
        elif action == second:
            score = KILLER
        order[distance, index] = score
    if distance == 0:
        for index in range(count):
            order[0, index] += work.jitter[index]
    if tactics is not None:
        # The next distance's row is free: its frame is opened later.
        tactical = tactical_actions(tables, work.states[distance], player, work.actions[distance + 1])
        for rank in range(tactical):
            action = actions[distance + 1, rank]
            for index in range(count):
                if actions[distance, index] == action:
                    order[distance, index] = max(order[distance, index], TACTICAL - rank)
                    break


@compiled
def _pick(work: Any, distance: Any) -> Any:
    """Bring the best of the untried actions to the cursor and return it."""
    frames = work.frames
    actions = work.actions
    at = frames[distance, CURSOR]
    depth = frames[distance, DEPTH]
    if depth > 2 or (depth > 0 and at < FEW * (2 * depth - 1)):
        scores = work.order[distance]
        best = at
        top = scores[at]
        for index in range(np.uint64(at + 1), np.uint64(frames[distance, COUNT])):  # unsigned: many at once
            top = max(top, scores[index])
        while scores[np.uint64(best)] != top:
            best += 1
        if best != at:
            scores[best] = scores[at]
            scores[at] = top
            other = actions[distance, best]
            actions[distance, best] = actions[distance, at]
            actions[distance, at] = other
        frames[distance, TOP_SCORE] = top
    frames[distance, CURSOR] = at + 1
    action = actions[distance, at]
    frames[distance, ACTION] = action
    return action


@compiled
def _learn(work: Any, distance: Any) -> None:
    """A quiet action was too good: remember it as a killer, raise its history and lower that of those tried before."""
    frames = work.frames
    action = frames[distance, ACTION]
    depth = frames[distance, DEPTH]
    player = frames[distance, PLAYER]
    if work.killers[distance, 0] != action:
        work.killers[distance, 1] = work.killers[distance, 0]
        work.killers[distance, 0] = action
    bonus = min(depth * depth, 400)
    history = work.history
    before = int(history[player, action])
    history[player, action] = before + bonus - before * bonus // HISTORY_MOST
    for index in range(frames[distance, CURSOR] - 1):
        other = work.actions[distance, index]
        before = int(history[player, other])
        history[player, other] = before - bonus - before * bonus // HISTORY_MOST


@compiled
def _note_line(work: Any, distance: Any, action: Any) -> None:
    """The best line from here is this action and the best line from the next distance on."""
    line = work.line
    length = work.line_length[distance + 1]
    line[distance, distance] = action
    for index in range(distance + 1, length):
        line[distance, index] = line[distance + 1, index]
    work.line_length[distance] = max(length, distance + 1)


@kernel()
def search_on(tables: Any, work: Any, keys: Any, tactics: Any, endgames: Any, limit: Any) -> Any:
    """Go on with the iteration of depth ``work.control[ROOT_DEPTH]`` until it is done or ``limit`` nodes have been counted in all.

    ``keys`` and ``tactics`` are None where the game has no ``position_key``, no ``tactical_actions``; else True. ``endgames`` is what ``known_ending`` looks
    into, or None. A node is an action applied.
    When done, ``work.frames[0]`` holds BEST and BEST_ACTION, ``work.line[0]`` the principal variation.
    """
    frames = work.frames
    control = work.control
    states = work.states
    joint = work.joint
    nodes = control[NODES]
    distance = control[DISTANCE]
    selective = control[FULL_WIDTH] == 0
    value = 0
    answered = False  # whether value is the answer to the current action of the current frame
    if distance < 0:
        distance = 0
        player = to_move(tables, states[0]) >> 1
        control[ENDING] = UNKNOWN
        if endgames is not None and selective:
            control[ENDING] = known_ending(tables, endgames, states[0])
        _open(tables, work, keys, tactics, endgames, 0, player, control[ROOT_DEPTH], -INFINITE, INFINITE)
    while True:
        alpha, beta, depth = frames[distance, ALPHA], frames[distance, BETA], frames[distance, DEPTH]
        player = frames[distance, PLAYER]
        stage = WIDE
        if answered:
            answered = False
            stage = frames[distance, STAGE]
            again = value > alpha and (stage == REDUCED or (stage == NARROW and value < beta))
            if again:
                stage = NARROW if stage == REDUCED and beta - alpha > 1 else WIDE
            else:
                if value > frames[distance, BEST]:
                    action = frames[distance, ACTION]
                    frames[distance, BEST] = value
                    frames[distance, BEST_ACTION] = action
                    if value > alpha:
                        alpha = value
                        frames[distance, ALPHA] = value
                        if beta - frames[distance, LOW] > 1:
                            _note_line(work, distance, action)
                        if value >= beta:
                            if depth > 0 and frames[distance, TOP_SCORE] < TACTICAL - 64:
                                _learn(work, distance)
                            frames[distance, CURSOR] = frames[distance, COUNT]
                            frames[distance, HINT] = -1
                hint = frames[distance, HINT]
                if hint >= 0:
                    count = legal_actions(tables, states[distance], player, 0, work.actions[distance])
                    _set_order(tables, work, tactics, distance, player, count, hint)
                    frames[distance, HINT] = -1
                    frames[distance, COUNT] = count
                    frames[distance, CURSOR] = 0
                    _pick(work, distance)  # the one that has just been tried
                if frames[distance, CURSOR] >= frames[distance, COUNT]:
                    value = frames[distance, BEST]
                    if depth > 0 and keys is not None:
                        bound = AT_LEAST if value >= beta else EXACT if value > frames[distance, LOW] else AT_MOST
                        _store(work, work.keys[distance], frames[distance, BEST_ACTION], value, distance, depth, bound)
                    if distance == 0:
                        control[NODES] = nodes
                        control[DISTANCE] = -1
                        return FINISHED
                    distance -= 1
                    if frames[distance, PLAYER] != player:
                        value = -value
                    answered = True
                    continue
        else:
            again = False
        if not again:
            if nodes >= limit:
                control[NODES] = nodes
                control[DISTANCE] = distance
                return PAUSED
            tried = frames[distance, CURSOR]
            action = _pick(work, distance)
            copy_state(tables, states[distance], states[distance + 1])
            joint[player, 0] = action
            apply_actions(tables, states[distance + 1], joint)
            if keys is not None and depth > 1:
                prefetch(work.table, _place(work, position_key(tables, states[distance + 1]) ^ work.salts[distance + 1]))
            nodes += 1
            stage = WIDE
            if tried > 0 and depth > 0:
                stage = NARROW
                if selective and frames[distance, TOP_SCORE] < KILLER and REDUCTIONS[min(depth, 63), min(tried, 63)] > 0:
                    stage = REDUCED
        frames[distance, STAGE] = stage
        mask = to_move(tables, states[distance + 1])
        if mask == 0:
            returns(tables, states[distance + 1], work.returns)
            value = score_of_ending(work.returns[player], distance + 1)
            work.line_length[distance + 1] = distance + 1
            answered = True
            continue
        if mask != 1 and mask != 2:
            return UNFIT
        mover = mask >> 1
        ceiling = beta if stage == WIDE else alpha + 1
        deeper = depth - 1
        if stage == REDUCED:
            deeper -= REDUCTIONS[min(depth, 63), min(frames[distance, CURSOR] - 1, 63)]
        if mover == player:
            value = _open(tables, work, keys, tactics, endgames, distance + 1, mover, deeper, alpha, ceiling)
        else:
            value = _open(tables, work, keys, tactics, endgames, distance + 1, mover, deeper, -ceiling, -alpha)
        if value == OPEN:
            distance += 1
        else:
            if mover != player:
                value = -value
            answered = True
