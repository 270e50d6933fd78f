"""Two bodies with a joint, in joint coordinates (Keppler, examples 1.1 to 1.4 and section 2.3).

A joint is given by the pose H(q) = (A, r) of the outer body in the frame of the inner one and by
the matrix G(q) of its motions, both in joint coordinates q. Velocities V = (v, omega) are in body
components,

    V_2 = H_V(H^21) V_1 + G(q) q'                                                (Keppler 2.25)

Directions d of the spherical joint are the current ones.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.spatial.transform import Rotation

from fecontact.typing import Floats

__all__ = ["JOINT_KINDS", "JointFrames", "JointedMotion", "transport"]

JOINT_KINDS = ("revolute", "prismatic", "cylindrical", "universal", "spherical", "planar")
STEP = 2e-3
"""Step of the central differences in time, in s."""


def turn(angle: float, axis: Floats) -> Floats:
    """Rotation matrix A(angle, axis) (Keppler 1.9)."""
    return np.asarray(Rotation.from_rotvec(angle * axis).as_matrix())


def transport(A: Floats, r: Floats) -> Floats:
    """Matrix H_V (6, 6) of a frame turned by A and shifted by r (Keppler 1.26a)."""
    lever = np.cross(r[:, None], A, axis=0)
    return np.block([[A, lever], [np.zeros((3, 3)), A]])


@dataclass(frozen=True, eq=False)
class JointFrames:
    """Joint between two bodies in joint coordinates.

    Parameters
    ----------
    kind
        One of `JOINT_KINDS`.
    directions
        Three orthogonal directions (3, 3), as rows; the first is the axis.
    inner, outer
        Position of the joint from the centres of the inner and of the outer body (3,) in m.
    """

    kind: str
    directions: Floats
    inner: Floats
    outer: Floats

    @property
    def size(self) -> int:
        """Number of joint coordinates."""
        return {"revolute": 1, "prismatic": 1, "cylindrical": 2, "universal": 2}.get(self.kind, 3)

    def pose(self, q: Floats) -> tuple[Floats, Floats]:
        """H(q): rotation (3, 3) and centre (3,) of the outer body in the frame of the inner one."""
        d1, d2, d3 = self.directions
        if self.kind == "prismatic":
            return np.eye(3), self.inner - self.outer + q[0] * d1
        A = turn(q[0], d1)
        if self.kind == "cylindrical":
            return A, self.inner + q[1] * d1 - A @ self.outer
        if self.kind == "planar":
            return A, self.inner + A @ (q[1] * d2 + q[2] * d3 - self.outer)
        if self.kind in ("universal", "spherical"):
            A = turn(q[1], d2) @ A
        if self.kind == "spherical":
            A = turn(q[2], d3) @ A
        return A, self.inner - A @ self.outer

    def motions(self, q: Floats) -> Floats:
        """Columns of G(q) (6, n)."""
        d1, d2, d3 = self.directions
        back = turn(q[0], d1).T
        slides = [np.append(d, np.zeros(3)) for d in (d1, d2, d3)]
        if self.kind == "prismatic":
            columns = slides[:1]
        elif self.kind == "cylindrical":
            columns = [self._about(d1), slides[0]]
        elif self.kind == "universal":
            columns = [self._about(d1), self._about(back @ d2)]
        elif self.kind == "spherical":
            last = back @ turn(q[1], d2).T @ d3
            columns = [self._about(d1), self._about(back @ d2), self._about(last)]
        elif self.kind == "planar":
            lever = np.cross(d1, q[1] * d2 + q[2] * d3 - self.outer)
            columns = [np.append(lever, d1), *slides[1:]]
        else:
            columns = [self._about(d1)]
        return np.column_stack(columns)

    def _about(self, axis: Floats) -> Floats:
        """Column (r x d, d) of G: rotation about an axis through the joint."""
        return np.append(np.cross(self.outer, axis), axis)


class JointedMotion:
    """A motion of both bodies in time: the inner one anyhow, the outer one in joint coordinates.

    The inner body moves with a constant velocity in its own frame, the joint coordinates with
    constant accelerations; all are random.
    """

    def __init__(self, joint: JointFrames, rng: np.random.Generator) -> None:
        self.joint, self.laws = joint, rng.uniform(-1.5, 1.5, (3, joint.size))
        self.start = Rotation.from_rotvec(rng.uniform(-1.0, 1.0, 3)).as_matrix()
        self.V = rng.uniform(-2.0, 2.0, 6)

    def coordinates(self, t: float) -> tuple[Floats, Floats]:
        """Joint coordinates q and rates q'."""
        q, rate, second = self.laws
        return q + rate * t + 0.5 * second * t**2, rate + second * t

    def velocity(self, t: float) -> Floats:
        """Velocity V_2 of the outer body (Keppler 2.25)."""
        q, rate = self.coordinates(t)
        A, r = self.joint.pose(q)
        return transport(A.T, -A.T @ r) @ self.V + self.joint.motions(q) @ rate

    def frames(self, t: float) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats]]:
        """Rotation (3, 3) and centre (3,) of the inner and of the outer body."""
        v, omega = np.split(self.V, 2)
        inner = self.start @ turn(t, omega)
        position = self.start @ _integral(omega, t) @ v
        A, r = self.joint.pose(self.coordinates(t)[0])
        return (inner, position), (inner @ A, position + inner @ r)

    def state(self, t: float) -> tuple[Floats, Floats]:
        """Positions with quaternions (14,) and velocities (12,), spins in body components.

        Positions of the outer body are counted from `inner - outer`.
        """
        v, omega = np.split(self.V, 2)
        (inner, first), (outer, second) = self.frames(t)
        second, V = second - (self.joint.inner - self.joint.outer), self.velocity(t)
        q = [first, _quaternion(inner), second, _quaternion(outer)]
        return np.concatenate(q), np.concatenate([inner @ v, omega, outer @ V[:3], V[3:]])

    def twist(self) -> Floats:
        """Velocity of the outer body at t = 0 from H^-1 H' (Keppler 1.15), by differences."""
        rate = self.frames(0.0)[1][0].T @ self.derivative(
            lambda t: np.column_stack(self.frames(t)[1])
        )
        return np.array([*rate[:, 3], rate[2, 1], rate[0, 2], rate[1, 0]])

    def derivative(self, f: Callable[[float], Floats]) -> Floats:
        """Derivative in time at t = 0 by the central difference of sixth order."""
        terms = ((1, 45.0), (2, -9.0), (3, 1.0))
        total = sum(c * (f(k * STEP) - f(-k * STEP)) for k, c in terms)
        return np.asarray(total / (60.0 * STEP))


def _quaternion(R: Floats) -> Floats:
    return np.asarray(Rotation.from_matrix(R).as_quat(scalar_first=True))


def _integral(omega: Floats, t: float) -> Floats:
    """Integral of exp(omega~ t) over time."""
    w, size = np.cross(np.eye(3), -omega), np.linalg.norm(omega)
    s, c = np.sin(size * t), np.cos(size * t)
    return np.asarray(t * np.eye(3) + (1.0 - c) / size**2 * w + (size * t - s) / size**3 * w @ w)
