"""Records' dtypes from annotations."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray
from typing_extensions import TypeAliasType

from ludarium.core.fields import dtype_of

Number = TypeVar("Number", bound=np.generic)
Array = TypeAliasType("Array", np.ndarray[tuple[Any, ...], np.dtype[Number]], type_params=(Number,))


class Plain(NamedTuple):
    board: Annotated[NDArray[np.int8], 8, 8]
    ply: np.int16


class Named(NamedTuple):
    """As NumPy has it from 2.5 on."""

    board: Annotated[Array[np.int8], 8, 8]
    ply: np.int16


def test_a_field_is_a_number_or_an_array_of_them() -> None:
    expected = np.dtype([("board", np.int8, (8, 8)), ("ply", np.int16)])
    assert dtype_of(Plain) == expected
    assert dtype_of(Named) == expected
