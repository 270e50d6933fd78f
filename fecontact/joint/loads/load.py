"""Given loads: forces, torques, gravity."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, field

import numpy as np

from fecontact.body.base import as_body
from fecontact.body.marker import MarkedBody, Marker, Point, Vector
from fecontact.body.rotation import skew
from fecontact.errors import InputError, warn_unusual
from fecontact.joint.curve import Curve, curve_through
from fecontact.joint.element import Evaluation
from fecontact.joint.lowered.elements import lowered_load
from fecontact.joint.marker import vector
from fecontact.kernels.lowered import Lowered, changed
from fecontact.typing import Floats, Tangents

__all__ = ["Force", "Gravity", "Torque"]

ZERO = np.zeros(3)

LARGEST_GRAVITY = 1e3
"""Acceleration in m/s^2 of a hundred times the weight on earth."""


def _marker(load: str, body: MarkedBody, point: Point) -> Marker:
    """Marker of the loaded point, or an `InputError`."""
    if not hasattr(body, "marker"):
        raise InputError(f"{load}: invalid body = {body!r}: expected a body")
    if not isinstance(point, str):
        vector(f"{load}: point", point, "m")
    return body.marker(point)


def _warn_without_effect(name: str, body: MarkedBody, force: Floats, moment: Floats) -> None:
    """Warn of a load that acts along no dof of its body."""
    load, unit = (force, "N") if force.any() else (moment, "N m")
    if load.any() and not as_body(body).moved_by(force, moment):
        warn_unusual(
            f"{name}: {tuple(load.tolist())} {unit} acts along no dof of '{body.name}' "
            f"({', '.join(body.dofs) or 'none'}) and changes nothing",
            "give the body that dof, or leave out the load",
        )


class _GivenLoad(ABC):
    """A load k(t) L on a marker of one body."""

    body: MarkedBody
    follower: bool
    _factor: Curve
    _marker: Marker
    _given: Floats

    def lowered(self) -> Lowered | None:
        """The load as a compiled function; None if its body or its factor has none."""
        n_q, n = len(self.body.reference()), len(self.body.dofs)
        torque = isinstance(self, Torque)
        return lowered_load(self._marker, n_q, n, self._given, self._factor, torque, self.follower)

    @property
    def bodies(self) -> tuple[MarkedBody]:
        """The loaded body."""
        return (self.body,)

    def tangents(self, t: float, q: Floats, v: Floats) -> Tangents:
        """Derivatives of `force`."""
        return self.evaluate(t, q, v)[1:]

    @abstractmethod
    def evaluate(self, t: float, q: Floats, v: Floats) -> Evaluation:
        """`force` and `tangents` in one pass."""

    @abstractmethod
    def force(self, t: float, q: Floats, v: Floats) -> Floats:
        """Load in the dofs of the body."""

    def power(self, t: float, q: Floats, v: Floats) -> float:
        """Power in W that the load gives to the dofs of the body."""
        return float(self.force(t, q, v) @ v)


@dataclass(frozen=True, eq=False)
class Force(_GivenLoad):
    """Force k(t) F on a point of a body.

    Parameters
    ----------
    body
        The loaded body.
    vector
        F in N: space components, or body components for a follower.
    point
        Name of a point or, on an elastic body, of a surface; or components, relative to the centre
        of mass of a rigid body or in the mesh of an elastic one, in m.
    follower
        Whether the force turns with the body at this point.
    factor
        k, or a curve of it over time in s, for example a `ramp`.
    """

    body: MarkedBody
    vector: Vector
    point: Point = (0.0, 0.0, 0.0)
    name: str = "force"
    follower: bool = False
    factor: float | Curve = 1.0
    _factor: Curve = field(init=False, repr=False)
    _marker: Marker = field(init=False, repr=False)
    _given: Floats = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_factor", curve_through(f"{self.name}: factor", self.factor))
        object.__setattr__(self, "_given", vector(f"{self.name}: vector", self.vector, "N"))
        object.__setattr__(self, "_marker", _marker(self.name, self.body, self.point))
        _warn_without_effect(self.name, self.body, self._given, ZERO)

    def force(self, t: float, q: Floats, v: Floats) -> Floats:
        """Force in the dofs of the body."""
        motion = self._marker.at(q, v, t)
        given = self._factor.value(t) * self._given
        space = motion.rotation @ given if self.follower else given
        return space @ motion.jacobian

    def evaluate(self, t: float, q: Floats, v: Floats) -> Evaluation:
        """`force` and `tangents`: the lever turns with the body, and so does a follower."""
        motion = self._marker.at(q, v, t)
        J, given = motion.jacobian, self._factor.value(t) * self._given
        space = motion.rotation @ given if self.follower else given
        by_q = motion.d_load(space, ZERO)
        if self.follower:
            by_q = by_q - J.T @ (motion.rotation @ skew(given) @ motion.angular_jacobian)
        return space @ J, by_q, np.zeros_like(by_q)

    def terms(self, t: float, q: Floats, v: Floats) -> dict[str, Tangents]:
        """`tangents` by the name of their cause."""
        return {"follower load" if self.follower else "load": self.tangents(t, q, v)}

    def energy(self, t: float, q: Floats, v: Floats) -> float:
        """Potential -k F . u in J of a space-fixed force, u from the reference position.

        A follower has none: its work is external, see `power`.
        """
        if self.follower:
            return 0.0
        u = self._marker.at(q, v, t).position - self._marker.home
        return float(-self._factor.value(t) * self._given @ u)


@dataclass(frozen=True, eq=False)
class Torque(_GivenLoad):
    """Torque k(t) M on a body; not conservative in spatial rotations.

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
    point
        As that of a `Force`; it matters for elastic bodies only.
    """

    body: MarkedBody
    vector: Vector
    name: str = "torque"
    follower: bool = False
    factor: float | Curve = 1.0
    point: Point = (0.0, 0.0, 0.0)
    _factor: Curve = field(init=False, repr=False)
    _marker: Marker = field(init=False, repr=False)
    _given: Floats = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_factor", curve_through(f"{self.name}: factor", self.factor))
        object.__setattr__(self, "_given", vector(f"{self.name}: vector", self.vector, "N m"))
        object.__setattr__(self, "_marker", _marker(self.name, self.body, self.point))
        _warn_without_effect(self.name, self.body, ZERO, self._given)

    def force(self, t: float, q: Floats, v: Floats) -> Floats:
        """Torque in the dofs of the body; it also drives the spin of a rotor."""
        motion = self._marker.at(q, v, t)
        given = self._factor.value(t) * self._given
        own = given if self.follower else given @ motion.rotation
        return own @ motion.material_angular_jacobian

    def evaluate(self, t: float, q: Floats, v: Floats) -> Evaluation:
        """`force` and `tangents`: the body turns under a space-fixed torque."""
        motion = self._marker.at(q, v, t)
        given = self._factor.value(t) * self._given
        own = given if self.follower else given @ motion.rotation
        turning = motion.material_angular_jacobian
        by_q = motion.d_load(ZERO, own)
        if not self.follower:
            by_q = by_q + turning.T @ skew(own) @ motion.angular_jacobian
        return own @ turning, by_q, np.zeros_like(by_q)


@dataclass(frozen=True, eq=False)
class Gravity:
    """Weight of bodies.

    Parameters
    ----------
    bodies
        The heavy bodies.
    acceleration
        g in m/s^2, space components.

    Examples
    --------
    >>> from fecontact.body import RigidBody
    >>> stone = RigidBody("stone", 2.0)
    >>> Gravity([stone]).force(0.0, stone.reference(), np.zeros(3)).round(3).tolist()
    [0.0, 0.0, -19.613]
    """

    bodies: Sequence[MarkedBody]
    acceleration: Vector = (0.0, 0.0, -9.80665)
    name: str = "gravity"
    _g: Floats = field(init=False, repr=False)

    def __post_init__(self) -> None:
        g = vector(f"{self.name}: acceleration", self.acceleration, "m/s^2")
        object.__setattr__(self, "_g", g)
        if np.linalg.norm(g) > LARGEST_GRAVITY:
            warn_unusual(
                f"{self.name}: acceleration of {np.linalg.norm(g):g} m/s^2 is unusual",
                "given in mm/s^2? Then write it times 1e-3",
            )
        if not isinstance(self.bodies, Sequence):
            raise InputError(
                f"{self.name}: invalid bodies: expected a list of bodies, such as [body]"
            )
        if not self.bodies:
            raise InputError(f"{self.name}: invalid bodies = []: expected at least one body")
        for index, body in enumerate(self.bodies):
            shown = f"body '{getattr(body, 'name', body)}'"
            if not hasattr(body, "weight"):
                raise InputError(f"{self.name}: {shown} has no weight")
            if body in self.bodies[:index]:
                raise InputError(f"{self.name}: {shown} is listed twice; each body falls once")

    def force(self, t: float, q: Floats, v: Floats) -> Floats:
        """Weights in the dofs of the bodies."""
        return np.concatenate([force for force, _, _ in self._weights(t, q)])

    def tangents(self, t: float, q: Floats, v: Floats) -> Tangents:
        """Derivatives of `force`."""
        return self.evaluate(t, q, v)[1:]

    def evaluate(self, t: float, q: Floats, v: Floats) -> Evaluation:
        """`force` and `tangents` in one pass."""
        force = np.zeros(len(v))
        by_q, by_v = np.zeros((2, len(v), len(v)))
        start = 0
        for own, d_own, _ in self._weights(t, q):
            part = slice(start, start + len(own))
            force[part], by_q[part, part] = own, d_own
            start = part.stop
        return force, by_q, by_v

    def energy(self, t: float, q: Floats, v: Floats) -> float:
        """Potential -m g . u in J, u of the centre of mass from the reference position."""
        return sum(energy for _, _, energy in self._weights(t, q))

    @property
    def summands(self) -> tuple[Gravity, ...]:
        """One weight for each body; they add up to this one."""
        parts = tuple(copy(self) for _ in self.bodies)
        for part, body in zip(parts, self.bodies, strict=True):
            object.__setattr__(part, "bodies", (body,))  # checked already
        return parts

    def lowered(self) -> Lowered | None:
        """The weight of a single body as a compiled function; None if the body has none."""
        if len(self.bodies) > 1 or changed(self.bodies[0], "lowered_weight", ["weight"]):
            return None
        return as_body(self.bodies[0]).lowered_weight(self._g)

    def _weights(self, t: float, q: Floats) -> list[tuple[Floats, Floats, float]]:
        start, weights = 0, []
        for body in self.bodies:
            size = len(body.reference())
            weights.append(body.weight(q[start : start + size], self._g, t))
            start += size
        return weights
