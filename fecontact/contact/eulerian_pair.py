"""Contact of a spinning disc described in space, with the history of the material that passes.

The contact points of an axisymmetric slave do not turn with its spin Omega; its bristles do. With
the elastic slip z in the frame of the slave, cylindrical components along each ring,

    z_t + Omega D z = law(z, s, p),      D = d/dphi, spectral (`contact.kinematics.rings`).

Steady sliding is then a true equilibrium, z included. The displacement of a material point along
the surface over a time step is the integral of its slip velocity, by the trapezoidal rule. A slave
without spin (a brake pad, a ring at rest) needs no rings: its points are its material.

Faces that are not true turn with their body and are periodic in time here: the initial gap of the
surface with the slave, `master_gap` with the master, each about the z axis of its body. The gap of
the surface is known at the points only and turns by its harmonics below n/2 on rings of n points.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from fecontact.body.base import as_body, knows_points
from fecontact.contact.evaluate.points import PairPoints
from fecontact.contact.kinematics.rings import Rings
from fecontact.contact.kinematics.slip import OnSlave
from fecontact.contact.kinematics.spinning import check_round_master, refuse_other_states, turned
from fecontact.contact.kinematics.transport import dot
from fecontact.contact.laws.base import stateful
from fecontact.contact.pair import ContactPair
from fecontact.contact.surface.gap_fields import GapField, check_waves
from fecontact.errors import InputError, renamed
from fecontact.typing import Floats

__all__ = ["EulerianPair"]

ANGLE = 1e-3
"""Step in rad of the difference quotient of a gap field around the axis."""


@renamed(places="positions")
@dataclass(frozen=True, eq=False)
class EulerianPair(ContactPair):
    """Contact whose slave may spin through its contact points.

    Parameters
    ----------
    slave
        RigidBody, with a prescribed spin, the dof "spin" or none; or SpinningDisc, whose lower face
        touches.
    surface
        Its points: rings about the z axis of the slave if it spins. Their initial gap turns with
        the slave.
    master
        PlateFace of a spinning disc, or any other surface.
    normal, friction, name
        As for `ContactPair`.
    master_gap
        Initial gap of the master in m at t = 0 (`waviness`), as a function of points relative to
        the centre of its body; it turns about it with the prescribed speed of the master. The
        slave's spin must be prescribed too.
    """

    slave: Any
    master_gap: GapField | None = None
    spin: float = field(init=False, repr=False)
    rings: Rings | None = field(init=False, repr=False)
    positions: Floats = field(init=False, repr=False)
    master_speed: float = field(init=False, repr=False)
    master_centre: Floats = field(init=False, repr=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        spin = as_body(self.slave).material_spin
        rings = None if spin == 0.0 else Rings.of(self.surface, self.name)
        start = self.slave.reference(), np.zeros(len(self.slave.dofs))
        if stateful(self.normal) is not None:
            raise InputError(
                f"{self.name}: invalid normal = {type(self.normal).__name__} on a spinning "
                "surface: expected a law without history, such as PenaltyNormal or PowerNormal"
            )
        refuse_other_states(self.name, self.friction)
        object.__setattr__(self, "spin", spin)
        object.__setattr__(self, "rings", rings)
        object.__setattr__(self, "positions", self._point_motion(*start, self._located).position)
        if not (self.master_gap is None or callable(self.master_gap)):
            raise InputError(
                f"{self.name}: invalid master_gap = {self.master_gap}: expected a function of "
                "points such as waviness(amplitude); the same gap everywhere is given to the "
                "surface, with_gap"
            )
        speed, centre = self._axis_of_master()
        object.__setattr__(self, "master_speed", speed)
        object.__setattr__(self, "master_centre", centre)
        uneven = np.ptp(self.surface.gap) > 0.0 or self.master_gap is not None
        if uneven and np.isnan(spin):
            raise InputError(
                f"{self.name}: invalid initial gap under '{self.slave.name}' with the dof 'spin': "
                "expected a prescribed spin of the slave"
            )
        if self.master_gap is not None:
            check_waves(self.master_gap, self.positions - centre)

    def _check_slave(self) -> None:
        """A slave is a body whose points move, with axes for their history."""
        if isinstance(self.slave, type) or not knows_points(self.slave):
            raise InputError(
                f"{self.name}: invalid {type(self.slave).__name__} as slave: expected a body with "
                "a frame for the history of its points, such as a RigidBody or a SpinningDisc"
            )
        OnSlave.of(self.name, self.slave)

    def _check_round(self) -> None:
        """`Rings` refuses points that are not round; initial gaps turn here."""
        start = self.slave.reference(), np.zeros(len(self.slave.dofs))
        points = self._point_motion(*start, self._located).position
        check_round_master(self.name, self.master, points)

    @cached_property
    def transports_material(self) -> bool:
        """Whether slip is the integral of a velocity: always."""
        return True

    @cached_property
    def time_dependent(self) -> bool:
        """Whether a frame moves as given, or an initial gap turns past the points."""
        return self.in_prescribed_frame or bool(np.any(self.gap_rate(0.0)))

    @cached_property
    def transport(self) -> OnSlave:
        """History on the slave, carried along its rings."""
        return OnSpinningFace(as_body(self.slave), self.rings, self)

    def gap(self, t: float) -> Floats | float:
        """Initial gaps at the points."""
        own = self._own_gap(t)
        return own if self.master_gap is None else own + self._master_gap(t, self.positions)

    def gap_drift(self, t: float) -> Floats | float:
        """Rate of the gap that the material of the slave sees: it passes that of the master."""
        if self.master_gap is None:
            return 0.0
        speed, centre = self.spin, np.asarray(self.slave.position, dtype=float)
        if np.array_equal(centre[:2], self.master_centre[:2]):
            return (speed - self.master_speed) * self._around(t, centre)
        own = speed * self._around(t, centre) if speed else 0.0
        return own - self.master_speed * self._around(t, self.master_centre)

    def gap_rate(self, t: float) -> Floats | float:
        """Rate of the initial gaps at the points, which stand in space."""
        own = self._own_gap(t)
        rate: Floats | float = 0.0
        if self.rings is not None and isinstance(own, np.ndarray):
            rate = -self.spin * self.rings.derivative(own)
        if self.master_gap is None:
            return rate
        return rate - self.master_speed * self._around(t, self.master_centre)

    def _own_gap(self, t: float) -> Floats | float:
        """Gap of the slave at the points."""
        gap = self.surface.gap
        if self.rings is None or not isinstance(gap, np.ndarray) or gap.ndim == 0:
            return gap
        return self.rings.shifted(gap, self.spin * t)

    def _master_gap(self, t: float, positions: Floats) -> Floats:
        """Gap of the master (p,) at positions (p, 3) in space."""
        assert self.master_gap is not None
        return self.master_gap(turned(positions - self.master_centre, -self.master_speed * t))

    def _around(self, t: float, centre: Floats) -> Floats:
        """Derivative of the gap of the master by the angle about a centre, of fourth order."""
        away = self.positions - centre
        d = [self._master_gap(t, centre + turned(away, k * ANGLE)) for k in (-2, -1, 1, 2)]
        return (d[0] - 8.0 * d[1] + 8.0 * d[2] - d[3]) / (12.0 * ANGLE)

    def _axis_of_master(self) -> tuple[float, Floats]:
        """Prescribed speed of the master and centre of its body; needed for its gap."""
        for body in map(as_body, self.master.bodies):
            speed = body.prescribed_spin
            if speed is not None:
                return speed, np.array(body.position, dtype=float)
        if self.master_gap is not None:
            raise InputError(
                f"{self.name}: invalid master_gap on {type(self.master).__name__}: expected a "
                "master with a prescribed spin (PlateFace, or RigidFace of such a body)"
            )
        return 0.0, np.zeros(3)


@dataclass(frozen=True, eq=False)
class OnSpinningFace(OnSlave):
    """History on a slave whose gaps, and those of its master, turn with the bodies."""

    pair: EulerianPair | None = None
    springs_in_space: ClassVar[bool] = True

    def supplied_power(self, points: PairPoints) -> float:
        """Power in W that motion which is not in v supplies.

        The springs stand in space: the spin v_s of the slave's material does not load them, their
        gaps turn with the bodies. So, with what is not in v, u = v_rel - J v, and the drift d of
        the gap, it is -F . u - A p d + A p_e (n . v_s + d - dg_0/dt).
        """
        assert self.pair is not None
        at, pressure, drift = points.kinematics, points.pressure[0], points.kinematics.gap_drift
        spring = self.pair.normal.pressure(at.gap, np.zeros_like(at.gap))[0]
        given = at.velocity - at.jacobian @ points.v
        supplied = -pressure * (dot(at.normal, given) + drift) - dot(points.traction, given)
        spun = dot(at.normal, self.spin_velocity(at.slave, points.v))
        supplied += spring * (spun + drift - self.pair.gap_rate(points.t))
        return float(points.weights @ supplied)
