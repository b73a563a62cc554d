"""Random numbers for compiled rules: splitmix64, whose whole state is one 64-bit number.

A generator is a ``uint64[1]`` array that its user owns. Equal seeds give equal games on one core and on sixteen, in threads, processes and clusters.
Source: G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludarium.errors import BadOption

from .jit import compiled

_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)


def generator_from(seed: int, *stream: int) -> np.ndarray:
    """A generator (``uint64[1]``) for a seed of any non-negative size; further numbers name independent streams of one seed.

    Raises:
        BadOption: the seed is no whole number from 0.
    """
    try:
        return np.random.SeedSequence([seed, *stream]).generate_state(1, np.uint64)
    except (TypeError, ValueError):
        raise BadOption(f"a seed is a whole number from 0, not {seed!r}") from None


@compiled
def random_bits(generator: Any) -> Any:
    """64 random bits (``uint64``)."""
    generator[0] = generator[0] + _STEP
    bits = generator[0]
    bits = (bits ^ (bits >> np.uint64(30))) * _FIRST
    bits = (bits ^ (bits >> np.uint64(27))) * _SECOND
    return bits ^ (bits >> np.uint64(31))


@compiled
def random_below(generator: Any, bound: Any) -> Any:
    """A whole number (``int64``) from 0 to bound − 1; bound is at most 2**32. Bias is below bound / 2**32."""
    high = random_bits(generator) >> np.uint64(32)
    return np.int64((high * np.uint64(bound)) >> np.uint64(32))


@compiled
def random_unit(generator: Any) -> Any:
    """A number (``float64``) of at least 0 and less than 1, in steps of 2**−53."""
    return np.float64(random_bits(generator) >> np.uint64(11)) * (1.0 / 9007199254740992.0)
