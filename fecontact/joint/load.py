"""Given loads: forces, torques, gravity."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from fecontact.body.motion import PointMotion
from fecontact.body.rigid import RigidBody
from fecontact.body.rotation import cross_matrix
from fecontact.errors import InputError
from fecontact.joint.curve import Curve, curve_through
from fecontact.joint.marker import Vector, vector
from fecontact.typing import Floats, Tangents

__all__ = ["Force", "Gravity", "Torque"]


@dataclass(frozen=True, eq=False)
class Force:
    """Force k(t) F on a point of a rigid body.

    Parameters
    ----------
    body
        The loaded body.
    vector
        F in N: space components, or body components for a follower.
    point
        Relative to the centre of mass, body components, in m.
    follower
        Whether the force turns with the body.
    factor
        k, or a curve of it over time in s, for example a `ramp`.
    """

    body: RigidBody
    vector: Vector
    point: Vector = (0.0, 0.0, 0.0)
    name: str = "force"
    follower: bool = False
    factor: float | Curve = 1.0
    _factor: Curve = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_factor", curve_through(f"{self.name}: factor", self.factor))
        vector(f"{self.name}: vector", self.vector, "N")
        vector(f"{self.name}: point", self.point, "m")

    @property
    def bodies(self) -> tuple[RigidBody]:
        """The loaded body."""
        return (self.body,)

    def force(self, t: float, q: Floats, v: Floats) -> Floats:
        """Force in the freedoms of the body."""
        return self._motion(q, v).jacobian[0].T @ self._space(t, q)

    def tangents(self, t: float, q: Floats, v: Floats) -> Tangents:
        """Derivatives of `force`: the lever turns with the body, and so does a follower."""
        n = len(self.body.freedoms)
        motion, force = self._motion(q, v), self._space(t, q)
        by_q = motion.d_load(force[None])
        if self.follower:
            turning = self.body.rotation(q) @ self.body.axes
            turned = -cross_matrix(force) @ turning
            by_q[:, n - turned.shape[1] :] += motion.jacobian[0].T @ turned
        return by_q, np.zeros((n, n))

    def energy(self, t: float, q: Floats, v: Floats) -> float:
        """Potential -k F . u in J of a space-fixed force, u from the reference position.

        A follower has none: its work is external, see `power`.
        """
        if self.follower:
            return 0.0
        home = np.add(self.body.position, self.point)
        return float(-self._space(t, q) @ (self._motion(q, v).position[0] - home))

    def power(self, t: float, q: Floats, v: Floats) -> float:
        """Power in W that the force gives to the freedoms of the body."""
        return float(self.force(t, q, v) @ v)

    def _motion(self, q: Floats, v: Floats) -> PointMotion:
        return self.body.motion(q, v, np.array([self.point]))

    def _space(self, t: float, q: Floats) -> Floats:
        given = self._factor.value(t) * np.asarray(self.vector, dtype=float)
        return self.body.rotation(q) @ given if self.follower else given


@dataclass(frozen=True, eq=False)
class Torque:
    """Torque k(t) M on a rigid body; not conservative in spatial rotations.

    Parameters
    ----------
    body
        The loaded body.
    vector
        M in N m: space components, or body components for a follower.
    follower
        Whether the torque turns with the body.
    factor
        k, or a curve of it over time in s, for example a `ramp`.
    """

    body: RigidBody
    vector: Vector
    name: str = "torque"
    follower: bool = False
    factor: float | Curve = 1.0
    _factor: Curve = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_factor", curve_through(f"{self.name}: factor", self.factor))
        vector(f"{self.name}: vector", self.vector, "N m")

    @property
    def bodies(self) -> tuple[RigidBody]:
        """The loaded body."""
        return (self.body,)

    def force(self, t: float, q: Floats, v: Floats) -> Floats:
        """Torque in the freedoms of the body."""
        result = np.zeros(len(self.body.freedoms))
        result[self._rotations] = self.body.axes.T @ self._fixed(t, q)
        return result

    def tangents(self, t: float, q: Floats, v: Floats) -> Tangents:
        """Derivatives of `force`: the body turns under a space-fixed torque."""
        n = len(self.body.freedoms)
        by_q = np.zeros((n, n))
        if not self.follower:
            axes, part = self.body.axes, self._rotations
            by_q[part, part] = axes.T @ cross_matrix(self._fixed(t, q)) @ axes
        return by_q, np.zeros((n, n))

    def power(self, t: float, q: Floats, v: Floats) -> float:
        """Power in W that the torque gives to the freedoms of the body."""
        return float(self.force(t, q, v) @ v)

    @property
    def _rotations(self) -> slice:
        return slice(self.body.directions.shape[1], len(self.body.freedoms))

    def _fixed(self, t: float, q: Floats) -> Floats:
        """Torque in body components."""
        given = self._factor.value(t) * np.asarray(self.vector, dtype=float)
        return given if self.follower else given @ self.body.rotation(q)


@dataclass(frozen=True, eq=False)
class Gravity:
    """Weight m g of rigid bodies, at their centres of mass.

    Parameters
    ----------
    bodies
        The heavy bodies.
    acceleration
        g in m/s^2, space components.

    Examples
    --------
    >>> stone = RigidBody("stone", 2.0)
    >>> Gravity([stone]).force(0.0, stone.reference(), np.zeros(3)).round(3).tolist()
    [0.0, 0.0, -19.613]
    """

    bodies: Sequence[RigidBody]
    acceleration: Vector = (0.0, 0.0, -9.80665)
    name: str = "gravity"

    def __post_init__(self) -> None:
        vector(f"{self.name}: acceleration", self.acceleration, "m/s^2")
        if not self.bodies:
            raise InputError(f"{self.name}: bodies is empty; it must hold at least one body")

    def force(self, t: float, q: Floats, v: Floats) -> Floats:
        """Weights in the freedoms of the bodies; constant."""
        return self._force

    def tangents(self, t: float, q: Floats, v: Floats) -> Tangents:
        """Derivatives of `force`: zero."""
        n = len(self._force)
        return np.zeros((n, n)), np.zeros((n, n))

    def energy(self, t: float, q: Floats, v: Floats) -> float:
        """Potential -m g . u in J, u from the reference position."""
        start, total = 0, 0.0
        for body in self.bodies:
            u = body.directions @ q[start : start + body.directions.shape[1]]
            total -= body.mass * float(np.asarray(self.acceleration) @ u)
            start += len(body.reference())
        return total

    @cached_property
    def _force(self) -> Floats:
        g = np.asarray(self.acceleration, dtype=float)
        return np.concatenate(
            [
                np.concatenate([body.mass * body.directions.T @ g, np.zeros(body.axes.shape[1])])
                for body in self.bodies
            ]
        )
