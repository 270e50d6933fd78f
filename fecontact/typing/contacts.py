"""Contacts: their report, their history, and how a step or a rate is evaluated."""

from __future__ import annotations

from typing import Protocol, Self, runtime_checkable

from fecontact.typing.arrays import Floats, Integers, Tangents
from fecontact.typing.items import Item

__all__ = [
    "Bristling",
    "Contact",
    "ContactReport",
    "ContactStatus",
    "History",
    "Stateful",
    "StatefulRate",
    "StatefulStart",
    "StatefulStep",
    "StatefulTangents",
]


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
    def sticking(self) -> int:
        """Number of points in contact without slip."""
        ...

    @property
    def sliding(self) -> int:
        """Number of points in sliding contact."""
        ...

    @property
    def status(self) -> Integers:
        """OPEN, STICK or SLIP of each point."""
        ...


@runtime_checkable
class Contact(Item, Protocol):
    """An item that knows which of its points touch."""

    def status(self, q: Floats, v: Floats, t: float = 0.0) -> ContactStatus:
        """What each point does."""
        ...


class History(Protocol):
    """History of p contact points with k internal variables each."""

    @property
    def z(self) -> Floats:
        """Internal variables (p, k): elastic slip in the frame of the master, then a layer's."""
        ...

    @property
    def status(self) -> Integers:
        """Modes (p,): 0 open, 1 stick, 2 slip, 3 gross slip."""
        ...

    @property
    def slip_totals(self) -> Floats:
        """Slip work in J and slip path in m since the start (p, 2); not part of the dynamics."""
        ...


class Bristling(Protocol):
    """What p bristles do over a step: the energy audit of friction."""

    @property
    def friction(self) -> Floats:
        """Friction forces (p, 3) in N on the slave."""
        ...

    @property
    def damper(self) -> Floats:
        """Forces (p, 3) in N of the dampers on the bristles."""
        ...

    @property
    def bend(self) -> Floats:
        """Change (p, 3) of the elastic slip in m."""
        ...

    @property
    def slide(self) -> Floats:
        """Slip (p, 3) in m, also of points that open."""
        ...

    @property
    def lost(self) -> float:
        """Power in W of the normal dampers."""
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
    def status(self) -> Integers:
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
    def point_slip_power(self) -> Floats:
        """Power (p,) in W that slip dissipates at each point."""
        ...

    @property
    def slip_power(self) -> float:
        """Power in W of slip: the sum over the points."""
        ...

    @property
    def supplied_power(self) -> float:
        """Power in W of motion that is not in v."""
        ...

    @property
    def bristles(self) -> Bristling | None:
        """What the energy audit needs of each point; None if there are no bristles."""
        ...

    def slipping(self, power: Floats) -> Self:
        """Return the same with another slip power (p,)."""
        ...


class StatefulStep(Protocol):
    """A stateful item at the end of a time step."""

    @property
    def force(self) -> Floats:
        """Generalised force (n,)."""
        ...

    @property
    def history(self) -> History:
        """What to keep if the step is accepted."""
        ...

    def tangents(self) -> Tangents:
        """Return df/dq along an increment of the dofs and df/dv, at a fixed step in time."""
        ...

    def report(self) -> ContactReport:
        """What the points do."""
        ...


class StatefulStart(Protocol):
    """A stateful item at the start of a time step."""

    def at(self, t: float, q: Floats, v: Floats, h: float) -> StatefulStep:
        """Return the end of a step h at the time t."""
        ...

    def no_slip(self) -> StatefulStart:
        """Return the same start for points that never slide: elastic tangents."""
        ...


class StatefulTangents(Protocol):
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
    def z_rate_by_q(self) -> Floats:
        """Derivative of the rates by q."""
        ...

    @property
    def z_rate_by_v(self) -> Floats:
        """Derivative of the rates by v."""
        ...

    @property
    def z_rate_by_z(self) -> Floats:
        """Derivative of the rates by z."""
        ...


class StatefulRate(Protocol):
    """A stateful item in continuous time."""

    @property
    def force(self) -> Floats:
        """Generalised force (n,) at the stored z."""
        ...

    @property
    def z_rate(self) -> Floats:
        """Rates z' (p, k)."""
        ...

    @property
    def slip_rates(self) -> Floats:
        """Slip power in W and slip speed in m/s (p, 2)."""
        ...

    @property
    def resulting_status(self) -> Integers:
        """Modes (p,) that follow from the state."""
        ...

    @property
    def powers(self) -> tuple[float, float]:
        """Power in W of the dampers, and that of motion which is not in v."""
        ...

    def tangents(self) -> StatefulTangents:
        """Return the derivatives of force and rates."""
        ...

    def report(self) -> ContactReport:
        """What the points do."""
        ...


@runtime_checkable
class Stateful(Item, Protocol):
    """A stateful contact: its friction or its layer has internal variables.

    If it knows its history in steady sliding, `slid(t, q, v)` returns z = -T/c_t at the traction T
    of sliding, at which z rests, without slip work and path.
    """

    @property
    def points(self) -> int:
        """Number p of points."""
        ...

    @property
    def columns(self) -> int:
        """Number k of internal variables of a point; 0 if its laws have no history."""
        ...

    def begin(self, t: float, q: Floats, v: Floats, history: History) -> StatefulStart:
        """Return the start of a time step."""
        ...

    def rate(self, t: float, q: Floats, v: Floats, history: History) -> StatefulRate:
        """Return force and rates at a state."""
        ...
