"""An Eulerian contact over a time step.

In the frame R of the slave, whose material turns by theta = int Omega dt through the points,

    z_tr = (I - n n^T) R exp(-theta D) (z_n + h/2 R_n^T s_n) + h/2 s ,

the trapezoidal integral of the slip velocity along the path of the material. The law then gives
traction, z and status as in any other step. The status, from which static friction is known, comes
with the material too, to the nearest point.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from fecontact.body.motion import SpinFrame
from fecontact.contact.evaluate.eulerian_contact import EulerianPoints, Spun
from fecontact.contact.evaluate.step import ContactHistory, refuse_pressed_through
from fecontact.contact.laws.base import FrictionLaw, FrictionStep, friction_pressure
from fecontact.contact.report import ContactReport
from fecontact.contact.status import OPEN
from fecontact.typing import Floats, History, Integers, Tangents

__all__ = ["EulerianStart", "EulerianStep"]


@dataclass(frozen=True, eq=False)
class EulerianStart:
    """What a pair keeps from the start of a step.

    Attributes
    ----------
    slip : (p, 3)
        Slip velocity in the frame of the slave.
    angle
        Angle of the spin in rad.
    """

    pair: Spun
    law: FrictionLaw
    history: History
    slip: Floats
    angle: float

    @staticmethod
    def of(pair: Spun, t: float, q: Floats, v: Floats, history: History) -> EulerianStart:
        """Keep the slip of all points."""
        frame, at = pair.frame(q, v, t), pair.kinematics(q, v, t)
        refuse_pressed_through(pair.name, pair.normal, at.gap[history.status == OPEN])
        slip = at.slip @ frame.rotation
        return EulerianStart(pair, pair.law, history, slip, _angle(frame, t))

    def at(self, t: float, q: Floats, v: Floats, h: float) -> EulerianStep:
        """Contact after a step h, at the time t."""
        return EulerianStep(self, EulerianPoints.of(self.pair, t, q, v), h)

    def no_slip(self) -> EulerianStart:
        """Start of the same step with bristles that never yield: elastic tangents."""
        return replace(self, law=self.law.no_slip())


@dataclass(frozen=True, eq=False)
class EulerianStep:
    """A pair at the end of a step of length h."""

    start: EulerianStart
    points: EulerianPoints
    h: float

    @cached_property
    def force(self) -> Floats:
        """Generalised force (N,) on slave and master."""
        return self.points.kinematics.apply_transpose(self.point_force)

    @cached_property
    def point_force(self) -> Floats:
        """Forces F (p, 3) on the slave."""
        return self.points.load(self.friction.traction)

    @cached_property
    def friction(self) -> FrictionStep:
        """Traction, new z in space components, status and slip work per area."""
        return self.start.law.step(*self._arguments)

    @cached_property
    def history(self) -> ContactHistory:
        """What to keep if the step is accepted; slip is counted at the positions of the points."""
        z, closed = self.friction.z, self.friction.status != OPEN
        path = np.where(closed, np.linalg.norm(self.trial - z, axis=1), 0.0)
        slip_totals = self.start.history.slip_totals + np.column_stack([self.slip_work, path])
        return ContactHistory(z @ self.points.frame.rotation, self.friction.status, slip_totals)

    @cached_property
    def slip_work(self) -> Floats:
        """Energy (p,) in J that slip dissipates in the step."""
        return self.points.pair.surface.weights * self.friction.work

    @cached_property
    def trial(self) -> Floats:
        """Trial elastic slip z_tr (p, 3) in space components."""
        brought = self.points.flat(self._brought(self._passed))
        return brought + 0.5 * self.h * self.points.kinematics.slip

    @cached_property
    def shift(self) -> Floats:
        """Displacement dx (p, 3) of the material along the surface."""
        brought = self.points.flat(self._brought(self._moved))
        return brought + 0.5 * self.h * self.points.kinematics.slip

    def report(self) -> ContactReport:
        """What the points do, with mean powers of the step."""
        friction, power = self.friction, self.slip_work / self.h
        bend = friction.z - (self.trial - self.shift)
        now = self.points.report(friction.z, bend / self.h, friction, power)
        assert now.bristles is not None
        return replace(now, bristles=now.bristles.moved(bend, self.trial - friction.z))

    def tangents(self) -> Tangents:
        """Derivatives of `force` along an increment of the dofs, and by the velocities."""
        points, at = self.points, self.points.kinematics
        z, slip, _, status, h, shift = self._arguments
        law = self.start.law.d_step(z, slip, friction_pressure(points.pressure), status, h, shift)
        results = []
        for change in (at.by_q, at.by_v):
            ahead = 0.5 * self.h * change.slip
            steps = change is at.by_q
            d_trial = ahead + self._d_brought(self._passed) if steps else ahead
            d_traction = law.by_z @ d_trial + law.by_slip @ change.slip
            d_traction += law.by_pressure[:, :, None] * points.d_pressure(change)[:, None, :]
            if law.by_shift is not None:
                d_shift = ahead + self._d_brought(self._moved) if steps else ahead
                d_traction += law.by_shift @ d_shift
            d_force = points.d_load(change, d_traction)
            results.append(at.tangent(self.point_force, d_force, steps))
        return results[0], results[1]

    @cached_property
    def _arguments(self) -> tuple[Floats, Floats, Floats, Integers, float, Floats | None]:
        """What the friction law asks for."""
        at, pressure = self.points.kinematics, self.points.pressure[0]
        return self.trial, at.slip, pressure, self._old_status, self.h, self.shift

    @cached_property
    def _old_status(self) -> Integers:
        """Modes (p,) of the material that comes to the points."""
        old, rings = self.start.history.status, self.points.pair.rings
        if rings is None:
            return old
        return rings.nearest(old, self.start.angle, _angle(self.points.frame, self.points.t))

    @cached_property
    def _passed(self) -> Floats:
        """Trial elastic slip (p, 3) that the material brings, in the frame of the slave."""
        return self._shifted(self.start.history.z + 0.5 * self.h * self.start.slip)

    @cached_property
    def _moved(self) -> Floats:
        """Its part from the slip at the start of the step."""
        return self._shifted(0.5 * self.h * self.start.slip)

    def _shifted(self, before: Floats) -> Floats:
        """Vectors (p, 3) of the material that comes to the points."""
        frame, rings = self.points.frame, self.points.pair.rings
        if rings is None:
            return before
        free = bool(frame.by_step.any())
        turn = frame.angle - self.start.angle if free else self.h * frame.spin
        return rings.shifted(before, turn)

    def _brought(self, passed: Floats) -> Floats:
        """In space components."""
        return passed @ self.points.frame.rotation.T

    def _d_brought(self, passed: Floats) -> Floats:
        """Derivative (p, 3, N) of their part along the surface, along a step."""
        frame, rings = self.points.frame, self.points.pair.rings
        space = self._brought(passed)
        if rings is None or not frame.by_step.any():
            return self.points.d_flat(space)
        farther = self._brought(-rings.derivative(passed))
        return self.points.d_flat(space, farther[:, :, None] * frame.by_step)


def _angle(frame: SpinFrame, t: float) -> float:
    """Angle of the spin in rad: a coordinate, or prescribed."""
    return frame.angle if frame.by_step.any() else frame.spin * t
