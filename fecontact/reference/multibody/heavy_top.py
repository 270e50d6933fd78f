"""Heavy symmetric top: steady precession, nutation, the sleeping top."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, sin, sqrt

import numpy as np
from scipy.integrate import quad
from scipy.special import ellipj, ellipk

from fecontact.typing import Complexes, Floats

__all__ = ["HeavyTop"]


@dataclass(frozen=True)
class HeavyTop:
    """Symmetric top that turns about its fixed tip (Goldstein, Classical Mechanics, section 5.7).

    With the spin n = phi' cos(theta) + psi' about the axis

        A cos(theta) Omega^2 - C n Omega + m g l = 0                 steady precession, two roots
        nu^2 = (C n/A - 2 Omega cos(theta))^2 + Omega^2 sin(theta)^2     small nutation about it
        u'^2 = beta (u - u_1)(u - u_2)(u - u_3),   u = cos(theta)    any nutation

    Let go at rest but for its spin it nutates with cusps: elliptic functions.

    Parameters
    ----------
    inertia, axial_inertia
        A about the tip, across the axis, and C about it, in kg m^2.
    weight_moment
        m g l in N m.
    spin
        n in rad/s.
    tilt
        theta in rad, at the start.
    """

    inertia: float
    axial_inertia: float
    weight_moment: float
    spin: float
    tilt: float

    @property
    def discriminant(self) -> float:
        """(C n)^2 - 4 A m g l cos(theta); steady precession needs a positive one."""
        moment = 4.0 * self.inertia * self.weight_moment * cos(self.tilt)
        return (self.axial_inertia * self.spin) ** 2 - moment

    @property
    def precessions(self) -> dict[str, float]:
        """Slow and fast steady precession in rad/s."""
        root, twice = sqrt(self.discriminant), 2.0 * self.inertia * cos(self.tilt)
        spin = self.axial_inertia * self.spin
        return {"slow": (spin - root) / twice, "fast": (spin + root) / twice}

    @property
    def critical_spin(self) -> float:
        """Spin in rad/s below which the upright top falls."""
        return 2.0 * sqrt(self.inertia * self.weight_moment) / self.axial_inertia

    def nutation(self, precession: float) -> float:
        """Frequency nu in rad/s of a small nutation about a steady precession."""
        ratio = self.axial_inertia * self.spin / self.inertia
        away = ratio - 2.0 * precession * cos(self.tilt)
        return sqrt(away**2 + (precession * sin(self.tilt)) ** 2)

    def upright(self, spin: float) -> Complexes:
        """Roots (2,) of A z^2 - C n z + m g l = 0: whirl in rad/s, or growth where complex."""
        return np.asarray(
            np.roots([self.inertia, -self.axial_inertia * spin, self.weight_moment]), dtype=complex
        )

    def _constants(self) -> tuple[float, float, Floats]:
        """Return a = C n/A, beta = 2 m g l/A and the roots u_1 < u_2 < u_3."""
        a = self.axial_inertia * self.spin / self.inertia
        beta, u = 2.0 * self.weight_moment / self.inertia, cos(self.tilt)
        # at the start u' = phi' = 0, so u_2 = cos(tilt): the others from a quadratic equation
        others = np.roots([beta, -(a**2), a**2 * u - beta])
        return a, beta, np.sort(np.append(others, u))

    def cusp_period(self) -> float:
        """Time in s from cusp to cusp."""
        _, beta, (low, mid, high) = self._constants()
        return float(2.0 * ellipk((mid - low) / (high - low)) / sqrt(0.25 * beta * (high - low)))

    def cusp_height(self, t: Floats | float) -> Floats:
        """Return u = cos(theta) at times after the start."""
        _, beta, (low, mid, high) = self._constants()
        m = (mid - low) / (high - low)
        sn = ellipj(sqrt(0.25 * beta * (high - low)) * np.asarray(t) + ellipk(m), m)[0]
        return np.asarray(low + (mid - low) * sn**2)

    def cusp_azimuth(self, t: float) -> float:
        """Precession angle in rad: the integral of phi' = a (u_2 - u) / (1 - u^2)."""
        a, u_0 = self._constants()[0], cos(self.tilt)

        def rate(time: float) -> float:
            u = float(self.cusp_height(time))
            return a * (u_0 - u) / (1.0 - u**2)

        return float(quad(rate, 0.0, t, epsabs=1e-13, epsrel=1e-12, limit=200)[0])
