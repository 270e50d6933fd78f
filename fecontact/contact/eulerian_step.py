"""An Eulerian contact over a time step.

In the frame R of the slave, whose material turns by theta = int Omega dt through the points,

    z_tr = (I - n n^T) R exp(-theta D) (z_n + h/2 R_n^T s_n) + h/2 s ,

the trapezoidal integral of the slip velocity along the path of the material. The law then gives
traction, z and mode as in any other step.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from fecontact.contact._kernels import OPEN
from fecontact.contact.elasto_plastic import ElastoPlastic, FrictionStep
from fecontact.contact.eulerian_contact import EulerianPoints, Spun
from fecontact.contact.stepping import UNLIMITED, ContactHistory
from fecontact.typing import Floats, History, Tangents

__all__ = ["EulerianStart", "EulerianStep"]


@dataclass(frozen=True, eq=False)
class EulerianStart:
    """What a pair remembers from the start of a step.

    Attributes
    ----------
    slip : (p, 3)
        Slip velocity in the frame of the slave.
    angle
        Angle of the spin in rad, if it is a coordinate.
    """

    pair: Spun
    law: ElastoPlastic
    history: History
    slip: Floats
    angle: float

    @staticmethod
    def of(pair: Spun, t: float, q: Floats, v: Floats, history: History) -> EulerianStart:
        """Remember the slip of all points."""
        frame = pair.frame(q, v)
        slip = pair.approach(q, v, t).slip @ frame.rotation
        return EulerianStart(pair, pair.law, history, slip, frame.angle)

    def at(self, t: float, q: Floats, v: Floats, h: float) -> EulerianStep:
        """Contact after a step h, at the time t."""
        points = EulerianPoints(self.pair, self.pair.approach(q, v, t), self.pair.frame(q, v))
        return EulerianStep(self, points, h)

    def stuck(self) -> EulerianStart:
        """Start of the same step with bristles that never yield: elastic tangents."""
        return replace(self, law=replace(self.law, mu=UNLIMITED))


@dataclass(frozen=True, eq=False)
class EulerianStep:
    """A pair at the end of a step of length h."""

    start: EulerianStart
    points: EulerianPoints
    h: float

    @cached_property
    def force(self) -> Floats:
        """Generalised force (N,) on slave and master."""
        return self.points.approach.pull(self.point_force)

    @cached_property
    def point_force(self) -> Floats:
        """Forces F (p, 3) on the slave."""
        return self.points.load(self.friction.traction)

    @cached_property
    def friction(self) -> FrictionStep:
        """Traction, new z in space components, modes and slip work per area."""
        start, points = self.start, self.points
        slip, pressure = points.approach.slip, points.pressure[0]
        return start.law.step(self.trial, slip, pressure, start.history.mode, self.h)

    @cached_property
    def history(self) -> ContactHistory:
        """What to keep if the step is accepted; wear is counted at the places of the points."""
        z, weights = self.friction.z, self.points.pair.surface.weights
        closed = self.friction.mode != OPEN
        path = np.where(closed, np.linalg.norm(self.trial - z, axis=1), 0.0)
        wear = self.start.history.wear + np.column_stack([weights * self.friction.work, path])
        return ContactHistory(z @ self.points.frame.rotation, self.friction.mode, wear)

    @cached_property
    def trial(self) -> Floats:
        """Trial elastic slip z_tr (p, 3) in space components."""
        carried = self._passed @ self.points.frame.rotation.T
        return self.points.flat(carried) + 0.5 * self.h * self.points.approach.slip

    def tangents(self) -> Tangents:
        """Derivatives of `force` along a step of the freedoms, and by the velocities."""
        start, points, at = self.start, self.points, self.points.approach
        law = start.law.tangent(self.trial, at.slip, points.pressure[0], start.history.mode)
        results = []
        for change, carried in ((at.by_q, self._d_carried()), (at.by_v, 0.0)):
            d_traction = points.d_traction(law, change, carried + 0.5 * self.h * change.slip)
            d_force = points.d_load(change, d_traction)
            results.append(at.tangent(self.point_force, d_force, change is at.by_q))
        return results[0], results[1]

    @cached_property
    def _passed(self) -> Floats:
        """What the material brings to the points (p, 3), in the frame of the slave."""
        start, frame, rings = self.start, self.points.frame, self.points.pair.rings
        before = start.history.z + 0.5 * self.h * start.slip
        if rings is None:
            return before
        free = bool(frame.by_step.any())
        return rings.shifted(before, frame.angle - start.angle if free else self.h * frame.spin)

    def _d_carried(self) -> Floats:
        """Derivative (p, 3, N) of the part of z_tr that the material brings, along a step."""
        frame, rings = self.points.frame, self.points.pair.rings
        carried = self._passed @ frame.rotation.T
        if rings is None or not frame.by_step.any():
            return self.points.d_flat(carried)
        slower = -rings.derivative(self._passed) @ frame.rotation.T
        return self.points.d_flat(carried, slower[:, :, None] * frame.by_step)
