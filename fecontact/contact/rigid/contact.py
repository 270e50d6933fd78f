"""Unilateral contact without penalty: points of a body that cannot enter a master.

    0 <= g  perp  N >= 0,      sticking |T| <= mu_s N,      sliding T = -mu(|s|, p) N s/|s|

The laws are set-valued: forces are not functions of the state but impulses that a time-stepping
method finds for all contacts at once (`simulate(..., method="moreau")`). On a body with few
dofs the conditions may hold in the mean over parts of the surface (Waltersberger 3.10),
g_i = sum_p h_ip g_p with weights h_ip >= 0 that sum to one; the contact forces are then spread by
the same weights, F_p = sum_i h_ip F_i (3.59). Coefficients of friction are those of all contacts
(`contact.laws.coefficient`); they see the pressure N/A of a point, and in the mean that of an area
1/sum_p (h_ip^2/A_p).

With a normal law the normal force follows from the gap, and friction alone is set-valued: the mixed
form (Waltersberger 4.4.2), whose accelerations are unique.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from numbers import Real
from typing import Any, NoReturn

import numpy as np

from fecontact.body.base import as_body
from fecontact.contact.base import Contact
from fecontact.contact.evaluate.compiled.laws import compiled_coefficient, packed_surface
from fecontact.contact.history import ContactHistory
from fecontact.contact.kinematics.relative import ContactKinematics
from fecontact.contact.laws.base import Coefficient, NormalLaw, SlidingLaw
from fecontact.contact.laws.coefficient import coefficient_of, refuse_pressure
from fecontact.contact.master.rigid_face import RigidFace
from fecontact.contact.pair import ContactPair
from fecontact.contact.rigid.frames import tangent_frames
from fecontact.contact.rigid.rate import RigidRate
from fecontact.errors import NON_NEGATIVE, Allowed, InputError, check, shown
from fecontact.typing import Floats, Integers, Tangents

__all__ = ["Conditions", "RigidContact"]

FRACTION = Allowed("between 0 and 1", lambda x: 0.0 <= x <= 1.0)


@dataclass(frozen=True)
class Conditions:
    """The m conditions of a contact at one state of its N dofs.

    Attributes
    ----------
    gap : (m,)
        Gaps in m.
    rows : (m, 3, N)
        Velocity of normal and two tangents per velocity v.
    drift : (m, 3)
        Velocities that are not in v: spins and frames of prescribed motion.
    frames : (p, 3, 3)
        Normal and tangents of the points.
    rotation : (3, 3)
        Frame of the master, with which the history turns.
    """

    gap: Floats
    rows: Floats
    drift: Floats
    frames: Floats
    rotation: Floats


@dataclass(frozen=True, eq=False)
class RigidContact(Contact):
    """Unilateral contact with Coulomb friction and restitution.

    Parameters
    ----------
    slave
        Body that carries the contact points.
    surface
        Its contact points.
    master
        Surface of the other body, or of the ground.
    friction
        Coefficient mu: a number, or a law of `contact.laws.coefficient` such as
        `Coulomb(0.3, static=0.4)`, `Stribeck` or `FrictionTable`.
    restitution
        Fraction e of the approach speed (Newton), or of the impulse (Poisson), that comes back.
    normal
        Normal law of the mixed form; by default the contact is rigid.
    averages : (m, p)
        Weights h_ip of conditions in the mean; by default one condition per point.
    name
        Name in the system.

    Examples
    --------
    >>> from fecontact.body import RigidBody
    >>> from fecontact.contact import Plane, RigidFace, Surface
    >>> ball = RigidBody("ball", 1.0, ("uz",), position=(0.0, 0.0, 0.5))
    >>> foot = Surface(np.zeros((1, 3)), np.ones(1))
    >>> contact = RigidContact(ball, foot, RigidFace(None, Plane()), restitution=0.8)
    >>> contact.conditions(0.0, np.zeros(1), np.zeros(1)).gap.tolist()
    [0.5]
    """

    friction: float | Coefficient = 0.0
    restitution: float = 0.0
    normal: NormalLaw | None = None
    averages: Floats | None = None
    name: str = "contact"

    def __post_init__(self) -> None:
        self.coefficient  # noqa: B018  # refuses what is no coefficient
        check(f"{self.name}: restitution", self.restitution, FRACTION)
        if self.averages is not None:
            self._check_averages(np.asarray(self.averages))
        if self.restitution > 0.0 and self.constant is None:
            refuse_pressure(
                self.coefficient,
                f"with restitution = {self.restitution:g} of {self.name}, as impacts have no "
                "pressure",
            )
        if self.normal is not None and not self.slides:
            raise InputError(
                f"{self.name}: invalid normal law without friction: expected friction > 0, or a "
                "ContactPair"
            )
        self.compliant  # noqa: B018  # refuses a surface that does not fit

    def _check_averages(self, h: Floats) -> None:
        if self.normal is not None:
            raise InputError(f"{self.name}: invalid averages: expected none with a normal law")
        fits = h.ndim == 2 and h.shape[1] == self.points and h.shape[0] > 0
        if not (fits and h.min() >= 0.0 and np.allclose(h.sum(axis=1), 1.0, rtol=1e-12)):
            raise InputError(
                f"{self.name}: invalid averages of shape {h.shape}: expected weights (m, "
                f"{self.points}), not negative, with the sum 1 in each row"
            )

    @cached_property
    def coefficient(self) -> Coefficient:
        """The friction coefficient as a law."""
        return _coefficient(self.friction, self.name)

    @cached_property
    def constant(self) -> float | None:
        """The friction coefficient, if it is the same for all points at all speeds."""
        return getattr(self.coefficient, "constant", None)

    @property
    def slides(self) -> bool:
        """Whether there is any friction."""
        return self.constant is None or self.constant > 0.0

    @cached_property
    def compliant(self) -> ContactPair:
        """The same points as a contact pair: the kinematics, and the force of a normal law."""
        nothing: Any = NoForce()
        normal = nothing if self.normal is None else self.normal
        return ContactPair(self.slave, self.surface, self.master, normal, nothing, self.name)

    @property
    def backend(self) -> str:
        """How it is evaluated: impulses, found for all contacts of a step at once.

        With the reason if its rows have no compiled form.
        """
        why = self.not_compiled
        return "impulses" if why is None else f"impulses, reference: {why}"

    @cached_property
    def not_compiled(self) -> str | None:
        """Why its rows have no compiled form; None if they have one."""
        slave, master = as_body(self.slave), self.master
        if self.normal is not None:
            return "normal law with set-valued friction"
        if packed_surface(master) is None or slave.frame_parts() is None:
            return f"{type(self.slave).__name__} on {type(master).__name__}"
        if isinstance(master, RigidFace) and master.marker.frame_parts() is None:
            return f"{type(master).__name__} on {type(master.body).__name__}"
        if self.constant is None and not compiled_coefficient(self.coefficient):
            return f"coefficient {type(self.coefficient).__name__} is written in Python"
        return None

    @property
    def columns(self) -> int:
        """The history of a point is the mean force on it over the last step, in the master's frame.

        It turns with the master, so that normal force and friction stay what they were.
        """
        return 3

    @cached_property
    def owner(self) -> Integers:
        """Condition (p,) with the largest weight at each point."""
        h = self.averages
        found = np.arange(self.points) if h is None else np.argmax(h, axis=0)
        return found.astype(np.int64)

    @cached_property
    def areas(self) -> Floats:
        """Areas (m,) over which the conditions spread their forces, in m^2."""
        weights, h = np.asarray(self.surface.weights, dtype=float), self.averages
        return weights if h is None else 1.0 / (np.asarray(h) ** 2 @ (1.0 / weights))

    def statuses(self, status: Integers) -> Integers:
        """Statuses (m,) of the conditions from those (p,) of the points: where they weigh most."""
        return status if self.averages is None else status[np.argmax(self.averages, axis=1)]

    def kinematics(self, q: Floats, v: Floats, t: float = 0.0) -> ContactKinematics:
        """Kinematics of all points."""
        return self.compliant.kinematics(q, v, t)

    def conditions(self, t: float, q: Floats, v: Floats) -> Conditions:
        """Gaps and rows of all conditions."""
        at = self.kinematics(q, v, t)
        frames = tangent_frames(at.normal)
        rows = frames @ at.jacobian
        speed = (frames @ at.velocity[:, :, None])[:, :, 0]
        speed[:, 0] = at.gap_rate
        drift, gap = speed - rows @ v, at.gap
        if self.averages is not None:
            h = self.averages
            gap, drift = h @ gap, h @ drift
            rows = np.tensordot(h, rows, axes=1)
        return Conditions(gap, rows, drift, frames, at.projection.rotation)

    def spread(self, values: Floats) -> Floats:
        """Forces or works (p, ...) of the points from those (m, ...) of the conditions."""
        return values if self.averages is None else self.averages.T @ values

    def gathered(self, values: Floats) -> Floats:
        """Forces (m, 3) of the conditions from those (p, 3) of the points."""
        return values if self.averages is None else self._gather @ values

    def force(self, t: float, q: Floats, v: Floats) -> NoReturn:
        """Refuse: the force is no function of the state."""
        raise InputError(
            f"{self.name}: a rigid contact has no force law; simulate with method 'moreau', or "
            "take a ContactPair"
        )

    def tangents(self, t: float, q: Floats, v: Floats) -> Tangents:
        """Refuse as `force`."""
        self.force(t, q, v)

    def status(self, q: Floats, v: Floats, t: float = 0.0) -> NoReturn:
        """Refuse as `force`."""
        self.force(t, q, v)

    def begin(self, t: float, q: Floats, v: Floats, history: ContactHistory) -> NoReturn:
        """Refuse as `force`."""
        self.force(t, q, v)

    def rate(self, t: float, q: Floats, v: Floats, history: ContactHistory) -> RigidRate:
        """Contact at a state with the forces of the last step."""
        return RigidRate(self, self.kinematics(q, v, t), history)

    @cached_property
    def _gather(self) -> Floats:
        assert self.averages is not None
        return np.asarray(np.linalg.pinv(self.averages.T))


def _coefficient(friction: Any, name: str) -> Coefficient:
    """Coefficient of a rigid contact; laws with a stiffness are refused."""
    if isinstance(friction, Real):
        check(f"{name}: friction", friction, NON_NEGATIVE)
    elif isinstance(friction, SlidingLaw) or not callable(getattr(friction, "values", None)):
        raise InputError(
            f"{name}: invalid friction = {shown(friction)}: expected a number >= 0 or a "
            "coefficient such as Coulomb(0.3, static=0.4); laws with a stiffness need a ContactPair"
        )
    return coefficient_of(friction)


class NoForce:
    """Normal and friction law of points that feel nothing."""

    def pressure(self, gap: Floats, gap_rate: Floats) -> tuple[Floats, Floats, Floats]:
        """Zero, with its derivatives."""
        nothing = np.zeros_like(gap)
        return nothing, nothing, nothing

    def energy(self, gap: Floats) -> Floats:
        """Zero."""
        return np.zeros_like(gap)

    def traction(self, pressure: Floats, slip: Floats) -> tuple[Floats, Floats, Floats]:
        """Zero, with its derivatives."""
        return np.zeros_like(slip), np.zeros_like(slip), np.zeros((len(slip), 3, 3))
