"""The network trained: mini-batches, Adam, numbers of 32 bits, one thread; equal positions and seed give equal weights on one machine.

Everything is in log-odds here: a value v says that the mover wins with probability 1 / (1 + exp(−v)), a draw counting half. SCALE hundredths of a token are one
of these.

Reference: D. Kingma, J. Ba, "Adam: a method for stochastic optimization", ICLR 2015.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludarium.core.bits import bit
from ludarium.core.jit import compiled, kernel
from ludarium.core.random import generator_from, random_below
from ludarium.core.symmetries import square_symmetries
from ludarium.games.expendibots.evaluation import neighbouring_pairs, threats
from ludarium.games.expendibots.neural_network import BOUND, FAVOURABLE, FINE, LANES, MAX_TOKENS, MOST_BIAS, WEIGHTS, hand_made

HEIGHTS = 2 * MAX_TOKENS + 1
INPUTS = 64 * HEIGHTS
BATCH = 4096
RATE, LAST_RATE = 3e-3, 1e-4
"""The steps of the first epoch and of the last; those between fall evenly by their logarithms."""

FIRST_DECAY, SECOND_DECAY, SMALL = 0.9, 0.999, 1e-8
SCALE = 220
SPREAD = 0.03
"""Standard deviation of the hidden units' first weights."""

TRUST = 0.5
"""What a game's result counts for beside the search's score."""


class Examples(NamedTuple):
    """Positions in the form that the kernels read."""

    boards: NDArray[np.int8]  # [n, 64], as the mover sees them
    terms: NDArray[np.float32]  # [n, 4]: the tokens, pairs and tokens that terms weigh
    scores: NDArray[np.float32]  # the searches', in hundredths of a token
    results: NDArray[np.float32]  # 1, 0.5, 0


class Parameters(NamedTuple):
    """What is learned, or moments of it: in log-odds."""

    stacks: NDArray[np.float32]  # [64 * 25, LANES]
    bias: NDArray[np.float32]  # [LANES]
    terms: NDArray[np.float32]  # [4]


class Training(NamedTuple):
    """All that goes from one epoch to the next."""

    parameters: Parameters
    first: Parameters
    second: Parameters
    epoch: int


def examples_of(positions: NDArray[np.void], dtype: Any) -> Examples:
    """Positions of self-play (``POSITION[n]``) as examples; ``dtype`` is the game's."""
    terms = np.zeros((len(positions), 4), np.float32)
    boards = np.ascontiguousarray(positions["board"])
    write_terms(boards, np.zeros(1, dtype), terms)
    return Examples(boards, terms, positions["score"].astype(np.float32), (positions["result"] + np.float32(1)) / np.float32(2))


@kernel()
def write_terms(boards: Any, states: Any, out: Any) -> Any:
    state = states[0]
    for index in range(len(boards)):
        own, theirs, lead, tokens = np.uint64(0), np.uint64(0), 0, 0
        for square in range(64):
            height = int(boards[index, square])
            state.board[square] = height
            lead += height
            tokens += abs(height)
            if height > 0:
                own |= bit(square)
            elif height < 0:
                theirs |= bit(square)
        best, others = threats(state, own, theirs)
        out[index, 0] = lead / tokens
        out[index, 1] = neighbouring_pairs(own) - neighbouring_pairs(theirs)
        out[index, 2] = best
        out[index, 3] = others


def beginning(seed: int, spread: float = SPREAD) -> Training:
    """The hand-made evaluation, and hidden units that count for nearly nothing."""
    weights = hand_made()[0]
    stacks = weights["stacks"].astype(np.float32).reshape(INPUTS, LANES) / np.float32(SCALE * FINE)
    noise = np.random.Generator(np.random.Philox(seed)).standard_normal((INPUTS, LANES - 1))
    stacks[:, :-1] = noise.astype(np.float32) * np.float32(spread)
    stacks.reshape(64, HEIGHTS, LANES)[:, MAX_TOKENS] = 0
    parameters = Parameters(stacks, np.zeros(LANES, np.float32), weights["terms"].astype(np.float32) / np.float32(SCALE))
    return Training(parameters, _zeros(parameters), _zeros(parameters), 0)


def _zeros(like: Parameters) -> Parameters:
    return Parameters(*map(np.zeros_like, like))


def train_epoch(training: Training, examples: Examples, seed: int, epochs: int) -> Training:
    """Look at every example once, in an order and under symmetries of the board that the seed and the epoch decide."""
    epoch = training.epoch
    generator = generator_from(seed, epoch)
    order = np.random.Generator(np.random.Philox(np.random.SeedSequence([seed, epoch]))).permutation(len(examples.boards))
    rate = RATE * (LAST_RATE / RATE) ** (epoch / max(epochs - 1, 1))
    done = epoch * -(-len(order) // BATCH)
    targets = TRUST * examples.results + (1 - TRUST) / (1 + np.exp(-examples.scores / np.float32(SCALE)))
    bounds = np.repeat(np.abs(np.tile(np.arange(-MAX_TOKENS, MAX_TOKENS + 1), 64))[:, None], LANES, 1) * (BOUND / FINE / SCALE)
    parameters, first, second, _ = training
    for batch in range(0, len(order), BATCH):
        gradients = _zeros(parameters)
        add_gradients(
            parameters, examples, targets.astype(np.float32), order[batch : batch + BATCH], SYMMETRIES, generator, gradients, *scratch()
        )
        done += 1
        for values, gradient, mean, square in zip(parameters, gradients, first, second, strict=True):
            step(values.reshape(-1), gradient.reshape(-1), mean.reshape(-1), square.reshape(-1), np.float32(rate), done)
        np.clip(parameters.stacks, -bounds, bounds, out=parameters.stacks, casting="same_kind")
    return Training(parameters, first, second, epoch + 1)


SYMMETRIES = square_symmetries(8)


def scratch() -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Room for the sums of one example and the inputs that are on in it."""
    return np.zeros(LANES, np.float32), np.zeros(64, np.int64)


@kernel()
def add_gradients(
    parameters: Any,
    examples: Any,
    targets: Any,
    order: Any,
    symmetries: Any,
    generator: Any,
    gradients: Any,
    sums: Any,
    inputs: Any,
) -> Any:
    """Add the mean gradient of the examples' cross entropies."""
    stacks, bias, terms = parameters
    share = np.float32(1) / np.float32(len(order))
    for example in order:
        value = np.float32(0)
        symmetry = random_below(generator, len(symmetries))
        count = _sums(stacks, bias, examples.boards[example], symmetries[symmetry], inputs, sums)
        value = _value(sums, terms, examples.terms[example])
        slope = (np.float32(1) / (np.float32(1) + np.exp(-value)) - targets[example]) * share
        for lane in range(LANES):
            sign = slope if lane < FAVOURABLE or lane == LANES - 1 else -slope
            sums[lane] = sign if lane == LANES - 1 or sums[lane] > 0 else np.float32(0)
            gradients.bias[lane] += sums[lane]
        for index in range(count):
            row = gradients.stacks[inputs[index]]
            for lane in range(LANES):
                row[lane] += sums[lane]
        for term in range(len(terms)):
            gradients.terms[term] += slope * examples.terms[example, term]


@kernel()
def write_values(parameters: Any, examples: Any, symmetry: Any, sums: Any, inputs: Any, out: Any) -> Any:
    """What the network says of each example, in log-odds (``float32[n]``)."""
    for example in range(len(out)):
        _sums(parameters.stacks, parameters.bias, examples.boards[example], symmetry, inputs, sums)
        out[example] = _value(sums, parameters.terms, examples.terms[example])


@compiled
def _sums(stacks: Any, bias: Any, board: Any, symmetry: Any, inputs: Any, sums: Any) -> Any:
    """Write the lanes' sums and the inputs that are on; how many these are."""
    count = 0
    for lane in range(LANES):
        sums[lane] = bias[lane]
    for square in range(64):
        height = int(board[square])
        if height != 0:
            entry = symmetry[square] * HEIGHTS + MAX_TOKENS + height
            inputs[count] = entry
            count += 1
            row = stacks[entry]
            for lane in range(LANES):
                sums[lane] += row[lane]
    return count


@compiled
def _value(sums: Any, weights: Any, terms: Any) -> Any:
    value = sums[LANES - 1]
    for lane in range(FAVOURABLE):
        value += max(sums[lane], np.float32(0))
    for lane in range(FAVOURABLE, LANES - 1):
        value -= max(sums[lane], np.float32(0))
    for term in range(len(terms)):
        value += weights[term] * terms[term]
    return value


@kernel()
def step(values: Any, gradient: Any, mean: Any, square: Any, rate: Any, done: Any) -> Any:
    """Adam's step number ``done``, from 1."""
    first, second = np.float32(FIRST_DECAY), np.float32(SECOND_DECAY)
    pace = rate / np.float32(1 - FIRST_DECAY**done)
    widen = np.float32(1) / np.float32(1 - SECOND_DECAY**done)
    for index in range(len(values)):
        mean[index] = first * mean[index] + (np.float32(1) - first) * gradient[index]
        square[index] = second * square[index] + (np.float32(1) - second) * gradient[index] * gradient[index]
        values[index] -= pace * mean[index] / (np.sqrt(square[index] * widen) + np.float32(SMALL))


def rounded(parameters: Parameters) -> NDArray[np.void]:
    """Weights as they are kept (``WEIGHTS[1]``)."""
    weights = np.zeros(1, WEIGHTS)
    one = weights[0]
    heights = np.abs(np.arange(-MAX_TOKENS, MAX_TOKENS + 1))[None, :, None]
    stacks = np.rint(parameters.stacks.astype(np.float64).reshape(64, HEIGHTS, LANES) * SCALE * FINE)
    one["stacks"] = np.clip(stacks, -BOUND * heights, BOUND * heights)
    one["bias"] = np.clip(np.rint(parameters.bias.astype(np.float64) * SCALE * FINE), -MOST_BIAS, MOST_BIAS)
    one["terms"] = np.rint(parameters.terms.astype(np.float64) * SCALE)
    return weights


def _loss(values: NDArray[Any], results: NDArray[np.float32]) -> float:
    values = values.astype(np.float64)
    return float(np.mean(np.logaddexp(0, values) - results * values))


def fitted_loss(values: NDArray[Any], results: NDArray[np.float32]) -> float:
    """Mean cross entropy of the results, the values taken times the factor that makes it least."""
    return min(_loss(values * factor, results) for factor in 2.0 ** np.arange(-12, 4, 0.125))
