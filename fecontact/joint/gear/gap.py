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
from math import acos, atan2, cos, sin, sqrt, tan
from typing import NamedTuple

import numpy as np

from fecontact.body.marker import MarkedBody
from fecontact.body.motion import MarkerMotion
from fecontact.errors import InputError, SolverError
from fecontact.joint import _kernels as kernels
from fecontact.joint.frames import FrameRows
from fecontact.joint.gear.geometry import GearPair
from fecontact.joint.marker import Axis, MarkerPair, PairMotion, axis_vector, frame_about
from fecontact.joint.relative import Relative
from fecontact.typing import Floats

__all__ = ["FLANKS", "FlankGaps"]

FLANKS = np.array([[1.0, 1.0], [1.0, -1.0]])
"""Gaps of the front and the rear flank from (E, B)."""

PLACED = 1e-6
"""Relative deviation up to which the bodies are at the centre distance of their gears."""


class _MeshPoint(NamedTuple):
    """Centre and axis of gear b in the frame of gear a, centre distance and pressure angle."""

    x: float
    y: float
    z: float
    p_x: float
    p_y: float
    a: float
    alpha: float


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
        reference = self.pair.reference()
        self._check_axes(reference)
        distance = float(np.hypot(*(reference.displacement().value @ self.frame[:, :2])))
        if abs(distance - self.gears.distance) > PLACED * self.gears.distance:
            raise InputError(
                f"{self.pair.name}: the centres of the gears are {distance:.9g} m apart across the "
                f"axis; the gear pair has distance = {self.gears.distance:.9g} m"
            )

    def at(self, t: float, q: Floats, v: Floats) -> Relative:
        """E and B (2,) with their derivatives.

        All parts are seen from the material of gear a: spins count as rotations.
        """
        motion = self.pair.motion(q, v, t)
        a, b = motion.a, motion.b
        turn, e = a.rotation.T @ b.rotation, self.frame[:, 2]
        twist = np.concatenate([a.velocity, a.omega + a.spin, b.velocity, b.omega + b.spin])
        parts = np.concatenate(
            [
                kernels.displacement(a.position, a.rotation, b.position, twist),
                kernels.direction(turn, e, twist),
                kernels.angular_velocity(turn, np.zeros(3), twist),
            ]
        )
        mesh_point = self._mesh_point(parts[:3, 0], parts[3:6, 0])
        gradient, change = self._gradient(mesh_point, parts[3:6, 0])
        G, rows = parts[:, kernels.JACOBIAN], gradient @ parts
        bent = change @ G
        rows[:, 0] = self._value(turn, mesh_point)
        rows[1, 0] -= self._spun(t, q, motion)
        rows[:, kernels.D_RATE] += parts[:, 1] @ bent
        rows[:, kernels.SECOND] += (G.T @ bent).reshape(2, -1)
        return motion.frames.in_dofs(FrameRows(rows, spinning=True))

    @cached_property
    def reference(self) -> Floats:
        """E and B (2,) in the reference position."""
        bodies = self.pair.bodies
        q = np.concatenate([body.reference() for body in bodies])
        return self.at(0.0, q, np.zeros(sum(len(body.dofs) for body in bodies))).value

    def _spun(self, t: float, q: Floats, motion: PairMotion) -> float:
        """Part of B in m by spins: angles of free ones, or prescribed ones times t."""
        way, e, first = 0.0, self.frame[:, 2], 0
        ends = zip(
            (self.pair.a, self.pair.b), (motion.a, motion.b), self.gears.base_radii, strict=True
        )
        for body, marker, radius in ends:
            size = 0 if body is None else len(body.reference())
            angle = _free_angle(marker, q[first : first + size])
            way += radius * float(marker.spin @ e * t if angle is None else angle * e[2])
            first += size
        return self._cos * way

    def _mesh_point(self, r: Floats, p: Floats) -> _MeshPoint:
        x, y, z = self.frame.T @ r
        p_x, p_y = p @ self.frame[:, :2]
        a = sqrt(x * x + y * y)
        if a <= self.gears.base_sum:
            raise SolverError(
                f"{self.pair.name}: the centre distance fell to {a:.6g} m, but the base circles "
                f"need more than {self.gears.base_sum:.6g} m; stiffen the bearings or reduce the "
                "step"
            )
        return _MeshPoint(x, y, z, p_x, p_y, a, acos(self.gears.base_sum / a))

    def _value(self, turn: Floats, at: _MeshPoint) -> Floats:
        """E and B (2,); the twist is that of the rotation Q without its swing."""
        S, r_b, plane = self.gears.base_sum, self.gears.base_radii[1], self.frame[:, :2]
        Q = plane.T @ turn @ plane
        twist = atan2(Q[1, 0] - Q[0, 1], Q[0, 0] + Q[1, 1])
        raised = at.z + r_b / S * (at.x * at.p_x + at.y * at.p_y)
        B = self._cos * (S * atan2(at.y, at.x) - r_b * twist) + self._sin * raised
        return np.array([self._cos * S * (tan(at.alpha) - at.alpha), B])

    def _gradient(self, at: _MeshPoint, p: Floats) -> tuple[Floats, Floats]:
        """Gradient (2, 9) by r, p and the relative rotation, and its derivative (2, 9, 9).

        The twist has the rate k . psi with k = (e + p) / (1 + e . p), which is one for a rotation
        about either axis.
        """
        E, e, across = self.frame, self.frame[:, 2], self._across
        r_b = self.gears.base_radii[1]
        sine, cosine = self._cos * sin(at.alpha), self._cos * cos(at.alpha)
        c, t = np.array([[at.x, at.y], [-at.y, at.x]]) @ E[:, :2].T / at.a
        opened = 1.0 + float(e @ p)
        k = (e + p) / opened
        lever = self._sin * r_b / self.gears.base_sum
        ct = np.outer(c, t)

        gradient, change = np.zeros((2, 9)), np.zeros((2, 9, 9))
        gradient[0, :3] = sine * c
        gradient[1, :3] = cosine * t + self._sin * e + lever * (E[:, :2] @ [at.p_x, at.p_y])
        gradient[1, 3:6] = lever * at.a * c
        gradient[1, 6:] = -self._cos * r_b * k
        change[0, :3, :3] = (cosine / tan(at.alpha) - sine) / at.a * np.outer(c, c)
        change[0, :3, :3] += sine / at.a * across
        change[1, :3, :3] = -cosine / at.a * (ct + ct.T)
        change[1, :3, 3:6] = change[1, 3:6, :3] = lever * across
        change[1, 6:, 3:6] = self._cos * r_b / opened * (np.outer(k, e) - np.eye(3))
        return gradient, change

    def _check_axes(self, reference: PairMotion) -> None:
        """Raise if a body turns about one axis only, and this is not the one of its gear."""
        turning, start = reference.angular_velocity().jacobian, 0
        ends = zip((self.pair.a, self.pair.b), (reference.a, reference.b), strict=True)
        for body, end in ends:
            if body is None:
                continue
            columns = turning[:, start : start + len(body.dofs)]
            start += len(body.dofs)
            axes = np.column_stack([columns, end.spin])
            self._check_axis(body, axes)
            spins = bool(np.any(end.spin)) or end.spin_interpolation is not None
            arm = end.position - np.asarray(body.position)
            if spins and np.linalg.norm(self._across @ arm) > PLACED * self.gears.distance:
                raise InputError(
                    f"{self.pair.name}: invalid centre of the gear: expected one on the axis of "
                    f"the spin of '{body.name}', or a body with the dof 'rz'"
                )

    def _check_axis(self, body: MarkedBody, axes: Floats) -> None:
        if np.linalg.matrix_rank(axes) != 1:
            return
        single = axes[:, np.argmax(np.linalg.norm(axes, axis=0))]
        single = single / np.linalg.norm(single)
        if np.linalg.norm(self._across @ single) > PLACED:
            raise InputError(
                f"{self.pair.name}: invalid axis {single.round(6).tolist()} about which "
                f"'{body.name}' turns: expected one parallel to that of the gears, "
                f"{self.frame[:, 2].round(6).tolist()}"
            )

    @cached_property
    def frame(self) -> Floats:
        """Axes (3, 3) of the gears as columns, in components of gear a, their axis last."""
        return frame_about(axis_vector(f"{self.pair.name}: axis", self.axis))

    @cached_property
    def _across(self) -> Floats:
        """Projection (3, 3) across the axis."""
        return self.frame[:, :2] @ self.frame[:, :2].T

    @cached_property
    def _cos(self) -> float:
        return cos(self.gears.helix)

    @cached_property
    def _sin(self) -> float:
        return sin(self.gears.helix)


def _free_angle(marker: MarkerMotion, q: Floats) -> float | None:
    """Angle of a free spin, the coordinate whose rate is the spin; None if it is prescribed."""
    spin = marker.spin_interpolation
    if spin is None:
        return None
    dof = int(np.argmax(np.abs(spin).max(axis=0)))
    return float(q[dof + len(q) - spin.shape[1]])
