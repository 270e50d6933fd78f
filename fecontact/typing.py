"""Array aliases and the protocols that bodies, joints, loads and contacts share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = ["Body", "Complexes", "Floats", "Integers", "Item", "Tangents"]

Floats: TypeAlias = npt.NDArray[np.float64]
Complexes: TypeAlias = npt.NDArray[np.complex128]
Integers: TypeAlias = npt.NDArray[np.int64]

Tangents: TypeAlias = tuple[Floats, Floats]
"""The pair (df/dq, df/dv) of a generalised force f(t, q, v).

df/dq is the derivative along steps of the freedoms (`Body.move`), so both are square.
"""


class Item(Protocol):
    """A contributor to the equation of motion: body, joint, load or contact.

    Its force and tangents refer to the coordinates of `bodies`, concatenated in that order.
    """

    @property
    def name(self) -> str:
        """Name in the system."""
        ...

    @property
    def bodies(self) -> Sequence[Body]:
        """Bodies whose coordinates it refers to."""
        ...

    def force(self, t: float, q: Floats, v: Floats) -> Floats:
        """Return the generalised force f(t, q, v), shape (n,)."""
        ...

    def tangents(self, t: float, q: Floats, v: Floats) -> Tangents:
        """Return df/dq and df/dv, each of shape (n, n)."""
        ...


class Body(Item, Protocol):
    """An item that owns coordinates and has inertia."""

    @property
    def freedoms(self) -> Sequence[str]:
        """Names of the velocities v, shape (n,); the coordinates q may be more."""
        ...

    def reference(self) -> Floats:
        """Return the coordinates q of the reference position."""
        ...

    def move(self, q: Floats, step: Floats) -> Floats:
        """Return the coordinates after a step (n,) of the freedoms."""
        ...

    def rate(self, q: Floats, v: Floats) -> Floats:
        """Return the rate q' of the coordinates."""
        ...

    def mass_matrix(self, q: Floats) -> Floats:
        """Return the mass matrix, shape (n, n)."""
        ...
