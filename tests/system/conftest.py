"""Hand-made constraints: quadratic rows, ball joints and hinges; a spherical four-bar."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from fecontact.body.rigid import DOFS, RigidBody
from fecontact.joint import Gravity
from fecontact.joint.marker import MarkerPair, frame_about
from fecontact.joint.relative import Relative
from fecontact.system import System


@dataclass(frozen=True, eq=False)
class Quadric:
    """c_i = a_i . q + q . B_i q/2 - p_0 - p_1 t - p_2 t^2/2 on bodies whose q is additive."""

    name: str
    bodies: tuple
    linear: np.ndarray  # (m, n)
    bend: np.ndarray | None = None  # (m, n, n), symmetric
    law: tuple = (0.0, 0.0, 0.0)
    level: str = "position"

    @property
    def rows(self):
        return tuple(f"r{i}" for i in range(len(self.linear)))

    def at(self, t, q, v):
        p0, p1, p2 = self.law
        A = self.linear + self._bend @ q
        return Relative(
            self.linear @ q + 0.5 * (self._bend @ q) @ q - p0 - p1 * t - 0.5 * p2 * t**2,
            A @ v - p1 - p2 * t,
            A,
            lambda: self._bend @ v,
            lambda load: np.einsum("i,ijk->jk", load, self._bend),
        )

    def bias(self, t, q, v):
        return (self._bend @ v) @ v - self.law[2]

    @property
    def _bend(self):
        n = np.shape(self.linear)[1]
        return np.zeros((len(self.linear), n, n)) if self.bend is None else np.asarray(self.bend)


@dataclass(frozen=True, eq=False)
class Pinned:
    """Ball joint, or a hinge if it has an axis."""

    name: str
    pair: MarkerPair
    axis: tuple | None = None
    level: str = "position"

    @property
    def rows(self):
        return ("x", "y", "z") if self.axis is None else ("x", "y", "z", "rx", "ry")

    @property
    def bodies(self):
        return self.pair.bodies

    def at(self, t, q, v):
        motion = self.pair.motion(q, v)
        if self.axis is None:
            return motion.displacement()
        E = frame_about(np.asarray(self.axis))
        tilt = motion.direction(E[:, 2]).mapped(E[:, :2].T)
        return Relative.stacked([motion.displacement(), tilt])

    def bias(self, t, q, v):
        return self.at(t, q, v).d_rate() @ v


@pytest.fixture(scope="session")
def quadric():
    return Quadric


@pytest.fixture(scope="session")
def pin():
    """pin(name, a, b, place, axis): joint at a place in space; a and b may be None."""

    def pin(name, a, b, place, axis=None):
        point = np.subtract(place, b.position if b else np.zeros(3))
        return Pinned(name, MarkerPair(name, a, b, tuple(point)), axis)

    return pin


@pytest.fixture(scope="session")
def four_bar(pin):
    """Spherical four-bar of the Keppler source notes, T15, in units of the given size."""

    def build(length=1.0, mass=1.0, joints=4):
        angles = np.deg2rad([[0, 0], [30, 0], [60, 40], [60, 90]])  # polar, azimuth of the axes
        axes = [
            np.array([np.sin(p) * np.cos(a), np.sin(p) * np.sin(a), np.cos(p)]) for p, a in angles
        ]
        bodies = [
            RigidBody(
                f"b{k}", mass, DOFS, (0.04 * mass * length**2,) * 3,
                tuple(0.5 * length * (axes[k - 1] + axes[k])),
            )
            for k in (1, 2, 3)
        ]  # fmt: skip
        ends = [None, *bodies, None]
        pins = [
            pin(f"j{k}", ends[k], ends[k + 1], length * axes[k], tuple(axes[k]))
            for k in range(joints)
        ]
        return System(bodies, [*pins, Gravity(bodies, (0.0, -9.81 * length, 0.0))])

    return build
