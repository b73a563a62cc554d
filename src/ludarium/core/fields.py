"""What a record consists of, said once: for Numba, as a structured dtype, and for type checkers."""

from __future__ import annotations

from typing import Any, get_args, get_type_hints

import numpy as np


def dtype_of(fields: type) -> np.dtype[Any]:
    """The dtype of records with the annotated fields of a class, in their order.

    A field is a scalar, ``np.int16``, or an array with its shape, ``Annotated[NDArray[np.int8], 8, 8]``.
    """
    layout: list[tuple[str, Any, tuple[int, ...]]] = []
    for name, hint in get_type_hints(fields, include_extras=True).items():
        shape: tuple[int, ...] = getattr(hint, "__metadata__", ())
        layout.append((name, get_args(get_args(get_args(hint)[0])[-1])[0] if shape else hint, shape))
    return np.dtype((np.record, layout))
