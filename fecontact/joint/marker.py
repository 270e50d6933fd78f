"""Relative motion of two points with frames, one on each of two bodies.

Bodies a and b; None is the ground. In components of body a, with d = x_b - x_a, Q = R_a^T R_b and
the body-fixed angular velocities omega,

    displacement   r = R_a^T d,      r' = R_a^T d' + r x omega_a
    direction      p = Q e,          p' = psi x p,          psi = Q omega_b - omega_a
    rotation       theta = log Q,    theta' = A(theta) psi
    distance       l = |d|,          l' = d . d' / l

None of them changes in a common rigid motion of both bodies. The forces conjugate to them are
therefore in balance on the two bodies, forces and moments: action equals reaction.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.spatial.transform import Rotation

from fecontact.body.rigid import RigidBody
from fecontact.body.rotation import cross_matrix
from fecontact.errors import FINITE, InputError, SolverError, check, one_of
from fecontact.joint.relative import Relative, d_log_rate, log_rate
from fecontact.typing import Floats

__all__ = ["Axis", "MarkerPair", "PairMotion", "Vector", "axis_vector", "frame_about", "vector"]

Vector = tuple[float, float, float]
Axis = str | Vector
NAMES = ("x", "y", "z")


def vector(name: str, values: Vector | Floats, unit: str = "") -> Floats:
    """Three finite numbers as an array, or an `InputError`."""
    result = np.asarray(values, dtype=float)
    if result.shape != (3,):
        raise InputError(f"{name} = {values} is not possible: it must have three components")
    for value in result:
        check(name, float(value), FINITE, unit)
    return result


def axis_vector(name: str, axis: Axis) -> Floats:
    """Unit vector of an axis, given as "x", "y", "z" or as a direction.

    Examples
    --------
    >>> axis_vector("hinge: axis", (0.0, 3.0, 4.0)).tolist()
    [0.0, 0.6, 0.8]
    """
    if isinstance(axis, str):
        check(name, axis, one_of(NAMES))
        return np.eye(3)[NAMES.index(axis)]
    direction = vector(name, axis)
    length = float(np.linalg.norm(direction))
    if length == 0.0:
        raise InputError(f"{name} = {axis} is not possible: a direction must not be zero")
    return direction / length


def frame_about(axis: Floats) -> Floats:
    """Right-handed orthonormal frame (3, 3) whose third column is the axis; I for z."""
    if axis[2] > 0.5:
        x = np.array([axis[2], 0.0, -axis[0]])
    else:
        x = np.cross(axis, np.eye(3)[np.argmin(np.abs(axis))])
    x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(axis, x), axis])


@dataclass(frozen=True, eq=False)
class MarkerPair:
    """A point on body a and one on body b; None is the ground.

    Parameters
    ----------
    name
        Of the element, for messages.
    a, b
        The bodies.
    point_b
        Relative to the centre of mass, body components; on the ground its position; in m.
    point_a
        Same on body a; by default the place where point_b is in the reference position.
    """

    name: str
    a: RigidBody | None
    b: RigidBody | None
    point_b: Vector = (0.0, 0.0, 0.0)
    point_a: Vector | None = None

    def __post_init__(self) -> None:
        if self.a is self.b:
            both = "the ground" if self.a is None else f"'{self.a.name}'"
            raise InputError(f"{self.name}: both ends are on {both}; they must be on two bodies")
        vector(f"{self.name}: point", self.point_b, "m")
        if self.point_a is not None:
            vector(f"{self.name}: point", self.point_a, "m")

    @cached_property
    def bodies(self) -> tuple[RigidBody, ...]:
        """The bodies without the ground, a before b."""
        return tuple(body for body in (self.a, self.b) if body is not None)

    def motion(self, q: Floats, v: Floats) -> PairMotion:
        """Motion of both ends; q and v of a, then of b."""
        n_q = 0 if self.a is None else len(self.a.reference())
        n = 0 if self.a is None else len(self.a.freedoms)
        end_a = _end(self.a, q[:n_q], v[:n], self._points[0])
        end_b = _end(self.b, q[n_q:], v[n:], self._points[1])
        return PairMotion(self.name, end_a, end_b, self._common_axis)

    def reference(self) -> PairMotion:
        """Motion in the reference position, at rest."""
        q = np.concatenate([body.reference() for body in self.bodies])
        return self.motion(q, np.zeros(sum(len(body.freedoms) for body in self.bodies)))

    def refuse_spin(self) -> None:
        """Raise if a body has a prescribed spin: its angle is not known."""
        for body in self.bodies:
            if body.spin:
                raise InputError(
                    f"{self.name}: body '{body.name}' has a prescribed spin, so its angle is not "
                    "known; give it rotation freedoms instead"
                )

    @cached_property
    def _points(self) -> tuple[Floats, Floats]:
        point_b = np.asarray(self.point_b, dtype=float)
        if self.point_a is not None:
            return np.asarray(self.point_a, dtype=float), point_b
        return point_b + _centre(self.b) - _centre(self.a), point_b

    @cached_property
    def _common_axis(self) -> bool:
        """Whether all rotation freedoms are about one axis, so that angles may be large."""
        axes = np.hstack([body.axes for body in self.bodies])
        return bool(np.count_nonzero(axes.any(axis=1)) <= 1)


@dataclass(frozen=True)
class _End:
    """Motion of one end; `turning` (3, n) takes v to omega, `angle` is of a single rotation."""

    position: Floats
    velocity: Floats
    jacobian: Floats
    d_velocity: Floats
    d_load: Callable[[Floats], Floats]
    rotation: Floats
    turning: Floats
    omega: Floats
    spin: Floats
    angle: Floats


def _centre(body: RigidBody | None) -> Floats:
    return np.zeros(3) if body is None else np.asarray(body.position, dtype=float)


def _end(body: RigidBody | None, q: Floats, v: Floats, point: Floats) -> _End:
    zero = np.zeros(3)
    if body is None:
        none = np.zeros((3, 0))
        return _End(
            point, zero, none, none, lambda force: np.zeros((0, 0)), np.eye(3), none, zero, zero,
            zero,
        )  # fmt: skip
    motion = body.motion(q, v, point[None])
    n = body.directions.shape[1]
    return _End(
        position=motion.position[0],
        velocity=motion.velocity[0],
        jacobian=motion.jacobian[0],
        d_velocity=motion.d_velocity[0],
        d_load=lambda force: motion.d_load(force[None]),
        rotation=body.rotation(q),
        turning=np.hstack([np.zeros((3, n)), body.axes]),
        omega=body.axes @ v[n:],
        spin=np.array([0.0, 0.0, body.spin]),
        angle=body.axes @ q[n:] if body.axes.shape[1] == 1 else zero,
    )


@dataclass(frozen=True)
class PairMotion:
    """One evaluation of a marker pair: its relative coordinates in components of body a."""

    name: str
    a: _End
    b: _End
    common_axis: bool

    def distance(self) -> Relative:
        """Distance of the points (1,); its direction must exist."""
        d, J = self._arm, self._jacobian
        length = float(np.linalg.norm(d))
        if length == 0.0:
            raise SolverError(
                f"{self.name}: its ends coincide, so its direction does not exist; use a bushing, "
                "or start from another position"
            )
        e = d / length
        across = (J - np.outer(e, e @ J)) / length
        return Relative(
            np.array([length]),
            np.array([e @ self._velocity]),
            (e @ J)[None],
            lambda: (e @ self._d_velocity + self._velocity @ across)[None],
            lambda load: self._d_load(load[0] * e) + load[0] * J.T @ across,
        )

    def displacement(self) -> Relative:
        """Position of point b seen from body a (3,), relative to point a."""
        R, turn = self.a.rotation, self._turning[0]
        r, dr = self._arm @ R, self._velocity @ R
        omega = cross_matrix(self.a.omega)
        G = R.T @ self._jacobian + cross_matrix(r) @ turn

        def d_load(load: Floats) -> Floats:
            twist = cross_matrix(load)
            fixed = self._d_load(R @ load)
            return fixed - self._jacobian.T @ R @ twist @ turn + turn.T @ twist @ G

        return Relative(
            r,
            dr - omega @ r,
            G,
            lambda: R.T @ self._d_velocity + cross_matrix(dr) @ turn - omega @ G,
            d_load,
        )

    def direction(self, e: Floats) -> Relative:
        """Direction e of body b seen from body a (3,)."""
        p = self._turn @ e
        twist = cross_matrix(p)
        psi = self._psi
        G = -twist @ self._P
        return Relative(
            p,
            -twist @ psi,
            G,
            lambda: cross_matrix(psi) @ G - twist @ self._d_psi(self.b.omega),
            lambda load: self._d_moment(twist @ load) - self._P.T @ cross_matrix(load) @ G,
        )

    def rotation(self) -> Relative:
        """Rotation vector of body b relative to body a (3,).

        Angles about one common axis are not limited; otherwise they are below pi.
        """
        if self.common_axis:
            quasi = self._quasi(self.b.omega, self.a.omega)
            return quasi.shifted(self.a.angle - self.b.angle)
        theta = Rotation.from_matrix(self._turn).as_rotvec()
        A, psi = log_rate(theta), self._psi
        G = A @ self._P

        def d_load(load: Floats) -> Floats:
            return self._d_moment(A.T @ load) - self._P.T @ d_log_rate(-theta, load) @ G

        def d_rate() -> Floats:
            return d_log_rate(theta, psi) @ G + A @ self._d_psi(self.b.omega)

        return Relative(theta, A @ psi, G, d_rate, d_load)

    def turning(self) -> Relative:
        """Angular velocity of b relative to a (3,), with prescribed spins.

        It belongs to no coordinate; the value is zero.
        """
        return self._quasi(self.b.omega + self.b.spin, self.a.omega + self.a.spin)

    def _quasi(self, omega_b: Floats, omega_a: Floats) -> Relative:
        rate = self._turn @ omega_b - omega_a
        return Relative(np.zeros(3), rate, self._P, lambda: self._d_psi(omega_b), self._d_moment)

    @cached_property
    def _arm(self) -> Floats:
        return self.b.position - self.a.position

    @cached_property
    def _velocity(self) -> Floats:
        return self.b.velocity - self.a.velocity

    @cached_property
    def _jacobian(self) -> Floats:
        return np.hstack([-self.a.jacobian, self.b.jacobian])

    @cached_property
    def _d_velocity(self) -> Floats:
        return np.hstack([-self.a.d_velocity, self.b.d_velocity])

    @cached_property
    def _turning(self) -> tuple[Floats, Floats]:
        """Omega of a and of b from the velocities of both, (3, n) each."""
        a, b = self.a.turning, self.b.turning
        return np.hstack([a, np.zeros_like(b)]), np.hstack([np.zeros_like(a), b])

    @cached_property
    def _turn(self) -> Floats:
        return self.a.rotation.T @ self.b.rotation

    @cached_property
    def _P(self) -> Floats:
        """Jacobian (3, n) of the relative rotation psi."""
        return self._turn @ self._turning[1] - self._turning[0]

    @cached_property
    def _psi(self) -> Floats:
        return self._turn @ self.b.omega - self.a.omega

    def _d_psi(self, omega_b: Floats) -> Floats:
        return -cross_matrix(self._turn @ omega_b) @ self._P

    def _d_moment(self, moment: Floats) -> Floats:
        """Derivative of P^T moment along a step."""
        return self._turning[1].T @ self._turn.T @ cross_matrix(moment) @ self._P

    def _d_load(self, force: Floats) -> Floats:
        """Derivative of J^T force along a step."""
        n, size = self.a.jacobian.shape[1], self._jacobian.shape[1]
        result = np.zeros((size, size))
        result[:n, :n] = -self.a.d_load(force)
        result[n:, n:] = self.b.d_load(force)
        return result
