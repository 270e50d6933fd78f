"""Friction of a rigid flat patch that slides and spins (Keppler 4.2.3 to 4.2.5).

    t = -mu(v_m) N grad phi(twist) - mu_V N Q twist,      v_m^2 = twist^T Q twist

t = (F_x, F_y, M_z) acts on the slave at the reference point, the twist is that of the slave
relative to the master, phi the mean speed of the patch (`contact.patch.flat`) and Q its matrix of
mean squares. The vectors -grad phi of all twists form the limit surface. phi is its support
function, so a load t is held by sticking if

    g(t) = max { t . twist : phi(twist) = 1 }  <=  mu_static N

and friction dissipates the most that the limit surface allows. The gauge g is Keppler's g_H (4.53)
without his table of directions.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.interpolate import CubicHermiteSpline

from fecontact.contact.laws.coefficient import Coefficient, coefficient_of
from fecontact.contact.patch.flat import AxisymmetricPatch, Patch
from fecontact.contact.status import SLIP, STICK
from fecontact.errors import NON_NEGATIVE, InputError, SolverError, check, numbers, shown
from fecontact.typing import Floats

__all__ = ["AreaForce", "AreaFriction", "LimitCurve", "gauge", "mean_squares"]


def mean_squares(patch: Patch) -> Floats:
    """Matrix Q of the mean squared speed <|u|^2> = twist^T Q twist (Keppler 4.48, 4.49)."""
    s_x, s_y = patch.centre
    return np.array([[1.0, 0.0, -s_y], [0.0, 1.0, s_x], [-s_y, s_x, patch.second_moment]])


def gauge(patch: Patch, load: Floats) -> tuple[float, Floats]:
    """Gauge g of a load (F_x, F_y, M_z) in N and the twist that releases it, of mean speed 1.

    The load reaches the limit surface at g = mu N. The twist is the gradient of g.
    """
    arm = np.sqrt(patch.second_moment)
    scaled = numbers("load", load, (3,)) / np.array([1.0, 1.0, arm])
    size = float(np.linalg.norm(scaled))
    if size == 0.0:
        return 0.0, np.zeros(3)
    along = scaled / size
    to_twist = np.diag([1.0, 1.0, 1.0 / arm])
    across = to_twist @ np.linalg.svd(along[None, :])[2][1:].T
    twist = _slowest(patch, to_twist @ along, across)
    phi = _speed(patch, twist)
    return size / phi, twist / phi


def _slowest(patch: Patch, twist: Floats, across: Floats) -> Floats:
    """Twist of the least mean speed among `twist` + `across` y, by Newton's method."""
    for _ in range(100):
        gradient, hessian = patch.mean(twist)
        phi, slope = float(gradient @ twist), across.T @ gradient
        H = across.T @ hessian @ across
        move = -across @ np.linalg.solve(H + 1e-14 * np.trace(H) * np.eye(2), slope)
        least = 1e-10 * float(np.linalg.norm(twist))
        while np.linalg.norm(move) > least and _speed(patch, twist + move) > phi:
            move *= 0.5
        if np.linalg.norm(move) <= least:
            break
        twist = twist + move
    if np.linalg.norm(slope) > 1e-6 * phi:
        raise SolverError(
            "no point of the limit surface found in the direction of the load; "
            "use more quadrature points in the patch"
        )
    return twist


def _speed(patch: Patch, twist: Floats) -> float:
    """Mean speed phi."""
    return float(patch.mean(twist)[0] @ twist)


@dataclass(frozen=True)
class LimitCurve:
    """Limit curve of an axisymmetric patch as a spline with exact slopes, fast to evaluate.

    In the plane of |F| and |M|/M_0 the curve is rho(theta), from pure sliding (1, 0) to pure spin
    (0, 1); M_0 is the spin moment per mu N in m.
    """

    patch: AxisymmetricPatch
    nodes: int = 257

    @cached_property
    def spin_moment(self) -> float:
        """M_0 = <r> in m."""
        return self.patch.ratios(0.0, 1.0)[1]

    @cached_property
    def points(self) -> Floats:
        """Force and moment per mu N (and M_0) along the curve, and the outward normals: (n, 4)."""
        rows = []
        for angle in np.linspace(0.0, 0.5 * np.pi, self.nodes):
            V, W = np.cos(angle), np.sin(angle) / self.spin_moment
            force, moment, _ = self.patch.ratios(V, W)
            rows.append([force * V, moment * W / self.spin_moment, V, W * self.spin_moment])
        return np.array(rows)

    @cached_property
    def _radius(self) -> CubicHermiteSpline:
        f, m, n_1, n_2 = self.points.T
        angle, rho = np.arctan2(m, f), np.hypot(f, m)
        slope = -rho * (n_2 * f - n_1 * m) / (n_1 * f + n_2 * m)
        return CubicHermiteSpline(angle, rho, slope)

    def gauge(self, load: Floats) -> tuple[float, Floats]:
        """Gauge of a load (F_x, F_y, M_z) in N, and its gradient."""
        force = float(np.hypot(load[0], load[1]))
        moment = abs(float(load[2])) / self.spin_moment
        size = float(np.hypot(force, moment))
        if size == 0.0:
            return 0.0, np.zeros(3)
        angle = np.arctan2(moment, force)
        rho, slope = float(self._radius(angle)), float(self._radius(angle, 1))
        by_force = (force + moment * slope / rho) / (size * rho)
        by_moment = (moment - force * slope / rho) / (size * rho)
        along = np.asarray(load[:2]) / force if force > 0.0 else np.zeros(2)
        spin = by_moment * np.sign(load[2]) / self.spin_moment
        return size / rho, np.array([*(by_force * along), spin])


@dataclass(frozen=True)
class AreaForce:
    """Friction (F_x, F_y, M_z) on the slave in N and N m, its derivatives, and mu N."""

    value: Floats
    by_twist: Floats
    by_normal: Floats
    limit: float


@dataclass(frozen=True)
class AreaFriction:
    """Friction of a sliding patch.

    Parameters
    ----------
    patch
        Outline and pressure.
    mu
        Coefficient; `Stribeck(..., exponent=2)` at the mean speed is Keppler's law (4.48).
    viscous
        mu_V in s/m (Keppler 4.49).

    Examples
    --------
    >>> from fecontact.contact.patch.flat import HertzPatch
    >>> law = AreaFriction(HertzPatch(0.1), mu=0.5)
    >>> force = law.sliding(np.array([0.1, 0.0, 1.0]), 1.0).value
    >>> round(force[0].item(), 6), round(force[2].item(), 6)
    (-0.441786, -0.011045)
    """

    patch: Patch
    mu: float | Coefficient
    viscous: float = 0.0

    def __post_init__(self) -> None:
        if isinstance(self.patch, type) or not hasattr(self.patch, "mean"):
            raise InputError(
                f"invalid patch = {shown(self.patch)}: expected a patch such as HertzPatch(radius)"
            )
        check("viscous", self.viscous, NON_NEGATIVE, "s/m")
        self.coefficient  # noqa: B018  # refuses an impossible mu

    @cached_property
    def coefficient(self) -> Coefficient:
        """The friction coefficient as a law."""
        return coefficient_of(self.mu)

    def limit(self, twist: Floats, normal_force: float) -> tuple[float, Floats, float]:
        """Friction limit mu N at the mean speed, and its derivatives by twist and N."""
        moved = mean_squares(self.patch) @ twist
        speed = float(np.sqrt(np.maximum(0.0, twist @ moved)))
        mu, by_speed, by_pressure = self._values(speed, normal_force, SLIP)
        by_twist = normal_force * by_speed / speed * moved if speed > 0.0 else np.zeros(3)
        pressure = normal_force / self.patch.area
        return mu * normal_force, by_twist, mu + by_pressure * pressure

    def sliding(self, twist: Floats, normal_force: float) -> AreaForce:
        """Friction vector of the sliding patch."""
        check("normal force", normal_force, NON_NEGATIVE, "N")
        direction, hessian = self.patch.mean(twist)
        limit, by_twist, by_normal = self.limit(twist, normal_force)
        drag = self.viscous * mean_squares(self.patch)
        return AreaForce(
            value=-limit * direction - normal_force * drag @ twist,
            by_twist=-limit * hessian - np.outer(direction, by_twist) - normal_force * drag,
            by_normal=-by_normal * direction - drag @ twist,
            limit=limit,
        )

    def sticks(self, load: Floats, normal_force: float) -> bool:
        """Whether a patch at rest holds the load (Keppler 4.52)."""
        mu = self._values(0.0, normal_force, STICK)[0]
        return gauge(self.patch, load)[0] <= mu * normal_force

    def _values(self, speed: float, normal_force: float, status: int) -> tuple[float, float, float]:
        pressure = np.array([normal_force / self.patch.area])
        values = self.coefficient.values(np.array([speed]), pressure, np.array([status]))
        return float(values[0][0]), float(values[1][0]), float(values[2][0])
