"""Contact between the points of a slave and the surface of a master.

Per point with weight A, the force on the slave is F = A (p n + T), with the pressure p of the
normal law and the traction T of the friction law; the master bears -F at the same position. The
generalised force is the sum of J^T F over the points. The tangents are exact: they contain the
change of pressure, of slip direction, of the normal, and the follower terms d(J^T F)/dq at fixed F.

`force` and `tangents` treat the friction as sliding (the limit c_t -> infinity of a law with
history): the form of steady states (`contact.evaluate.sliding`). A pair whose friction has a
history also answers `begin` (time steps, `contact.evaluate.step`) and `rate` (continuous time,
`contact.evaluate.rate`); its `transport` says how the history follows the material.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from fecontact.body.base import as_body, knows_points
from fecontact.body.motion import PointMotion
from fecontact.contact.base import Contact, Rate
from fecontact.contact.evaluate.compiled import step as compiled
from fecontact.contact.evaluate.compiled.laws import not_compiled
from fecontact.contact.evaluate.compiled.points import made_once
from fecontact.contact.evaluate.last_result import LastResult
from fecontact.contact.evaluate.lowered.fixed_status import lowered_fixed_status
from fecontact.contact.evaluate.lowered.on_facets import lowered_on_facets
from fecontact.contact.evaluate.lowered.on_slave import lowered_on_slave
from fecontact.contact.evaluate.lowered.on_slave_rate import lowered_on_slave_rate
from fecontact.contact.evaluate.lowered.rate import lowered_rate
from fecontact.contact.evaluate.lowered.sliding import lowered_sliding
from fecontact.contact.evaluate.lowered.sliding_points import lowered_sliding_points
from fecontact.contact.evaluate.lowered.step import lowered_pair
from fecontact.contact.evaluate.lowered.translating import lowered_translating_pair
from fecontact.contact.evaluate.lowered.translating_rate import lowered_translating_rate
from fecontact.contact.evaluate.rate import ContactRate
from fecontact.contact.evaluate.sliding import Sliding
from fecontact.contact.evaluate.sliding_terms import sliding_terms
from fecontact.contact.history import ContactHistory
from fecontact.contact.kinematics.anchors import OnMaster
from fecontact.contact.kinematics.relative import ContactKinematics
from fecontact.contact.kinematics.slip import OnSlave
from fecontact.contact.kinematics.spinning import check_round_master, check_round_points, spins
from fecontact.contact.kinematics.transport import Transport
from fecontact.contact.laws.base import (
    FrictionLaw,
    NormalLaw,
    SlidingLaw,
    history_states,
    history_width,
)
from fecontact.contact.laws.point import StateVariable
from fecontact.contact.master.base import Master
from fecontact.contact.plausibility import thinnest, warn_stiff
from fecontact.contact.report import ContactReport, ContactStatus
from fecontact.contact.surface.points import Surface
from fecontact.errors import InputError, check_kind, renamed, shown
from fecontact.kernels.lowered import Lowered
from fecontact.typing import Floats, Integers, Tangents

__all__ = ["ContactPair", "Sliding"]

NORMAL = (
    "PenaltyNormal(stiffness), PowerNormal, TableNormal, winkler_layer, a layer with history, or "
    "the law() of HertzPoint, HertzLine, HertzEllipse or JKRContact"
)
FRICTION = "ElastoPlastic(mu, stiffness), RegularisedCoulomb(mu, speed) or CoulombSliding(mu)"

AWAY, TOUCHING = 0.5, 1e-3
"""Cosine from which on two normals point the same way; gap, relative to the size, that is none."""

SAME_SURFACE = 1e-9
"""Gap, relative to the size of the surface, of points that lie on the master."""


@renamed(
    approach="kinematics",
    flow="rate",
    slid="steady_sliding_history",
    passing="transports_material",
    timed="in_prescribed_frame",
)
@dataclass(frozen=True, eq=False)
class ContactPair(Contact):
    """Areal or line contact with normal law and friction law.

    Slave and master may be surfaces of one body: two arms of a clip that close. It then has the
    dofs of the body twice, as those of the slave and of the master; the system sums them.

    Parameters
    ----------
    slave
        Body that carries the contact points.
    surface
        Its contact points.
    master
        Surface of the other body, or of the ground.
    normal, friction
        The contact laws.
    name
        Name in the system.
    """

    normal: NormalLaw
    friction: SlidingLaw
    name: str = "contact"

    def __post_init__(self) -> None:
        check_kind(f"{self.name}: surface", self.surface, Surface)
        self._check_slave()
        if not isinstance(self.master, Master):
            raise InputError(
                f"{self.name}: invalid master = {shown(self.master)}: expected a surface; the "
                "ground is RigidFace(None, Plane())"
            )
        self._check_law("normal", self.normal, ("pressure", "energy"), NORMAL)
        self._check_law("friction", self.friction, ("traction",), FRICTION)
        self._check_shapes()
        self._check_round()
        self._check_itself()
        self._check_side()
        warn_stiff(self.name, self.normal, self.surface, self.bodies)

    def _check_itself(self) -> None:
        """A body that touches itself deforms, and with two surfaces."""
        if not any(body is self.slave for body in self.master.bodies):
            return
        if as_body(self.slave).rigid or spins(self.slave):
            raise InputError(
                f"{self.name}: invalid slave and master on '{self.slave.name}': expected two "
                "bodies; contact of a body with itself needs one that deforms and does not spin"
            )
        q, v = (np.tile(x, 2) for x in (self.slave.reference(), np.zeros(len(self.slave.dofs))))
        gap = self.kinematics(q, v).gap
        size = float(np.ptp(self.surface.points, axis=0).max(initial=0.0))
        if len(gap) > 1 and np.all(np.abs(gap) <= SAME_SURFACE * size):
            raise InputError(
                f"{self.name}: invalid slave and master on '{self.slave.name}': expected two "
                "surfaces; all points lie on the master from the start"
            )

    def _check_side(self) -> None:
        """A face that lies on a flat master from the start looks at it."""
        flat = getattr(getattr(self.master, "shape", None), "normal", None)
        if flat is None or self.surface.normals is None:
            return
        along = self.surface.normals @ np.asarray(flat, dtype=float) / np.linalg.norm(flat)
        if self.surface.weights @ along <= AWAY * self.surface.measure:
            return
        start = [body.reference() for body in self.bodies]
        q = np.concatenate(start)
        gap = self.kinematics(q, np.zeros(sum(len(body.dofs) for body in self.bodies))).gap
        size = float(np.ptp(self.surface.points, axis=0).max(initial=0.0))
        if np.median(np.abs(gap)) <= TOUCHING * size:
            raise InputError(
                f"{self.name}: invalid normal {flat} of the master: expected one that points "
                f"towards '{self.slave.name}', whose surface lies on it and looks the same way; "
                "turn it round, or take the other face"
            )

    def _check_round(self) -> None:
        """Bodies that spin without a coordinate are bodies of revolution."""
        if spins(self.slave):
            check_round_points(self.name, self.slave.name, self.surface)
        if not self.master.round and any(spins(body) for body in self.master.bodies):
            start = self.slave.reference(), np.zeros(len(self.slave.dofs))
            points = self._point_motion(*start, self._located).position
            check_round_master(self.name, self.master, points)

    def _check_slave(self) -> None:
        """A slave is a body whose points move."""
        if isinstance(self.slave, type) or not knows_points(self.slave):
            raise InputError(
                f"{self.name}: invalid slave = {shown(self.slave)}: expected a body that knows "
                "the motion of its points, such as a RigidBody or an ElasticBody; discs that "
                "spin need an EulerianPair"
            )

    def _check_shapes(self) -> None:
        """Points of an elastic slave have its shapes, those of a rigid one have none."""
        shapes = self.surface.shapes
        given = 0 if shapes is None else shapes.shape[2]
        modes = as_body(self.slave).elastic_shapes
        if modes is not None and given != modes:
            cure = f"{modes}: take elastic_surface(body, name) of this body"
            raise InputError(
                f"{self.name}: invalid surface with {given or 'no'} elastic shapes on "
                f"'{self.slave.name}' with {len(self.slave.dofs)} dofs: expected "
                f"{cure if modes else 'none'}"
            )

    def _check_law(self, kind: str, law: Any, answers: tuple[str, ...], laws: str) -> None:
        """A law is an object that answers; a method such as `HertzPoint.law` must be called."""
        if isinstance(law, type) or not all(hasattr(law, answer) for answer in answers):
            raise InputError(
                f"{self.name}: invalid {kind} = {shown(law)}: expected a law such as {laws}"
            )

    @cached_property
    def in_prescribed_frame(self) -> bool:
        """Whether a body is in a frame of prescribed motion."""
        return any(as_body(body).prescribed_frame is not None for body in self.bodies)

    @cached_property
    def time_dependent(self) -> bool:
        """Whether its force at given coordinates and velocities changes with time."""
        return self.in_prescribed_frame

    @cached_property
    def transports_material(self) -> bool:
        """Whether material of the master passes the points without a coordinate: it spins.

        With friction history, a slave that spins itself is refused.
        """
        if isinstance(self.friction, FrictionLaw) and spins(self.slave):
            raise InputError(
                f"{self.name}: slave '{self.slave.name}' spins through its contact points, and "
                "their friction history would stay behind; use EulerianPair, or give it 'rz'"
            )
        return any(spins(body) for body in self.master.bodies)

    def force(self, t: float, q: Floats, v: Floats) -> Floats:
        """Generalised contact force on slave and master, sliding."""
        point = self.sliding(q, v, t)
        return point.kinematics.apply_transpose(point.force)

    def tangents(self, t: float, q: Floats, v: Floats) -> Tangents:
        """Derivatives of `force`, non-symmetric."""
        return self.sliding(q, v, t).tangents()

    def terms(self, t: float, q: Floats, v: Floats) -> dict[str, Tangents]:
        """Parts of `tangents` by their cause, see `contact.evaluate.sliding_terms`."""
        point = self.sliding(q, v, t)
        return sliding_terms(point.kinematics, self.surface.weights, point.pressure, point.traction)

    def of_master(self, q: Floats, v: Floats) -> tuple[Floats, Floats]:
        """Coordinates and velocities of the master, from those of the pair."""
        return q[len(self.slave.reference()) :], v[len(self.slave.dofs) :]

    def status(self, q: Floats, v: Floats, t: float = 0.0) -> ContactStatus:
        """Pressure and slip speed of each point, and the normal force.

        The time t matters to prescribed frames and to gaps that turn.
        """
        return self.sliding(q, v, t).carried

    @cached_property
    def pressed_into(self) -> tuple[float, str]:
        """Smallest length in m that its points are pressed into, and what it is."""
        return thinnest(self.normal, self.surface, self.bodies)

    @cached_property
    def columns(self) -> int:
        """Number of internal variables of a point; 0 if the friction has no history."""
        if not isinstance(self.friction, FrictionLaw):
            return 0
        return history_width(self.normal, self.friction)

    @cached_property
    def states(self) -> tuple[StateVariable, ...]:
        """Internal variables of a point, in the order of its history."""
        return history_states(self.normal, self.friction)

    @cached_property
    def transport(self) -> Transport:
        """How the elastic slip of its points follows the material."""
        if self.transports_material:
            return OnSlave.of(self.name, self.slave)
        return OnMaster(self.name, self.master, len(self.slave.reference()))

    def lowered(self) -> Lowered | None:
        """The pair, sliding, as a compiled function; None if it has none."""
        return lowered_sliding(self) or lowered_sliding_points(self)

    def lowered_steps(self) -> Lowered | None:
        """The pair with its history as a compiled function over time steps; None if it has none."""
        return _lowered_steps(self)

    def lowered_fixed_status(self) -> Lowered | None:
        """The pair between two events as a compiled function; None if it has none."""
        return lowered_fixed_status(self)

    def lowered_rate(self) -> Lowered | None:
        """The pair in continuous time as a compiled function; None if it has none."""
        return _lowered_rate(self)

    def begin(self, t: float, q: Floats, v: Floats, history: ContactHistory) -> compiled.Start:
        """Start of a time step from a committed history."""
        return compiled.begin(self, t, q, v, history)

    def rate(self, t: float, q: Floats, v: Floats, history: ContactHistory) -> Rate:
        """Force and rates of the elastic slip in continuous time."""
        return compiled.rate(self, t, q, v, history)

    def shown_rate(self, t: float, q: Floats, v: Floats, history: ContactHistory) -> Rate:
        """As `rate`; a compiled kernel shows in the same run what the points do."""
        return compiled.rate(self, t, q, v, history, shows=True)

    def history_axes(self, t: float, q: Floats, v: Floats) -> Floats:
        """Rotation (3, 3) of the frame with which the elastic slip turns: that of the master.

        On a spinning master it is that of the slave.
        """
        return self.transport.axes(self.kinematics(q, v, t), t, q, v).rotation

    @cached_property
    def backend(self) -> str:
        """How its time steps are evaluated: "compiled", or "reference" and why."""
        if self.columns == 0:
            return "sliding only"
        why = self.not_compiled
        return "compiled" if why is None else f"reference: {why}"

    @cached_property
    def not_compiled(self) -> str | None:
        """Why its time steps have no compiled form; None if they have one, or it has no history."""
        if self.columns == 0 or compiled.kernel_of(self) is not None:
            return None
        law = not_compiled(self.normal, self.friction)
        return law or f"{type(self.slave).__name__} on {type(self.master).__name__}"

    def steady_sliding_history(self, t: float, q: Floats, v: Floats) -> ContactHistory:
        """History of steady sliding, z = -T/c_t with the traction T of sliding; points at rest: 0.

        A layer with history starts unloaded.
        """
        fresh, law = ContactHistory.fresh(self.points, self.columns), self.friction
        now = self.sliding(q, v, t)
        if isinstance(law, FrictionLaw):
            spring = law.bristle(now.pressure[0])[0][:, None]
            bent = np.zeros_like(now.traction[0])
            np.divide(-now.traction[0], spring, out=bent, where=spring > 0.0)
            fresh.z[:, :3] = bent @ self.history_axes(t, q, v)
        return ContactHistory(fresh.z, now.status, fresh.slip_totals)

    def sliding(self, q: Floats, v: Floats, t: float = 0.0) -> Sliding:
        """Pressure, traction and force of all points, sliding.

        The last evaluation is kept: force, tangents and status ask for the same one in turn.
        """
        return self._sliding(q, v, t)

    @cached_property
    def _sliding(self) -> LastResult[Sliding]:
        return LastResult(self._slide)

    def _slide(self, q: Floats, v: Floats, t: float) -> Sliding:
        return Sliding(self, self.kinematics(q, v, t))

    def report(self, t: float, q: Floats, v: Floats) -> ContactReport:
        """What the points do if they slide: the report of a contact without history."""
        return self.sliding(q, v, t).report(v)

    def kinematics(self, q: Floats, v: Floats, t: float = 0.0) -> ContactKinematics:
        """Kinematics of all points; the last are kept: a step ends where the next starts."""
        return self._latest_kinematics(q, v, t)

    @cached_property
    def _latest_kinematics(self) -> LastResult[ContactKinematics]:
        return LastResult(self._new_kinematics)

    @cached_property
    def latest_rate(self) -> LastResult[ContactRate]:
        """The pair in continuous time in the reference form, at (q, v, t, z, status).

        The last one is kept: a run begins with the rates that its start has been checked with.
        """
        return LastResult(self._new_rate)

    def _new_rate(self, q: Floats, v: Floats, t: float, z: Floats, status: Integers) -> ContactRate:
        return ContactRate.of(self, t, q.copy(), v.copy(), z.copy(), status.copy())

    def point_motion(self, q: Floats, v: Floats, t: float = 0.0) -> PointMotion:
        """Motion of the slave's points, from the coordinates and velocities of the pair."""
        n, n_q = len(self.slave.dofs), len(self.slave.reference())
        return self._point_motion(q[:n_q], v[:n], self._located, t)

    def gap(self, t: float) -> Floats | float:
        """Initial gaps at the points."""
        return self.surface.gap

    def gap_drift(self, t: float) -> Floats | float:
        """Rate of the initial gaps that the material of the slave sees."""
        return 0.0

    def gap_rate(self, t: float) -> Floats | float:
        """Rate of the initial gaps at the points."""
        return 0.0

    @cached_property
    def _point_motion(self) -> Callable[..., PointMotion]:
        return as_body(self.slave).point_motion

    @cached_property
    def _located(self) -> Any:
        """The points as the slave takes them."""
        return as_body(self.slave).located(self.surface.material)

    def _new_kinematics(self, q: Floats, v: Floats, t: float) -> ContactKinematics:
        q, v = q.copy(), v.copy()  # derivatives are worked out later, when they may have changed
        n, n_q = len(self.slave.dofs), len(self.slave.reference())
        slave = self.point_motion(q, v, t)
        projection = self.master.project(slave.position, q[n_q:], v[n:], t)
        return ContactKinematics(slave, projection, self.gap(t), self.gap_drift(t))


@made_once
def _lowered_steps(pair: ContactPair) -> Lowered | None:
    on_rigid = lowered_translating_pair(pair) or lowered_pair(pair)
    return on_rigid or lowered_on_slave(pair) or lowered_on_facets(pair)


@made_once
def _lowered_rate(pair: ContactPair) -> Lowered | None:
    return lowered_translating_rate(pair) or lowered_rate(pair) or lowered_on_slave_rate(pair)
