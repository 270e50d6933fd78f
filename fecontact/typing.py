"""Array aliases and the protocols that bodies, joints, loads and contacts share.

`Item`, `Body` and `Constraint` are what a system is made of. The protocols `Has...` are answers
that an item may give in addition; an item without them contributes nothing to that sum.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, Protocol, TypeAlias, runtime_checkable

import numpy as np
import numpy.typing as npt

__all__ = [
    "Body",
    "Chosen",
    "Complexes",
    "Constraint",
    "Contact",
    "ContactReport",
    "ContactStatus",
    "Floats",
    "HasDissipation",
    "HasElasticForce",
    "HasEnergy",
    "HasEvaluate",
    "HasKineticEnergy",
    "HasMass",
    "HasMemory",
    "HasMomentum",
    "HasRotation",
    "HasSliding",
    "HasStrainEnergy",
    "HasSupply",
    "HasTerms",
    "HasTimeBias",
    "History",
    "Integers",
    "Item",
    "Level",
    "MemoryFlow",
    "MemoryStart",
    "MemoryStep",
    "MemoryTangents",
    "OneSided",
    "Rows",
    "Tangents",
]

Floats: TypeAlias = npt.NDArray[np.float64]
Complexes: TypeAlias = npt.NDArray[np.complex128]
Integers: TypeAlias = npt.NDArray[np.int64]

Chosen: TypeAlias = slice | Integers
"""Some of the points of a surface: a slice, or their numbers."""

Tangents: TypeAlias = tuple[Floats, Floats]
"""The pair (df/dq, df/dv) of a generalised force f(t, q, v).

df/dq is the derivative along steps of the freedoms (`Body.move`), so both are square.
"""


Level: TypeAlias = Literal["position", "velocity"]
"""A constraint binds positions, 0 = c(t, q), or velocities only, 0 = A(t, q) v - b(t)."""


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

    def d_inertia(self, q: Floats, a: Floats) -> Floats:
        """Return the derivative (n, n) of M(q) a along a step, at fixed a."""
        ...


class Rows(Protocol):
    """m constraint rows at one state of the n freedoms they refer to."""

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


@runtime_checkable
class Constraint(Protocol):
    """Rows that bind the coordinates of `bodies`, concatenated in that order.

    The constraint adds the force A^T lam to these bodies.
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


@runtime_checkable
class HasTimeBias(Protocol):
    """A constraint whose bias needs no second evaluation: bias = d_rate() v + time_bias(t)."""

    def time_bias(self, t: float) -> Floats:
        """Return dc'/dt at fixed q and v, shape (m,): -s_0''(t) of a law, zero of a joint."""
        ...


@runtime_checkable
class OneSided(Protocol):
    """A constraint of one row that presses and cannot pull: its multiplier is not negative."""

    def switched(self) -> Constraint:
        """Return the constraint on its other side."""
        ...

    @property
    def instead(self) -> str:
        """What to use where it would pull, for messages."""
        ...


class ContactStatus(Protocol):
    """What the points of a contact do."""

    @property
    def pressure(self) -> Floats:
        """Pressure of each point."""
        ...

    @property
    def slip_speed(self) -> Floats:
        """Slip speed of each point in m/s."""
        ...

    @property
    def normal_force(self) -> float:
        """Sum of the normal forces in N."""
        ...

    @property
    def open(self) -> int:
        """Number of points without contact."""
        ...

    @property
    def sliding(self) -> int:
        """Number of points in sliding contact."""
        ...


@runtime_checkable
class Contact(Protocol):
    """An item that knows which of its points touch."""

    def status(self, q: Floats, v: Floats, t: float = 0.0) -> ContactStatus:
        """What each point does."""
        ...


class History(Protocol):
    """What p contact points with k internal variables each remember."""

    @property
    def z(self) -> Floats:
        """Internal variables (p, k): elastic slip in the frame of the master, then a layer's."""
        ...

    @property
    def mode(self) -> Integers:
        """Modes (p,): 0 open, 1 stick, 2 slip, 3 gross slip."""
        ...

    @property
    def wear(self) -> Floats:
        """Slip work in J and slip path in m since the start (p, 2); not part of the dynamics."""
        ...


class ContactReport(Protocol):
    """What p contact points do, and the balance of their energy.

    The work of the generalised force is W = -d(energy) - damping - slip + supplied.
    """

    @property
    def gap(self) -> Floats:
        """Gaps (p,) in m."""
        ...

    @property
    def pressure(self) -> Floats:
        """Pressures (p,)."""
        ...

    @property
    def normal(self) -> Floats:
        """Normals (p, 3) of the master, towards the slave."""
        ...

    @property
    def traction(self) -> Floats:
        """Friction tractions (p, 3) on the slave."""
        ...

    @property
    def slip(self) -> Floats:
        """Slip velocities (p, 3) in m/s."""
        ...

    @property
    def position(self) -> Floats:
        """Places (p, 3) in m."""
        ...

    @property
    def mode(self) -> Integers:
        """Modes (p,)."""
        ...

    @property
    def energy(self) -> float:
        """Energy in J stored in normal and tangential springs."""
        ...

    @property
    def damping_power(self) -> float:
        """Power in W of normal and tangential dampers."""
        ...

    @property
    def slip_power(self) -> float:
        """Power in W of slip."""
        ...

    @property
    def supplied_power(self) -> float:
        """Power in W of motion that is not in v."""
        ...

    @property
    def balance(self) -> Floats:
        """Stored energy in J, dissipated power in W, area x slip path of points (3, p or 0)."""
        ...


class MemoryStep(Protocol):
    """An item with memory at the end of a time step."""

    @property
    def force(self) -> Floats:
        """Generalised force (n,)."""
        ...

    @property
    def history(self) -> History:
        """What to keep if the step is accepted."""
        ...

    def tangents(self) -> Tangents:
        """Return df/dq along a step of the freedoms and df/dv, at a fixed step in time."""
        ...

    def report(self) -> ContactReport:
        """What the points do."""
        ...


class MemoryStart(Protocol):
    """An item with memory at the start of a time step."""

    def at(self, t: float, q: Floats, v: Floats, h: float) -> MemoryStep:
        """Return the end of a step h at the time t."""
        ...

    def stuck(self) -> MemoryStart:
        """Return the same start for points that never slide: elastic tangents."""
        ...


class MemoryTangents(Protocol):
    """Derivatives of force (n,) and rates z' (p k,) by q, v (n) and z (p k).

    `rate_by_z` is (p k, p k), or one block (p, k, k) per point.
    """

    @property
    def force_by_q(self) -> Floats:
        """Derivative of the force by q."""
        ...

    @property
    def force_by_v(self) -> Floats:
        """Derivative of the force by v."""
        ...

    @property
    def force_by_z(self) -> Floats:
        """Derivative of the force by z."""
        ...

    @property
    def rate_by_q(self) -> Floats:
        """Derivative of the rates by q."""
        ...

    @property
    def rate_by_v(self) -> Floats:
        """Derivative of the rates by v."""
        ...

    @property
    def rate_by_z(self) -> Floats:
        """Derivative of the rates by z."""
        ...


class MemoryFlow(Protocol):
    """An item with memory in continuous time."""

    @property
    def force(self) -> Floats:
        """Generalised force (n,) at the stored z."""
        ...

    @property
    def rate(self) -> Floats:
        """Rates z' (p, k)."""
        ...

    @property
    def wear_rate(self) -> Floats:
        """Slip power in W and slip speed in m/s (p, 2)."""
        ...

    def tangents(self) -> MemoryTangents:
        """Return the derivatives of force and rates."""
        ...

    def report(self) -> ContactReport:
        """What the points do."""
        ...


@runtime_checkable
class HasMemory(Protocol):
    """A contact that remembers: its friction or its layer has internal variables."""

    @property
    def points(self) -> int:
        """Number p of points."""
        ...

    @property
    def columns(self) -> int:
        """Number k of internal variables of a point; 0 if its laws have no memory."""
        ...

    def begin(self, t: float, q: Floats, v: Floats, history: History) -> MemoryStart:
        """Return the start of a time step."""
        ...

    def flow(self, t: float, q: Floats, v: Floats, history: History) -> MemoryFlow:
        """Return force and rates at a state."""
        ...


@runtime_checkable
class HasSliding(Protocol):
    """A contact with memory that knows its history in steady sliding."""

    def slid(self, t: float, q: Floats, v: Floats) -> History:
        """Return z = -T/c_t at the traction T of sliding, at which z rests; no wear."""
        ...


@runtime_checkable
class HasEvaluate(Protocol):
    """An item that gives force and tangents from one evaluation of its kinematics."""

    def evaluate(self, t: float, q: Floats, v: Floats) -> tuple[Floats, Floats, Floats]:
        """Return f, df/dq and df/dv."""
        ...


@runtime_checkable
class HasTerms(Protocol):
    """An item that names the parts of its tangents, so that a balance of power can say why."""

    def terms(self, t: float, q: Floats, v: Floats) -> Mapping[str, Tangents]:
        """Return parts of (df/dq, df/dv) by name; they add up to `tangents`."""
        ...


@runtime_checkable
class HasKineticEnergy(Protocol):
    """A body that knows its kinetic energy."""

    def kinetic_energy(self, q: Floats, v: Floats, t: float = 0.0) -> float:
        """Kinetic energy in J; the time matters to a body in a frame of prescribed motion."""
        ...


@runtime_checkable
class HasStrainEnergy(Protocol):
    """A body that stores energy in its deformation."""

    def strain_energy(self, q: Floats) -> float:
        """Strain energy in J."""
        ...


@runtime_checkable
class HasElasticForce(Protocol):
    """A body whose own forces balance each other: its deformation against its inertia."""

    def elastic_force(self, q: Floats) -> Floats:
        """Force (n,) of the deformation alone, which is part of `force`."""
        ...


@runtime_checkable
class HasMomentum(Protocol):
    """A body that knows its momentum."""

    def momentum(self, q: Floats, v: Floats, t: float = 0.0) -> tuple[Floats, Floats]:
        """Momentum (3,), and angular momentum (3,) about the origin, in space components."""
        ...


@runtime_checkable
class HasEnergy(Protocol):
    """A joint or load with a potential."""

    def energy(self, t: float, q: Floats, v: Floats) -> float:
        """Potential energy in J."""
        ...


@runtime_checkable
class HasDissipation(Protocol):
    """An item that dissipates."""

    def dissipated_power(self, t: float, q: Floats, v: Floats) -> float:
        """Dissipated power in W, not negative."""
        ...


@runtime_checkable
class HasSupply(Protocol):
    """A body with a drive inside that keeps its motion up."""

    def supplied_power(self, t: float, q: Floats, v: Floats) -> float:
        """Power in W that the drive brings into the balance of kinetic and strain energy."""
        ...


@runtime_checkable
class HasMass(Protocol):
    """A body with a total mass."""

    @property
    def mass(self) -> float:
        """Mass in kg."""
        ...


@runtime_checkable
class HasRotation(Protocol):
    """A body with a frame that turns."""

    def rotation(self, q: Floats) -> Floats:
        """Rotation matrix (3, 3) from body to space components."""
        ...
