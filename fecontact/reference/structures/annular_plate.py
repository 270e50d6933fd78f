"""Exact frequencies of an annular Kirchhoff plate from the Bessel determinant.

    w = [C1 J_k(l r) + C2 Y_k(l r) + C3 I_k(l r) + C4 K_k(l r)] cos(k phi),
    f = l^2 / (2 pi) sqrt(D / (rho h))                              (Jehle 3.46, 3.47 for k = 0)

with two conditions on each edge: displacement w, slope w', moment
M = w'' + nu (w'/r - k^2 w/r^2), and Kirchhoff's shear V = (lap w)' - (1 - nu) k^2/r^2 (w' - w/r).
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
from scipy.optimize import brentq
from scipy.special import ive, jv, kve, yv

from fecontact.errors import SolverError
from fecontact.typing import Floats

__all__ = ["annular_plate_frequencies"]

CONDITIONS = {"free": ("M", "V"), "simply_supported": ("w", "M"), "clamped": ("w", "slope")}


def annular_plate_frequencies(
    inner_radius: float,
    outer_radius: float,
    thickness: float,
    young: float,
    poisson: float,
    density: float,
    nodal_diameters: int,
    count: int = 1,
    *,
    inner: str = "free",
    outer: str = "simply_supported",
) -> Floats:
    """Lowest `count` elastic frequencies in Hz with a given number of nodal diameters.

    Examples
    --------
    >>> f = annular_plate_frequencies(0.08, 0.12, 0.005, 210e9, 0.3, 7800.0, nodal_diameters=1)
    >>> f.round(1).tolist()
    [1099.7]
    """
    radii = (inner_radius, outer_radius)

    def determinant(wave: float) -> float:
        edges = [
            _edge_rows(wave, r, radii, nodal_diameters, poisson, support)
            for r, support in zip(radii, (inner, outer), strict=True)
        ]
        matrix = np.vstack(edges)
        matrix /= np.linalg.norm(matrix, axis=1)[:, None]
        matrix /= np.linalg.norm(matrix, axis=0)
        return float(np.linalg.det(matrix))

    stiffness = young * thickness**3 / (12.0 * (1.0 - poisson**2))
    waves = _roots(determinant, np.pi / (outer_radius - inner_radius), count)
    return waves**2 / (2.0 * np.pi) * np.sqrt(stiffness / (density * thickness))


def _roots(function: Callable[[float], float], spacing: float, count: int) -> Floats:
    """First `count` sign changes, scanned in steps far below the distance of two roots."""
    step = 0.01 * spacing
    grid = step * np.arange(1, 200 * (count + 10))
    roots: list[float] = []
    left = function(grid[0])
    for a, b in pairwise(grid):
        right = function(b)
        if left * right < 0.0:
            roots.append(float(brentq(function, a, b, xtol=1e-13 * b, rtol=1e-14)))
            if len(roots) == count:
                return np.array(roots)
        left = right
    raise SolverError(f"only {len(roots)} of {count} roots found")


def _edge_rows(
    wave: float, r: float, radii: tuple[float, float], k: int, nu: float, support: str
) -> Floats:
    """Two rows of the determinant for one edge, columns J, Y, I, K."""
    w, slope = _bessel(wave, r, radii, k)
    sign = np.array([1.0, 1.0, -1.0, -1.0])
    curvature = -slope / r + (k**2 / r**2 - sign * wave**2) * w
    quantities = {
        "w": w,
        "slope": slope,
        "M": curvature + nu * (slope / r - k**2 * w / r**2),
        "V": -sign * wave**2 * slope - (1.0 - nu) * k**2 / r**2 * (slope - w / r),
    }
    return np.array([quantities[name] for name in CONDITIONS[support]])


def _bessel(wave: float, r: float, radii: tuple[float, float], k: int) -> tuple[Floats, Floats]:
    """Values and r-derivatives of J, Y, I, K; the last two scaled to stay finite."""
    x = wave * r
    grow, fall = np.exp(wave * (r - radii[1])), np.exp(wave * (radii[0] - r))
    values = np.array([jv(k, x), yv(k, x), ive(k, x) * grow, kve(k, x) * fall])
    below = np.array([jv(k - 1, x), yv(k - 1, x), ive(k - 1, x) * grow, -kve(k - 1, x) * fall])
    above = np.array([-jv(k + 1, x), -yv(k + 1, x), ive(k + 1, x) * grow, -kve(k + 1, x) * fall])
    return values, 0.5 * wave * (below + above)
