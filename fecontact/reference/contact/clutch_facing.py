"""Torque of an annular friction facing: rigid, conical, on an elastic disc, on a dished plate."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import pi

import numpy as np
from scipy.integrate import quad, simpson, solve_ivp
from scipy.optimize import brentq
from scipy.special import bei, beip, ber, berp, kei, keip, ker, kerp

from fecontact.typing import Floats

__all__ = ["DishedPlate", "HeldDisc", "conical_facing_torque", "facing_torque"]


def facing_torque(inner: float, outer: float, limit: float) -> float:
    """Torque 2/3 mu N (b^3 - a^3)/(b^2 - a^2) in N m of even pressure; limit is mu N.

    Examples
    --------
    >>> round(facing_torque(0.0, 0.3, 10.0), 12)
    2.0
    """
    return 2.0 / 3.0 * limit * (outer**3 - inner**3) / (outer**2 - inner**2)


def conical_facing_torque(
    inner: float, outer: float, cone: float, foundation: float, load: float, friction: float
) -> float:
    """Torque for the pressure c (d - h (b - r)/(b - a)) with contact everywhere.

    Parameters
    ----------
    inner, outer
        Radii a and b in m.
    cone
        Height h of the cone in m.
    foundation
        Stiffness c of the springs in N/m^3.
    load
        Normal force in N.
    friction
        Coefficient.
    """
    squares, cubes, fourths = ((outer**k - inner**k) / k for k in (2, 3, 4))
    slope = cone / (outer - inner)
    shift = load / (2.0 * pi * foundation)  # int (a + slope r) r dr
    a = (shift - slope * cubes) / squares
    return float(2.0 * pi * friction * foundation * (a * cubes + slope * fourths))


@dataclass(frozen=True)
class HeldDisc:
    """Elastic disc as a plate with shear on a bed of springs, clamped at r_i and free at r_o.

        w' = f + Q/(5/6 G h),   f' = -M/D - nu f/r,   M' = Q - (M - M_t)/r,   (r Q)' = -r c (d - w)

    by fundamental solutions. Turned by an angle phi against bristles c_t its outer ring slips:

        c_t (r phi - v) > mu p,      G h (v' - v/r) = S/(2 pi r^2),      S' = -2 pi r^2 tau

    Parameters
    ----------
    inner, outer, thickness
        Radii and thickness in m.
    young, poisson
        Material; E in Pa.
    bed, shear_bed
        c and c_t in N/m^3.
    load, friction
        Normal force in N and coefficient.
    """

    inner: float
    outer: float
    thickness: float
    young: float
    poisson: float
    foundation: float
    shear_bed: float
    load: float
    friction: float

    @property
    def shear_modulus(self) -> float:
        """G in Pa."""
        return self.young / (2.0 * (1.0 + self.poisson))

    @cached_property
    def radii(self) -> Floats:
        """Radii (n,) in m."""
        return np.linspace(self.inner, self.outer, 801)

    @cached_property
    def pressure(self) -> Floats:
        """Pressure (n,) in Pa under the load."""
        r, unit = self.radii, 1e-6
        loaded, bent, sheared = (self._from_hub(*start) for start in np.eye(3) * [unit, 1.0, 1.0])
        ends = np.column_stack([bent[2:, -1], sheared[2:, -1]])
        m, q = np.linalg.solve(ends, -loaded[2:, -1])
        w = loaded[0] + m * bent[0] + q * sheared[0]
        return np.asarray(self.load * (unit - w) / (2.0 * pi * simpson((unit - w) * r, r)))

    @property
    def torque(self) -> float:
        """Torque in N m of sliding."""
        r = self.radii
        return float(2.0 * pi * self.friction * simpson(self.pressure * r**2, r))

    def turned(self, angle: float) -> tuple[float, float]:
        """Torque in N m and radius in m within which points stick."""
        held = brentq(lambda S: self._torsion(angle, S)[1, -1], 0.0, self.torque, xtol=1e-9)
        v = self._torsion(angle, held)[0]
        pull = self.shear_bed * (self.radii * angle - v)
        left = self.friction * self.pressure - pull  # falls outwards
        return held, float(np.interp(0.0, -left, self.radii))

    def _from_hub(self, d: float, moment: float, shear: float) -> Floats:
        """Solution w, f, M, Q (4, n) that starts with a moment and a shear force at the hub."""
        nu, h = self.poisson, self.thickness
        D, S = self.young * h**3 / (12.0 * (1.0 - nu**2)), 5.0 / 6.0 * self.shear_modulus * h

        def rate(r: float, y: Floats) -> list[float]:
            w, f, M, Q = y
            curved = -M / D - nu * f / r
            around = -D * (f / r + nu * curved)
            return [f + Q / S, curved, Q - (M - around) / r, -Q / r - self.foundation * (d - w)]

        return self._over_radius(rate, [0.0, 0.0, moment, shear])

    def _torsion(self, angle: float, torque: float) -> Floats:
        """Displacement v around the axis and torque S (2, n) with the torque at the hub."""

        def rate(r: float, y: Floats) -> list[float]:
            limit = self.friction * float(np.interp(r, self.radii, self.pressure))
            tau = min(self.shear_bed * (r * angle - y[0]), limit)
            carried = y[1] / (2.0 * pi * r**2 * self.shear_modulus * self.thickness)
            return [y[0] / r + carried, -2.0 * pi * r**2 * tau]

        return self._over_radius(rate, [0.0, torque])

    def _over_radius(
        self, rate: Callable[[float, Floats], list[float]], start: list[float]
    ) -> Floats:
        r = self.radii
        path = solve_ivp(rate, (r[0], r[-1]), start, t_eval=r, rtol=1e-8, atol=1e-15)
        return np.asarray(path.y, dtype=float)


@dataclass(frozen=True)
class DishedPlate:
    """Kirchhoff's plate on a Winkler layer, loaded along its inner edge, and Coulomb's friction.

        D (1/r d/dr r d/dr)^2 w + k w = 0,      p = k w,
        w = A ber(r/l) + B bei(r/l) + C ker(r/l) + D kei(r/l),      l^4 = D/k

    Turned by phi, a ring slips where k_t r phi > mu p(r):

        M(phi) = 2 pi int min(k_t r phi, mu p) r^2 dr,     at most     2 pi mu int p r^2 dr

    Parameters
    ----------
    inner, outer, thickness
        Radii and thickness in m; both edges are free.
    young, poisson
        Material; E in Pa.
    bed, shear_bed
        k and k_t in Pa/m.
    force, friction
        Force on the inner edge in N, and coefficient.
    """

    inner: float
    outer: float
    thickness: float
    young: float
    poisson: float
    foundation: float
    shear_bed: float
    force: float
    friction: float

    @property
    def rigidity(self) -> float:
        """D in N m."""
        return self.young * self.thickness**3 / (12.0 * (1.0 - self.poisson**2))

    @property
    def length(self) -> float:
        """Characteristic length l in m."""
        return float((self.rigidity / self.foundation) ** 0.25)

    @cached_property
    def _constants(self) -> Floats:
        """A, B, C, D from free edges and the force at the inner edge."""
        rows = []
        for r in (self.inner, self.outer):
            x = r / self.length
            bend = np.array([-bei(x), ber(x), -kei(x), ker(x)])
            slope = np.array([berp(x), beip(x), kerp(x), keip(x)])
            shear = np.array([-beip(x), berp(x), -keip(x), kerp(x)])
            rows += [bend - (1.0 - self.poisson) / x * slope, shear]
        load = self.force / (2.0 * pi * self.inner * self.rigidity) * self.length**3
        return np.linalg.solve(np.array(rows), np.array([0.0, load, 0.0, 0.0]))

    def pressure(self, r: Floats | float) -> Floats:
        """p(r) in Pa."""
        x = np.asarray(r) / self.length
        shapes = np.array([ber(x), bei(x), ker(x), kei(x)])
        return np.asarray(self.foundation * np.tensordot(self._constants, shapes, axes=1))

    def torque(self, phi: float) -> float:
        """M(phi) in N m; that of gross slip at phi = inf."""

        def ring(r: float) -> float:
            stuck = self.shear_bed * r * phi if np.isfinite(phi) else np.inf
            return min(stuck, self.friction * float(self.pressure(r))) * r**2

        return float(2.0 * pi * quad(ring, self.inner, self.outer, limit=200)[0])

    def angle(self, torque: float) -> float:
        """Rotation in rad under a torque below that of gross slip."""
        most = 100.0 * self.friction * self.force / (self.shear_bed * self.inner**3)
        return float(brentq(lambda phi: self.torque(phi) - torque, 0.0, most))
