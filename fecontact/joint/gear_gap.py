"""Gaps of the two flanks of a gear pair on two moving bodies.

Seen from gear a with its axis e, let r be the way from its centre to the one of gear b, with the
distance a and the direction c across the axis, t = e x c, the polar angle gamma of c and the height
z along e; p is the axis of gear b and theta its angle of twist relative to gear a. The gaps along
the normals n of the front (+) and the rear (-) flank are

    g = E +- B
    E = Sigma cos(beta_b) inv(alpha) + const,                  cos(alpha) = Sigma / a
    B = cos(beta_b) (Sigma gamma - r_b2 theta) + sin(beta_b) (z + r_b2 / Sigma r . p_across) + const
    n = cos(beta_b) (sin(alpha) c +- cos(alpha) t) +- sin(beta_b) e

For axes that stay parallel this is (Jehle 3.76) with both flanks, and its rate (Jehle 3.77) is the
velocity n . (v_b - v_a) of the flanks: dg/dr = n, because inv' Sigma = a sin(alpha) / a. The rate
is thus integrable, also while the centre distance moves. The last term of B is the axial motion of
the pitch point if gear b tilts; tilts enter to first order, as befits parallel axes.

E depends on the centre distance alone: 2 E is the backlash. B changes by whole base pitches when a
body turns by 2 pi, so its value is known up to these: a gear does not know how often it has turned.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import atan2, cos, sin, tan

import numpy as np

from fecontact.body.rigid import RigidBody
from fecontact.errors import InputError, SolverError
from fecontact.joint.gear_geometry import GearPair
from fecontact.joint.marker import Axis, MarkerPair, PairMotion, axis_vector, frame_about
from fecontact.joint.relative import Relative
from fecontact.typing import Floats

__all__ = ["FLANKS", "FlankGaps"]

FLANKS = np.array([[1.0, 1.0], [1.0, -1.0]])
"""Gaps of the front and the rear flank from (E, B)."""

PLACED = 1e-6
"""Relative deviation up to which the bodies are at the centre distance of their gears."""


@dataclass(frozen=True, eq=False)
class FlankGaps:
    """The coordinates (E, B) of two gears on two bodies.

    Parameters
    ----------
    pair
        Centres of the gears, in the middle of the common face width.
    gears
        Geometry; gear 1 is on body a, gear 2 on body b.
    axis
        Of both gears in the reference position; it moves with body a.
    """

    pair: MarkerPair
    gears: GearPair
    axis: Axis

    def __post_init__(self) -> None:
        name, axis = self.pair.name, self._frame[:, 2]
        for body in self.pair.bodies:
            _check_axis(name, body, axis)
        across = self.pair.reference().displacement().value @ self._frame[:, :2]
        distance = float(np.hypot(*across))
        if abs(distance - self.gears.distance) > PLACED * self.gears.distance:
            raise InputError(
                f"{name}: the centres of the gears are {distance:.9g} m apart across the axis; the "
                f"gear pair has distance = {self.gears.distance:.9g} m"
            )

    def at(self, q: Floats, v: Floats) -> Relative:
        """E and B (2,) with their derivatives; B without the angle of prescribed spins."""
        motion = self.pair.motion(q, v)
        shift, tilt = motion.displacement(), motion.direction(self._frame[:, 2])
        parts = Relative.stacked([shift, tilt, motion.turning()])
        gradient, change = self._gradient(shift.value, tilt.value)
        G, rates = parts.jacobian, parts.rate
        return Relative(
            self._value(motion, shift.value, tilt.value),
            gradient @ rates - [0.0, self._cos * self.gears.base_sum * self._spin(self.pair.a)],
            gradient @ G,
            lambda: gradient @ parts.d_rate() + rates @ change @ G,
            lambda load: parts.d_load(load @ gradient) + G.T @ np.tensordot(load, change, 1) @ G,
        )

    @cached_property
    def reference(self) -> Floats:
        """E and B (2,) in the reference position."""
        bodies = self.pair.bodies
        q = np.concatenate([body.reference() for body in bodies])
        return self.at(q, np.zeros(sum(len(body.freedoms) for body in bodies))).value

    @cached_property
    def drift(self) -> float:
        """Rate of B in m/s by prescribed spins alone."""
        spins = self._spin(self.pair.a), self._spin(self.pair.b)
        return -self._cos * float(np.dot(self.gears.base_radii, spins))

    def _value(self, motion: PairMotion, r: Floats, p: Floats) -> Floats:
        E, S, r_b = self._frame, self.gears.base_sum, self.gears.base_radii[1]
        x, y, z = E.T @ r
        alpha = _pressure_angle(self.pair.name, S, float(np.hypot(x, y)))
        ux, uy = (motion.direction(E[:, i]).value for i in (0, 1))
        twist = atan2(E[:, 1] @ ux - E[:, 0] @ uy, E[:, 0] @ ux + E[:, 1] @ uy)
        raised = z + r_b / S * float(np.dot([x, y], E[:, :2].T @ p))
        B = self._cos * (S * atan2(y, x) - r_b * twist) + self._sin * raised
        return np.array([self._cos * S * (tan(alpha) - alpha), B])

    def _gradient(self, r: Floats, p: Floats) -> tuple[Floats, Floats]:
        """Gradient (2, 9) by r, p and the relative rotation, and its derivative (2, 9, 9).

        The twist has the rate k . psi with k = (e + p) / (1 + e . p), which is one for a rotation
        about either axis.
        """
        e, S, r_b = self._frame[:, 2], self.gears.base_sum, self.gears.base_radii[1]
        across = np.eye(3) - np.outer(e, e)
        a = float(np.linalg.norm(across @ r))
        alpha = _pressure_angle(self.pair.name, S, a)
        c = across @ r / a
        t = np.cross(e, c)
        k = (e + p) / (1.0 + e @ p)
        lever = self._sin * r_b / S
        cc, tt, ct = np.outer(c, c), np.outer(t, t), np.outer(c, t)

        gradient, change = np.zeros((2, 9)), np.zeros((2, 9, 9))
        gradient[0, :3] = self._cos * sin(alpha) * c
        gradient[1, :3] = self._cos * cos(alpha) * t + self._sin * e + lever * across @ p
        gradient[1, 3:6] = lever * across @ r
        gradient[1, 6:] = -self._cos * r_b * k
        change[0, :3, :3] = self._cos / a * (cos(alpha) / tan(alpha) * cc + sin(alpha) * tt)
        change[1, :3, :3] = -self._cos * cos(alpha) / a * (ct + ct.T)
        change[1, :3, 3:6] = change[1, 3:6, :3] = lever * across
        change[1, 6:, 3:6] = -self._cos * r_b / (1.0 + e @ p) * (np.eye(3) - np.outer(k, e))
        return gradient, change

    def _spin(self, body: RigidBody | None) -> float:
        """Prescribed spin in rad/s about the gear axis."""
        return 0.0 if body is None else body.spin * float(self._frame[2, 2])

    @cached_property
    def _frame(self) -> Floats:
        return frame_about(axis_vector(f"{self.pair.name}: axis", self.axis))

    @property
    def _cos(self) -> float:
        return cos(self.gears.helix)

    @property
    def _sin(self) -> float:
        return sin(self.gears.helix)


def _pressure_angle(name: str, base_sum: float, distance: float) -> float:
    """Working pressure angle, or an error if the base circles meet."""
    if distance <= base_sum:
        raise SolverError(
            f"{name}: the centre distance fell to {distance:.6g} m, but the base circles need more "
            f"than {base_sum:.6g} m; stiffen the bearings or reduce the step"
        )
    return float(np.arccos(base_sum / distance))


def _check_axis(name: str, body: RigidBody, axis: Floats) -> None:
    """Raise if a body turns about one axis only, and this is not the one of the gears."""
    single = body.axes[:, 0] if body.axes.shape[1] == 1 else None
    if single is None and body.spin:
        single = np.array([0.0, 0.0, 1.0])
    if single is not None and np.linalg.norm(np.cross(single, axis)) > PLACED:
        raise InputError(
            f"{name}: body '{body.name}' turns about {single.tolist()}, but the axis of the gears "
            f"is {axis.round(6).tolist()}; the axes must be parallel"
        )
