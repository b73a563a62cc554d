"""Memory that will be needed soon: :func:`prefetch`."""

from __future__ import annotations

from typing import Any

import numba
from numba.core import cgutils
from numba.extending import intrinsic, overload

from .jit import INNER


def prefetch(array: Any, index: Any) -> None:
    """In compiled code, have the processor fetch an element of a one-dimensional array (index from 0) without waiting for it."""


@intrinsic
def _prefetch(typing: Any, array: Any, index: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        from llvmlite import ir

        kind = signature.args[0]
        view = context.make_array(kind)(context, builder, arguments[0])
        element = cgutils.get_item_pointer(context, builder, kind, view, [arguments[1]])
        address, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        function = ir.FunctionType(ir.VoidType(), [address, number, number, number])
        to_read, nearest, data = number(0), number(3), number(1)
        fetch = builder.module.declare_intrinsic("llvm.prefetch", [address], function)
        builder.call(fetch, [builder.bitcast(element, address), to_read, nearest, data])
        return context.get_dummy_value()

    return numba.types.void(array, numba.types.int64), generate


@overload(prefetch, jit_options=INNER)
def _prefetch_compiled(array: Any, index: Any) -> Any:
    def fetch(array: Any, index: Any) -> Any:
        _prefetch(array, index)

    return fetch
