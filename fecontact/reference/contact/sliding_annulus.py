"""Annulus that slides and spins on a plane: friction of the whole area (Stamm 6.1, 6.2)."""

from __future__ import annotations

from math import pi

import numpy as np
from scipy.integrate import solve_ivp

from fecontact.errors import POSITIVE, check
from fecontact.typing import Floats

__all__ = ["sliding_annulus"]


def sliding_annulus(
    radii: tuple[float, float],
    mass: float,
    inertia: float,
    limit: float,
    start: Floats,
    push: float,
    t: Floats,
    *,
    radial: int = 24,
    around: int = 360,
) -> Floats:
    """States (k, 6) x', y', spin, x, y, angle while the annulus slides everywhere.

        F = -mu p int s/|s| dA,      M = -mu p int r x s/|s| dA

    by Gauss points in r and equal angles.

    Parameters
    ----------
    radii
        Inner and outer radius in m.
    mass, inertia
        In kg and kg m^2.
    limit
        Friction mu m g of the whole area in N.
    start
        State (6,) at the first time.
    push
        Constant force along y in N.
    t
        Times (k,) in s, rising.
    radial, around
        Numbers of integration points.

    Examples
    --------
    Without spin it is braked by mu g.

    >>> start = np.array([1.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    >>> end = sliding_annulus((0.1, 0.2), 2.0, 0.05, 6.0, start, 0.0, np.array([0.0, 0.1]))[-1]
    >>> bool(abs(end[0] - (1.0 - 3.0 * 0.1)) < 1e-9)
    True
    """
    inner, outer = radii
    check("mass", mass, POSITIVE, "kg")
    check("inertia", inertia, POSITIVE, "kg m^2")
    x, fraction = np.polynomial.legendre.leggauss(radial)
    r = 0.5 * (outer + inner) + 0.5 * (outer - inner) * x
    fraction = fraction * r / (fraction @ r) / around
    phi = 2.0 * pi * (np.arange(around) + 0.5) / around
    X, Y = np.outer(r, np.cos(phi)), np.outer(r, np.sin(phi))

    def rate(time: float, y: Floats) -> Floats:
        sx, sy = y[0] - y[2] * Y, y[1] + y[2] * X
        scale = limit * fraction[:, None] / np.hypot(sx, sy)
        fx, fy = -scale * sx, -scale * sy
        moment = np.sum(X * fy - Y * fx)
        return np.array([fx.sum() / mass, (fy.sum() + push) / mass, moment / inertia, *y[:3]])

    span = (float(t[0]), float(t[-1]))
    return np.asarray(solve_ivp(rate, span, start, "DOP853", t, rtol=1e-9, atol=1e-12).y.T)
