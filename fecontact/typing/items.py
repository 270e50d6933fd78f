"""What a system is made of: items, bodies, constraints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from fecontact.typing.arrays import Floats, Level, Tangents

__all__ = [
    "Body",
    "Constraint",
    "Item",
    "Rows",
]


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
    def dofs(self) -> Sequence[str]:
        """Names of the velocities v, shape (n,); the coordinates q may be more."""
        ...

    def reference(self) -> Floats:
        """Return the coordinates q of the reference position."""
        ...

    def move(self, q: Floats, step: Floats) -> Floats:
        """Return the coordinates after a step (n,) of the dofs."""
        ...

    def rate(self, q: Floats, v: Floats) -> Floats:
        """Return the rate q' of the coordinates."""
        ...

    def mass_matrix(self, q: Floats) -> Floats:
        """Return the mass matrix, shape (n, n)."""
        ...

    def d_inertia(self, q: Floats, a: Floats) -> Floats:
        """Return the derivative (n, n) of M(q) a along a step, at fixed a."""
        ...


class Rows(Protocol):
    """m constraint rows at one state of the n dofs they refer to."""

    @property
    def value(self) -> Floats:
        """Value c(t, q), shape (m,); without meaning for rows of velocity level."""
        ...

    @property
    def rate(self) -> Floats:
        """Rate c' = A v - b, shape (m,)."""
        ...

    @property
    def jacobian(self) -> Floats:
        """Jacobian A, shape (m, n)."""
        ...

    def d_rate(self) -> Floats:
        """Return the derivative (m, n) of c' along a step, at fixed v."""
        ...

    def d_load(self, load: Floats) -> Floats:
        """Return the derivative (n, n) of A^T load along a step, at fixed load (m,)."""
        ...


class Constraint(Protocol):
    """Rows that bind the coordinates of `bodies`, concatenated in that order.

    The constraint adds the force A^T lam to these bodies. If its bias is d_rate() v + time_bias(t),
    with dc'/dt at fixed q and v, the method `time_bias` (m,) saves a second evaluation. One of one
    row that presses and cannot pull has the method `switched`, which returns the constraint on its
    other side, and says in `instead` what to use where it would pull.
    """

    @property
    def name(self) -> str:
        """Name in the system."""
        ...

    @property
    def bodies(self) -> Sequence[Body]:
        """Bodies that it binds."""
        ...

    @property
    def rows(self) -> Sequence[str]:
        """Names of its m rows."""
        ...

    @property
    def level(self) -> Level:
        """What it binds."""
        ...

    def at(self, t: float, q: Floats, v: Floats) -> Rows:
        """Return the rows at a state."""
        ...

    def bias(self, t: float, q: Floats, v: Floats) -> Floats:
        """Return c'' - A v', shape (m,)."""
        ...
