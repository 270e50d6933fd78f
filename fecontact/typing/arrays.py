"""Short names of array types and of what travels in pairs."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = [
    "Chosen",
    "Complexes",
    "Floats",
    "Integers",
    "Level",
    "Tangents",
]

Floats: TypeAlias = npt.NDArray[np.float64]
Complexes: TypeAlias = npt.NDArray[np.complex128]
Integers: TypeAlias = npt.NDArray[np.int64]

Chosen: TypeAlias = slice | Integers
"""Some of the points of a surface: a slice, or their indices."""

Tangents: TypeAlias = tuple[Floats, Floats]
"""The pair (df/dq, df/dv) of a generalised force f(t, q, v).

df/dq is the derivative along increment of the dofs (`Body.move`), so both are square.
"""


Level: TypeAlias = Literal["position", "velocity"]
"""A constraint binds positions, 0 = c(t, q), or velocities only, 0 = A(t, q) v - b(t)."""
