"""What a record consists of, said once: for Numba, as a structured dtype, and for type checkers."""

from __future__ import annotations

from typing import Any, get_args, get_type_hints

import numpy as np


def dtype_of(fields: type) -> np.dtype[Any]:
    """The dtype of records with the annotated fields of a class, in their order.

    A field is a scalar, ``np.int16``, or an array with its shape, ``Annotated[NDArray[np.int8], 8, 8]``.
    """
    plain = get_type_hints(fields)
    hints = get_type_hints(fields, include_extras=True)
    return np.dtype((np.record, [(name, _scalar(plain[name]), getattr(hint, "__metadata__", ())) for name, hint in hints.items()]))


def _scalar(hint: Any) -> Any:
    """The type of a field's numbers: what stands last in each type around it, whatever NumPy's ``NDArray`` is short for."""
    return _scalar(get_args(hint)[-1]) if get_args(hint) else hint
