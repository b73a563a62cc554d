"""Sets of up to 64 squares as the bits of a ``uint64``, in compiled code and in plain Python."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numba.extending import intrinsic, overload

from .jit import INNER, compiled


@compiled
def bit(index: Any) -> Any:
    """The set (``uint64``) that holds one index, 0 to 63."""
    return np.uint64(1) << np.uint64(index)


def lowest_bit(bits: Any) -> int:
    """The smallest index in a set that is not empty."""
    value = int(bits)
    return (value & -value).bit_length() - 1


def count_bits(bits: Any) -> int:
    """How many indices a set holds."""
    return int(bits).bit_count()


@intrinsic
def _trailing_zeros(typing: Any, bits: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        from llvmlite import ir

        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return numba.types.int64(numba.types.uint64), generate


@intrinsic
def _population(typing: Any, bits: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return numba.types.int64(numba.types.uint64), generate


@overload(lowest_bit, jit_options=INNER)
def _lowest_bit_compiled(bits):  # type: ignore[no-untyped-def]  # Numba compares the annotations with the lambda's
    return lambda bits: _trailing_zeros(np.uint64(bits))


@overload(count_bits, jit_options=INNER)
def _count_bits_compiled(bits):  # type: ignore[no-untyped-def]
    return lambda bits: _population(np.uint64(bits))
