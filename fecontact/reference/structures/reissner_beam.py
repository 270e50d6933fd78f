"""Rotating cantilever that stretches and shears: Reissner's geometrically exact beam, by Ritz.

The section at x, clamped at the hub radius R, has the position (r, w) and the angle theta. Its
strains are exact, and its forces linear in them (Reissner, Z. angew. Math. Phys. 23 (1972) 795;
Simo and Vu-Quoc, J. Sound Vib. 119 (1987) 487):

    Gamma = r' cos theta + w' sin theta - 1,   gamma = w' cos theta - r' sin theta,   kappa = theta'
    U = 1/2 int EA Gamma^2 + GA gamma^2 + EI kappa^2 dx

Steady rotation stretches it, EA (r' - 1)' = -m Omega^2 r. Small motions about that state are those
of U to second order, with all inertia of the turning frame. For EA -> oo they are those of
`rotating_beam`.
"""

from __future__ import annotations

import numpy as np
import scipy.linalg as la
from numpy.polynomial import legendre

from fecontact.errors import NON_NEGATIVE, POSITIVE, Allowed, at_least, check, one_of
from fecontact.typing import Floats

__all__ = ["rotating_reissner_frequencies"]

SHAPES = 12
"""Polynomials of each field; 30 Gauss points integrate their products exactly."""

SLENDER = Allowed("from 1e-3 to 1", lambda r: 1e-3 <= r <= 1.0)
"""Below, round-off of the far stiffer stretch and shear shows in the bending."""


def rotating_reissner_frequencies(
    speed: float,
    gyration: float,
    count: int = 1,
    *,
    hub_radius: float = 0.0,
    motion: str = "flap",
    shear: float = 5.0 / 12.0,
) -> Floats:
    """Lowest frequencies omega L^2 sqrt(m/EI) of a rotating uniform cantilever.

    Parameters
    ----------
    speed
        Omega L^2 sqrt(m/EI), without unit.
    gyration
        Radius of gyration sqrt(I/A) over L.
    count
        Number of frequencies, a few.
    hub_radius
        R/L.
    motion
        "flap" or "lag".
    shear
        kappa G/E; 5/12 is that of a rectangle without Poisson's effect.

    Examples
    --------
    >>> rotating_reissner_frequencies(5.0, 0.01, motion="lag").round(4).tolist()
    [4.0579]
    """
    check("speed", speed, NON_NEGATIVE)
    check("gyration", gyration, SLENDER)
    check("count", count, at_least(1))
    check("hub_radius", hub_radius, NON_NEGATIVE)
    check("motion", motion, one_of(("flap", "lag")))
    check("shear", shear, POSITIVE)
    EA, square = gyration**-2, speed**2
    x, weights, shape, slope = _shapes()
    pull = shape.T @ (weights * (hub_radius + x))
    mass, axial = _form(shape, weights, shape), EA * _form(slope, weights, slope)
    stretch = slope @ np.linalg.solve(axial - square * mass, square * pull)
    bending = _bending(stretch, EA, shear)
    if motion == "flap":  # sections that tilt out of the plane of rotation are pulled back to it
        bending[SHAPES:, SHAPES:] -= square * gyration**2 * mass
        roots = la.eigh(bending, la.block_diag(mass, gyration**2 * mass), eigvals_only=True)
        return np.asarray(np.sqrt(roots[:count]))
    bending[:SHAPES, :SHAPES] -= square * mass
    K = la.block_diag(axial - square * mass, bending)
    M = la.block_diag(mass, mass, gyration**2 * mass)
    coriolis = np.zeros_like(M)
    coriolis[:SHAPES, SHAPES : 2 * SHAPES] = -2.0 * speed * mass
    coriolis -= coriolis.T
    n = len(M)
    A = np.block([[np.zeros((n, n)), np.eye(n)], [-la.solve(M, K), -la.solve(M, coriolis)]])
    roots = np.sort(la.eigvals(A).imag)
    return np.asarray(roots[roots > 0.0][:count])


def _bending(stretch: Floats, EA: float, shear: float) -> Floats:
    """Stiffness of (w, theta) about the beam with r' = 1 + stretch."""
    _, weights, shape, slope = _shapes()
    N, GA, rate = EA * stretch, EA * shear, 1.0 + stretch
    sheared = _form(slope, weights * (N - GA * rate), shape)
    turned = _form(shape, weights * rate * (GA * rate - N), shape)
    return np.block(
        [
            [GA * _form(slope, weights, slope), sheared],
            [sheared.T, turned + _form(slope, weights, slope)],
        ]
    )


def _shapes() -> tuple[Floats, Floats, Floats, Floats]:
    """Gauss points and weights on [0, 1], shapes x P_i(2 x - 1) there, and their slopes."""
    xi, weights = legendre.leggauss(30)
    x, each = 0.5 * (xi + 1.0), np.eye(SHAPES)
    values = legendre.legvander(xi, SHAPES - 1)
    rises = np.stack([legendre.legval(xi, legendre.legder(row)) for row in each], axis=1)
    return x, 0.5 * weights, x[:, None] * values, values + 2.0 * x[:, None] * rises


def _form(left: Floats, weights: Floats, right: Floats) -> Floats:
    """Integral of the products of two sets of functions (points, n)."""
    return np.asarray((left.T * weights) @ right)
